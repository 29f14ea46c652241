#pragma once
// When a network may fall asleep.

#include <elasto/plugin.h>

#include <vector>

#include "network/solved_network.h"

class btMultiBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Kept from network to network, for the storage.
struct RestSpace {
    struct Forces {
        Eigen::Vector3d force;
        Eigen::Vector3d torque;
    };
    FlowNetwork end;
    std::vector<Forces> forces;
};

/// True if every body is slower than the thresholds and so are its accelerations: over the tick and, for a network that
/// the flow solved, at its end. (At a turning point the speed is zero and the acceleration is not.) Where joints or
/// contacts bear the bodies, what counts at the end is how far the forces have moved away from their mean over the
/// tick.
bool isAtRest(const SolvedNetwork& solved, const RestThresholds& thresholds, RestSpace& space);

/// Keeps Bullet from putting the network's bodies to sleep in this tick.
void keepAwake(const SolvedNetwork& solved);

/// Keeps Bullet from putting the multibody to sleep, or wakes it.
void keepAwake(btMultiBody& body);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
