// Several joints between the same bodies: a door on two hinges, and every pair and triple of joints that Bullet knows.

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "../sanitizers.h"
#include "recipe_world.h"

using namespace elasto;
using namespace elasto::fuzz;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

constexpr bool kIsDouble = sizeof(btScalar) == sizeof(double);

BodyRecipe box(double mass, const Vector3d& at) {
    BodyRecipe body;
    body.size = 0.2;
    body.mass = mass;
    body.position = at;
    body.velocity = Vector3d(0.3, 0.1, -0.2);
    body.angularVelocity = Vector3d(0.5, -0.4, 0.3);
    return body;
}

JointRecipe joint(JointKind kind, int a, int b, const Vector3d& point) {
    JointRecipe made;
    made.kind = kind;
    made.a = a;
    made.b = b;
    made.point = point;
    return made;
}

ElementRecipe spring(int a, int b, const Vector3d& from, const Vector3d& to) {
    ElementRecipe element;
    element.kind = ElementKind::SpringDamper;
    element.a = a;
    element.b = b;
    element.pointA = from;
    element.pointB = to;
    element.c = 300;
    element.d = 1;
    return element;
}

/// A box that joints hold to another one, or to the world, and springs pull at.
WorldRecipe pairOf(int a, const std::vector<JointKind>& kinds, bool isTogether) {
    WorldRecipe recipe;
    recipe.ticks = 12;
    recipe.bodies = {box(2, {0.5, 1, 0}), box(3, {0, 1, 0})};
    Vector3d point(0.25, 1.1, 0.05);
    for (const JointKind kind : kinds) {
        recipe.joints.push_back(joint(kind, a, 0, point));
        if (!isTogether) point += Vector3d(0, -0.15, 0.1);
    }
    recipe.elements = {spring(kWorld, 0, {1.5, 1.5, 0.5}, {0.6, 1.1, 0.1}),
                       spring(kWorld, 1, {-1, 1.2, 0.3}, {-0.1, 0.9, 0})};
    return recipe;
}

/// Where and how fast the bodies are after each tick.
std::vector<Vector3d> courseOf(const WorldRecipe& recipe) {
    RecipeWorld world(recipe, {});
    std::vector<Vector3d> course;
    const auto add = [&](const btVector3& v) {
        course.emplace_back(static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z()));
    };
    for (int tick = 0; tick < recipe.ticks; ++tick) {
        world.tick();
        INFO("tick " << tick);
        REQUIRE(world.notFinite() == "");
        CHECK(world.plugin().statistics().uncoupled == 0);
        for (std::size_t i = 0; i < recipe.bodies.size(); ++i) {
            const btRigidBody& body = *world.bodies()[i];
            add(body.getWorldTransform().getOrigin());
            add(body.getWorldTransform().getBasis().getColumn(0));
            add(body.getWorldTransform().getBasis().getColumn(1));
            add(body.getLinearVelocity());
            add(body.getAngularVelocity());
        }
    }
    return course;
}

double apart(const std::vector<Vector3d>& one, const std::vector<Vector3d>& other) {
    REQUIRE(one.size() == other.size());
    double most = 0;
    for (std::size_t i = 0; i < one.size(); ++i) most = std::max(most, (one[i] - other[i]).norm());
    return most;
}

// What rounds poses of one metre to 1e-7 m makes frames of redundant joints that do not quite fit.
constexpr double kSame = kIsDouble ? 1e-9 : 2e-4;

bool hasSpring(JointKind kind) {
    return kind == JointKind::SixDofSpring || kind == JointKind::SixDofSpring2 || kind == JointKind::Hinge2;
}

std::vector<JointKind> allKinds() {
    std::vector<JointKind> kinds;
    for (int i = 0; i < kJointKinds; ++i) kinds.push_back(static_cast<JointKind>(i));
    return kinds;
}

}  // namespace

