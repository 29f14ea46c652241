// Energy of random networks in space, whatever becomes of their ticks: exact or implicit.

#include "random_bodies.h"
#include "body_energy.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace elasto;
using Eigen::Vector3d;
using elasto::test::addRandomJoints;
using elasto::test::kineticEnergy;
using elasto::test::RandomBodies;
using elasto::test::randomBodies;
using elasto::test::RandomNumbers;

namespace {

struct Energy {
    double kinetic = 0;
    double stored = 0;
};

Energy energyOf(const FlowNetwork& network) {
    Energy energy;
    for (const FlowBody& body : network.bodies) energy.kinetic += kineticEnergy(body);
    energy.stored = elasto::test::storedEnergy(network);
    return energy;
}

struct Books {
    double rise = 0;          ///< largest rise of kinetic + stored - work in a tick, in energies in play
    double miss = 0;          ///< the same with heat
    double loss = 0;          ///< largest fall where no tick was implicit
    double implicitLoss = 0;  ///< largest fall of implicit ones that keep energy
    double coldest = 0;       ///< smallest heat of an element
    int fallbacks = 0;
    int mostSteps = 0;
    bool finite = true;
};

Books run(FlowNetwork network, double h, int ticks, const FlowSettings& settings = {}) {
    Books books;
    Energy energy = energyOf(network);
    double scale = energy.kinetic + energy.stored;
    for (int i = 0; i < ticks && books.finite; ++i) {
        const double before = energy.kinetic + energy.stored;
        const TickResult tick = solveTick(network, h, settings);
        double heat = 0;
        for (const ElementTick& element : tick.elements) {
            heat += element.heat;
            books.coldest = std::min(books.coldest, element.heat / scale);
        }
        double work = 0;
        for (std::size_t k = 0; k < network.bodies.size(); ++k) {
            work += network.bodies[k].force.constant.dot(tick.bodies[k].position - network.bodies[k].position);
        }
        work += tick.driveWork - tick.limitLoss + tick.jointEnergy;
        network.adopt(tick);
        energy = energyOf(network);
        scale = std::max({scale, energy.kinetic + energy.stored, std::abs(work)});
        const double rise = (energy.kinetic + energy.stored + heat - before - work) / scale;
        books.finite = std::isfinite(rise);
        books.rise = std::max(books.rise, rise - heat / scale);
        books.miss = std::max(books.miss, rise);
        // Sub-steps of an implicit tick may lose a little, those of the first order are said to.
        if (!tick.isFirstOrder && tick.grade.grade != Grade::Failed) {
            double& loss = tick.overBudget || tick.method == FlowMethod::Implicit ? books.implicitLoss : books.loss;
            loss = std::max(loss, -rise);
        }
        books.fallbacks += tick.overBudget;
        books.mostSteps = std::max(books.mostSteps, tick.steps);
    }
    return books;
}

}  // namespace

TEST_CASE("no network in space gains energy, and what it loses is heat", "[flow][turning][slow]") {
    int fallbacks = 0;
    for (unsigned long seed = 0; seed < 40; ++seed) {
        const RandomBodies sample = randomBodies(seed);
        const Books books = run(sample.network, sample.h, 15);
        CAPTURE(seed, sample.h, sample.text, books.fallbacks);
        REQUIRE(books.finite);
        CHECK(books.rise < 1e-9);
        CHECK(books.miss < 1e-4);  // of what is solved by steps whose budget ends before they are good
        CHECK(books.loss < 1e-6);
        CHECK(books.implicitLoss < 1e-4);
        CHECK(books.coldest > -1e-12);
        // Each connected part has its own budget, and its sub-steps.
        CHECK(books.mostSteps < 5 * (2000 + 64));
        fallbacks += books.fallbacks;
    }
    CHECK(fallbacks > 0);
}

TEST_CASE("a budget of few steps gains nothing either", "[flow][turning][slow]") {
    FlowSettings settings;
    settings.maxSteps = GENERATE(1, 20);
    int fallbacks = 0;
    for (unsigned long seed = 100; seed < 200; ++seed) {
        const RandomBodies sample = randomBodies(seed);
        const Books books = run(sample.network, sample.h, 10, settings);
        CAPTURE(seed, sample.h, sample.text, books.fallbacks);
        REQUIRE(books.finite);
        CHECK(books.rise < 1e-9);
        CHECK(books.miss < 1e-4);  // of what is solved by steps whose budget ends before they are good
        CHECK(books.coldest > -1e-12);
        fallbacks += books.fallbacks;
    }
    CHECK(fallbacks > 100);
}

TEST_CASE("joints, motors and limits add nothing but the motors' work", "[flow][turning][slow]") {
    const int maxSteps = GENERATE(2000, 20, 1);
    FlowSettings settings;
    settings.maxSteps = maxSteps;
    int fallbacks = 0;
    for (unsigned long seed = 300; seed < (maxSteps == 2000 ? 315 : 330); ++seed) {
        RandomBodies sample = randomBodies(seed);
        RandomNumbers random(seed);
        addRandomJoints(random, sample);
        const Books books = run(sample.network, sample.h, 15, settings);
        CAPTURE(maxSteps, seed, sample.h, sample.text, books.fallbacks);
        REQUIRE(books.finite);
        CHECK(books.rise < 1e-9);
        CHECK(books.miss < 1e-4);  // of what is solved by steps whose budget ends before they are good
        if (maxSteps == 2000 && books.fallbacks == 0) CHECK(books.loss < 1e-5);
        CHECK(books.coldest > -1e-12);
        fallbacks += books.fallbacks;
    }
    CHECK(fallbacks > 0);
}

