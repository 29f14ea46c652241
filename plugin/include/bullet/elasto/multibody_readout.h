#pragma once
/// @file multibody_readout.h
/// What a multibody and its contacts bore in the last tick: see Plugin::readout and Plugin::contactsOf.

#include <elasto/export.h>
#include <elasto/flow.h>
#include <elasto/precision.h>

#include <vector>

class btCollisionObject;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A point where an object touched another one: means over the last tick, world axes. Points of one pair on one face
/// share its force; how is not unique where there are more than three, their sum is.
struct ContactReadout {
    const btCollisionObject* other = nullptr;                  ///< what touched it
    Eigen::Vector3d place = Eigen::Vector3d::Zero();           ///< middle between where it was at start and end [m]
    Eigen::Vector3d normal = Eigen::Vector3d::UnitY();         ///< unit vector, from the other one to the object
    double normalForce = 0;                                    ///< on the object along the normal [N], >= 0
    Eigen::Vector3d friction = Eigen::Vector3d::Zero();        ///< on the object [N]
    Eigen::Vector3d frictionTorque = Eigen::Vector3d::Zero();  ///< on the object, beside that of `friction` [N.m]

    /// On the object [N].
    Eigen::Vector3d force() const { return normalForce * normal + friction; }
};

/// A link of a multibody, or its base, in the last tick. Its frame is Bullet's: that of the principal axes, with its
/// origin in the centre of mass.
struct ELASTO_API LinkReadout {
    BodyState start;  ///< pose and twist of the frame at the tick's start, in double precision
    BodyState end;    ///< the same at its end
    /// What the joint does to the link, in the link's axes [N]: the cut force, motors, springs, limits and friction on
    /// the joint included. Of the base: what holds a fixed one; of a free one what the tick got wrong, about 0.
    Eigen::Vector3d force = Eigen::Vector3d::Zero();
    Eigen::Vector3d torque = Eigen::Vector3d::Zero();  ///< the same about `pivot`, link's axes [N.m]
    Eigen::Vector3d pivot = Eigen::Vector3d::Zero();   ///< the joint's point in the link's frame; 0 of the base [m]
    Eigen::Vector3d contactForce = Eigen::Vector3d::Zero();   ///< of all contacts on the link, world axes [N]
    Eigen::Vector3d contactTorque = Eigen::Vector3d::Zero();  ///< the same about the centre of mass, world axes [N.m]
    /// What an accelerometer in the centre of mass reads: its acceleration less gravity's, in the link's axes [m/s2].
    Eigen::Vector3d centralForce = Eigen::Vector3d::Zero();
    double h = 0;  ///< length of the tick [s]

    /// The joint's torque about a point of the link. @param point in the link's frame [m]
    Eigen::Vector3d torqueAbout(const Eigen::Vector3d& point) const { return torque - (point - pivot).cross(force); }
    /// What an accelerometer reads there. @param point in the link's frame [m]
    Eigen::Vector3d specificForce(const Eigen::Vector3d& point) const;
};

/// A multibody in the last tick. Forces are means over the tick.
///
/// They follow from the momentum of all that hangs on a joint, at the tick's start and end, less what weight, the
/// program's forces, contacts, elements to other bodies and Bullet's damping gave it (Newton and Euler for a cut-off
/// part): whatever the joint itself is made of is in them. With y the momentum in the axes of the link that the joint
/// carries, in a frame that moves with a free robot's centre of mass, F = dy/dt + w x y. Exact where F is constant in
/// the world or in the link; else to the second order in the tick. A link is taken to turn by less than half a turn per
/// tick; an impact's impulse is spread over its tick.
struct MultiBodyReadout {
    double h = 0;                    ///< length of the tick, as far as it was solved [s]
    std::vector<LinkReadout> links;  ///< the base (first), then Bullet's links
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
