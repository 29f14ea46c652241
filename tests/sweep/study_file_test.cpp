#include "study_file.h"

#include <elasto/scene/load_scene.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "assets.h"
#include "base_scene.h"
#include "measure.h"

using namespace elasto;
using namespace elasto::sweep;
using Catch::Matchers::Contains;

namespace {

Study parsed(const std::string& sample, const std::string& parameters,
             const std::string& metrics = R"({"metric": "final", "of": "mass.s"})") {
    return parseStudy(R"({"elasto": 1, "scene": "s", "sample": )" + sample + R"(, "parameters": [)" + parameters +
                      R"(], "metrics": [)" + metrics + "]}");
}

const std::string kGrid = R"({"type": "grid"})";

std::string refusal(const std::string& sample, const std::string& parameters,
                    const std::string& metrics = R"({"metric": "final", "of": "mass.s"})") {
    try {
        parsed(sample, parameters, metrics);
    } catch (const SceneError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("a sweep file says what is run") {
    const Study study = parsed(kGrid, R"({"set": "gap.c", "from": 1, "to": 10, "count": 4, "scale": "log"},
{"set": ["a.d", "b.d"], "name": "d", "values": [1, 2.5, "x", true]})",
                               R"({"metric": "settlingTime", "of": "m.s", "band": 0.1, "target": 1},
{"metric": "dissipatedEnergy"}, {"metric": "peakForce", "of": "gap", "name": "F"})");
    CHECK(study.sample.runs == 16);
    CHECK(study.parameters[0].scale == Scale::Log);
    CHECK(study.parameters[1].set == std::vector<std::string>{"a.d", "b.d"});
    CHECK(study.parameters[1].values == std::vector<Value>{1, 2.5, "x", true});
    CHECK(study.metrics[0].name == "settlingTime(m.s)");
    CHECK(study.metrics[0].band == 0.1);
    CHECK(study.metrics[1].name == "dissipatedEnergy");
    CHECK(study.metrics[2].name == "F");
}

TEST_CASE("mistakes in a sweep file are named, with value and what is allowed") {
    CHECK_THAT(refusal(R"({"type": "gird"})", R"({"set": "a.c", "values": [1]})"),
               Contains("/sample/type: \"gird\" is not allowed; type must be one of grid, random, sobol"));
    CHECK_THAT(refusal(R"({"type": "sobol"})", R"({"set": "a.c", "values": [1]})"),
               Contains("/sample/runs: is missing; it must be a whole number >= 1"));
    CHECK_THAT(refusal(kGrid, R"({"set": "a.c"})"), Contains("0 of values, from are given; exactly one must be"));
    CHECK_THAT(refusal(kGrid, R"({"set": "a.c", "values": [[1]]})"),
               Contains("/parameters/0/values/0: [1] is not allowed; it must be a number, a string or a boolean"));
    CHECK_THAT(refusal(kGrid, R"({"set": "a.c", "from": 1, "to": 2})"), Contains("/parameters/0/count: is missing"));
    CHECK_THAT(refusal(kGrid, R"({"set": "a.c", "from": 1, "count": 2})"), Contains("/parameters/0/to: is missing"));
    CHECK_THAT(refusal(kGrid, R"({"set": "a.c", "from": 1, "to": 1, "count": 2})"), Contains("must differ from from"));
    CHECK_THAT(refusal(kGrid, R"({"set": "a.c", "from": 0, "to": 1, "count": 2, "scale": "log"})"),
               Contains("/parameters/0/from: 0 is not allowed; on the scale log it must be a number > 0"));
    CHECK_THAT(refusal(R"({"type": "random", "runs": 3})", R"({"set": "a.c", "from": 0, "to": 1, "count": 2})"),
               Contains("/parameters/0/count: is not allowed; only a grid counts"));
    CHECK_THAT(refusal(kGrid, R"({"set": "a.c", "values": [1]}, {"set": "a.c", "values": [1]})"),
               Contains("/parameters/1: \"a.c\" is not allowed as its column: another one has that name"));
    CHECK_THAT(refusal(kGrid, R"({"set": "a.c", "name": "run", "values": [1]})"), Contains("every table has one"));
    CHECK_THAT(
        refusal(
            kGrid,
            R"({"set": "a", "from": 0, "to": 1, "count": 10000}, {"set": "b", "from": 0, "to": 1, "count": 10000})"),
        Contains("/parameters: the grid has too many points"));
    CHECK_THAT(refusal(kGrid, R"({"set": "a.c", "values": [1]})", R"({"metric": "settlingTime", "of": "x"})"),
               Contains("/metrics/0/band: is missing; it must be a number > 0"));
    CHECK_THAT(refusal(kGrid, R"({"set": "a.c", "values": [1]})",
                       R"({"metric": "max", "of": "x"}, {"metric": "max", "of": "x", "name": "y"})"),
               Contains("/metrics/1: is not allowed; max(x) measures the same"));
    CHECK_THAT(refusal(kGrid, R"({"set": "a.c", "values": [1]})", R"({"metric": "larges", "of": "x"})"),
               Contains("/metrics/0/metric: \"larges\" is not allowed; metric must be one of peakForce,"));
}

TEST_CASE("one mistake in a sweep file is one message") {
    const std::string parameter = R"({"set": "a.c", "values": [1]})";
    CHECK(refusal(R"({"type": "lhs", "runs": 5})", parameter) ==
          "sweep: /sample/type: \"lhs\" is not allowed; type must be one of grid, random, sobol");
    CHECK(refusal(kGrid, parameter, R"({"metric": "max", "of": "x"}, {"metric": "max", "of": "x"})") ==
          "sweep: /metrics/1: is not allowed; max(x) measures the same");
    CHECK(refusal(kGrid, R"({"set": [], "values": [1]})") ==
          "sweep: /parameters/0/set: [] is not allowed; set must be a string or an array that is not empty");
    CHECK_THROWS_WITH(parseStudy(R"({"elasto": 1, "bodies": [], "duration": 1})"),
                      "sweep: is a scene; a sweep has the fields scene, parameters and metrics");
}

TEST_CASE("the sweeps that come with Elasto fit their scenes") {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(ELASTO_SOURCE_DIR "/assets/sweeps")) {
        if (entry.path().extension() != ".json") continue;
        INFO(entry.path());
        const Study study = loadStudy(entry.path());
        const BaseScene base(study, entry.path());
        const std::vector<SignalName> names = signalNames(base.scene());
        for (const Metric& metric : study.metrics) CHECK_FALSE(signalOf(metric, names).empty());
        ++count;
    }
    CHECK(count >= 3);
}
