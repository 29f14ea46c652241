#pragma once
/// @file place.h
/// Places in a scene file by the names that people use for them.

#include "problems.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace elasto::sweep {

using Pointer = nlohmann::json::json_pointer;

/// Finds what a text names:
///  - `/loads/0/frequency`: a JSON pointer (RFC 6901; items count from 0)
///  - `gap.c`, `cart.position[2]`, `door.motor.velocity`: a field of the body, joint, element, load or heat port of
///  that
///    name; items in brackets count from 1, as in signals
///  - `rate`, `gravity[2]`: a field of the document itself
///  - `servos.yaw.stiffness`: a field of the document's array, of the item for that name or joint
///
/// The place need not be in the document where its schema allows it there. What lies there must be one value and not an
/// object or an array.
/// @param document gets an array's default where a place is within it
/// @param where JSON path that mistakes are reported at
/// @return the empty pointer after a mistake
Pointer findPlace(const std::string& text, nlohmann::json& document, std::string_view schema, const std::string& where,
                  scene::Problems& problems);

}  // namespace elasto::sweep
