#pragma once
#include "view/mesh.h"

namespace elasto::view {

// Shapes from which the vertex shader makes bodies of any size: a vertex lies at
//   position * (size - bevel) + normal * bevel
// with the instance's half size and bevel, so that one mesh of sharp corners and bent normals serves boxes and
// cylinders with rounded edges, capsules and balls.

/// Corners at (+-1, +-1, +-1); each edge and corner is bent over the bevel.
Mesh boxShape();
/// About z, from z = -1 to 1, radius 1; both rims are bent over the bevel.
Mesh cylinderShape(int segments);
/// Two halves of a ball at z = -1 and 1: a capsule with size (r, r, half length) and bevel r, a ball with size (r, r,
/// r).
Mesh capsuleShape(int segments);
/// About z, base of radius 1 at z = 0, tip at z = 1. Drawn without bevel.
Mesh coneShape(int segments);

/// A wire of `segments` pieces with `sides` sides for coil.vert: position = (share of the way 0 .. 1, angle about the
/// wire [rad], share of the wire's radius), normal unused.
Mesh wireShape(int segments, int sides);

/// A spur gear of pitch radius 1 and width 2 (z = -1 .. 1) with involute teeth of 20 degrees. Drawn without bevel.
/// \param toothPlayAngle by how much a tooth is narrower at the pitch circle [rad]
Mesh gearShape(int teeth, float toothPlayAngle, bool internal);

}  // namespace elasto::view
