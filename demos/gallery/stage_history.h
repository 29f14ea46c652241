#pragma once
/// @file stage_history.h
/// Runs that can be brought back after elements were added or removed: each as it was left, with its tick, its edits of
/// parameters and what was selected.

#include "gallery/stage.h"

#include <deque>
#include <memory>
#include <vector>

namespace elasto::gallery {

class StageHistory {
public:
    /// A run has given way to another scene. Of many runs the oldest are let go, for each keeps what was recorded.
    void note(std::unique_ptr<Stage> before, const Stage& now);
    /// Whether the run before is what undo is to bring back: edits of parameters that came later go first.
    bool undoes(const Stage& now) const;
    /// The same for redo. It ends where the present run was edited anew.
    bool redoes(const Stage& now) const;
    bool isEdited() const { return !m_before.empty(); }
    /// The run before takes the place of the one that is noted next; undoes() must hold.
    std::unique_ptr<Stage> takeBefore();
    void noteUndone(std::unique_ptr<Stage> undone, const Stage& now);
    /// The run that was undone last takes the place of the one that is noted next; redoes() must hold.
    std::unique_ptr<Stage> takeUndone();
    void noteRedone(std::unique_ptr<Stage> before) { m_before.push_back({std::move(before), m_begun}); }

private:
    struct Before {
        std::unique_ptr<Stage> stage;
        std::size_t begun = 0;  ///< depth of undo with which the run began that took its place
    };
    struct Undone {
        std::unique_ptr<Stage> stage;
        long edits = 0;         ///< of the run that took its place, then
        std::size_t depth = 0;  ///< of that run's own undo, then
        std::size_t begun = 0;  ///< depth of undo with which this run began
    };

    std::deque<Before> m_before;
    std::vector<Undone> m_undone;
    std::size_t m_begun = 0;  ///< of what was taken last
};

}  // namespace elasto::gallery
