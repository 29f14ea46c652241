#pragma once
/// @file load.h
/// Forces and torques on bodies as functions of time.

#include <elasto/export.h>
#include <elasto/flow_load.h>
#include <elasto/precision.h>

#include <LinearMath/btVector3.h>

#include <functional>
#include <limits>
#include <utility>
#include <vector>

class btRigidBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Parameters of Load::sine.
struct SineParameters {
    double amplitude = 1;  ///< amplitude [N, N.m]
    double f = 1;          ///< f [Hz], >= 0
    double phase = 0;      ///< phase [rad]
    double offset = 0;     ///< offset [N, N.m]
    double startTime = 0;  ///< startTime [s]
};

/// A force at a body's centre of mass, or a torque, in world axes, as a function of the Plugin's time; with at() at
/// another point of the body, with resolvedIn() in the body's axes (Modelica.Mechanics.MultiBody.Forces.WorldForce and
/// WorldTorque).
///
/// Inside a tick it acts on elements as what it is (flow_load.h: parabolas, as many as it takes to hold it within 1e-5
/// of its largest value in the tick), and the tick is split where it jumps or has a kink. A force applied with
/// btRigidBody::applyForce is constant over a tick. On a body that no element moves in this tick a load acts with its
/// mean. A load that changes keeps its body awake.
///
/// What turns with its body follows it inside the tick too: the tick is solved, and solved again with the loads along
/// the course that takes the body from the start's orientation and angular velocity to the end's. That course is
/// smooth, also where the body was struck within the tick.
///
/// The body is referred to, not owned: take the load out (Plugin::removeLoad) before the body is deleted.
class ELASTO_API Load {
public:
    /// What the value is.
    enum class Kind {
        Force,   ///< [N], at the centre of mass or at point()
        Torque,  ///< [N.m]
    };
    /// In which axes the value is.
    enum class Axes {
        World,  ///< fixed in the world
        Body,   ///< those of btRigidBody, which turn with it
    };
    /// Value at time t [s]: [N] or [N.m], in the load's axes.
    using Function = std::function<btVector3(double t)>;

    /// Any function of time; it must return finite values.
    /// @param nextBreak where it jumps or has a kink, such as breaksAt({0.2, 0.5}). What is not stated is found if one
    ///        of some ten points of a tick shows it: a shorter pulse has to be stated.
    Load(btRigidBody& body, Kind kind, Function value, NextBreak nextBreak = {});

    /// value [N, N.m] from startTime to endTime [s], and nothing before and after.
    /// @throws InvalidParameter unless the value is finite and startTime < endTime
    static Load constant(btRigidBody& body, Kind kind, const btVector3& value,
                         double startTime = -std::numeric_limits<double>::infinity(),
                         double endTime = std::numeric_limits<double>::infinity());
    /// offset + amplitude sin(2 pi f (t - startTime) + phase) along `direction`; only the offset before startTime.
    /// As Modelica.Blocks.Sources.Sine.
    /// @param direction vector that the value multiplies (a unit vector, or one that carries the amplitude)
    /// @throws InvalidParameter unless all are finite and f >= 0
    static Load sine(btRigidBody& body, Kind kind, const btVector3& direction, const SineParameters& parameters);
    /// Linear interpolation in (time [s], value [N, N.m]) points along `direction`; the first and last value hold
    /// outside. Two points at one time are a jump; the second one holds from there on.
    /// @throws InvalidParameter if there is no point, a number is not finite, times decrease, or three are the same
    static Load table(btRigidBody& body, Kind kind, const btVector3& direction,
                      std::vector<std::pair<double, double>> points);

    /// The same force at a point of the body: `Load::constant(body, Load::Kind::Force, thrust).at(nozzle)`.
    /// @param point from the centre of mass [m], in the body's axes (btRigidBody's frame)
    /// @throws InvalidParameter for a torque, which has no point, and unless the point is finite
    Load at(const btVector3& point) const;
    /// The same load with its value in these axes; a new one is in the world's.
    Load resolvedIn(Axes axes) const;

    btRigidBody& body() const { return *m_body; }  ///< as given
    Kind kind() const { return m_kind; }           ///< as given
    /// From the centre of mass, in the body's axes [m]; zero at first.
    const btVector3& point() const { return m_point; }
    Axes axes() const { return m_axes; }  ///< the world's at first
    /// Its effect depends on how the body is turned.
    bool turnsWithBody() const { return m_axes == Axes::Body || m_point.length2() > 0; }
    btVector3 value(double t) const { return m_value(t); }  ///< at time t [s], in its axes [N, N.m]
    /// The first time later than t [s] at which it is known to jump or to have a kink; infinity if none is.
    double nextBreak(double t) const;

private:
    btRigidBody* m_body;
    Kind m_kind;
    Function m_value;
    NextBreak m_nextBreak;
    btVector3 m_point = btVector3(0, 0, 0);
    Axes m_axes = Axes::World;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
