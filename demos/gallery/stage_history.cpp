#include "gallery/stage_history.h"

#include <utility>

namespace elasto::gallery {

namespace {

constexpr std::size_t kMost = 8;  ///< runs, at most about 100 MB each

}  // namespace

void StageHistory::note(std::unique_ptr<Stage> before, const Stage& now) {
    m_before.push_back({std::move(before), now.session().undoDepth()});
    if (m_before.size() > kMost) m_before.pop_front();
    m_undone.clear();
}

bool StageHistory::undoes(const Stage& now) const {
    return !m_before.empty() && now.session().undoDepth() <= m_before.back().begun;
}

bool StageHistory::redoes(const Stage& now) const {
    if (m_undone.empty()) return false;
    const play::Session& session = now.session();
    const Undone& last = m_undone.back();
    return session.edits() == last.edits && !(session.canRedo() && session.undoDepth() < last.depth);
}

std::unique_ptr<Stage> StageHistory::takeBefore() {
    std::unique_ptr<Stage> before = std::move(m_before.back().stage);
    m_begun = m_before.back().begun;
    m_before.pop_back();
    return before;
}

void StageHistory::noteUndone(std::unique_ptr<Stage> undone, const Stage& now) {
    m_undone.push_back({std::move(undone), now.session().edits(), now.session().undoDepth(), m_begun});
}

std::unique_ptr<Stage> StageHistory::takeUndone() {
    std::unique_ptr<Stage> undone = std::move(m_undone.back().stage);
    m_begun = m_undone.back().begun;
    m_undone.pop_back();
    return undone;
}

}  // namespace elasto::gallery
