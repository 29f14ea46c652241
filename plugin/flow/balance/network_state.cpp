#include "balance/network_state.h"

#include "constraints/bounded_rest.h"
#include "constraints/held_rows.h"
#include "law/hybrid_law.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

namespace {

/// See mostBrought. A hundred times less, and what kinematic bodies drive through joints is done coarsely (tests of
/// bullet-world fail); a hundred times more, and what is pushed through dead points makes more heat than tests/fuzz
/// allows.
constexpr double kMostBrought = 100;
/// Newton steps on the joints' values: near the end each squares the error. No body is turned by more than this in one
/// [rad]; beyond it a row says little about where its zero is.
constexpr int kPoseRounds = 20;
constexpr double kLargestTurn = 0.3;
/// Values [m, -] at which a joint needs no more steps, and, beyond what it is to have, up to which it counts as closed.
constexpr double kClosed = 1e-14;
/// Values from which the next step is the last if it turns no body by more than this [rad]: what it leaves goes with
/// its square, and the rows that were taken before it still stand.
constexpr double kAlmostClosed = 1e-10;
constexpr double kHardlyATurn = 1e-8;
constexpr double kNearlyClosed = 1e-6;
const FlowBody& bodyAt(const FlowNetwork& network, int body) {
    return network.bodies[static_cast<std::size_t>(body)];
}

bool isMovable(const FlowNetwork& network, int body) {
    return body != kWorld && !bodyAt(network, body).isImmovable();
}

/// Calls visit(body, linear, angular) for each end of an element, motor or limit that can move: the row's gradient
/// there.
template <class Visit>
void forEachMovableEnd(const FlowNetwork& network, std::size_t e, const Row& row, const Visit& visit) {
    const auto visitMovable = [&](int body, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        if (isMovable(network, body)) visit(body, linear, angular);
    };
    const std::size_t elements = network.elements.size();
    if (e < elements) {
        forEachEnd(network.elements[e], row, visitMovable);
    } else {
        forEachEnd(network.bounded[e - elements], row, visitMovable);
    }
}

}  // namespace

BodyTick bodyTick(const FlowBody& start, const BodyState& end, const BodyState& free) {
    BodyTick tick;
    static_cast<BodyState&>(tick) = end;
    if (start.isImmovable()) return tick;
    tick.elementVelocity = end.velocity - free.velocity;
    tick.elementAngularVelocity = end.angularVelocity - free.angularVelocity;
    return tick;
}

ElementTick elementTick(const Law& law, double s, double v, double s_damper, double impulse, double heat) {
    ElementTick tick;
    tick.s = s;
    tick.v = v;
    tick.s_damper = s_damper;
    tick.force = evaluate(law, s, v, s_damper);
    tick.impulse = impulse;
    tick.heat = heat;
    tick.storedEnergy = elasto::storedEnergy(law, s, s_damper);
    return tick;
}

Motion motionOf(const FlowNetwork& network, int body) {
    return body == kWorld ? Motion() : Motion::of(bodyAt(network, body));
}

Row rowOf(const FlowNetwork& network, std::size_t e) {
    const FlowElement& element = network.elements[e];
    return measureRow(
        element, [&](int body) { return motionOf(network, body); }, Turns::of(element));
}

void readRows(const FlowNetwork& network, std::vector<Row>& rows) {
    rows.clear();
    for (std::size_t e = 0; e < network.elements.size(); ++e) rows.push_back(rowOf(network, e));
}

std::vector<Row> rowsOf(const FlowNetwork& network) {
    std::vector<Row> rows;
    readRows(network, rows);
    return rows;
}

Row boundedRowOf(const FlowNetwork& network, std::size_t k) {
    const BoundedRow& row = network.bounded[k];
    return measureRow(row, motionOf(network, row.a), motionOf(network, row.b), row.phi);
}

std::size_t reactionCount(const FlowNetwork& network) {
    int count = 0;
    for (const HeldRow& row : network.joints) count = std::max(count, row.reaction + 1);
    for (const BoundedRow& row : network.bounded) count = std::max(count, row.reaction + 1);
    return static_cast<std::size_t>(count);
}

