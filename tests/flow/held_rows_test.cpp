// Gradients and second derivatives of joints' rows against differences.

#include "random_bodies.h"

#include "constraints/held_rows.h"

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
    const RowMeasure now = measureHeld(row, a, b);
    const RowMeasure before = measureHeld(row, later(a, -t), later(b, -t));
    const RowMeasure after = measureHeld(row, later(a, t), later(b, t));
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
        limit.geometry = Geometry::SwingClearance;
        checkDerivatives(limit, a, b, true);
    }
}

TEST_CASE("rates and second derivatives of geared rows are those of their values", "[flow][joints]") {
    RandomNumbers random(3);
    for (int i = 0; i < 50; ++i) {
        std::vector<Motion> motions;
        for (int k = 0; k < 4; ++k) motions.push_back(randomMotion(random));
        BoundedRow limit;
        limit.kind = BoundedRow::Kind::Limit;
        limit.a = 0;
        limit.b = 1;
        limit.pointA = randomVector(random, 1);
        limit.pointB = randomVector(random, 1);
        limit.axis = randomVector(random, 1).normalized();
        limit.frameA = randomRotation(random);
        limit.frameB = randomRotation(random);
        limit.geared.ratio = -1.7;
        limit.geared.b = 3;
        limit.geared.pointA = randomVector(random, 1);
        limit.geared.pointB = randomVector(random, 1);
        limit.geared.axis = randomVector(random, 1).normalized();
        limit.geared.frameA = randomRotation(random);
        limit.geared.frameB = randomRotation(random);
        limit.geared.carrierFrame = motions[0].q * Eigen::Quaterniond(Eigen::AngleAxisd(0.2, Vector3d::UnitY()));
        for (const Geometry own : {Geometry::AlongAxis, Geometry::AboutAxis}) {
            for (const Geometry second : {Geometry::AlongAxis, Geometry::AboutAxis}) {
                for (const int carrier : {2, 0}) {
                    limit.geometry = own;
                    limit.geared.geometry = second;
                    limit.geared.a = carrier;
                    limit.geared.carried = carrier == 0 ? 0.6 : 0;
                    const auto at = [&](double t) {
                        return measureHeld(limit,
                                           [&](int body) { return later(motions[static_cast<std::size_t>(body)], t); });
                    };
                    const double t = 1e-5;
                    const RowMeasure now = at(0), before = at(-t), after = at(t);
                    CHECK((after.value - before.value) / (2 * t) == Approx(now.rate).margin(1e-7));
                    CHECK((after.rate - before.rate) / (2 * t) == Approx(now.gamma).margin(2e-6));
                    double rate = 0;
                    forEachEnd(limit, now, [&](int body, const Vector3d& linear, const Vector3d& angular) {
                        const Motion& motion = motions[static_cast<std::size_t>(body)];
                        rate += linear.dot(motion.v) + angular.dot(motion.w);
                    });
                    CHECK(rate == Approx(now.rate).margin(1e-12));
                }
            }
        }
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
                CHECK(measureOwnRow(row, a, b, 0).s == Approx(angles[k]).margin(1e-12));
                CHECK(measureOwnRow(row, a, b, 6).s ==
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
            return measureOwnRow(row, a, Motion(), 0).s;
        };
        CHECK(at(limit) == Approx(0).margin(1e-14));
        CHECK(at(0) == Approx(0.25));
        CHECK(at(0.5 * limit) == Approx(0.25 * 0.75));
        CHECK(at(1e-3 * limit) == Approx(0.25 * (1 - 1e-6)).epsilon(1e-13));
    }
}

TEST_CASE("a swing's clearance is the angle that is left to its cone", "[flow]") {
    FlowElement element{ElastoGapLaw({.c = 1, .d = 0})};
    element.geometry = Geometry::SwingClearance;
    element.spans = {0.5, 0.9};
    const auto at = [&](const Vector3d& axis, double angle) {
        Motion a;
        a.q = Eigen::AngleAxisd(angle, axis) * Eigen::AngleAxisd(2.5, Vector3d::UnitX());
        return measureOwnRow(element, a, Motion(), 0);
    };
    for (int i = 0; i < 16; ++i) {
        const double direction = i * M_PI / 8;
        const Vector3d axis(0, std::cos(direction), std::sin(direction));
        const double limit = 1 / std::hypot(axis.y() / 0.5, axis.z() / 0.9);
        for (const double angle : {1e-6, 0.1, 0.7, 1.5, 2.5, 3.}) {
            const flow::Row row = at(axis, angle);
            CHECK(row.s == Approx(limit - angle).margin(1e-9));
            CHECK(row.angularA.dot(axis) == Approx(-1).epsilon(1e-6));
        }
        CHECK(at(axis, 0).s == Approx(0.5));
    }
    // A span that stands for none leaves a band about the other axis, and no number that is out of bounds.
    element.spans = {0.5, 1e18};
    CHECK(at(Vector3d::UnitY(), 0.7).s == Approx(0.5 - 0.7));
    CHECK(at(Vector3d::UnitZ(), 0.7).s == Approx(2 * M_PI - 0.7));
    CHECK(at(Vector3d(0, 0.6, 0.8), 0.7).s == Approx(0.5 / 0.6 - 0.7));
}

