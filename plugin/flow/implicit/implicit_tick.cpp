#include "implicit/implicit_tick.h"

#include "balance/network_state.h"
#include "implicit/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow::implicit {

namespace {

bool isGyroscopic(const FlowBody& body) {
    const Eigen::Vector3d& i = body.inverseInertia;
    const bool hasOwn = body.gyroscopic && !(i[0] == i[1] && i[1] == i[2]);
    return i.minCoeff() > 0 && body.angularFactor == Eigen::Vector3d::Ones() &&
           (hasOwn || !body.spinMomentum.isZero(0));
}

Eigen::Vector3d impulseOf(const QuadraticLoad& load, double begin, double end) {
    return load.isConstant() ? Eigen::Vector3d((end - begin) * load.constant) : load.from(begin).impulse(end - begin);
}

/// Calls visit(law, slope of the force, response) for each element whose spring may act within h.
template <class Visit>
void forEachActing(const FlowNetwork& network, double h, double dt, const Visit& visit) {
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const HybridLaw law = HybridLaw::from(network.elements[e].law);
        if (law.neverActs() || law.kind == HybridLaw::Kind::Series) continue;
        const Row row = rowOf(network, e);
        double slope = law.c;
        if (law.kind == HybridLaw::Kind::Contact) {
            const double in = law.depth(law.isLimited() ? row.s - network.elements[e].s_damper : row.s);
            if (in + h * std::abs(row.v) < -kClosedGap) continue;
            if (law.n != 1) slope = law.springSlope(std::max(in, 0.) + dt * std::abs(row.v));
        }
        double response = 0;
        forEachEnd(network.elements[e], row, [&](int index, const auto& linear, const auto& turn) {
            const FlowBody& body = network.bodies[static_cast<std::size_t>(index)];
            Vector6 gradient;
            gradient << linear, turn;
            response += InverseMassRoot::of(body, body.orientation).transposedTimes(gradient).squaredNorm();
        });
        visit(law, slope, response);
    }
}

/// Largest oscillation of an element over the tick that its damper does not stop [rad]. Contacts that catch a body take
/// what it has then: where a spring throws it back within a sub-step they take that, too.
double ringing(const FlowNetwork& network, double h, const FlowSettings& settings) {
    double fastest = 0;  // squared angular frequency
    forEachActing(network, h, h / settings.fewestSubsteps, [&](const HybridLaw& law, double slope, double response) {
        const double square = slope * response, rate = law.largestDamping() * response;
        if (rate * rate < square) fastest = std::max(fastest, square);
    });
    return h * std::sqrt(fastest);
}

}  // namespace

int substepsFor(const FlowNetwork& network, double h, const FlowSettings& settings) {
    double spin = 0;
    for (const FlowBody& body : network.bodies) {
        if (!body.isImmovable()) spin = std::max(spin, body.angularVelocity.norm());
    }
    double substeps = std::min(std::ceil(h * spin / kTurn), kMostOfTurning);
    if (!network.contacts.empty()) substeps = std::max(substeps, std::ceil(ringing(network, h, settings) / kRing));
    return static_cast<int>(std::clamp(substeps, 1. * settings.fewestSubsteps, 1. * settings.mostSubsteps));
}

void ImplicitStep::begin() {
    const std::size_t count = m_network->bodies.size();
    m_now.resize(count);
    m_turnedTo.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        m_now[i] = Motion::of(m_network->bodies[i]);
        m_turnedTo[i] = m_now[i].q;
    }
    m_y.assign(count, Vector6::Zero());
    m_behind.assign(count, Vector6::Zero());
    m_scale.resize(count);
    m_roots.resize(count);
    m_laws.clear();
    m_softs.clear();
    m_turns.clear();
    m_z.clear();
    for (const FlowElement& element : m_network->elements) {
        m_laws.push_back(HybridLaw::from(element.law));
        m_turns.push_back(Turns::of(element));
        m_z.push_back(element.s_damper);
    }
    m_histories.assign(m_network->contacts.size(), {});
    for (std::size_t i = 0; i < m_network->contacts.size(); ++i) {
        const FlowContact& contact = m_network->contacts[i];
        ContactHistory& history = m_histories[i];
        history.force = history.forceBefore = contact.impulse / m_h;
        history.creep = contact.creep;
        history.bears = contact.impulse > 0;
        if (std::isinf(contact.stiffness)) continue;
        m_softs.push_back(i);
        m_laws.push_back(HybridLaw::from(softLaw(contact)));
        m_z.push_back(0);
    }
    m_boundedTurns.clear();
    for (const BoundedRow& row : m_network->bounded) m_boundedTurns.push_back(Turns::of(row));
    m_jointForce.assign(m_network->joints.size(), 0);
    m_jointStart.assign(m_network->joints.size(), 0);
    m_boundedForce.assign(m_network->bounded.size(), 0);

    ImplicitTick& result = *m_result;
    const auto laws = static_cast<Eigen::Index>(m_laws.size());
    result.P.setZero(laws);
    result.heat.setZero(laws);
    result.contacts.assign(m_network->contacts.size(), {});
    result.bounded.assign(m_network->bounded.size(), 0);
    result.reactions.assign(reactionCount(*m_network), {});
    result.events.clear();
    result.work = result.driveWork = result.limitLoss = result.jointLoss = result.putRight = 0;
    result.iterations = 0;
    result.isSolved = true;
    findPattern();
}

