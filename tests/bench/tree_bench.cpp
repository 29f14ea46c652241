// What a six-axis arm costs with elements in its joints: ticks of solveTreeTick against plain Bullet's ticks of the
// same arm as a btMultiBody without elements. Both take their ticks in turns, so that a slower machine slows both; each
// scene runs several times, and of each tick the fastest counts.
//
// Usage: elasto-bench-tree [runs]

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>
#include <elasto/flow_tree.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace elasto;
using Eigen::Vector3d;

constexpr double kGravity = 9.80665;
constexpr double kSeconds = 2;
constexpr double kRatio = 100;

struct Axis {
    Vector3d axis;
    double mass, length, width;
    double torque;  ///< amplitude at the joint [N.m]
};

// Upside down from a ceiling, along -y; shoulder, upper arm, forearm and wrist.
const Axis kAxes[] = {{{0, 1, 0}, 4, 0.15, 0.12, 10}, {{0, 0, 1}, 3, 0.35, 0.10, 20},
                      {{0, 0, 1}, 2, 0.3, 0.08, 10},  {{0, 1, 0}, 0.8, 0.1, 0.06, 2},
                      {{0, 0, 1}, 0.5, 0.1, 0.06, 1}, {{0, 1, 0}, 0.3, 0.08, 0.06, 0.3}};

Vector3d inertiaOf(const Axis& axis) {
    const double along = axis.mass / 6 * axis.width * axis.width;
    const double across = axis.mass / 12 * (axis.width * axis.width + axis.length * axis.length);
    return {across, along, across};
}

/// Each link hangs 1 rad askew, so that all of them move.
constexpr double kStart = 0.3;

FlowTree arm() {
    FlowTree tree;
    double before = 0;
    for (const Axis& axis : kAxes) {
        TreeLink& link = tree.links.emplace_back();
        link.parent = static_cast<int>(tree.links.size()) - 2;
        link.axis = axis.axis;
        link.pivot = {0, -before, 0};
        link.centerOfMass = {0, -axis.length / 2, 0};
        link.mass = axis.mass;
        link.inertia = inertiaOf(axis).asDiagonal();
        link.force.constant = {0, -axis.mass * kGravity, 0};
        link.q = kStart;
        before = axis.length;
    }
    return tree;
}

/// Plain Bullet.
class Plain {
public:
    explicit Plain(bool withColliders) {
        m_world.setGravity({0, btScalar(-kGravity), 0});
        m_body = std::make_unique<btMultiBody>(6, btScalar(0), btVector3(0, 0, 0), true, false);
        double before = 0;
        for (int i = 0; i < 6; ++i) {
            const Axis& axis = kAxes[i];
            const Vector3d I = inertiaOf(axis);
            m_body->setupRevolute(i, btScalar(axis.mass), btVector3(btScalar(I[0]), btScalar(I[1]), btScalar(I[2])),
                                  i - 1, btQuaternion::getIdentity(),
                                  btVector3(btScalar(axis.axis[0]), btScalar(axis.axis[1]), btScalar(axis.axis[2])),
                                  btVector3(0, btScalar(-before / 2), 0), btVector3(0, btScalar(-axis.length / 2), 0),
                                  true);
            before = axis.length;
        }
        m_body->finalizeMultiDof();
        m_body->setLinearDamping(0);
        m_body->setAngularDamping(0);
        for (int i = 0; i < 6; ++i) m_body->setJointPos(i, btScalar(kStart));
        m_body->setCanSleep(false);
        m_world.addMultiBody(m_body.get());
        for (int i = 0; withColliders && i < 6; ++i) {
            const Axis& axis = kAxes[i];
            m_shapes.push_back(std::make_unique<btBoxShape>(
                btVector3(btScalar(axis.width / 2), btScalar(axis.length / 2), btScalar(axis.width / 2))));
            m_colliders.push_back(std::make_unique<btMultiBodyLinkCollider>(m_body.get(), i));
            m_colliders.back()->setCollisionShape(m_shapes.back().get());
            m_body->getLink(i).m_collider = m_colliders.back().get();
            m_world.addCollisionObject(m_colliders.back().get(), 1, 2);  // links do not meet
        }
    }
    ~Plain() {
        for (const auto& collider : m_colliders) m_world.removeCollisionObject(collider.get());
        m_world.removeMultiBody(m_body.get());
    }
    Plain(const Plain&) = delete;
    Plain& operator=(const Plain&) = delete;

    void step(double h) { m_world.stepSimulation(btScalar(h), 0); }

private:
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher{&m_configuration};
    btDbvtBroadphase m_broadphase;
    btMultiBodyConstraintSolver m_solver;
    btMultiBodyDynamicsWorld m_world{&m_dispatcher, &m_broadphase, &m_solver, &m_configuration};
    std::unique_ptr<btMultiBody> m_body;
    std::vector<std::unique_ptr<btBoxShape>> m_shapes;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> m_colliders;
};

