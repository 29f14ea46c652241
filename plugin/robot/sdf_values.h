#pragma once
/// @file sdf_values.h
/// Values in the children of SDF's elements: `<mass>2</mass>`.

#include "xml_file.h"

#include <elasto/robot/description.h>

#include <initializer_list>
#include <optional>
#include <string>

namespace elasto::robot {

/// SDF's number for no limit.
inline constexpr double kSdfUnlimited = 1e16;

/// The text of an element without white space at its ends.
std::string textOf(const tinyxml2::XMLElement& element);
/// The text of a child; empty if it is missing.
std::string childText(const tinyxml2::XMLElement& parent, const char* tag);
/// A child that says true or 1.
bool childIsTrue(const tinyxml2::XMLElement& parent, const char* tag);

/// Number in a child. Nothing if it is missing, or not acceptable (a problem). `inf` is kSdfUnlimited.
std::optional<double> childNumber(XmlFile& file, const tinyxml2::XMLElement& parent, const char* tag,
                                  const NumberRule& rule);
/// Three numbers in a child, as childNumber().
std::optional<Eigen::Vector3d> childVector(XmlFile& file, const tinyxml2::XMLElement& parent, const char* tag,
                                           const NumberRule& rule);
/// A `<pose>`: x y z and roll, pitch, yaw (`degrees="true"`: in degrees), or with rotation_format="quat_xyzw" a
/// quaternion. A missing or empty one is the identity.
RobotPose readSdfPose(XmlFile& file, const tinyxml2::XMLElement* pose);

/// Warns of children that are not read, each tag once per kind of element. Names with a prefix are others'.
/// @param read   children that are read @param others passed over without a word: pictures, sensors, programs
void warnOfUnread(XmlFile& file, const tinyxml2::XMLElement& element, std::initializer_list<const char*> read,
                  std::initializer_list<const char*> others = {});

}  // namespace elasto::robot
