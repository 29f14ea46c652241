#pragma once
/// @file characteristics.h
/// The comparisons of characteristics that Modelica's documentation of ElastoGap and ElastoBacklash discusses,
/// as pictures computed with our laws and flow.

#include "gnuplot_script.h"

namespace elasto::tools {

/// A mass of 1 kg hits a gap at 1 m/s (c = 1000 N/m, d = 30 N.s/m; the case gap_laws): force and position over time
/// for the four characteristics of GapCharacteristic.
Picture elastoGapPicture();

/// Torque over angle while a backlash is turned to and fro (phi_rel = 0.1 rad sin(20 t / s)) for the three
/// characteristics of BacklashCharacteristic.
Picture elastoBacklashPicture();

}  // namespace elasto::tools
