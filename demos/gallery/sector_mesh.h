#pragma once
/// @file sector_mesh.h
/// Claws: parts of a ring, as a mesh.

#include "view/mesh.h"

#include <memory>

namespace elasto::gallery {

/// Parts of a ring about z with flat ends, evenly spaced; the first one's middle lies on x.
struct Sectors {
    int count = 3;
    double angle = 0.5;   ///< of each [rad], < 2 pi / count
    double inner = 0.05;  ///< radius [m]
    double outer = 0.1;   ///< radius [m]
    double begin = 0;     ///< along z [m]
    double end = 0.05;    ///< along z [m], > begin
    double turn = 0;      ///< of all about z [rad]
};

std::shared_ptr<const view::Mesh> sectorMesh(const Sectors& sectors);

}  // namespace elasto::gallery
