#pragma once
// How the phases of motors and limits end.

#include "constraints/bounded_phase.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace elasto::flow {

/// An end that the phase of a motor or limit may have.
struct BoundedExit {
    enum class Kind : unsigned char { Reaches, TooStrong, TooWeak, Touches, Lifts };
    std::size_t row;
    Kind kind;
};

/// Appends those of a row, a BoundedRow or a TreeBounded.
/// @param index of the row
template <class Row>
void listExits(std::size_t index, const Row& row, BoundedPhase phase, std::vector<BoundedExit>& exits) {
    using Kind = BoundedExit::Kind;
    switch (phase) {
        case BoundedPhase::Off:
            break;
        case BoundedPhase::Below:
        case BoundedPhase::Above:
            exits.push_back({index, Kind::Reaches});
            break;
        case BoundedPhase::Open:
            if (!isMotor(row)) exits.push_back({index, Kind::Touches});
            break;
        case BoundedPhase::Held:
            if (!isMotor(row)) exits.push_back({index, Kind::Lifts});
            if (isMotor(row) && !isPrescribed(row)) {
                exits.push_back({index, Kind::TooStrong});
                exits.push_back({index, Kind::TooWeak});
            }
            break;
    }
}

/// By how much the force of a held row is away from an end: TooStrong, TooWeak or Lifts.
/// @param share of its strength that a motor has
template <class Row>
double forceMargin(const Row& row, BoundedExit::Kind kind, double share, double force) {
    return kind == BoundedExit::Kind::TooStrong ? share * row.maxForce - force
           : kind == BoundedExit::Kind::TooWeak ? share * row.maxForce + force
                                                : row.side * force;
}

/// Forces of a held row: the last evaluation's, the least and the largest since the last accepted step.
struct ForceRange {
    double last, least, most;

    void start(double force) { last = least = most = force; }
    void add(double force) {
        last = force;
        least = std::min(least, force);
        most = std::max(most, force);
    }
    void restart() { least = most = last; }
    /// The stages of an explicit step tell where a force cannot reach an end: they are all farther from it than apart.
    /// @param margin out: the least one
    template <class Row>
    bool isFarFrom(const Row& row, BoundedExit::Kind kind, double share, double& margin) const {
        margin = std::min(forceMargin(row, kind, share, least), forceMargin(row, kind, share, most));
        return margin > most - least;
    }
};

}  // namespace elasto::flow
