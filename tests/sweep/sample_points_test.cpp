#include "sample_points.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

using namespace elasto::sweep;

namespace {

Parameter listed(std::vector<Value> values) {
    Parameter parameter;
    parameter.values = std::move(values);
    return parameter;
}

Parameter range(double from, double to, Scale scale, std::size_t count = 0) {
    Parameter parameter;
    parameter.from = from;
    parameter.to = to;
    parameter.scale = scale;
    parameter.count = count;
    return parameter;
}

}  // namespace

TEST_CASE("a grid has every combination, the last parameter fastest") {
    Study study;
    study.parameters = {listed({1, "two"}), range(0, 1, Scale::Linear, 3)};
    std::vector<std::vector<Value>> points;
    for (std::size_t run = 0; run < 6; ++run) points.push_back(pointOf(study, run));
    CHECK(points == std::vector<std::vector<Value>>{{1, 0}, {1, 0.5}, {1, 1}, {"two", 0}, {"two", 0.5}, {"two", 1}});
}

TEST_CASE("values of ranges have no digits that nobody asked for") {
    Study study;
    study.parameters = {range(0, 1, Scale::Linear, 11)};
    CHECK(pointOf(study, 3).front() == Value(0.3));
    study.parameters = {range(1e3, 1e6, Scale::Log, 4)};
    for (std::size_t run = 0; run < 4; ++run) {
        const Value value = pointOf(study, run).front();
        CHECK(value == Value(std::pow(10, 3 + static_cast<int>(run))));
        CHECK(value.is_number_integer());  // as fields of whole numbers want it
    }
    study.parameters = {range(5, -1, Scale::Linear, 2)};
    CHECK(pointOf(study, 0).front() == Value(5));
    CHECK(pointOf(study, 1).front() == Value(-1));
}

TEST_CASE("Sobol points are those that Joe and Kuo publish") {
    // new-joe-kuo-6.21201, the first points after the origin.
    const double published[][4] = {{0.5, 0.5, 0.5, 0.5},         {0.75, 0.25, 0.25, 0.25},
                                   {0.25, 0.75, 0.75, 0.75},     {0.375, 0.375, 0.625, 0.875},
                                   {0.875, 0.875, 0.125, 0.375}, {0.625, 0.125, 0.875, 0.625},
                                   {0.125, 0.625, 0.375, 0.125}};
    for (std::size_t run = 0; run < 7; ++run) {
        const std::vector<double> point = unitPoint({.kind = SampleKind::Sobol, .runs = 7}, 4, run);
        CHECK(point == std::vector<double>(std::begin(published[run]), std::end(published[run])));
    }
    const std::vector<double> skipped = unitPoint({.kind = SampleKind::Sobol, .runs = 7, .skip = 4}, 4, 2);
    CHECK(skipped == std::vector<double>(std::begin(published[6]), std::end(published[6])));
}

TEST_CASE("every half, quarter and eighth of each parameter gets its share of Sobol points") {
    constexpr std::size_t kRuns = 64;
    for (std::size_t k = 0; k < 6; ++k) {
        std::set<int> cells;
        // With the origin, which is left out, each of 64 intervals has one point.
        for (std::size_t run = 0; run + 1 < kRuns; ++run) {
            cells.insert(static_cast<int>(unitPoint({.kind = SampleKind::Sobol, .runs = kRuns}, 6, run)[k] * kRuns));
        }
        CHECK(cells.size() == kRuns - 1);
        CHECK(cells.count(0) == 0);
    }
}

TEST_CASE("random points are even, and depend on seed, run and parameter only") {
    const Sample sample{.kind = SampleKind::Random, .runs = 4000, .seed = 7};
    double sum = 0;
    double squares = 0;
    double product = 0;
    std::set<double> seen;
    for (std::size_t run = 0; run < sample.runs; ++run) {
        const std::vector<double> point = unitPoint(sample, 2, run);
        for (const double x : point) {
            REQUIRE((x >= 0 && x < 1));
            seen.insert(x);
            sum += x;
            squares += x * x;
        }
        product += (point[0] - 0.5) * (point[1] - 0.5);
    }
    const double count = 2 * static_cast<double>(sample.runs);
    // Five standard deviations of the mean, of the mean square and of the covariance.
    CHECK(sum / count == Approx(0.5).margin(5 * std::sqrt(1 / 12.0 / count)));
    CHECK(squares / count == Approx(1 / 3.0).margin(5 * std::sqrt(4 / 45.0 / count)));
    CHECK(product / (count / 2) == Approx(0).margin(5 / 12.0 / std::sqrt(count / 2)));
    CHECK(seen.size() == 2 * sample.runs);
    CHECK(unitPoint(sample, 2, 17) == unitPoint(sample, 2, 17));
    CHECK(unitPoint({.kind = SampleKind::Random, .runs = 4000, .seed = 8}, 2, 17) != unitPoint(sample, 2, 17));
}

TEST_CASE("sampled ranges and lists stay what they are") {
    Study study;
    study.sample = {.kind = SampleKind::Random, .runs = 300, .seed = 1};
    study.parameters = {range(1e3, 1e6, Scale::Log), range(2, -2, Scale::Linear), listed({"a", "b", "c"})};
    std::size_t below = 0;
    std::set<Value> words;
    for (std::size_t run = 0; run < study.sample.runs; ++run) {
        const std::vector<Value> point = pointOf(study, run);
        const double c = point[0].get<double>();
        REQUIRE((c >= 1e3 && c <= 1e6));
        REQUIRE(std::abs(point[1].get<double>()) <= 2);
        below += c < std::sqrt(1e9) ? 1 : 0;
        words.insert(point[2]);
    }
    CHECK(words.size() == 3);
    CHECK(std::abs(static_cast<double>(below) - 150) < 5 * std::sqrt(75));
}
