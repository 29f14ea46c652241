#include "constraints/bounded_candidates.h"

#include "constraints/bounded_rest.h"

namespace elasto::flow {

double Candidate::along(const std::vector<Vector6>& bodies) const {
    double rate = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) rate += gradient[i].dot(bodies[i]);
    return rate;
}

bool Candidate::isBlocked() const {
    return !(mobility() > kBlocked * along(free));
}

Candidate candidateOf(const FlowNetwork& network, std::size_t k, const BodyKinematics& bodies, const HeldRows& held) {
    const BoundedRow& row = network.bounded[k];
    const std::vector<Vector6> none(network.bodies.size(), Vector6::Zero());
    Candidate candidate{k, measureHeld(row, bodies.at(row.a), bodies.at(row.b)), none, none, none};
    const auto enter = [&](int index, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        if (index == kWorld) return;
        const auto i = static_cast<std::size_t>(index);
        const FlowBody& body = network.bodies[i];
        if (body.isImmovable()) return;
        candidate.gradient[i] << linear, angular;
        candidate.free[i] << linearResponse(body, linear), bodies.inverses[i] * angular;
    };
    enter(row.a, -candidate.measure.linear, candidate.measure.angularA);
    enter(row.b, candidate.measure.linear, candidate.measure.angularB);
    candidate.held = candidate.free;
    if (!held.empty()) held.hold(candidate.held);
    return candidate;
}

Eigen::MatrixXd mobilityOf(const std::vector<Candidate>& candidates) {
    const auto n = static_cast<Eigen::Index>(candidates.size());
    Eigen::MatrixXd A(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
        for (Eigen::Index l = 0; l < n; ++l) {
            A(k, l) = candidates[static_cast<std::size_t>(k)].along(candidates[static_cast<std::size_t>(l)].held);
        }
    }
    return 0.5 * (A + A.transpose());
}

}  // namespace elasto::flow
