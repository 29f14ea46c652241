#include "small_robot.h"

#include <elasto/errors.h>

#include <catch2/catch.hpp>

#include <utility>
#include <vector>

using namespace elasto;
using namespace elasto::test;

TEST_CASE("an element that cannot be is refused with file, line, name and what is allowed") {
    const std::string backlash = "small.urdf:12: <elasto:backlash joint=\"elbow\">: ";
    const std::string bump = "small.urdf:12: <elasto:bump_stop joint=\"shoulder\">: ";
    const std::string gap = "small.urdf:12: <elasto:gap joint=\"shoulder\">: ";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {R"(<elasto:backlash joint="elbow" d="0"/>)", backlash + "c is missing; it must be a finite number"},
        {R"(<elasto:backlash joint="elbow" c="5"/>)", backlash + "d is missing; it must be a finite number"},
        {R"(<elasto:backlash joint="elbow" c="-5" d="0"/>)",
         backlash + "c = -5 is not allowed; c must be finite and > 0"},
        {R"(<elasto:backlash joint="elbow" c="stiff" d="0"/>)",
         backlash + "c = \"stiff\" is not allowed; it must be a finite number"},
        {R"(<elasto:backlash joint="elbow" c="inf" d="0"/>)",
         backlash + "c = \"inf\" is not allowed; it must be a finite number"},
        {R"(<elasto:backlash joint="elbow" c="1e999" d="0"/>)",
         backlash + "c = \"1e999\" is not allowed; it must be a finite number"},
        {R"(<elasto:backlash joint="elbow" c="5" d="nan"/>)",
         backlash + "d = \"nan\" is not allowed; it must be a finite number"},
        {R"(<elasto:backlash joint="elbow" c="5" d="0" b="-0.1"/>)",
         backlash + "b = -0.1 is not allowed; b must be finite and >= 0"},
        {R"(<elasto:backlash joint="elbow" c="5" d="0" b="0,01"/>)",
         backlash + "b = \"0,01\" is not allowed; it must be a finite number"},
        {R"(<elasto:backlash joint="elbow" c="5" d="0" inertia="1e300"/>)",
         backlash + "inertia = \"1e300\" is not allowed; it must be a finite number > 0 within -1e60 .. 1e60"},
        {R"(<elasto:backlash joint="elbow" c="5" d="0">b</elasto:backlash>)",
         backlash + "must be empty, as its parameters are attributes; line 12 has something in it"},
        {"<elasto:backlash joint=\"elbow\" c=\"5\" d=\"0\">\n<b/></elasto:backlash>",
         backlash + "must be empty, as its parameters are attributes; line 13 has something in it"},
        {R"(<elasto:backlash joint="elbow" c="5" d="0" play="1"/>)",
         backlash +
             "there is no attribute play. Attributes: name, joint, c, d, b, phi_rel0, characteristic, side, inertia, "
             "ratio, T"},
        {R"(<elasto:backlash joint="elbow" c="5" d="0" T="0"/>)",
         backlash + "T = \"0\" is not allowed; it must be a finite number > 0"},
        {R"(<elasto:backlash joint="elbow" c="5" d="0" characteristic="pull"/>)",
         backlash +
             "characteristic = \"pull\" is not allowed; it must be one of boundedDamper, noPull, linear; did you "
             "mean \"noPull\"?"},
        {R"(<elasto:backlash joint="elbow" c="5" d="0" inertia="0"/>)",
         backlash + "inertia = \"0\" is not allowed; it must be a finite number > 0"},
        {R"(<elasto:backlash joint="elbow" c="5" d="0" inertia="1" ratio="0"/>)",
         backlash + "ratio = \"0\" is not allowed; it must be a finite number, not 0"},
        {R"(<elasto:backlash joint="elbow" c="5" d="0" ratio="100"/>)",
         backlash + "ratio is not allowed without inertia: there is no motor side"},
        {R"(<elasto:backlash joint="elbow" c="5" d="0" side="motor"/>)",
         backlash + "side is not allowed without inertia: there is no motor side"},
        {R"(<elasto:friction joint="elbow"/>)",
         "small.urdf:12: <elasto:friction joint=\"elbow\">: tau_Coulomb is missing; it must be a finite number"},
        {R"(<elasto:friction joint="elbow" tau_Coulomb="-1"/>)",
         "small.urdf:12: <elasto:friction joint=\"elbow\">: F_Coulomb = -1 is not allowed; F_Coulomb must be finite "
         "and "
         ">= 0"},
        {R"(<elasto:friction joint="elbow" F_Coulomb="1"/>)",
         "small.urdf:12: <elasto:friction joint=\"elbow\">: there is no attribute F_Coulomb; did you mean "
         "\"tau_Coulomb\"? Attributes: name, joint, tau_Coulomb, tau_prop, tau_Stribeck, wexp, peak, side, T\n"
         "small.urdf:12: <elasto:friction joint=\"elbow\">: tau_Coulomb is missing; it must be a finite number"},
        {R"(<elasto:friction joint="elbow" tau_Coulomb="1" inertia="1"/>)",
         "small.urdf:12: <elasto:friction joint=\"elbow\">: there is no attribute inertia. Attributes: name, joint, "
         "tau_Coulomb, tau_prop, tau_Stribeck, wexp, peak, side, T"},
        {R"(<elasto:friction joint="elbow" side="motor" tau_Coulomb="1"/>)",
         "small.urdf:12: <elasto:friction joint=\"elbow\">: side = \"motor\" is not allowed: the joint has no motor; "
         "an "
         "elasto:sea is one, or an element with inertia"},
        {R"(<elasto:friction joint="elbow" side="rotor" tau_Coulomb="1"/>)",
         "small.urdf:12: <elasto:friction joint=\"elbow\">: side = \"rotor\" is not allowed; it must be one of link, "
         "motor; did you mean \"motor\"?"},
        {"<elasto:sea joint=\"elbow\" c=\"5\" d=\"1\" inertia=\"1\"/>\n"
         "<elasto:friction joint=\"elbow\" side=\"motor\" tau_Coulomb=\"1\"/>\n"
         "<elasto:friction joint=\"elbow\" side=\"motor\" name=\"other\" tau_Coulomb=\"1\"/>",
         "small.urdf:14: <elasto:friction name=\"other\">: the joint has such an element already on its motor, at "
         "small.urdf:13"},
        {R"(<elasto:backlash joint="elbow" c="5" d="0" c="6"/>)",
         "small.urdf:12: is no XML: an attribute must be name=\"value\", and be given once"},
        {R"(<elasto:backlash joint="knee" c="5" d="0"/>)",
         "small.urdf:12: <elasto:backlash joint=\"knee\">: joint = \"knee\" is not allowed: there is no such joint. "
         "Joints: shoulder, elbow"},
        {R"(<elasto:backlash joint="elbo" c="5" d="0"/>)",
         "small.urdf:12: <elasto:backlash joint=\"elbo\">: joint = \"elbo\" is not allowed: there is no such joint; "
         "did "
         "you mean \"elbow\"? Joints: shoulder, elbow"},
        {R"(<elasto:backlash c="5" d="0"/>)",
         "small.urdf:12: <elasto:backlash>: joint is missing; it must be the name of a joint"},
        {R"(<elasto:backlsh joint="elbow"/>)",
         "small.urdf:12: <elasto:backlsh joint=\"elbow\">: there is no such element; it must be one of "
         "elasto:backlash, elasto:bump_stop, elasto:bushing, elasto:friction, elasto:gap, elasto:line, elasto:rope, "
         "elasto:sea, elasto:series, elasto:spring; did you mean \"elasto:backlash\"?"},
        {R"(<elasto:gap joint="shoulder" c="5" d="0"/>)",
         gap + "side is missing; it must be one of lower, upper, both"},
        {R"(<elasto:gap joint="shoulder" side="left" c="5" d="0"/>)",
         gap + "side = \"left\" is not allowed; it must be one of lower, upper, both"},
        {R"(<elasto:gap joint="shoulder" side="both" s_rel0="1" c="5" d="0"/>)",
         gap + "s_rel0 is not allowed with side = \"both\": the stops are at the joint's limits"},
        {R"(<elasto:gap joint="shoulder" side="upper" c="5" d="0" n="0.5"/>)",
         gap + "n = 0.5 is not allowed; n must be finite and >= 1"},
        {R"(<elasto:gap joint="elbow" side="upper" c="5" d="0"/>)",
         "small.urdf:12: <elasto:gap joint=\"elbow\">: s_rel0 is missing; it must be the place of the stop, since a "
         "continuous joint has no limits"},
        {R"(<elasto:sea joint="elbow" c="5" d="1"/>)",
         "small.urdf:12: <elasto:sea joint=\"elbow\">: inertia is missing; it must be a finite number > 0"},
        {R"(<elasto:bump_stop joint="shoulder" side="upper" d="1"/>)",
         bump + "table is missing; it must be pairs of travel and force, e.g. \"0 0 0.01 200\""},
        {R"(<elasto:bump_stop joint="shoulder" side="upper" table="0 0 0.1" d="1"/>)",
         bump + "table has 3 numbers; it must be pairs of travel and force, e.g. \"0 0 0.01 200\""},
        {R"(<elasto:bump_stop joint="shoulder" side="upper" table="0 0 0.1 x" d="1"/>)",
         bump + "table: \"x\" is not allowed; it must be pairs of travel and force, e.g. \"0 0 0.01 200\""},
        {R"(<elasto:bump_stop joint="shoulder" side="upper" table="0 0 0.1 -5" d="1"/>)",
         bump + "table[1] = [0.1, -5] is not allowed; travel and force must be larger than those of the point before"},
        {R"(<elasto:bump_stop joint="shoulder" side="upper" table="0 0 0.1 5" d="1" inertia="1"/>)",
         bump + "there is no attribute inertia. Attributes: name, joint, table, d, s_rel0, side, T"},
        {R"(<elasto:line link_a="uper" link_b="lower" c="5" d="1"/>)",
         "small.urdf:12: <elasto:line>: link_a = \"uper\" is not allowed: there is no such link; did you mean "
         "\"upper\"? Links: world, upper, lower"},
        {R"(<elasto:line link_a="upper" link_b="upper" c="5" d="1"/>)",
         "small.urdf:12: <elasto:line>: link_a and link_b do not move against each other; they must be links with a "
         "joint between them"},
        {R"(<elasto:rope link_a="upper" c="5" d="1" xyz_a="1 0"/>)",
         "small.urdf:12: <elasto:rope>: link_b is missing; it must be the name of a link\n"
         "small.urdf:12: <elasto:rope>: xyz_a = \"1 0\" is not allowed; it must be three numbers, each a finite "
         "number"},
        {R"(<elasto:line joint="elbow" link_a="upper" link_b="lower" c="5" d="1"/>)",
         "small.urdf:12: <elasto:line joint=\"elbow\">: there is no attribute joint. Attributes: name, link_a, link_b, "
         "xyz_a, xyz_b, c, d, d_rebound, s_unstretched, T"},
        {R"(<elasto:series joint="elbow" c="5"/>)",
         "small.urdf:12: <elasto:series joint=\"elbow\">: d is missing; it must be a finite number"},
        {R"(<elasto:series joint="elbow" c="-5" d="1"/>)",
         "small.urdf:12: <elasto:series joint=\"elbow\">: c = -5 is not allowed; c must be finite and >= 0"},
    };
    for (const auto& [element, message] : cases) {
        INFO(element);
        CHECK(refusal(smallRobotWith(element)) == message);
    }
}

