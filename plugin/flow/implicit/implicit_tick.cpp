#include "implicit/implicit_tick.h"

#include "constraints/contact_geometry.h"
#include "constraints/row_measure.h"
#include "balance/network_state.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow::implicit {

namespace {

/// @name Compliance of rows, as a share of the response to their own impulse: what is left of the rate that an impulse
/// is to change.
///@{
constexpr double kJoint = 1e-4;
constexpr double kBounded = 1e-3;  ///< limits and motors; what is left is made up for by the next kick
constexpr double kContact = 3e-3, kFirmestContact = 1e-7;
constexpr double kFriction = 0.3;
///@}
/// Share of what the stiffest element that acts gives way by that contacts may give way by.
constexpr double kFirm = 3e-4;
/// Share of its last force that a contact begins with. All of it would let what is pressed creep.
constexpr double kRemembered = 0.9;
/// Share of its creep that a contact takes back in a sub-step.
constexpr double kTakenBack = 0.5;
/// [m/s, rad/s] Joints that are found apart close no faster.
constexpr double kClosing = 0.2;
/// Share of what a joint is apart beyond that which a sub-step closes: all of it would throw bodies about whose
/// contacts contradict their joints.
constexpr double kClosed = 0.5;
/// [rad] A body turns by less in a sub-step, as long as there are no more than so many.
constexpr double kTurn = 0.2, kMostOfTurning = 16;
/// Energy that an element may miss because it turns in a sub-step, as a share of the bodies' kinetic energy: beyond it
/// the sub-step is solved with the element's row where the drift leads, so many times at most.
constexpr double kBent = 1e-5;
constexpr int kMostBends = 4;
/// Rate of a stiff element that its damper takes within a sub-step, as a share of itself, from which on it is
/// overdamped.
constexpr double kStrong = 2;
/// Of a sub-step: what is left of a tick by rounding is none.
constexpr double kFits = 1e-6;
/// [m] Points that are farther apart at the tick's end have no velocity to lose.
constexpr double kTouching = 1e-6;

bool isGyroscopic(const FlowBody& body) {
    const Eigen::Vector3d& i = body.inverseInertia;
    return body.gyroscopic && i.minCoeff() > 0 && body.angularFactor == Eigen::Vector3d::Ones() &&
           !(i[0] == i[1] && i[1] == i[2]);
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
            const double low = law.penetration(row.s, -1);
            const double in = law.twoSided ? std::max(low, law.penetration(row.s, 1)) : low;
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

}  // namespace

int substepsFor(const FlowNetwork& network, double h, const FlowSettings& settings) {
    double spin = 0;
    for (const FlowBody& body : network.bodies) {
        if (!body.isImmovable()) spin = std::max(spin, body.angularVelocity.norm());
    }
    const double substeps = std::min(std::ceil(h * spin / kTurn), kMostOfTurning);
    return static_cast<int>(std::clamp(substeps, 1. * settings.fewestSubsteps, 1. * settings.mostSubsteps));
}

ElementDrift::Form formFor(const FlowNetwork& network, double h, double dt) {
    bool isDamped = false;
    forEachActing(network, h, dt, [&](const HybridLaw& law, double slope, double response) {
        const double square = slope * response * dt * dt, strength = law.d * response * dt;
        const bool bounces = law.kind == HybridLaw::Kind::Contact && !(strength * strength > 4 * square);
        isDamped = isDamped || (square > 1 && strength > kStrong && !bounces);
    });
    return isDamped ? ElementDrift::Form::LosesEnergy : ElementDrift::Form::KeepsEnergy;
}

ImplicitStep::WorldEnds ImplicitStep::WorldEnds::of(const BlockRow& row) {
    WorldEnds ends;
    ends.add(row.a, row.gradientA.head<3>(), row.gradientA.tail<3>());
    ends.add(row.b, row.gradientB.head<3>(), row.gradientB.tail<3>());
    return ends;
}

ImplicitStep::WorldEnds ImplicitStep::WorldEnds::of(const FlowElement& element, const Row& row) {
    WorldEnds ends;
    forEachEnd(element, row, [&](int index, const auto& linear, const auto& turn) { ends.add(index, linear, turn); });
    return ends;
}

void ImplicitStep::WorldEnds::add(int body, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
    if (body == kWorld) return;
    Vector6 gradient;
    gradient.head<3>() = linear;
    gradient.tail<3>() = angular;
    for (int i = 0; i < count; ++i) {
        End& end = ends[static_cast<std::size_t>(i)];
        if (end.body != body) continue;
        end.gradient += gradient;
        return;
    }
    ends[static_cast<std::size_t>(count++)] = {body, gradient};
}

const Motion& ImplicitStep::at(const std::vector<Motion>& motions, int body) const {
    static const Motion world;
    return body == kWorld ? world : motions[static_cast<std::size_t>(body)];
}

KickEnds ImplicitStep::reduced(const WorldEnds& ends, double& free) const {
    KickEnds result;
    free = 0;
    for (const WorldEnds::End& end : ends.all()) {
        const auto i = static_cast<std::size_t>(end.body);
        free += end.gradient.head<3>().dot(m_free[i].v) + end.gradient.tail<3>().dot(m_free[i].w);
        if (!m_network->bodies[i].isImmovable()) result.add(end.body, m_roots[i].transposedTimes(end.gradient));
    }
    return result;
}

double ImplicitStep::drivenRate(const WorldEnds& ends) const {
    double rate = 0;
    for (const WorldEnds::End& end : ends.all()) {
        const Motion& motion = at(m_now, end.body);
        rate += flow::drivenRate(body(end.body), end.gradient.head<3>(), end.gradient.tail<3>(), motion.v, motion.w);
    }
    return rate;
}

double ImplicitStep::rateNow(const WorldEnds& ends) const {
    double rate = 0;
    for (const WorldEnds::End& end : ends.all()) {
        const Motion& motion = at(m_now, end.body);
        rate += end.gradient.head<3>().dot(motion.v) + end.gradient.tail<3>().dot(motion.w);
    }
    return rate;
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
    m_memories.assign(m_network->contacts.size(), {});
    for (std::size_t i = 0; i < m_network->contacts.size(); ++i) {
        const FlowContact& contact = m_network->contacts[i];
        Memory& memory = m_memories[i];
        memory.force = memory.forceBefore = contact.impulse / m_h;
        memory.creep = contact.creep;
        memory.bears = contact.impulse > 0;
        if (std::isinf(contact.stiffness)) continue;
        m_softs.push_back(i);
        m_laws.push_back(HybridLaw::from(softLaw(contact)));
        m_z.push_back(0);
    }
    m_phi.clear();
    for (const BoundedRow& row : m_network->bounded) m_phi.push_back(row.phi);
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
            const Eigen::Vector3d local = (from.conjugate() * free.w).cwiseQuotient(body.inverseInertia);
            free.w = free.q * body.inverseInertia.cwiseProduct(free.q.conjugate() * (from * local));
        }
        const Vector6 change = m_roots[i].times(m_scale[i]);
        free.v += change.head<3>();
        free.w += change.tail<3>();
        m_turnedTo[i] = free.q;
    }
}

