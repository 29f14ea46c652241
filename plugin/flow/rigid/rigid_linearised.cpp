// df/dy of a turning system, and its solution. A change of one body is felt by its own elements only, so each column
// costs a few rows (and the joints' factor, which passes it on); what remains to factor has 6 unknowns per body:
//     pose       g x  - V = r            g q - (dq'/dq) q - (dq'/dw) w = r
//     damper     (g - dz'/dz) z - (dz'/dpose) pose = r
//     velocity   g V  - K pose - D V - Z z = r
//     rest       g Q  - (all of the above) = r

#include "rigid/rigid_system.h"
#include "rigid/tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

namespace {

Eigen::Vector4d product(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b) {
    return (a * b).coeffs();
}

Eigen::Quaterniond unit(int k) {
    Eigen::Vector4d coefficients = Eigen::Vector4d::Zero();
    coefficients[k] = 1;
    return Eigen::Quaterniond(coefficients);
}

}  // namespace

void RigidSystem::linearise(double t, const Eigen::VectorXd& y) {
    const Eigen::Index N = 6 * m_movable;
    const auto m = static_cast<Eigen::Index>(elementCount());
    const Eigen::Index Q = size() - pIndex(0);
    Linearised& linear = m_linear;
    for (Eigen::MatrixXd* matrix : {&linear.accelerationByPose, &linear.accelerationByVelocity}) matrix->setZero(N, N);
    for (Eigen::MatrixXd* matrix : {&linear.restByPose, &linear.restByVelocity}) matrix->setZero(Q, N);
    linear.accelerationByDamper.setZero(N, m);
    linear.restByDamper.setZero(Q, m);
    linear.damperByPose.setZero(m, N);
    linear.damperByDamper.setZero(m);
    linear.quaternionByItself.resize(static_cast<std::size_t>(m_movable));
    linear.quaternionBySpin.resize(static_cast<std::size_t>(m_movable));
    linear.rotationByQuaternion.resize(static_cast<std::size_t>(m_movable));

    Eigen::VectorXd base(size());
    const double later = t + std::sqrt(std::numeric_limits<double>::epsilon()) * std::max(std::abs(t), 1e-3);
    derivative(later, y, linear.byTime);
    derivative(t, y, base);
    linear.byTime = (linear.byTime - base) / (later - t);
    const BodyKinematics bodies = m_bodies;  // and the time, as the last evaluation left them
    if (!m_held.empty()) m_held.keptForces(m_jointForces);
    findPlaced();
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) differentiateBody(i, t, y, bodies);
    }
    for (std::size_t e = 0; e < elementCount(); ++e) {
        if (m_laws[e].kind == HybridLaw::Kind::Series) differentiateDamper(e, y[zIndex(e)], bodies);
    }
}

// What is asked for many times where the bodies are.
void RigidSystem::findPlaced() {
    m_placed.clear();
    if (m_hasRowQuadratures) {
        for (std::size_t k = 0; k < m_held.size(); ++k) m_placed.push_back(m_held.measure(k));
    }
    m_pushesOn.resize(m_slots.size());
    for (std::vector<std::size_t>& pushes : m_pushesOn) pushes.clear();
    for (std::size_t k = 0; k < m_network.bounded.size(); ++k) {
        if (!m_bounded.isPushing(k)) continue;
        forEachBody(m_network.bounded[k], [&](int body) {
            if (isMovable(body)) m_pushesOn[static_cast<std::size_t>(body)].push_back(k);
        });
    }
}

