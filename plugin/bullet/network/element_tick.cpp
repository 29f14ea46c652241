#include "network/element_tick.h"

#include <elasto/force_element.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <cmath>

#include "host/conversion.h"
#include "multibody/multibody_rotors.h"
#include "network/body_cache.h"
#include "network/element_access.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// Mean force and torque of the tick on both bodies, along the mean of the directions at its start and end.
void fillFeedback(ForceElement& element, const SolvedNetwork& solved, std::size_t index) {
    btJointFeedback& feedback = *element.getJointFeedback();
    const FlowElement& flow = solved.network.elements[index];
    FlowNetwork end = solved.network;
    end.adopt(solved.result);
    const Measure m0 = measure(solved.network, flow);
    const Measure m1 = measure(end, end.elements[index]);
    Eigen::Vector3d direction = m0.direction + m1.direction;
    if (isRotational(flow.geometry) && flow.geometry != Geometry::AboutAxis) {
        direction /= 2;  // gradients, whose length counts
    } else {
        direction = direction.norm() > 0 ? Eigen::Vector3d(direction.normalized()) : m0.direction;
    }
    const Eigen::Vector3d onA = solved.result.elements[index].impulse / solved.h * direction;

    const auto armOf = [&](int body, const Eigen::Vector3d& p0, const Eigen::Vector3d& p1) {
        const auto centre = [&](const FlowNetwork& network) {
            return body == kWorld ? Eigen::Vector3d::Zero().eval()
                                  : network.bodies[static_cast<std::size_t>(body)].position;
        };
        return Eigen::Vector3d((p0 - centre(solved.network) + p1 - centre(end)) / 2);
    };
    if (flow.isGeared()) {
        const Eigen::Vector3d about = (m0.gearedDirection + m1.gearedDirection).normalized();
        const double mean = solved.result.elements[index].impulse / solved.h;
        feedback.m_appliedTorqueBodyA = toBullet(Eigen::Vector3d(flow.geared.ratio * mean * about));
        feedback.m_appliedTorqueBodyB = toBullet(Eigen::Vector3d(-onA));
        return;
    }
    if (isRotational(flow.geometry)) {
        feedback.m_appliedTorqueBodyA = toBullet(onA);
        feedback.m_appliedTorqueBodyB = toBullet(Eigen::Vector3d(-onA));
        return;
    }
    const bool actsAtB = flow.geometry == Geometry::AlongAxis;
    const Eigen::Vector3d armA = actsAtB ? armOf(flow.a, m0.pointB, m1.pointB) : armOf(flow.a, m0.pointA, m1.pointA);
    const Eigen::Vector3d armB = armOf(flow.b, m0.pointB, m1.pointB);
    feedback.m_appliedForceBodyA = toBullet(onA);
    feedback.m_appliedForceBodyB = toBullet(Eigen::Vector3d(-onA));
    feedback.m_appliedTorqueBodyA = toBullet(Eigen::Vector3d(armA.cross(onA)));
    feedback.m_appliedTorqueBodyB = toBullet(Eigen::Vector3d(-armB.cross(onA)));
}

void rememberBody(SavedBody& cache, const SolvedNetwork& solved, int index) {
    if (index == kWorld) {
        return;
    }
    const auto i = static_cast<std::size_t>(index);
    if (solved.bodies[i].isMovable) {  // the path of an immovable one was advanced when the tick began
        remember(cache, *solved.bodies[i].body, solved.result.bodies[i]);
    }
}

}  // namespace

void finishElement(const std::shared_ptr<const SolvedNetwork>& solved, std::size_t index) {
    ForceElement& element = *solved->elements[index];
    const FlowElement& flow = solved->network.elements[index];
    ElementAccess::adopt(element, solved, static_cast<int>(index));
    ElementAccess::addHeat(element, solved->result.elements[index].heat);
    const auto [a, b, carrier] = ElementAccess::indicesOf(element, flow);
    rememberBody(ElementAccess::savedA(element), *solved, a);
    rememberBody(ElementAccess::savedB(element), *solved, b);
    rememberBody(ElementAccess::savedCarrier(element), *solved, carrier);
    if (element.getJointFeedback() != nullptr) {
        fillFeedback(element, *solved, index);
    }
    if (std::fabs(element.impulse()) >= static_cast<double>(element.getBreakingImpulseThreshold())) {
        element.setEnabled(false);
    }
}

void finishMultiBodyElement(const SolvedNetwork& solved, std::size_t index) {
    MultiBodyElement& element = *solved.multi.elements[index - solved.elements.size()];
    ElementAccess::adopt(element, solved, index);
    ElementAccess::addHeat(element, solved.result.elements[index].heat);
    const auto* drive = std::get_if<Drive>(&element.placing());
    if (drive == nullptr) return;
    if (!solved.multi.isTree) {
        for (const MovedMultiBody& moved : solved.multi.bodies) {
            if (moved.body != drive->body) continue;
            const RotorEnd end = readRotor(moved, element, solved.result.elements[index], solved.result);
            ElementAccess::setMotor(element, end.phi, end.w);
        }
        return;
    }
    for (const TreeTerm& term : solved.multi.trees.elements[index - solved.elements.size()].terms) {
        if (term.kind != TreeTerm::Kind::Rotor) continue;
        const TreeTick& tree = solved.multi.result.trees[static_cast<std::size_t>(term.tree)];
        const TreeRotorState& rotor = tree.rotors[static_cast<std::size_t>(term.index)];
        ElementAccess::setMotor(element, rotor.phi, rotor.w);
    }
}

void addHeat(const std::vector<std::shared_ptr<SolvedNetwork>>& networks) {
    const auto forElements = [&](const auto& visit) {
        for (const auto& solved : networks) {
            for (std::size_t e = 0; e < solved->elementCount(); ++e) {
                if (HeatPort* port = solved->element(e).heatPort().get()) {
                    visit(*port, *solved, e);
                }
            }
        }
    };
    forElements([](HeatPort& port, const SolvedNetwork&, std::size_t) { port.beginTick(); });
    forElements([](HeatPort& port, const SolvedNetwork& solved, std::size_t e) {
        const ElementTick& end = solved.result.elements[e];
        const double power = dissipatedPower(solved.network.elements[e].law, end.s, end.v, end.s_damper);
        port.addTick(end.heat, solved.h, power);
    });
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
