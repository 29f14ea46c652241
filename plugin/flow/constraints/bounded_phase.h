#pragma once
// What motors and limits do, in every engine.

#include <elasto/flow_rows.h>

#include <limits>

namespace elasto::flow {

/// What a motor or a limit does at present.
enum class BoundedPhase : unsigned char {
    Off,    ///< nothing for the rest of the tick: other rows hold its coordinate, or stop a prescribed rate
    Below,  ///< motor slower than its target: pushes with all its force
    Above,  ///< motor faster than its target: brakes with all its force
    Held,   ///< motor at its target, limit reached
    Open,   ///< limit not reached
};

/// True for a motor, false for a limit. Rows are BoundedRows or, of trees, TreeBoundeds.
template <class Row>
bool isMotor(const Row& row) {
    return row.kind == BoundedRow::Kind::Motor;
}

/// True for a motor that no force limits.
template <class Row>
bool isPrescribed(const Row& row) {
    return isMotor(row) && row.maxForce == std::numeric_limits<double>::infinity();
}

/// Force of a motor that its phase fixes, 0 in other phases.
template <class Row>
double pushOf(const Row& row, BoundedPhase phase) {
    return phase == BoundedPhase::Below ? row.maxForce : phase == BoundedPhase::Above ? -row.maxForce : 0;
}

}  // namespace elasto::flow
