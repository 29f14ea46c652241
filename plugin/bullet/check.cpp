#include <elasto/check.h>
#include <elasto/force_element.h>

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>
#include <cmath>

#include "check_multibodies.h"
#include "host/class_of.h"
#include "host/installed_solver.h"
#include "joints/joint_rows.h"
#include "network/element_access.h"
#include "tick/check_start.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Kind = Problem::Kind;

class Checker {
public:
    explicit Checker(const btDynamicsWorld& world) : m_world(world) {
        for (int i = 0; i < world.getNumConstraints(); ++i) {
            const btTypedConstraint* constraint = world.getConstraint(i);
            if (const ForceElement* element = elementOf(constraint)) {
                m_elements.push_back(element);
            } else {
                m_joints.push_back(constraint);
            }
        }
    }

    std::vector<Problem> run() {
        checkSolver();
        for (const ForceElement* element : m_elements) checkBodies(*element);
        checkStart(m_world, m_elements, m_joints, m_problems);
        for (const ForceElement* element : m_elements) {
            checkDamping(*element);
            checkJoints(*element);
            checkContacts(*element);
        }
        checkWorld();
        checkMultiBodies(m_world, isOurs(*const_cast<btDynamicsWorld&>(m_world).getConstraintSolver()), m_problems);
        std::stable_partition(m_problems.begin(), m_problems.end(), [](const Problem& p) { return p.isError; });
        return m_problems;
    }

private:
    void error(Kind kind, const std::string& message) { m_problems.push_back({kind, true, message}); }
    void warning(Kind kind, const std::string& message) { m_problems.push_back({kind, false, message, nullptr}); }

    void checkSolver() {
        const btConstraintSolver& solver = *const_cast<btDynamicsWorld&>(m_world).getConstraintSolver();
        if (const char* why = whyUnsupported(m_world)) {
            error(Kind::ForeignSolver, std::string("elements cannot work: ") + why);
        } else if (!m_elements.empty() && !isOurs(solver)) {
            error(Kind::NoPlugin,
                  "the world has elements but no plugin: write `elasto::Plugin plugin(world);` before "
                  "the first stepSimulation");
        }
    }

    void checkBodies(const ForceElement& element) {
        const btRigidBody& a = element.getRigidBodyA();
        const btRigidBody& b = element.getRigidBodyB();
        if (a.isStaticOrKinematicObject() && b.isStaticOrKinematicObject()) {
            error(Kind::ImmovablePair, element.label() +
                                           ": both bodies are static or kinematic, so it moves nothing; "
                                           "give one of them a mass");
        }
    }

    // Bullet takes the share `damping` of the velocity per second: d v = m ln(1/(1 - damping)) v.
    void checkDamping(const ForceElement& element) {
        const bool turns = isRotational(element.geometry());
        const double d = std::visit(
            [](const auto& law) {
                const auto& parameters = law.parameters();
                if constexpr (requires { parameters.d; }) {
                    return parameters.d;
                } else {
                    return parameters.F_prop;
                }
            },
            element.law());
        for (const btRigidBody* body : {&element.getRigidBodyA(), &element.getRigidBodyB()}) {
            if (body->isStaticOrKinematicObject()) {
                continue;
            }
            const auto damping = static_cast<double>(turns ? body->getAngularDamping() : body->getLinearDamping());
            if (damping == 0) {
                continue;
            }
            const btVector3 inertia = body->getLocalInertia();
            const auto mass = static_cast<double>(turns ? inertia[inertia.maxAxis()] : body->getMass());
            const double bullets = -mass * std::log1p(-std::min(damping, 1 - 1e-12));
            if (bullets > d) {
                warning(Kind::BodyDamping, element.label() + ": Bullet's own damping of a body (" +
                                               std::to_string(damping) + ", like d = " + std::to_string(bullets) +
                                               ") is above the element's d = " + std::to_string(d) +
                                               "; setDamping(0, 0) makes the element's the only one");
            }
        }
    }

