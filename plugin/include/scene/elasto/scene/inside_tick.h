#pragma once
/// @file inside_tick.h
/// A scene at any time inside the tick that a world has just done.

#include <elasto/export.h>
#include <elasto/flow.h>
#include <elasto/scene/scene_world.h>

#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Everything at a time inside the last tick: networks from their own solution, bodies that Bullet moved on straight
/// lines as Bullet moves them, kinematic bodies on their paths. What the world cannot tell (guests) is interpolated.
/// @param places     startNetwork() of the scene: where its elements are attached
/// @param start, end samples when the tick began and ended; beyond the scene's bodies and elements they may have more
/// @param t          from the tick's start [s] @throws InvalidParameter unless 0 <= t <= tickLength()
ELASTO_API SceneSample sampleInside(const SceneWorld& world, FlowNetwork places, const SceneSample& start,
                                    const SceneSample& end, double t);

/// When contact of elements began or ended in the last tick [s from its start].
class ELASTO_API ContactTimes {
public:
    /// Listens to all elements of a world, whose call-backs of contact it takes. Must not end before the world's last
    /// tick.
    explicit ContactTimes(SceneWorld& world);
    ContactTimes(const ContactTimes&) = delete;
    ContactTimes& operator=(const ContactTimes&) = delete;

    /// Those since the last call, in their order, each once.
    std::vector<double> take();

private:
    std::vector<double> m_times;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
