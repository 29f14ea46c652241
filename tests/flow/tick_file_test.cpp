// Ticks as files: what is read is what was written, and gives the same bits.

#include <elasto/errors.h>
#include <elasto/tick_file.h>

#include <catch2/catch.hpp>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "random_bodies.h"

namespace tick_file_test {

using namespace elasto;

namespace {

TickRecord recordOf(const FlowNetwork& network, double h) {
    TickRecord record;
    record.label = "ElastoGap 'stop'";
    record.time = 1. / 3;
    record.h = h;
    record.settings.maxSteps = 500;
    record.network = network;
    record.fingerprint = fingerprintOf(solveTick(network, h, record.settings));
    record.grade = TickGrade::of(GradeCause::Budget);
    record.grade.error = 1e-5;
    return record;
}

TickRecord readAgain(const TickRecord& record) {
    std::stringstream file;
    writeTick(file, record);
    return readTick(file, "kept.txt");
}

std::string textOf(const TickRecord& record) {
    std::ostringstream file;
    writeTick(file, record);
    return file.str();
}

/// With every kind of part, and fields that are not what they are at first.
FlowNetwork wholeNetwork() {
    FlowNetwork network = test::randomBodies(3).network;
    FlowContact contact;
    contact.a = 0;
    contact.vertex = {0.1, -0.2, 0.3};
    contact.stiffness = 1e5;
    contact.ownerBox.half.diagonal() = Eigen::Vector3d(1, 2, 3);
    contact.planePoint = {0, -100, 0};
    contact.friction = 0.3;
    network.contacts.push_back(contact);
    HeldRow row;
    row.b = 0;
    row.kind = HeldRow::Kind::Orthogonal;
    row.axisB = Eigen::Vector3d::UnitY();
    network.joints.push_back(row);
    BoundedRow motor;
    motor.b = 0;
    motor.maxForce = 3;
    motor.targetRate = 0.1;
    motor.geared.ratio = -0.3;
    motor.geared.phi = 7;
    network.bounded.push_back(motor);
    LoadChange change{.time = 1e-3};
    change.force.linear = {1, 2, 3};
    network.changes.push_back(change);
    FlowElement element = network.elements[0];
    for (const ElementTypeInfo& info : elementTypes()) {
        LawValues values = defaultValues(info);
        const std::span<const LawParameter> list = parameterList(info);
        for (std::size_t k = 0; k < list.size(); ++k) {
            if (std::isnan(values[k])) values[k] = 1 + 0.1 * static_cast<double>(k);
            if (list[k].measured == Measured::Table) values.table = ForceTable({{0, 0}, {0.1, 5}, {0.2, 30}});
        }
        element.law = makeLaw(info, values, "test");
        network.elements.push_back(element);
    }
    return network;
}

}  // namespace

TEST_CASE("a tick that is read is the one that was written") {
    const FlowNetwork network = wholeNetwork();
    TickRecord record;
    record.label = "a\nlabel";
    record.h = 1. / 240;
    record.time = 0.1;
    record.settings.substep = 1e-4;
    record.network = network;
    record.fingerprint = 0xfedcba9876543210;
    const TickRecord read = readAgain(record);
    CHECK(read.label == "a label");
    CHECK(read.h == record.h);
    CHECK(read.time == record.time);
    CHECK(read.settings == record.settings);
    CHECK(read.fingerprint == record.fingerprint);
    REQUIRE(std::holds_alternative<FlowNetwork>(read.network));
    CHECK(std::get<FlowNetwork>(read.network) == network);
    CHECK(textOf(read) == textOf(record));
}

TEST_CASE("ticks of random networks have the same bits when they were written and read") {
    for (unsigned long seed = 0; seed < 30; ++seed) {
        CAPTURE(seed);
        const test::RandomBodies sample = test::randomBodies(seed);
        const TickRecord read = readAgain(recordOf(sample.network, sample.h));
        const auto& network = std::get<FlowNetwork>(read.network);
        CHECK(fingerprintOf(solveTick(network, read.h, read.settings)) == read.fingerprint);
        CHECK(read.grade == recordOf(sample.network, sample.h).grade);
    }
}

TEST_CASE("trees too") {
    TickRecord record;
    TreeNetwork network;
    FlowTree tree;
    TreeLink link;
    link.mass = 1;
    link.centerOfMass = {0.5, 0, 0};
    link.inertia = Eigen::Vector3d(0.01, 0.02, 0.03).asDiagonal();
    link.qd = 1. / 3;
    link.force.constant = {0, -9.81, 0};
    tree.links.push_back(link);
    tree.rotors.push_back({.carrier = 0, .axis = {0, 1, 0}, .inertia = 0.1, .w = 2, .torque = {}});
    network.trees.push_back(tree);
    TreeElement gear{ElastoBacklashLaw({.c = 300, .d = 0.1, .b = 0.01})};
    gear.terms = {TreeTerm::joint(0, 0), TreeTerm::rotor(0, 0, -0.1)};
    network.elements.push_back(gear);
    TreeElement rub{FrictionLaw({.F_Coulomb = 0.3, .F_Stribeck = 0.1, .fexp = 2})};
    rub.terms = {TreeTerm::joint(0, 0)};
    rub.f_normalized = {.constant = 0.5, .linear = 3};
    network.elements.push_back(rub);
    TreeLoadChange release;
    release.time = 1e-3;
    release.element = 1;
    release.share = {.constant = 0.2, .linear = -1};
    network.changes = {release};
    TreeBounded limit;
    limit.terms = {TreeTerm::joint(0, 0)};
    limit.kind = BoundedRow::Kind::Limit;
    limit.bound = -0.001;
    network.bounded.push_back(limit);
    record.network = network;
    record.h = 1. / 60;
    record.fingerprint = fingerprintOf(solveTreeTick(network, record.h));
    const TickRecord read = readAgain(record);
    CHECK(textOf(read) == textOf(record));
    CHECK(fingerprintOf(solveTreeTick(std::get<TreeNetwork>(read.network), read.h)) == record.fingerprint);
}

TEST_CASE("a file that is none is refused with its line") {
    const std::string text = textOf(recordOf(test::randomBodies(1).network, 1. / 60));
    const auto refusalOf = [](const std::string& broken) {
        std::istringstream file(broken);
        try {
            readTick(file, "kept.txt");
        } catch (const InvalidParameter& refused) {
            return std::string(refused.what());
        }
        return std::string("taken");
    };
    CHECK(refusalOf(text) == "taken");
    CHECK_THAT(refusalOf(""), Catch::Contains("kept.txt: line 1: the file ends before 'elasto-tick'"));
    CHECK_THAT(refusalOf("hello\n"), Catch::Contains("line 1: 'hello' is not allowed; it must be 'elasto-tick'"));
    CHECK_THAT(refusalOf("elasto-tick 9\n"), Catch::Contains("this version"));
    // Cut anywhere, or with another word anywhere, it is refused, and never taken for something else.
    std::vector<std::string> lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) lines.push_back(line);
    for (std::size_t i = 1; i < lines.size(); i += 7) {
        std::string cut, other;
        for (std::size_t k = 0; k < lines.size(); ++k) {
            if (k < i) cut += lines[k] + "\n";
            other += k == i ? "x" + lines[k] + "\n" : lines[k] + "\n";
        }
        CAPTURE(i, lines[i]);
        CHECK_THAT(refusalOf(cut), Catch::Contains("line " + std::to_string(i + 1) + ": the file ends before '"));
        CHECK_THAT(refusalOf(other), Catch::Contains("line " + std::to_string(i + 1) + ": 'x"));
    }
    CHECK_THAT(refusalOf(text + "more"), Catch::Contains("'more' is not allowed; it must be the end of the file"));
    const auto with = [&](const std::string& name, const std::string& value) {
        std::string changed = text;
        const std::size_t at = changed.find("\n" + name + " ") + 1;
        return changed.replace(at, changed.find('\n', at) - at, name + " " + value);
    };
    CHECK(refusalOf(with("maxSteps", "500")) == "taken");
    for (const auto& [name, value] :
         {std::pair("maxSteps", "-1"), std::pair("maxSteps", "2000000000"), std::pair("a", "99999999999999999999"),
          std::pair("b", "4294967296"), std::pair("tolerance", "nan"), std::pair("h", "0"), std::pair("error", "-3"),
          std::pair("velocityFloor", "-1"), std::pair("mostSubsteps", "0")}) {
        CAPTURE(name, value);
        CHECK_THAT(refusalOf(with(name, value)), Catch::Contains("is not allowed; it must be"));
    }
    std::string few = text;
    few.replace(few.find("\nh "), few.find('\n', few.find("\nh ") + 1) - few.find("\nh "), "\nh fast");
    CHECK_THAT(refusalOf(few), Catch::Contains("'fast' is not allowed; it must be 1 numbers after 'h'"));
}

}  // namespace tick_file_test
