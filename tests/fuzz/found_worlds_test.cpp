// Random worlds that once made energy from nothing. A change of what makeWorldRecipe draws makes other worlds of these
// seeds: it has to come with others that fail without what each of these is for.

#include <catch2/catch.hpp>

#include "world_oracles.h"

using namespace elasto::fuzz;

namespace {

void look(unsigned long seed, const char* mix) {
    const WorldRecipe recipe = makeWorldRecipe(seed, WorldMix::parse(mix));
    INFO("seed " << seed << "\n" << textOf(recipe));
    WorldFindings findings;
    lookAtOnce(recipe, findings);
    INFO(findings.text);
    CHECK(findings.failure == Failure::None);
}

}  // namespace

TEST_CASE("bodies held to what contradicts it make no heat from nothing", "[slow]") {
    // Fixed to a kinematic body and to the world: 1e8 J of 10 J. Their force along rows that contradict each other.
    look(47, "all");
    // A chain from a kinematic body to one that cannot turn: 1e7 J of 500 J. The joint's slip was heat.
    look(12, "locked,motors,kinematic");
}

TEST_CASE("mechanisms that are pushed through their dead points bring no more than what drives them can", "[slow]") {
    look(56, "locked,motors,kinematic");   // velocities of 1e6 rad/s that fulfil the joints
    look(69, "locked,contacts");           // 1e11 J of 3e5 J
    look(161, "locked,motors,kinematic");  // 1e9 J of 140 J, against limits
    look(386, "locked,motors,kinematic");
    look(622, "locked,motors,kinematic");
}

TEST_CASE("closing joints and limits beyond the budget makes no energy", "[slow]") {
    look(529, "none");  // a limit that pushed back
    look(545, "none");  // joints that closed against springs
}

// lookAtOnce compares with a world without elements.
TEST_CASE("nothing changes how a body with locked axes spins", "[slow]") {
    WorldRecipe recipe;
    recipe.hz = GENERATE(60., 240.);
    BodyRecipe spinning;
    spinning.position = {0, 1, 0};
    spinning.angularVelocity = {3, 5, -2};
    spinning.velocity = {0.2, 0, 0.1};
    spinning.angularFactor.setZero();
    BodyRecipe other;
    other.position = {0.5, 1, 0};
    recipe.bodies = {spinning, other};
    ElementRecipe element;
    element.kind = static_cast<ElementKind>(GENERATE(range(0, kElementKinds)));
    // A body that turns away from the axis of a rotational element comes to where there is no angle about it.
    const bool isRotational =
        element.kind == ElementKind::Backlash || element.kind == ElementKind::RotationalSpringDamper;
    if (isRotational) recipe.bodies[0].angularVelocity = {0, 0, 5};
    element.a = 1;
    element.b = 0;
    element.pointA = {0.4, 1, 0.05};
    element.pointB = {0.1, 1.05, 0};
    element.c = GENERATE(1e2, 1e6);
    element.d = GENERATE(0., 1e3);
    element.n = GENERATE(1., 1.5);
    recipe.elements = {element};
    JointRecipe joint;
    joint.a = 0;
    joint.b = 1;
    joint.point = {0.25, 1, 0};
    const int situation = GENERATE(range(0, 4));
    if (situation == 1) recipe.joints = {joint};
    if (situation == 2) {
        joint.kind = JointKind::Hinge;
        recipe.joints = {joint, joint};
    }
    if (situation == 3) {
        recipe.hasFloor = true;
        recipe.bodies[0].position.y() = recipe.bodies[1].position.y() = 0.12;
    }
    CAPTURE(recipe.hz, element.c, element.d, element.n, situation);
    INFO(textOf(recipe));
    WorldFindings findings;
    lookAtOnce(recipe, findings);
    INFO(findings.text);
    CHECK(findings.failure == Failure::None);
}
