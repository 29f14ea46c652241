#pragma once
/// @file guest.h
/// What a demo shows beside its scene: a robot, or whatever else a scene has no words for.

#include "gallery/moment.h"
#include "view/picture.h"

#include <elasto/robot/robot_scene.h>
#include <elasto/scene/scene_world.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace elasto::gallery {

/// Where an element on a joint is drawn.
struct JointLook {
    double radius = 0.1;   ///< of what is drawn [m]
    double begin = -0.05;  ///< along the axis of a joint that turns, from its middle [m]: where flange_a's part begins
    double end = 0.05;     ///< where flange_b's part ends
    bool isBetween = false;  ///< it stands between two links on the axis, and is seen from the side
    double length = 0.2;     ///< of a joint that slides: of springs where it is at 0 [m]
    bool isAhead = false;    ///< they begin ahead of the link, along the axis, else behind it
    double beside = 0;       ///< of a joint that slides: away from its axis [m]
};

/// The links and elements of guests at the instant that is shown.
class GuestView {
public:
    /// How it is looked at.
    struct Look {
        int selected = -1;     ///< element that is highlighted, -1: none
        int hoveredBody = -1;  ///< likewise
        float opacity = 1;     ///< below 1 a ghost: it is not picked
    };

    /// @param poses    of all bodies of a session
    /// @param elements of it; empty: not known (ghosts)
    GuestView(const SceneWorld& world, const std::vector<BodyPose>& poses, const std::vector<ElementMoment>& elements,
              const Look& look);

    bool isGhost() const { return m_look.opacity < 1; }
    /// Of a link's centre of mass. @param link Bullet's index; -1: the base @throws std::out_of_range for another one
    const BodyPose& pose(const btMultiBody& body, int link) const;
    /// Of a body of the scene. @throws std::out_of_range for another one
    const BodyPose& pose(const btRigidBody& body) const;
    /// What a link's pictures have in common: they are picked as that link.
    view::Surface linkSurface(const btMultiBody& body, int link, const view::Color& color) const;
    /// What an element's pictures have in common. @throws std::out_of_range if it is in no world
    view::Surface elementSurface(const MultiBodyElement& element, const view::Color& color) const;
    /// Null where elements are not known. @throws std::out_of_range as elementSurface
    const ElementMoment* moment(const MultiBodyElement& element) const;
    /// What the guest that has it says of it.
    std::optional<JointLook> lookOf(const MultiBodyElement& element) const;

private:
    std::size_t indexOf(const MultiBodyElement& element) const;

    const SceneWorld& m_world;
    std::size_t m_firstLink;
    std::size_t m_firstElement;
    std::vector<play::GuestLink> m_links;
    std::vector<MultiBodyElement*> m_guestElements;
    const std::vector<BodyPose>& m_poses;
    const std::vector<ElementMoment>& m_elements;
    Look m_look;
};

class Guest : public SceneGuest {
public:
    /// Adds what it looks like.
    virtual void draw(const GuestView& view, view::Picture& picture) const = 0;
    /// Where an element on a joint is drawn; nothing: it is not, but for its force.
    virtual std::optional<JointLook> lookOf(const MultiBodyElement& /*element*/) const { return std::nullopt; }
};

/// Makes guests and adds them to a world that takes multibodies. It must do the same each time.
using AddGuests = std::function<void(SceneWorld& world)>;

/// The robot of a robot scene in assets/robots, upright at the origin. @param name without .json
AddGuests robotNamed(const std::string& name);
/// The robots of a scene as guests, one each, and the elements on their links. URDF's z axis points upwards, the
/// gallery's y axis. Bodies around them are those of the world: the first ones of its scene, in the same order.
AddGuests robotsOf(RobotScene scene);

}  // namespace elasto::gallery
