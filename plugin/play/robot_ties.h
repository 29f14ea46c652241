#pragma once
/// @file robot_ties.h
/// What ties robots that are guests to the world of a scene.

#include <elasto/robot/robot_world.h>

#include <memory>
#include <vector>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

/// The elements of a robot scene that have an end on a link, and heat ports of the robots' own (joinSurroundings).
class RobotTies final : public SceneGuest {
public:
    /// Adds them to a world that has the scene's robots as guests already.
    /// @param scene turned into that world, whose first bodies and heat ports are those around the robots
    RobotTies(SceneWorld& world, const RobotScene& scene);
    ~RobotTies() override;

    void beginTick(double /*t*/, double /*h*/) override {}

private:
    btMultiBodyDynamicsWorld& m_world;
    std::vector<std::unique_ptr<MultiBodyElement>> m_elements;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
