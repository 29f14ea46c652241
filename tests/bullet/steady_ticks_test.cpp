// Ticks of a world in which nothing new happens allocate nothing.

#include <catch2/catch.hpp>

#include <LinearMath/btAlignedAllocator.h>

#include <cstdlib>
#include <new>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

// What the plugin and the flow take. Bullet's own memory comes from functions that can be set, and is not counted.
static long allocations = 0;

// Eigen's vectors come from malloc, everything else from operator new, which calls it.
#if defined(__GLIBC__) && !defined(ELASTO_TEST_IS_SANITIZED)
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
    ++allocations;
    return __libc_malloc(size);
}
static void* uncounted(std::size_t size) {
    return __libc_malloc(size);
}
#else
void* operator new(std::size_t size) {
    ++allocations;
    if (void* place = std::malloc(size > 0 ? size : 1)) return place;
    throw std::bad_alloc();
}
void operator delete(void* place) noexcept {
    std::free(place);
}
void operator delete(void* place, std::size_t) noexcept {
    std::free(place);
}
static void* uncounted(std::size_t size) {
    return std::malloc(size);
}
#endif

namespace {

/// Ticks in which everything that happens in a scene has happened once.
constexpr int kSteady = 150;

long allocationsOf(TestWorld& world) {
    world.tick(kSteady);
    const long before = allocations;
    world.tick(kSteady);
    return allocations - before;
}

class BulletUncounted {
public:
    BulletUncounted() { btAlignedAllocSetCustom(uncounted, std::free); }
    ~BulletUncounted() { btAlignedAllocSetCustom(std::malloc, std::free); }
    BulletUncounted(const BulletUncounted&) = delete;
    BulletUncounted& operator=(const BulletUncounted&) = delete;
};

constexpr int kMany = 40;

void isolatedGaps(TestWorld& world, double height, const ElastoGapParameters& parameters) {
    for (int i = 0; i < kMany; ++i) {
        btRigidBody& ball = world.ball(0.2, i, height * (1 + 0.01 * i), 0);
        world.add<ElastoGap>(ball, upwards(), upwards(i, 0, 0), parameters);
    }
}

btRigidBody& door(TestWorld& world) {
    btRigidBody& door = world.body(1, new btBoxShape(vec(0.5, 0.02, 0.02)), at(0.5, 0, 0));
    auto hinge = std::make_unique<btHingeConstraint>(door, vec(-0.5, 0, 0), vec(0, 0, 1));
    world.world->addConstraint(hinge.get(), true);
    world.elements.push_back(std::move(hinge));
    return door;
}

/// Boxes on the ground, the top one pressed down through a gap or, without, far out of an element's reach.
/// @return the top one
btRigidBody& stack(TestWorld& world, int boxes, bool isPressed) {
    world.body(0, new btBoxShape(vec(5, 0.5, 5)), at(0, -0.5, 0));
    btRigidBody* top = nullptr;
    for (int i = 0; i < boxes; ++i) top = &world.box(1, 0, 0.5 + i, 0, 0.5);
    const btQuaternion down(vec(0, 0, 1), -SIMD_HALF_PI);
    const double s_rel0 = isPressed ? 3.5 + 1e-3 : 0;
    world.add<ElastoGap>(*top, btTransform(down), btTransform(down, vec(0, boxes + 3, 0)),
                         ElastoGapParameters{.c = 1e6, .d = 0, .s_rel0 = s_rel0});
    return *top;
}

/// A force that is another one in every tick, so that none is solved by recalling the one before.
void pushAnew(TestWorld& world, btRigidBody& body) {
    const auto push = [](btDynamicsWorld* of, btScalar) {
        static int ticks = 0;
        auto& pushed = *static_cast<btRigidBody*>(of->getWorldUserInfo());
        pushed.applyCentralForce(vec(0, -1 - 0.1 * (ticks++ % 7), 0));
    };
    world.world->setInternalTickCallback(push, &body, true);
}

}  // namespace

