#include "invariants.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene_facts.h"

namespace elasto::differential {

using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

enum Watched : std::size_t {
    kMomentum,
    kAngularMomentum,
    kEnergy,
    kHeat,
    kFallingHeat,
    kOpening,
    kSpin,
    kStanding,
    kKinds
};

bool isDynamic(const SceneBody& body) {
    return body.motion == BodyMotion::Dynamic;
}

Vector3d spinMomentum(const SceneBody& body, const BodyState& state) {
    const Vector3d own = state.orientation.conjugate() * state.angularVelocity;
    return state.orientation * Vector3d(body.inertia.cwiseProduct(own));
}

double kineticEnergy(const SceneBody& body, const BodyState& state) {
    const Vector3d own = state.orientation.conjugate() * state.angularVelocity;
    return body.mass / 2 * state.velocity.squaredNorm() + own.cwiseProduct(body.inertia).dot(own) / 2;
}

struct Place {
    Vector3d point;
    Quaterniond axes;
};

Place placeOf(const Scene& scene, const SceneSample& sample, const SceneFrame& frame) {
    if (frame.body == kWorld) return {frame.position, frame.orientation};
    const auto index = static_cast<std::size_t>(frame.body);
    const BodyState& state = sample.bodies[index];
    return {state.position + state.orientation * (frame.position - scene.bodies[index].centreOfMass),
            state.orientation * frame.orientation};
}

/// How far a joint is open [m, rad].
double openingOf(const Scene& scene, const SceneSample& sample, const SceneJoint& joint) {
    const Place a = placeOf(scene, sample, joint.frame_a);
    const Place b = placeOf(scene, sample, joint.frame_b);
    const Vector3d apart = b.point - a.point;
    // Of frame a's body, whose frame the axis is in, as turned now.
    const Quaterniond turnedA = a.axes * joint.frame_a.orientation.conjugate();
    const Vector3d axis = turnedA * joint.axis;
    const double turned = Quaterniond(a.axes.conjugate() * b.axes).angularDistance(Quaterniond::Identity());
    switch (joint.type) {
        case SceneJoint::Type::Ball:
            return apart.norm();
        case SceneJoint::Type::Fixed:
            return std::max(apart.norm(), turned);
        case SceneJoint::Type::Slider:
            return std::max((apart - apart.dot(axis) * axis).norm(), turned);
        case SceneJoint::Type::Hinge: {
            const Vector3d own = joint.frame_a.orientation.conjugate() * joint.axis;
            return std::max(apart.norm(), (b.axes * own).cross(axis).norm());
        }
    }
    return 0;
}

Vector3d velocityOf(const SceneSample& sample, const SceneFrame& frame, const Vector3d& point) {
    if (frame.body == kWorld) return Vector3d::Zero();
    const BodyState& state = sample.bodies[static_cast<std::size_t>(frame.body)];
    return state.velocity + state.angularVelocity.cross(point - state.position);
}

Vector3d turningOf(const SceneSample& sample, const SceneFrame& frame) {
    return frame.body == kWorld ? Vector3d(Vector3d::Zero())
                                : sample.bodies[static_cast<std::size_t>(frame.body)].angularVelocity;
}

/// Rate of the coordinate of a hinge or slider [rad/s, m/s].
double jointRate(const Scene& scene, const SceneSample& sample, const SceneJoint& joint) {
    const Place a = placeOf(scene, sample, joint.frame_a);
    const Vector3d axis = a.axes * (joint.frame_a.orientation.conjugate() * joint.axis);
    if (joint.type == SceneJoint::Type::Hinge) {
        return axis.dot(turningOf(sample, joint.frame_b) - turningOf(sample, joint.frame_a));
    }
    const Vector3d point = placeOf(scene, sample, joint.frame_b).point;
    return axis.dot(velocityOf(sample, joint.frame_b, point) - velocityOf(sample, joint.frame_a, point));
}

}  // namespace

Invariants::Invariants(const Scene& scene, const Bounds& bounds)
    : m_scene(scene),
      m_isFloating(isFloating(scene)),
      m_isClosed(isClosed(scene)),
      m_isLossless(isLossless(scene)),
      m_canRest(canRest(scene)),
      m_coasting(coasting(scene)),
      m_stood(scene.bodies.size(), 0) {
    m_watches.resize(kKinds);
    m_watches[kMomentum] = {"momentum", bounds.momentum};
    m_watches[kAngularMomentum] = {"angular momentum", bounds.angularMomentum};
    m_watches[kEnergy] = {"energy", bounds.energy};
    m_watches[kHeat] = {"heat from nothing", bounds.heat};
    m_watches[kFallingHeat] = {"falling heat", bounds.heat};
    m_watches[kOpening] = {"open joint", bounds.opening};
    m_watches[kSpin] = {"spin without torque", bounds.spin};
    m_watches[kStanding] = {kStandsStill, 0};
}

void Invariants::note(std::size_t watch, double share, double time) {
    Watch& one = m_watches[watch];
    if (!std::isfinite(share)) share = HUGE_VAL;
    one.share = std::max(one.share, share);
    if (share > one.bound && one.time < 0) one.time = time;
}

void Invariants::see(const SceneSample& sample) {
    if (!m_hasStarted) {
        m_start = m_last = sample;
        m_hasStarted = true;
    }
    if (m_isFloating) seeMomentum(sample);
    seeEnergy(sample);
    seeJoints(sample);
    seeSpin(sample);
    if (!m_canRest) seeStanding(sample);
    seeMotors(sample);
    m_last = sample;
}

