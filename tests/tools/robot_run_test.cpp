// `elasto run` of a robot, and `elasto plot` of one signal over another.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <cmath>

#include "csv.h"
#include "program.h"
#include "temporary_folder.h"

using namespace elasto;
using namespace elasto::test;
using Catch::Matchers::Contains;
using elasto::tools::readCsv;

namespace {

/// A pendulum with a range, in a folder of its own.
class PendulumFolder {
public:
    PendulumFolder() {
        writeText(urdf(), R"(<robot name="pendulum"><link name="world"/><link name="bar">
<inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.17" iyz="0" izz="0.17"/></inertial>
</link><joint name="hinge" type="revolute"><parent link="world"/><child link="bar"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="0.4" effort="100" velocity="10"/></joint></robot>
)");
        writeText(scene(), R"({"elasto": 1, "name": "held", "robot": "pendulum.urdf", "duration": 0.5, "rate": 100,
"servos": [{"joint": "hinge", "type": "constant", "position": 0.1, "stiffness": 500, "damping": 30}]})");
    }

    std::string urdf() const { return m_folder.file("pendulum.urdf"); }
    std::string scene() const { return m_folder.file("held.json"); }
    std::string file(const std::string& name) const { return m_folder.file(name); }

private:
    TemporaryFolder m_folder;
};

}  // namespace

TEST_CASE("run takes a URDF file and records its joints") {
    const PendulumFolder folder;
    const std::string csv = folder.file("run.csv");
    const ProgramResult result = runElasto(
        {"run", folder.urdf(), "--hz", "100", "--duration", "0.2", "--csv", csv, "--signals", "hinge.*", "bar.r_0[?]"});
    CHECK(result.errors.empty());
    REQUIRE(result.code == 0);
    const Trajectory run = readCsv(csv);
    REQUIRE(run.time.size() == 21);
    // Of a joint, read-outs come after its coordinate and rate.
    CHECK(run.signals == std::vector<std::string>{"hinge.phi", "hinge.w", "hinge.f[1]", "hinge.f[2]", "hinge.f[3]",
                                                  "hinge.t[1]", "hinge.t[2]", "hinge.t[3]", "hinge.tau_net",
                                                  "bar.r_0[1]", "bar.r_0[2]", "bar.r_0[3]"});
    CHECK(run.at("hinge.w").back() == Approx(9.80665 / 0.67 * 0.2).epsilon(0.01));
}

TEST_CASE("run puts stops at the limits of a URDF file") {
    const PendulumFolder folder;
    const std::string csv = folder.file("run.csv");
    REQUIRE(runElasto({"run", folder.urdf(), "--duration", "3", "--stops", "1000", "20", "--csv", csv}).code == 0);
    const Trajectory run = readCsv(csv);
    CHECK(run.at("hinge.phi").back() == Approx(0.4 + 0.00903).margin(2e-4));
    CHECK(run.at("hinge.upper.contact").back() == 1);
}

TEST_CASE("run takes a robot scene, in text and JSON") {
    const PendulumFolder folder;
    const ProgramResult text = runElasto({"run", folder.scene()});
    CHECK(text.code == 0);
    CHECK_THAT(text.output, Contains("held: 50 ticks at 100 Hz to 0.5 s") && Contains("hinge.drive.tau"));
    const ProgramResult result = runElasto({"run", folder.scene(), "--json"});
    REQUIRE(result.code == 0);
    const nlohmann::json json = nlohmann::json::parse(result.output);
    CHECK(json.at("scene") == "held");
    CHECK(json.at("ticks") == 50);
    CHECK(json.at("units").at("values").at("hinge.phi") == "rad");
    CHECK(json.at("values").at("hinge.phi").get<double>() == Approx(0.1).margin(0.05));
}

