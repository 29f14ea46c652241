#pragma once
// The fields of all records that a world's state is made of, in the order in which a recording has them. What a
// snapshot gets besides (snapshot/world_record.h) gets a place here too, or a replay will differ where it counts.

#include <elasto/heat_port.h>

#include <tuple>
#include <utility>
#include <variant>

#include "recording/byte_stream.h"
#include "snapshot/world_record.h"

namespace elasto {

// --- Of the core: found by their types' namespace ---

template <class Stream>
void fields(Stream& s, ForceTable& table) {
    std::vector<ForceTable::Point> points = table.points();
    s(points);
    if (points != table.points()) table = points.empty() ? ForceTable() : ForceTable(points, "recording");
}
template <class Stream>
void fields(Stream& s, LawValues& values) {
    s(static_cast<std::array<double, kMostParameters>&>(values), values.table);
}

/// The law of the variant's alternative `index` with these values. @throws InvalidParameter
template <std::size_t i = 0>
Law lawOf(std::size_t index, const LawValues& values) {
    if constexpr (i < std::variant_size_v<Law>) {
        if (index == i) return std::variant_alternative_t<i, Law>::of(values, "recording");
        return lawOf<i + 1>(index, values);
    } else {
        throw InvalidParameter("recording", "it has a law that this version does not know");
    }
}
template <class Stream>
void fields(Stream& s, Law& law) {
    auto index = static_cast<std::uint8_t>(law.index());
    LawValues values = valuesOf(law);
    s(index, values);
    if (index != law.index() || values != valuesOf(law)) law = lawOf(index, values);
}
template <class Stream>
void fields(Stream& s, HeatPort& port) {
    static_assert(std::is_trivially_copyable_v<HeatPort>);
    s.raw(&port, sizeof port);
}
template <class Stream>
void fields(Stream& s, TickGrade& grade) {
    s(grade.grade, grade.cause, grade.error);
}
template <class Stream>
void fields(Stream& s, ImplicitPause& pause) {
    s(pause.length, pause.left);
}
template <class Stream>
void fields(Stream& s, BodyState& body) {
    s(body.position, body.orientation, body.velocity, body.angularVelocity);
}
template <class Stream>
void fields(Stream& s, EulerTurns& turns) {
    s(turns.first, turns.last, turns.about);
}
template <class Stream>
void fields(Stream& s, ContactBox& box) {
    s(box.centre, box.half, box.rounding);
}
template <class Stream>
void fields(Stream& s, FlowContact& c) {
    s(c.a, c.b, c.isVertexOnA, c.vertex, c.radius, c.planePoint, c.normal, c.ownerRadius, c.ownerAxis, c.offset,
      c.ownerBox, c.vertexBox);
    s(c.friction, c.rollingFriction, c.spinningFriction, c.restitution, c.restitutionVelocity, c.surfaceVelocity,
      c.stiffness, c.damping);
    s(c.restSpeed, c.hasStuck, c.entered, c.slack, c.impulse, c.creep);
}
template <class Stream>
void fields(Stream& s, Accuracy& accuracy) {
    Accuracy::Method method = accuracy.method();
    double metres = accuracy.metres();
    s(method, metres);
    if (method == accuracy.method() && metres == accuracy.metres()) return;
    accuracy = method == Accuracy::Method::Exact      ? Accuracy::within(metres)
               : method == Accuracy::Method::Implicit ? Accuracy::Implicit
                                                      : Accuracy::Uncoupled;
}
template <class Stream>
void fields(Stream& s, FlowSettings& f) {
    s(f.maxSteps, f.tolerance, f.velocityFloor, f.strongDamping, f.accuracy, f.fewestSubsteps, f.mostSubsteps,
      f.substep, f.maxCost);
}

inline namespace ELASTO_BULLET_NAMESPACE {

// --- Of this layer ---

template <class Stream>
void fields(Stream& s, AuditState& a) {
    s(a.error, a.before, a.credit, a.taken, a.ticks, a.isUnsettled, a.method, a.contacts, a.cause);
}
template <class Stream>
void fields(Stream& s, SavedBody& b) {
    s(b.known, b.pose, b.velocity, b.angularVelocity, b.position, b.orientation, b.exactVelocity,
      b.exactAngularVelocity, b.frameStartPosition, b.frameStartOrientation, b.substepLength, b.substep, b.substeps);
}
template <class Stream>
void fields(Stream& s, ElementState& e) {
    s(e.enabled, e.s_damper, e.phi, e.phi2, e.heat, e.storedEnergy, e.impulse, e.tick, e.method, e.grade, e.audit,
      e.uncoupled, e.debt, e.rest, e.pause, e.bodyA, e.bodyB, e.carrier);
}
template <class Stream>
void fields(Stream& s, EnergyBook& e) {
    s(e.kinetic, e.stored, e.work, e.pushed, e.dissipated, e.damping, e.contacts, e.exchanged, e.carried, e.numerical,
      e.repaired, e.handedOut);
}
template <class Stream>
void fields(Stream& s, GearFrames& g) {
    s(g.inWheel1, g.inWheel2, g.ofWheel1InCarrier, g.ofWheel2InCarrier);
}

template <class Stream>
void fields(Stream& s, ObjectRecord& o) {
    s(o.type, o.shape, o.inverseMass, o.inverseInertia, o.multiBody, o.link);
    s(o.pose, o.interpolation, o.interpolationVelocity, o.interpolationAngularVelocity, o.activation, o.asleep,
      o.hitFraction, o.revision);
    s(o.anisotropicFriction, o.anisotropicFrictionMode, o.contactProcessingThreshold, o.collisionFlags, o.friction,
      o.restitution, o.rollingFriction, o.spinningFriction, o.contactDamping, o.contactStiffness, o.sweptRadius,
      o.motionThreshold, o.filterGroup, o.filterMask);
}
template <class Stream>
void fields(Stream& s, RigidBodyRecord& b) {
    s(b.velocity, b.angularVelocity, b.inverseInertiaInWorld, b.force, b.torque, b.deltaVelocity,
      b.deltaAngularVelocity, b.pushVelocity, b.turnVelocity);
    s(b.gravity, b.linearFactor, b.angularFactor, b.inverseMassByAxis, b.linearDamping, b.angularDamping,
      b.linearSleepingThreshold, b.angularSleepingThreshold, b.flags);
}
template <class Stream>
void fields(Stream& s, PointRecord& p) {
    s(p.localA, p.localB, p.onA, p.onB, p.normalOnB, p.frictionDirection1, p.frictionDirection2);
    s(p.distance, p.friction, p.rollingFriction, p.spinningFriction, p.restitution, p.appliedImpulse, p.lastRightSide,
      p.frictionImpulse1, p.frictionImpulse2, p.motion1, p.motion2, p.cfmOrStiffness, p.erpOrDamping, p.frictionCfm);
    s(p.partA, p.partB, p.indexA, p.indexB, p.flags, p.lifeTime);
}
/// Without its points.
template <class Stream>
void fields(Stream& s, ManifoldRecord& m) {
    s(m.bodyA, m.bodyB, m.breakingThreshold, m.processingThreshold);
}
template <class Stream>
void fields(Stream& s, AlgorithmRecord& a) {
    s(a.kind, a.manifold, a.childA, a.childB, a.children);
}
/// Without its algorithms.
template <class Stream>
void fields(Stream& s, PairRecord& p) {
    s(p.bodyA, p.bodyB);
}
template <class Stream>
void fields(Stream& s, TreeRecord::Node& n) {
    for (int i = 0; i < 3; ++i) s(n.volume.tMins()[i], n.volume.tMaxs()[i]);
    s(n.body);
}
template <class Stream>
void fields(Stream& s, ProxyRecord& p) {
    s(p.lower, p.upper, p.stage, p.id);
}
/// Without trees and proxies.
template <class Stream>
void fields(Stream& s, BroadphaseRecord& b) {
    s(b.stages, b.stage, b.newPairs, b.fixedLeft, b.updateCalls, b.updatesDone, b.updateRatio, b.runs, b.cleanUpAt,
      b.needsCleanUp);
}
/// Without its class, its values and what it feeds back.
template <class Stream>
void fields(Stream& s, JointRecord& j) {
    s(j.bodyA, j.bodyB, j.isEnabled, j.iterations, j.breakingImpulse, j.appliedImpulse);
}
template <class Stream>
void fields(Stream& s, MultiBodyRecord::Feedback& f) {
    s(f.link, f.top, f.bottom);
}
template <class Stream>
void fields(Stream& s, MultiBodyRecord& b) {
    s(b.fingerprint, b.links, b.values, b.motion, b.feedback);
}
/// Without its class.
template <class Stream>
void fields(Stream& s, MultiBodyJointRecord& j) {
    s(j.bodyA, j.bodyB, j.linkA, j.linkB, j.rigidA, j.rigidB, j.placing, j.element, j.dofsFinalized, j.maxImpulse,
      j.data, j.values);
}
template <class Stream>
void fields(Stream& s, MultiBodyElementState& e) {
    s(e.enabled, e.s_damper, e.phi, e.heat, e.storedEnergy, e.impulse, e.tick, e.method, e.grade, e.audit, e.motorAngle,
      e.motorSpeed, e.pause);
}
template <class Stream>
void fields(Stream& s, MultiBodyElementRecord& e) {
    s(e.law, e.T, e.state, e.heatPort);
}
template <class Stream>
void fields(Stream& s, MultiBodyState& b) {
    s(b.base, b.q, b.rates);
}
template <class Stream>
void fields(Stream& s, MultiBodyTable::Kept& k) {
    s(k.body, k.isKnown, k.isMoved, k.rounded, k.exact, k.kinetic);
}
template <class Stream>
void fields(Stream& s, BodyTable::Kept& k) {
    s(k.place, k.isGone, k.cache, k.kinetic);
}
template <class Stream>
void fields(Stream& s, BorneThere& b) {
    s(b.place, b.impulse);
}
template <class Stream>
void fields(Stream& s, ContactRest& r) {
    s(r.isKnown, r.pose, r.height, r.reach, r.borne);
}
template <class Stream>
void fields(Stream& s, ContactPoint& p) {
    s(p.contact, p.anchor, p.childA, p.childB, p.impulse, p.risen, p.compressed, p.hairline, p.hasStruck, p.isReplaced,
      p.rest);
}
template <class Stream>
void fields(Stream& s, ContactCache::Kept& k) {
    s(k.placeA, k.placeB, k.point);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
