// Heavy and light bodies on each other and on springs: implicit ticks that come to an end, and bodies that come out of
// each other.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "contact_scenes.h"

using namespace elasto;
using namespace elasto::test;

namespace {

template <class Element, class Parameters>
void addBelow(TestWorld& world, btRigidBody& plate, double x, double y, double z, const Parameters& parameters) {
    world.add<Element>(Placement::alongAxis(Placement::world(), plate, Eigen::Vector3d(x, 0, z),
                                            Eigen::Vector3d(x, y, z), Eigen::Vector3d::UnitY()),
                       parameters);
}

// A plate of 2 m and 1 kg on four stops under its corners, and a box of 1 m that falls on it from 15 cm. The plate only
// moves upwards and tilts: stops that only push do not keep it from being shot out from under the box.
class HeavyOnPlate {
public:
    HeavyOnPlate(double mass, double c, double offset) {
        addFloor(world);
        plate = &world.body(1, new btBoxShape(vec(1, 0.05, 1)), at(0, 0.6, 0));
        plate->setLinearFactor(vec(0, 1, 0));
        const double d = 0.1 * std::sqrt(c * mass / 4);
        for (const double x : {-0.9, 0.9}) {
            for (const double z : {-0.9, 0.9}) {
                addBelow<ElastoGap>(world, *plate, x, 0, z, ElastoGapParameters{.c = c, .d = d, .s_rel0 = 0.5});
            }
        }
        box = &world.body(mass, new btBoxShape(vec(0.5, 0.5, 0.5)), at(offset, 1.3, 0));
    }

    TestWorld world;
    btRigidBody* plate;
    btRigidBody* box;
};

// Balls in a square net of springs, fixed all around, and a box that falls on it.
class Net {
public:
    Net(int side, double c, double d, double mass) {
        addFloor(world);
        const double spacing = 1. / (side - 1);
        const SpringDamperParameters spring{.c = c, .d = d, .s_rel0 = 0.9 * spacing};
        std::vector<btRigidBody*> balls;
        for (int i = 0; i < side; ++i) {
            for (int k = 0; k < side; ++k) {
                const double x = spacing * i - 0.5, z = spacing * k - 0.5;
                btRigidBody& ball = world.ball(0.3, x, 1, z, 0.1);
                balls.push_back(&ball);
                const auto tie = [&](int to) {
                    world.add<SpringDamperParallel>(*balls[static_cast<std::size_t>(to)], ball, vec(0, 0, 0),
                                                    vec(0, 0, 0), spring);
                };
                if (i > 0) tie((i - 1) * side + k);
                if (k > 0) tie(i * side + k - 1);
                if (i > 0 && k > 0 && i < side - 1 && k < side - 1) continue;
                world.add<SpringDamperParallel>(ball, vec(0, 0, 0), vec(1.5 * x, 1, 1.5 * z),
                                                SpringDamperParameters{.c = c, .d = d, .s_rel0 = 0.1});
            }
        }
        box = &world.body(mass, new btBoxShape(vec(0.2, 0.2, 0.2)), at(0, 1.5, 0));
    }

    TestWorld world;
    btRigidBody* box;
};

}  // namespace

TEST_CASE("a heavy box comes to rest on a light plate on stiff stops", "[slow]") {
    const double mass = GENERATE(1e2, 1e3);
    const double c = GENERATE(1e7, 1e8);
    const double offset = GENERATE(0.1, 0.3);  // it slides by half a metre while it bounces, at any rate
    CAPTURE(mass, c, offset);
    HeavyOnPlate scene(mass, c, offset);
    double least = 0, largest = 0;
    for (int i = 0; i < 240; ++i) {
        scene.world.tick();
        for (int m = 0; m < scene.world.dispatcher.getNumManifolds(); ++m) {
            const btPersistentManifold* manifold = scene.world.dispatcher.getManifoldByIndexInternal(m);
            for (int k = 0; k < manifold->getNumContacts(); ++k) {
                const auto impulse = static_cast<double>(manifold->getContactPoint(k).m_appliedImpulse);
                least = std::min(least, impulse);
                largest = std::max(largest, impulse);
            }
        }
    }
    CHECK(least >= -1e-3 * largest);
    // Undamped corners rock on.
    CHECK(heightOf(*scene.box) == Approx(1.05).margin(0.003));
    CHECK(heightOf(*scene.plate) == Approx(0.5).margin(0.003));
}