    void checkJoints(const ForceElement& element) {
        const auto isOn = [&](const btTypedConstraint* joint, const btRigidBody& body) {
            return joint->isEnabled() && !body.isStaticOrKinematicObject() &&
                   (&joint->getRigidBodyA() == &body || &joint->getRigidBodyB() == &body);
        };
        for (const btTypedConstraint* joint : m_joints) {
            JointRows rows;
            rowsOf(*joint, {}, rows);  // only motors depend on the tick
            const char* refusal = rows.refusal;
            if (refusal == nullptr) {
                continue;
            }
            bool isOnAny = false;
            ElementAccess::forEachBody(element,
                                       [&](const btRigidBody& body) { isOnAny = isOnAny || isOn(joint, body); });
            if (isOnAny) {
                warning(Kind::ContactsOrJoints, element.label() +
                                                    ": a body also has a joint that elements cannot take into "
                                                    "account (" +
                                                    refusal +
                                                    "), so it is solved uncoupled (its rebounds may be lost)");
                return;
            }
        }
    }

    // What of a body's contacts contactPoint() leaves out.
    void checkContacts(const ForceElement& element) {
        constexpr int kAnyFriction =
            btCollisionObject::CF_ANISOTROPIC_FRICTION | btCollisionObject::CF_ANISOTROPIC_ROLLING_FRICTION;
        for (const btRigidBody* body : {&element.getRigidBodyA(), &element.getRigidBodyB()}) {
            const auto has = [&](int flag) { return (body->getCollisionFlags() & flag) != 0; };
            const char* what = has(btCollisionObject::CF_HAS_FRICTION_ANCHOR) ? "friction anchors"
                               : body->hasAnisotropicFriction(kAnyFriction)   ? "anisotropic friction"
                                                                              : nullptr;
            if (what != nullptr) {
                warning(Kind::ContactsOrJoints,
                        element.label() + ": a body has " + what +
                            ", so while it touches something the element is solved uncoupled (its rebounds may be "
                            "lost)");
                return;
            }
        }
    }

    void checkWorld() {
        constexpr int kMany = 1000;  // Bullet then spends more on its search than on the elements
        const int constraints = m_world.getNumConstraints();
        if (!m_elements.empty() && constraints > kMany && isSearchQuadratic(m_world)) {
            warning(
                Kind::QuadraticIslandScan,
                "the world has " + std::to_string(constraints) +
                    " constraints: for every island Bullet searches all of them, so the time grows with the square; "
                    "use Plugin::setLinearIslands(true) (in worlds without multibodies), or "
                    "getSimulationIslandManager()->setSplitIslands(false)");
        }
        const btContactSolverInfo& info = const_cast<btDynamicsWorld&>(m_world).getSolverInfo();
        const btConstraintSolverType type =
            const_cast<btDynamicsWorld&>(m_world).getConstraintSolver()->getSolverType();
        const bool isMixed = (info.m_solverMode & SOLVER_RANDMIZE_ORDER) != 0 || type == BT_NNCG_SOLVER;
        if (!m_elements.empty() && isMixed && info.m_minimumSolverBatchSize > 1) {
            warning(Kind::BatchedOrder,
                    "with SOLVER_RANDMIZE_ORDER or the NNCG solver an element may change the rounding of other islands "
                    "in its batch; getSolverInfo().m_minimumSolverBatchSize = 1 keeps islands apart");
        }
        if (const auto* multi = castTo<const btMultiBodyDynamicsWorld*>(&m_world)) {
            if (!m_elements.empty() && multi->getNumMultibodies() > 0) {
                warning(Kind::MultiBodies,
                        "the world has btMultiBody: a ForceElement acts on rigid bodies only; links take a "
                        "MultiBodyElement");
            }
        }
    }

    const btDynamicsWorld& m_world;
    std::vector<const ForceElement*> m_elements;
    std::vector<const btTypedConstraint*> m_joints;
    std::vector<Problem> m_problems;
};

}  // namespace

std::vector<Problem> check(const btDynamicsWorld& world) {
    return Checker(world).run();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