void Invariants::seeMomentum(const SceneSample& sample) {
    Vector3d change = Vector3d::Zero();
    Vector3d spinChange = Vector3d::Zero();
    double most = 0;
    double mostSpin = 0;
    for (std::size_t i = 0; i < m_scene.bodies.size(); ++i) {
        const SceneBody& body = m_scene.bodies[i];
        const BodyState& now = sample.bodies[i];
        const BodyState& then = m_start.bodies[i];
        change += body.mass * (now.velocity - then.velocity);
        const Vector3d orbit = body.mass * now.position.cross(now.velocity);
        const Vector3d spin = spinMomentum(body, now);
        spinChange += orbit + spin - body.mass * then.position.cross(then.velocity) - spinMomentum(body, then);
        most += body.mass * now.velocity.norm();
        mostSpin += orbit.norm() + spin.norm();
    }
    m_momentum = std::max(m_momentum, most);
    m_angularMomentum = std::max(m_angularMomentum, mostSpin);
    if (m_momentum > 0) note(kMomentum, change.norm() / m_momentum, sample.time);
    if (m_angularMomentum > 0) note(kAngularMomentum, spinChange.norm() / m_angularMomentum, sample.time);
}

void Invariants::seeEnergy(const SceneSample& sample) {
    double now = 0;
    double then = 0;
    double inPlay = 0;
    double heat = 0;
    double fallen = 0;
    for (std::size_t i = 0; i < m_scene.bodies.size(); ++i) {
        const SceneBody& body = m_scene.bodies[i];
        if (!isDynamic(body)) continue;
        const double kinetic = kineticEnergy(body, sample.bodies[i]);
        const double potential =
            -body.mass * m_scene.gravity.dot(sample.bodies[i].position - m_start.bodies[i].position);
        now += kinetic + potential;
        then += kineticEnergy(body, m_start.bodies[i]);
        inPlay += kinetic + std::abs(potential);
    }
    for (std::size_t i = 0; i < sample.elements.size(); ++i) {
        now += sample.elements[i].storedEnergy + sample.elements[i].heat;
        then += m_start.elements[i].storedEnergy + m_start.elements[i].heat;
        inPlay += std::abs(sample.elements[i].storedEnergy) + std::abs(sample.elements[i].heat);
        heat += std::abs(sample.elements[i].heat);
        fallen += std::max(0., m_last.elements[i].heat - sample.elements[i].heat);
    }
    m_energyInPlay = std::max(m_energyInPlay, inPlay);
    if (!(m_energyInPlay > 0)) return;
    if (m_isClosed) note(kEnergy, std::abs(now - then) / m_energyInPlay, sample.time);
    if (m_isLossless) note(kHeat, heat / m_energyInPlay, sample.time);
    note(kFallingHeat, fallen / m_energyInPlay, sample.time);
}

void Invariants::seeJoints(const SceneSample& sample) {
    for (const SceneJoint& joint : m_scene.joints) note(kOpening, openingOf(m_scene, sample, joint), sample.time);
}

void Invariants::seeSpin(const SceneSample& sample) {
    for (const int i : m_coasting) {
        const auto index = static_cast<std::size_t>(i);
        const Vector3d then = m_start.bodies[index].angularVelocity;
        note(kSpin, (sample.bodies[index].angularVelocity - then).norm() / then.norm(), sample.time);
        // The angle that has been missed in all, as the quaternion tells it.
        const double angle = then.norm() * sample.time;
        const Quaterniond due =
            Quaterniond(Eigen::AngleAxisd(std::remainder(angle, 4 * std::numbers::pi), then.normalized())) *
            m_start.bodies[index].orientation;
        if (angle > 1) note(kSpin, due.angularDistance(sample.bodies[index].orientation) / angle, sample.time);
    }
}

void Invariants::seeStanding(const SceneSample& sample) {
    for (std::size_t i = 0; i < m_scene.bodies.size(); ++i) {
        if (!isDynamic(m_scene.bodies[i])) continue;
        const BodyState& state = sample.bodies[i];
        const bool stands = state.velocity.isZero(0) && state.angularVelocity.isZero(0);
        const BodyState& before = m_last.bodies[i];
        const bool stood = before.velocity.isZero(0) && before.angularVelocity.isZero(0);
        if (stands && (!stood || m_stood[i] > 0)) ++m_stood[i];
        if (!stands) m_stood[i] = 0;
        // Once may be chance.
        if (m_stood[i] > 1) note(kStanding, 1, sample.time);
    }
}

void Invariants::seeMotors(const SceneSample& sample) {
    constexpr double kKept = 1e-6;  // share of the speed, far below what pulls at it
    for (const SceneJoint& joint : m_scene.joints) {
        if (!joint.motor) continue;
        const double now = jointRate(m_scene, sample, joint) - joint.motor->velocity;
        const double before = jointRate(m_scene, m_last, joint) - joint.motor->velocity;
        const double kept = kKept * std::abs(joint.motor->velocity) + kKept;
        m_hasMotorGivenWay = m_hasMotorGivenWay || (std::abs(now) > kept && std::abs(before) <= kept);
    }
}

std::vector<Breach> Invariants::breaches() const {
    std::vector<Breach> found;
    for (const Watch& watch : m_watches) {
        if (watch.time >= 0) found.push_back({watch.what, watch.share, watch.bound, watch.time});
    }
    return found;
}

}  // namespace elasto::differential
