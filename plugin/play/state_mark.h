#pragma once
/// @file state_mark.h
/// Fingerprint of a world between two ticks.

#include <elasto/scene/scene_world.h>

#include <cstdint>
#include <string>
#include <vector>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Numbers that differ where a bit of what they stand for differs (but for one chance in 2^32 and 2^64).
struct StateMark {
    std::uint64_t state = 0;            ///< of all bodies and elements
    std::vector<std::uint32_t> bodies;  ///< each of one body: pose, velocities, whether it sleeps

    bool operator==(const StateMark&) const = default;
};
StateMark markOf(const SceneWorld& world);

/// Where a run differs from its recording.
struct ReplayDifference {
    long tick = 0;             ///< the first one
    double time = 0;           ///< of it [s]
    std::string body;          ///< the first body whose state differs; "" if only states of elements do
    std::string problem;       ///< what stopped the run there, "" if nothing did
    std::string text() const;  ///< one line
};
/// @param mark of the world at a tick @param expected what was recorded there
ReplayDifference differenceAt(long tick, const SceneWorld& world, const StateMark& mark, const StateMark& expected);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
