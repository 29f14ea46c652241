#pragma once
// What every scene of these tests must show: without elements the world has Bullet's bits, with them nothing becomes
// infinite or is kicked, and when plugin and elements are gone nothing of them is left.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "../../determinism/world_hash.h"
#include "../test_world.h"

namespace elasto::test {

/// The world's list of actions, which is protected.
class WorldActions : private btDiscreteDynamicsWorld {
public:
    static int countOf(const btDiscreteDynamicsWorld& world) { return (world.*(&WorldActions::m_actions)).size(); }
};

class CompatibilityScene : public TestWorld {
public:
    enum class Kind { Plain, WithPlugin, WithElements };

    explicit CompatibilityScene(Kind kind) : TestWorld(kind != Kind::Plain), m_kind(kind) {}
    virtual ~CompatibilityScene() = default;

    bool hasElements() const { return m_kind == Kind::WithElements; }
    /// What the user does between two ticks. @param tick from 0
    virtual void change(int /*tick*/) {}
    virtual void step() { tick(); }
    /// Something of the user's changes velocities after Bullet has moved the bodies.
    virtual bool setsVelocities() const { return false; }

private:
    Kind m_kind;
};

inline bool isFinite(const btVector3& v) {
    return std::isfinite(v.x()) && std::isfinite(v.y()) && std::isfinite(v.z());
}

inline void requireFinite(const TestWorld& world) {
    for (const auto& body : world.bodies) {
        REQUIRE(isFinite(body->getWorldTransform().getOrigin()));
        REQUIRE(isFinite(body->getWorldTransform().getBasis()[0]));
        REQUIRE(isFinite(body->getLinearVelocity()));
        REQUIRE(isFinite(body->getAngularVelocity()));
        REQUIRE(isFinite(body->getInterpolationLinearVelocity()));
    }
    const EnergyBook book = world.plugin ? world.plugin->energy() : EnergyBook();
    REQUIRE(std::isfinite(book.kinetic + book.stored + book.work + book.pushed + book.contacts + book.exchanged));
}

/// By how much the present energy of the book differs from what its entries say it must be [J].
inline double gapOf(const EnergyBook& before, const EnergyBook& now) {
    const auto sum = [](const EnergyBook& book) {
        return book.work + book.pushed - book.dissipated - book.damping - book.contacts - book.exchanged +
               book.numerical;
    };
    return now.kinetic + now.stored - before.kinetic - before.stored - (sum(now) - sum(before));
}

/// The book as it closes in each tick: at the end of our action, before the user's own run.
class BookInTick {
public:
    explicit BookInTick(Plugin& plugin) : m_plugin(plugin), m_before(plugin.energy()) { watch(); }
    double largestGap() const { return m_largest; }

private:
    void watch() {
        m_plugin.defer([this] {
            m_largest = std::max(m_largest, std::abs(gapOf(m_before, m_plugin.energy())));
            watch();
        });
    }
    Plugin& m_plugin;
    EnergyBook m_before;
    double m_largest = 0;
};

/// Without elements the plugin changes no bit of the scene.
template <class Scene>
void requireBulletsBits(int ticks) {
    Scene plain(CompatibilityScene::Kind::Plain);
    Scene ours(CompatibilityScene::Kind::WithPlugin);
    for (int i = 0; i < ticks; ++i) {
        plain.change(i);
        plain.step();
        ours.change(i);
        ours.step();
        REQUIRE(hashOf(*ours.world) == hashOf(*plain.world));
    }
}

/// Runs the scene with elements and, at the end, takes them and the plugin out: nothing is left of them.
/// @param seen called after each tick with its number
template <class Scene, class Seen>
void requireSound(Scene& scene, int ticks, const Seen& seen) {
    std::vector<btScalar> thresholds;
    for (const auto& body : scene.bodies) {
        thresholds.push_back(body->getCcdMotionThreshold());
    }
    for (int i = 0; i < ticks; ++i) {
        scene.change(i);
        scene.step();
        requireFinite(scene);
        seen(i);
    }
    const int actions = WorldActions::countOf(*scene.world);
    int joints = 0;
    for (const auto& constraint : scene.elements) {
        if (dynamic_cast<ForceElement*>(constraint.get()) != nullptr) {
            scene.world->removeConstraint(constraint.get());
        } else {
            ++joints;
        }
    }
    scene.plugin.reset();
    CHECK(scene.world->getConstraintSolver() == scene.solver.get());
    CHECK(scene.world->getNumConstraints() <= joints);
    for (std::size_t i = 0; i < thresholds.size() && i < scene.bodies.size(); ++i) {
        const btRigidBody& body = *scene.bodies[i];
        CHECK(body.getCcdMotionThreshold() == thresholds[i]);
        if (!body.isStaticOrKinematicObject()) {
            CHECK(body.getCompanionId() == -1);
        }
        for (int k = 0; k < body.getNumConstraintRefs(); ++k) {
            CHECK(dynamic_cast<const ForceElement*>(const_cast<btRigidBody&>(body).getConstraintRef(k)) == nullptr);
        }
    }
    scene.step();
    CHECK(WorldActions::countOf(*scene.world) == actions - 1);
    requireFinite(scene);
    for (const auto& body : scene.bodies) {
        if (!scene.setsVelocities() && body->isInWorld() && body->isActive() &&
            !body->isStaticOrKinematicObject()) {  // drawn as Bullet does again
            CHECK(body->getInterpolationLinearVelocity() == body->getLinearVelocity());
        }
    }
}

template <class Scene>
void requireSound(Scene& scene, int ticks) {
    requireSound(scene, ticks, [](int) {});
}

/// Change of a body's velocity in the tick that `step` runs [m/s].
template <class Step>
double kickOf(const btRigidBody& body, const Step& step) {
    const btVector3 before = body.getLinearVelocity();
    step();
    return static_cast<double>((body.getLinearVelocity() - before).length());
}

}  // namespace elasto::test
