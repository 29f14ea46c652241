// The rows of a kick: what joints, motors, limits, elements and contacts are to it.

#include "constraints/contact_geometry.h"
#include "constraints/row_measure.h"
#include "implicit/implicit_tick.h"
#include "implicit/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow::implicit {

ImplicitStep::WorldEnds ImplicitStep::WorldEnds::of(const BlockRow& row) {
    WorldEnds ends;
    ends.add(row.a, row.gradientA.head<3>(), row.gradientA.tail<3>());
    ends.add(row.b, row.gradientB.head<3>(), row.gradientB.tail<3>());
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
std::optional<KickClamp> ImplicitStep::clampOf(const WorldEnds& ends, double compliance, double force,
                                               const Span& kick) const {
    KickClamp row;
    row.ends = reduced(ends, row.free);
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
        const WorldEnds ends = WorldEnds::of(gradients);
        std::optional<KickClamp> row = clampOf(ends, kJoint, m_jointForce[k], kick);
        if (!row) continue;
        double closing = 0;
        if (kick.drift > 0) {
            if (kick.isFirst) m_jointStart[k] = m.value;
            const double left = std::max(std::abs(m_jointStart[k]) - kClosing * (kick.end + kick.drift / 2), 0.);
            closing = kClosed * (std::copysign(left, m_jointStart[k]) - m.value) / kick.drift;
            row->target = closing - kick.drift / 2 * m.gamma;
        }
        m_kick.clamps.push_back(*row);
        m_clampSources.push_back({Source::Kind::Joint, k, gradients, ends, closing});
    }
}

void ImplicitStep::addBounded(const Span& kick) {
    for (std::size_t k = 0; k < m_network->bounded.size(); ++k) {
        const BoundedRow& bounded = m_network->bounded[k];
        const Row m = measureRow(
            bounded, [&](int body) -> const Motion& { return at(m_middle, body); }, m_boundedTurns[k]);
        if (countsTurns(bounded)) m_boundedTurns[k] = Turns::found(bounded, m);
        const WorldEnds ends = WorldEnds::of(bounded, m);
        const bool isMotor = bounded.kind == BoundedRow::Kind::Motor;
        // A prescribed rate is held as a joint is.
        const double compliance =
            isMotor ? (std::isinf(bounded.maxForce) ? kJoint : kBounded) : kBounded * kick.softness();
        std::optional<KickClamp> row = clampOf(ends, compliance, m_boundedForce[k], kick);
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
        m_clampSources.push_back({Source::Kind::Bounded, k, flow::rowOf(bounded, m), ends});
    }
}

// A motor drives its coordinate no further than a limit of it lets: both are rows that give way, and the stronger one
// would push the other aside.
double ImplicitStep::targetOf(const BoundedRow& motor, const Span& kick) const {
    double target = motor.targetRate;
    if (motor.isGeared()) return target;
    for (std::size_t k = 0; k < m_network->bounded.size(); ++k) {
        const BoundedRow& limit = m_network->bounded[k];
        const bool isSame = limit.kind == BoundedRow::Kind::Limit && limit.a == motor.a && limit.b == motor.b &&
                            limit.geometry == motor.geometry && limit.axis == motor.axis && !limit.isGeared();
        if (!isSame || !(limit.side * target < 0)) continue;
        const double s = measureOwnRow(limit, at(m_now, limit.a), at(m_now, limit.b), m_boundedTurns[k].own).s;
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
    const HybridLaw& law = m_laws[source.law];
    const double response = ends.response();
    // Where something touches contacts hold what it would ring with, and would give way to a force of the drift's end.
    const bool isAlone = m_network->contacts.empty() && isOverdamped(law, source.s, response, kick.drift);
    const bool isLost = m_form == ElementDrift::Form::LosesEnergy || isAlone;
    const ElementDrift::Form form = isLost ? ElementDrift::Form::LosesEnergy : ElementDrift::Form::KeepsEnergy;
    KickElement row(ElementDrift(law, source.s + source.bend, m_z[source.law], kick.drift, response, form));
    row.ends = ends;
    row.free = free;
    row.size = std::abs(source.s) / kick.drift;
    return row;
}

// Stiff elements that turn: rows of the middle of the drift that was found, and displacements that end where it does.
// What is left is of the third order in how far they turn, and does not grow with their stiffness.
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
        const double displacement = measure(source.law, m_end).s - source.s;
        const double missed = displacement - source.bend - kick.drift * row.u;
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
        source.bend = displacement - kick.drift * rate;
        m_kick.elements[i] = kickElement(source, kick);
    }
    if (isBent) m_kick.forget();
    return isBent;
}

