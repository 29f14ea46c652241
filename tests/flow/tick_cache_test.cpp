// What stands still: it ends where it began, to the last bit, and is solved once.

#include "tick_cache.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "contact_scenes.h"

using namespace elasto;
using Eigen::Vector3d;
using elasto::flow::readWords;
using elasto::flow::TickCache;
using elasto::test::addCorners;
using elasto::test::addGap;
using elasto::test::solidBox;

namespace {

using Words = std::vector<std::uint64_t>;

constexpr double kTick = 1.0 / 60;
/// Ticks after which a pressed stack stands.
constexpr int kStanding = 60;

Words wordsOf(const FlowNetwork& network, double h = kTick, const FlowSettings& settings = {}) {
    Words words;
    readWords(network, h, settings, words);
    return words;
}

/// Boxes of 1 kg, none exactly over the other, the uppermost one pressed down with about 1 kN.
FlowNetwork pressedStack(int boxes) {
    const Vector3d half(0.5, 0.5, 0.5);
    FlowNetwork network;
    for (int i = 0; i < boxes; ++i) {
        network.bodies.push_back(solidBox(1, half, {0.013 * (i % 3), 0.5 + i, -0.017 * (i % 2)}));
        addCorners(network, i, half, i - 1, i > 0 ? 0.5 : 0, 0.5);
    }
    addGap(network, ElastoGapLaw({.c = 1e6, .d = 100, .s_rel0 = 1e-3}), kWorld, {0.01, 1. * boxes, 0}, boxes - 1,
           {0, 0.5, 0}, {0, -1, 0});
    return network;
}

FlowNetwork standingStack(int boxes) {
    FlowNetwork network = pressedStack(boxes);
    for (int i = 0; i < kStanding; ++i) network.adopt(solveTick(network, kTick));
    return network;
}

/// One of everything; it need not make sense.
FlowNetwork oneOfEverything() {
    FlowNetwork network;
    network.bodies.resize(2);
    network.elements.push_back(FlowElement{ElastoGapLaw({.c = 1, .d = 2})});
    network.elements.push_back(FlowElement{SpringDamperLaw({.c = 1, .d = 2})});
    network.elements.push_back(FlowElement{ElastoBacklashLaw({.c = 1, .d = 2})});
    network.elements.push_back(FlowElement{SpringDamperSeriesLaw({.c = 1, .d = 2})});
    network.elements[0].geared.ratio = 2;
    network.joints.resize(1);
    network.bounded.resize(1);
    network.contacts.resize(1);
    return network;
}

using Change = std::function<void(FlowNetwork&)>;

void more(double& value) {
    value = std::isinf(value) ? 1 : std::nextafter(value, std::numeric_limits<double>::infinity());
}

/// Changes of single numbers by their last bit.
template <class Part>
void addNumbers(std::vector<Change>& changes, Part& (*partOf)(FlowNetwork&), std::vector<double Part::*> numbers) {
    for (const auto number : numbers) {
        changes.push_back([=](FlowNetwork& network) { more(partOf(network).*number); });
    }
}

template <class Part, class Vector>
void addVectors(std::vector<Change>& changes, Part& (*partOf)(FlowNetwork&), std::vector<Vector Part::*> vectors) {
    for (const auto vector : vectors) {
        for (int i = 0; i < Vector::SizeAtCompileTime; ++i) {
            changes.push_back([=](FlowNetwork& network) { more((partOf(network).*vector)[i]); });
        }
    }
}

template <class Part>
void addTurns(std::vector<Change>& changes, Part& (*partOf)(FlowNetwork&),
              std::vector<Eigen::Quaterniond Part::*> turns) {
    for (const auto turn : turns) {
        for (int i = 0; i < 4; ++i) {
            changes.push_back([=](FlowNetwork& network) { more((partOf(network).*turn).coeffs()[i]); });
        }
    }
}

template <class Part, class Whole>
void addWhole(std::vector<Change>& changes, Part& (*partOf)(FlowNetwork&), std::vector<Whole Part::*> numbers) {
    for (const auto number : numbers) {
        changes.push_back([=](FlowNetwork& network) {
            Whole& whole = partOf(network).*number;
            whole = static_cast<Whole>(static_cast<int>(whole) == 0 ? 1 : 0);
        });
    }
}

FlowBody& bodyOf(FlowNetwork& network) {
    return network.bodies[1];
}
QuadraticLoad& forceOf(FlowNetwork& network) {
    return network.bodies[1].force;
}
QuadraticLoad& torqueOf(FlowNetwork& network) {
    return network.bodies[1].torque;
}
FlowElement& elementOf(FlowNetwork& network) {
    return network.elements[0];
}
GearedCoordinate& gearedOf(FlowNetwork& network) {
    return network.elements[0].geared;
}
EulerTurns& turnsOf(FlowNetwork& network) {
    return network.elements[0].turns;
}
EulerTurns& boundedTurnsOf(FlowNetwork& network) {
    return network.bounded[0].turns;
}
HeldRow& jointOf(FlowNetwork& network) {
    return network.joints[0];
}
BoundedRow& boundedOf(FlowNetwork& network) {
    return network.bounded[0];
}
FlowContact& contactOf(FlowNetwork& network) {
    return network.contacts[0];
}

std::vector<Change> changesOfLaws() {
    const auto law = [](std::size_t element, const Law& other) {
        return [=](FlowNetwork& network) { network.elements[element].law = other; };
    };
    return {
        law(0, SpringDamperLaw({.c = 1, .d = 2})),
        law(0, ElastoGapLaw({.c = 1.5, .d = 2})),
        law(0, ElastoGapLaw({.c = 1, .d = 2.5})),
        law(0, ElastoGapLaw({.c = 1, .d = 2, .s_rel0 = 0.5})),
        law(0, ElastoGapLaw({.c = 1, .d = 2, .n = 1.5})),
        law(0, ElastoGapLaw({.c = 1, .d = 2, .s_ref = 2})),
        law(0, ElastoGapLaw({.c = 1, .d = 2, .characteristic = GapCharacteristic::NoPull})),
        law(1, SpringDamperLaw({.c = 1.5, .d = 2})),
        law(1, SpringDamperLaw({.c = 1, .d = 2.5})),
        law(1, SpringDamperLaw({.c = 1, .d = 2, .s_rel0 = 0.5})),
        law(2, ElastoBacklashLaw({.c = 1.5, .d = 2})),
        law(2, ElastoBacklashLaw({.c = 1, .d = 2.5})),
        law(2, ElastoBacklashLaw({.c = 1, .d = 2, .b = 0.5})),
        law(2, ElastoBacklashLaw({.c = 1, .d = 2, .phi_rel0 = 0.5})),
        law(2, ElastoBacklashLaw({.c = 1, .d = 2, .characteristic = BacklashCharacteristic::NoPull})),
        law(3, SpringDamperSeriesLaw({.c = 1.5, .d = 2})),
        law(3, SpringDamperSeriesLaw({.c = 1, .d = 2.5})),
        law(3, SpringDamperSeriesLaw({.c = 1, .d = 2, .s_unstretched = 0.5})),
        law(3, SpringDamperSeriesLaw({.c = 1, .d = 2, .s_damper_start = 0.5})),
    };
}

std::vector<Change> changesOfParts() {
    std::vector<Change> changes;
    changes.push_back([](FlowNetwork& network) { network.bodies.emplace_back(); });
    changes.push_back([](FlowNetwork& network) { network.elements.pop_back(); });
    changes.push_back([](FlowNetwork& network) { network.joints.emplace_back(); });
    changes.push_back([](FlowNetwork& network) { network.bounded.emplace_back(); });
    changes.push_back([](FlowNetwork& network) { network.contacts.emplace_back(); });

    using Body = FlowBody;
    changes.push_back([](FlowNetwork& network) { more(network.bodies[1].position.y()); });
    changes.push_back([](FlowNetwork& network) { more(network.bodies[1].orientation.z()); });
    changes.push_back([](FlowNetwork& network) { network.bodies[1].velocity.x() = -0.; });
    changes.push_back([](FlowNetwork& network) { more(network.bodies[1].angularVelocity.z()); });
    addNumbers<Body>(changes, bodyOf, {&Body::inverseMass});
    addVectors<Body, Vector3d>(changes, bodyOf, {&Body::inverseInertia, &Body::linearFactor, &Body::angularFactor});
    addWhole<Body, bool>(changes, bodyOf, {&Body::gyroscopic});
    for (const auto loadOf : {forceOf, torqueOf}) {
        addVectors<QuadraticLoad, Vector3d>(
            changes, loadOf, {&QuadraticLoad::constant, &QuadraticLoad::linear, &QuadraticLoad::quadratic});
    }

    using Element = FlowElement;
    addWhole<Element, Geometry>(changes, elementOf, {&Element::geometry});
    addWhole<Element, int>(changes, elementOf, {&Element::a, &Element::b});
    addVectors<Element, Vector3d>(changes, elementOf, {&Element::pointA, &Element::pointB, &Element::axis});
    addTurns<Element>(changes, elementOf, {&Element::frameA, &Element::frameB});
    addNumbers<Element>(changes, elementOf, {&Element::s_small, &Element::s_damper, &Element::phi});
    using Geared = GearedCoordinate;
    addWhole<Geared, Geometry>(changes, gearedOf, {&Geared::geometry});
    addWhole<Geared, int>(changes, gearedOf, {&Geared::a, &Geared::b});
    addVectors<Geared, Vector3d>(changes, gearedOf, {&Geared::pointA, &Geared::pointB, &Geared::axis});
    addTurns<Geared>(changes, gearedOf, {&Geared::frameA, &Geared::frameB});
    addNumbers<Geared>(changes, gearedOf, {&Geared::ratio, &Geared::phi});
    for (const auto of : {turnsOf, boundedTurnsOf}) {
        addWhole<EulerTurns, int>(changes, of, {&EulerTurns::first, &EulerTurns::last, &EulerTurns::about});
    }

    using Joint = HeldRow;
    addWhole<Joint, Joint::Kind>(changes, jointOf, {&Joint::kind});
    addWhole<Joint, int>(changes, jointOf, {&Joint::a, &Joint::b, &Joint::reaction});
    addVectors<Joint, Vector3d>(changes, jointOf, {&Joint::pointA, &Joint::pointB, &Joint::axisA, &Joint::axisB});
    addNumbers<Joint>(changes, jointOf, {&Joint::offset, &Joint::ratio});

    using Bounded = BoundedRow;
    addWhole<Bounded, Bounded::Kind>(changes, boundedOf, {&Bounded::kind});
    addWhole<Bounded, Geometry>(changes, boundedOf, {&Bounded::geometry});
    addWhole<Bounded, int>(changes, boundedOf, {&Bounded::a, &Bounded::b, &Bounded::side, &Bounded::reaction});
    addVectors<Bounded, Vector3d>(changes, boundedOf, {&Bounded::pointA, &Bounded::pointB, &Bounded::axis});
    addVectors<Bounded, Eigen::Vector2d>(changes, boundedOf, {&Bounded::spans});
    addTurns<Bounded>(changes, boundedOf, {&Bounded::frameA, &Bounded::frameB});
    addNumbers<Bounded>(
        changes, boundedOf,
        {&Bounded::targetRate, &Bounded::maxForce, &Bounded::bound, &Bounded::restitution, &Bounded::phi});

    using Contact = FlowContact;
    addWhole<Contact, int>(changes, contactOf, {&Contact::a, &Contact::b});
    addWhole<Contact, bool>(changes, contactOf, {&Contact::isVertexOnA, &Contact::hasStuck});
    addVectors<Contact, Vector3d>(
        changes, contactOf, {&Contact::vertex, &Contact::planePoint, &Contact::normal, &Contact::surfaceVelocity});
    addNumbers<Contact>(
        changes, contactOf,
        {&Contact::radius, &Contact::offset, &Contact::friction, &Contact::rollingFriction, &Contact::spinningFriction,
         &Contact::restitution, &Contact::restitutionVelocity, &Contact::restSpeed, &Contact::stiffness,
         &Contact::damping, &Contact::entered, &Contact::slack});
    return changes;
}

void requireSame(const TickResult& one, const TickResult& other) {
    REQUIRE(one.bodies.size() == other.bodies.size());
    for (std::size_t i = 0; i < one.bodies.size(); ++i) {
        REQUIRE(one.bodies[i].position == other.bodies[i].position);
        REQUIRE(one.bodies[i].orientation.coeffs() == other.bodies[i].orientation.coeffs());
        REQUIRE(one.bodies[i].velocity == other.bodies[i].velocity);
        REQUIRE(one.bodies[i].angularVelocity == other.bodies[i].angularVelocity);
    }
    REQUIRE(one.elements[0].impulse == other.elements[0].impulse);
    REQUIRE(one.contacts.size() == other.contacts.size());
    for (std::size_t i = 0; i < one.contacts.size(); ++i) {
        REQUIRE(one.contacts[i].impulse == other.contacts[i].impulse);
        REQUIRE(one.contacts[i].frictionImpulse == other.contacts[i].frictionImpulse);
    }
    REQUIRE(one.cost == other.cost);
    REQUIRE(one.leastCost == other.leastCost);
    REQUIRE(one.contactLoss == other.contactLoss);
}

}  // namespace

