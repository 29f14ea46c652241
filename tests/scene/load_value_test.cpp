#include <elasto/scene/start.h>

#include <catch2/catch.hpp>

#include <cmath>

using namespace elasto;

namespace {

SceneLoad load(TimeCourse::Type type) {
    SceneLoad result;
    result.type = type;
    result.vector = {2, 0, -4};
    return result;
}

double x(const SceneLoad& load, double t) {
    const Eigen::Vector3d value = loadValue(load, t);
    CHECK(value[2] == -2 * value[0]);
    return value[0];
}

}  // namespace

TEST_CASE("a constant load acts from its start time on") {
    SceneLoad constant = load(TimeCourse::Type::Constant);
    CHECK(x(constant, 0) == 2);
    constant.startTime = 0.5;
    CHECK(x(constant, 0.49) == 0);
    CHECK(x(constant, 0.5) == 2);
}

TEST_CASE("a sine load is Modelica's Sine block") {
    SceneLoad sine = load(TimeCourse::Type::Sine);
    sine.frequency = 2;
    sine.phase = 0.3;
    sine.offset = 0.25;
    sine.startTime = 0.5;
    CHECK(x(sine, 0.2) == 2 * 0.25);
    CHECK(x(sine, 0.5) == Approx(2 * (0.25 + std::sin(0.3))));
    CHECK(x(sine, 0.6) == Approx(2 * (0.25 + std::sin(2 * 3.14159265358979 * 2 * 0.1 + 0.3))));
}

TEST_CASE("a table load is linear between its points and held outside") {
    SceneLoad table = load(TimeCourse::Type::Table);
    table.points = {{1, 3}, {2, 5}, {4, -1}};
    CHECK(x(table, 0) == 6);
    CHECK(x(table, 1) == 6);
    CHECK(x(table, 1.5) == Approx(8));
    CHECK(x(table, 2) == 10);
    CHECK(x(table, 3) == Approx(4));
    CHECK(x(table, 4) == -2);
    CHECK(x(table, 9) == -2);
    table.points = {{1, 3}};
    CHECK(x(table, 0) == 6);
    CHECK(x(table, 2) == 6);
}

TEST_CASE("the slope of a course is its rate, which a jump does not have") {
    TimeCourse constant;
    constant.startTime = 1;
    CHECK(constant.slope(0.999) == 0);
    CHECK(constant.slope(1) == 0);
    TimeCourse sine;
    sine.type = TimeCourse::Type::Sine;
    sine.frequency = 2;
    sine.phase = 0.3;
    sine.startTime = 0.5;
    CHECK(sine.slope(0.2) == 0);
    CHECK(sine.slope(0.6) == Approx((sine.factor(0.6 + 1e-6) - sine.factor(0.6 - 1e-6)) / 2e-6));
    TimeCourse table;
    table.type = TimeCourse::Type::Table;
    table.points = {{1, 3}, {2, 5}, {2, 0}, {4, -1}};
    CHECK(table.slope(0.5) == 0);
    CHECK(table.slope(1) == 2);
    CHECK(table.slope(1.9) == 2);
    CHECK(table.slope(2) == -0.5);  // from there on
    CHECK(table.slope(4) == 0);
}

TEST_CASE("a table jumps where two points have one time, and a constant load ends") {
    SceneLoad table = load(TimeCourse::Type::Table);
    table.points = {{1, 3}, {1, 5}, {2, 5}, {2, 0}};
    CHECK(x(table, 0.5) == 2 * 3);
    CHECK(x(table, 1) == 2 * 5);
    CHECK(x(table, 1.5) == 2 * 5);
    CHECK(x(table, 2) == 2 * 0);
    CHECK(table.nextBreak(0) == 1);
    CHECK(table.nextBreak(1) == 2);
    CHECK(std::isinf(table.nextBreak(2)));
    SceneLoad constant = load(TimeCourse::Type::Constant);
    constant.startTime = 1;
    constant.endTime = 2;
    CHECK(x(constant, 0.999) == 2 * 0);
    CHECK(x(constant, 1) == 2 * 1);
    CHECK(x(constant, 2) == 2 * 0);
    CHECK(constant.nextBreak(0) == 1);
    CHECK(constant.nextBreak(1) == 2);
    CHECK(std::isinf(constant.nextBreak(2)));
}

TEST_CASE("a load's wrench is about the centre of mass, in world axes") {
    SceneBody body;
    body.centreOfMass = {0.5, 0, 0};
    SceneLoad force = load(TimeCourse::Type::Constant);  // (2, 0, -4)
    const Eigen::Quaterniond quarter(Eigen::AngleAxisd(M_PI / 2, Eigen::Vector3d::UnitZ()));
    const auto wrench = [&] { return loadWrench(body, force, quarter, 1); };
    LoadValue expected;
    expected << 2, 0, -4, 0, 0, 0;
    CHECK(wrench().isApprox(expected));
    force.point = {1.5, 0, 0};  // one metre from the centre of mass, along world y
    expected << 2, 0, -4, -4, 0, -2;
    CHECK(wrench().isApprox(expected));
    force.resolveInFrame = SceneLoad::Axes::Body;
    expected << 0, 2, -4, -4, 0, 0;
    CHECK(wrench().isApprox(expected));
    force.quantity = SceneLoad::Quantity::Torque;
    force.point.reset();
    expected << 0, 0, 0, 0, 2, -4;
    CHECK(wrench().isApprox(expected));
}
