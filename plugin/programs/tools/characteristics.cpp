#include "characteristics.h"

#include <elasto/flow.h>

#include <cmath>
#include <string>
#include <vector>

namespace elasto::tools {

namespace {

constexpr double kMass = 1;            // [kg]
constexpr double kHeight = 0.05;       // [m] start above the stop
constexpr double kSpeed = 1;           // [m/s] towards it
constexpr double kGapC = 1000;         // [N/m]
constexpr double kGapD = 30;           // [N.s/m]
constexpr double kGapDuration = 0.22;  // [s] all four have parted by then
constexpr int kGapSamples = 2200;

struct GapCurve {
    GapCharacteristic characteristic;
    const char* title;
};
constexpr GapCurve kGapCurves[] = {
    {GapCharacteristic::Linear, "(1) linear"},
    {GapCharacteristic::NoPull, "(2) pulling set to zero"},
    {GapCharacteristic::BoundedDamper, "(3) ElastoGap"},
    {GapCharacteristic::LankaraniNikravesh, "(4) Lankarani-Nikravesh"},
};

ElastoGapParameters gapParameters(GapCharacteristic characteristic) {
    ElastoGapParameters parameters{.c = kGapC, .d = kGapD, .characteristic = characteristic};
    // The damper of (4) grows with the penetration and reaches d at s_ref. With s_ref at the deepest point of an
    // undamped impact the same d gives a curve that can be compared with the others.
    if (characteristic == GapCharacteristic::LankaraniNikravesh) parameters.s_ref = kSpeed * std::sqrt(kMass / kGapC);
    return parameters;
}

FlowNetwork massAboveGap(const ElastoGapParameters& parameters) {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::sphere(kMass, kHeight));
    network.bodies[0].position = {kHeight, 0, 0};
    network.bodies[0].velocity = {-kSpeed, 0, 0};
    FlowElement gap{ElastoGapLaw(parameters)};
    gap.b = 0;
    network.elements.push_back(gap);
    return network;
}

}  // namespace

Picture elastoGapPicture() {
    Panel forces{"Force of the gap, f > 0 pulls", "", "f [N]", {}};
    Panel positions{"Position of the mass, the stop is at 0", "time [s]", "s_rel [m]", {}};
    const double h = kGapDuration / kGapSamples;
    for (const GapCurve& curve : kGapCurves) {
        FlowNetwork network = massAboveGap(gapParameters(curve.characteristic));
        Curve force{curve.title, {0}, {0}};
        Curve position{curve.title, {0}, {kHeight}};
        for (int k = 1; k <= kGapSamples; ++k) {
            const TickResult tick = solveTick(network, h);
            network.adopt(tick);
            force.x.push_back(k * h);
            force.y.push_back(tick.elements[0].force.f);
            position.x.push_back(k * h);
            position.y.push_back(tick.elements[0].s);
        }
        forces.curves.push_back(std::move(force));
        positions.curves.push_back(std::move(position));
    }
    Picture picture;
    picture.title = "ElastoGap: 1 kg at 1 m/s, c = 1000 N/m, d = 30 N.s/m";
    picture.panels = {std::move(forces), std::move(positions)};
    return picture;
}

Picture elastoBacklashPicture() {
    constexpr double kAmplitude = 0.1;        // [rad]
    constexpr double kAngularFrequency = 20;  // [rad/s]
    constexpr int kSamples = 2000;
    constexpr double kTurn = 6.283185307179586;
    struct BacklashCurve {
        BacklashCharacteristic characteristic;
        const char* title;
    };
    constexpr BacklashCurve kCurves[] = {
        {BacklashCharacteristic::Linear, "(1) linear"},
        {BacklashCharacteristic::NoPull, "(2) ElastoBacklash2"},
        {BacklashCharacteristic::BoundedDamper, "(3) ElastoBacklash"},
    };
    Panel panel{"One turn to and fro, clockwise", "phi_rel [rad]", "tau [N.m]", {}};
    for (const BacklashCurve& curve : kCurves) {
        const ElastoBacklashLaw law({.c = 100, .d = 2, .b = 0.1, .characteristic = curve.characteristic});
        Curve loop{curve.title, {}, {}};
        for (int k = 0; k <= kSamples; ++k) {
            const double angle = kTurn * k / kSamples;
            const double phi_rel = kAmplitude * std::sin(angle);
            const double w_rel = kAmplitude * kAngularFrequency * std::cos(angle);
            loop.x.push_back(phi_rel);
            loop.y.push_back(law.evaluate(phi_rel, w_rel).f);
        }
        panel.curves.push_back(std::move(loop));
    }
    Picture picture;
    picture.title = "ElastoBacklash: c = 100 N.m/rad, d = 2 N.m.s/rad, b = 0.1 rad, phi_rel = 0.1 rad sin(20 t)";
    picture.height = 600;
    picture.panels = {std::move(panel)};
    return picture;
}

}  // namespace elasto::tools
