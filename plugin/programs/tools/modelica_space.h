#pragma once
/// @file modelica_space.h
/// Scenes in space as MultiBody models.

#include <elasto/scene/description.h>

#include "modelica_text.h"

namespace elasto::tools {

/// Bodies as Body, joints as Revolute, Prismatic, Spherical and fixed frames, elements along lines between the flanges
/// of LineForceWithMass without mass, elements along axes between those of a class of our own, elements about axes
/// between the flanges of the Revolute between their bodies.
/// @throws InputError for an element that cannot be said, naming it
void addSpace(const Scene& scene, ModelicaModel& model);
/// The text of a class of our own for frames; empty if it is none of these.
std::string modelicaFrameHelper(const std::string& name);

}  // namespace elasto::tools
