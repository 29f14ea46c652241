#pragma once
// What loads are over a tick.

#include <elasto/flow_load.h>
#include <elasto/joint_load.h>
#include <elasto/load.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "network/attached_load.h"
#include "network/gather.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What a function of time is over a tick. @param value of the Plugin's time
std::vector<LoadPiece> piecesOf(const std::function<LoadValue(double)>& value, const NextBreak& nextBreak,
                                const TickTime& time);

/// Puts a change of loads among others, in the order of time.
template <class Change>
void insertByTime(const Change& change, std::vector<Change>& changes) {
    const auto isEarlier = [](double time, const Change& other) { return time < other.time; };
    changes.insert(std::upper_bound(changes.begin(), changes.end(), change.time, isEarlier), change);
}

/// The loads of a tick, asked once. Those of one body, or of one joint, are one function.
class LoadTable {
public:
    struct OfBody {
        const btRigidBody* body = nullptr;
        std::vector<LoadPiece> pieces;          ///< of all; what turns with the body goes on as it turns at the start
        std::vector<LoadPiece> fixed;           ///< without what turns with the body
        std::vector<AttachedLoad> attached;     ///< what turns with it
        LoadValue impulse = LoadValue::Zero();  ///< over the tick
        double force = 0;                       ///< most of it that acts at a time [N]
        double torque = 0;                      ///< the same [N.m]

        bool isConstant() const { return pieces.size() == 1 && pieces.front().isConstant(); }
        bool turns() const { return !attached.empty(); }
    };
    struct OfJoint {
        btMultiBody* body = nullptr;
        int link = 0;
        std::vector<LoadPiece> pieces;  ///< the torque is their first component
    };

    /// Asks the loads of bodies that are in a world, and all joint loads.
    /// @throws InvalidParameter if a joint load is not finite
    void begin(std::span<const std::shared_ptr<const Load>> loads,
               std::span<const std::shared_ptr<const JointLoad>> jointLoads, const TickTime& time);

    /// nullptr if nothing loads it.
    const OfBody* find(const btRigidBody& body) const;
    std::span<const OfBody> bodies() const { return m_bodies; }
    std::span<const OfJoint> joints() const { return m_joints; }

private:
    std::vector<int> m_places;  // by the body's place in the world: its entry, or -1
    std::vector<OfBody> m_bodies;
    std::vector<OfJoint> m_joints;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