TEST_CASE("joints that hold a point are solved as their rows are one by one", "[flow][joints]") {
    // A chain of ball joints, hinges and one locked joint, a ring and a driven carrier: once as joints are made, once
    // with rows so mixed that no three of a joint follow one another.
    RandomNumbers random(7);
    for (int i = 0; i < 20; ++i) {
        FlowNetwork network;
        for (int k = 0; k < 6; ++k) {
            FlowBody body = FlowBody::rigid(random.uniform(0.5, 2), Vector3d(1, 1.2, 1.5) * random.uniform(0.1, 1));
            const Motion motion = randomMotion(random);
            body.position = motion.x;
            body.orientation = motion.q;
            body.velocity = motion.v;
            body.angularVelocity = motion.w;
            network.bodies.push_back(body);
        }
        network.bodies[5].inverseMass = 0;
        network.bodies[5].inverseInertia.setZero();
        network.bodies[3].linearFactor = {1, 0.5, 0};
        network.bodies[2].angularFactor = {1, 0, 2};
        const auto join = [&](int a, int b, int rowsOfTurning, double offset) {
            const Eigen::Quaterniond frame = randomRotation(random);
            HeldRow row;
            row.a = a;
            row.b = b;
            row.pointA = randomVector(random, 1);
            row.pointB = randomVector(random, 1);
            row.offset = offset;
            for (int k = 0; k < 3; ++k) {
                row.axisA = frame * Vector3d::Unit(k);
                network.joints.push_back(row);
            }
            row.kind = HeldRow::Kind::Orthogonal;
            for (int k = 0; k < rowsOfTurning; ++k) {
                row.axisA = randomVector(random, 1).normalized();
                row.axisB = randomVector(random, 1).normalized();
                network.joints.push_back(row);
            }
        };
        join(kWorld, 0, 0, 0);
        join(0, 1, 2, 0);
        join(2, 1, 0, 0);
        join(2, 3, 3, 0.1);
        join(3, 0, 0, 0);
        join(4, 5, 1, 0);
        join(4, 3, 0, 0);
        FlowNetwork mixed = network;
        std::vector<std::size_t> placeOf(network.joints.size());
        const std::size_t step = 5;
        REQUIRE(placeOf.size() % step != 0);
        for (std::size_t k = 0; k < placeOf.size(); ++k) {
            placeOf[k] = k * step % placeOf.size();
            mixed.joints[placeOf[k]] = network.joints[k];
        }
        const BodyKinematics bodies = BodyKinematics::of(network);
        HeldRows joints(network), rows(mixed);
        joints.place(bodies);
        rows.place(bodies);
        std::vector<Vector6> some;
        for (std::size_t k = 0; k < network.bodies.size(); ++k) {
            some.emplace_back() << randomVector(random, 5), randomVector(random, 5);
        }
        some[5].setZero();
        const auto checkSame = [&](const Eigen::VectorXd& one, const Eigen::VectorXd& other, double tolerance) {
            REQUIRE(one.size() == other.size());
            const double size = 1 + other.lpNorm<Eigen::Infinity>();
            for (std::size_t k = 0; k < placeOf.size(); ++k) {
                const double difference =
                    one[static_cast<Eigen::Index>(k)] - other[static_cast<Eigen::Index>(placeOf[k])];
                CHECK(std::abs(difference) < tolerance * size);
            }
        };
        checkSame(joints.values(), rows.values(), 1e-14);
        checkSame(joints.rates(), rows.rates(), 1e-14);
        checkSame(joints.along(some), rows.along(some), 1e-14);
        for (std::size_t k = 0; k < placeOf.size(); ++k) {
            const RowMeasure one = joints.measure(k);
            const RowMeasure other = rows.measure(placeOf[k]);
            CHECK(one.value == Approx(other.value).margin(1e-14));
            CHECK(one.rate == Approx(other.rate).margin(1e-13));
            CHECK(one.gamma == Approx(other.gamma).margin(1e-12));
            CHECK((one.linear - other.linear).norm() < 1e-14);
            CHECK((one.angularA - other.angularA).norm() < 1e-14);
            CHECK((one.angularB - other.angularB).norm() < 1e-14);
        }
        std::vector<Vector6> byJoints = some, byRows = some;
        joints.keep(byJoints, true);
        rows.keep(byRows, true);
        Eigen::VectorXd forces, others;
        joints.keptForces(forces);
        rows.keptForces(others);
        // The ring is nearly locked in some places, where rounding shows: forces of 1e7 of accelerations of 10.
        checkSame(forces, others, 1e-8);
        for (std::size_t k = 0; k < some.size(); ++k)
            CHECK((byJoints[k] - byRows[k]).norm() <= 1e-7 * byRows[k].norm());
        // What they ask for is met.
        Eigen::VectorXd kept = rows.along(byRows);
        for (std::size_t k = 0; k < placeOf.size(); ++k) {
            CHECK(std::abs(kept[static_cast<Eigen::Index>(k)] + rows.measure(k).gamma) < 1e-9 * others.norm());
        }
        byJoints = byRows = some;
        joints.hold(byJoints);
        rows.hold(byRows);
        for (std::size_t k = 0; k < some.size(); ++k) CHECK((byJoints[k] - byRows[k]).norm() < 1e-7);
        CHECK(joints.along(byJoints).lpNorm<Eigen::Infinity>() < 1e-9);
    }
}
