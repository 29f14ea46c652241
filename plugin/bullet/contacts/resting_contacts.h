#pragma once
// Bodies that rest on each other as Bullet left them.
//
// Bullet's stacks stand on penetrations that differ from corner to corner and push the bodies apart a little in every
// tick. Whoever took that for the bodies' geometry and motion would lift them, tip them until all corners bear, and
// find them too high when they are Bullet's again. So where they stand is where they touch.

#include <elasto/precision.h>

#include <span>
#include <vector>

#include "contacts/contact_points.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What a pair's points get that was Bullet's own in the last tick, if its bodies bear each other and are slow where
/// they touch: the place where they stand (see keepRest), and if they are slower still they are at rest there, and part
/// by nothing but what Bullet pushes them apart.
/// @param size of the smaller body [m]
void noteRest(std::span<ContactPoint> pair, double size);

/// Makes what was closed or penetrated where the pair stood closed there: from then on the gap is what the bodies have
/// moved since. Until they have moved by some millimetres: then they have no such place any more.
void keepRest(std::span<ContactPoint> pair, const ContactRest& rest);

/// Bullet's impulse of a point when its solver begins.
struct WarmStart {
    const btManifoldPoint* point = nullptr;
    double impulse = 0;  ///< [N.s] >= 0
};

/// What Bullet had where the pair still stands. Its stacks rest on impulses that have come about in many ticks: with
/// the flow's, which bear the same, they would jump.
/// @param pair of Bullet's points @param nearest points that are closer are one [m]
/// @return of all points; none if the bodies have moved, or Bullet has other points now
std::vector<WarmStart> resume(std::span<const ContactPoint> pair, const ContactRest& rest, double nearest);

/// What bears the same as the flow's points did, for pairs of which nothing can be resumed.
/// @param pair of Bullet's points @param last of the last tick
/// @return of all points; none if they are not of one face, or more than Bullet keeps of one
std::vector<WarmStart> share(std::span<const ContactPoint> pair, std::span<const ContactPoint> last);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