TEST_CASE("an element that stands twice is refused with the place of the first") {
    const std::string one = R"(<elasto:gap joint="shoulder" side="both" c="5" d="0"/>)";
    CHECK(refusal(smallRobotWith(one + "\n" + R"(<elasto:gap joint="shoulder" side="upper" c="5" d="0"/>)")) ==
          "small.urdf:13: <elasto:gap joint=\"shoulder\">: the joint has such an element already at its upper end, at "
          "small.urdf:12");
}

TEST_CASE("a joint has one motor") {
    CHECK(refusal(smallRobotWith("<elasto:backlash joint=\"elbow\" c=\"5\" d=\"0\" inertia=\"1\"/>\n"
                                 "<elasto:series joint=\"elbow\" c=\"5\" d=\"1\" inertia=\"1\"/>")) ==
          "small.urdf:13: <elasto:series joint=\"elbow\">: inertia is not allowed: the joint has a motor already, at "
          "small.urdf:12");
}

TEST_CASE("a name of elements is given once") {
    CHECK(refusal(smallRobotWith("<elasto:backlash name=\"a\" joint=\"elbow\" c=\"5\" d=\"0\"/>\n"
                                 "<elasto:backlash name=\"a\" joint=\"shoulder\" c=\"5\" d=\"0\"/>")) ==
          "small.urdf:13: <elasto:backlash name=\"a\">: name = \"a\" is not allowed: it is the name at small.urdf:12 "
          "already");
}