// A contact's gradients along a direction, and its rate there without impulses.
void ImplicitStep::fillColumn(const FlowContact& contact, const PointSource& source, int column,
                              const Eigen::Vector3d& direction, KickPoint& point) const {
    const Eigen::Vector3d turnA = source.armA.cross(direction), turnB = source.armB.cross(direction);
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
}

void ImplicitStep::addContact(std::size_t index, const Span& kick) {
    const FlowContact& contact = m_network->contacts[index];
    const Motion &a = at(m_middle, contact.a), &b = at(m_middle, contact.b);
    const ContactMeasure m = measureContact(contact, a, b);
    const Eigen::Vector3d armA = m.point - a.x, armB = m.point - b.x;
    const Eigen::Vector3d slip = a.v + a.w.cross(armA) - b.v - b.w.cross(armB);
    const double rate = m.normal.dot(slip);
    const double gap = m.gap - kick.drift / 2 * rate;
    ContactHistory& history = m_histories[index];
    if (kick.drift == 0 && gap > kTouching && !history.bears) return;
    const Tangents tangents(m.normal);
    PointSource source{index, m.normal, tangents.first, tangents.second, armA, armB};
    KickPoint point;
    if (contact.a != kWorld && !body(contact.a).isImmovable()) point.a = contact.a;
    if (contact.b != kWorld && !body(contact.b).isImmovable()) point.b = contact.b;
    fillColumn(contact, source, 0, m.normal, point);
    const double response = point.A.col(0).squaredNorm() + point.B.col(0).squaredNorm();
    if (!(response > 0)) return;
    const double length = kick.length();
    if (std::isinf(contact.stiffness)) {
        point.Rn = m_firmness * response * kick.softness();
        point.lag = (kick.drift > 0 ? kRemembered : 1) * length * std::min(history.force, history.forceBefore);
        if (kick.drift > 0) {
            point.target = -std::max(gap, 0.) / kick.drift;
            const bool strikes = rate < -contact.restitutionVelocity && gap + kick.drift * rate < 0;
            if (contact.restitution > 0 && strikes) point.target = std::max(point.target, -contact.restitution * rate);
            point.target -= kTakenBack / kick.drift * m.normal.dot(history.creep);
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
        fillColumn(contact, source, 1, source.first, point);
        fillColumn(contact, source, 2, source.second, point);
        point.free[1] -= source.first.dot(contact.surfaceVelocity);
        point.free[2] -= source.second.dot(contact.surfaceVelocity);
        point.bound = contact.friction * (history.force + history.forceBefore) / 2 * length;
        point.Rt = kFriction * response * kick.softness();
        // In the end rest is to be rest: with the last force where nothing slips.
        const Eigen::Vector3d back = kick.drift > 0 ? Eigen::Vector3d(kTakenBack / kick.drift * history.creep)
                                                    : Eigen::Vector3d(-point.Rt * length * history.friction);
        point.slip = {source.first.dot(back), source.second.dot(back)};
    }
    m_kick.points.push_back(point);
    m_pointSources.push_back(source);
    if (contact.rollingFriction > 0 || contact.spinningFriction > 0) addTurning(index, m.normal, kick);
}

void ImplicitStep::addTurning(std::size_t index, const Eigen::Vector3d& normal, const Span& kick) {
    const FlowContact& contact = m_network->contacts[index];
    const ContactHistory& history = m_histories[index];
    const Eigen::Vector3d turn = at(m_middle, contact.a).w - at(m_middle, contact.b).w;
    const auto add = [&](const Eigen::Vector3d& axis, double share) {
        if (!(share > 0)) return;
        const BlockRow gradients = rowAbout(contact.a, contact.b, axis);
        const WorldEnds ends = WorldEnds::of(gradients);
        std::optional<KickClamp> row = clampOf(ends, kFriction * kick.softness(), axis.dot(history.turning), kick);
        if (!row) return;
        row->high = share * history.force * kick.length();
        row->low = -row->high;
        m_kick.clamps.push_back(*row);
        m_clampSources.push_back({Source::Kind::Turning, index, gradients, ends});
    };
    add(normal, contact.spinningFriction);
    // Along the rolling that there is, so that bounds along two directions are that of their sum.
    Eigen::Vector3d roll = turn - normal.dot(turn) * normal;
    const double speed = roll.norm();
    const Eigen::Vector3d first = speed > 0 ? Eigen::Vector3d(roll / speed) : Tangents(normal).first;
    add(first, contact.rollingFriction);
    add(normal.cross(first), contact.rollingFriction);
}

}  // namespace elasto::flow::implicit
