#pragma once
// How points of a face share what other points of it bore.

#include <elasto/precision.h>

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <span>

#include "contacts/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Impulses along a normal [N.s], added up.
struct BorneTogether {
    double sum = 0;
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< each times its place [N.s.m]

    void add(double impulse, const Eigen::Vector3d& place) {
        sum += impulse;
        moment += impulse * place;
    }
};

/// @param places of up to kMostSharing points, in the frame of the moment @param normal unit vector
/// @return impulses >= 0 with the same sum, and with the same moment where the places surround its point of action;
/// where they do not, the nearest of them bear
std::array<double, kMostSharing> shareOf(const BorneTogether& borne, std::span<const Eigen::Vector3d> places,
                                         const Eigen::Vector3d& normal);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
