#pragma once
/// @file unknown_names.h
/// What stands in a URDF file and is read by nobody.

#include "xml_file.h"

namespace elasto::robot {

/// Warns of elements and attributes in links and joints that URDF does not have: a typing error, an element of an older
/// version or an attribute of another format would be lost without a word. Each name once per kind of place, with its
/// line, its value, the nearest name that URDF has, and how many more there are.
///
/// Left alone are names with a prefix (`drake:joint`, `xmlns:x`), what other programs own by convention (`<gazebo>`,
/// `<transmission>`, `<sensor>` ...), all that is in a `<visual>`, which Elasto passes over, and whatever stands
/// directly in `<robot>`, but for elements of Elasto without their prefix.
void warnOfUnknownNames(XmlFile& file);

}  // namespace elasto::robot
