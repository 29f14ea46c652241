#pragma once
/// @file may_touch.h
/// Which bodies of a scene collide where they meet.

#include <elasto/scene/description.h>

#include <utility>
#include <vector>

namespace elasto::tools {

/// Pairs of bodies with shapes, at least one of which is moved by forces, that no joint or element joins (Bullet lets
/// those pass through each other): indices of bodies, the lower one first. Where they are does not count.
std::vector<std::pair<std::size_t, std::size_t>> shapesThatMayTouch(const Scene& scene);

}  // namespace elasto::tools