TEST_CASE("a rotor that tumbles through 180 degrees of tilt keeps its energy", "[flow][turning][slow]") {
    const double d = GENERATE(0., 0.1, 5.);
    const double speed = GENERATE(3., 30., 300.);
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, {0.01, 0.012, 0.014}));
    network.bodies[0].angularVelocity = speed * Vector3d(0.5, 0.3, 0.8);
    FlowElement play{ElastoBacklashLaw({.c = 1e3, .d = d, .b = 0.2})};
    play.geometry = Geometry::AboutAxis;
    play.b = 0;
    play.axis = Vector3d::UnitZ();
    network.elements.push_back(play);
    const Books books = run(network, 1. / 60, 300);
    CAPTURE(d, speed, books.fallbacks);
    CHECK(books.finite);
    CHECK(books.rise < 1e-9);
    CHECK(books.coldest > -1e-12);
}

TEST_CASE("implicit ticks keep momentum", "[flow][turning]") {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, {0.01, 0.02, 0.025}));
    network.bodies.push_back(FlowBody::rigid(2, {0.03, 0.02, 0.04}));
    network.bodies[0].angularVelocity = {0.1, 9, 0.3};
    network.bodies[0].velocity = {0, 1, 0.5};
    network.bodies[1].position = {0.5, 0.1, 0};
    network.bodies[1].angularVelocity = {1, -2, 3};
    FlowElement line{SpringDamperLaw({.c = 1e5, .d = 2, .s_rel0 = 0.4})};
    line.geometry = Geometry::AlongLine;
    line.a = 0;
    line.b = 1;
    line.pointA = {0.05, 0.02, 0};
    line.pointB = {-0.03, 0.1, 0.02};
    network.elements.push_back(line);
    const auto momentum = [&] {
        return Vector3d(network.bodies[0].velocity / network.bodies[0].inverseMass +
                        network.bodies[1].velocity / network.bodies[1].inverseMass);
    };
    const auto moment = [&] {
        Vector3d sum = Vector3d::Zero();
        for (const FlowBody& body : network.bodies) {
            const Vector3d local = body.orientation.conjugate() * body.angularVelocity;
            sum += body.position.cross(body.velocity) / body.inverseMass +
                   body.orientation * local.cwiseQuotient(body.inverseInertia);
        }
        return sum;
    };
    const Vector3d before = momentum(), momentBefore = moment();
    FlowSettings settings;
    settings.maxSteps = 4;
    int implicit = 0;
    for (int i = 0; i < 60; ++i) {
        const TickResult tick = solveTick(network, 1. / 60, settings);
        implicit += tick.method == FlowMethod::Implicit;
        network.adopt(tick);
    }
    CHECK(implicit == 60);
    CHECK((momentum() - before).norm() < 1e-9 * before.norm());
    CHECK((moment() - momentBefore).norm() < 1e-6 * momentBefore.norm());
}

TEST_CASE("a stiff pendulum keeps swinging at any stiffness", "[flow][turning][slow]") {
    const double c = GENERATE(1e9, 1e10, 1e12);
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, Vector3d::Constant(0.1)));
    network.bodies[0].position = {1, 0, 0};
    network.bodies[0].velocity = {0, 8, 0};
    FlowElement line{SpringDamperLaw({.c = c, .d = 0, .s_rel0 = 1})};
    line.geometry = Geometry::AlongLine;
    line.b = 0;
    network.elements.push_back(line);
    double angle = 0;
    for (int i = 0; i < 60; ++i) {
        const Vector3d from = network.bodies[0].position;
        network.adopt(solveTick(network, 1. / 60));
        const Vector3d& to = network.bodies[0].position;
        angle += std::atan2(from.x() * to.y() - from.y() * to.x(), from.dot(to));
    }
    CAPTURE(c, angle);
    CHECK(network.bodies[0].position.norm() == Approx(1).margin(1e-6));
    CHECK(angle == Approx(8).epsilon(2e-3));
}

TEST_CASE("what a moving body carries has the energy that it would have at rest", "[flow][turning][slow]") {
    // A ball on two springs of one kinematic body, too stiff for its budget, seen from that body.
    const double speed = GENERATE(0., 30., 300.);
    FlowSettings settings;
    settings.maxSteps = GENERATE(1, 100);
    const Vector3d carrier(speed, 0, 0);
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, Vector3d::Constant(0.1)));
    network.bodies[0].position = {0.3, 0.2, 0.1};
    network.bodies[0].velocity = carrier + Vector3d(1, -2, 3);
    network.bodies.emplace_back();
    network.bodies[1].velocity = carrier;
    for (const double c : {1e9, 1e7}) {
        FlowElement line{SpringDamperLaw({.c = c, .d = c < 1e8 ? 1e4 : 0, .s_rel0 = 0.4})};
        line.geometry = Geometry::AlongLine;
        line.a = 1;
        line.b = 0;
        line.pointA = {c < 1e8 ? 0.5 : 0, 0, 0};
        network.elements.push_back(line);
    }
    const auto energy = [&] {
        FlowBody seen = network.bodies[0];
        seen.velocity -= carrier;
        return kineticEnergy(seen) + elasto::test::storedEnergy(network);
    };
    double before = energy();
    const double start = before;
    for (int i = 0; i < 60; ++i) {
        const TickResult tick = solveTick(network, 1. / 60, settings);
        network.adopt(tick);
        const double now = energy() + tick.elements[0].heat + tick.elements[1].heat;
        CHECK(now <= before + 1e-6 * start);
        before = energy();
    }
    CHECK((network.bodies[0].position - network.bodies[1].position).norm() < 1);
}
