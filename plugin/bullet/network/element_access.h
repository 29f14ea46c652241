#pragma once
// The solver's side of an element: what the plugin reads and writes and users do not.

#include <elasto/force_element.h>
#include <elasto/multibody_element.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "host/element_of.h"
#include "host/prefetch.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ElementAccess {
public:
    /// Force elements that were destroyed, of all worlds.
    static std::atomic<std::uint64_t>& destroyed() {
        static std::atomic<std::uint64_t> count{0};
        return count;
    }

    /// Element as the flow sees it, without its bodies' indices.
    static FlowElement flowElement(const ForceElement& element);

    /// @throws InvalidParameter for a law that can never act there @param owner name in messages
    static void requireReach(const ElementCommon& element, Geometry geometry, const char* owner);

    /// Its label, written into storage that is used again.
    static void writeLabel(const ElementCommon& element, std::string& label);
    static const ImplicitPause& pause(const ElementCommon& element) { return element.m_pause; }
    static double T(const ElementCommon& element) { return element.extras().temperature; }
    static void setTemperature(ElementCommon& element, double T) {
        if (T != std::as_const(element).extras().temperature) element.extras().temperature = T;
    }
    static void setParameters(ForceElement& element, const Law& law, double s_small, double T) {
        element.m_law = law;
        element.m_small = s_small;
        setTemperature(element, T);
    }
    static void setParameters(MultiBodyElement& element, const Law& law, double T) {
        element.m_law = law;
        setTemperature(element, T);
    }

    /// What it remembers of its bodies. The world's is always the same, and empty; what the last tick alone knows is
    /// brought up to date. Nothing may be written to them before releaseBody.
    static SavedBody& savedA(const ForceElement& element);
    static SavedBody& savedB(const ForceElement& element);
    static SavedBody& savedCarrier(const ForceElement& element);
    /// The same where there is something: else null.
    static const SavedBody* knownA(const ForceElement& element) { return element.m_savedA.get(); }
    static const SavedBody* knownB(const ForceElement& element) { return element.m_savedB.get(); }
    /// What the last tick alone knows of the body becomes that cache.
    static void releaseBody(ForceElement& element);
    /// Calls visit(btRigidBody&, SavedBody&) for the bodies that it acts on: A, B and the carrier of a gear pair.
    template <class Visit>
    static void forEachBody(ForceElement& element, const Visit& visit) {
        visit(element.getRigidBodyA(), savedA(element));
        visit(element.getRigidBodyB(), savedB(element));
        if (element.placement().isGearPair()) visit(element.placement().carrier(), savedCarrier(element));
    }
    /// The same of an element that stays as it is.
    template <class Visit>
    static void forEachBody(const ForceElement& element, const Visit& visit) {
        visit(element.getRigidBodyA());
        visit(element.getRigidBodyB());
        if (element.placement().isGearPair()) visit(element.placement().carrier());
    }
    /// Puts the bodies' indices into the element. @param indexOf gives that of (btRigidBody&, SavedBody&)
    template <class IndexOf>
    static void placeOn(ForceElement& element, FlowElement& flow, const IndexOf& indexOf) {
        const int a = indexOf(element.getRigidBodyA(), savedA(element));
        const int b = indexOf(element.getRigidBodyB(), savedB(element));
        flow.a = a;
        flow.b = b;
        if (!element.placement().isGearPair()) return;
        flow.a = flow.geared.a = indexOf(element.placement().carrier(), savedCarrier(element));
        flow.geared.b = a;
    }
    /// Where they are in it: body A, body B, the carrier or kWorld.
    static std::array<int, 3> indicesOf(const ForceElement& element, const FlowElement& flow) {
        if (element.placement().isGearPair()) return {flow.geared.b, flow.b, flow.a};
        return {flow.a, flow.b, kWorld};
    }

    static void expect(ElementCommon& element, bool isExpected) { element.m_isExpected = isExpected; }
    /// Who is told when the element goes; an earlier one forgets it. @param Element force or
    /// multibody
    template <class Element>
    static void setHome(Element& element, const std::weak_ptr<ElementHome>& home) {
        if (isAtHome(element, home)) return;
        leaveHome(element);
        element.m_home = home;
    }
    static void leaveHome(ForceElement& element);
    static void leaveHome(MultiBodyElement& element);
    static bool hasWarned(const ElementCommon& element) { return element.m_hasWarned; }
    static void setWarned(ElementCommon& element) { element.m_hasWarned = true; }
    static AuditState& audit(ElementCommon& element) { return element.m_audit; }
    static int& inexactTicks(ElementCommon& element) { return element.m_inexactTicks; }
    /// Whether the user was told that its line was shorter than s_small: from now on he was.
    static bool saysShortOnce(ElementCommon& element) { return !std::exchange(element.m_saidShort, true); }
    /// Whether the user was told of this cause: from now on he was.
    static bool saysOnce(ElementCommon& element, GradeCause cause) {
        const auto bit = static_cast<std::uint16_t>(1U << static_cast<unsigned>(cause));
        const bool wasSaid = (element.m_saidCauses & bit) != 0;
        element.m_saidCauses = static_cast<std::uint16_t>(element.m_saidCauses | bit);
        return !wasSaid;
    }
    static const MultiBodyElement::ContactCallback& contactCallback(const MultiBodyElement& element, bool begins) {
        return begins ? element.m_contactBegin : element.m_contactEnd;
    }
    static const ForceElement::ContactCallback& contactCallback(const ForceElement& element, bool begins) {
        static const ForceElement::ContactCallback none;
        if (!element.m_contactCallbacks) return none;
        return begins ? element.m_contactCallbacks->begin : element.m_contactCallbacks->end;
    }

    /// What its spring holds beyond what it may give back (< 0: less): the account of network/uncoupled.h.
    static double debt(const ForceElement& element) { return element.m_debt; }
    static void setDebt(ForceElement& element, double debt) { element.m_debt = debt; }
    /// What a spring that holds this much must not give back.
    static double withheldEnergy(const ForceElement& element, double storedEnergy) {
        return element.m_uncoupled ? std::clamp(element.m_debt, 0.0, storedEnergy) : 0;
    }
    static double lastStoredEnergy(const ElementCommon& element) { return element.m_storedEnergy; }
    /// Last known angle of an element about an axis of a link [rad].
    static double angle(const MultiBodyElement& element) { return element.m_angle; }
    static double angle(const ForceElement& element) { return element.m_angle; }
    static void setMotor(MultiBodyElement& element, double phi, double w) {
        element.m_motorAngle = phi;
        element.m_motorSpeed = w;
    }

    static const std::function<double(double)>& f_normalized(const ElementCommon& element) {
        return element.extras().f_normalized;
    }
    static const NextBreak& nextBreak(const ElementCommon& element) { return element.extras().nextBreak; }
    /// True if it takes part in ticks: what rubs on a rotor does where the drive does.
    static bool acts(const MultiBodyElement& element) {
        const auto* rotor = std::get_if<RotorCoordinate>(&element.placing());
        return element.isEnabled() && (rotor == nullptr || rotor->drive->isEnabled());
    }
    static const std::function<double(double)>& motorTorque(const MultiBodyElement& element) {
        return element.m_motorTorque;
    }
    static const NextBreak& motorBreak(const MultiBodyElement& element) { return element.m_motorBreak; }
    static void setMotorTorque(MultiBodyElement& element, std::function<double(double)> torque, NextBreak nextBreak) {
        element.m_motorTorque = std::move(torque);
        element.m_motorBreak = std::move(nextBreak);
    }
    static void setShare(ElementCommon& element, std::function<double(double)> value, NextBreak nextBreak) {
        element.extras().f_normalized = std::move(value);
        element.extras().nextBreak = std::move(nextBreak);
    }

    /// How long the element's network has rested in contact, out of the element's reach [s].
    static double rest(const ForceElement& element) { return element.m_rest; }
    static void setRest(ForceElement& element, double rest) { element.m_rest = rest; }

    /// Lets go of the last tick's solution.
    static void releaseTick(ForceElement& element);
    /// That solution, or null, and the element's place in it.
    static const SolvedNetwork* lastTick(const ForceElement& element) { return element.m_lastTick.get(); }
    static int indexInTick(const ForceElement& element) { return element.m_indexInTick; }
    /// Takes over the end of a tick. @param index of the element in the network
    static void adopt(ForceElement& element, const std::shared_ptr<const SolvedNetwork>& network, int index);
    /// The same of one that was alone.
    static void adopt(ForceElement& element, const SingleRecord& record);
    /// Of its last tick alone; made when first asked for.
    static SingleRecord& singleRecord(ForceElement& element);
    static bool hasRecord(const ForceElement& element) { return element.m_single != nullptr; }
    /// What ticks alone look at begins its way from memory.
    static void fetchState(const ForceElement& element) { fetch(&element, &element.m_rest + 1); }
    /// True if its next tick may be one of a StraightElement.
    static bool isReadySingle(const ForceElement& element);
    /// Null if its last tick was none.
    static const SingleRecord* singleTick(const ForceElement& element);
    static void adopt(MultiBodyElement& element, const SolvedNetwork& network, std::size_t index);
    /// True if that is its home.
    template <class Element>
    static bool isAtHome(const Element& element, const std::weak_ptr<ElementHome>& home) {
        return !element.m_home.owner_before(home) && !home.owner_before(element.m_home);
    }
    /// Adds to the heat since the start [J].
    static void addHeat(ElementCommon& element, double heat) { element.m_heat += heat; }

private:
    static SavedBody& cache(const std::unique_ptr<SavedBody>& own, const btRigidBody& body);
    /// With what the last tick alone knows of the body. @param other at the element's other end
    static SavedBody& upToDate(const ForceElement& element, SavedBody& saved, const btRigidBody& other);
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
