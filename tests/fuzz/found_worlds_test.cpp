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
    lookAt(recipe, findings);
    INFO(findings.text);
    CHECK(findings.failure == Failure::None);
}

}  // namespace

TEST_CASE("bodies held to what contradicts it make no heat from nothing") {
    // Fixed to a kinematic body and to the world: 1e8 J of 10 J. Their force along rows that contradict each other.
    look(47, "all");
    // A chain from a kinematic body to one that cannot turn: 1e7 J of 500 J. The joint's slip was heat.
    look(12, "locked,motors,kinematic");
}

TEST_CASE("mechanisms that are pushed through their dead points bring no more than what drives them can") {
    look(56, "locked,motors,kinematic");   // velocities of 1e6 rad/s that fulfil the joints
    look(69, "locked,contacts");           // 1e11 J of 3e5 J
    look(161, "locked,motors,kinematic");  // 1e9 J of 140 J, against limits
    look(386, "locked,motors,kinematic");
    look(622, "locked,motors,kinematic");
}

TEST_CASE("closing joints and limits in passive ticks make no energy") {
    look(529, "none");  // a limit that pushed back
    look(545, "none");  // joints that closed against springs
}
