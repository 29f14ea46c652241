#pragma once
/// @file played_element.h
/// All elements that one plays with: the scene's, then those that guests of the scene have on their multibodies. Each
/// has one index, whatever it sits on.

#include "parameters.h"

#include <elasto/multibody_element.h>
#include <elasto/scene/scene_world.h>

#include <string_view>
#include <vector>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What an element is, as panels show it. One of a guest has no frames, no animation and no heat port.
struct PlayedElement : SceneElement {
    enum class Place {
        Scene,     ///< between bodies of the scene
        Joint,     ///< on a joint of a multibody; flange_a is the parent's side
        Drive,     ///< between a motor, which is flange_a, and its joint
        Motor,     ///< on a motor; flange_a is the link that carries it
        GearPair,  ///< between two joints; flange_a is the second one
        Links,     ///< between links
    };
    Place place = Place::Scene;
    double ratio = 1;  ///< of a drive or gear pair
    int body = -1;     ///< of a session: the link that a joint's element moves, of a pair the first one; -1: none

    bool hasFlanges() const { return place == Place::Drive || place == Place::GearPair; }  ///< both of them move
};

/// Elements of a world as they are now, those of the scene as it says.
std::vector<PlayedElement> playedElements(const SceneWorld& world);
/// Those on multibodies, in the order in which they were added to the world, but for those that only stand
/// for something: what holds a joint (JointHold), and what lets the Plugin move a robot that has no elements.
std::vector<MultiBodyElement*> guestElements(const SceneWorld& world);

/// An element that stands in a world.
class ElementHandle {
public:
    /// @throws std::out_of_range if there is none of that index
    ElementHandle(const SceneWorld& world, std::size_t index);

    const ElementCommon& common() const;
    const Law& law() const { return common().law(); }
    std::string label() const { return common().label(); }
    bool isEnabled() const;
    MultiBodyElement* guest() const { return m_guest; }  ///< null: it is the scene's

    // Both wake what it acts on.
    void setEnabled(bool isEnabled) const;
    /// @throws InvalidParameter if the law refuses it (nothing is changed then), std::out_of_range for an unknown
    /// symbol
    void setParameter(std::string_view symbol, double value) const;

private:
    void wake() const;

    ForceElement* m_element = nullptr;
    MultiBodyElement* m_guest = nullptr;
};

/// The world's sample, with the links and elements of guests after the scene's.
SceneSample playedSample(const SceneWorld& world);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
