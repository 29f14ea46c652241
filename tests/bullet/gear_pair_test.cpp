// Gear pairs between rigid bodies on hinges: IdealGear and ElastoBacklash, with the reaction on a carrier.

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

#include "../flow/planar_oracle.h"
#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// Angles, then rates, of a train of wheels: pair i turns wheel i + 1 by wheel i.
struct Train {
    std::vector<double> inertias;
    std::vector<double> ratios;
    ElastoBacklashParameters parameters;
    std::function<double(double)> torque;  // on the first wheel

    Eigen::VectorXd after(const Eigen::VectorXd& start, double from, double h, int steps) const {
        const auto n = static_cast<Eigen::Index>(inertias.size());
        Eigen::VectorXd y(2 * n + 1);
        y << start, from;
        const auto rate = [&](const Eigen::VectorXd& now) -> Eigen::VectorXd {
            Eigen::VectorXd torques = Eigen::VectorXd::Zero(n);
            torques[0] = torque(now[2 * n]);
            for (Eigen::Index i = 0; i + 1 < n; ++i) {
                const double ratio = ratios[static_cast<std::size_t>(i)];
                const double phi = now[i] - ratio * now[i + 1];
                const double w = now[n + i] - ratio * now[n + i + 1];
                const double f = evaluate(ElastoBacklashLaw(parameters), phi, w, 0).f;
                torques[i] -= f;
                torques[i + 1] += ratio * f;
            }
            Eigen::VectorXd dy(2 * n + 1);
            dy.head(n) = now.segment(n, n);
            for (Eigen::Index i = 0; i < n; ++i) dy[n + i] = torques[i] / inertias[static_cast<std::size_t>(i)];
            dy[2 * n] = 1;
            return dy;
        };
        return rungeKutta(rate, y, h, steps).head(2 * n);
    }
};

btRigidBody& wheel(TestWorld& world, double inertia, double x) {
    btRigidBody& body = world.body(1, new btSphereShape(btScalar(0.05)), at(x, 0, 0));
    body.setMassProps(1, vec(inertia, inertia, inertia));
    body.updateInertiaTensor();
    return body;
}

// Wheels in a row along x that turn about z on hinges, and the pairs between them.
struct WheelWorld : TestWorld {
    std::vector<btRigidBody*> wheels;
    std::vector<std::unique_ptr<btHingeConstraint>> hinges;
    std::vector<ForceElement*> pairs;

    explicit WheelWorld(const Train& train, btRigidBody* carrier = nullptr, bool reversed = false) {
        world->setGravity(vec(0, 0, 0));
        for (const double inertia : train.inertias)
            wheels.push_back(&wheel(*this, inertia, 0.2 * double(wheels.size())));
        hold(train, carrier, reversed);
    }
    ~WheelWorld() {
        for (const auto& hinge : hinges) world->removeConstraint(hinge.get());
    }
    void hold(const Train& train, btRigidBody* carrier, bool reversed) {
        const btVector3 z = vec(0, 0, 1);
        for (btRigidBody* body : wheels) {
            hinges.push_back(carrier != nullptr
                                 ? std::make_unique<btHingeConstraint>(
                                       *carrier, *body,
                                       carrier->getWorldTransform().inverse() * body->getWorldTransform().getOrigin(),
                                       vec(0, 0, 0), z, z)
                                 : std::make_unique<btHingeConstraint>(*body, vec(0, 0, 0), z));
            world->addConstraint(hinges.back().get(), true);
        }
        for (std::size_t k = 0; k < train.ratios.size(); ++k) {
            const std::size_t i = reversed ? train.ratios.size() - 1 - k : k;
            pairs.push_back(
                &add<ElastoBacklash>(Placement::gearPair(*wheels[i], *wheels[i + 1], z, z, train.ratios[i],
                                                         carrier != nullptr ? *carrier : Placement::world()),
                                     train.parameters));
        }
    }
};

