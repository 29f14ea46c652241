#pragma once
/// @file scene_history.h
/// Scenes that can be brought back after elements were added or removed.

#include <elasto/scene/description.h>

#include <vector>

namespace elasto::gallery {

class SceneHistory {
public:
    bool canUndo() const { return !m_undo.empty(); }
    bool canRedo() const { return !m_redo.empty(); }
    /// A scene takes the place of this one.
    void note(Scene before);
    /// @param now the present scene @return the one before it; canUndo() must hold
    Scene undo(Scene now);
    /// @return the one that undo() left; canRedo() must hold
    Scene redo(Scene now);
    void clear();

private:
    std::vector<Scene> m_undo;
    std::vector<Scene> m_redo;
};

}  // namespace elasto::gallery
