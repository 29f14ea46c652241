#pragma once
/// @file snapshot_store.h
/// Snapshots of a run within a budget of memory.

#include <elasto/world_snapshot.h>

#include <map>
#include <optional>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Keeps the ticks just before the present one densely, and of all others every 2^k-th, with the smallest k that the
/// budget allows. The start of the run is always kept.
class SnapshotStore {
public:
    explicit SnapshotStore(double megabytes) : m_budget(megabytes * 1e6) {}

    /// Keeps a snapshot of the present tick, and drops what the budget has no room for.
    void add(long tick, const WorldSnapshot& snapshot);
    /// Latest tick <= the given one that has a snapshot.
    std::optional<long> latest(long tick) const;
    const WorldSnapshot& at(long tick) const { return m_snapshots.at(tick); }
    void dropAfter(long tick);
    void clear();

    std::size_t count() const { return m_snapshots.size(); }
    std::size_t bytes() const { return m_bytes; }
    long spacing() const { return m_spacing; }  ///< between those that are kept for long [ticks]
    double budget() const { return m_budget; }  ///< [bytes]

private:
    using Iterator = std::map<long, WorldSnapshot>::iterator;

    Iterator drop(Iterator snapshot);
    void thin(long present);

    double m_budget;
    std::size_t m_bytes = 0;
    long m_spacing = 1;
    long m_present = -1;  ///< tick of the last snapshot that came
    std::map<long, WorldSnapshot> m_snapshots;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