void ImplicitStep::addRows(const Span& kick) {
    m_kick.clear();
    m_clampSources.clear();
    m_elementSources.clear();
    m_pointSources.clear();
    addJoints(kick);
    addBounded(kick);
    if (kick.drift > 0) addElements(kick);
    for (std::size_t i = 0; i < m_network->contacts.size(); ++i) addContact(i, kick);
}

// @param compliance as a share of the response @param force that it had in the last kick
std::optional<KickClamp> ImplicitStep::clampOf(const BlockRow& gradients, double compliance, double force,
                                               const Span& kick) const {
    KickClamp row;
    row.ends = reduced(WorldEnds::of(gradients), row.free);
    const double response = row.ends.response();
    if (!(response > 0)) return std::nullopt;
    row.R = compliance * response;
    row.lag = kick.length() * force;
    return row;
}

// Gradients of the start, and the second derivative of the drift: of order 2 (SHAKE and RATTLE: Andersen, 1983).
void ImplicitStep::addJoints(const Span& kick) {
    for (std::size_t k = 0; k < m_network->joints.size(); ++k) {
        const HeldRow& held = m_network->joints[k];
        const RowMeasure m = measureHeld(held, at(m_now, held.a), at(m_now, held.b));
        const BlockRow gradients = flow::rowOf(held, m);
        std::optional<KickClamp> row = clampOf(gradients, kJoint, m_jointForce[k], kick);
        if (!row) continue;
        double closing = 0;
        if (kick.drift > 0) {
            if (kick.isFirst) m_jointStart[k] = m.value;
            const double left = std::max(std::abs(m_jointStart[k]) - kClosing * (kick.end + kick.drift / 2), 0.);
            closing = kClosed * (std::copysign(left, m_jointStart[k]) - m.value) / kick.drift;
            row->target = closing - kick.drift / 2 * m.gamma;
        }
        m_kick.clamps.push_back(*row);
        m_clampSources.push_back({Source::Kind::Joint, k, gradients, closing});
    }
}

