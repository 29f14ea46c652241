#pragma once
/// @file shifted_picture.h
/// A picture beside another one.

#include "view/picture.h"

namespace elasto::gallery {

/// Adds what a picture holds, shifted and without ids, so that it cannot be picked. Planes are left out.
void appendShifted(const view::Picture& from, const Eigen::Vector3f& shift, view::Picture& to);

}  // namespace elasto::gallery
