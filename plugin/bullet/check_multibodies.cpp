#include "check_multibodies.h"

#include <elasto/multibody_element.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>

#include "host/class_of.h"
#include "host/element_of.h"
#include "multibody/multibody_constraints.h"
#include "multibody/multibody_translation.h"
#include "network/gather_multibodies.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Kind = Problem::Kind;

class MultiBodyChecker {
public:
    MultiBodyChecker(const btMultiBodyDynamicsWorld& world, std::vector<Problem>& problems)
        : m_world(world), m_problems(problems) {
        for (int i = 0; i < world.getNumMultiBodyConstraints(); ++i) {
            auto* constraint = const_cast<btMultiBodyConstraint*>(world.getMultiBodyConstraint(i));
            MultiBodyElement* element = elementOf(constraint);
            if (element == nullptr) {
                m_others.push_back(constraint);
            } else if (std::find(m_elements.begin(), m_elements.end(), element) != m_elements.end()) {
                error(Kind::AddedTwice, element->label() + " was added to the world twice; add it once");
            } else {
                m_elements.push_back(element);
            }
        }
    }

    void run(bool hasPlugin) {
        if (!m_elements.empty() && !hasPlugin) {
            error(Kind::NoPlugin,
                  "the world has elements on multibodies but no plugin: write `elasto::Plugin plugin(world);` before "
                  "the first stepSimulation");
        }
        std::vector<const btMultiBody*> seen;
        for (MultiBodyElement* element : m_elements) {
            for (const btMultiBody* body : {element->getMultiBodyA(), element->getMultiBodyB()}) {
                if (body == nullptr) continue;
                if (!isPresent(*element, *body)) continue;
                if (std::find(seen.begin(), seen.end(), body) != seen.end()) continue;
                seen.push_back(body);
                checkBody(*element, *body);
            }
            checkRigidBodies(*element);
            checkDrive(*element);
        }
    }

private:
    void error(Kind kind, const std::string& message) { m_problems.push_back({kind, true, message}); }
    void warning(Kind kind, const std::string& message) { m_problems.push_back({kind, false, message, nullptr}); }

    bool isPresent(const MultiBodyElement& element, const btMultiBody& body) {
        for (int i = 0; i < m_world.getNumMultibodies(); ++i) {
            if (m_world.getMultiBody(i) == &body) return true;
        }
        error(Kind::BodyNotInWorld,
              element.label() + ": its btMultiBody is not in the world; add it, or remove the element");
        return false;
    }

    void checkRigidBodies(const MultiBodyElement& element) {
        const auto* placement = std::get_if<LinkPlacement>(&element.placing());
        if (placement == nullptr) return;
        for (const Flange* flange : {&placement->a(), &placement->b()}) {
            const btRigidBody* body = flange->rigidBody();
            if (body != nullptr && !body->isStaticOrKinematicObject() && !body->isInWorld()) {
                error(Kind::BodyNotInWorld,
                      element.label() + ": its rigid body is not in the world; add it, or remove the element");
            }
        }
    }

    void checkDrive(const MultiBodyElement& element) {
        const auto* rotor = std::get_if<RotorCoordinate>(&element.placing());
        if (rotor == nullptr || std::find(m_elements.begin(), m_elements.end(), rotor->drive) != m_elements.end()) {
            return;
        }
        error(Kind::BodyNotInWorld, element.label() + ": its drive is not in the world; add it, or remove the element");
    }

    void checkBody(const MultiBodyElement& element, const btMultiBody& body) {
        if (const char* why = whyRefused(body)) {
            error(Kind::MultiBodyRefused,
                  element.label() + ": its btMultiBody cannot be moved by elements: it has " + why);
        } else if (const char* inContact = whyNotInFlow(body)) {
            warning(Kind::MultiBodyRefused, element.label() + ": its btMultiBody has " + inContact +
                                                ", so that elements act only while no link touches anything and "
                                                "nothing but joint elements, drives and gear pairs acts on it");
        }
        if (body.getLinearDamping() != 0 || body.getAngularDamping() != 0) {
            warning(Kind::BodyDamping,
                    element.label() + ": Bullet damps its btMultiBody (" +
                        std::to_string(static_cast<double>(body.getLinearDamping())) + " linear, " +
                        std::to_string(static_cast<double>(body.getAngularDamping())) +
                        " angular; 0.04 is Bullet's default); setLinearDamping(0) and setAngularDamping(0) make the "
                        "elements' damping the only one");
        }
        const MultiBodyState state = stateOf(body);
        std::vector<JointBound> ignored;
        for (btMultiBodyConstraint* other : m_others) {
            const btMultiBody* a = other->getMultiBodyA();
            const btMultiBody* b = other->getMultiBodyB();
            if (a != &body && b != &body) continue;
            const char* why =
                a == &body ? addBounds(*other, state, 1. / 60, ignored) : "a constraint with another body";
            if (why != nullptr) {
                error(Kind::MultiBodyRefused,
                      element.label() + ": its btMultiBody cannot be moved by elements: it has " + why);
                return;
            }
        }
    }

    const btMultiBodyDynamicsWorld& m_world;
    std::vector<Problem>& m_problems;
    std::vector<MultiBodyElement*> m_elements;
    std::vector<btMultiBodyConstraint*> m_others;
};

}  // namespace

void checkMultiBodies(const btDynamicsWorld& world, bool hasPlugin, std::vector<Problem>& problems) {
    if (const auto* multi = castTo<const btMultiBodyDynamicsWorld*>(&world)) {
        MultiBodyChecker(*multi, problems).run(hasPlugin);
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
