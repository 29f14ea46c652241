#pragma once
/// @file world_snapshot.h
/// A whole Bullet world at one instant: see Plugin::saveWorld.

#include <elasto/export.h>
#include <elasto/precision.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct WorldRecord;

/// What Plugin::saveWorld saves and Plugin::restoreWorld restores. A value: copies are cheap and share what was saved,
/// which never changes. It holds no pointers into the world, so that it outlives bodies, joints, plugin and world, and
/// fits any world that was built in the same way (in the same program and precision).
class ELASTO_API WorldSnapshot {
public:
    WorldSnapshot();  ///< of nothing; restoreWorld refuses it
    /// For Plugin: of what it has recorded. @param record null: of nothing
    explicit WorldSnapshot(std::shared_ptr<const WorldRecord> record);

    bool isEmpty() const { return m_record == nullptr; }  ///< of nothing
    std::size_t size() const;                             ///< memory that it takes [bytes]
    int bodies() const;                                   ///< bodies (and other collision objects) of the world
    int contactPoints() const;                            ///< that Bullet's manifolds hold
    /// A number made of all poses, velocities, forces, states of sleep, contact points in their order, and states of
    /// elements: where a bit of them differs, it does too. For finding out when two runs part. 0 for nothing.
    std::uint64_t hash() const;

    /// For Plugin; null for a snapshot of nothing.
    const std::shared_ptr<const WorldRecord>& record() const { return m_record; }

private:
    std::shared_ptr<const WorldRecord> m_record;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
