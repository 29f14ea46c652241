#pragma once
/// @file robot_inside_tick.h
/// A RobotWorld at any time inside the tick that it has just done.

#include <elasto/accuracy.h>
#include <elasto/export.h>
#include <elasto/robot/robot_world.h>
#include <elasto/world_snapshot.h>

#include <string_view>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Looks into the ticks of a world. Nobody keeps the solution of multibodies inside a tick: it is run again in a second
/// world, from its start to the instant that is asked for. The two have the same solution, as far as the tick is exact.
///
/// @code
/// elasto::RobotInsideTick inside(world);
/// elasto::RobotContactTimes contacts(world);
/// inside.beforeTick();
/// world.step();
/// for (const double t : contacts.take()) std::printf("%g s: %g rad\n", t, inside.at(t).robot().q(0));
/// @endcode
class ELASTO_API RobotInsideTick {
public:
    /// @param accuracy that was set for the world's Plugin
    explicit RobotInsideTick(const RobotWorld& world, Accuracy accuracy = Accuracy::Exact);

    /// To be called before each tick: remembers where it starts.
    void beforeTick();
    /// The second world, to listen to its elements.
    RobotWorld& twin() { return m_twin; }
    /// The second world at a time of the last tick, until the next call; its own time() is that of the tick's start.
    /// @param t [s from its start]
    /// @throws InvalidParameter unless 0 <= t <= tickLength()
    /// @throws std::logic_error before beforeTick()
    RobotWorld& at(double t);
    /// Values of signals at such a time. What is of the whole tick (means, grades) is that of the world now.
    /// @param t and what is thrown as at()
    std::vector<double> values(const std::vector<RobotSignal>& signals, double t);

private:
    bool isOfWholeTick(const RobotSignal& signal) const;

    const RobotWorld& m_world;
    RobotWorld m_twin;
    WorldSnapshot m_start;
    std::vector<RobotDrivesState> m_drives;
    long m_ticks = 0;              ///< done when the tick began
    std::vector<Signal> m_around;  ///< of what is around the robots
};

/// When contact of elements began or ended in the last tick.
class ELASTO_API RobotContactTimes {
public:
    /// Listens to all elements of a world, on joints, between bodies and on links, or to one, and takes their
    /// call-backs of contact. Must not end before the world's last tick.
    /// @param element its name, with its robot's prefix; empty: all
    /// @throws std::out_of_range if there is none of that name
    explicit RobotContactTimes(RobotWorld& world, std::string_view element = {});
    RobotContactTimes(const RobotContactTimes&) = delete;
    RobotContactTimes& operator=(const RobotContactTimes&) = delete;

    /// Those since the last call [s from the tick's start], in their order, each once.
    std::vector<double> take();

private:
    std::vector<double> m_times;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
