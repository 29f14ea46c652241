// Long chains and files with many mistakes.

#include "small_robot.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>

using namespace elasto;
using namespace elasto::test;

namespace {

std::string chainOf(int links, const std::string& elements = "") {
    constexpr const char* kInertial =
        "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
        "izz=\"1\"/></inertial>";
    std::string text = "<robot name=\"chain\">\n<link name=\"l0\"/>\n";
    for (int i = 1; i < links; ++i) {
        const std::string number = std::to_string(i);
        text += "<link name=\"l" + number + "\">" + kInertial + "</link>\n";
        text += "<joint name=\"j" + number + "\" type=\"continuous\"><parent link=\"l" + std::to_string(i - 1) +
                "\"/><child link=\"l" + number + "\"/><axis xyz=\"1 0 0\"/></joint>\n";
    }
    return text + elements + "</robot>\n";
}

}  // namespace

TEST_CASE("a robot may have a thousand links") {
    CHECK(parseRobot(chainOf(1000)).links.size() == 1000);
    CHECK(refusal(chainOf(1001)) ==
          "small.urdf:1: <robot name=\"chain\">: has 1001 links; a robot may have at most 1000");
}

TEST_CASE("a chain that is too long is refused at once", "[slow]") {
    const auto start = std::chrono::steady_clock::now();
    CHECK(refusal(chainOf(100'000)) ==
          "small.urdf:1: <robot name=\"chain\">: has 100000 links; a robot may have at most 1000");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    CHECK(took.count() < 10);
}

TEST_CASE("many wrong elements are refused by ten messages and a count", "[slow]") {
    constexpr int kMany = 50'000;
    std::string elements;
    for (int i = 0; i < kMany; ++i) {
        elements += "<elasto:backlash joint=\"joint" + std::to_string(i) + "\" c=\"1\" d=\"1\" b=\"0\"/>\n";
    }
    const auto start = std::chrono::steady_clock::now();
    const std::string said = refusal(chainOf(300, elements));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    INFO(said.substr(0, 2000));
    CHECK(
        said.starts_with("small.urdf:601: <elasto:backlash joint=\"joint0\">: joint = \"joint0\" is not allowed: "
                         "there is no such joint"));
    CHECK(std::count(said.begin(), said.end(), '\n') == 10);
    CHECK(said.ends_with("\nand " + std::to_string(kMany - 10) + " more"));
    CHECK(took.count() < 10);
}
