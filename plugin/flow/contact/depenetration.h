#pragma once
// Bodies that were found inside each other.

#include "contact/contact_frame.h"
#include "implicit/kick.h"

#include <limits>

namespace elasto::flow {

struct Depenetration {
    double displacement = 0;  ///< largest displacement of a body [m]
    double energy = 0;        ///< mechanical energy, that of constant loads included, that it brought in [J]
    long work = 0;            ///< that it took [ns, see numerics/cost_model.h]
};

/// What is put right.
struct DepenetrationAim {
    bool closesJoints = true;  ///< false: joints that are apart are no reason to move anything
    bool isRough = false;      ///< more depth is left alone, for many contacts
    long work =
        std::numeric_limits<long>::max();  ///< [ns, see numerics/cost_model.h] beyond which nothing more is tried
};

/// What it may take at least where something is wrong [ns]: displacements that nothing holds up.
long depenetrationWork(const FlowNetwork& network);

/// Storage, kept from one use to the next.
struct DepenetrationSpace {
    std::vector<double> wanted, joints, movedJoints;
    std::vector<Vector6> displacements, still;
    BodyKinematics bodies;
    ContactFrame frame;
    implicit::Kick kick;
    std::vector<EliminationOrder::Edge> edges;
    FlowNetwork moved;
};

/// Moves bodies that penetrate each other apart by a share of the depth, and together whose joints are apart, without
/// velocity. No element is loaded by it where there is another displacement; else only soft ones are (softWork): where
/// a stiff one is in the way, the bodies move less, or not at all.
/// @param h length of the tick [s]
Depenetration depenetrate(FlowNetwork& network, double h, const DepenetrationAim& aim, DepenetrationSpace& space);

}  // namespace elasto::flow
