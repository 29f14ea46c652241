#include "measure.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tool_errors.h"

using namespace elasto::sweep;
using Catch::Matchers::Contains;

namespace {

/// A metric of x(t) = e^-t cos(20 t) on 0 .. 5 s.
std::optional<double> ofSwing(const Metric& metric) {
    Measure measure(metric);
    for (int k = 0; k <= 5000; ++k) {
        const double t = k * 1e-3;
        measure.add(t, std::exp(-t) * std::cos(20 * t));
    }
    return measure.result();
}

Metric kind(MetricKind kind) {
    Metric metric;
    metric.kind = kind;
    return metric;
}

}  // namespace

TEST_CASE("metrics of a swing that dies out") {
    CHECK(*ofSwing(kind(MetricKind::Max)) == 1);
    const double lowest = std::atan(-1 / 20.0) / 20 + std::acos(-1.0) / 20;  // x' = 0
    CHECK(*ofSwing(kind(MetricKind::Min)) == Approx(std::exp(-lowest) * std::cos(20 * lowest)).epsilon(1e-4));
    CHECK(*ofSwing(kind(MetricKind::Peak)) == 1);
    CHECK(*ofSwing(kind(MetricKind::Final)) == std::exp(-5.0) * std::cos(100.0));
    // The integrals of x and x^2 from 0 to 5 s.
    const double end = std::exp(-5.0);
    const double integral = (1 - end * (std::cos(100.0) - 20 * std::sin(100.0))) / 401;
    CHECK(*ofSwing(kind(MetricKind::Mean)) == Approx(integral / 5).epsilon(1e-3));
    const double e2 = std::exp(-10.0);
    const double squares = (1 - e2) / 4 + 0.5 * (2 - e2 * (2 * std::cos(200.0) - 40 * std::sin(200.0))) / 1604;
    CHECK(*ofSwing(kind(MetricKind::Rms)) == Approx(std::sqrt(squares / 5)).epsilon(1e-3));
}

TEST_CASE("peak is the largest absolute value") {
    Measure measure(kind(MetricKind::Peak));
    const Metric force = kind(MetricKind::PeakForce);
    Measure same(force);
    for (const double x : {1.0, -3.0, 2.0}) same.add(x, x);
    CHECK(*same.result() == 3);
}

TEST_CASE("settling time is when a signal comes into its band to stay") {
    Metric metric = kind(MetricKind::SettlingTime);
    metric.band = 0.1;
    metric.target = 0;
    const double settled = *ofSwing(metric);
    // The envelope e^-t is below 0.1 from 2.303 s on, the swing at most a period earlier.
    CHECK(settled <= std::log(10.0));
    CHECK(settled > std::log(10.0) - std::acos(-1.0) / 10);
    metric.target = 2;
    CHECK_FALSE(ofSwing(metric));                                             // never
    metric.target.reset();                                                    // its last value, -0.0058
    CHECK(*ofSwing(metric) == Approx(settled).margin(std::acos(-1.0) / 20));  // half a swing
    metric.band = 10;
    CHECK(*ofSwing(metric) == 0);
}

TEST_CASE("what never comes to rest has not settled where it happens to be last") {
    Metric metric = kind(MetricKind::SettlingTime);
    metric.band = 0.1;
    Measure swing(metric), step(metric);
    for (int i = 0; i <= 1000; ++i) {
        const double t = i / 100.0;
        swing.add(t, std::sin(5 * t));
        step.add(t, t < 8.5 ? 0 : 1);
    }
    CHECK_FALSE(swing.result());
    CHECK(*step.result() == Approx(8.5));
    metric.target = std::sin(50.0);
    Measure told(metric);
    for (int i = 0; i <= 1000; ++i) told.add(i / 100.0, std::sin(5 * i / 100.0));
    CHECK(told.result());  // whoever names a target wants to know when it is reached
}

TEST_CASE("a metric that asks for what is not there is told the nearest of many signals") {
    std::vector<SignalName> names;
    for (const char* body : {"cart", "ball"}) {
        for (int i = 1; i <= 8; ++i) {
            const std::string name = body + std::string(".r_0[") + std::to_string(i) + "]";
            names.push_back({name, name});
        }
    }
    names.push_back({"totalHeat", "totalHeat"});
    Metric metric = kind(MetricKind::Max);
    metric.of = "cart.mass";
    CHECK_THAT(refusalOf(metric, names), Contains("no such signal") && Contains("cart.r_0[8]") && !Contains("ball"));
    metric.of = "kart";
    CHECK_THAT(refusalOf(metric, names), Contains("It has cart.*, ball.*, totalHeat"));
    metric.of = "ball.r_0[3]";
    CHECK(refusalOf(metric, names).empty());
}

TEST_CASE("a metric finds its signal by either name") {
    const std::vector<SignalName> names = {{"mass.r_0[2]", "mass.s"}, {"mass.r_0[2]", "mass.r_0[2]"},
                                           {"gap.f", "gap.f"},        {"lash.tau", "lash.tau"},
                                           {"gap.heat", "gap.heat"},  {"totalHeat", "totalHeat"}};
    Metric metric = kind(MetricKind::Max);
    metric.of = "mass.s";
    CHECK(signalOf(metric, names) == "mass.r_0[2]");
    metric.of = "mass.r_0[2]";
    CHECK(signalOf(metric, names) == "mass.r_0[2]");
    metric = kind(MetricKind::PeakForce);
    metric.of = "lash";
    CHECK(signalOf(metric, names) == "lash.tau");
    metric = kind(MetricKind::DissipatedEnergy);
    CHECK(signalOf(metric, names) == "totalHeat");
    metric.of = "gapp";
    metric.name = "heat";
    CHECK_THROWS_WITH(signalOf(metric, names),
                      Contains("metric heat: of = \"gapp\"") && Contains("did you mean \"gap\"? It has "));
    metric.of = "q";
    CHECK_THROWS_WITH(signalOf(metric, names),
                      "metric heat: of = \"q\" is not allowed; the scene has no such element. It has gap");
}
