#include "characteristics.h"

#include <elasto/flow.h>

#include <cmath>
#include <string>
#include <utility>
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

/// Adds force and coordinate of the only element of a network, tick by tick.
void follow(FlowNetwork network, double h, int ticks, Curve& force, Curve& coordinate) {
    for (int k = 1; k <= ticks; ++k) {
        const TickResult tick = solveTick(network, h);
        network.adopt(tick);
        force.x.push_back(k * h);
        force.y.push_back(tick.elements[0].force.f);
        coordinate.x.push_back(k * h);
        coordinate.y.push_back(tick.elements[0].s);
    }
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
        force.isMain = position.isMain = curve.characteristic == GapCharacteristic::BoundedDamper;
        follow(std::move(network), h, kGapSamples, force, position);
        forces.curves.push_back(std::move(force));
        positions.curves.push_back(std::move(position));
    }
    Picture picture;
    picture.title = "ElastoGap: 1 kg at 1 m/s, c = 1000 N/m, d = 30 N.s/m";
    picture.panels = {std::move(forces), std::move(positions)};
    return picture;
}

Picture elastoBacklashPicture() {
    // The scene backlash_laws.
    constexpr double kInertia = 1, kSpin = 1;  // [kg.m2], [rad/s]
    constexpr double kDuration = 0.8;          // [s] both sides of the play are met
    constexpr int kSamples = 4000;
    struct BacklashCurve {
        BacklashCharacteristic characteristic;
        const char* title;
    };
    constexpr BacklashCurve kCurves[] = {
        {BacklashCharacteristic::Linear, "(1) linear"},
        {BacklashCharacteristic::NoPull, "(2) ElastoBacklash2"},
        {BacklashCharacteristic::BoundedDamper, "(3) ElastoBacklash"},
    };
    Panel torques{"Torque, tau > 0 turns the inertia back", "", "tau [N.m]", {}};
    Panel angles{"Angle of the inertia, the play is from -0.05 to 0.05 rad", "time [s]", "phi_rel [rad]", {}};
    const double h = kDuration / kSamples;
    for (const BacklashCurve& curve : kCurves) {
        FlowNetwork network;
        network.bodies.push_back(FlowBody::rigid(1, {kInertia, kInertia, kInertia}));
        network.bodies[0].angularVelocity = {0, 0, kSpin};
        FlowElement backlash{ElastoBacklashLaw({.c = 100, .d = 6, .b = 0.1, .characteristic = curve.characteristic})};
        backlash.geometry = Geometry::AboutAxis;
        backlash.axis = Eigen::Vector3d::UnitZ();
        backlash.b = 0;
        network.elements.push_back(backlash);
        Curve torque{curve.title, {0}, {0}};
        Curve angle{curve.title, {0}, {0}};
        torque.isMain = angle.isMain = curve.characteristic == BacklashCharacteristic::BoundedDamper;
        follow(std::move(network), h, kSamples, torque, angle);
        torques.curves.push_back(std::move(torque));
        angles.curves.push_back(std::move(angle));
    }
    Picture picture;
    picture.title = "ElastoBacklash: 1 kg.m2 at 1 rad/s, c = 100 N.m/rad, d = 6 N.m.s/rad, b = 0.1 rad";
    picture.panels = {std::move(torques), std::move(angles)};
    return picture;
}

}  // namespace elasto::tools