/// The arm with elements.
class Elastic {
public:
    enum class Kind { Idle, Driven };
    Elastic(Kind kind, double c, double d) : m_kind(kind) {
        FlowTree& tree = m_network.trees.emplace_back(arm());
        for (int i = 0; i < 6; ++i) {
            if (kind == Kind::Idle) {
                TreeElement stop{ElastoGapLaw({.c = c, .d = d, .s_rel0 = -50})};
                stop.terms = {TreeTerm::joint(0, i)};
                m_network.elements.push_back(stop);
                continue;
            }
            TreeRotor& rotor = tree.rotors.emplace_back();
            rotor.carrier = i - 1;
            rotor.axis = m_network.trees[0].links[static_cast<std::size_t>(i)].axis;
            rotor.inertia = 1e-4;
            rotor.phi = kRatio * kStart;
            TreeElement drive{ElastoBacklashLaw({.c = c, .d = d, .b = 0.01})};
            drive.terms = {TreeTerm::rotor(0, i, 1 / kRatio), TreeTerm::joint(0, i, -1)};
            m_network.elements.push_back(drive);
        }
    }

    void step(double h) {
        for (std::size_t i = 0; m_kind == Kind::Driven && i < 6; ++i) {
            const auto torque = [&](double t) {
                return kAxes[i].torque / kRatio * std::sin(2 * M_PI * (1 + 0.3 * static_cast<double>(i)) * t);
            };
            m_network.trees[0].rotors[i].torque =
                QuadraticTorque::through(torque(m_time), torque(m_time + h / 2), torque(m_time + h), h);
        }
        solveTreeTick(m_network, h, {}, m_workspace, m_tick);
        m_network.adopt(m_tick);
        m_time += h;
        m_steps += m_tick.steps;
        m_cost += m_tick.cost;
        m_events += static_cast<int>(m_tick.events.size());
        m_late += m_tick.overBudget;
    }
    int steps() const { return m_steps; }
    int events() const { return m_events; }
    int late() const { return m_late; }
    double cost() const { return m_cost; }

private:
    Kind m_kind;
    TreeNetwork m_network;
    TreeWorkspace m_workspace;
    TreeTickResult m_tick;
    double m_time = 0;
    int m_steps = 0;
    int m_events = 0;
    int m_late = 0;
    double m_cost = 0;
};

double now() {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double mean(const std::vector<double>& times) {
    double sum = 0;
    for (const double time : times) sum += time;
    return sum / static_cast<double>(times.size());
}

void compare(const char* name, Elastic::Kind kind, double c, double d, int rate, int runs) {
    const double h = 1.0 / rate;
    const auto ticks = static_cast<std::size_t>(kSeconds * rate);
    std::vector<double> bare(ticks, 1e30), shaped(ticks, 1e30), ours(ticks, 1e30);
    int steps = 0, events = 0, late = 0;
    double cost = 0;
    for (int run = 0; run < runs; ++run) {
        Plain without(false), with(true);
        Elastic elastic(kind, c, d);
        for (std::size_t i = 0; i < ticks; ++i) {
            const double t0 = now();
            without.step(h);
            const double t1 = now();
            with.step(h);
            const double t2 = now();
            elastic.step(h);
            const double t3 = now();
            bare[i] = std::min(bare[i], t1 - t0);
            shaped[i] = std::min(shaped[i], t2 - t1);
            ours[i] = std::min(ours[i], t3 - t2);
        }
        steps = elastic.steps();
        events = elastic.events();
        late = elastic.late();
        cost = elastic.cost();
    }
    const auto perTick = [&](double sum) { return sum / static_cast<double>(ticks); };
    std::printf(
        "%-26s %4d Hz  Bullet %5.2f (shapes %5.2f)  tree %7.2f us  ratio %6.2f (%6.2f)  steps %6.2f events %5.2f"
        "  cost %7.1f  late %d\n",
        name, rate, mean(bare), mean(shaped), mean(ours), mean(ours) / mean(bare), mean(ours) / mean(shaped),
        perTick(steps), perTick(events), perTick(cost), late);
}

}  // namespace

int main(int argc, char** argv) {
    const int runs = argc > 1 ? std::atoi(argv[1]) : 5;
    for (const int rate : {60, 240}) {
        compare("idle end stops", Elastic::Kind::Idle, 1e4, 0, rate, runs);
        compare("drives, c 1e4 d 20", Elastic::Kind::Driven, 1e4, 20, rate, runs);
        compare("drives, c 1e4 d 0.5", Elastic::Kind::Driven, 1e4, 0.5, rate, runs);
    }
    return 0;
}
