#include "first_touch.h"

#include <btBulletDynamicsCommon.h>
#include <elasto/scene/scene_world.h>

#include <algorithm>
#include <string>

#include "checked_run.h"
#include "may_touch.h"

namespace elasto::tools {

namespace {

std::optional<Touch> touchOf(const SceneWorld& world) {
    const auto indexOf = [&](const btCollisionObject* object) -> std::optional<std::size_t> {
        for (std::size_t i = 0; i < world.bodies(); ++i) {
            if (&world.body(i) == object) return i;
        }
        return std::nullopt;
    };
    const btDispatcher& dispatcher = *world.world().getDispatcher();
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold& manifold = *const_cast<btDispatcher&>(dispatcher).getManifoldByIndexInternal(i);
        if (manifold.getNumContacts() == 0) continue;
        const auto a = indexOf(manifold.getBody0()), b = indexOf(manifold.getBody1());
        if (a && b) return Touch{std::min(*a, *b), std::max(*a, *b), world.time()};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Touch> firstTouch(const Scene& scene) {
    if (shapesThatMayTouch(scene).empty()) return std::nullopt;
    SceneWorld world(scene);
    world.plugin().setMessageHandler([](const std::string&) {});  // what it says here, it says in elasto run, too
    std::optional<Touch> touch;
    while (!touch && world.ticks() < world.ticksToEnd()) {
        checkedTick(world);
        touch = touchOf(world);
    }
    return touch;
}

}  // namespace elasto::tools
