#pragma once
/// @file check_urdf.h
/// Looks for what urdfdom drops, replaces or refuses without saying where.

#include "xml_file.h"

#include <vector>

namespace elasto::robot {

/// The links and joints of a file, in its order.
struct UrdfElements {
    std::vector<const tinyxml2::XMLElement*> links;
    std::vector<const tinyxml2::XMLElement*> joints;
};

/// Checks every number, name and reference that urdfdom reads, one by one. Mistakes become problems.
UrdfElements checkUrdf(XmlFile& file);

/// Checks that the joints make one tree of the links. Needs names that are there and unique.
void checkTree(XmlFile& file, const UrdfElements& elements);

}  // namespace elasto::robot
