#pragma once
// Whether snapshots hold the whole state of the Bullet that is linked.

#include <string>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Accepts versions of Bullet whose sources were compared with that of 3.24 (3.25, 3.26: no state was added), and
/// any other with which a world that was put back runs as before: that is tried once per program.
/// @param version as btGetVersion() has it @param caller for the message
/// @throws InvalidParameter
void requireKnownBullet(int version, const char* caller);

/// A world of a pile, a hinge, an element, a ball that flies and a multibody is saved, goes on, is put back and goes
/// on again. @return what came out otherwise than before; empty: nothing
std::string lostOnTheWayBack();

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
