#include <elasto/reference/nrmse.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace elasto;

namespace {

Trajectory table(std::vector<double> time, std::vector<std::string> signals, std::vector<std::vector<double>> columns) {
    return {.time = std::move(time), .signals = std::move(signals), .columns = std::move(columns)};
}

}  // namespace

TEST_CASE("the kind of a signal is its unit") {
    CHECK(signalUnit("mass.r_0[2]") == "m");
    CHECK(signalUnit("gap.s_rel") == "m");
    CHECK(signalUnit("series.s_damper") == "m");
    CHECK(signalUnit("mass.s") == "m");
    CHECK(signalUnit("lash.phi_rel") == "rad");
    CHECK(signalUnit("left.foot.contact.f_n") == "N");
    CHECK(signalUnit("knee.tau_net") == "N.m");
    CHECK(signalUnit("com.L[3]") == "kg.m2/s");
    CHECK(signalUnit("body1.frame_a.v_0[1]") == "m/s");
    CHECK(signalUnit("body.w_a[3]") == "rad/s");
    CHECK(signalUnit("gap.f_mean") == "N");
    CHECK(signalUnit("lash.tau_mean") == "N.m");
    CHECK(signalUnit("totalLossPower") == "W");
    CHECK(signalUnit("totalHeat") == "J");
    CHECK(signalUnit("port.T") == "K");
    CHECK(signalUnit("body.q[4]") == "1");
    CHECK(signalUnit("gap.contact") == "flag");
    CHECK(signalUnit("my.own") == "my.own");
}

TEST_CASE("NRMSE is the rms error over the range of the reference") {
    const Trajectory reference = table({0, 1, 2, 3}, {"a.s"}, {{0, 1, 2, 4}});
    const Trajectory candidate = table({0, 1, 2, 3}, {"b.s", "a.s"}, {{9, 9, 9, 9}, {0, 1.1, 2, 3.5}});
    const std::vector<SignalError> errors = compareSignals(reference, candidate);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].rms == Approx(std::sqrt((0.01 + 0.25) / 4)));
    CHECK(errors[0].nrmse == Approx(errors[0].rms / 4));
    CHECK(errors[0].largest == Approx(0.5));
    CHECK(errors[0].timeOfLargest == 3);
    CHECK(errors[0].range == 4);
}

TEST_CASE("a signal that hardly moves is judged by a millionth of its kind's range") {
    const Trajectory reference = table({0, 1}, {"a.r_0[1]", "a.r_0[2]", "a.v_0[1]"}, {{0, 2}, {5, 5}, {7, 7}});
    Trajectory candidate = reference;
    candidate.columns[1] = {5 + 1e-9, 5 + 1e-9};
    candidate.columns[2] = {7.5, 7.5};
    const std::vector<SignalError> errors = compareSignals(reference, candidate);
    CHECK(errors[0].nrmse == 0);
    CHECK(errors[1].nrmse == Approx(1e-9 / 2e-6).epsilon(1e-6));
    // Nothing of its kind moves: the error in its unit.
    CHECK(errors[2].nrmse == Approx(0.5));
    const std::vector<std::string> lengths = {"m"};
    CHECK(worstSignal(errors)->signal == "a.v_0[1]");
    CHECK(worstSignal(errors, lengths)->signal == "a.r_0[2]");
    const std::vector<std::string> torques = {"N.m"};
    CHECK(worstSignal(errors, torques) == nullptr);
}

TEST_CASE("what is not a number is infinitely wrong, and tables must fit") {
    const Trajectory reference = table({0, 1}, {"a.s"}, {{0, 1}});
    Trajectory candidate = reference;
    candidate.columns[0][1] = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isinf(compareSignals(reference, candidate)[0].nrmse));
    CHECK_THROWS_AS(compareSignals(reference, table({0}, {"a.s"}, {{0}})), std::invalid_argument);
    CHECK_THROWS_AS(compareSignals(Trajectory{}, Trajectory{}), std::invalid_argument);
    CHECK(reference.find("b.s") == -1);
    CHECK_THROWS_WITH(reference.at("b.s"), Catch::Contains("b.s"));
}

TEST_CASE("what is constant but for rounding is not judged by its rounding") {
    const auto run = [](std::vector<double> values) {
        return Trajectory{.time = {0, 1, 2}, .signals = {"stop.f"}, .columns = {std::move(values)}};
    };
    const auto nrmse = [&](std::vector<double> a, std::vector<double> b) {
        return compareSignals(run(std::move(a)), run(std::move(b))).front().nrmse;
    };
    const double u = 2e-16;
    CHECK(nrmse({1e6, 1e6 * (1 + u), 1e6}, {1e6 * (1 + u), 1e6, 1e6}) < 1e-15);
    CHECK(nrmse({0, 3e-17, 0}, {1e-17, 0, 0}) < 1e-15);
    // What is wrong by more is judged as before, whatever the reference's rounding.
    CHECK(nrmse({1e6, 1e6, 1e6}, {1e6, 1e6, 1e6 + 1}) > 0.1);
    CHECK(nrmse({0, 0, 0}, {0, 0, 1e-3}) > 1e-4);
    CHECK(nrmse({0, 1e-9, 0}, {0, 1e-9, 1e-10}) > 0.01);
}