TEST_CASE("every number of a network is among its words", "[flow][steady]") {
    const FlowNetwork network = oneOfEverything();
    const Words words = wordsOf(network);
    REQUIRE(words == wordsOf(network));
    std::vector<Change> changes = changesOfParts();
    for (const Change& change : changesOfLaws()) changes.push_back(change);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        FlowNetwork changed = network;
        changes[i](changed);
        CAPTURE(i);
        CHECK(wordsOf(changed) != words);
    }
}

TEST_CASE("so are the tick and its settings", "[flow][steady]") {
    const FlowNetwork network = oneOfEverything();
    const Words words = wordsOf(network);
    CHECK(wordsOf(network, std::nextafter(kTick, 1)) != words);
    CHECK(wordsOf(network, kTick, {.maxSteps = 1999}) != words);
    CHECK(wordsOf(network, kTick, {.tolerance = 2e-9}) != words);
    CHECK(wordsOf(network, kTick, {.velocityFloor = 2e-3}) != words);
    CHECK(wordsOf(network, kTick, {.strongDamping = 31}) != words);
}

TEST_CASE("what stands is recalled with any budget that it would do with, and solved with less", "[flow][steady]") {
    const FlowNetwork network = standingStack(3);
    FlowWorkspace workspace;
    TickResult stood, again;
    FlowNetwork now = network;
    for (int i = 0; i < 10; ++i) {
        solveTick(now, kTick, {.maxCost = 1e6}, workspace, stood);
        now.adopt(stood);
    }
    REQUIRE(stood.leastCost < 1e5);
    flow::TickCache steady;
    steady.note(now, kTick, {.maxCost = 1e6}, stood);
    CHECK(steady.recall(now, kTick, {.maxCost = 1e5}, again));
    CHECK(steady.recall(now, kTick, {.maxCost = 1e7}, again));
    CHECK(steady.recall(now, kTick, {.maxCost = stood.leastCost}, again));
    CHECK_FALSE(steady.recall(now, kTick, {.maxCost = 0.9 * stood.leastCost}, again));
    // One that its budget has cut short is another one with more of it.
    stood.leastCost = 1e6;
    steady.note(now, kTick, {.maxCost = 1e6}, stood);
    CHECK_FALSE(steady.recall(now, kTick, {.maxCost = 1e7}, again));
}