double spinOf(const btRigidBody& body) {
    return static_cast<double>(body.getAngularVelocity().z());
}

double totalSpinOf(const TestWorld& world) {
    double sum = 0;
    for (const auto& body : world.bodies) {
        const btVector3 x = body->getWorldTransform().getOrigin();
        sum += static_cast<double>(body->getLocalInertia().z()) * spinOf(*body) +
               static_cast<double>(body->getMass() * x.cross(body->getLinearVelocity()).z());
    }
    return sum;
}

const auto kNoTorque = [](double) { return 0.; };

}  // namespace

TEST_CASE("two wheels with play between them follow a sine as IdealGear and ElastoBacklash do") {
    const double hz = GENERATE(60., 240.);
    const double ratio = GENERATE(-2.5, 2.5);
    Train train{{0.01, 0.05}, {ratio}, {.c = 1e3, .d = 0.5, .b = 0.02}, {}};
    train.torque = [](double t) { return 2 * std::sin(4 * M_PI * t); };
    WheelWorld world(train);
    world.plugin->addLoad(Load::sine(*world.wheels[0], Load::Kind::Torque, vec(0, 0, 1), {.amplitude = 2, .f = 2}));
    Eigen::VectorXd oracle = Eigen::VectorXd::Zero(4);
    double worst = 0;
    double largest = 0;
    double work = 0;
    for (int i = 0; i < static_cast<int>(hz); ++i) {
        world.tick(1, hz);
        oracle = train.after(oracle, i / hz, 1 / hz, static_cast<int>(24000 / hz));
        const ElementState state = world.pairs[0]->saveState();
        worst = std::max({worst, std::abs(state.phi - oracle[0]), std::abs(state.phi2 - oracle[1])});
        largest = std::max(largest, std::abs(oracle[0]));
        CHECK_FALSE(world.pairs[0]->uncoupled());
    }
    const EnergyBook book = world.plugin->energy();
    CAPTURE(hz, ratio, worst, largest);
    CHECK(worst < (hz < 100 ? 5e-4 : byPrecision(5e-5, 2e-4)) * largest);
    CHECK(largest > 2 * M_PI);  // turns are counted
    work = book.work + book.pushed - book.dissipated - book.damping - book.contacts + book.numerical;
    CHECK(book.kinetic + book.stored == Approx(work).margin(byPrecision(1e-9, 1e-4)));
    CHECK(book.dissipated > 0);
}

TEST_CASE("readouts of a gear pair are those of its law, and its torques add up to nothing") {
    const Train train{{0.01, 0.05}, {-2.5}, {.c = 1e3, .d = 0.5, .b = 0.02}, kNoTorque};
    WheelWorld world(train);
    ForceElement& pair = *world.pairs[0];
    world.wheels[0]->setAngularVelocity(vec(0, 0, 3));
    world.wheels[1]->setAngularVelocity(vec(0, 0, -1));
    CHECK(pair.phi_rel() == Approx(0).margin(1e-6));
    CHECK(pair.w_rel() == Approx(0.5));  // 3 - (-2.5)(-1)
    for (int i = 0; i < 20 && !pair.contact(); ++i) world.tick(1, 240);
    REQUIRE(pair.contact());
    const double tau = evaluate(pair.law(), pair.phi_rel(), pair.w_rel(), 0).f;
    CHECK(pair.tau() == Approx(tau));
    CHECK(static_cast<double>(pair.torqueOnB().z()) == Approx(-tau));
    CHECK(static_cast<double>(pair.torqueOnA().z()) == Approx(-2.5 * tau));
    CHECK(static_cast<double>(pair.torqueOnCarrier().z()) == Approx(3.5 * tau));
    CHECK(pair.forceOnA().isZero());
    CHECK(&pair.placement().carrier() == &Placement::world());
}

