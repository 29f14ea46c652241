#pragma once
// Random bodies in space under random elements of every kind and geometry, far beyond what a sensible scene holds.

#include "random_numbers.h"

#include <elasto/flow.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

namespace elasto::test {

struct RandomBodies {
    FlowNetwork network;
    double h = 0;
    std::string text;  ///< what it is made of
};

inline Eigen::Vector3d randomVector(RandomNumbers& random, double size) {
    const double x = random.uniform(-size, size);
    const double y = random.uniform(-size, size);
    return {x, y, random.uniform(-size, size)};
}

inline Eigen::Quaterniond randomRotation(RandomNumbers& random) {
    Eigen::Quaterniond q(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    return q.normalized();
}

inline FlowBody randomBody(RandomNumbers& random, const Eigen::Vector3d& gravity) {
    const double m = random.logarithmic(-4, 4);
    // Principal moments that a body can have: x + y, y + z, z + x.
    const double x = m * random.logarithmic(-4, 0);
    const double y = m * random.logarithmic(-4, 0);
    const double z = m * random.logarithmic(-4, 0);
    FlowBody body = FlowBody::rigid(m, {x + y, y + z, z + x});
    if (random.chance(0.3)) body.inverseInertia.setZero();
    body.position = randomVector(random, 1);
    body.orientation = randomRotation(random);
    body.velocity = randomVector(random, random.logarithmic(-1, 2));
    if (random.chance(0.5) && !body.inverseInertia.isZero(0)) {
        body.angularVelocity = randomVector(random, random.logarithmic(-1, 2.5));
    }
    body.force.constant = m * gravity;
    return body;
}

inline bool isEven(double x) {
    return std::fmod(std::floor(std::abs(x)), 2) == 0;
}

inline Law randomAnyLaw(RandomNumbers& random, std::string& text) {
    const double c = random.chance(0.15) ? 0 : random.logarithmic(0, random.chance(0.5) ? 12 : 6);
    const double d = random.chance(0.25) ? 0 : random.logarithmic(-2, random.chance(0.6) ? 3 : 8);
    char numbers[80];
    std::snprintf(numbers, sizeof numbers, " c=%.2g d=%.2g", c, d);
    switch (random.below(4)) {
        case 0: {
            const double n = random.chance(0.5) ? 1 : random.uniform(1, 3);
            const auto kind = static_cast<GapCharacteristic>(random.below(4));
            text += " gap n=" + std::to_string(n) + numbers;
            ElastoGapParameters gap{.c = c,
                                    .d = d,
                                    .s_rel0 = random.uniform(-0.5, 0.5),
                                    .n = n,
                                    .s_ref = random.chance(0.5) ? 1 : random.logarithmic(-3, 0),
                                    .characteristic = kind};
            // No numbers of their own, so that the other samples stay as they are.
            const bool isOther = isEven(1e4 * gap.s_rel0);
            if (isOther && kind == GapCharacteristic::LankaraniNikravesh) {
                gap.characteristic = GapCharacteristic::HuntCrossley;
            }
            if (isOther && kind == GapCharacteristic::BoundedDamper && c > 0 && n != 1) {
                text += " table";
                const double s = 0.1 * gap.s_ref;
                return BumpStopLaw({.table = ForceTable({{0, 0}, {s, c * s}, {2 * s, 5 * c * s}, {3 * s, 30 * c * s}}),
                                    .d = d,
                                    .s_rel0 = gap.s_rel0});
            }
            return ElastoGapLaw(gap);
        }
        case 1:
            text += std::string(" backlash") + numbers;
            return ElastoBacklashLaw({.c = c + 1e-3,
                                      .d = d,
                                      .b = random.chance(0.7) ? random.uniform(0, 2) : 0,
                                      .phi_rel0 = random.uniform(-1, 1),
                                      .characteristic = static_cast<BacklashCharacteristic>(random.below(3))});
        case 2:
            text += std::string(" series") + numbers;
            return SpringDamperSeriesLaw({.c = c, .d = d, .s_unstretched = random.uniform(0, 0.5)});
        default: {
            const double s_rel0 = random.uniform(-0.1, 0.3);
            if (isEven(1e4 * s_rel0)) {
                text += std::string(" bushing") + numbers;
                return BushingLaw({.c = c, .d = d, .c_slip = 3 * c + 1, .f_slip = 0.05 * c + 0.1, .s_rel0 = s_rel0});
            }
            text += std::string(" spring-damper") + numbers;
            return SpringDamperLaw({.c = c, .d = d, .s_rel0 = s_rel0});
        }
    }
}

inline RandomBodies randomBodies(unsigned long seed) {
    RandomNumbers random(seed);
    RandomBodies result;
    const double rates[] = {30, 60, 144, 240, 1000};
    result.h = 1 / rates[random.below(5)];
    const Eigen::Vector3d gravity(0, random.chance(0.5) ? -9.80665 : 0, 0);
    const int bodies = 1 + random.below(5);
    for (int i = 0; i < bodies; ++i) result.network.bodies.push_back(randomBody(random, gravity));
    const int elements = 1 + random.below(6);
    for (int i = 0; i < elements; ++i) {
        FlowElement element{randomAnyLaw(random, result.text)};
        element.geometry = static_cast<Geometry>(random.below(3));
        element.b = random.below(bodies);
        element.a = random.below(bodies + 1) - 1;
        if (element.a == element.b) element.a = kWorld;
        const double lever = random.chance(0.5) ? 0.2 : 0;
        element.pointA = randomVector(random, element.a == kWorld ? 1 : lever);
        element.pointB = randomVector(random, lever);
        element.frameA = randomRotation(random);
        element.frameB = randomRotation(random);
        element.axis = element.frameA * Eigen::Vector3d::UnitZ();
        if (element.geometry == Geometry::AboutAxis && random.chance(0.5)) {
            // A shaft: bodies that are not tilted against each other at the start.
            element.frameA.setIdentity();
            element.axis = Eigen::Vector3d::UnitZ();
            element.frameB = result.network.bodies[static_cast<std::size_t>(element.b)].orientation.conjugate();
            if (element.a != kWorld) {
                element.frameB =
                    element.frameB * result.network.bodies[static_cast<std::size_t>(element.a)].orientation;
            }
        }
        // The inertia of a point cannot be turned.
        const auto turns = [&](int body) {
            return body != kWorld && !result.network.bodies[static_cast<std::size_t>(body)].inverseInertia.isZero(0);
        };
        if (element.geometry == Geometry::AboutAxis && !turns(element.b) && !turns(element.a)) {
            element.geometry = Geometry::AlongLine;
        }
        const char* geometries[] = {"axis", "line", "about"};
        result.text += std::string(" ") + geometries[static_cast<int>(element.geometry)] + "[" +
                       std::to_string(element.a) + "," + std::to_string(element.b) + "]";
        result.network.elements.push_back(element);
    }
    return result;
}

/// Ties the bodies by random joints that fit, and gives them motors and limits: some at their bound or beyond it, some
/// without strength, some with a prescribed rate.
inline void addRandomJoints(RandomNumbers& random, RandomBodies& sample) {
    FlowNetwork& network = sample.network;
    const int bodies = static_cast<int>(network.bodies.size());
    for (int b = 0; b < bodies; ++b) {
        if (random.chance(0.3)) continue;
        const int a = b - 1;
        const FlowBody& bodyB = network.bodies[static_cast<std::size_t>(b)];
        const FlowBody world;
        const FlowBody& bodyA = a == kWorld ? world : network.bodies[static_cast<std::size_t>(a)];
        const Eigen::Quaterniond turn = randomRotation(random);
        BoundedRow row;
        row.a = a;
        row.b = b;
        row.pointB = randomVector(random, 0.3);
        row.pointA = bodyA.orientation.conjugate() * (bodyB.position + bodyB.orientation * row.pointB - bodyA.position);
        row.frameA = bodyA.orientation.conjugate() * turn;
        row.frameB = bodyB.orientation.conjugate() * turn;
        HeldRow held;
        held.a = a;
        held.b = b;
        held.pointA = row.pointA;
        held.pointB = row.pointB;
        const auto axisOf = [](const Eigen::Quaterniond& frame, int k) -> Eigen::Vector3d {
            return frame * Eigen::Vector3d::Unit(k);
        };
        const bool isSlider = random.chance(0.3);
        const bool canTurn = !bodyB.inverseInertia.isZero(0) && (a == kWorld || !bodyA.inverseInertia.isZero(0));
        for (int k = isSlider ? 1 : 0; k < 3; ++k) {
            held.axisA = axisOf(row.frameA, k);
            network.joints.push_back(held);
        }
        // About (along) x of the frames; a ball joint where the bodies cannot be turned, or by chance.
        const bool isBall = !canTurn || random.chance(0.3);
        held.kind = HeldRow::Kind::Orthogonal;
        for (int k = 1; k < 3 && !isBall; ++k) {
            held.axisA = axisOf(row.frameA, 0);
            held.axisB = axisOf(row.frameB, k);
            network.joints.push_back(held);
        }
        sample.text += isSlider ? " slider" : isBall ? " ball" : " hinge";
        row.axis = axisOf(row.frameA, 0);
        row.geometry = isSlider || !canTurn ? Geometry::AlongAxis : Geometry::AboutAxis;
        if (random.chance(0.5)) {
            row.targetRate = random.chance(0.5) ? 0 : random.uniform(-10, 10);
            row.maxForce = random.chance(0.1)   ? std::numeric_limits<double>::infinity()
                           : random.chance(0.1) ? 0
                                                : random.logarithmic(-3, 4);
            network.bounded.push_back(row);
            sample.text += " motor";
        }
        row.kind = BoundedRow::Kind::Limit;
        for (const int side : {1, -1}) {
            if (random.chance(0.4)) continue;
            row.side = side;
            row.bound = random.chance(0.3) ? 0 : -side * random.uniform(-0.01, 0.5);
            row.restitution = random.chance(0.5) ? 0 : random.uniform(0, 1);
            network.bounded.push_back(row);
            sample.text += " limit";
        }
    }
}

}  // namespace elasto::test
