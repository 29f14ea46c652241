// What elements on jointed and stacked bodies cost: ticks of a Bullet world with elements against ticks of the same
// scene without them, in plain Bullet. The two worlds tick in turns, so that a slower machine slows both; each scene
// runs several times, and of each tick the fastest counts, which takes out what the machine did besides. Times are the
// processor's for this process. The last column is the share of ticks in which a network ran out of its budget.
//
// Usage: elasto-bench-coupled [runs] [name ...]    names: parts of scene names

#include <btBulletDynamicsCommon.h>
#include <elasto/elasto.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bare_world.h"

namespace {

using namespace elasto;

constexpr double kTick = 1.0 / 60;

btVector3 vec(double x, double y, double z) {
    return {btScalar(x), btScalar(y), btScalar(z)};
}

/// A world that owns what is in it. Elements are only added where there is a plugin.
class World : bench::BareWorld {
public:
    explicit World(bool withElements) : m_withElements(withElements) {
        m_world.setGravity(vec(0, -9.81, 0));
        if (!withElements) return;
        m_plugin = std::make_unique<Plugin>(&m_world);
        m_plugin->setMessageHandler([](const std::string&) {});  // the table says what is uncoupled
    }
    ~World() {
        for (const auto& joint : m_joints) m_world.removeConstraint(joint.get());
        for (const auto& body : m_bodies) m_world.removeRigidBody(body.get());
    }

    btRigidBody& box(double mass, const btVector3& half, const btVector3& at,
                     const btQuaternion& turn = btQuaternion::getIdentity()) {
        m_shapes.push_back(std::make_unique<btBoxShape>(half));
        btVector3 inertia(0, 0, 0);
        if (mass > 0) m_shapes.back()->calculateLocalInertia(btScalar(mass), inertia);
        const btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, m_shapes.back().get(), inertia);
        m_bodies.push_back(std::make_unique<btRigidBody>(info));
        m_bodies.back()->setCenterOfMassTransform(btTransform(turn, at));
        m_bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        m_world.addRigidBody(m_bodies.back().get());
        return *m_bodies.back();
    }
    template <class Joint, class... Arguments>
    Joint& join(Arguments&&... arguments) {
        auto joint = std::make_unique<Joint>(std::forward<Arguments>(arguments)...);
        Joint& added = *joint;
        m_joints.push_back(std::move(joint));
        m_world.addConstraint(&added, true);
        return added;
    }
    template <class Element, class... Arguments>
    void element(Arguments&&... arguments) {
        if (m_withElements) join<Element>(std::forward<Arguments>(arguments)...);
    }

    /// Presses a body down with a force that is another one in every tick.
    void pressAnew(btRigidBody& body) { m_pressed = &body; }

    /// @return microseconds
    double step() {
        if (m_pressed != nullptr) m_pressed->applyCentralForce(vec(0, -1 - 0.1 * (m_ticks++ % 7), 0));
        const double begin = now();
        m_world.stepSimulation(btScalar(kTick), 0);
        return now() - begin - clockTime();
    }
    bool hasRunOut() const { return m_plugin && m_plugin->statistics().fallbacks > 0; }
    double cost() const { return m_plugin ? m_plugin->statistics().cost : 0; }
    bool isUncoupled() const { return m_plugin && m_plugin->totals().uncoupled > 0; }

private:
    /// What looking at the clock takes.
    static double clockTime() {
        static const double time = [] {
            double least = 1e300;
            for (int i = 0; i < 1000; ++i) {
                const double begin = now();
                least = std::min(least, now() - begin);
            }
            return least;
        }();
        return time;
    }
    static double now() {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
    }

    bool m_withElements;
    btRigidBody* m_pressed = nullptr;
    int m_ticks = 0;
    std::unique_ptr<Plugin> m_plugin;
    std::vector<std::unique_ptr<btCollisionShape>> m_shapes;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> m_joints;
};

btTransform upwards(double x, double y, double z) {
    return btTransform(btQuaternion(vec(0, 0, 1), SIMD_HALF_PI), vec(x, y, z));
}

btRigidBody& bar(World& world, double x, double y, double half = 0.5, bool upright = false) {
    const btVector3 size = upright ? vec(0.02, half, 0.02) : vec(half, 0.02, 0.02);
    btRigidBody& body = world.box(1, size, vec(x, y, 0));
    body.getBroadphaseHandle()->m_collisionFilterMask = 0;  // links do not touch each other
    return body;
}