void RigidSystem::differentiateBody(std::size_t i, double t, const Eigen::VectorXd& y, const BodyKinematics& bodies) {
    differentiateQuaternion(i, y, bodies.motions[i]);
    const Eigen::Index workRow = 2 * static_cast<Eigen::Index>(elementCount());
    const Eigen::Index momentRow = momentIndex() - pIndex(0);
    Linearised& linear = m_linear;
    const Eigen::Index column0 = 6 * m_slots[i];
    BodyKinematics moved = bodies;
    const BodyRates own = bodyRates(i, t, bodies);
    std::vector<std::size_t> attached;
    std::vector<ElementRates> rates;
    for (std::size_t e = 0; e < elementCount(); ++e) {
        bool isAttached = false;
        forEachBody(m_network.elements[e], [&](int end) { isAttached = isAttached || end == static_cast<int>(i); });
        if (!isAttached) continue;
        attached.push_back(e);
        rates.push_back(elementRates(e, y[zIndex(e)], bodies));
    }
    for (int k = 0; k < 12; ++k) {
        const bool isPose = k < 6;
        const double step = shiftCoordinate(i, k, bodies, moved);
        const Eigen::Index column = column0 + k % 6;
        auto acceleration = (isPose ? linear.accelerationByPose : linear.accelerationByVelocity).col(column);
        auto rest = (isPose ? linear.restByPose : linear.restByVelocity).col(column);
        const BodyRates ownNow = bodyRates(i, t, moved);
        acceleration.segment<6>(column0) += (ownNow.acceleration - own.acceleration) / step;
        rest[workRow] += (ownNow.work - own.work) / step;
        if (m_countsMoment) rest.segment<3>(momentRow) += (ownNow.moment - own.moment) / step;
        for (std::size_t j = 0; j < attached.size(); ++j) {
            const std::size_t e = attached[j];
            const ElementRates change = elementRates(e, y[zIndex(e)], moved);
            for (int b = 0; b < change.count; ++b) {
                const Eigen::Index at = 6 * m_slots[static_cast<std::size_t>(change.bodies[b])];
                acceleration.segment<6>(at) += (change.accelerations[b] - rates[j].accelerations[b]) / step;
            }
            const auto row = static_cast<Eigen::Index>(e);
            if (isPose) linear.damperByPose(row, column) += (change.damper - rates[j].damper) / step;
            rest[row] += (change.f - rates[j].f) / step;
            rest[static_cast<Eigen::Index>(elementCount()) + row] += (change.heat - rates[j].heat) / step;
            rest[workRow] += (change.work - rates[j].work) / step;
        }
        addPushChange(i, moved, bodies, step, acceleration);
        Eigen::VectorXd forces;
        if (!m_held.empty()) forces = holdColumn(i, bodies, moved, step, acceleration);
        if (m_hasRowQuadratures) differentiateRowQuadratures(i, moved, bodies, step, forces, rest);
    }
}

/// Of q' by q and by w, and of the rotation by q.
void RigidSystem::differentiateQuaternion(std::size_t i, const Eigen::VectorXd& y, const Motion& motion) {
    Linearised& linear = m_linear;
    const auto slot = static_cast<std::size_t>(m_slots[i]);
    const Eigen::Vector4d raw = y.segment<4>(13 * m_slots[i] + 3);
    const double length = raw.norm();
    const Eigen::Matrix4d tangent =
        (Eigen::Matrix4d::Identity() - motion.q.coeffs() * motion.q.coeffs().transpose()) / length;
    const Eigen::Quaterniond spin(0, motion.w[0], motion.w[1], motion.w[2]);
    for (int k = 0; k < 4; ++k) {
        linear.quaternionByItself[slot].col(k) = 0.5 * product(spin, unit(k));
        linear.rotationByQuaternion[slot].col(k) = 2 / length * product(unit(k), motion.q.conjugate()).head<3>();
        if (k < 3) linear.quaternionBySpin[slot].col(k) = 0.5 * product(unit(k), motion.q);
    }
    linear.quaternionByItself[slot] *= tangent;
}

/// Moves coordinate k of a body a little: three of position, three of rotation, three of velocity, three of angular
/// velocity. @param moved the bodies, of which this one is written @return by how much
double RigidSystem::shiftCoordinate(std::size_t i, int k, const BodyKinematics& bodies, BodyKinematics& moved) const {
    const bool isPose = k < 6;
    const Motion& motion = bodies.motions[i];
    Motion& now = moved.motions[i];
    now = motion;
    double step = 0;
    const auto shift = [&](double& value, double size) {
        const double before = value;
        value += size * std::max(1.0, std::abs(value));
        step = value - before;  // the increment that rounding left
    };
    if (k < 3) {
        shift(now.x[k], m_poseStep);
    } else if (k < 6) {
        step = m_poseStep;
        now.q = turned(motion.q, step * Eigen::Vector3d::Unit(k - 3));
    } else {
        shift(k < 9 ? now.v[k - 6] : now.w[k - 9], kVelocityStep);
    }
    if (isPose) {
        moved.turns[i] = now.q.toRotationMatrix();
        moved.inverses[i] = inverseInertiaWorld(m_network.bodies[i], moved.turns[i]);
    } else {
        moved.turns[i] = bodies.turns[i];
        moved.inverses[i] = bodies.inverses[i];
    }
    return step;
}

