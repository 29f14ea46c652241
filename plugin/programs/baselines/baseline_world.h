#pragma once
/// @file baseline_world.h
/// A scene in a world of Bullet alone.

#include "baseline_element.h"

#include <elasto/scene/scene_world.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Bodies, joints and loads of a scene as Elasto has them, its elements as Bullet's users build them.
///
/// Gaps and backlashes along or about an axis become limits. Springs and dampers there become springs of the same
/// constraint where the kind is one of limits; gaps along an axis become contacts of their bodies' shapes where it is
/// one of contacts. What Bullet has nothing for (elements along lines, in series, gaps of bodies without shapes) acts
/// as an explicit force.
class BaselineWorld {
public:
    /// @param rate ticks per second [Hz]; without it the scene's
    /// @throws InvalidParameter as SceneWorld
    BaselineWorld(const Scene& scene, BaselineKind kind, std::optional<double> rate = std::nullopt);
    ~BaselineWorld();
    BaselineWorld(const BaselineWorld&) = delete;
    BaselineWorld& operator=(const BaselineWorld&) = delete;

    /// One tick.
    void step();
    /// Bodies and elements now; elements' forces are means over the last tick.
    SceneSample sample();
    /// Whether a body left all bounds: not finite, or farther than 1e6 m away.
    bool isLost() const;

    SceneWorld& world() { return *m_world; }
    const SceneWorld& world() const { return *m_world; }
    BaselineElement& element(std::size_t index) { return *m_elements.at(index); }
    /// Elements that act as an explicit force although the kind is another, by name.
    const std::vector<std::string>& fallbacks() const { return m_fallbacks; }

private:
    void moveNetwork();

    std::unique_ptr<SceneWorld> m_world;
    FlowNetwork m_network;  ///< bodies as they are now
    std::vector<std::unique_ptr<BaselineElement>> m_elements;
    std::vector<std::string> m_fallbacks;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
