#pragma once
/// @file joint_load.h
/// Torques and forces on the joints of a btMultiBody as functions of time.

#include <elasto/export.h>
#include <elasto/flow_load.h>
#include <elasto/precision.h>

#include <functional>
#include <utility>

class btMultiBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A torque [N.m] on a revolute joint of a btMultiBody, or a force [N] on a prismatic one, as a function of the
/// Plugin's time: a motor between the link and its parent. It acts besides what btMultiBody::addJointTorque adds.
///
/// Inside a tick it acts as what it is, as Load does; on a multibody with contacts or elements between its links as the
/// parabola that has its impulse and moments. On a multibody that no element moves in this tick it acts with its mean.
///
/// The multibody is referred to, not owned: take the load out (Plugin::removeJointLoad) before it is deleted.
class ELASTO_API JointLoad {
public:
    /// Value [N.m, N] at time t [s].
    using Function = std::function<double(double t)>;

    /// @param link the joint's child link @param value at time t [s]: [N.m, N]; it must return finite values
    /// @param nextBreak where it jumps or has a kink, as that of Load
    /// @throws InvalidParameter if there is no such joint, or it is neither revolute nor prismatic, or value is empty
    JointLoad(btMultiBody& body, int link, Function value, NextBreak nextBreak = {});

    btMultiBody& body() const { return *m_body; }        ///< as given
    int link() const { return m_link; }                  ///< the joint's child link
    double value(double t) const { return m_value(t); }  ///< [N.m, N] at time t [s]
    /// As Load::nextBreak.
    double nextBreak(double t) const;

private:
    btMultiBody* m_body;
    int m_link;
    Function m_value;
    NextBreak m_nextBreak;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
