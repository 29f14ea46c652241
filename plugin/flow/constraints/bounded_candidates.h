#pragma once
// Motors and limits that may act at one instant, and what they would do.

#include "constraints/bounded_rows.h"
#include "constraints/held_rows.h"

namespace elasto::flow {

/// A row that may act, and what a unit force along it does to the bodies: alone, and with what is held.
struct Candidate {
    std::size_t row;
    RowMeasure measure;
    std::vector<Vector6> gradient, free, held;

    double along(const std::vector<Vector6>& bodies) const;
};

Candidate candidateOf(const FlowNetwork& network, std::size_t row, const BodyKinematics& bodies, const HeldRows& held);

/// What forces along the candidates do to their rates.
RowMobility mobilityOf(const std::vector<Candidate>& candidates);

/// Calls visit(body, gradient, response) for the movable bodies of a row: what its rate takes from the body's velocity,
/// and what a unit force along it does to the body alone.
template <class Visit>
void forEachMovable(const FlowNetwork& network, std::size_t row, const RowMeasure& measure,
                    const BodyKinematics& bodies, const Visit& visit) {
    const auto end = [&](int index, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        const auto i = static_cast<std::size_t>(index);
        const FlowBody& body = network.bodies[i];
        if (body.isImmovable()) return;
        Vector6 gradient, response;
        gradient << linear, angular;
        response << linearResponse(body, linear), bodies.inverses[i] * angular;
        visit(i, gradient, response);
    };
    forEachEnd(network.bounded[row], measure, end);
}

}  // namespace elasto::flow