TEST_CASE("a train of three pairs starts from rest") {
    const double hz = GENERATE(60., 240.);
    Train train{{0.01, 0.05, 0.1, 0.2}, {-2.5, -2, -3}, {.c = 1e3, .d = 0.5, .b = 0.02}, {}};
    train.torque = [](double) { return 0.5; };
    WheelWorld world(train);
    world.plugin->addLoad(Load::constant(*world.wheels[0], Load::Kind::Torque, vec(0, 0, 0.5)));
    Eigen::VectorXd oracle = Eigen::VectorXd::Zero(8);
    double worst = 0;
    for (int i = 0; i < static_cast<int>(hz); ++i) {
        world.tick(1, hz);
        oracle = train.after(oracle, i / hz, 1 / hz, static_cast<int>(24000 / hz));
        for (std::size_t k = 0; k < 3; ++k) {
            const ElementState state = world.pairs[k]->saveState();
            worst = std::max({worst, std::abs(state.phi / oracle[static_cast<Eigen::Index>(k)] - 1),
                              std::abs(state.phi2 / oracle[static_cast<Eigen::Index>(k) + 1] - 1)});
        }
        if (i < hz / 10) worst = 0;  // what has hardly turned
    }
    CAPTURE(hz, worst);
    CHECK(worst < (hz < 100 ? 5e-4 : byPrecision(5e-5, 2e-4)));
}

TEST_CASE("a free carrier takes the reaction of its gears") {
    const Train train{{0.01, 0.05}, {-2.5}, {.c = 1e4, .d = 0, .b = 0.02}, kNoTorque};
    WheelWorld world({{}, {}, train.parameters, kNoTorque});
    btRigidBody& carrier = world.box(3, 0.1, 0, 0);
    world.wheels = {&wheel(world, 0.01, 0), &wheel(world, 0.05, 0.2)};
    world.hold(train, &carrier, false);
    world.wheels[0]->setAngularVelocity(vec(0, 0, 12));
    const double spin = totalSpinOf(world);
    const double energy = 0.5 * 0.01 * 144;
    double turn = 0;
    for (int i = 0; i < 240; ++i) {
        world.tick(1, 120);
        turn = std::max(turn, std::abs(spinOf(carrier)));
        double now = world.pairs[0]->storedEnergy();
        for (const auto& body : world.bodies) now += kineticOf(*body);
        CHECK(now < energy * (1 + byPrecision(1e-10, 1e-5)));
    }
    CAPTURE(turn, totalSpinOf(world), spin);
    CHECK(totalSpinOf(world) == Approx(spin).epsilon(byPrecision(1e-12, 1e-5)));
    CHECK(turn > 0.01);
    CHECK_FALSE(world.pairs[0]->uncoupled());
}

TEST_CASE("gears turn where their carrier stands on the floor") {
    Train train{{0.01, 0.05}, {-2.5}, {.c = 1e3, .d = 0.5, .b = 0.02}, {}};
    train.torque = [](double) { return 0.3; };
    WheelWorld world({{}, {}, train.parameters, kNoTorque});
    world.world->setGravity(vec(0, -9.8, 0));
    world.body(0, new btBoxShape(vec(5, 0.5, 5)), at(0, -1, 0));
    btRigidBody& carrier = world.body(100, new btBoxShape(vec(0.5, 0.2, 0.5)), at(0.1, -0.3, 0));
    world.wheels = {&wheel(world, 0.01, 0), &wheel(world, 0.05, 0.2)};
    for (btRigidBody* body : world.wheels) body->setCollisionFlags(btCollisionObject::CF_NO_CONTACT_RESPONSE);
    world.hold(train, &carrier, false);
    world.plugin->addLoad(Load::constant(*world.wheels[0], Load::Kind::Torque, vec(0, 0, 0.3)));
    Eigen::VectorXd oracle = Eigen::VectorXd::Zero(4);
    for (int i = 0; i < 120; ++i) {
        world.tick(1, 120);
        oracle = train.after(oracle, i / 120., 1 / 120., 200);
    }
    const ElementState state = world.pairs[0]->saveState();
    CAPTURE(oracle[0], oracle[1], state.phi, state.phi2, static_cast<int>(world.pairs[0]->method()));
    CHECK_FALSE(world.pairs[0]->uncoupled());
    CHECK(world.pairs[0]->method() == FlowMethod::Contacts);
    CHECK(state.phi == Approx(oracle[0]).epsilon(1e-3));
    CHECK(state.phi2 == Approx(oracle[1]).epsilon(1e-3));
}

