// What straight networks have in common from tick to tick is found once: to the same bits.

#include "straight/straight_record.h"

#include <catch2/catch.hpp>

#include <functional>
#include <vector>

namespace straight_record_test {

using namespace elasto;
using Eigen::Vector3d;
using elasto::flow::HybridLaw;
using elasto::flow::StraightRecord;

namespace {

constexpr double kTick = 1.0 / 60;

/// Masses on a vertical guide, one above the other, with gaps between them and to the ground; the lowest one slides on
/// a body that stands askew, and another one hangs on a damped spring beside the guide.
FlowNetwork guide() {
    FlowNetwork network;
    for (int i = 0; i < 9; ++i) {
        FlowBody mass;
        mass.inverseMass = i == 8 ? 0 : 4. / (1 + i % 3);
        mass.position = {0, 0.21 * i, 0};
        mass.velocity = {0, i == 8 ? 0 : 0.5 - 0.4 * (i % 4), 0};
        mass.orientation = Eigen::AngleAxisd(0.1 * i, Vector3d::UnitY());
        if (i == 6) {
            mass.inverseInertia.setConstant(3);
            mass.angularFactor.setZero();
        }
        if (i < 8) mass.force.constant = {0, -2.45 * (1 + i % 3), 0};
        network.bodies.push_back(mass);
    }
    for (int i = 0; i < 8; ++i) {
        FlowElement gap{ElastoGapLaw({.c = 2e4, .d = i % 3 == 0 ? 5. : 0., .s_rel0 = i == 0 ? 0 : 0.2})};
        gap.a = i - 1;
        gap.b = i;
        gap.axis = Vector3d::UnitY();
        network.elements.push_back(gap);
    }
    FlowElement spring{SpringDamperLaw({.c = 1e3, .d = 1, .s_rel0 = -0.2})};
    spring.a = 8;
    spring.b = 7;
    spring.axis = Vector3d::UnitY();
    network.elements.push_back(spring);
    return network;
}

struct Change {
    const char* what;
    std::function<void(FlowNetwork&)> make;
};

/// All that directions, responses, loads, laws and W depend on.
const std::vector<Change>& changes() {
    static const std::vector<Change> all{
        {"mass", [](FlowNetwork& at) { at.bodies[2].inverseMass *= 1.5; }},
        {"linear factor", [](FlowNetwork& at) { at.bodies[3].linearFactor.y() = 0.5; }},
        {"inertia",
         [](FlowNetwork& at) {
             at.bodies[4].inverseInertia.setConstant(3);
             at.elements[4].pointB = {0.05, 0, 0};
         }},
        {"angular factor",
         [](FlowNetwork& at) {
             at.bodies[6].angularFactor.setOnes();
             at.elements[6].pointB = {0.05, 0, 0};
         }},
        {"orientation", [](FlowNetwork& at) { at.bodies[1].orientation = Eigen::AngleAxisd(0.1, Vector3d::UnitX()); }},
        {"spin",
         [](FlowNetwork& at) {
             at.bodies[1].angularVelocity = {0.1, 0, 0};
         }},
        {"force", [](FlowNetwork& at) { at.bodies[5].force.constant.y() += 1; }},
        {"changing force", [](FlowNetwork& at) { at.bodies[5].force.linear.y() = 30; }},
        {"stiffness", [](FlowNetwork& at) { at.elements[2].law = ElastoGapLaw({.c = 3e4, .d = 0, .s_rel0 = 0.2}); }},
        {"damping", [](FlowNetwork& at) { at.elements[2].law = ElastoGapLaw({.c = 2e4, .d = 9, .s_rel0 = 0.2}); }},
        {"edge", [](FlowNetwork& at) { at.elements[2].law = ElastoGapLaw({.c = 2e4, .d = 0, .s_rel0 = 0.21}); }},
        {"kind of law", [](FlowNetwork& at) { at.elements[8].law = SpringDamperSeriesLaw({.c = 1e3, .d = 1}); }},
        {"axis", [](FlowNetwork& at) { at.elements[8].axis = Vector3d(0, 0.6, 0.8); }},
        {"geometry", [](FlowNetwork& at) { at.elements[8].geometry = Geometry::AlongLine; }},
        {"bodies of an element", [](FlowNetwork& at) { at.elements[8].b = 6; }},
        {"number of elements", [](FlowNetwork& at) { at.elements.pop_back(); }},
        {"number of bodies", [](FlowNetwork& at) { at.bodies.push_back(at.bodies[8]); }},
    };
    return all;
}

void requireSame(const Vector3d& x, const Vector3d& y) {
    REQUIRE((x.array() == y.array()).all());
}

/// To the last bit.
void requireSame(const TickResult& x, const TickResult& y) {
    REQUIRE(x.bodies.size() == y.bodies.size());
    for (std::size_t i = 0; i < x.bodies.size(); ++i) {
        requireSame(x.bodies[i].position, y.bodies[i].position);
        requireSame(x.bodies[i].velocity, y.bodies[i].velocity);
        requireSame(x.bodies[i].angularVelocity, y.bodies[i].angularVelocity);
        REQUIRE(x.bodies[i].orientation.coeffs() == y.bodies[i].orientation.coeffs());
    }
    REQUIRE(x.elements.size() == y.elements.size());
    for (std::size_t e = 0; e < x.elements.size(); ++e) {
        REQUIRE(x.elements[e].s == y.elements[e].s);
        REQUIRE(x.elements[e].force.f == y.elements[e].force.f);
        REQUIRE(x.elements[e].heat == y.elements[e].heat);
    }
    REQUIRE(x.events.size() == y.events.size());
    REQUIRE(x.method == y.method);
    REQUIRE(x.steps == y.steps);
    REQUIRE(x.energyHandedOut == y.energyHandedOut);
}

std::vector<HybridLaw> lawsOf(const FlowNetwork& network) {
    std::vector<HybridLaw> laws;
    for (const FlowElement& element : network.elements) laws.push_back(HybridLaw::from(element.law));
    return laws;
}

}  // namespace

TEST_CASE("a record is of a network that has only moved", "[flow][straight]") {
    FlowNetwork network = guide();
    StraightRecord record;
    CHECK_FALSE(record.isOf(network));
    record.note(network, lawsOf(network));
    REQUIRE(record.isKnown());
    CHECK(record.isOf(network));
    for (FlowBody& body : network.bodies) {
        body.position.y() += 0.1;
        body.velocity.y() += 0.1;
    }
    network.elements[8].s_damper = 0.1;
    CHECK(record.isOf(network));
    for (const Change& change : changes()) {
        FlowNetwork other = network;
        change.make(other);
        INFO(change.what);
        CHECK_FALSE(record.isOf(other));
    }
    record.forget();
    CHECK_FALSE(record.isOf(network));
}

TEST_CASE("there are no records of networks that may turn", "[flow][straight]") {
    FlowNetwork network = guide();
    StraightRecord record;
    SECTION("a body that a moment can turn") {
        network.bodies[2].inverseInertia.setOnes();
    }
    SECTION("a body that turns") {
        network.bodies[8].angularVelocity = {0, 0.1, 0};
    }
    SECTION("an element along a line") {
        network.elements[8].geometry = Geometry::AlongLine;
    }
    SECTION("an element about an axis") {
        network.elements[8].geometry = Geometry::AboutAxis;
    }
    record.note(network, lawsOf(network));
    CHECK_FALSE(record.isKnown());
}

TEST_CASE("a straight network is solved to the same bits whatever was known of it", "[flow][straight]") {
    for (const Change& change : changes()) {
        INFO(change.what);
        FlowNetwork network = guide();
        FlowWorkspace used;
        TickResult result;
        const auto tick = [&] {
            solveTick(network, kTick, {}, used, result);
            requireSame(result, solveTick(network, kTick));
            network.adopt(result);
        };
        for (int i = 0; i < 10; ++i) tick();
        const FlowNetwork before = network;
        change.make(network);
        for (int i = 0; i < 5; ++i) tick();
        network = before;
        for (int i = 0; i < 5; ++i) tick();
    }
}

}  // namespace straight_record_test
