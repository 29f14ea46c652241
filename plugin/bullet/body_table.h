#pragma once
// What the plugin remembers of bodies that are in a network only because of joints; those of elements are remembered by
// the elements.

#include <elasto/element_state.h>
#include <elasto/precision.h>

#include <vector>

class btRigidBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class BodyTable {
public:
    /// The memory of a body in the world; empty for one that was not seen in its place before.
    SavedBody& at(const btRigidBody& body);
    /// Null if the table does not know the body.
    const SavedBody* find(const btRigidBody& body) const;

private:
    struct Entry {
        const btRigidBody* body = nullptr;
        SavedBody memory;
    };
    std::vector<Entry> m_entries;  // by place in the world
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