void ImplicitStep::addBounded(const Span& kick) {
    for (std::size_t k = 0; k < m_network->bounded.size(); ++k) {
        const BoundedRow& bounded = m_network->bounded[k];
        const Row m = measureRow(bounded, at(m_middle, bounded.a), at(m_middle, bounded.b), m_phi[k]);
        if (countsTurns(bounded.geometry)) m_phi[k] = m.s;
        const BlockRow gradients = flow::rowOf(bounded, m);
        const bool isMotor = bounded.kind == BoundedRow::Kind::Motor;
        // A prescribed rate is held as a joint is.
        const double compliance =
            isMotor ? (std::isinf(bounded.maxForce) ? kJoint : kBounded) : kBounded * kick.softness();
        std::optional<KickClamp> row = clampOf(gradients, compliance, m_boundedForce[k], kick);
        if (!row) continue;
        if (isMotor) {
            row->target = targetOf(bounded, kick);
            row->high = kick.length() * bounded.maxForce;
            row->low = -row->high;
        } else {
            const double rate = bounded.side * m.v;
            const double value = bounded.side * (m.s - bounded.bound) - kick.drift / 2 * rate;
            double target = 0;
            if (kick.drift > 0) {
                target = -std::max(value, 0.) / kick.drift;
                // What loads give within the kick is no impact, or nothing would come to rest.
                const bool isFast = -rate > std::abs(row->free - m.v);
                const bool strikes = bounded.restitution > 0 && isFast && value + kick.drift * rate < 0;
                if (strikes) target = std::max(target, -bounded.restitution * rate);
            } else if (value > kTouching && m_boundedForce[k] == 0) {
                continue;
            }
            row->target = bounded.side * target;
            (bounded.side > 0 ? row->low : row->high) = 0;
        }
        m_kick.clamps.push_back(*row);
        m_clampSources.push_back({Source::Kind::Bounded, k, gradients});
    }
}

// A motor drives its coordinate no further than a limit of it lets: both are rows that give way, and the stronger one
// would push the other aside.
double ImplicitStep::targetOf(const BoundedRow& motor, const Span& kick) const {
    double target = motor.targetRate;
    for (std::size_t k = 0; k < m_network->bounded.size(); ++k) {
        const BoundedRow& limit = m_network->bounded[k];
        const bool isSame = limit.kind == BoundedRow::Kind::Limit && limit.a == motor.a && limit.b == motor.b &&
                            limit.geometry == motor.geometry && limit.axis == motor.axis;
        if (!isSame || !(limit.side * target < 0)) continue;
        const double s = measureRow(limit, at(m_now, limit.a), at(m_now, limit.b), m_phi[k]).s;
        const double room = std::max(limit.side * (s - limit.bound), 0.);
        if (kick.drift > 0) {
            target = limit.side * std::max(limit.side * target, -room / kick.drift);
        } else if (room <= kTouching) {
            target = 0;
        }
    }
    return target;
}