TEST_CASE("what falls into a net of springs sinks in, although ticks end implicitly", "[slow]") {
    const double c = GENERATE(4e3, 4e4);
    CAPTURE(c);
    Net net(5, c, 5, 5);
    double height = 0;
    for (int i = 0; i < 240; ++i) {
        net.world.tick();
        if (i >= 120) height += heightOf(*net.box) / 120;
    }
    CHECK(net.world.plugin->totals().implicit > 20);
    // At 960 Hz it lies at 1.272 and 1.298 m after three seconds.
    CHECK(height == Approx(c < 1e4 ? 1.272 : 1.298).margin(0.04));
}

TEST_CASE("a crate comes out of a plate on springs or stops, which it does not press down", "[slow]") {
    const double rate = GENERATE(30., 60.);
    const double c = GENERATE(1e4, 1e6);
    const bool onStops = GENERATE(false, true);
    CAPTURE(rate, c, onStops);
    TestWorld world;
    addFloor(world);
    btRigidBody& plate = world.body(10, new btBoxShape(vec(0.8, 0.04, 0.8)), at(0, 0.6, 0));
    const double d = 0.1 * std::sqrt(c * 11 / 4);
    for (const double x : {-0.7, 0.7}) {
        for (const double z : {-0.7, 0.7}) {
            if (onStops) {
                addBelow<ElastoGap>(world, plate, x, -0.04, z, ElastoGapParameters{.c = c, .d = d, .s_rel0 = 0.56});
            } else {
                addBelow<SpringDamperParallel>(world, plate, x, -0.04, z,
                                               SpringDamperParameters{.c = c, .d = d, .s_rel0 = 0.56});
            }
        }
    }
    btRigidBody& crate = world.body(1, new btBoxShape(vec(0.12, 0.12, 0.12)), at(0.03, 1.1, 0.02));
    world.tick(static_cast<int>(6 * rate), rate);
    const btVector3 place = plate.getWorldTransform().inverse() * crate.getWorldTransform().getOrigin();
    CHECK(static_cast<double>(place.y()) == Approx(0.16).margin(5e-4));
}

TEST_CASE("boxes that fell into each other come out, although a soft spring holds the lowest") {
    TestWorld world;
    addFloor(world);
    constexpr int kBoxes = 4;
    btRigidBody* top = nullptr;
    for (int i = 0; i < kBoxes; ++i) {
        top = &world.body(2, new btBoxShape(vec(0.2, 0.2, 0.2)), at(0, 0.2 + 0.4 * i + 0.3 * (i + 1), 0));
        if (i > 0) continue;
        world.add<SpringDamperParallel>(*top, vec(0, 0, 0), vec(0, 2, 0),
                                        SpringDamperParameters{.c = 10, .d = 1, .s_rel0 = 1.8});
    }
    world.tick(300);
    CHECK(heightOf(*top) == Approx(0.4 * kBoxes - 0.2).margin(1e-3));
}

TEST_CASE("contact begins and ends in turns, and as contact() says, also beside other contacts") {
    const double rate = GENERATE(30., 60., 240.);
    CAPTURE(rate);
    TestWorld world;
    addFloor(world);
    btRigidBody& crate = world.body(2, new btBoxShape(vec(0.2, 0.2, 0.2)), at(0, 0.5, 0));
    btRigidBody& upper = world.body(2, new btBoxShape(vec(0.2, 0.2, 0.2)), at(0.05, 0.95, 0));
    auto& stop = world.add<ElastoGap>(Placement::alongAxis(Placement::world(), crate, Eigen::Vector3d::Zero(),
                                                           Eigen::Vector3d(0, -0.2, 0), Eigen::Vector3d::UnitY()),
                                      ElastoGapParameters{.c = 1e4, .d = 10, .s_rel0 = 0.25});
    world.add<Spring>(crate, upper, vec(0, 0, 0), vec(0, 0, 0), 100., 0.4);
    bool touches = stop.contact();
    int events = 0, wrong = 0;
    const auto hear = [&](bool begins) {
        return [&, begins](ForceElement&, const ContactInfo&) {
            ++events;
            if (touches == begins) ++wrong;
            touches = begins;
        };
    };
    stop.onContactBegin(hear(true));
    stop.onContactEnd(hear(false));
    for (int i = 0; i < static_cast<int>(rate); ++i) {
        world.tick(1, rate);
        if (touches != stop.contact()) ++wrong;
    }
    CHECK(events > 3);
    CHECK(wrong == 0);
}
