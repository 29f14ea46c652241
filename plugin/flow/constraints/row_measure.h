#pragma once
// What one relation between two bodies is at present: of a joint's row, a motor or a limit.

#include "bodies/geometry.h"

namespace elasto::flow {

/// rate = linear . (vB - vA) + angularB . wB + angularA . wA; gamma: second derivative of the value where no body is
/// accelerated.
struct RowMeasure {
    double value = 0;
    double rate = 0;
    double gamma = 0;
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();
    Eigen::Vector3d angularA = Eigen::Vector3d::Zero();
    Eigen::Vector3d angularB = Eigen::Vector3d::Zero();
    // Of a geared row: by the second coordinate's bodies, and by body a because it carries the rotor, as those of Row.
    Eigen::Vector3d gearedLinear = Eigen::Vector3d::Zero();
    Eigen::Vector3d gearedAngularA = Eigen::Vector3d::Zero();
    Eigen::Vector3d gearedAngularB = Eigen::Vector3d::Zero();
    Eigen::Vector3d carriedAngular = Eigen::Vector3d::Zero();
};
RowMeasure measureHeld(const HeldRow& row, const Motion& a, const Motion& b);
/// @param turnA, turnB the bodies' orientations
RowMeasure measureHeld(const HeldRow& row, const Motion& a, const Eigen::Matrix3d& turnA, const Motion& b,
                       const Eigen::Matrix3d& turnB);
/// The own coordinate of a motor or limit alone.
RowMeasure measureHeld(const BoundedRow& row, const Motion& a, const Motion& b);
/// Takes the second coordinate of a geared one into its measure.
/// @param a, b its bodies @param carrier the own body a
void addGearedHeld(const BoundedRow& row, const Motion& a, const Motion& b, const Motion& carrier, RowMeasure& m);
/// A motor's value is 0, a limit's is counted from its bound; a motor's rate is counted from its target.
/// @param motionAt gives the motion of a body, or of kWorld
template <class MotionAt>
RowMeasure measureHeld(const BoundedRow& row, const MotionAt& motionAt) {
    RowMeasure m = measureHeld(row, motionAt(row.a), motionAt(row.b));
    if (row.isGeared()) addGearedHeld(row, motionAt(row.geared.a), motionAt(row.geared.b), motionAt(row.a), m);
    return m;
}

/// What rows of a joint along several axes have in common: vectors, whose parts along an axis are the row's.
struct JointPoints {
    Eigen::Vector3d leverB, fromA;  ///< to pB, from the centre of mass of b and of a
    Eigen::Vector3d apart;          ///< from pA to pB
    Eigen::Vector3d velocity;       ///< of pB, seen from a
    Eigen::Vector3d acceleration;   ///< of pB, seen from a, where no body is accelerated

    JointPoints() = default;
    /// @param leverA, leverToB from the bodies' centres of mass to pA and pB
    JointPoints(const Motion& a, const Eigen::Vector3d& leverA, const Motion& b, const Eigen::Vector3d& leverToB) {
        set(a, leverA, b, leverToB);
    }
    void set(const Motion& a, const Eigen::Vector3d& leverA, const Motion& b, const Eigen::Vector3d& leverToB);
};

/// Of a row along an axis.
/// @param d the axis in the world frame
void measureAlong(const HeldRow& row, const Eigen::Vector3d& d, const JointPoints& points, RowMeasure& m);

}  // namespace elasto::flow
