#include "first_ticks.h"

#include <elasto/check.h>
#include <elasto/robot/robot_world.h>
#include <elasto/scene/scene_world.h>
#include <fmt/format.h>

#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <algorithm>
#include <functional>

#include "grade_line.h"
#include "try_rates.h"

namespace elasto::tools {

namespace {

/// [m] Far above what rounding in single precision leaves of shapes that just touch, far below what is seen.
constexpr double kInside = 1e-5;

std::string nameOf(const SceneWorld& world, const btCollisionObject& object) {
    for (std::size_t i = 0; i < world.bodies(); ++i) {
        if (&world.body(i) == &object) return world.scene().bodies[i].name;
    }
    return "?";
}

std::string nameOf(const RobotWorld& world, const btCollisionObject& object) {
    const auto* collider = btMultiBodyLinkCollider::upcast(&object);
    if (collider == nullptr) {
        const std::string name = nameOf(world.around(), object);
        return name == "?" ? "the ground" : name;
    }
    for (std::size_t i = 0; i < world.scene().robots(); ++i) {
        const Robot& robot = world.robot(i);
        if (&robot.multiBody() != collider->m_multiBody) continue;
        const int link = collider->m_link - robot.bulletLink(0);
        return world.scene().at(i).prefix + robot.description().links[static_cast<std::size_t>(link)].name;
    }
    return "?";
}

/// Pairs of shapes that begin inside each other.
template <class World>
void findOverlaps(World& world, std::vector<std::string>& findings) {
    world.world().performDiscreteCollisionDetection();
    const btDispatcher& dispatcher = *world.world().getDispatcher();
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold& pair = *const_cast<btDispatcher&>(dispatcher).getManifoldByIndexInternal(i);
        double depth = 0;
        for (int k = 0; k < pair.getNumContacts(); ++k) {
            depth = std::max(depth, -static_cast<double>(pair.getContactPoint(k).getDistance()));
        }
        if (!(depth > kInside)) continue;
        findings.push_back(fmt::format("'{}' and '{}' begin {:.2g} m inside each other",
                                       nameOf(world, *pair.getBody0()), nameOf(world, *pair.getBody1()), depth));
    }
}

void addOnce(std::vector<std::string>& findings, std::string text) {
    constexpr std::string_view kPrefix = "elasto: ";  // of what the plugin says
    if (text.starts_with(kPrefix)) text.erase(0, kPrefix.size());
    if (text.ends_with(" so far)")) return;  // it has been said, and how many there are is counted anyhow
    if (std::find(findings.begin(), findings.end(), text) == findings.end()) findings.push_back(std::move(text));
}

template <class World, class AnyScene>
FirstTicks run(const AnyScene& scene, double rate) {
    FirstTicks first;
    first.rate = rate;
    {
        World start(scene, rate);  // for itself: it leaves contacts in the world
        for (const Problem& problem : check(start.world())) {
            // Of elements that a program places; a scene's are of the kind that their ends need.
            if (problem.kind == Problem::Kind::MultiBodies) continue;
            addOnce(first.findings, problem.message);
        }
        findOverlaps(start, first.findings);
    }
    World world(scene, rate);
    world.plugin().setMessageHandler([&](const std::string& text) { addOnce(first.findings, text); });
    first.ofTicks = world.ticksToEnd();
    double work = kFirstWork;
    while (world.ticks() < std::min(first.ofTicks, kFirstTicks) && work > 0) {
        try {
            world.step();
        } catch (const InvalidParameter&) {
            first.isBroken = true;
            break;
        }
        work -= workOf(world, world.plugin().statistics());
    }
    world.plugin().setMessageHandler(nullptr);
    first.ticks = world.ticks();
    first.totals = world.plugin().totals();
    if (!first.isBroken && first.totals.approximateTicks + first.totals.failedTicks > 0) {
        first.exactRate = exactRateOf(world, kFirstWork);
    }
    return first;
}

}  // namespace

FirstTicks firstTicks(const Scene& scene, double rate) {
    return run<SceneWorld>(scene, rate);
}

FirstTicks firstTicks(const RobotScene& scene, double rate) {
    return run<RobotWorld>(scene, rate);
}

std::string textOf(const FirstTicks& first) {
    constexpr std::size_t kMost = 10;
    std::string text;
    for (std::size_t i = 0; i < std::min(first.findings.size(), kMost); ++i) text += first.findings[i] + "\n";
    if (first.findings.size() > kMost) text += fmt::format("and {} more\n", first.findings.size() - kMost);
    const std::string ran =
        fmt::format("the first {} of {} ticks at {:g} Hz: ", first.ticks, first.ofTicks, first.rate);
    if (first.ticks > 0) text += ran + gradeLine(first.totals, first.exactRate) + "\n";
    if (first.isBroken) text += fmt::format("tick {} cannot be solved: elasto run says why\n", first.ticks + 1);
    return "\n" + text;
}

Json jsonOf(const FirstTicks& first) {
    Json json;
    json["findings"] = first.findings;
    json["ticks"] = first.ticks;
    json["ofTicks"] = first.ofTicks;
    json["broken"] = first.isBroken;
    json["grade"] = gradeJson(first.totals, first.exactRate);
    return json;
}

}  // namespace elasto::tools
