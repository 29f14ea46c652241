#include "balance/joint_projection.h"

#include "balance/network_state.h"
#include "balance/tuning.h"
#include "constraints/tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

namespace {

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
    m_freeMobility.clear();
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
        m_freeMobility.push_back(mobility(e));
        if (!space.rows.empty()) space.rows.hold(m_responses[e]);
    }
}

double Responses::mobility(std::size_t e) const {
    double sum = 0;
    for (const std::size_t i : m_ends[e]) sum += m_gradients[e][i].dot(m_responses[e][i]);
    return sum;
}

bool Responses::isBlocked(std::size_t e) const {
    return !(mobility(e) > kBlocked * m_freeMobility[e]);
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
        if (apart <= kJointClosed || isStuck || i == kPoseRounds) return apart <= allowed;
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

}  // namespace elasto::flow
