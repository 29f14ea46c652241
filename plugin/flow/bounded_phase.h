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

/// True for a motor that no force limits.
inline bool isPrescribed(const BoundedRow& row) {
    return row.kind == BoundedRow::Kind::Motor && row.maxForce == std::numeric_limits<double>::infinity();
}

/// Force of a motor that its phase fixes, 0 in other phases.
inline double pushOf(const BoundedRow& row, BoundedPhase phase) {
    return phase == BoundedPhase::Below ? row.maxForce : phase == BoundedPhase::Above ? -row.maxForce : 0;
}

}  // namespace elasto::flow
