#include "relaxed_coordinate.h"
#include "small_robot.h"

#include "temporary_folder.h"

#include <catch2/catch.hpp>

using namespace elasto;
using namespace elasto::test;

namespace {

RobotElement only(const std::string& element) {
    const RobotDescription robot = parseRobot(smallRobotWith(element));
    REQUIRE(robot.elements.size() == 1);
    return robot.elements[0];
}

}  // namespace

TEST_CASE("a backlash has Modelica's parameters") {
    const RobotElement element =
        only(R"(<elasto:backlash joint="elbow" c="1e4" d="20" b="0.01" phi_rel0="0.002" characteristic="noPull"/>)");
    CHECK(element.name == "elbow.backlash");
    CHECK(element.line == 12);
    CHECK(element.type == ElementType::ElastoBacklash);
    CHECK(element.joint == 1);
    CHECK_FALSE(element.drive);
    const ElastoBacklashParameters& p = std::get<ElastoBacklashLaw>(element.law).parameters();
    CHECK(p.c == 1e4);
    CHECK(p.d == 20);
    CHECK(p.b == 0.01);
    CHECK(p.phi_rel0 == 0.002);
    CHECK(p.characteristic == BacklashCharacteristic::NoPull);
}

TEST_CASE("friction is a bearing's or a guide's, by the joint, and takes the place of the joint's own") {
    const std::string dynamic = smallRobot("<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 1 0\"/><dynamics friction=\"7\"/>");
    const auto withElement = [&](std::string text, const std::string& element) {
        return parseRobot(text.replace(text.find("</robot>"), 8, element + "\n</robot>"));
    };
    CHECK(withElement(dynamic, "").joints[1].friction == 7);
    const RobotDescription turning = withElement(
        dynamic,
        R"(<elasto:friction joint="elbow" tau_Coulomb="2" tau_prop="0.1" tau_Stribeck="1" wexp="3" peak="1.5" T="300"/>)");
    REQUIRE(turning.elements.size() == 1);
    CHECK(turning.joints[1].friction == 0);
    CHECK(turning.elements[0].name == "elbow.friction");
    CHECK(turning.elements[0].type == ElementType::BearingFriction);
    CHECK(turning.elements[0].T == 300);
    CHECK(turning.elements[0].law ==
          Law(FrictionLaw({.F_Coulomb = 2, .F_prop = 0.1, .F_Stribeck = 1, .fexp = 3, .peak = 1.5})));
    const std::string sliding = smallRobot("name=\"elbow\" type=\"continuous\"", "name=\"elbow\" type=\"prismatic\"");
    const RobotDescription guide = withElement(sliding, R"(<elasto:friction joint="elbow" F_Coulomb="4" fexp="2"/>)");
    REQUIRE(guide.elements.size() == 1);
    CHECK(guide.elements[0].type == ElementType::SupportFriction);
    CHECK(guide.elements[0].law == Law(FrictionLaw({.F_Coulomb = 4, .fexp = 2})));
}