TEST_CASE("a pressed stack stands where it stood, to the last bit", "[flow][steady]") {
    for (const int boxes : {1, 5, 15}) {
        CAPTURE(boxes);
        FlowNetwork network = standingStack(boxes);
        const FlowNetwork stood = network;
        REQUIRE(std::abs(solveTick(network, kTick).elements[0].force.f) > 900);
        for (int i = 0; i < 600; ++i) network.adopt(solveTick(network, kTick));
        CHECK(wordsOf(network) == wordsOf(stood));
    }
}

TEST_CASE("what stands is solved once, as long as nothing changes", "[flow][steady]") {
    const FlowNetwork network = standingStack(5);
    const TickResult result = solveTick(network, kTick);
    TickCache steady;
    TickResult recalled;
    CHECK_FALSE(steady.recall(network, kTick, {}, recalled));
    steady.note(network, kTick, {}, result);
    REQUIRE(steady.recall(network, kTick, {}, recalled));
    requireSame(recalled, result);

    FlowNetwork changed = network;
    more(changed.bodies[4].force.constant.x());
    CHECK_FALSE(steady.recall(changed, kTick, {}, recalled));
    changed = network;
    changed.contacts.pop_back();
    CHECK_FALSE(steady.recall(changed, kTick, {}, recalled));
    CHECK_FALSE(steady.recall(network, kTick / 2, {}, recalled));
    CHECK(steady.recall(network, kTick, {}, recalled));

    FlowNetwork moving = network;
    moving.bodies[4].velocity = {0.1, 0, 0};
    steady.note(moving, kTick, {}, solveTick(moving, kTick));
    CHECK_FALSE(steady.recall(moving, kTick, {}, recalled));
    CHECK_FALSE(steady.recall(network, kTick, {}, recalled));
}