double kineticEnergy(const FlowNetwork& network) {
    double energy = 0;
    for (const FlowBody& body : network.bodies) {
        if (!body.isImmovable()) energy += kineticEnergy(body, Motion::of(body));
    }
    return energy;
}

double storedEnergy(const FlowNetwork& network) {
    double energy = 0;
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        energy += storedEnergy(element.law, rowOf(network, e).s, element.s_damper);
    }
    return energy;
}

double storedRounding(const FlowNetwork& network) {
    constexpr double kOfPose = 8 * std::numeric_limits<double>::epsilon();
    double rounding = 0;
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        const Row row = rowOf(network, e);
        const HybridLaw law = HybridLaw::from(element.law);
        const double f =
            forceInPhase(law, classify(law, row.s, row.v, 0, element.s_damper), row.s, row.v, element.s_damper);
        const double reach = std::max({std::abs(row.s), row.pointA.norm(), row.pointB.norm()});
        rounding += std::abs(f) * kOfPose * reach;
    }
    return rounding;
}

void Responses::find(const FlowNetwork& network, const std::vector<Row>& rows, HoldSpace& space,
                     const std::vector<int>& heldBounded, const std::vector<std::size_t>& bounded) {
    space.rows.bind(network, heldBounded);
    findHere(network, rows, space, bounded);
}

void Responses::findHere(const FlowNetwork& network, const std::vector<Row>& rows, HoldSpace& space,
                         const std::vector<std::size_t>& bounded) {
    space.bodies.read(network);
    if (!space.rows.empty()) space.rows.place(space.bodies);
    m_count = rows.size();
    m_mobilityAlone.clear();
    if (m_gradients.size() < m_count) {
        m_ends.resize(m_count);
        m_gradients.resize(m_count);
        m_responses.resize(m_count);
    }
    for (std::size_t e = 0; e < m_count; ++e) {
        m_gradients[e].assign(network.bodies.size(), Vector6::Zero());
        m_responses[e].assign(network.bodies.size(), Vector6::Zero());
        std::vector<std::size_t>& ends = m_ends[e];
        ends.clear();
        const std::size_t elements = network.elements.size();
        const std::size_t link = e < elements ? e : elements + bounded[e - elements];
        forEachMovableEnd(
            network, link, rows[e], [&](int index, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
                const auto i = static_cast<std::size_t>(index);
                const auto place = std::lower_bound(ends.begin(), ends.end(), i);
                if (place == ends.end() || *place != i) ends.insert(place, i);
                m_gradients[e][i] << linear, angular;
                m_responses[e][i] << linearResponse(network.bodies[i], linear), space.bodies.inverses[i] * angular;
            });
        m_mobilityAlone.push_back(mobility(e));
        if (!space.rows.empty()) space.rows.hold(m_responses[e]);
    }
}

double Responses::mobility(std::size_t e) const {
    double sum = 0;
    for (const std::size_t i : m_ends[e]) sum += m_gradients[e][i].dot(m_responses[e][i]);
    return sum;
}

bool Responses::isBlocked(std::size_t e) const {
    return !(mobility(e) > kBlocked * m_mobilityAlone[e]);
}

void Responses::inverseMass(Eigen::MatrixXd& W) const {
    const auto m = static_cast<Eigen::Index>(m_count);
    W.setZero(m, m);
    for (std::size_t e = 0; e < m_count; ++e) {
        for (std::size_t f = 0; f < m_count; ++f) {
            for (const std::size_t i : m_ends[f]) {
                W(static_cast<Eigen::Index>(f), static_cast<Eigen::Index>(e)) +=
                    m_gradients[f][i].dot(m_responses[e][i]);
            }
        }
    }
    for (Eigen::Index i = 0; i < m; ++i) {
        for (Eigen::Index j = 0; j < i; ++j) W(i, j) = W(j, i) = 0.5 * (W(i, j) + W(j, i));
    }
}