void ballAboveStop(World& world) {
    btRigidBody& ball = world.box(1, vec(0.05, 0.05, 0.05), vec(0, 0.3, 0));
    world.element<ElastoGap>(ball, upwards(0, 0, 0), upwards(0, 0, 0), ElastoGapParameters{.c = 1e6, .d = 5});
}

void pendulum(World& world) {
    btRigidBody& door = bar(world, 0.5, 0);
    world.join<btHingeConstraint>(door, vec(-0.5, 0, 0), vec(0, 0, 1));
    world.element<ElastoGap>(door, upwards(0.5, 0, 0), upwards(1, -5, 0), ElastoGapParameters{.c = 1e5, .d = 0});
}

void hingeWithStop(World& world) {
    btRigidBody& door = bar(world, 0.5, 0);
    world.join<btHingeConstraint>(door, vec(-0.5, 0, 0), vec(0, 0, 1));
    world.element<ElastoGap>(door, upwards(0.5, 0, 0), upwards(1, -0.5, 0), ElastoGapParameters{.c = 1e5, .d = 0});
}

void fourBar(World& world) {
    const btVector3 z = vec(0, 0, 1);
    btRigidBody& left = bar(world, 0, 0.5, 0.5, true);
    btRigidBody& coupler = bar(world, 0.75, 1, 0.75);
    btRigidBody& right = bar(world, 1.5, 0.5, 0.5, true);
    world.join<btHingeConstraint>(left, vec(0, -0.5, 0), z);
    world.join<btHingeConstraint>(left, coupler, vec(0, 0.5, 0), vec(-0.75, 0, 0), z, z);
    world.join<btHingeConstraint>(coupler, right, vec(0.75, 0, 0), vec(0, 0.5, 0), z, z);
    world.join<btHingeConstraint>(right, vec(0, -0.5, 0), z);
    left.setAngularVelocity(vec(0, 0, -1));
    right.setAngularVelocity(vec(0, 0, -1));
    coupler.setLinearVelocity(vec(1, 0, 0));
    world.element<ElastoGap>(coupler, upwards(0, 0, 0), upwards(0.75, 0.3, 0), ElastoGapParameters{.c = 1e5, .d = 0});
}

void chainOfTen(World& world) {
    btRigidBody* last = nullptr;
    for (int i = 0; i < 10; ++i) {
        btRigidBody& link = bar(world, 0.1 + 0.2 * i, 0, 0.1);
        if (last == nullptr) {
            world.join<btPoint2PointConstraint>(link, vec(-0.1, 0, 0));
        } else {
            world.join<btPoint2PointConstraint>(*last, link, vec(0.1, 0, 0), vec(-0.1, 0, 0));
        }
        last = &link;
    }
    world.element<ElastoGap>(*last, upwards(0.1, 0, 0), upwards(2, -1, 0), ElastoGapParameters{.c = 1e4, .d = 0});
}

/// Boxes on the ground, the uppermost one pressed down with 1 kN.
/// @param isChanging besides with a small force that changes, so that no tick is like the one before
void pressedStack(World& world, int boxes, bool isChanging = false) {
    world.box(0, vec(5, 0.5, 5), vec(0, -0.5, 0));
    btRigidBody* top = nullptr;
    for (int i = 0; i < boxes; ++i) top = &world.box(1, vec(0.5, 0.5, 0.5), vec(0, 0.5 + i, 0));
    const btTransform downwards(btQuaternion(vec(0, 0, 1), -SIMD_HALF_PI), vec(0, boxes + 3, 0));
    const btTransform onTop(btQuaternion(vec(0, 0, 1), -SIMD_HALF_PI), vec(0, 0, 0));
    world.element<ElastoGap>(*top, onTop, downwards, ElastoGapParameters{.c = 1e6, .d = 0, .s_rel0 = 3.5 + 1e-3});
    if (isChanging) world.pressAnew(*top);
}