TEST_CASE("neither the order of adding gear pairs nor iterations change a bit") {
    const Train train{{0.01, 0.05, 0.1, 0.2}, {-2.5, -2, -3}, {.c = 1e3, .d = 0.5, .b = 0.02}, kNoTorque};
    WheelWorld one(train);
    WheelWorld other(train, nullptr, true);
    other.world->getSolverInfo().m_numIterations = 1;
    for (WheelWorld* world : {&one, &other}) {
        world->wheels[0]->setAngularVelocity(vec(0, 0, 20));
        world->tick(300);
    }
    for (std::size_t i = 0; i < one.wheels.size(); ++i) {
        CHECK(one.wheels[i]->getAngularVelocity() == other.wheels[i]->getAngularVelocity());
        CHECK(one.wheels[i]->getWorldTransform() == other.wheels[i]->getWorldTransform());
    }
}

TEST_CASE("a snapshot brings turning gears back bit for bit") {
    const Train train{{0.01, 0.05}, {-2.5}, {.c = 1e3, .d = 0.5, .b = 0.02}, kNoTorque};
    WheelWorld world(train);
    world.wheels[0]->setAngularVelocity(vec(0, 0, 30));
    world.tick(50);
    const WorldSnapshot snapshot = world.plugin->saveWorld();
    world.tick(50);
    const std::uint64_t end = world.plugin->saveWorld().hash();
    const double angle = world.pairs[0]->saveState().phi;
    CHECK(angle > 4 * M_PI);
    world.plugin->restoreWorld(snapshot);
    world.tick(50);
    CHECK(world.plugin->saveWorld().hash() == end);
    CHECK(world.pairs[0]->saveState().phi == angle);
}

TEST_CASE("wrong gear pairs are refused, and check names a carrier that is not there") {
    TestWorld world;
    btRigidBody& first = wheel(world, 0.01, 0);
    btRigidBody& second = wheel(world, 0.05, 0.2);
    const btVector3 z = vec(0, 0, 1);
    const ElastoBacklashParameters parameters{.c = 1e3, .d = 0.5, .b = 0.02};
    const auto make = [&](btRigidBody& b, const btVector3& axis, double ratio, btRigidBody& carrier) {
        return ElastoBacklash(Placement::gearPair(first, b, axis, z, ratio, carrier), parameters);
    };
    CHECK_THROWS_WITH(make(second, z, 0, Placement::world()), Catch::Contains("ratio"));
    CHECK_THROWS_WITH(make(second, z, std::nan(""), Placement::world()), Catch::Contains("ratio"));
    CHECK_THROWS_WITH(make(second, z, 2, first), Catch::Contains("carrier"));
    CHECK_THROWS_WITH(make(first, z, 2, Placement::world()), Catch::Contains("same"));
    CHECK_THROWS_WITH(make(second, vec(0, 0, 0), 2, Placement::world()), Catch::Contains("zero length"));
    btSphereShape shape(1);
    btRigidBody absent(1, nullptr, &shape, vec(1, 1, 1));
    world.add<ElastoBacklash>(Placement::gearPair(first, second, z, z, 2, absent), parameters);
    const std::vector<Problem> problems = check(*world.world);
    CHECK(std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
        return problem.message.find("the carrier is not in the world") != std::string::npos;
    }));
}
