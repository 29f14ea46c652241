#pragma once
// Cars with elements that drive.

#include "coupled_scenes.h"

namespace elasto::bench {

enum class CarKind {
    Hinges,           ///< cylinders on hinges
    Springs,          ///< cylinders on Bullet's springs, with bump stops and a little play in all four steerings
    Struts,           ///< balls on struts with bump stops
    StrutsOverKerbs,  ///< the same over a height field, a kerb of 6 cm every 2.5 m
    EightOnStruts,    ///< eight of them, two in a row, which bump into each other
    Parked,           ///< on struts, with brakes
};

std::function<void(CoupledWorld& world, int variant)> carOn(CarKind kind);

}  // namespace elasto::bench