void Responses::apply(FlowNetwork& network, const Eigen::VectorXd& impulses) const {
    for (std::size_t e = 0; e < m_count; ++e) {
        const double P = impulses[static_cast<Eigen::Index>(e)];
        if (P == 0) continue;
        for (std::size_t i = 0; i < network.bodies.size(); ++i) {
            network.bodies[i].velocity -= P * m_responses[e][i].head<3>();
            network.bodies[i].angularVelocity -= P * m_responses[e][i].tail<3>();
        }
    }
}

void holdVelocities(FlowNetwork& network, HoldSpace& space, const std::vector<int>& heldBounded) {
    space.rows.bind(network, heldBounded);
    holdVelocitiesBound(network, space);
}

void holdVelocitiesBound(FlowNetwork& network, HoldSpace& space) {
    if (space.rows.empty()) return;
    space.bodies.read(network);
    space.rows.place(space.bodies);
    holdVelocitiesHere(network, space);
}

void holdVelocitiesHere(FlowNetwork& network, HoldSpace& space) {
    const HeldRows& held = space.rows;
    if (held.empty()) return;
    std::vector<Vector6>& change = space.change;
    change.assign(network.bodies.size(), Vector6::Zero());
    held.respond(held.forces(-held.rates()), change);
    for (std::size_t i = 0; i < change.size(); ++i) {
        network.bodies[i].velocity += change[i].head<3>();
        network.bodies[i].angularVelocity += change[i].tail<3>();
    }
}

void holdVelocities(FlowNetwork& network, const std::vector<int>& heldBounded) {
    HoldSpace space;
    holdVelocities(network, space, heldBounded);
}

bool holdPoses(FlowNetwork& network, const Eigen::VectorXd& values, const std::vector<int>& heldBounded) {
    HoldSpace space;
    return holdPoses(network, values, space, heldBounded);
}

bool holdPoses(FlowNetwork& network, const Eigen::VectorXd& values, HoldSpace& space,
               const std::vector<int>& heldBounded) {
    HeldRows& held = space.rows;
    held.bind(network, heldBounded);
    if (held.empty()) return true;
    const double allowed = kNearlyClosed + values.lpNorm<Eigen::Infinity>();
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0;; ++i) {
        space.bodies.read(network);
        held.place(space.bodies);
        space.missing = values - held.values();
        const double apart = space.missing.lpNorm<Eigen::Infinity>();
        const bool isStuck = apart <= allowed && apart > 0.5 * last;  // on rounding, or a loop whose frames do not fit
        if (apart <= kClosed || isStuck || i == kPoseRounds) return apart <= allowed;
        last = apart;
        std::vector<Vector6>& shift = space.change;
        shift.assign(network.bodies.size(), Vector6::Zero());
        held.respond(held.forces(space.missing), shift);
        double turn = 0;
        for (const Vector6& change : shift) turn = std::max(turn, change.tail<3>().norm());
        const double share = turn > kLargestTurn ? kLargestTurn / turn : 1;
        for (std::size_t k = 0; k < shift.size(); ++k) {
            FlowBody& body = network.bodies[k];
            body.position += share * shift[k].head<3>();
            body.orientation = turned(body.orientation, share * shift[k].tail<3>());
        }
        if (apart <= kAlmostClosed && turn <= kHardlyATurn) return true;
    }
}

double forceWork(const FlowBody& body, const Eigen::Vector3d& way) {
    double work = 0;
    for (int k = 0; k < 3; ++k) {
        work += body.inverseMass * body.linearFactor[k] > 0 ? body.force.constant[k] * way[k] : 0;
    }
    return work;
}

double overrun(const FlowNetwork& network, std::size_t k, double least) {
    const BoundedRow& row = network.bounded[k];
    if (row.kind != BoundedRow::Kind::Limit) return 0;
    const double value = boundedRowOf(network, k).s - row.bound;
    return row.side * value < -least ? value : 0;
}

