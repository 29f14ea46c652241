// Gaps whose damping grows with the penetration and that never pull.

#include <elasto/flow.h>
#include <elasto/parameter_forms.h>
#include <elasto/reference/reference.h>

#include <catch2/catch.hpp>

#include <cmath>

using namespace elasto;
using Eigen::Vector3d;

namespace {

FlowNetwork ballAbove(const ElastoGapParameters& stop, double speed) {
    FlowNetwork network;
    FlowBody body = FlowBody::rigid(0.5, Vector3d::Constant(0.001));
    body.position = {1e-3, 0, 0};
    body.velocity = {-speed, 0, 0};
    network.bodies = {body};
    FlowElement element{ElastoGapLaw(stop)};
    element.b = 0;
    network.elements = {element};
    return network;
}

}  // namespace

TEST_CASE("a ball leaves a Hunt-Crossley stop as fast as its restitution says", "[flow][hunt-crossley]") {
    for (const double n : {1., 1.5, 2.}) {
        for (const double e : {0.95, 0.6, 0.2}) {
            for (const double speed : {0.3, 5.}) {
                CAPTURE(n, e, speed);
                const double c = 2e5, s_ref = 0.01;
                const double d = dampingForRestitution(e, speed, c, s_ref);
                CHECK(restitutionAt(speed, {c, d}, s_ref) == Approx(e).epsilon(1e-9));
                FlowNetwork network = ballAbove(
                    {.c = c, .d = d, .n = n, .s_ref = s_ref, .characteristic = GapCharacteristic::HuntCrossley}, speed);
                double heat = 0;
                for (int i = 0; i < 240; ++i) {
                    const TickResult tick = solveTick(network, 1. / 240);
                    heat += tick.elements[0].heat;
                    CHECK(tick.elements[0].force.f <= 0);
                    network.adopt(tick);
                }
                CHECK(network.bodies[0].velocity.x() == Approx(e * speed).epsilon(1e-6));
                CHECK(heat == Approx(0.25 * speed * speed * (1 - e * e)).epsilon(1e-6));
            }
        }
    }
}

TEST_CASE("a ball that is torn from a Hunt-Crossley stop is not held back", "[flow][hunt-crossley]") {
    const ElastoGapParameters stop{
        .c = 2e4, .d = 4e4, .n = 1.5, .s_ref = 0.01, .characteristic = GapCharacteristic::HuntCrossley};
    FlowNetwork network = ballAbove(stop, 0);
    network.bodies[0].position.x() = -5e-3;
    network.bodies[0].force.constant.x() = 2000;
    const double h = 1. / 240;
    const double times[] = {0, h};
    ReferenceProblem problem;
    problem.network = network;
    const ReferenceSolution oracle = solveReference(problem, times);
    const TickResult tick = solveTick(network, h);
    CHECK(tick.bodies[0].velocity.x() == Approx(oracle.states[1].bodies[0].velocity.x()).epsilon(1e-7));
    CHECK(tick.bodies[0].position.x() == Approx(oracle.states[1].bodies[0].position.x()).epsilon(1e-7));
    CHECK(tick.elements[0].impulse <= 0);  // it only pushed
    // The same with Lankarani and Nikravesh's, which pulls.
    network.elements[0].law = ElastoGapLaw({.c = stop.c,
                                            .d = stop.d,
                                            .n = stop.n,
                                            .s_ref = stop.s_ref,
                                            .characteristic = GapCharacteristic::LankaraniNikravesh});
    CHECK(solveTick(network, h).bodies[0].velocity.x() < tick.bodies[0].velocity.x());
}
