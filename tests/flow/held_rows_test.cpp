// Gradients and second derivatives of joints' rows against differences.

#include "random_bodies.h"

#include <held_rows.h>

#include <catch2/catch.hpp>

using namespace elasto;
using namespace elasto::flow;
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
    }
}
