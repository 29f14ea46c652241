// Gradients and second derivatives of joints' rows against differences.

#include "random_bodies.h"

#include <held_rows.h>

#include <catch2/catch.hpp>

#include <cmath>

using namespace elasto;
using namespace elasto::flow;
using Eigen::Vector3d;
using elasto::test::RandomNumbers;
using elasto::test::randomRotation;
using elasto::test::randomVector;

namespace {

Motion randomMotion(RandomNumbers& random) {
    return {randomVector(random, 1), randomRotation(random), randomVector(random, 2), randomVector(random, 3)};
}

// Both bodies go on with their velocities.
Motion later(Motion motion, double t) {
    motion.x += t * motion.v;
    motion.q = turned(motion.q, t * motion.w);
    return motion;
}

template <class AnyRow>
void checkDerivatives(const AnyRow& row, const Motion& a, const Motion& b, bool hasValue) {
    const double t = 1e-5;
    const HeldMeasure now = measureHeld(row, a, b);
    const HeldMeasure before = measureHeld(row, later(a, -t), later(b, -t));
    const HeldMeasure after = measureHeld(row, later(a, t), later(b, t));
    if (hasValue) CHECK((after.value - before.value) / (2 * t) == Approx(now.rate).margin(1e-7));
    CHECK((after.rate - before.rate) / (2 * t) == Approx(now.gamma).margin(1e-6));
    CHECK(now.linear.dot(b.v - a.v) + now.angularB.dot(b.w) + now.angularA.dot(a.w) == Approx(now.rate).margin(1e-12));
}

}  // namespace

TEST_CASE("rates and second derivatives of all rows are those of their values", "[flow][joints]") {
    RandomNumbers random(1);
    for (int i = 0; i < 50; ++i) {
        const Motion a = randomMotion(random);
        const Motion b = randomMotion(random);
        HeldRow held;
        held.pointA = randomVector(random, 1);
        held.pointB = randomVector(random, 1);
        held.axisA = randomVector(random, 1).normalized();
        held.axisB = randomVector(random, 1).normalized();
        held.offset = 0.3;
        held.ratio = -1.7;
        for (const HeldRow::Kind kind : {HeldRow::Kind::AlongAxis, HeldRow::Kind::Orthogonal, HeldRow::Kind::Gear}) {
            held.kind = kind;
            checkDerivatives(held, a, b, kind != HeldRow::Kind::Gear);
        }
        BoundedRow limit;
        limit.kind = BoundedRow::Kind::Limit;
        limit.pointA = held.pointA;
        limit.pointB = held.pointB;
        limit.frameA = randomRotation(random);
        limit.frameB = randomRotation(random);
        limit.axis = held.axisA;
        limit.bound = 0.2;
        for (const Geometry geometry : {Geometry::AlongAxis, Geometry::AboutAxis}) {
            limit.geometry = geometry;
            checkDerivatives(limit, a, b, true);
        }
        limit.geometry = Geometry::EulerAngle;
        for (limit.turns.first = 0; limit.turns.first < 3; ++limit.turns.first) {
            limit.turns.last = (limit.turns.first + 1 + i % 2) % 3;
            for (limit.turns.about = 0; limit.turns.about < 3; ++limit.turns.about) {
                checkDerivatives(limit, a, b, true);
            }
        }
        limit.geometry = Geometry::SwingCone;
        limit.spans = {0.7, 1.3};
        checkDerivatives(limit, a, b, true);
    }
}

TEST_CASE("Euler angles are those of the turns, one after another", "[flow][joints]") {
    RandomNumbers random(2);
    BoundedRow row;
    row.geometry = Geometry::EulerAngle;
    for (int first = 0; first < 3; ++first) {
        for (const int step : {1, 2}) {
            row.turns.first = first;
            row.turns.last = (first + step) % 3;
            const int axes[] = {row.turns.first, row.turns.middle(), row.turns.last};
            const Vector3d angles = randomVector(random, 1.4);
            Motion a = randomMotion(random);
            Motion b;
            b.q = a.q;
            for (int k = 0; k < 3; ++k) b.q = b.q * Eigen::AngleAxisd(angles[k], Vector3d::Unit(axes[k]));
            for (int k = 0; k < 3; ++k) {
                row.turns.about = axes[k];
                CHECK(measureRow(row, a, b, 0).s == Approx(angles[k]).margin(1e-12));
                CHECK(measureRow(row, a, b, 6).s ==
                      Approx(angles[k] + 2 * M_PI * std::round((6 - angles[k]) / (2 * M_PI))));
            }
        }
    }
}

TEST_CASE("a swing on its cone is at the bound", "[flow][joints]") {
    BoundedRow row;
    row.geometry = Geometry::SwingCone;
    row.kind = BoundedRow::Kind::Limit;
    row.spans = {0.5, 0.9};
    for (int i = 0; i < 16; ++i) {
        const double direction = i * M_PI / 8;
        const Vector3d axis(0, std::cos(direction), std::sin(direction));
        const double limit = 1 / std::hypot(axis.y() / 0.5, axis.z() / 0.9);
        const auto at = [&](double angle) {
            Motion a;
            a.q = Eigen::AngleAxisd(angle, axis) * Eigen::AngleAxisd(2.5, Vector3d::UnitX());
            return measureRow(row, a, Motion(), 0).s;
        };
        CHECK(at(limit) == Approx(0).margin(1e-14));
        CHECK(at(0) == Approx(0.25));
        CHECK(at(0.5 * limit) == Approx(0.25 * 0.75));
        CHECK(at(1e-3 * limit) == Approx(0.25 * (1 - 1e-6)).epsilon(1e-13));
    }
}