/// Twelve boxes that tumble onto each other, the lowest four onto bumpers.
void pile(World& world, double c) {
    world.box(0, vec(20, 0.5, 20), vec(0, -0.5, 0));
    std::vector<btRigidBody*> boxes;
    unsigned seed = 1;
    const auto random = [&] {
        seed = seed * 1664525u + 1013904223u;
        return 2.0 * (seed >> 8) / (1u << 24) - 1;
    };
    for (int i = 0; i < 12; ++i) {
        const double x = 0.4 * random();
        const double z = 0.4 * random();
        const btVector3 axis = vec(random(), random(), random()).normalized();
        const btQuaternion turn(axis, btScalar(0.3 * random()));
        boxes.push_back(&world.box(1, vec(0.5, 0.5, 0.5), vec(x, 1 + 1.1 * i, z), turn));
    }
    for (int i = 0; i < 4; ++i) {
        const btVector3 at = boxes[static_cast<std::size_t>(i)]->getWorldTransform().getOrigin();
        world.element<ElastoGap>(*boxes[static_cast<std::size_t>(i)], upwards(0, 0, 0),
                                 upwards(double(at.x()), 0, double(at.z())),
                                 ElastoGapParameters{.c = c, .d = 0, .s_rel0 = 0.55});
    }
}

struct Scene {
    const char* name;
    std::function<void(World&)> build;
    int ticks;
    double target;  ///< largest ratio wanted
    bool isOfMeans = false;
};

const Scene kScenes[] = {
    {"free element", ballAboveStop, 600, 8},
    {"pendulum", pendulum, 600, 8},
    {"hinge with stop", hingeWithStop, 600, 8},
    {"four-bar", fourBar, 600, 8},
    {"chain of ten", chainOfTen, 300, 8},
    {"stack of 1", [](World& world) { pressedStack(world, 1); }, 300, 3.5},
    {"stack of 5", [](World& world) { pressedStack(world, 5); }, 300, 3.5},
    {"stack of 15", [](World& world) { pressedStack(world, 15); }, 300, 3.5},
    {"stack of 100", [](World& world) { pressedStack(world, 100); }, 120, 3.5},
    {"changing, 1", [](World& world) { pressedStack(world, 1, true); }, 300, 3.5},
    {"changing, 5", [](World& world) { pressedStack(world, 5, true); }, 300, 3.5},
    {"changing, 15", [](World& world) { pressedStack(world, 15, true); }, 300, 3.5},
    {"changing, 100", [](World& world) { pressedStack(world, 100, true); }, 120, 3.5},
    {"pile, c 1e4", [](World& world) { pile(world, 1e4); }, 180, 12, true},
    {"pile, c 1e6", [](World& world) { pile(world, 1e6); }, 180, 12, true},
};

double quantile(std::vector<double> times, double share) {
    const auto at = times.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(times.size() - 1));
    std::nth_element(times.begin(), at, times.end());
    return *at;
}

double mean(const std::vector<double>& times) {
    double sum = 0;
    for (const double time : times) sum += time;
    return sum / static_cast<double>(times.size());
}

void measure(const Scene& scene, int runs) {
    const auto ticks = static_cast<std::size_t>(scene.ticks);
    std::vector<double> ours(ticks, 1e300), plain(ticks, 1e300);
    bool isUncoupled = false;
    std::size_t out = 0;
    double cost = 0;  // largest
    for (int run = 0; run < runs; ++run) {
        World with(true), without(false);
        scene.build(with);
        scene.build(without);
        for (std::size_t i = 0; i < ticks; ++i) {
            ours[i] = std::min(ours[i], with.step());
            plain[i] = std::min(plain[i], without.step());
            if (run > 0) continue;
            out += with.hasRunOut() ? 1 : 0;
            cost = std::max(cost, with.cost());
        }
        isUncoupled |= with.isUncoupled();
    }
    const double ratio = scene.isOfMeans ? mean(ours) / mean(plain) : quantile(ours, 0.5) / quantile(plain, 0.5);
    std::printf("%-16s %9.1f %9.1f %9.1f %9.1f   %9.1f %9.1f %9.1f   %6.1f %6.1f %8.0f %6.1f%%%s\n", scene.name,
                quantile(ours, 0.5), quantile(ours, 0.99), quantile(ours, 1), mean(ours), quantile(plain, 0.5),
                quantile(plain, 0.99), mean(plain), ratio, scene.target, cost,
                100 * static_cast<double>(out) / scene.ticks, isUncoupled ? "  (uncoupled)" : "");
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
    std::printf("us per tick      with elements                             plain Bullet\n");
    std::printf("%-16s %9s %9s %9s %9s   %9s %9s %9s   %6s %6s %8s %7s\n", "", "p50", "p99", "max", "mean", "p50",
                "p99", "mean", "ratio", "want", "cost", "out");
    for (const Scene& scene : kScenes) {
        bool isWanted = argc <= 2;
        for (int i = 2; i < argc; ++i) isWanted |= std::string(scene.name).find(argv[i]) != std::string::npos;
        if (isWanted) measure(scene, runs);
    }
}