void ImplicitStep::addElements(const Span& kick) {
    for (std::size_t e = 0; e < m_network->elements.size(); ++e) {
        if (m_laws[e].neverActs()) continue;
        const FlowElement& element = m_network->elements[e];
        const Row now = measure(e, m_now);
        if (countsTurns(element)) m_turns[e] = Turns::found(element, now);
        addElement(e, WorldEnds::of(element, measure(e, m_middle)), now.s, kick);
    }
}

Row ImplicitStep::measure(std::size_t element, const std::vector<Motion>& motions) const {
    return measureRow(
        m_network->elements[element], [&](int body) { return at(motions, body); }, m_turns[element]);
}

void ImplicitStep::addElement(std::size_t law, const WorldEnds& ends, double s, const Span& kick) {
    m_elementSources.push_back({law, ends, s});
    m_kick.elements.push_back(kickElement(m_elementSources.back(), kick));
}

KickElement ImplicitStep::kickElement(const ElementSource& source, const Span& kick) const {
    double free = 0;
    const KickEnds ends = reduced(source.ends, free);
    KickElement row(
        ElementDrift(m_laws[source.law], source.s + source.bend, m_z[source.law], kick.drift, ends.response(), m_form));
    row.ends = ends;
    row.free = free;
    row.size = std::abs(source.s) / kick.drift;
    return row;
}

// Stiff elements that turn: rows of the middle of the drift that was found, and ways that end where it does. What is
// left is of the third order in how far they turn, and does not grow with their stiffness.
bool ImplicitStep::bendElements(const Span& kick) {
    m_end = m_free;
    setVelocities(m_end);
    double inPlay = 0;
    for (std::size_t i = 0; i < m_now.size(); ++i) {
        Motion &end = m_end[i], &middle = m_middle[i];
        inPlay += kineticEnergy(m_network->bodies[i], end);
        middle = end;
        middle.x = m_now[i].x + kick.drift / 2 * end.v;
        middle.q = turned(m_now[i].q, kick.drift / 2 * end.w);
        end.x = m_now[i].x + kick.drift * end.v;
        end.q = turned(m_now[i].q, kick.drift * end.w);
    }
    bool isBent = false;
    for (std::size_t i = 0; i < m_elementSources.size(); ++i) {
        ElementSource& source = m_elementSources[i];
        if (source.law >= m_network->elements.size()) break;
        const KickElement& row = m_kick.elements[i];
        const double way = measure(source.law, m_end).s - source.s;
        const double missed = way - source.bend - kick.drift * row.u;
        const double slope = row.k / (kick.drift * kick.drift);
        const double force = std::abs(row.p) / kick.drift;
        if (std::abs(missed) * (force + slope * std::abs(missed)) <= kBent * inPlay) continue;
        isBent = true;
        source.ends = WorldEnds::of(m_network->elements[source.law], measure(source.law, m_middle));
        double rate = 0;
        for (const WorldEnds::End& end : source.ends.all()) {
            const Motion& motion = at(m_end, end.body);
            rate += end.gradient.head<3>().dot(motion.v) + end.gradient.tail<3>().dot(motion.w);
        }
        source.bend = way - kick.drift * rate;
        m_kick.elements[i] = kickElement(source, kick);
    }
    if (isBent) m_kick.forget();
    return isBent;
}