TEST_CASE("an element on a joint of another type is refused with those there are") {
    std::string text = smallRobotWith("<elasto:backlash joint=\"elbow\" c=\"5\" d=\"0\"/>");
    text.replace(text.find("type=\"continuous\""), 17, "type=\"planar\"");
    const std::string said =
        "small.urdf:12: <elasto:backlash joint=\"elbow\">: joint = \"elbow\" is not allowed: it is planar; it must be "
        "revolute, continuous or prismatic. ";
    CHECK(refusal(text) == said + "Joints: shoulder");
    text.replace(text.find("type=\"revolute\""), 15, "type=\"fixed\"");
    CHECK(refusal(text) == said + "The robot has no such joint");
}

TEST_CASE("the name of a joint's damping is taken") {
    std::string text = smallRobot("<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 1 0\"/><dynamics damping=\"1\"/>");
    text.replace(text.find("</robot>"), 8,
                 "<elasto:backlash name=\"elbow.damping\" joint=\"elbow\" c=\"5\" d=\"0\"/>\n</robot>");
    CHECK(refusal(text) ==
          "small.urdf:11: <joint name=\"elbow\">: \"elbow.damping\" is the name of the element at small.urdf:12; the "
          "joint's own damping "
          "needs it");
}

TEST_CASE("an element inside a joint is refused, not dropped") {
    CHECK(refusal(smallRobot("<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 1 0\"/><elasto:backlash c=\"5\" d=\"0\"/>")) ==
          "small.urdf:11: <elasto:backlash>: is not allowed in <joint>; it must stand directly in <robot>");
}

TEST_CASE("all mistakes are listed, in the file's order") {
    CHECK(refusal(smallRobotWith("<elasto:backlash joint=\"elbow\" c=\"-1\" d=\"0\"/>\n"
                                 "<elasto:gap joint=\"hip\" side=\"both\" c=\"1\" d=\"0\"/>\n"
                                 "<elasto:series joint=\"elbow\"/>")) ==
          "small.urdf:12: <elasto:backlash joint=\"elbow\">: c = -1 is not allowed; c must be finite and > 0\n"
          "small.urdf:13: <elasto:gap joint=\"hip\">: joint = \"hip\" is not allowed: there is no such joint. Joints: "
          "shoulder, elbow\n"
          "small.urdf:14: <elasto:series joint=\"elbow\">: c is missing; it must be a finite number\n"
          "small.urdf:14: <elasto:series joint=\"elbow\">: d is missing; it must be a finite number");
}

TEST_CASE("constants of stops are checked") {
    LoadRobotOptions options;
    options.stops = RobotStops{.c = -1, .d = 0};
    CHECK_THROWS_WITH(parseRobot(kSmallRobot, "r", options), "stops: c = -1 is not allowed; c must be finite and >= 0");
}
