#pragma once
// Motors and limits that may act at one instant, and what they would do.

#include "constraints/bounded_phase.h"
#include "constraints/held_rows.h"
#include "numerics/infinity.h"

namespace elasto::flow {

/// A row that may act, and what a unit force along it does to the bodies: alone, and with what is held.
struct Candidate {
    std::size_t row;
    RowMeasure measure;
    std::vector<Vector6> gradient, free, held;

    double along(const std::vector<Vector6>& bodies) const;
    double mobility() const { return along(held); }
    /// True where the others leave the row nothing to move.
    bool isBlocked() const;
};

Candidate candidateOf(const FlowNetwork& network, std::size_t row, const BodyKinematics& bodies, const HeldRows& held);

/// What forces along the candidates do to their rates.
Eigen::MatrixXd mobilityOf(const std::vector<Candidate>& candidates);

}  // namespace elasto::flow
