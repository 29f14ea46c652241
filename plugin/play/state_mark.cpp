#include "state_mark.h"

#include <elasto/multibody_element.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <sstream>

#include <bit>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// FNV-1a over whole words, with the upper half folded down so that the lower bits see all of it.
class Mixer {
public:
    void add(std::uint64_t word) {
        m_value = (m_value ^ word) * 0x100000001b3u;
        m_value ^= m_value >> 32;
    }
    void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    void add(float number) { add(std::uint64_t{std::bit_cast<std::uint32_t>(number)}); }
    void add(const btVector3& v) {
        for (int k = 0; k < 3; ++k) add(v[k]);
    }
    std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 0xcbf29ce484222325u;
};

std::uint64_t markOf(const btRigidBody& body) {
    Mixer mixer;
    const btTransform& pose = body.getWorldTransform();
    for (int row = 0; row < 3; ++row) mixer.add(pose.getBasis()[row]);
    mixer.add(pose.getOrigin());
    mixer.add(body.getLinearVelocity());
    mixer.add(body.getAngularVelocity());
    mixer.add(std::uint64_t(static_cast<unsigned>(body.getActivationState())));
    return mixer.value();
}

void add(const ForceElement& element, Mixer& mixer) {
    const ElementState state = element.saveState();
    mixer.add(std::uint64_t{state.enabled});
    for (const double number : {state.s_damper, state.phi, state.heat, state.storedEnergy, state.impulse, state.debt}) {
        mixer.add(number);
    }
    for (const SavedBody& saved : {state.bodyA, state.bodyB}) {
        for (const double number : saved.position) mixer.add(number);
        for (const double number : saved.orientation) mixer.add(number);
        for (const double number : saved.exactVelocity) mixer.add(number);
        for (const double number : saved.exactAngularVelocity) mixer.add(number);
    }
}

// Where joints and rotors are, and how fast.
void add(const btMultiBodyDynamicsWorld& world, Mixer& mixer) {
    for (int i = 0; i < world.getNumMultibodies(); ++i) {
        const btMultiBody& body = *world.getMultiBody(i);
        mixer.add(body.getBasePos());
        for (int k = 0; k < 4; ++k) mixer.add(body.getWorldToBaseRot()[k]);
        for (int k = 0; k < 6 + body.getNumDofs(); ++k) mixer.add(body.getVelocityVector()[k]);
        for (int link = 0; link < body.getNumLinks(); ++link) {
            for (int k = 0; k < body.getLink(link).m_posVarCount; ++k) mixer.add(body.getLink(link).m_jointPos[k]);
        }
    }
    for (int i = 0; i < world.getNumMultiBodyConstraints(); ++i) {
        const auto* element = dynamic_cast<const MultiBodyElement*>(world.getMultiBodyConstraint(i));
        if (element == nullptr) continue;
        const MultiBodyElementState state = element->saveState();
        mixer.add(std::uint64_t{state.enabled});
        for (const double number : {state.s_damper, state.phi, state.heat, state.storedEnergy, state.impulse,
                                    state.motorAngle, state.motorSpeed}) {
            mixer.add(number);
        }
    }
}

}  // namespace

StateMark markOf(const SceneWorld& world) {
    StateMark mark;
    Mixer all;
    for (std::size_t i = 0; i < world.bodies(); ++i) {
        const std::uint64_t body = markOf(world.body(i));
        all.add(body);
        mark.bodies.push_back(static_cast<std::uint32_t>(body ^ (body >> 32)));
    }
    for (std::size_t i = 0; i < world.elements(); ++i) add(world.element(i), all);
    if (world.multiBodyWorld() != nullptr) add(*world.multiBodyWorld(), all);
    mark.state = all.value();
    return mark;
}

std::string ReplayDifference::text() const {
    std::ostringstream line;
    line << "tick " << tick << " (t = " << time << " s): ";
    if (!problem.empty()) {
        line << problem;
    } else if (body.empty()) {
        line << "the state of the elements differs";
    } else {
        line << "body '" << body << "' differs";
    }
    return line.str();
}

ReplayDifference differenceAt(long tick, const SceneWorld& world, const StateMark& mark, const StateMark& expected) {
    ReplayDifference difference{tick, world.time(), "", ""};
    for (std::size_t i = 0; i < mark.bodies.size() && difference.body.empty(); ++i) {
        if (mark.bodies[i] != expected.bodies[i]) difference.body = world.scene().bodies[i].name;
    }
    return difference;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
