#pragma once
// Multibodies in a tick: which of them the elements of a group move, and what Bullet's own step sees of their loads.

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "host/bullet_internals.h"
#include "multibody/multibody_constraints.h"
#include "multibody/multibody_table.h"
#include "network/element_home.h"
#include "network/gather_multibodies.h"
#include "network/load_table.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// The world as one with multibodies; null if it is none.
btMultiBodyDynamicsWorld* multiBodyWorld(btDiscreteDynamicsWorld* world);

class MultiBodyTick {
public:
    explicit MultiBodyTick(MultiBodyTable& table) : m_table(table) {}

    /// Before Bullet's own step gives the multibodies other velocities.
    /// @param home of the world's elements @throws std::logic_error for an element whose body is not in the world
    void begin(btDiscreteDynamicsWorld& world, const LoadTable& loads, double h, std::weak_ptr<ElementHome> home);
    /// Bullet's step is over: joint loads are what the user has set again.
    void takeLoadsBack();

    /// The elements of the group, and all those that act on the same multibodies.
    void find(const SolverGroup& group, double h);
    const MultiBodyParts& parts() const { return m_parts; }
    /// Of all multibodies of the group.
    const std::vector<JointBound>& bounds() const { return m_bounds; }
    /// Why the flow cannot move a multibody of the group; null: nothing is known against it.
    const char* refusalOf(const btMultiBody& body) const;

    /// Elements of this tick whose group has not come yet.
    const std::vector<MultiBodyElement*>& waiting() const { return m_waiting; }

private:
    void findElements(const SolverGroup& group);
    void findBounds(const SolverGroup& group, double h);
    void applyLoads(const LoadTable& loads, double h);
    bool wakesFirst(MultiBodyElement& element) const;
    void sortByPlace(std::vector<MultiBodyElement*>& elements) const;

    struct LentTorque {
        btMultiBody* body;
        int link;
        btScalar before;
    };
    btMultiBodyDynamicsWorld* m_world = nullptr;  // in this tick; null: it has none
    MultiBodyTable& m_table;
    std::vector<LentTorque> m_lent;  // means of joint loads that Bullet's own step sees
    std::vector<MultiBodyElement*> m_waiting;
    // Of the present group.
    MultiBodyParts m_parts;
    std::vector<JointBound> m_bounds;
    std::vector<std::pair<const btMultiBody*, const char*>> m_refused;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
