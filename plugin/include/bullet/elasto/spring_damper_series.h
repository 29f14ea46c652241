#pragma once
/// @file spring_damper_series.h
/// Modelica.Mechanics.MultiBody.Forces.SpringDamperSeries between rigid bodies.

#include <elasto/export.h>
#include <elasto/law_element.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Damper and spring in series (a Maxwell element) along the line between two points: A -> damper -> spring -> B.
///
///     f = c (s - s_unstretched - s_damper),   d der(s_damper) = f
///
/// It pulls and pushes; under a steady load it creeps without end. s_damper is an inner state: it starts at
/// s_damper_start, stays through teleports and is part of saveState. Parameters: SpringDamperSeriesParameters.
class ELASTO_API SpringDamperSeries : public LawElement<SpringDamperSeriesLaw> {
public:
    /// @throws InvalidParameter
    SpringDamperSeries(btRigidBody& rbA, btRigidBody& rbB, const btVector3& pivotInA, const btVector3& pivotInB,
                       const SpringDamperSeriesParameters& parameters);
    /// With the world as A.
    SpringDamperSeries(btRigidBody& rbB, const btVector3& pivotInB, const btVector3& pivotInWorld,
                       const SpringDamperSeriesParameters& parameters);
    /// Any placement.
    SpringDamperSeries(const Placement& placement, const SpringDamperSeriesParameters& parameters);

    /// Along the x axis of frame A instead of a line; s may then be negative.
    static std::unique_ptr<SpringDamperSeries> alongAxis(btRigidBody& rbA, btRigidBody& rbB,
                                                         const btTransform& frameInA, const btTransform& frameInB,
                                                         const SpringDamperSeriesParameters& parameters);
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
