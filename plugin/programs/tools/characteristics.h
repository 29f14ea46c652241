#pragma once
/// @file characteristics.h
/// The comparisons of characteristics that Modelica's documentation of ElastoGap and ElastoBacklash discusses,
/// as pictures computed with our laws and flow.

#include "gnuplot_script.h"

namespace elasto::tools {

/// A mass of 1 kg hits a gap at 1 m/s (c = 1000 N/m, d = 30 N.s/m; the case gap_laws): force and position over time
/// for the four characteristics of GapCharacteristic.
Picture elastoGapPicture();

/// An inertia of 1 kg.m2 turns at 1 rad/s in a play of 0.1 rad (c = 100 N.m/rad, d = 6 N.m.s/rad; the scene
/// backlash_laws): torque and angle over time for the three characteristics of BacklashCharacteristic.
Picture elastoBacklashPicture();

}  // namespace elasto::tools
