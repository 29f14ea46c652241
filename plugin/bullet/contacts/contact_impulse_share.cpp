#include "contacts/contact_impulse_share.h"

#include <Eigen/Geometry>
#include <Eigen/QR>

#include <algorithm>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

std::array<double, kMostSharing> shareOf(const BorneTogether& borne, std::span<const Eigen::Vector3d> places,
                                         const Eigen::Vector3d& normal) {
    std::array<double, kMostSharing> share{};
    const std::size_t count = std::min(places.size(), kMostSharing);
    if (count == 0 || !(borne.sum > 0)) return share;
    const Eigen::Vector3d centre = borne.moment / borne.sum;
    const Eigen::Vector3d x = normal.unitOrthogonal();
    const Eigen::Vector3d y = normal.cross(x);
    std::array<std::size_t, kMostSharing> bearing{};
    std::size_t bearings = count;
    for (std::size_t i = 0; i < count; ++i) bearing[i] = i;
    while (bearings > 0) {
        // Sum and moments about the point of action; of all that bear them the least, squared.
        Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kMostSharing> rows(3, static_cast<Eigen::Index>(bearings));
        for (std::size_t i = 0; i < bearings; ++i) {
            const Eigen::Vector3d arm = places[bearing[i]] - centre;
            rows.col(static_cast<Eigen::Index>(i)) = Eigen::Vector3d(1, arm.dot(x), arm.dot(y));
        }
        Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostSharing, 1> impulses;
        impulses.setZero(static_cast<Eigen::Index>(bearings));  // or GCC sees what is not used yet
        impulses = rows.completeOrthogonalDecomposition().solve(Eigen::Vector3d(borne.sum, 0, 0));
        Eigen::Index least = 0;
        if (bearings == 1 || !(impulses.minCoeff(&least) < 0)) {
            const double scale = impulses.sum() > 0 ? borne.sum / impulses.sum() : 0;
            for (std::size_t i = 0; i < bearings; ++i) {
                share[bearing[i]] = scale * impulses[static_cast<Eigen::Index>(i)];
            }
            break;
        }
        std::copy(bearing.begin() + least + 1, bearing.begin() + static_cast<std::ptrdiff_t>(bearings),
                  bearing.begin() + least);
        --bearings;
    }
    return share;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