TEST_CASE("workspaces find a stack that stands as it would be without them", "[flow][steady]") {
    FlowNetwork network = pressedStack(3);
    FlowWorkspace workspace;
    TickResult result;
    for (int i = 0; i < 3 * kStanding; ++i) {
        if (i == 2 * kStanding) network.bodies[1].force.constant.x() = 1e-9;
        if (i == 2 * kStanding + 20) network.bodies[2].force.constant.y() += 300;
        solveTick(network, kTick, {}, workspace, result);
        requireSame(result, solveTick(network, kTick));
        network.adopt(result);
    }
}

TEST_CASE("what creeps under a small force is not taken for standing", "[flow][steady]") {
    // Without gravity, and next to a wall that it does not touch.
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, {0.1, 0.1, 0.1}));
    network.bodies[0].force.constant = {1e-9, 0, 0};
    FlowContact wall;
    wall.a = 0;
    wall.planePoint = {-1, 0, 0};
    wall.normal = {1, 0, 0};
    network.contacts.push_back(wall);
    for (int i = 0; i < 60; ++i) network.adopt(solveTick(network, kTick));
    CHECK(network.bodies[0].velocity.x() == Approx(1e-9).epsilon(1e-6));
    CHECK(network.bodies[0].position.x() == Approx(0.5e-9).epsilon(1e-6));
}

TEST_CASE("a light body under a large force does not keep others standing", "[flow][steady]") {
    const Vector3d half(0.1, 0.1, 0.1);
    FlowNetwork network;
    network.bodies.push_back(solidBox(1e-3, half, {0, 0.1, 0}));
    network.bodies[0].force.constant = {0, -1e5, 0};
    network.bodies.push_back(solidBox(1, half, {1, 0.1, 0}));
    for (int i = 0; i < 2; ++i) addCorners(network, i, half, kWorld, 0, 0);
    network.elements.push_back(FlowElement{SpringDamperLaw({.c = 1e-12, .d = 0})});
    network.elements[0].a = 0;
    network.elements[0].b = 1;
    network.elements[0].axis = Vector3d::UnitX();
    for (int i = 0; i < 60; ++i) network.adopt(solveTick(network, kTick));
    network.bodies[1].force.constant += Vector3d(1e-5, 0, 0);
    for (int i = 0; i < 60; ++i) network.adopt(solveTick(network, kTick));
    CHECK(network.bodies[1].velocity.x() == Approx(1e-5).epsilon(1e-3));
}