double softWork(const FlowNetwork& from, const FlowNetwork& to, double h) {
    double work = 0;
    for (std::size_t e = 0; e < from.elements.size(); ++e) {
        const FlowElement& element = from.elements[e];
        const HybridLaw law = HybridLaw::from(element.law);
        const double s = rowOf(from, e).s, end = rowOf(to, e).s;
        if (law.kind == HybridLaw::Kind::Contact) {
            const auto stored = [&](double at) { return energyInPhase(law, classify(law, at, 0, 0, 0), at, 0); };
            if (stored(end) > stored(s)) return 0;
            continue;
        }
        const double force = forceInPhase(law, classify(law, s, 0, 0, element.s_damper), s, 0, element.s_damper);
        work += std::max(force * (end - s), 0.);
    }
    for (std::size_t i = 0; i < from.bodies.size(); ++i) {
        const FlowBody& body = from.bodies[i];
        if (!(body.inverseMass > 0)) continue;
        const double speed = (to.bodies[i].position - body.position).norm() / h;
        work += speed * speed / (2 * body.inverseMass);
    }
    return work;
}

double shiftWork(const FlowNetwork& from, const FlowNetwork& to) {
    double work = 0;
    for (std::size_t i = 0; i < from.bodies.size(); ++i) {
        const FlowBody& body = from.bodies[i];
        if (body.isImmovable()) continue;
        const Eigen::AngleAxisd turn(to.bodies[i].orientation * body.orientation.conjugate());
        work += forceWork(body, to.bodies[i].position - body.position);
        for (int k = 0; k < 3; ++k) {
            work += body.angularFactor[k] > 0 ? body.torque.constant[k] * turn.angle() * turn.axis()[k] : 0;
        }
    }
    return work;
}

void readJoints(const FlowNetwork& network, HoldSpace& space, Eigen::VectorXd& values) {
    space.rows.bind(network);
    if (space.rows.empty()) {
        values.resize(0);
        return;
    }
    space.bodies.read(network);
    space.rows.place(space.bodies);
    values = space.rows.values();
}

Eigen::VectorXd jointValues(const FlowNetwork& network) {
    HoldSpace space;
    Eigen::VectorXd values;
    readJoints(network, space, values);
    return values;
}

bool isFloating(const FlowNetwork& network) {
    const auto isFree = [&](const auto& link) {
        bool areAll = true;
        forEachBody(link, [&](int body) { areAll = areAll && isMovable(network, body); });
        return areAll;
    };
    return std::all_of(network.elements.begin(), network.elements.end(), isFree) &&
           std::all_of(network.joints.begin(), network.joints.end(), isFree) &&
           std::all_of(network.bounded.begin(), network.bounded.end(), isFree) &&
           std::all_of(network.bodies.begin(), network.bodies.end(), [](const FlowBody& body) {
               return body.isImmovable() || (body.inverseMass > 0 && body.linearFactor == Eigen::Vector3d::Ones());
           });
}

Eigen::Vector3d restVelocity(const FlowNetwork& network) {
    if (isFloating(network)) {
        const double mass = massOf(network);
        return mass > 0 ? Eigen::Vector3d(momentum(network) / mass) : Eigen::Vector3d::Zero();
    }
    Eigen::Vector3d first = Eigen::Vector3d::Zero();
    bool isFound = false;
    bool isOne = true;
    const auto visit = [&](int body) {
        if (isMovable(network, body)) return;
        const Eigen::Vector3d v =
            body == kWorld ? Eigen::Vector3d(Eigen::Vector3d::Zero()) : bodyAt(network, body).velocity;
        if (!isFound) first = v;
        isFound = true;
        isOne &= v == first;
    };
    const auto visitEnds = [&](const auto& link) { forEachBody(link, visit); };
    std::for_each(network.elements.begin(), network.elements.end(), visitEnds);
    std::for_each(network.joints.begin(), network.joints.end(), visitEnds);
    std::for_each(network.bounded.begin(), network.bounded.end(), visitEnds);
    return isOne ? first : Eigen::Vector3d::Zero();
}

double massOf(const FlowNetwork& network) {
    double mass = 0;
    for (const FlowBody& body : network.bodies) mass += body.inverseMass > 0 ? 1 / body.inverseMass : 0;
    return mass;
}

