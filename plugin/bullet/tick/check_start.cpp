#include "tick/check_start.h"

#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>
#include <BulletDynamics/Dynamics/btDynamicsWorld.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "host/body_status.h"
#include "host/conversion.h"
#include "network/element_access.h"
#include "tick/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Kind = Problem::Kind;

std::string text(double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.4g", value);
    return digits;
}

class StartCheck {
public:
    StartCheck(const btDynamicsWorld& world, std::span<const btTypedConstraint* const> joints,
               std::vector<Problem>& problems)
        : m_world(world), m_joints(joints), m_problems(problems) {}

    void checkBodies(const ForceElement& element) {
        ElementAccess::forEachBody(element, [&](const btRigidBody& body) {
            if (&body == &Placement::world() || isThere(m_world, body)) return;
            if (body.isStaticOrKinematicObject() && !body.isInWorld()) return;  // a place to hang something on
            const char* which = &body == &element.getRigidBodyA()   ? "body A"
                                : &body == &element.getRigidBodyB() ? "body B"
                                                                    : "the carrier";
            add(element, Kind::BodyNotInWorld, true,
                element.label() + ": " + which +
                    (body.isInWorld() ? " is in another world; " : " is not in the world; ") +
                    "add it, or remove the element");
        });
    }

    // The other parts of a stop's force vanish where nothing moves.
    void checkDepth(const ForceElement& element) {
        if (!element.isEnabled()) return;
        const ReducedLaw law = reduced(element.law());
        if (law.kind != ReducedLaw::Kind::Contact || law.above) return;
        const double depth = law.edgeLow - element.s_rel();
        const double energy = elasto::storedEnergy(element.law(), element.s_rel(), element.s_damper());
        if (!(depth > 0) || !(energy > 0)) return;
        const bool turns = isRotational(element.geometry());
        const double speed = std::sqrt(2 * energy * inverseMass(element, turns));
        if (!(speed > (turns ? kFastStartTurns : kFastStart))) return;
        const char* unit = turns ? " rad" : " m";
        const std::string consequence =
            std::isfinite(energy) && std::isfinite(speed)
                ? "it holds " + text(energy) + " J, which throw its bodies apart at " + text(speed) + unit + "/s"
                : "it holds more energy than there are numbers for";
        add(element, Kind::DeepInStop, false,
            element.label() + " begins " + text(depth) + unit + " inside its stop (s_rel = " + text(element.s_rel()) +
                ", s_rel0 = " + text(law.edgeLow) + "): " + consequence +
                ". B must lie ahead of A on the axis; where they should be free there, the axis points the wrong "
                "way");
    }

    void checkLimits(const ForceElement& element) {
        const ReducedLaw law = reduced(element.law());
        if (law.kind != ReducedLaw::Kind::Contact || law.above) return;
        const btRigidBody* a = &element.getRigidBodyA();
        const btRigidBody* b = &element.getRigidBodyB();
        const bool turns = isRotational(element.geometry());
        for (const btTypedConstraint* joint : m_joints) {
            const btRigidBody* first = &joint->getRigidBodyA();
            const btRigidBody* second = &joint->getRigidBodyB();
            const bool isSame = (first == a && second == b) || (first == b && second == a);
            if (!isSame || !joint->isEnabled()) continue;
            const char* release = turns ? limitOfHinge(*joint, element) : limitOfSlider(*joint, element);
            if (release == nullptr) continue;
            add(element, Kind::LimitsBesideStop, false,
                element.label() + " acts beside the limits of a " + (turns ? "hinge" : "slider") +
                    " between the same bodies: what the limit stops never reaches the element; release them (" +
                    release + "), as fromHingeLimit and fromSliderLimit do");
            return;
        }
    }

    void checkTwins(std::span<const ForceElement* const> elements) {
        std::vector<const ForceElement*> sorted(elements.begin(), elements.end());
        std::sort(sorted.begin(), sorted.end(), std::less<>());
        for (std::size_t i = 0; i < elements.size(); ++i) {
            const auto [begin, end] = std::equal_range(sorted.begin(), sorted.end(), elements[i], std::less<>());
            const bool isFirst = std::find(elements.begin(), elements.end(), elements[i]) ==
                                 elements.begin() + static_cast<std::ptrdiff_t>(i);
            if (end - begin < 2 || !isFirst) continue;
            add(*elements[i], Kind::AddedTwice, true,
                elements[i]->label() + " was added to the world twice, and acts twice; add it once");
        }
    }

private:
    void add(const ForceElement& element, Kind kind, bool isError, const std::string& message) {
        m_problems.push_back({kind, isError, message, &element});
    }

    static double inverseMass(const ForceElement& element, bool turns) {
        double sum = 0;
        for (const btRigidBody* body : {&element.getRigidBodyA(), &element.getRigidBodyB()}) {
            if (body->isStaticOrKinematicObject()) continue;
            const btVector3 axis = element.axis();
            sum += static_cast<double>(turns ? axis.dot(body->getInvInertiaTensorWorld() * axis) : body->getInvMass());
        }
        return sum;
    }

    /// Whether a column of the joint's frame on A is the element's axis.
    static bool isAlong(const ForceElement& element, const btRigidBody& a, const btTransform& frame, int column) {
        const btVector3 axis = a.getWorldTransform().getBasis() * frame.getBasis().getColumn(column);
        return btFabs(axis.dot(element.axis())) > static_cast<btScalar>(kAlongAxis);
    }
    // Their getters are not const.
    static const char* limitOfHinge(const btTypedConstraint& joint, const ForceElement& element) {
        if (joint.getConstraintType() != HINGE_CONSTRAINT_TYPE) return nullptr;
        auto& hinge = static_cast<btHingeConstraint&>(const_cast<btTypedConstraint&>(joint));
        const bool acts = hinge.getLowerLimit() <= hinge.getUpperLimit() &&
                          isAlong(element, joint.getRigidBodyA(), hinge.getAFrame(), 2);
        return acts ? "setLimit(1, -1)" : nullptr;
    }
    static const char* limitOfSlider(const btTypedConstraint& joint, const ForceElement& element) {
        if (joint.getConstraintType() != SLIDER_CONSTRAINT_TYPE) return nullptr;
        auto& slider = static_cast<btSliderConstraint&>(const_cast<btTypedConstraint&>(joint));
        const bool acts = slider.getLowerLinLimit() <= slider.getUpperLinLimit() &&
                          isAlong(element, joint.getRigidBodyA(), slider.getFrameOffsetA(), 0);
        return acts ? "setLowerLinLimit(1), setUpperLinLimit(-1)" : nullptr;
    }

    const btDynamicsWorld& m_world;
    std::span<const btTypedConstraint* const> m_joints;
    std::vector<Problem>& m_problems;
};

}  // namespace

void checkStart(const btDynamicsWorld& world, std::span<const ForceElement* const> elements,
                std::span<const btTypedConstraint* const> joints, std::vector<Problem>& problems) {
    StartCheck check(world, joints, problems);
    check.checkTwins(elements);
    for (const ForceElement* element : elements) {
        check.checkBodies(*element);
        check.checkDepth(*element);
        check.checkLimits(*element);
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
