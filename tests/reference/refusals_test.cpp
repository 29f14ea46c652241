#include <elasto/errors.h>
#include <elasto/reference/reference.h>

#include <catch2/catch.hpp>

#include <limits>

#include "problems.h"

using namespace elasto;
using namespace elasto::test;
using Catch::Contains;

namespace {

ReferenceProblem falling() {
    ReferenceProblem problem;
    problem.network.bodies = {ball(1, {0.1, 0, 0}, {0, 0, 0}, {-9.8, 0, 0})};
    problem.network.elements = {fromOrigin(ElastoGapLaw({.c = 1e6, .d = 0}))};
    return problem;
}

const std::vector<double> kTimes = {0, 1};

}  // namespace

TEST_CASE("times must be finite, not negative and not fall") {
    for (const std::vector<double>& times : {std::vector<double>{-1, 0}, std::vector<double>{0, 2, 1},
                                             std::vector<double>{0, std::numeric_limits<double>::infinity()},
                                             std::vector<double>{std::numeric_limits<double>::quiet_NaN()}})
        CHECK_THROWS_WITH(solveReference(falling(), times), Contains("times"));
    CHECK(solveReference(falling(), std::vector<double>{}).states.empty());
    CHECK(solveReference(falling(), std::vector<double>{0}).states.size() == 1);
}

TEST_CASE("options must be in range") {
    CHECK_THROWS_WITH(solveReference(falling(), kTimes, {.rtol = 1e-15}), Contains("rtol"));
    CHECK_THROWS_WITH(solveReference(falling(), kTimes, {.rtolStiff = 1}), Contains("rtolStiff"));
    CHECK_THROWS_WITH(solveReference(falling(), kTimes, {.floor = 0}), Contains("floor"));
    CHECK_THROWS_AS(solveReference(falling(), kTimes, {.maxSteps = 10}), ReferenceError);
}

TEST_CASE("problems must fit together") {
    ReferenceProblem problem = falling();
    SECTION("an index of no body") {
        problem.network.elements[0].a = 7;
        CHECK_THROWS_WITH(solveReference(problem, kTimes), Contains("body index"));
    }
    SECTION("an element that can move nothing") {
        problem.network.elements[0].b = kWorld;
        CHECK_THROWS_AS(solveReference(problem, kTimes), InvalidParameter);
    }
    SECTION("drives of other bodies") {
        problem.drives.resize(2);
        CHECK_THROWS_WITH(solveReference(problem, kTimes), Contains("drives"));
    }
    SECTION("damping of 1 would be infinite") {
        problem.drives.resize(1);
        problem.drives[0].linearDamping = 1;
        CHECK_THROWS_WITH(solveReference(problem, kTimes), Contains("linearDamping"));
    }
}

TEST_CASE("what the reference does not know is refused by name") {
    ReferenceProblem problem = falling();
    SECTION("contacts of shapes") {
        problem.network.contacts.emplace_back();
        CHECK_THROWS_WITH(solveReference(problem, kTimes), Contains("contacts of shapes"));
    }
    SECTION("rows of the flow that stand for motors") {
        problem.network.bounded.emplace_back();
        CHECK_THROWS_WITH(solveReference(problem, kTimes), Contains("limits and motors as rows"));
    }
    SECTION("loads that change inside a tick") {
        problem.network.changes.emplace_back();
        CHECK_THROWS_WITH(solveReference(problem, kTimes), Contains("changes of loads"));
    }
    SECTION("coordinates of multibodies") {
        problem.network.elements[0].geometry = Geometry::EulerAngle;
        CHECK_THROWS_WITH(solveReference(problem, kTimes), Contains("Euler angles"));
    }
    SECTION("gear pairs that stick") {
        problem.network.elements[0].law = FrictionLaw({.F_Coulomb = 1});
        problem.network.elements[0].geometry = Geometry::AboutAxis;
        problem.network.elements[0].geared.ratio = 2;
        CHECK_THROWS_WITH(solveReference(problem, kTimes), Contains("gear pairs with the law of dry friction"));
    }
    SECTION("limits whose ends are the wrong way round, or that give back more than all") {
        ReferenceLimit limit;
        limit.b = 0;
        limit.lower = 1;
        problem.limits = {limit};
        CHECK_THROWS_WITH(solveReference(problem, kTimes), Contains("limit's upper"));
        problem.limits[0].upper = 2;
        problem.limits[0].restitution = 1.5;
        CHECK_THROWS_WITH(solveReference(problem, kTimes), Contains("restitution"));
    }
}

TEST_CASE("a load that is not finite ends with an error that says when") {
    ReferenceProblem problem = falling();
    problem.drives.resize(1);
    problem.drives[0].force = [](double t) {
        return Eigen::Vector3d(t < 0.05 ? 0 : std::numeric_limits<double>::quiet_NaN(), 0, 0);
    };
    CHECK_THROWS_WITH(solveReference(problem, kTimes), Contains("t = 0.0"));
}
