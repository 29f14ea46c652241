#include "complete_scene.h"

#include <elasto/scene/sample.h>

#include <catch2/catch.hpp>

#include <set>

using namespace elasto;
using nlohmann::json;

namespace {

std::vector<std::string> columns(const json& record) {
    json document = smallScene();
    document["record"] = record;
    std::vector<std::string> names;
    for (const Signal& signal : recordedSignals(parseScene(document.dump()))) names.push_back(signal.column);
    return names;
}

const Signal& find(const std::vector<Signal>& signals, const std::string& name) {
    for (const Signal& signal : signals) {
        if (signal.name == name) return signal;
    }
    throw std::out_of_range(name);
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("patterns") {
    CHECK(matchesPattern("*", "anything"));
    CHECK(matchesPattern("*", ""));
    CHECK(matchesPattern("mass1.r_0[1]", "mass1.r_0[1]"));
    CHECK(matchesPattern("mass?.r_0[?]", "mass1.r_0[1]"));
    CHECK(matchesPattern("*.r_0[*]", "mass1.r_0[1]"));
    CHECK(matchesPattern("*a*b*c", "xaxbxbxc"));
    CHECK_FALSE(matchesPattern("*a*b*c", "xaxbxbx"));
    CHECK_FALSE(matchesPattern("mass1", "mass1.r_0[1]"));
    CHECK_FALSE(matchesPattern("mass?", "mass"));
    CHECK_FALSE(matchesPattern("", "x"));
    CHECK(matchesPattern("", ""));
}

TEST_CASE("a record keeps its order and gives each column once") {
    CHECK(columns({"gap2.f", "gap1.f", "gap?.f"}) == Names{"gap2.f", "gap1.f"});
    CHECK(columns({"*.r_0[1]"}) == Names{"mass1.r_0[1]", "mass2.r_0[1]", "wall.r_0[1]"});
    CHECK(columns({json({{"signal", "gap1.s_rel"}, {"as", "mass1.s"}}), "gap1.s_*"}) == Names{"mass1.s", "gap1.s_rel"});
}

TEST_CASE("names follow the geometry") {
    const std::vector<Signal> signals = availableSignals(parseScene(completeScene().dump()));
    for (const char* name : {"gap.s_rel",
                             "gap.v_rel",
                             "gap.f",
                             "gap.f_mean",
                             "gap.f_c",
                             "gap.f_d",
                             "gap.f_d2",
                             "gap.flange_a.f",
                             "gap.flange_b.f",
                             "bumper.s",
                             "bumper.v",
                             "bumper.length",
                             "bumper.r_rel_0[3]",
                             "bumper.e_rel_0[1]",
                             "bumper.r_rel_a[2]",
                             "bumper.e_a[3]",
                             "lash.phi_rel",
                             "lash.w_rel",
                             "lash.tau",
                             "lash.tau_mean",
                             "lash.tau_c",
                             "lash.tau_d",
                             "lash.flange_a.tau",
                             "series.s_damper",
                             "gap.lossPower",
                             "gap.dissipatedPower",
                             "gap.heat",
                             "gap.storedEnergy",
                             "gap.contact",
                             "gap.TheatPort",
                             "box.r_0[1]",
                             "box.v_0[2]",
                             "box.w_a[3]",
                             "box.q[4]",
                             "port.power",
                             "port.energy",
                             "port.T",
                             "totalLossPower",
                             "totalHeat"}) {
        INFO(name);
        CHECK_NOTHROW(find(signals, name));
    }
    for (const char* name : {"bumper.s_rel", "bumper.flange_a.f", "gap.s", "gap.s_damper", "lash.f", "gap.length"}) {
        INFO(name);
        CHECK_THROWS_AS(find(signals, name), std::out_of_range);
    }
    std::set<std::string> unique;
    for (const Signal& signal : signals) CHECK(unique.insert(signal.name).second);
}

TEST_CASE("values of signals") {
    json document = smallScene();
    document["bodies"][0]["centreOfMass"] = {0, 0.5, 0};
    document["heatPorts"] = {{{"name", "port"}, {"conductance", 10}, {"ambientTemperature", 300}}};
    document["elements"][0]["heatPort"] = "port";
    document["elements"][2]["heatPort"] = "port";
    const Scene scene = parseScene(document.dump());
    const std::vector<Signal> signals = availableSignals(scene);

    SceneSample sample;
    sample.bodies.resize(3);
    // mass1 is turned by 90 degrees about z, so that its frame lies beside its centre of mass, and turns with 2 rad/s.
    sample.bodies[0].position = {1, 2, 3};
    sample.bodies[0].orientation = Eigen::AngleAxisd(1.5707963267948966, Eigen::Vector3d::UnitZ());
    sample.bodies[0].velocity = {4, 5, 6};
    sample.bodies[0].angularVelocity = {2, 0, 0};
    sample.elements.resize(3);
    ElementSample& gap = sample.elements[0];
    gap.s = 1;
    gap.v = 2;
    gap.force = {.f = -7, .f_c = -5, .f_d = -2, .f_d2 = -3, .contact = true};
    gap.meanForce = -6;
    gap.lossPower = 11;
    gap.dissipatedPower = 12;
    gap.heat = 13;
    gap.storedEnergy = 14;
    sample.elements[2].lossPower = 1;
    sample.elements[2].dissipatedPower = 2;
    sample.elements[2].heat = 3;
    sample.elements[2].pointA = {1, 1, 1};
    sample.elements[2].pointB = {1, 4, 5};
    sumHeatPorts(scene, sample);
    const auto value = [&](const char* name) { return signalValue(scene, sample, find(signals, name)); };

    CHECK(value("mass1.r_0[1]") == Approx(1.5));
    CHECK(value("mass1.r_0[2]") == Approx(2));
    CHECK(value("mass1.v_0[1]") == Approx(4));
    CHECK(value("mass1.v_0[3]") == Approx(6));  // w x (r_0 - centre) has no z part: both along x
    CHECK(value("mass1.w_a[1]") == Approx(0).margin(1e-15));
    CHECK(value("mass1.w_a[2]") == Approx(-2));
    CHECK(value("mass1.q[3]") == Approx(std::sqrt(0.5)));
    CHECK(value("mass1.q[4]") == Approx(std::sqrt(0.5)));
    CHECK(value("gap1.s_rel") == 1);
    CHECK(value("gap1.v_rel") == 2);
    CHECK(value("gap1.f") == -7);
    CHECK(value("gap1.flange_b.f") == -7);
    CHECK(value("gap1.flange_a.f") == 7);
    CHECK(value("gap1.f_c") == -5);
    CHECK(value("gap1.f_d") == -2);
    CHECK(value("gap1.f_d2") == -3);
    CHECK(value("gap1.f_mean") == -6);
    CHECK(value("gap1.contact") == 1);
    CHECK(value("gap2.contact") == 0);
    CHECK(value("gap1.lossPower") == 11);
    CHECK(value("gap1.dissipatedPower") == 12);
    CHECK(value("gap1.heat") == 13);
    CHECK(value("gap1.storedEnergy") == 14);
    CHECK(value("gap2.TheatPort") == 293.15);
    CHECK(value("port.power") == 14);
    CHECK(value("port.energy") == 16);
    CHECK(value("port.T") == Approx(300 + 1.4));
    CHECK(value("gap1.TheatPort") == value("port.T"));
    CHECK(value("totalLossPower") == 12);
    CHECK(value("totalHeat") == 16);
    CHECK(value("spring.length") == 5);
    CHECK(value("spring.r_rel_0[2]") == 3);
    CHECK(value("spring.e_rel_0[3]") == Approx(0.8));
    CHECK(value("spring.r_rel_a[1]") == Approx(3));  // mass1's x axis points along the world's y
    CHECK(value("spring.e_a[1]") == Approx(0.6));
    CHECK(value("spring.e_a[3]") == Approx(0.8));
}

TEST_CASE("a line of zero length has the direction zero, as in Modelica") {
    const Scene scene = parseScene(smallScene().dump());
    SceneSample sample;
    sample.bodies.resize(3);
    sample.elements.resize(3);
    sumHeatPorts(scene, sample);
    const Signal signal = find(availableSignals(scene), "spring.e_rel_0[1]");
    CHECK(signalValue(scene, sample, signal) == 0);
}

TEST_CASE("kinds of motion") {
    CHECK(isPosition(SignalKind::BodyPosition));
    CHECK(isPosition(SignalKind::ElementDamperLength));
    CHECK_FALSE(isPosition(SignalKind::ElementForce));
    CHECK(isVelocity(SignalKind::ElementV));
    CHECK_FALSE(isVelocity(SignalKind::BodyPosition));
}
