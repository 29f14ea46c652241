#include "convergence.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace elasto::tools;
using Catch::Matchers::Contains;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
const std::vector<double> kRates = {30, 60, 120, 240, 480};

std::vector<double> errorsOfOrder(double order, double first) {
    std::vector<double> errors;
    for (const double rate : kRates) errors.push_back(first * std::pow(30 / rate, order));
    return errors;
}

Convergence twoWays() {
    return {"scene",
            "stop.s_rel",
            2,
            kRates,
            {{"explicit", {}, {kInfinite, 2, 0.05, 0.005, 0.0005}},
             {"soft row", "nobody made one", {}},
             {"Elasto", {}, {2e-10, 1e-10, 0, 1e-10, 3e-10}}}};
}

}  // namespace

TEST_CASE("the order of an error that falls with a power of the tick is that power") {
    const double order = GENERATE(1., 2., 4.);
    const auto fitted = fittedOrder(kRates, errorsOfOrder(order, 0.09));
    REQUIRE(fitted);
    CHECK(*fitted == Approx(order).epsilon(1e-12));
}

TEST_CASE("runs that do not follow the oracle yet are left out of the order") {
    std::vector<double> errors = errorsOfOrder(1, 0.09);
    errors[0] = kInfinite;
    errors[1] = 0.7;
    const auto fitted = fittedOrder(kRates, errors);
    REQUIRE(fitted);
    CHECK(*fitted == Approx(1).epsilon(1e-12));
    errors[2] = 0.7;
    CHECK_FALSE(fittedOrder(kRates, errors));
    CHECK_FALSE(fittedOrder(kRates, {0.05, 0.04, 0.03, 0.04, 0.05}));
    CHECK_FALSE(fittedOrder(kRates, {1e-2, 1e-5, 1e-9, 1e-10, 1e-11}));
}

TEST_CASE("a rate is good enough only if all higher ones are") {
    const std::vector<double> errors = {0.5, 0.001, 0.02, 0.009, 0.001};
    CHECK(rateFrom(kRates, errors, 1e-2) == 240);
    CHECK(rateFrom(kRates, errors, 1) == 30);
    CHECK_FALSE(rateFrom(kRates, errors, 1e-4));
}

TEST_CASE("the table says what runs away, what is flat and why there is none") {
    const std::string table = convergenceTable(twoWays());
    CHECK_THAT(table, Contains("runs away"));
    CHECK_THAT(table, Contains("flat"));
    CHECK_THAT(table, Contains("240 Hz"));
    CHECK_THAT(table, Contains("no soft row: nobody made one\n"));
}

TEST_CASE("an order needs three rates at which a run follows the oracle") {
    Convergence few = twoWays();
    few.ways[0].errors = {0.9, 0.5, 0.27, 0.021, 0.0072};
    CHECK_THAT(convergenceTable(few), !Contains("none"));
    few.ways[0].errors = {0.9, 0.8, 0.7, 0.6, 0.5};
    CHECK_THAT(convergenceTable(few), Contains("none"));
}

TEST_CASE("the errors' file has a column for each way there is") {
    const std::string csv = convergenceCsv(twoWays());
    CHECK_THAT(csv, Catch::Matchers::StartsWith("rate,\"explicit\",\"Elasto\"\n30,inf,2"));
}

TEST_CASE("a logarithmic picture leaves out what has no logarithm") {
    const Picture picture = convergencePicture(twoWays());
    REQUIRE(picture.panels.size() == 1);
    REQUIRE(picture.panels[0].curves.size() == 2);
    CHECK(picture.panels[0].curves[0].x.size() == 4);
    CHECK(picture.panels[0].curves[1].x.size() == 4);
    const std::string script = gnuplotScript(picture, false);
    CHECK_THAT(script, Contains("set logscale x\n") && Contains("set logscale y\n"));
    CHECK_THAT(script, Contains("with linespoints"));
}