void ImplicitStep::findPattern() {
    m_edges.clear();
    const auto join = [&](const auto& link) {
        std::array<int, 4> bodies;
        int count = 0;
        forEachBody(link, [&](int index) {
            const auto begin = bodies.begin(), end = begin + count;
            if (index == kWorld || body(index).isImmovable() || std::find(begin, end, index) != end) return;
            for (auto other = begin; other != end; ++other) m_edges.push_back({*other, index});
            bodies[static_cast<std::size_t>(count++)] = index;
        });
    };
    for (const FlowElement& element : m_network->elements) join(element);
    for (const HeldRow& row : m_network->joints) join(row);
    for (const BoundedRow& row : m_network->bounded) join(row);
    for (const FlowContact& contact : m_network->contacts) join(contact);
    m_edges.erase(std::unique(m_edges.begin(), m_edges.end()), m_edges.end());
    m_kick.setPattern(static_cast<int>(m_network->bodies.size()), m_edges);
    m_kick.forget();
}

// A contact stands in series with the elements that press it.
void ImplicitStep::findFirmness(double dt) {
    double stiffest = 0;
    forEachActing(*m_network, m_h, dt, [&](const HybridLaw&, double slope, double response) {
        stiffest = std::max(stiffest, slope * response);
    });
    m_firmness = stiffest > 0 ? std::clamp(kFirm / (stiffest * dt * dt), kFirmestContact, kContact) : kContact;
}

void ImplicitStep::solve(const FlowNetwork& network, double h, double dt, ElementDrift::Form form, int iterations,
                         ImplicitTick& result) {
    m_network = &network;
    m_form = form;
    m_result = &result;
    m_h = h;
    const int substeps = std::max(static_cast<int>(std::ceil(h / dt - kFits)), 1);
    result.substeps = substeps;
    m_iterations = iterations;
    begin();
    findFirmness(dt);
    double behind = 0;
    // What loses energy gives all before each drift: nothing is left for the end.
    const int last = keepsEnergy() ? substeps : substeps - 1;
    for (int k = 0; k <= last; ++k) {
        const double t = k < substeps ? k * dt : h;
        const double ahead = k + 1 < substeps ? dt : k < substeps ? h - t : 0;
        const Span kick =
            keepsEnergy() ? Span{t - behind / 2, t + ahead / 2, ahead, k == 0} : Span{t, t + ahead, ahead, k == 0};
        m_kicks = substeps - k + (kick.isFirst ? 1 : 0);
        behind = ahead;
        placeMiddle(kick.drift / 2);
        findFree(kick);
        addRows(kick);
        if (k == 0) {
            for (std::size_t i = 0; i < m_y.size(); ++i) m_y[i] = -m_scale[i];
        } else if (keepsEnergy() && (k == 1 || k == substeps)) {
            for (Vector6& y : m_y) y *= k == 1 ? 2 : 0.5;
        }
        solveKick(kick);
        take(kick);
        if (kick.drift > 0) drift(t, kick.drift);
    }
    readEnd();
}

void ImplicitStep::placeMiddle(double ahead) {
    m_middle = m_now;
    for (std::size_t i = 0; i < m_now.size(); ++i) {
        Motion& middle = m_middle[i];
        if (ahead > 0) {
            middle.x += ahead * m_now[i].v;
            middle.q = turned(m_now[i].q, ahead * m_now[i].w);
        }
        m_roots[i] = InverseMassRoot::of(m_network->bodies[i], middle.q);
    }
}

// Velocities that loads, and elements for the drift behind, give over the kick.
void ImplicitStep::findFree(const Span& kick) {
    m_free = m_middle;
    for (std::size_t i = 0; i < m_free.size(); ++i) {
        const FlowBody& body = m_network->bodies[i];
        m_scale[i].setZero();
        if (body.isImmovable()) continue;
        Vector6 impulse = m_behind[i];
        impulse.head<3>() += impulseOf(body.force, kick.begin, kick.end);
        impulse.tail<3>() += impulseOf(body.torque, kick.begin, kick.end);
        m_behind[i].setZero();
        m_scale[i] = m_roots[i].transposedTimes(impulse);
        Motion& free = m_free[i];
        if (isGyroscopic(body)) {
            const Eigen::Quaterniond& from = m_turnedTo[i];
            const Eigen::Vector3d own = (from.conjugate() * free.w).cwiseQuotient(body.inverseInertia);
            const Eigen::Vector3d momentum = from * (own + body.spinMomentum);
            free.w = free.q * body.inverseInertia.cwiseProduct(free.q.conjugate() * momentum - body.spinMomentum);
        }
        const Vector6 change = m_roots[i].times(m_scale[i]);
        free.v += change.head<3>();
        free.w += change.tail<3>();
        m_turnedTo[i] = free.q;
    }
}