// Motors that are away from their target push along a gradient that changes, friction with a force that does, too.
void RigidSystem::addPushChange(std::size_t body, const BodyKinematics& moved, const BodyKinematics& bodies,
                                double step, Eigen::Ref<Eigen::VectorXd> column) const {
    for (const std::size_t k : m_pushesOn[body]) {
        const auto add = [&](double share) {
            return [&, share](std::size_t i, const Vector6& acceleration) {
                column.segment<6>(6 * m_slots[i]) += share * acceleration;
            };
        };
        forEachPushed(k, moved, add(1 / step));
        forEachPushed(k, bodies, add(-1 / step));
    }
}

// They are linear in the forces; what they are along changes with the rows of the moved body.
void RigidSystem::differentiateRowQuadratures(std::size_t body, const BodyKinematics& moved,
                                              const BodyKinematics& bodies, double step,
                                              const Eigen::VectorXd& changeOfForces,
                                              Eigen::Ref<Eigen::VectorXd> rest) const {
    auto rates = rest.tail(size() - workIndex());
    for (std::size_t k = 0; k < m_held.size(); ++k) {
        addHeldQuadratures(k, m_placed[k], changeOfForces[static_cast<Eigen::Index>(k)], rates);
    }
    if (!m_held.empty()) {
        m_held.forEachMoved(body, moved, [&](std::size_t k, const RowMeasure& measure) {
            const double force = m_jointForces[static_cast<Eigen::Index>(k)] / step;
            addHeldQuadratures(k, measure, force, rates);
            addHeldQuadratures(k, m_placed[k], -force, rates);
        });
    }
    for (const std::size_t k : m_pushesOn[body]) {
        addPushQuadratures(k, moved, 1 / step, rates);
        addPushQuadratures(k, bodies, -1 / step, rates);
    }
}

// Joints pass what one body feels on to the others.
Eigen::VectorXd RigidSystem::holdColumn(std::size_t body, const BodyKinematics& placed, const BodyKinematics& moved,
                                        double step, Eigen::Ref<Eigen::VectorXd> column) const {
    std::vector<Vector6> change(m_slots.size(), Vector6::Zero());
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) change[i] = column.segment<6>(6 * m_slots[i]);
    }
    const Eigen::VectorXd forces =
        m_held.differentiate(body, placed, moved, step, m_accelerations, m_jointForces, change);
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) column.segment<6>(6 * m_slots[i]) = change[i];
    }
    return forces;
}

// All is linear in the force of a series element, and the force in the damper's length; the heat is f^2/d.
void RigidSystem::differentiateDamper(std::size_t e, double z, const BodyKinematics& bodies) {
    const HybridLaw& law = m_laws[e];
    if (!(law.d > 0)) return;
    const ElementRates rates = elementRates(e, z, bodies);
    const ElementRates apart = elementRates(e, z + 1, bodies);  // force smaller by c
    const auto column = static_cast<Eigen::Index>(e);
    for (int b = 0; b < rates.count; ++b) {
        const Eigen::Index at = 6 * m_slots[static_cast<std::size_t>(rates.bodies[b])];
        m_linear.accelerationByDamper.col(column).segment<6>(at) += apart.accelerations[b] - rates.accelerations[b];
    }
    auto rest = m_linear.restByDamper.col(column);
    const Eigen::Index workRow = 2 * static_cast<Eigen::Index>(elementCount());
    if (!m_held.empty()) {
        // Nothing has moved: the step does not matter.
        const auto anyBody = static_cast<std::size_t>(rates.bodies[0]);
        const Eigen::VectorXd forces =
            holdColumn(anyBody, bodies, bodies, 1, m_linear.accelerationByDamper.col(column));
        if (m_hasRowQuadratures) differentiateRowQuadratures(anyBody, bodies, bodies, 1, forces, rest);
    }
    m_linear.damperByDamper[column] = -law.c / law.d;
    rest[column] = -law.c;
    rest[static_cast<Eigen::Index>(elementCount()) + column] = -2 * rates.damper * law.c;
    rest[workRow] += apart.work - rates.work;
}