TEST_CASE("friction on a joint's motor holds on the motor's side, and stands behind the others") {
    const RobotDescription robot = parseRobot(
        smallRobotWith(R"(<elasto:friction joint="elbow" side="motor" tau_Coulomb="0.02" tau_prop="1e-4" wexp="3"/>
<elasto:friction joint="elbow" side="link" tau_Coulomb="1"/>
<elasto:sea joint="elbow" c="4" d="0" inertia="1e-4" ratio="-100"/>)"));
    REQUIRE(robot.elements.size() == 3);
    const RobotElement& motor = robot.elements[2];
    CHECK(motor.name == "elbow.motor.friction");
    CHECK(motor.isOnMotor);
    CHECK(motor.type == ElementType::BearingFriction);
    CHECK(motor.law == Law(FrictionLaw({.F_Coulomb = 0.02, .F_prop = 1e-4, .fexp = 3})));
    CHECK(robot.elements[0].name == "elbow.friction");
    CHECK_FALSE(robot.elements[0].isOnMotor);
    // Motors of sliding joints turn; `<dynamics friction>` stays in the joint.
    std::string sliding = smallRobot("name=\"elbow\" type=\"continuous\"", "name=\"elbow\" type=\"prismatic\"");
    sliding.replace(sliding.find("<axis xyz=\"0 1 0\"/>"), 0, "<dynamics friction=\"7\"/>");
    sliding.replace(sliding.find("</robot>"), 8, R"(<elasto:friction joint="elbow" side="motor" tau_Coulomb="0.02"/>
<elasto:sea joint="elbow" c="4" d="0" inertia="1e-4" ratio="300"/></robot>)");
    const RobotDescription guide = parseRobot(sliding);
    REQUIRE(guide.elements.size() == 2);
    CHECK(guide.elements[1].type == ElementType::BearingFriction);
    CHECK(guide.joints[1].friction == 7);
}

TEST_CASE("an element has the temperature that it is given") {
    CHECK(only(R"(<elasto:backlash joint="elbow" c="4" d="0" T="350"/>)").T == 350);
    CHECK(only(R"(<elasto:series joint="elbow" c="4" d="1"/>)").T == 293.15);
    CHECK(only(R"(<elasto:gap joint="elbow" side="lower" s_rel0="0" c="1" d="0" T="310"/>)").T == 310);
}

TEST_CASE("a backlash behind a drive has a rotor") {
    const RobotElement element = only(R"(<elasto:backlash joint="elbow" c="4" d="0" inertia="1e-4" ratio="-100"/>)");
    REQUIRE(element.drive);
    CHECK(element.drive->inertia == 1e-4);
    CHECK(element.drive->ratio == -100);
    CHECK(only(R"(<elasto:backlash joint="elbow" c="4" d="0" inertia="1e-4"/>)").drive->ratio == 1);
}

TEST_CASE("constants of the motor's side are those of the joint's side after the gear") {
    const RobotElement backlash = only(
        R"(<elasto:backlash joint="elbow" c="3" d="0.5" b="0.2" phi_rel0="0.1" side="motor" inertia="1e-4" ratio="-10"/>)");
    const ElastoBacklashParameters& p = std::get<ElastoBacklashLaw>(backlash.law).parameters();
    CHECK(p.c == Approx(300));
    CHECK(p.d == Approx(50));
    CHECK(p.b == Approx(0.02));
    CHECK(p.phi_rel0 == Approx(-0.01));
    const RobotElement series = only(
        R"(<elasto:series joint="elbow" c="3" d="0.5" s_unstretched="1" s_damper_start="2" side="motor" inertia="1e-4" ratio="10"/>)");
    const SpringDamperSeriesParameters& q = std::get<SpringDamperSeriesLaw>(series.law).parameters();
    CHECK(q.c == Approx(300));
    CHECK(q.s_unstretched == Approx(0.1));
    CHECK(q.s_damper_start == Approx(0.2));
}

TEST_CASE("stops at both ends stand at the joint's limits and take their place") {
    const RobotDescription robot =
        parseRobot(smallRobotWith(R"(<elasto:gap joint="shoulder" side="both" c="1e5" d="10" n="1.5" s_ref="0.1"/>)"));
    REQUIRE(robot.elements.size() == 2);
    CHECK(robot.elements[0].name == "shoulder.lower");
    CHECK(robot.elements[1].name == "shoulder.upper");
    CHECK_FALSE(robot.elements[0].isUpper);
    CHECK(robot.elements[1].isUpper);
    CHECK(std::get<ElastoGapLaw>(robot.elements[0].law).parameters().s_rel0 == -1);
    CHECK(std::get<ElastoGapLaw>(robot.elements[1].law).parameters().s_rel0 == -2);
    CHECK(std::get<ElastoGapLaw>(robot.elements[1].law).parameters().n == 1.5);
    CHECK(std::get<ElastoGapLaw>(robot.elements[1].law).parameters().s_ref == 0.1);
    CHECK(robot.joints[0].limits->isLowerElastic);
    CHECK(robot.joints[0].limits->isUpperElastic);
}

TEST_CASE("a stop inside the range leaves the limit behind it") {
    const RobotDescription robot =
        parseRobot(smallRobotWith(R"(<elasto:gap joint="shoulder" side="upper" s_rel0="1.5" c="1e5" d="10"/>)"));
    CHECK(std::get<ElastoGapLaw>(robot.elements.at(0).law).parameters().s_rel0 == -1.5);
    CHECK_FALSE(robot.joints[0].limits->isUpperElastic);
    CHECK_FALSE(robot.joints[0].limits->isLowerElastic);
}

TEST_CASE("a continuous joint can have a stop, where the file says it") {
    CHECK(std::get<ElastoGapLaw>(only(R"(<elasto:gap joint="elbow" side="lower" s_rel0="-7" c="1" d="0"/>)").law)
              .parameters()
              .s_rel0 == -7);
}

TEST_CASE("a series element has Modelica's parameters and a name if it is given one") {
    const RobotElement element =
        only(R"(<elasto:series name="ankle" joint="elbow" c="800" d="40" s_unstretched="0.1" s_damper_start="0.2"/>)");
    CHECK(element.name == "ankle");
    CHECK(element.type == ElementType::SpringDamperSeries);
    const SpringDamperSeriesParameters& p = std::get<SpringDamperSeriesLaw>(element.law).parameters();
    CHECK(p.c == 800);
    CHECK(p.d == 40);
    CHECK(p.s_unstretched == 0.1);
    CHECK(p.s_damper_start == 0.2);
}

TEST_CASE("a bushing has its law's parameters, on the joint's side of the gear") {
    const RobotElement plain = only(
        R"(<elasto:bushing joint="elbow" c="40" d="2" c_slip="400" tau_slip="3" phi_rel0="0.1" phi_slip_start="0.2"/>)");
    CHECK(plain.name == "elbow.bushing");
    CHECK(plain.type == ElementType::RotationalBushing);
    CHECK(std::get<BushingLaw>(plain.law).parameters() ==
          BushingParameters{.c = 40, .d = 2, .c_slip = 400, .f_slip = 3, .s_rel0 = 0.1, .s_slip_start = 0.2});
    const RobotElement geared = only(
        R"(<elasto:bushing joint="elbow" c="4e-3" d="2e-4" c_slip="0.04" tau_slip="0.03" phi_rel0="10" side="motor" inertia="1e-4" ratio="-100"/>)");
    const BushingParameters p = std::get<BushingLaw>(geared.law).parameters();
    CHECK(p.c == Approx(40));
    CHECK(p.d == Approx(2));
    CHECK(p.c_slip == Approx(400));
    CHECK(p.f_slip == Approx(3));
    CHECK(p.s_rel0 == Approx(-0.1));
}

TEST_CASE("a series elastic actuator is a motor, a gear, its play and a spring with a damper beside it") {
    const RobotElement plain = only(R"(<elasto:sea joint="elbow" c="300" d="2" inertia="2e-4" ratio="50"/>)");
    CHECK(plain.name == "elbow.sea");
    CHECK(plain.type == ElementType::ElastoBacklash);
    REQUIRE(plain.drive);
    CHECK(plain.drive->inertia == 2e-4);
    CHECK(plain.drive->ratio == 50);
    CHECK(std::get<ElastoBacklashLaw>(plain.law).parameters() == ElastoBacklashParameters{.c = 300, .d = 2});
    // Without play it is linear: it pulls and pushes, and bears any load at rest.
    CHECK(evaluate(plain.law, -0.1, 0, 0).f == Approx(-30));
    const RobotElement loose = only(
        R"(<elasto:sea joint="elbow" c="3" d="0.5" b="0.2" phi_rel0="0.1" side="motor" inertia="1e-4" ratio="10"/>)");
    const ElastoBacklashParameters& p = std::get<ElastoBacklashLaw>(loose.law).parameters();
    CHECK(p.c == Approx(300));
    CHECK(p.d == Approx(50));
    CHECK(p.b == Approx(0.02));
    CHECK(p.phi_rel0 == Approx(0.01));
}

TEST_CASE("a bump stop at a joint has its table, at the joint's limits or at a place of its own") {
    const RobotDescription robot = parseRobot(
        smallRobotWith(R"(<elasto:bump_stop joint="shoulder" side="both" table="0 0, 0.1 20, 0.2 90" d="3"/>)"));
    REQUIRE(robot.elements.size() == 2);
    CHECK(robot.elements[0].name == "shoulder.bump_stop.lower");
    CHECK(robot.elements[1].name == "shoulder.bump_stop.upper");
    CHECK(robot.elements[1].isUpper);
    const BumpStopParameters upper = std::get<BumpStopLaw>(robot.elements[1].law).parameters();
    CHECK(upper.table.points() == std::vector<ForceTable::Point>{{0, 0}, {0.1, 20}, {0.2, 90}});
    CHECK(upper.d == 3);
    CHECK(upper.s_rel0 == -2);
    CHECK(robot.joints[0].limits->isUpperElastic);
    CHECK(robot.joints[0].limits->isLowerElastic);
    SECTION("a hard stop may stand behind it") {
        const RobotDescription both = parseRobot(smallRobotWith(
            R"(<elasto:bump_stop joint="shoulder" side="upper" s_rel0="1.8" table="0 0 0.1 20" d="3"/>
               <elasto:gap joint="shoulder" side="upper" c="1e4" d="10"/>)"));
        REQUIRE(both.elements.size() == 2);
        CHECK(std::get<BumpStopLaw>(both.elements[0].law).parameters().s_rel0 == -1.8);
        CHECK(std::get<ElastoGapLaw>(both.elements[1].law).parameters().s_rel0 == -2);
    }
    SECTION("stops at all limits leave it alone") {
        LoadRobotOptions options;
        options.stops = RobotStops{.c = 2e4, .d = 7};
        const std::string text =
            smallRobotWith(R"(<elasto:bump_stop joint="shoulder" side="upper" table="0 0 0.1 20" d="3"/>)");
        const RobotDescription stopped = parseRobot(text, "r", options);
        REQUIRE(stopped.elements.size() == 2);
        CHECK(stopped.elements[1].name == "shoulder.lower");
    }
}

TEST_CASE("a line lies between points of two links, wherever the file puts it") {
    const RobotElement line = only(
        R"(<elasto:line link_a="upper" link_b="lower" xyz_a="0.1 0 0.2" c="50" d="2" d_rebound="3" s_unstretched="0.4"/>)");
    CHECK(line.name == "upper-lower.line");
    CHECK(line.type == ElementType::SpringDamperParallel);
    CHECK(line.joint == -1);
    REQUIRE(line.span);
    CHECK(line.span->linkA == 1);
    CHECK(line.span->linkB == 2);
    CHECK(line.span->pointA == Eigen::Vector3d(0.1, 0, 0.2));
    CHECK(line.span->pointB == Eigen::Vector3d::Zero());
    CHECK(std::get<SpringDamperLaw>(line.law).parameters() ==
          SpringDamperParameters{.c = 50, .d = 2, .s_rel0 = 0.4, .d_rebound = 3});
    const RobotDescription two = parseRobot(smallRobotWith(
        R"(<elasto:rope name="flexor" link_a="world" link_b="lower" c="5e4" d="20" s_unstretched="0.4" n="1.5" f_max="90"/>
           <elasto:rope name="extensor" link_a="world" link_b="lower" c="5e4" d="20"/>)"));
    REQUIRE(two.elements.size() == 2);
    CHECK(two.elements[0].type == ElementType::Rope);
    CHECK(std::get<RopeLaw>(two.elements[0].law).parameters().f_max == 90);
}

TEST_CASE("a spring at a joint has its damping of rebound, also behind a gear that turns back") {
    const RobotElement plain = only(R"(<elasto:spring joint="elbow" c="40" d="2" phi_rel0="0.1"/>)");
    CHECK(plain.name == "elbow.spring");
    CHECK(plain.type == ElementType::RotationalSpringDamper);
    CHECK(std::get<SpringDamperLaw>(plain.law).parameters() == SpringDamperParameters{.c = 40, .d = 2, .s_rel0 = 0.1});
    const RobotElement absorber = only(R"(<elasto:spring joint="elbow" c="40" d="2" d_rebound="5"/>)");
    CHECK(std::get<SpringDamperLaw>(absorber.law).parameters() ==
          SpringDamperParameters{.c = 40, .d = 2, .d_rebound = 5});
    const RobotElement geared = only(
        R"(<elasto:spring joint="elbow" c="4e-3" d="2e-4" d_rebound="5e-4" side="motor" inertia="1e-4" ratio="-100"/>)");
    const SpringDamperParameters p = std::get<SpringDamperLaw>(geared.law).parameters();
    CHECK(p.c == Approx(40));
    CHECK(p.d == Approx(5));
    CHECK(p.d_rebound == Approx(2));
    const RobotElement same =
        only(R"(<elasto:spring joint="elbow" c="4e-3" d="2e-4" side="motor" inertia="1e-4" ratio="-100"/>)");
    CHECK(std::get<SpringDamperLaw>(same.law).parameters().d_rebound == kSameDamping);
}

TEST_CASE("motors begin where their element has no force") {
    const auto forceOf = [](const Law& law, double damper) {
        return evaluate(law, relaxedCoordinate(law), 0, damper).f;
    };
    const SpringDamperSeriesLaw series({.c = 800, .d = 40, .s_unstretched = 0.1, .s_damper_start = 0.2});
    CHECK(relaxedCoordinate(series) == Approx(0.3));
    CHECK(forceOf(series, 0.2) == Approx(0).margin(1e-12));
    const BushingLaw bushing({.c = 40, .d = 2, .c_slip = 400, .f_slip = 300, .s_rel0 = 0.1, .s_slip_start = 0.2});
    CHECK(forceOf(bushing, 0.2) == Approx(0).margin(1e-12));
    const ElastoBacklashLaw backlash({.c = 800, .d = 40, .b = 0.01, .phi_rel0 = -0.3});
    CHECK(relaxedCoordinate(backlash) == -0.3);
    CHECK(forceOf(backlash, 0) == 0);
}

TEST_CASE("limits can become stops, but not where there is one") {
    LoadRobotOptions options;
    options.stops = RobotStops{.c = 2e4, .d = 7};
    const RobotDescription robot = parseRobot(
        smallRobotWith(R"(<elasto:gap joint="shoulder" side="lower" s_rel0="-0.5" c="1e5" d="10"/>)"), "r", options);
    REQUIRE(robot.elements.size() == 2);
    CHECK(robot.elements[1].name == "shoulder.upper");
    CHECK(robot.elements[1].isUpper);
    CHECK(std::get<ElastoGapLaw>(robot.elements[1].law).parameters().c == 2e4);
    CHECK(std::get<ElastoGapLaw>(robot.elements[1].law).parameters().s_rel0 == -2);
    CHECK(robot.joints[0].limits->isUpperElastic);
    CHECK_FALSE(robot.joints[0].limits->isLowerElastic);
}

TEST_CASE("elements can stand in a file of their own") {
    const TemporaryFolder folder;
    LoadRobotOptions options;
    options.elementsFile = folder.file("play.xml");
    writeText(options.elementsFile, R"(<elasto:elements xmlns:elasto="https://elasto">
<elasto:backlash joint="elbow" c="1e4" d="20" b="0.01"/>
</elasto:elements>
)");
    CHECK(parseRobot(kSmallRobot, "r", options).elements.at(0).name == "elbow.backlash");

    SECTION("one that both files have is refused with both places") {
        const std::string text = smallRobotWith(R"(<elasto:backlash joint="elbow" c="1" d="0"/>)");
        CHECK(refusal(text, options) == options.elementsFile.string() +
                                            ":2: <elasto:backlash joint=\"elbow\">: the joint has such an element "
                                            "already, at small.urdf:12");
    }
    SECTION("another root is refused") {
        writeText(options.elementsFile, "<robot/>");
        CHECK(refusal(kSmallRobot, options) == options.elementsFile.string() +
                                                   ":1: <robot>: is not allowed here; a file of elements must begin "
                                                   "with <elasto:elements>");
    }
    SECTION("other elements are refused") {
        writeText(options.elementsFile, "<elasto:elements>\n<backlash joint='elbow'/>\n</elasto:elements>");
        CHECK(refusal(kSmallRobot, options) ==
              options.elementsFile.string() +
                  ":2: <backlash joint=\"elbow\">: is not allowed here; it must be one of elasto:backlash, "
                  "elasto:bump_stop, elasto:bushing, elasto:friction, elasto:gap, elasto:line, elasto:rope, "
                  "elasto:sea, elasto:series, "
                  "elasto:spring");
    }
    SECTION("a missing file is refused") {
        options.elementsFile = folder.file("none.xml");
        CHECK(refusal(kSmallRobot, options) ==
              options.elementsFile.string() + ": cannot be read: No such file or directory");
    }
}
