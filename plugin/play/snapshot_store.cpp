#include "snapshot_store.h"

#include <algorithm>
#include <iterator>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Ticks before the present one that are kept one by one, so that stepping back costs one tick. They get half of the
/// budget at most.
constexpr long kDenseTicks = 100;
constexpr double kDenseShare = 0.5;
/// Beyond this spacing only the start is left of a run that anybody waits for.
constexpr long kWidest = 1L << 40;

}  // namespace

void SnapshotStore::add(long tick, const WorldSnapshot& snapshot) {
    const auto known = m_snapshots.find(tick);
    if (known != m_snapshots.end()) drop(known);
    m_bytes += snapshot.size();
    m_snapshots.emplace(tick, snapshot);
    thin(tick);
}

std::optional<long> SnapshotStore::latest(long tick) const {
    const auto after = m_snapshots.upper_bound(tick);
    if (after == m_snapshots.begin()) return std::nullopt;
    return std::prev(after)->first;
}

void SnapshotStore::dropAfter(long tick) {
    for (auto i = m_snapshots.upper_bound(tick); i != m_snapshots.end();) i = drop(i);
}

void SnapshotStore::clear() {
    m_snapshots.clear();
    m_bytes = 0;
    m_spacing = 1;
    m_present = -1;
}

SnapshotStore::Iterator SnapshotStore::drop(Iterator snapshot) {
    m_bytes -= snapshot->second.size();
    return m_snapshots.erase(snapshot);
}

void SnapshotStore::thin(long present) {
    const double each = static_cast<double>(m_snapshots.at(present).size());
    const long dense = std::min(kDenseTicks, static_cast<long>(kDenseShare * m_budget / each));
    const auto isKept = [&](long tick) { return tick % m_spacing == 0 || (tick > present - dense && tick <= present); };
    const auto sweep = [&] {
        for (auto i = m_snapshots.begin(); i != m_snapshots.end();) i = isKept(i->first) ? std::next(i) : drop(i);
    };
    // One leaves the dense part with each tick that comes, the rest is looked through only when the spacing grows or
    // the present jumps.
    if (present != m_present + 1) {
        sweep();
    } else if (const auto left = m_snapshots.find(present - dense); left != m_snapshots.end() && !isKept(left->first)) {
        drop(left);
    }
    m_present = present;
    while (static_cast<double>(m_bytes) > m_budget && m_spacing < kWidest) {
        m_spacing *= 2;
        sweep();
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
