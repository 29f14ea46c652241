#include "gallery/scene_history.h"

#include <utility>

namespace elasto::gallery {

namespace {

Scene exchange(std::vector<Scene>& from, std::vector<Scene>& to, Scene now) {
    to.push_back(std::move(now));
    Scene scene = std::move(from.back());
    from.pop_back();
    return scene;
}

}  // namespace

void SceneHistory::note(Scene before) {
    m_undo.push_back(std::move(before));
    m_redo.clear();
}

Scene SceneHistory::undo(Scene now) {
    return exchange(m_undo, m_redo, std::move(now));
}

Scene SceneHistory::redo(Scene now) {
    return exchange(m_redo, m_undo, std::move(now));
}

void SceneHistory::clear() {
    m_undo.clear();
    m_redo.clear();
}

}  // namespace elasto::gallery