void ImplicitStep::addContact(std::size_t index, const Span& kick) {
    const FlowContact& contact = m_network->contacts[index];
    const Motion &a = at(m_middle, contact.a), &b = at(m_middle, contact.b);
    const ContactMeasure m = measureContact(contact, a, b);
    const Eigen::Vector3d armA = m.point - a.x, armB = m.point - b.x;
    const Eigen::Vector3d slip = a.v + a.w.cross(armA) - b.v - b.w.cross(armB);
    const double rate = m.normal.dot(slip);
    const double gap = m.gap - kick.drift / 2 * rate;
    Memory& memory = m_memories[index];
    if (kick.drift == 0 && gap > kTouching && !memory.bears) return;
    const Tangents tangents(m.normal);
    PointSource source{index, m.normal, tangents.first, tangents.second, armA, armB};
    KickPoint point;
    if (contact.a != kWorld && !body(contact.a).isImmovable()) point.a = contact.a;
    if (contact.b != kWorld && !body(contact.b).isImmovable()) point.b = contact.b;
    const auto fill = [&](int column, const Eigen::Vector3d& direction) {
        const Eigen::Vector3d turnA = armA.cross(direction), turnB = armB.cross(direction);
        Vector6 gradient;
        if (point.a >= 0) {
            gradient.head<3>() = direction;
            gradient.tail<3>() = turnA;
            point.A.col(column) = m_roots[static_cast<std::size_t>(point.a)].transposedTimes(gradient);
        }
        if (point.b >= 0) {
            gradient.head<3>() = -direction;
            gradient.tail<3>() = -turnB;
            point.B.col(column) = m_roots[static_cast<std::size_t>(point.b)].transposedTimes(gradient);
        }
        const Motion &freeA = at(m_free, contact.a), &freeB = at(m_free, contact.b);
        point.free[column] = direction.dot(freeA.v - freeB.v) + turnA.dot(freeA.w) - turnB.dot(freeB.w);
    };
    fill(0, m.normal);
    const double response = point.A.col(0).squaredNorm() + point.B.col(0).squaredNorm();
    if (!(response > 0)) return;
    const double length = kick.length();
    if (std::isinf(contact.stiffness)) {
        point.Rn = m_firmness * response * kick.softness();
        point.lag = (kick.drift > 0 ? kRemembered : 1) * length * std::min(memory.force, memory.forceBefore);
        if (kick.drift > 0) {
            point.target = -std::max(gap, 0.) / kick.drift;
            const bool strikes = rate < -contact.restitutionVelocity && gap + kick.drift * rate < 0;
            if (contact.restitution > 0 && strikes) point.target = std::max(point.target, -contact.restitution * rate);
            point.target -= kTakenBack / kick.drift * m.normal.dot(memory.creep);
        }
    } else {
        point.presses = false;
        if (kick.drift > 0) {
            const std::size_t law =
                m_network->elements.size() +
                static_cast<std::size_t>(std::lower_bound(m_softs.begin(), m_softs.end(), index) - m_softs.begin());
            WorldEnds ends;
            ends.add(contact.a, m.normal, armA.cross(m.normal));
            ends.add(contact.b, -m.normal, -armB.cross(m.normal));
            addElement(law, ends, gap, kick);
        }
    }
    if (contact.friction > 0) {
        fill(1, source.first);
        fill(2, source.second);
        point.free[1] -= source.first.dot(contact.surfaceVelocity);
        point.free[2] -= source.second.dot(contact.surfaceVelocity);
        point.bound = contact.friction * (memory.force + memory.forceBefore) / 2 * length;
        point.Rt = kFriction * response * kick.softness();
        // In the end rest is to be rest: with the last force where nothing slips.
        const Eigen::Vector3d back = kick.drift > 0 ? Eigen::Vector3d(kTakenBack / kick.drift * memory.creep)
                                                    : Eigen::Vector3d(-point.Rt * length * memory.friction);
        point.slip = {source.first.dot(back), source.second.dot(back)};
    }
    m_kick.points.push_back(point);
    m_pointSources.push_back(source);
    if (contact.rollingFriction > 0 || contact.spinningFriction > 0) addTurning(index, m.normal, kick);
}