TEST_CASE("no file that a robot's run reads is overwritten") {
    const PendulumFolder folder;
    const auto refuses = [&](const std::vector<std::string>& arguments, const std::string& output) {
        const std::string before = readText(output);
        const ProgramResult result = runElasto(arguments);
        CHECK(result.code == 2);
        CHECK_THAT(result.errors, Contains("'" + output + "' is not allowed; it is what the command reads"));
        CHECK(readText(output) == before);
    };
    refuses({"run", folder.scene(), "--csv", folder.urdf()}, folder.urdf());
    writeText(folder.file("more.xml"), "<elasto:elements/>");
    refuses({"run", folder.urdf(), "--elements", folder.file("more.xml"), "--csv", folder.file("more.xml")},
            folder.file("more.xml"));
    writeText(folder.file("moves.csv"), "time,hinge\n0,0\n1,0.1\n");
    writeText(folder.file("moved.json"), R"({"elasto": 1, "name": "moved", "robot": "pendulum.urdf", "duration": 0.5,
"trajectory": {"file": "moves.csv"}, "servos": [{"joint": "hinge", "type": "trajectory", "stiffness": 500, "damping": 30}]})");
    refuses({"run", folder.file("moved.json"), "--csv", folder.file("moves.csv")}, folder.file("moves.csv"));
    REQUIRE(runElasto({"run", folder.scene(), "--csv", folder.file("run.svg")}).code == 0);
    refuses({"plot", folder.file("run.svg"), "--signals", "*", "-o", folder.file("run.svg")}, folder.file("run.svg"));
}

TEST_CASE("run says what is wrong with a robot, with code 2") {
    const PendulumFolder folder;
    writeText(folder.file("bad.urdf"), "<robot name='bad'>\n<link/>\n</robot>");
    const ProgramResult bad = runElasto({"run", folder.file("bad.urdf")});
    CHECK(bad.code == 2);
    CHECK_THAT(bad.errors, Contains("bad.urdf:2: <link>: name is missing"));
    const ProgramResult signal = runElasto({"run", folder.urdf(), "--signals", "elbow.*"});
    CHECK(signal.code == 2);
    CHECK_THAT(signal.errors, Contains("'elbow.*' fits no signal of the robot; it has hinge.f[1]"));
    for (const std::string& scene : {folder.scene(), std::string("gap_laws")}) {
        const ProgramResult option = runElasto({"run", scene, "--fixed-base"});
        CHECK(option.code == 2);
        CHECK_THAT(option.errors,
                   Contains("--elements, --stops, --fixed-base, --free-base and --bullet are for robots' files"));
    }
    CHECK(runElasto({"run", folder.file("none.urdf")}).code == 3);
}

TEST_CASE("run and explain warn of what a robot's file hardly means, and read it all the same") {
    const PendulumFolder folder;
    std::string text = readText(folder.urdf());
    text.replace(text.find("lower=\"-1\""), 10, "lower=\"-90\"");
    text.replace(text.find("<axis"), 5, "<dynamic damping=\"1\"/><axis");
    writeText(folder.urdf(), text);
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"run", folder.urdf(), "--duration", "0.1", "--json"},
          std::vector<std::string>{"run", folder.scene()}, std::vector<std::string>{"explain", folder.urdf()}}) {
        const ProgramResult result = runElasto(arguments);
        CHECK(result.code == 0);
        CHECK_THAT(result.errors, Contains("elasto: warning: ") &&
                                      Contains("pendulum.urdf:4: <limit>: lower = \"-90\" is more than a turn") &&
                                      Contains("pendulum.urdf:3: <dynamic>: is not read (damping = \"1\""));
    }
    writeText(folder.file("sweep.json"), R"({"elasto": 1, "name": "s", "scene": "held.json", "duration": 0.05,
"parameters": [{"set": "/servos/0/damping", "name": "d", "values": [1, 2, 3]}],
"metrics": [{"metric": "max", "of": "hinge.phi"}]})");
    const ProgramResult sweep = runElasto({"sweep", folder.file("sweep.json"), "--csv", folder.file("sweep.csv")});
    CHECK(sweep.code == 0);
    const std::size_t first = sweep.errors.find("is more than a turn");
    REQUIRE(first != std::string::npos);
    CHECK(sweep.errors.find("is more than a turn", first + 1) == std::string::npos);
}

TEST_CASE("plot draws signals over another one") {
    const PendulumFolder folder;
    const std::string csv = folder.file("run.csv");
    REQUIRE(runElasto({"run", folder.scene(), "--csv", csv}).code == 0);
    const std::string picture = folder.file("over.svg");
    const ProgramResult result = runElasto({"plot", csv, "--signals", "hinge.w", "--over", "hinge.phi", "-o", picture});
    CHECK(result.errors.empty());
    REQUIRE(result.code == 0);
    CHECK_THAT(readText(picture), Contains("hinge.phi [rad]"));
    const std::string copy = folder.file("other.csv");
    writeText(copy, readText(csv));
    REQUIRE(runElasto({"plot", csv, copy, "--signals", "hinge.w", "--over", "hinge.phi", "-o", picture}).code == 0);
    CHECK_THAT(readText(picture), Contains("run: hinge.w") && Contains("other: hinge.w"));
    const ProgramResult wrong = runElasto({"plot", csv, "--signals", "*.w", "--over", "elbow.phi", "-o", picture});
    CHECK(wrong.code == 2);
    CHECK_THAT(wrong.errors, Contains("has no column 'elbow.phi'; it has hinge.phi"));
}

