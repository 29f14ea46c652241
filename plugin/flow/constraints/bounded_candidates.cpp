#include "constraints/bounded_candidates.h"

namespace elasto::flow {

double Candidate::along(const std::vector<Vector6>& bodies) const {
    double rate = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) rate += gradient[i].dot(bodies[i]);
    return rate;
}

Candidate candidateOf(const FlowNetwork& network, std::size_t k, const BodyKinematics& bodies, const HeldRows& held) {
    const auto motionAt = [&](int body) -> const Motion& { return bodies.at(body); };
    const std::vector<Vector6> none(network.bodies.size(), Vector6::Zero());
    Candidate candidate{k, measureHeld(network.bounded[k], motionAt), none, none, none};
    forEachMovable(network, k, candidate.measure, bodies,
                   [&](std::size_t i, const Vector6& gradient, const Vector6& response) {
                       candidate.gradient[i] = gradient;
                       candidate.free[i] = response;
                   });
    candidate.held = candidate.free;
    if (!held.empty()) held.hold(candidate.held);
    return candidate;
}

RowMobility mobilityOf(const std::vector<Candidate>& candidates) {
    const auto n = static_cast<Eigen::Index>(candidates.size());
    Eigen::MatrixXd A(n, n);
    Eigen::VectorXd alone(n);
    for (Eigen::Index k = 0; k < n; ++k) {
        const Candidate& row = candidates[static_cast<std::size_t>(k)];
        alone[k] = row.along(row.free);
        for (Eigen::Index l = 0; l < n; ++l) A(k, l) = row.along(candidates[static_cast<std::size_t>(l)].held);
    }
    return {0.5 * (A + A.transpose()), alone};
}

}  // namespace elasto::flow