bool RigidSystem::factor(double g) {
    Linearised& linear = m_linear;
    const Eigen::Index N = 6 * m_movable;
    linear.g = g;
    linear.quaternionInverse.resize(static_cast<std::size_t>(m_movable));
    // Poses by velocities: 1/g for translations, a 3 x 3 block for rotations.
    Eigen::MatrixXd poseByVelocity = Eigen::MatrixXd::Zero(N, N);
    for (Eigen::Index slot = 0; slot < m_movable; ++slot) {
        const auto i = static_cast<std::size_t>(slot);
        linear.quaternionInverse[i] = (g * Eigen::Matrix4d::Identity() - linear.quaternionByItself[i]).inverse();
        poseByVelocity.block<3, 3>(6 * slot, 6 * slot).diagonal().setConstant(1 / g);
        poseByVelocity.block<3, 3>(6 * slot + 3, 6 * slot + 3) =
            linear.rotationByQuaternion[i] * linear.quaternionInverse[i] * linear.quaternionBySpin[i];
    }
    linear.damperInverse = (g - linear.damperByDamper.array()).inverse();
    Eigen::MatrixXd byPose = linear.accelerationByPose;
    byPose += linear.accelerationByDamper * linear.damperInverse.asDiagonal() * linear.damperByPose;
    Eigen::MatrixXd matrix = -linear.accelerationByVelocity - byPose * poseByVelocity;
    matrix.diagonal().array() += g;
    linear.lu.compute(matrix);
    return isRegular(linear.lu.matrixLU());
}

/// The rotations that the quaternions' right-hand sides give by themselves, and the translations.
Eigen::VectorXd RigidSystem::posesOf(const Eigen::VectorXd& r) const {
    Eigen::VectorXd poses(6 * m_movable);
    for (Eigen::Index slot = 0; slot < m_movable; ++slot) {
        const auto i = static_cast<std::size_t>(slot);
        poses.segment<3>(6 * slot) = r.segment<3>(13 * slot) / m_linear.g;
        poses.segment<3>(6 * slot + 3) =
            m_linear.rotationByQuaternion[i] * m_linear.quaternionInverse[i] * r.segment<4>(13 * slot + 3);
    }
    return poses;
}

void RigidSystem::solve(Eigen::VectorXd& r) const {
    const Linearised& linear = m_linear;
    const auto m = static_cast<Eigen::Index>(elementCount());
    Eigen::VectorXd poses = posesOf(r);
    auto z = r.segment(zIndex(0), m);
    const Eigen::VectorXd free = linear.damperInverse.cwiseProduct(z + linear.damperByPose * poses);
    Eigen::VectorXd V(6 * m_movable);
    for (Eigen::Index slot = 0; slot < m_movable; ++slot) V.segment<6>(6 * slot) = r.segment<6>(13 * slot + 7);
    V += linear.accelerationByPose * poses + linear.accelerationByDamper * free;
    V = linear.lu.solve(V).eval();
    for (Eigen::Index slot = 0; slot < m_movable; ++slot) {
        const auto i = static_cast<std::size_t>(slot);
        const Eigen::Index at = 13 * slot;
        r.segment<3>(at) = (r.segment<3>(at) + V.segment<3>(6 * slot)) / linear.g;
        r.segment<4>(at + 3) = linear.quaternionInverse[i] *
                               (r.segment<4>(at + 3) + linear.quaternionBySpin[i] * V.segment<3>(6 * slot + 3)).eval();
        r.segment<6>(at + 7) = V.segment<6>(6 * slot);
        poses.segment<3>(6 * slot) = r.segment<3>(at);
        poses.segment<3>(6 * slot + 3) = linear.rotationByQuaternion[i] * r.segment<4>(at + 3);
    }
    z = linear.damperInverse.cwiseProduct(z + linear.damperByPose * poses).eval();
    auto rest = r.tail(size() - pIndex(0));
    rest = (rest + linear.restByPose * poses + linear.restByVelocity * V + linear.restByDamper * z).eval() / linear.g;
}

}  // namespace elasto::flow
