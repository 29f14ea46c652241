#pragma once
/// @file sample.h
/// The state of a scene at one time, whoever computed it, and the value of any signal in it.

#include <elasto/export.h>
#include <elasto/grade.h>
#include <elasto/scene/signals.h>

#include <vector>

namespace elasto {

/// An element at one time.
struct ElementSample {
    double s = 0;                ///< s_rel, s or phi_rel [m, rad]
    double v = 0;                ///< its rate [m/s, rad/s]
    ForceTerms force;            ///< now [N, N.m], and whether it is in contact
    double meanForce = 0;        ///< over the tick that ends now; before the first tick the force itself [N, N.m]
    double lossPower = 0;        ///< [W]
    double dissipatedPower = 0;  ///< [W]
    double heat = 0;             ///< since the start [J]
    double storedEnergy = 0;     ///< [J]
    double s_damper = 0;         ///< SpringDamperSeries [m]
    double flange_a = 0;         ///< drives and gear pairs of multibodies: phi (s) of flange_a on b's side of the gear
    double flange_b = 0;         ///< and of flange_b = flange_a + s [rad, m]
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();  ///< attachments, world [m]; used AlongLine only
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();  ///< the same at frame_b
};

/// A heat port at one time.
struct HeatPortSample {
    double power = 0;        ///< [W]
    double energy = 0;       ///< since the start [J]
    double temperature = 0;  ///< [K]
};

/// A scene at one time; same indices as in the scene.
struct SceneSample {
    double time = 0;                        ///< [s]
    std::vector<BodyState> bodies;          ///< of the centres of mass
    std::vector<ElementSample> elements;    ///< their coordinates, forces and heat
    std::vector<HeatPortSample> heatPorts;  ///< what has come to them; see sumHeatPorts()
    TickGrade grade;                        ///< of the tick that ends now; exact at the start
};

/// Fills sample.heatPorts from the elements' dissipatedPower and heat.
ELASTO_API void sumHeatPorts(const Scene& scene, SceneSample& sample);

/// Value of a signal.
ELASTO_API double signalValue(const Scene& scene, const SceneSample& sample, const Signal& signal);

}  // namespace elasto