TEST_CASE("explain takes robots, replay and verify say that they do not") {
    const PendulumFolder folder;
    const ProgramResult table = runElasto({"explain", folder.scene()});
    CHECK(table.code == 0);
    CHECK_THAT(table.output, Contains("held at 100 Hz") && Contains("no elements"));
    const ProgramResult json = runElasto({"explain", "arm6", "--json", "--hz", "60"});
    REQUIRE(json.code == 0);
    const auto facts = nlohmann::json::parse(json.output);
    CHECK(facts["robot"] == "arm6");
    CHECK(facts["rate"] == 60);
    CHECK(facts["elements"][0]["name"] == "yaw.backlash");
    CHECK(facts["elements"][0]["rotorInertia"].get<double>() == Approx(4));
    const ProgramResult replay = runElasto({"replay", folder.scene()});
    CHECK(replay.code == 2);
    CHECK_THAT(replay.errors, Contains("held.json: is no recording of Elasto"));
    const ProgramResult verify = runElasto({"verify", folder.urdf()});
    CHECK(verify.code == 2);
    CHECK_THAT(verify.errors, Contains("pendulum.urdf"));
    const ProgramResult plot =
        runElasto({"plot", folder.urdf(), "--signals", "hinge.phi", "-o", folder.file("run.svg")});
    CHECK(plot.code == 2);
    CHECK_THAT(plot.errors, Contains("pendulum.urdf"));
    CHECK(runElasto({"explain", folder.file("nosuch.urdf")}).code == 3);
}

