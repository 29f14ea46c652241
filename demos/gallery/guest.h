#pragma once
/// @file guest.h
/// What a demo shows beside its scene: a robot, or whatever else a scene has no words for.

#include "view/picture.h"

#include <elasto/scene/scene_world.h>

#include <functional>
#include <memory>
#include <string>

namespace elasto::gallery {

class Guest : public SceneGuest {
public:
    /// Adds what it looks like at the end of the last tick.
    virtual void draw(view::Picture& picture) const = 0;
};

/// Makes a guest in a world that takes multibodies. It must do the same each time.
using MakeGuest = std::function<std::unique_ptr<Guest>(SceneWorld& world)>;

/// The robot of a robot scene in assets/robots, upright at the origin. @param name without .json
MakeGuest robotNamed(const std::string& name);

}  // namespace elasto::gallery