TEST_CASE("a door on two hinges moves as on one") {
    WorldRecipe one;
    one.ticks = 120;
    BodyRecipe door = box(20, {0.45, 1, 0});
    door.angularVelocity = Vector3d(0, -1.5, 0);
    door.velocity = door.angularVelocity.cross(door.position - Vector3d(0, 1, 0));
    one.bodies = {door};
    const Quaterniond upright = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d::UnitY());
    const auto hinge = [&](double height) {
        JointRecipe made = joint(JointKind::Hinge, kWorld, 0, {0, height, 0});
        made.frame = upright;
        return made;
    };
    ElementRecipe stop;
    stop.c = 1e5;
    stop.d = 20;
    stop.pointA = {0.8, 1, 0};
    stop.pointB = {0.8, 1, 0};
    // s_rel along -z of the world: the door comes from there and is stopped 0.1 m further.
    stop.frame = Quaterniond::FromTwoVectors(Vector3d::UnitX(), -Vector3d::UnitZ());
    stop.offset = -0.1;
    one.elements = {stop};
    WorldRecipe two = one;
    one.joints = {hinge(1)};
    two.joints = {hinge(1.8), hinge(0.2)};
    const std::vector<Vector3d> course = courseOf(one);
    CHECK(apart(course, courseOf(two)) <= (kIsDouble ? 1e-9 : 1e-4));
    std::swap(two.joints[0], two.joints[1]);
    CHECK(apart(course, courseOf(two)) <= (kIsDouble ? 1e-9 : 1e-4));
    // It has been at the stop, and back.
    bool hasTurned = false;
    for (std::size_t i = 4; i < course.size(); i += 5) hasTurned |= course[i].y() > 0.5;
    CHECK(hasTurned);
}

TEST_CASE("a joint made twice or three times changes nothing") {
    for (const int a : {kWorld, 1}) {
        for (const JointKind kind : allKinds()) {
            if (hasSpring(kind)) continue;  // two are twice as stiff
            const std::vector<Vector3d> once = courseOf(pairOf(a, {kind}, true));
            CAPTURE(a, static_cast<int>(kind));
            CHECK(apart(once, courseOf(pairOf(a, {kind, kind}, true))) <= kSame);
            CHECK(apart(once, courseOf(pairOf(a, {kind, kind, kind}, true))) <= kSame);
        }
    }
}

TEST_CASE("what a fixed joint holds, joints beside it change nothing about") {
    for (const int a : {kWorld, 1}) {
        const std::vector<Vector3d> alone = courseOf(pairOf(a, {JointKind::Fixed}, true));
        for (const JointKind kind : allKinds()) {
            for (const bool isTogether : {true, false}) {
                CAPTURE(a, static_cast<int>(kind), isTogether);
                CHECK(apart(alone, courseOf(pairOf(a, {JointKind::Fixed, kind}, isTogether))) <= kSame);
                WorldRecipe after = pairOf(a, {kind, JointKind::Fixed}, isTogether);
                CHECK(apart(alone, courseOf(after)) <= kSame);
            }
        }
    }
}

TEST_CASE("all pairs and triples of joints between two bodies hold, with contacts and beside multibodies", "[slow]") {
    const std::vector<JointKind> kinds = allKinds();
    const bool hasFloor = GENERATE(false, true);
    const bool hasMultiBody = GENERATE(false, true);
    const auto look = [&](int a, const std::vector<JointKind>& some) {
        WorldRecipe recipe = pairOf(a, some, false);
        recipe.ticks = elasto::test::kIsSanitized ? 2 : 4;
        recipe.hasFloor = hasFloor;
        if (hasFloor) {
            for (BodyRecipe& body : recipe.bodies) body.position.y() = 0.19;
        }
        if (hasMultiBody) {
            MultiBodyRecipe arm;
            arm.links.resize(2);
            arm.links[1].parent = 0;
            arm.elements.resize(1);
            arm.elements[0].law.kind = ElementKind::SpringDamper;
            arm.elements[0].law.c = 50;
            recipe.multiBodies = {arm};
        }
        RecipeWorld world(recipe, {});
        for (int tick = 0; tick < recipe.ticks; ++tick) world.tick();
        std::string text;
        for (const JointKind kind : some) text += " " + std::to_string(static_cast<int>(kind));
        INFO(a << ":" << text);
        REQUIRE(world.notFinite() == "");
    };
    for (const int a : {kWorld, 1}) {
        for (const JointKind one : kinds) {
            for (const JointKind two : kinds) {
                look(a, {one, two});
                for (const JointKind three : kinds) look(a, {one, two, three});
            }
        }
    }
}