TEST_CASE("run and explain take several robots and what is around them") {
    const PendulumFolder folder;
    writeText(folder.file("roof.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    writeText(folder.file("around.json"), R"({"elasto": 1, "name": "around", "duration": 0.2, "robots": [
{"name": "left", "robot": "pendulum.urdf", "stops": {"c": 1000, "d": 20}},
{"name": "right", "robot": "pendulum.urdf", "position": [0, 2, 0]}],
"bodies": [{"name": "box", "mass": 1, "inertia": [1, 1, 1], "position": [0.5, 0, -3], "shape": {"type": "box", "size": [1, 1, 1]}},
{"name": "low", "motion": "fixed", "position": [0, 0, -3.6], "shape": {"type": "box", "size": [1, 1, 1]}},
{"name": "roof", "motion": "fixed", "position": [9, 0, 0], "shape": {"type": "mesh", "file": "roof.obj"}}],
"elements": [{"name": "tie", "type": "Rope", "c": 100, "d": 1, "frame_a": {"body": "box"}, "frame_b": {"body": "right.bar"}},
{"name": "hold", "type": "Spring", "c": 100, "frame_a": {"body": "world"}, "frame_b": {"body": "box"}}]})");
    const std::string csv = folder.file("around.csv");
    const ProgramResult result = runElasto({"run", folder.file("around.json"), "--csv", csv});
    REQUIRE(result.code == 0);
    const Trajectory run = readCsv(csv);
    CHECK(run.at("right.hinge.phi").back() > 0);
    CHECK(run.at("tie.f").back() > 0);
    CHECK(run.at("hold.s").front() == Approx(std::hypot(0.5, 3)));
    const ProgramResult explained = runElasto({"explain", folder.file("around.json")});
    REQUIRE(explained.code == 0);
    CHECK_THAT(explained.output, Contains("left.hinge.upper") && Contains("hold") && Contains("tie") &&
                                     Contains("mass of those on links") && Contains("begin 0.4 m inside each other"));
    // What it reads is not overwritten.
    CHECK(runElasto({"run", folder.file("around.json"), "--csv", folder.file("roof.obj")}).code == 2);
    CHECK(readText(folder.file("roof.obj")).starts_with("v 0 0 0"));
    const nlohmann::json json =
        nlohmann::json::parse(runElasto({"explain", folder.file("around.json"), "--json"}).output);
    CHECK(json.at("elementsAround").at(1).at("name") == "tie");
    CHECK(json.at("elementsAround").at(1).at("method") == "joint coordinates");
    const ProgramResult rest = runElasto({"equilibrium", folder.file("around.json")});
    CHECK(rest.code != 0);
    CHECK_THAT(rest.errors, Contains("several robots or bodies around them are not allowed here"));
}

namespace {

/// How many rows come in pairs of one time, in which a signal `*.contact` changes. The others' number is checked.
int checkedPairs(const Trajectory& run, std::size_t ticks) {
    int pairs = 0;
    std::size_t others = 0;
    for (std::size_t k = 0; k < run.time.size(); ++k) {
        if (k + 1 == run.time.size() || run.time[k + 1] != run.time[k]) {
            ++others;
            continue;
        }
        bool changes = false;
        for (std::size_t i = 0; i < run.signals.size(); ++i) {
            if (!run.signals[i].ends_with(".contact")) continue;
            changes = changes || run.columns[i][k] != run.columns[i][k + 1];
        }
        INFO(run.time[k]);
        CHECK(changes);
        ++pairs;
        ++k;
    }
    CHECK(others == ticks + 1);
    return pairs;
}

}  // namespace

TEST_CASE("a robot's run with events has both sides of each, at its time, and the same ticks") {
    const PendulumFolder folder;
    std::vector<double> begins;
    for (const char* rate : {"30", "240"}) {
        INFO(rate);
        const std::string with = folder.file("with.csv"), without = folder.file("without.csv");
        const std::vector<std::string> options = {"run",
                                                  folder.urdf(),
                                                  "--hz",
                                                  rate,
                                                  "--duration",
                                                  "1",
                                                  "--stops",
                                                  "2000",
                                                  "1",
                                                  "--signals",
                                                  "hinge.phi",
                                                  "hinge.w",
                                                  "*.contact",
                                                  "hinge.upper.tau",
                                                  "hinge.upper.tau_mean",
                                                  "--csv"};
        const auto run = [&](const std::string& file, const std::vector<std::string>& more) {
            std::vector<std::string> arguments = options;
            arguments.push_back(file);
            arguments.insert(arguments.end(), more.begin(), more.end());
            REQUIRE(runElasto(arguments).code == 0);
            return readCsv(file);
        };
        const Trajectory events = run(with, {"--events"}), ticks = run(without, {});
        CHECK(checkedPairs(events, ticks.time.size() - 1) >= 2);
        std::size_t row = 0;
        for (std::size_t k = 0; k < events.time.size(); ++k) {
            const bool isFirst = k + 1 < events.time.size() && events.time[k + 1] == events.time[k];
            if (!isFirst) {
                CHECK(events.time[k] == ticks.time[row]);
                CHECK(events.at("hinge.phi")[k] == ticks.at("hinge.phi")[row]);
                ++row;
                continue;
            }
            // The limit is at 0.4 rad: there the stop begins and ends, but where its damper would pull.
            if (events.at("hinge.upper.contact")[k + 1] == 1) {
                CHECK(events.at("hinge.phi")[k] == Approx(0.4).margin(1e-7));
                CHECK(events.at("hinge.phi")[k + 1] == Approx(0.4).margin(1e-7));
                CHECK(events.at("hinge.upper.tau")[k] == 0);
                if (begins.empty() || rate[0] == '2') begins.push_back(events.time[k]);
            }
            ++k;
        }
        CHECK(row == ticks.time.size());
    }
    // The first contact is at the same instant at both rates.
    REQUIRE(begins.size() >= 2);
    CHECK(begins[0] == Approx(begins[1]).margin(1e-7));
}

TEST_CASE("a cart that meets its stop where a tick ends has both sides of that event, at each rate") {
    TemporaryFolder folder;
    writeText(folder.file("cart.urdf"), R"(<robot name="cart"><link name="world"/><link name="cart">
<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="rail" type="prismatic"><parent link="world"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
<elasto:gap joint="rail" side="lower" s_rel0="0" c="2000" d="5"/></robot>
)");
    writeText(folder.file("cart.json"), R"({"elasto": 1, "name": "cart", "robot": "cart.urdf", "gravity": [0, 0, 0],
"start": [{"joint": "rail", "position": 0.5, "velocity": -1}], "duration": 0.7, "record": ["rail.s", "*.contact"]})");
    const std::string csv = folder.file("run.csv");
    for (const int rate : {20, 24, 30, 40, 48, 50, 60, 70, 72, 80, 90, 100, 120, 144, 200, 240, 300, 500}) {
        INFO(rate);
        REQUIRE(
            runElasto({"run", folder.file("cart.json"), "--hz", std::to_string(rate), "--events", "--csv", csv}).code ==
            0);
        const Trajectory run = readCsv(csv);
        const std::vector<double>& contact = run.at("rail.lower.contact");
        std::vector<double> begins, ends;
        for (std::size_t k = 1; k < run.time.size(); ++k) {
            if (contact[k] == contact[k - 1]) continue;
            CHECK(run.time[k] == run.time[k - 1]);
            (contact[k] == 1 ? begins : ends).push_back(run.time[k]);
        }
        REQUIRE(begins.size() == 1);
        CHECK(begins[0] == Approx(0.5).epsilon(1e-9));
        REQUIRE(ends.size() == 1);
        CHECK(ends[0] == Approx(0.59942356).epsilon(1e-6));
    }
}

TEST_CASE("events of several robots, of bodies and of elements on links are in one run") {
    const PendulumFolder folder;
    const std::string csv = folder.file("run.csv");
    REQUIRE(runElasto({"run", "pushers", "--events", "--duration", "3", "--csv", csv, "--signals", "*.contact"}).code ==
            0);
    CHECK(checkedPairs(readCsv(csv), 720) >= 15);
    REQUIRE(runElasto({"run", "arm6", "--events", "--duration", "2", "--csv", csv, "--signals", "*.contact"}).code ==
            0);
    CHECK(checkedPairs(readCsv(csv), 480) >= 4);
    const ProgramResult none = runElasto({"run", "arm6", "--events"});
    CHECK(none.code == 2);
    CHECK_THAT(none.errors, Contains("--events needs --csv, --mat or --table"));
}

TEST_CASE("equilibrium finds where a robot rests, and writes a scene that stays there") {
    const PendulumFolder folder;
    const ProgramResult table = runElasto({"equilibrium", folder.urdf()});
    CHECK(table.code == 0);
    CHECK_THAT(table.output, Contains("hinge") && Contains("0.4") && Contains("resting start found in"));
    for (const std::string& scene : {folder.scene(), folder.urdf()}) {
        const std::string rest = folder.file("rest.json"), csv = folder.file("rest.csv");
        const ProgramResult json = runElasto({"equilibrium", scene, "--json", "-o", rest});
        REQUIRE(json.code == 0);
        CHECK(nlohmann::json::parse(json.output)["found"] == true);
        REQUIRE(runElasto({"run", rest, "--duration", "0.5", "--csv", csv}).code == 0);
        const std::vector<double> q = readCsv(csv).at("hinge.phi");
        CHECK(q.back() == Approx(q.front()).margin(1e-6));
        CHECK(q.front() ==
              Approx(nlohmann::json::parse(json.output)["joints"][0]["position"].get<double>()).margin(1e-6));
    }
    // Motors are wound up as their springs need; the file may lie elsewhere.
    const std::string rest = folder.file("arm6_rest.json"), csv = folder.file("arm6.csv");
    REQUIRE(runElasto({"equilibrium", "arm6", "-o", rest}).code == 0);
    REQUIRE(runElasto({"run", rest, "--duration", "0.01", "--csv", csv, "--signals", "*.backlash.tau"}).code == 0);
    double largest = 0;
    const Trajectory run = readCsv(csv);
    for (const std::string& signal : run.signals) largest = std::max(largest, std::abs(run.at(signal).front()));
    CHECK(largest > 1);
}

TEST_CASE("run names servos that are unstable at their rate, and stops of robots that were never touched") {
    const PendulumFolder folder;
    CHECK_THAT(runElasto({"run", folder.scene()}).output, !Contains("unstable") && !Contains("never touched"));
    writeText(folder.scene(), R"({"elasto": 1, "name": "held", "robot": "pendulum.urdf", "duration": 0.5, "rate": 100,
"servos": [{"joint": "hinge", "type": "constant", "position": 0.1, "stiffness": 500, "damping": 150}]})");
    CHECK_THAT(runElasto({"run", folder.scene()}).output, Contains("\nunstable servos: hinge\n"));
    // From 0 it falls on the upper end.
    const ProgramResult falls = runElasto({"run", folder.urdf(), "--stops", "1e4", "20", "--duration", "0.5"});
    CHECK_THAT(falls.output, Contains("\nnever touched: hinge.lower\n"));
}