void ImplicitStep::addTurning(std::size_t index, const Eigen::Vector3d& normal, const Span& kick) {
    const FlowContact& contact = m_network->contacts[index];
    const Memory& memory = m_memories[index];
    const Eigen::Vector3d turn = at(m_middle, contact.a).w - at(m_middle, contact.b).w;
    const auto add = [&](const Eigen::Vector3d& axis, double share) {
        if (!(share > 0)) return;
        const BlockRow gradients = rowAbout(contact.a, contact.b, axis);
        std::optional<KickClamp> row = clampOf(gradients, kFriction * kick.softness(), axis.dot(memory.turning), kick);
        if (!row) return;
        row->high = share * memory.force * kick.length();
        row->low = -row->high;
        m_kick.clamps.push_back(*row);
        m_clampSources.push_back({Source::Kind::Turning, index, gradients});
    };
    add(normal, contact.spinningFriction);
    // Along the rolling that there is, so that bounds along two directions are that of their sum.
    Eigen::Vector3d roll = turn - normal.dot(turn) * normal;
    const double speed = roll.norm();
    const Eigen::Vector3d first = speed > 0 ? Eigen::Vector3d(roll / speed) : Tangents(normal).first;
    add(first, contact.rollingFriction);
    add(normal.cross(first), contact.rollingFriction);
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

void ImplicitStep::takeClamps(const Span& kick) {
    for (Memory& memory : m_memories) memory.turning.setZero();
    for (std::size_t i = 0; i < m_clampSources.size(); ++i) {
        const KickClamp& row = m_kick.clamps[i];
        const Source& source = m_clampSources[i];
        const WorldEnds ends = WorldEnds::of(source.row);
        m_result->work -= row.p * drivenRate(ends);
        const auto addReaction = [&](int reaction) {
            if (reaction < 0) return;
            Reaction& sum = m_result->reactions[static_cast<std::size_t>(reaction)];
            sum.linear += row.p * source.row.gradientB.head<3>();
            sum.angularA += row.p * source.row.gradientA.tail<3>();
            sum.angularB += row.p * source.row.gradientB.tail<3>();
        };
        switch (source.kind) {
            case Source::Kind::Joint:
                m_jointForce[source.index] = row.p / kick.length();
                m_result->putRight += std::max(row.p * source.closing, 0.);
                m_result->jointLoss -= row.p * (workingRate(ends, row.u, kick) - source.closing);
                addReaction(m_network->joints[source.index].reaction);
                break;
            case Source::Kind::Bounded:
                m_boundedForce[source.index] = row.p / kick.length();
                addReaction(m_network->bounded[source.index].reaction);
                takeBounded(source.index, row.p, workingRate(ends, row.u, kick));
                break;
            case Source::Kind::Turning: {
                const Eigen::Vector3d torque = row.p * source.row.gradientA.tail<3>();
                m_memories[source.index].turning += torque / kick.length();
                m_result->contacts[source.index].frictionTorque += torque;
                break;
            }
        }
    }
}

// Half of a kick's impulse works in the drift behind, half in the one ahead, as that of elements and loads: their work
// and the bodies' energy then agree.
double ImplicitStep::workingRate(const WorldEnds& ends, double after, const Span& kick) const {
    return workingRate<double>(rateNow(ends), after, kick);
}

void ImplicitStep::takeBounded(std::size_t index, double impulse, double rate) {
    m_result->bounded[index] += impulse;
    if (m_network->bounded[index].kind == BoundedRow::Kind::Motor) {
        m_result->work += impulse * rate;
        m_result->driveWork += impulse * rate;
    } else {
        m_result->limitLoss += std::max(-impulse * rate, 0.);
    }
}

// Of a contact on its bodies, beyond what moves by itself.
double ImplicitStep::workOf(const KickPoint& point, const PointSource& source, const Span& kick) const {
    const FlowContact& contact = m_network->contacts[source.contact];
    const Motion &a = at(m_now, contact.a), &b = at(m_now, contact.b);
    const Eigen::Vector3d slip = a.v + a.w.cross(source.armA) - b.v - b.w.cross(source.armB) - contact.surfaceVelocity;
    const Eigen::Vector3d before(source.normal.dot(slip + contact.surfaceVelocity), source.first.dot(slip),
                                 source.second.dot(slip));
    return point.p.dot(workingRate(before, point.u, kick));
}

// What bears is behind by the way that it gave, at most by what its compliance stands for; what slips, by what friction
// at its bound does.
Eigen::Vector3d ImplicitStep::creepAfter(const KickPoint& point, const PointSource& source, double drift) const {
    const Eigen::Vector3d& before = m_memories[source.contact].creep;
    const double depth = -source.normal.dot(before) - drift * point.u[0];
    const double deepest = (1 - kRemembered) * point.p[0] * point.Rn * drift / kTakenBack;
    const Eigen::Vector2d way(source.first.dot(before) + drift * point.u[1],
                              source.second.dot(before) + drift * point.u[2]);
    const double longest = point.bound * point.Rt * drift / kTakenBack, length = way.norm();
    const double share = length > longest ? longest / length : 1;
    return -std::clamp(depth, 0., point.presses ? deepest : 0.) * source.normal +
           share * (way[0] * source.first + way[1] * source.second);
}

void ImplicitStep::takePoints(const Span& kick) {
    for (Memory& memory : m_memories) {
        memory.forceBefore = memory.force;
        memory.force = 0;
        memory.friction.setZero();
        memory.bears = false;
    }
    for (std::size_t i = 0; i < m_pointSources.size(); ++i) {
        const PointSource& source = m_pointSources[i];
        const KickPoint& point = m_kick.points[i];
        const FlowContact& contact = m_network->contacts[source.contact];
        Memory& memory = m_memories[source.contact];
        ContactTick& sum = m_result->contacts[source.contact];
        const Eigen::Vector3d friction = point.p[1] * source.first + point.p[2] * source.second;
        const Eigen::Vector3d impulse = point.p[0] * source.normal + friction;
        sum.impulse += point.p[0];
        sum.frictionImpulse += friction;
        WorldEnds ends;
        ends.add(contact.a, impulse, source.armA.cross(impulse));
        ends.add(contact.b, -impulse, -source.armB.cross(impulse));
        m_result->work += friction.dot(contact.surfaceVelocity) - drivenRate(ends);
        m_result->putRight += std::max(workOf(point, source, kick), 0.);
        memory.force = point.p[0] / kick.length();
        memory.friction = friction / kick.length();
        memory.bears = point.p[0] > 0;
        if (kick.drift == 0) continue;
        memory.creep = creepAfter(point, source, kick.drift);
    }
}

void ImplicitStep::takeElements(const Span& kick) {
    const std::size_t count = m_network->elements.size();
    for (std::size_t i = 0; i < m_elementSources.size(); ++i) {
        const ElementSource& source = m_elementSources[i];
        const KickElement& row = m_kick.elements[i];
        const auto k = static_cast<Eigen::Index>(source.law);
        const Push push = row.drift.at(row.u);
        const double impulse = push.before + push.after;
        m_result->P[k] += impulse;
        m_result->heat[k] += push.heat;
        m_result->work += impulse * drivenRate(source.ends);
        for (const WorldEnds::End& end : source.ends.all()) {
            m_behind[static_cast<std::size_t>(end.body)] -= push.after * end.gradient;
        }
        if (source.law >= count) {
            const std::size_t contact = m_softs[source.law - count];
            m_result->contacts[contact].impulse -= impulse;
            m_memories[contact].force = std::max(-impulse, 0.) / kick.drift;
            m_memories[contact].bears = impulse < 0;
            continue;
        }
        const HybridLaw& law = m_laws[source.law];
        if (law.kind == HybridLaw::Kind::Series) m_z[source.law] = push.z;
        if (law.kind != HybridLaw::Kind::Contact) continue;
        for (const int side : {-1, 1}) {
            if (side > 0 && !law.twoSided) break;
            const double from = law.penetration(source.s, side);
            const double to = from + side * kick.drift * row.u;
            if ((from > 0) == (to > 0)) continue;
            const double share = from / (from - to);
            const double start = keepsEnergy() ? kick.end - kick.drift / 2 : kick.begin;
            m_result->events.push_back(
                {static_cast<int>(source.law), to > 0, start + share * kick.drift, std::abs(row.u)});
        }
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
        if (m_laws[e].kind == HybridLaw::Kind::Series) element.s_damper = settledDamper(m_laws[e], row.s, m_z[e]);
    }
    for (std::size_t k = 0; k < end.bounded.size(); ++k) {
        end.bounded[k].phi = m_phi[k];
        if (countsTurns(end.bounded[k].geometry)) end.bounded[k].phi = boundedRowOf(end, k).s;
    }
    for (std::size_t i = 0; i < m_memories.size(); ++i) m_result->contacts[i].creep = m_memories[i].creep;
}

}  // namespace elasto::flow::implicit
