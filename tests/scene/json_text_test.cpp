#include "complete_scene.h"

#include <elasto/scene/file_error.h>
#include <catch2/catch.hpp>

#include <filesystem>

using Catch::Contains;

TEST_CASE("text that is not JSON is refused with line and column") {
    CHECK_THAT(refusal(std::string()), Contains("test: is not JSON") && Contains("line 1, column 1"));
    CHECK_THAT(refusal(std::string("{\"elasto\": 1,\n \"name\": }")), Contains("line 2, column 10"));
    CHECK_THAT(refusal(std::string("{\"elasto\": 1} {}")), Contains("is not JSON"));
    CHECK_THAT(refusal(std::string("{\"elasto\": NaN}")), Contains("is not JSON"));
}

TEST_CASE("a number that no double can hold is refused with its path") {
    CHECK_THAT(refusal(std::string(R"({"elasto": 1, "name": "x", "bodies": [{"name": "m", "mass": 1e999}]})")),
               Contains("/bodies/0/mass: ") && Contains("1e999") && Contains("finite"));
    CHECK_THAT(refusal(std::string(R"({"gravity": [0, -1e400, 0]})")), Contains("/gravity/1: ") && Contains("-1e400"));
}

TEST_CASE("a number whose products would overflow is refused with its path") {
    CHECK_THAT(refusal(std::string(R"({"elasto": 1, "name": "x", "gravity": [0, -1e308, 0], "bodies": []})")),
               Contains("test: /gravity/1: -1e+308 is not allowed; a number must be within -1e60 .. 1e60"));
    CHECK_THAT(refusal(std::string(R"({"bodies": [{"mass": 1}, {"mass": 1e61}]})")), Contains("/bodies/1/mass: 1e+61"));
}

TEST_CASE("a key that stands twice is refused with its path") {
    CHECK_THAT(refusal(std::string(R"({"elasto": 1, "name": "x", "name": "y", "bodies": []})")),
               Contains("test: /name: ") && Contains("twice"));
    CHECK_THAT(refusal(std::string(R"({"bodies": [{"name": "a"}, {"mass": 1, "mass": 1}]})")),
               Contains("test: /bodies/1/mass: ") && Contains("twice"));
    CHECK_THAT(refusal(std::string(R"({"loads": [{"points": [[0, 1], [1, {"a/b~": 1, "a/b~": 2}]]}]})")),
               Contains("/loads/0/points/1/1/a~1b~0: "));
}

TEST_CASE("a text with a character of value 0 is refused, which would end a file's name") {
    CHECK_THAT(refusal(std::string(R"({"elasto": 1, "name": "a\u0000b", "bodies": []})")),
               Contains("test: /name: ") && Contains("no character of value 0"));
}

TEST_CASE("the same key in two objects is fine") {
    CHECK_NOTHROW(elasto::parseScene(R"({"elasto": 1, "name": "x", "bodies": [{"name": "a", "motion": "fixed"},
                                                                              {"name": "b", "motion": "fixed"}]})"));
}

TEST_CASE("texts and nesting that would end the program at the end of its stack are refused with their path") {
    const auto repeated = [](std::string_view text, int count) {
        std::string all;
        for (int k = 0; k < count; ++k) all += text;
        return all;
    };
    constexpr int kMany = 100'000;
    const auto sceneWithBody = [](const std::string& name) {
        return R"({"elasto": 1, "name": "x", "bodies": [{"motion": "fixed", "name": ")" + name + "\"}]}";
    };
    const std::string tooLong = "100000 bytes are not allowed; ";
    CHECK(refusal(sceneWithBody(repeated("a", kMany))) ==
          "test: /bodies/0/name: " + tooLong + "a text must have at most 4096");
    CHECK(refusal(R"({"loads": [{")" + repeated("a", kMany) + R"(": 1}]})") ==
          "test: /loads/0/...: " + tooLong + "the name of a field must have at most 4096");
    CHECK_NOTHROW(elasto::parseScene(sceneWithBody(repeated("a", 4096))));

    const std::string tooDeep = "is nested too deep; at most 64 arrays and objects may lie within each other";
    CHECK(refusal(R"({"loads": )" + repeated("[", kMany) + repeated("]", kMany) + "}") ==
          "test: /loads" + repeated("/0", 63) + ": " + tooDeep);
    CHECK(refusal(repeated(R"({"a":)", kMany) + "1" + repeated("}", kMany)) ==
          "test: " + repeated("/a", 64) + ": " + tooDeep);
    // As deep as allowed: the first mistake is another one.
    CHECK_THAT(refusal(repeated("[", 64) + repeated("]", 64)), !Contains("nested"));
}

TEST_CASE("a file that cannot be read is refused with its name and the reason") {
    CHECK_THROWS_WITH(elasto::loadScene("/nowhere/scene.json"),
                      "/nowhere/scene.json: cannot be read: No such file or directory");
    const std::filesystem::path folder = std::filesystem::temp_directory_path();
    CHECK_THROWS_WITH(elasto::loadScene(folder), Contains("cannot be read: Is a directory"));
    CHECK_THROWS_WITH(elasto::loadScene("/dev/zero"), "/dev/zero: cannot be read: It is a device");
    CHECK_THROWS_AS(elasto::loadScene(folder), elasto::FileError);
}