Eigen::Vector3d momentum(const FlowNetwork& network) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const FlowBody& body : network.bodies) {
        for (int k = 0; k < 3; ++k) {
            const double inverse = body.inverseMass * body.linearFactor[k];
            sum[k] += inverse > 0 ? body.velocity[k] / inverse : 0;
        }
    }
    return sum;
}

void shiftLoads(FlowNetwork& network, double t) {
    for (FlowBody& body : network.bodies) {
        for (QuadraticLoad* load : {&body.force, &body.torque}) *load = load->from(t);
    }
}

Eigen::Vector3d secondIntegralOf(const QuadraticLoad& load, double h) {
    return h * h * (load.constant / 2 + h * (load.linear / 6 + h / 12 * load.quadratic));
}

bool isDrivenThroughJoints(const FlowNetwork& network) {
    const auto isDriven = [](const FlowBody& body) { return !carriedMotion(body).isZero(0); };
    return !network.joints.empty() && std::any_of(network.bodies.begin(), network.bodies.end(), isDriven);
}

void takeVelocities(const FlowNetwork& from, FlowNetwork& to) {
    for (std::size_t i = 0; i < to.bodies.size(); ++i) {
        to.bodies[i].velocity = from.bodies[i].velocity;
        to.bodies[i].angularVelocity = from.bodies[i].angularVelocity;
    }
}

double loadEnergy(const FlowNetwork& network, double h) {
    double sum = 0;
    for (const FlowBody& body : network.bodies) {
        const Eigen::Vector3d force = body.force.impulse(h);
        const Eigen::Vector3d torque = body.torque.impulse(h);
        sum += 0.5 * force.dot(linearResponse(body, force));
        sum += 0.5 * torque.dot(loadResponse(body, body.orientation, torque));
    }
    return sum;
}

namespace {

/// Kinetic energy that the bodies would have if they moved and turned as fast as what drives them: driven ones, and
/// others along and about locked axes.
double drivenEnergy(const FlowNetwork& network) {
    double speed = 0, spin = 0;
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        const Vector6 carried = carriedMotion(network.bodies[i]);
        if (carried.isZero(0)) continue;
        double lever = 0;
        const auto reach = [&](const auto& link) {
            if (link.a == static_cast<int>(i)) lever = std::max(lever, link.pointA.norm());
            if (link.b == static_cast<int>(i)) lever = std::max(lever, link.pointB.norm());
        };
        std::for_each(network.elements.begin(), network.elements.end(), reach);
        std::for_each(network.joints.begin(), network.joints.end(), reach);
        std::for_each(network.bounded.begin(), network.bounded.end(), reach);
        const double turning = carried.tail<3>().norm();
        speed = std::max(speed, carried.head<3>().norm() + turning * lever);
        spin = std::max(spin, turning);
    }
    double inertia = 0;
    for (const FlowBody& body : network.bodies) {
        if (isTurnable(body) && body.inverseInertia.minCoeff() > 0) inertia += 1 / body.inverseInertia.minCoeff();
    }
    return 0.5 * (massOf(network) * speed * speed + inertia * spin * spin);
}

/// Work that could be done against the elements within a time at the speeds that the bodies have.
double pressingWork(const FlowNetwork& network, double h) {
    double work = 0;
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        const Row row = rowOf(network, e);
        double rate = 0;
        forEachEnd(element, row, [&](int body, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
            const FlowBody& end = network.bodies[static_cast<std::size_t>(body)];
            rate += linear.norm() * end.velocity.norm() + angular.norm() * end.angularVelocity.norm();
        });
        double force = 0;
        for (const double side : {-rate, rate}) {
            force = std::max(force, std::abs(evaluate(element.law, row.s + h * side, side, element.s_damper).f));
        }
        work += force * h * rate;
    }
    return work;
}

}  // namespace

double mostBrought(const FlowNetwork& network, double h) {
    if (!isDrivenThroughJoints(network)) return std::numeric_limits<double>::infinity();
    return kMostBrought * (energy(network) + loadEnergy(network, h) + pressingWork(network, h) + drivenEnergy(network));
}

}  // namespace elasto::flow
