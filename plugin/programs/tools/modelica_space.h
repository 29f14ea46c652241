#pragma once
/// @file modelica_space.h
/// Scenes in space as MultiBody models.

#include <elasto/scene/description.h>

#include "modelica_text.h"

namespace elasto::tools {

/// Bodies as Body, joints as Revolute, Prismatic, Spherical and fixed frames, and the same joints where a body may not
/// move in all ways; a loop closes in a RevolutePlanarLoopConstraint, in one of these joints where it is not planar,
/// or in a class of our own for what is left of a joint. Elements along lines are the library's forces, or stand
/// between the flanges of LineForceWithMass without mass; elements along axes between those of a class of our own;
/// elements about axes between the flanges of a Revolute, or of a class of our own where there is none.
/// @throws InputError for what cannot be said at all, naming it
void addSpace(const Scene& scene, ModelicaModel& model);

}  // namespace elasto::tools