// The first kick knows only the tick before: its pressures bound friction the second time, and joints, limits and
// motors begin with what they gave.
void ImplicitStep::solveKick(const Span& kick) {
    const int passes = kick.isFirst ? 2 : 1;
    for (int pass = 0; pass < passes; ++pass) {
        if (pass > 0) {
            for (std::size_t i = 0; i < m_kick.points.size(); ++i) {
                const FlowContact& contact = m_network->contacts[m_pointSources[i].contact];
                if (m_kick.points[i].presses) m_kick.points[i].bound = contact.friction * m_kick.points[i].p[0];
            }
            for (std::size_t i = 0; i < m_kick.clamps.size(); ++i) {
                KickClamp& row = m_kick.clamps[i];
                if (m_clampSources[i].kind != Source::Kind::Turning) row.lag = row.p;
            }
            --m_kicks;
        }
        solveOnce();
    }
    const auto mayBend = [&] { return m_iterations > kFewestIterations * (m_kicks + 1); };
    for (int pass = 0; kick.drift > 0 && pass < kMostBends && mayBend() && bendElements(kick); ++pass) solveOnce();
}

void ImplicitStep::solveOnce() {
    const KickWork work =
        m_kick.solve(m_y, m_scale, std::max(m_iterations - kFewestIterations * m_kicks, kFewestIterations));
    m_result->iterations += work.iterations;
    m_iterations -= work.iterations;
    m_result->isSolved = m_result->isSolved && work.isSolved;
}

void ImplicitStep::take(const Span& kick) {
    takeClamps(kick);
    takePoints(kick);
    if (kick.drift > 0) takeElements(kick);
    setVelocities(m_now);
}

// Those that the kick leaves.
void ImplicitStep::setVelocities(std::vector<Motion>& motions) const {
    for (std::size_t i = 0; i < motions.size(); ++i) {
        if (m_network->bodies[i].isImmovable()) continue;
        const Vector6 change = m_roots[i].times(m_y[i]);
        motions[i].v = m_free[i].v + change.head<3>();
        motions[i].w = m_free[i].w + change.tail<3>();
    }
}

void ImplicitStep::drift(double t, double dt) {
    for (std::size_t i = 0; i < m_now.size(); ++i) {
        const FlowBody& body = m_network->bodies[i];
        Motion& motion = m_now[i];
        if (!body.isImmovable()) {
            const Eigen::Vector3d force = impulseOf(body.force, t, t + dt);
            const Eigen::Vector3d torque = impulseOf(body.torque, t, t + dt);
            for (int k = 0; k < 3; ++k) {
                m_result->work += body.inverseMass * body.linearFactor[k] > 0 ? force[k] * motion.v[k] : 0;
                m_result->work += body.angularFactor[k] > 0 ? torque[k] * motion.w[k] : 0;
            }
            m_result->work += dt * lockingPower(body, motion.q.toRotationMatrix(), motion.w);
        }
        motion.x += dt * motion.v;
        motion.q = turned(motion.q, dt * motion.w);
    }
}

void ImplicitStep::readEnd() {
    FlowNetwork& end = m_result->end;
    end = *m_network;
    for (std::size_t i = 0; i < m_now.size(); ++i) {
        FlowBody& body = end.bodies[i];
        body.position = m_now[i].x;
        body.orientation = m_now[i].q;
        body.velocity = m_now[i].v;
        body.angularVelocity = m_now[i].w;
    }
    for (std::size_t e = 0; e < end.elements.size(); ++e) {
        FlowElement& element = end.elements[e];
        m_turns[e].keepIn(element);
        const Row row = flow::rowOf(end, e);
        if (countsTurns(element)) Turns::found(element, row).keepIn(element);
        element.s_damper = innerState(m_laws[e], classify(m_laws[e], row.s, row.v, 0, m_z[e]), row.s, m_z[e]);
    }
    for (std::size_t k = 0; k < end.bounded.size(); ++k) {
        BoundedRow& bounded = end.bounded[k];
        m_boundedTurns[k].keepIn(bounded);
        if (countsTurns(bounded)) Turns::found(bounded, boundedRowOf(end, k)).keepIn(bounded);
    }
    for (std::size_t i = 0; i < m_histories.size(); ++i) m_result->contacts[i].creep = m_histories[i].creep;
}

}  // namespace elasto::flow::implicit