TEST_CASE("steady ticks of isolated gaps allocate nothing", "[steady-ticks]") {
    const BulletUncounted guard;
    TestWorld world;
    SECTION("in flight") {
        isolatedGaps(world, 1e4, {.c = 1e6, .d = 5});
    }
    SECTION("resting") {
        isolatedGaps(world, 0, {.c = 1e6, .d = 50});
    }
    SECTION("bouncing") {
        isolatedGaps(world, 0.3, {.c = 1e6, .d = 0});
    }
    CHECK(allocationsOf(world) == 0);
    CHECK(world.plugin->totals().elements == 2 * kSteady * kMany);
}

TEST_CASE("steady ticks of bodies that fly allocate nothing", "[steady-ticks]") {
    const BulletUncounted guard;
    TestWorld world;
    world.plugin->setFreeFlight(true);
    for (int i = 0; i < kMany; ++i) {
        btRigidBody& box = world.body(1, new btBoxShape(vec(0.1, 0.2, 0.3)), at(i, 1e4, 0));
        box.setAngularVelocity(vec(1, i % 3, 2));
    }
    CHECK(allocationsOf(world) == 0);
    CHECK(world.plugin->totals().flying == 2 * kSteady * kMany);
}

TEST_CASE("steady ticks of series and backlash elements allocate nothing", "[steady-ticks]") {
    const BulletUncounted guard;
    TestWorld world;
    for (int i = 0; i < kMany; ++i) {
        btRigidBody& ball = world.ball(0.2, i, 0.1, 0);
        if (i % 2 == 0) {
            world.add<SpringDamperSeries>(Placement::alongAxis(Placement::world(), ball, upwards(i, 0, 0), upwards()),
                                          SpringDamperSeriesParameters{.c = 1e4, .d = 1e4});
        } else {
            ball.setGravity(vec(0, 0, 0));
            ball.setAngularVelocity(vec(0, 0, 1));
            world.add<ElastoBacklash>(ball, at(0, 0, 0), at(i, 0.1, 0),
                                      ElastoBacklashParameters{.c = 1e4, .d = 0, .b = 0.01});
        }
    }
    CHECK(allocationsOf(world) == 0);
}

TEST_CASE("steady ticks of a chain of gaps allocate nothing", "[steady-ticks]") {
    const BulletUncounted guard;
    TestWorld world;
    btRigidBody* below = nullptr;
    for (int i = 0; i < 20; ++i) {
        btRigidBody& ball = world.ball(0.2, 0, 0.2 * i + 0.1, 0);
        ball.setAngularFactor(0);
        const ElastoGapParameters gap{.c = 1e4, .d = 0.5, .s_rel0 = 0.2};
        if (below == nullptr) {
            world.add<ElastoGap>(ball, upwards(), upwards(), gap);
        } else {
            world.add<ElastoGap>(*below, ball, upwards(), upwards(), gap);
        }
        below = &ball;
    }
    CHECK(allocationsOf(world) == 0);
}

TEST_CASE("steady ticks of a hinge with a stop allocate nothing", "[steady-ticks]") {
    const BulletUncounted guard;
    TestWorld world;
    world.add<ElastoGap>(door(world), upwards(0.5, 0, 0), upwards(1, -0.5, 0), ElastoGapParameters{.c = 1e5, .d = 0});
    CHECK(allocationsOf(world) == 0);
}

TEST_CASE("steady ticks of stacks allocate nothing", "[steady-ticks]") {
    const BulletUncounted guard;
    TestWorld world;
    SECTION("pressed") {
        stack(world, 5, true);
    }
    SECTION("pressed by another force in every tick") {
        pushAnew(world, stack(world, 5, true));
    }
    SECTION("out of their element's reach") {
        stack(world, 5, false);
    }
    CHECK(allocationsOf(world) == 0);
    CHECK(world.plugin->totals().uncoupled == 0);
}
