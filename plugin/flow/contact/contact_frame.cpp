#include "contact/contact_frame.h"

#include "constraints/held_rows.h"
#include "contact/tuning.h"

#include <algorithm>

namespace elasto::flow {

void ContactFrame::place(const FlowNetwork& network, const BodyKinematics& bodies) {
    m_network = &network;
    m_trees = nullptr;
    m_angles.clear();
    for (const BoundedRow& bounded : network.bounded) m_angles.push_back(Turns::of(bounded));
    readBodies(bodies);
    findPatches();
    listTangents();
}

/// The rows up to those of slip.
void ContactFrame::readBodies(const BodyKinematics& bodies) {
    const FlowNetwork& network = *m_network;
    m_bodies = bodies;
    m_isListed = false;
    m_roots.clear();
    m_coordinates.clear();
    m_turns.clear();
    m_measures.clear();
    m_rows.clear();
    m_geared.clear();
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        const bool isInTree = m_trees != nullptr && m_trees->has(static_cast<int>(i));
        m_roots.push_back(isInTree ? InverseMassRoot::ofForces()
                                   : InverseMassRoot::of(network.bodies[i], bodies.motions[i].q));
    }
    if (m_trees == nullptr) m_factor.setBodies(m_roots);
    readLinks();
    for (const FlowContact& contact : network.contacts) {
        const ContactMeasure measure = measureContact(contact, motion(contact.a), motion(contact.b));
        m_rows.push_back(
            rowAt(contact.a, contact.b, motion(contact.a), motion(contact.b), measure.point, measure.normal));
        m_measures.push_back(measure);
    }
    m_slip.assign(network.contacts.size(), Eigen::Vector3d::Zero());
    for (const FlowContact& contact : network.contacts) m_rows.push_back({contact.a, contact.b});
}

/// Those of joints, motors and limits.
void ContactFrame::readLinks() {
    for (std::size_t k = 0; k < m_network->joints.size(); ++k) {
        const HeldRow& joint = m_network->joints[k];
        if (m_trees != nullptr && m_trees->holds(k)) {
            m_rows.push_back({joint.a, joint.b});
        } else {
            m_rows.push_back(rowOf(joint, measureHeld(joint, motion(joint.a), motion(joint.b))));
        }
    }
    for (std::size_t k = 0; k < m_network->bounded.size(); ++k) {
        const ElementRow row = rowOfBounded(k);
        if (row.isGeared) m_geared.push_back({m_rows.size(), row.second});
        m_rows.push_back(row.own);
    }
}

ElementRow ContactFrame::rowOfBounded(std::size_t k) {
    const BoundedRow& bounded = m_network->bounded[k];
    if (m_trees != nullptr && m_trees->ofBounded(k)) {
        m_turns.push_back(m_trees->turns(m_trees->ofBounded(k)));
        m_coordinates.push_back(m_trees->value(m_trees->ofBounded(k)));
        return JointTrees::boundedRow(bounded, m_bodies);
    }
    const Row row = measureRow(
        bounded, [&](int body) -> const Motion& { return motion(body); }, m_angles[k]);
    m_turns.push_back(Turns::found(bounded, row));
    m_coordinates.push_back(row.s);
    return ElementRow::of(bounded, row);
}

void ContactFrame::follow(const BodyKinematics& bodies, const JointTrees* trees) {
    m_trees = trees;
    readBodies(bodies);
    for (Patch& patch : m_patches) {
        patch.normal.setZero();
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) patch.normal += m_measures[i].normal;
        patch.normal.normalize();
        findMiddle(patch);
        patch.tangents = patch.tangents.turnedTo(patch.normal);
    }
    m_lastSpins = m_spins;
    listTangents();
    for (std::size_t p = 0; m_resistsTurning && p < m_patches.size(); ++p) {
        if (m_patches[p].resistsTurning()) setSpinDirection(p, m_lastSpins[p]);
    }
}

void ContactFrame::place(const FlowNetwork& network, const BodyKinematics& bodies, const ContactFrame& like) {
    place(network, bodies);
    if (m_patches.size() != like.m_patches.size()) return;
    m_bears = like.m_bears;
    for (std::size_t p = 0; p < m_patches.size(); ++p) {
        findMiddle(m_patches[p]);
        m_patches[p].tangents = like.m_patches[p].tangents.turnedTo(m_patches[p].normal);
    }
    m_rows.resize(slipOf(m_slip.size()));
    listTangents();
    for (std::size_t i = 0; i < m_slip.size(); ++i) {
        if (!like.m_slip[i].isZero(0)) setSlipDirection(i, like.m_slip[i]);
    }
}

void ContactFrame::listTangents() {
    for (const Patch& patch : m_patches) {
        for (const Eigen::Vector3d& direction : {patch.tangents.first, patch.tangents.second}) {
            m_rows.push_back(rowAt(patch.a, patch.b, motion(patch.a), motion(patch.b), patch.middle, direction));
        }
        m_rows.push_back(rowAbout(patch.a, patch.b, patch.normal));
    }
    m_resistsTurning =
        std::any_of(m_patches.begin(), m_patches.end(), [](const Patch& patch) { return patch.resistsTurning(); });
    if (m_resistsTurning) listTurning();
}

void ContactFrame::listTurning() {
    m_rolls.assign(m_patches.size(), Eigen::Vector3d::Zero());
    m_spins.assign(m_patches.size(), 0);
    m_turnRows.clear();
    for (const Patch& patch : m_patches) {
        m_turnRows.push_back(m_rows.size());
        if (!patch.resistsTurning()) continue;
        m_rows.push_back(rowAbout(patch.a, patch.b, patch.tangents.first));
        m_rows.push_back(rowAbout(patch.a, patch.b, patch.tangents.second));
        for (std::size_t i = 0; i < 2 * patch.count; ++i) m_rows.push_back({patch.a, patch.b});
    }
}

Eigen::Vector3d ContactFrame::turnVelocity(std::size_t p, std::span<const Vector6> velocities) const {
    const Patch& patch = m_patches[p];
    Eigen::Vector3d w = Eigen::Vector3d::Zero();
    if (patch.a >= 0) w += velocities[static_cast<std::size_t>(patch.a)].tail<3>();
    if (patch.b >= 0) w -= velocities[static_cast<std::size_t>(patch.b)].tail<3>();
    return w;
}

Eigen::Vector3d ContactFrame::rollVelocity(std::size_t p, std::span<const Vector6> velocities) const {
    const Eigen::Vector3d w = turnVelocity(p, velocities);
    return w - m_patches[p].normal * m_patches[p].normal.dot(w);
}

void ContactFrame::setTurnRow(std::size_t p, std::size_t first, const Eigen::Vector3d& direction) {
    const Patch& patch = m_patches[p];
    for (std::size_t i = 0; i < patch.count; ++i) setRow(first + 2 * i, rowAbout(patch.a, patch.b, direction));
}

void ContactFrame::setRollDirection(std::size_t p, const Eigen::Vector3d& direction) {
    if (m_rolls[p] == direction) return;
    m_rolls[p] = direction;
    setTurnRow(p, rollingOf(p, m_patches[p].first), direction);
}

void ContactFrame::setSpinDirection(std::size_t p, double direction) {
    if (m_spins[p] == direction) return;
    m_spins[p] = direction;
    setTurnRow(p, spinningOf(p, m_patches[p].first), direction * m_patches[p].normal);
}

void ContactFrame::findPatches() {
    m_patches.clear();
    m_patchOf.clear();
    for (std::size_t i = 0; i < m_measures.size(); ++i) {
        const FlowContact& contact = m_network->contacts[i];
        const ContactMeasure& measure = m_measures[i];
        const bool isNew = m_patches.empty() || m_patches.back().a != contact.a || m_patches.back().b != contact.b ||
                           m_patches.back().normal.dot(measure.normal) < kOneNormal;
        if (isNew) {
            Patch patch;
            patch.first = i;
            patch.a = contact.a;
            patch.b = contact.b;
            patch.normal = measure.normal;
            patch.surfaceVelocity = contact.surfaceVelocity;
            m_patches.push_back(patch);
        }
        Patch& patch = m_patches.back();
        ++patch.count;
        patch.friction = std::max(patch.friction, contact.friction);
        patch.rollingFriction = std::max(patch.rollingFriction, contact.rollingFriction);
        patch.spinningFriction = std::max(patch.spinningFriction, contact.spinningFriction);
        m_patchOf.push_back(m_patches.size() - 1);
    }
    m_bears.assign(m_measures.size(), true);
    for (Patch& patch : m_patches) {
        findMiddle(patch);
        patch.tangents = Tangents(patch.normal);
    }
}

double ContactFrame::shareOf(const Patch& patch, std::size_t i) const {
    if (patch.standsOn == 0) return 1 / static_cast<double>(patch.count);
    return m_bears[i] ? 1 / static_cast<double>(patch.standsOn) : 0;
}

void ContactFrame::findMiddle(Patch& patch) const {
    const auto first = m_bears.begin() + static_cast<std::ptrdiff_t>(patch.first);
    const auto bearing =
        std::count_if(first, first + static_cast<std::ptrdiff_t>(patch.count), [](char bears) { return bears != 0; });
    patch.standsOn = static_cast<std::size_t>(bearing) > kOfEdge ? 0 : static_cast<std::size_t>(bearing);
    patch.middle.setZero();
    for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
        patch.middle += shareOf(patch, i) * m_measures[i].point;
    }
}

bool ContactFrame::bear(const std::vector<char>& bears) {
    if (m_bears == bears) return false;
    m_bears = bears;
    bool hasChanged = false;
    for (std::size_t p = 0; p < m_patches.size(); ++p) {
        Patch& patch = m_patches[p];
        const Eigen::Vector3d before = patch.middle;
        findMiddle(patch);
        if (patch.middle == before) continue;
        hasChanged = true;
        const Motion &a = motion(patch.a), &b = motion(patch.b);
        setRow(tangentOf(p), rowAt(patch.a, patch.b, a, b, patch.middle, patch.tangents.first));
        setRow(tangentOf(p) + 1, rowAt(patch.a, patch.b, a, b, patch.middle, patch.tangents.second));
    }
    return hasChanged;
}

void ContactFrame::rates(std::span<const Vector6> velocities, bool areVelocities, std::vector<double>& rates) const {
    rates.resize(m_rows.size());
    for (std::size_t i = 0; i < m_rows.size(); ++i) rates[i] = rate(i, velocities);
    if (!areVelocities) return;
    for (std::size_t k = 0; k < m_network->bounded.size(); ++k) rates[boundedOf(k)] = excessRate(k, velocities);
    for (std::size_t p = 0; p < m_patches.size(); ++p) {
        const Patch& patch = m_patches[p];
        if (patch.surfaceVelocity.isZero(0)) continue;
        const Tangents& tangents = patch.tangents;
        rates[tangentOf(p)] -= tangents.first.dot(patch.surfaceVelocity);
        rates[tangentOf(p) + 1] -= tangents.second.dot(patch.surfaceVelocity);
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            rates[slipOf(i)] -= m_slip[i].dot(patch.surfaceVelocity);
        }
    }
}

Motion ContactFrame::moving(int body, std::span<const Vector6> velocities) const {
    Motion motion = m_bodies.at(body);
    if (body >= 0) {
        motion.v = velocities[static_cast<std::size_t>(body)].head<3>();
        motion.w = velocities[static_cast<std::size_t>(body)].tail<3>();
    }
    return motion;
}

void ContactFrame::gammas(std::span<const Vector6> velocities, std::vector<double>& result) const {
    result.assign(m_rows.size(), 0);
    const auto isTurning = [](const Vector6& velocity) {
        return velocity.tail<3>().lpNorm<Eigen::Infinity>() > kNoTurn;
    };
    const auto isRound = [](const FlowContact& contact) { return contact.ownerRadius > 0; };
    if (std::none_of(velocities.begin(), velocities.end(), isTurning) &&
        std::none_of(m_network->contacts.begin(), m_network->contacts.end(), isRound)) {
        return;
    }
    for (std::size_t k = 0; k < m_network->joints.size(); ++k) {
        if (m_trees != nullptr && m_trees->holds(k)) continue;
        const HeldRow& joint = m_network->joints[k];
        result[k] = measureHeld(joint, moving(joint.a, velocities), moving(joint.b, velocities)).gamma;
    }
    for (std::size_t k = 0; k < m_network->bounded.size(); ++k) {
        if (m_trees != nullptr && m_trees->ofBounded(k)) continue;
        const BoundedRow& bounded = m_network->bounded[k];
        result[boundedOf(k)] = measureHeld(bounded, [&](int body) { return moving(body, velocities); }).gamma;
    }
    for (std::size_t p = 0; p < m_patches.size(); ++p) {
        const Patch& patch = m_patches[p];
        const Motion a = moving(patch.a, velocities), b = moving(patch.b, velocities);
        Eigen::Vector3d slip = Eigen::Vector3d::Zero(), normal = Eigen::Vector3d::Zero();
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            const ContactTurn turn = contactTurn(m_network->contacts[i], a, b);
            result[normalOf(i)] = turn.gap;
            result[slipOf(i)] = m_slip[i].dot(turn.slip);
            slip += shareOf(patch, i) * turn.slip;
            normal += turn.normal / static_cast<double>(patch.count);
        }
        const Tangents& tangents = patch.tangents;
        result[tangentOf(p)] = tangents.first.dot(slip);
        result[tangentOf(p) + 1] = tangents.second.dot(slip);
        result[spinOf(p)] = normal.dot(a.w - b.w);
    }
}

Eigen::Vector3d ContactFrame::slipVelocity(std::size_t p, std::size_t contact, std::span<const Vector6> velocities,
                                           bool withSurfaces) const {
    const Patch& patch = m_patches[p];
    const Eigen::Vector3d& point = m_measures[contact].point;
    Eigen::Vector3d v = Eigen::Vector3d::Zero();
    if (withSurfaces) v -= patch.surfaceVelocity;
    const auto add = [&](int body, double sign) {
        if (body < 0) return;
        const Vector6& u = velocities[static_cast<std::size_t>(body)];
        v += sign * (u.head<3>() + u.tail<3>().cross(point - motion(body).x));
    };
    add(patch.a, 1);
    add(patch.b, -1);
    return v - patch.normal * patch.normal.dot(v);
}

void ContactFrame::setSlipDirection(std::size_t contact, const Eigen::Vector3d& direction) {
    if (m_slip[contact] == direction) return;
    m_slip[contact] = direction;
    setRow(slipOf(contact), rowAlong(contact, direction));
}

void ContactFrame::setRow(std::size_t index, const BlockRow& row) {
    m_rows[index] = row;
    if (m_isListed) m_factor.setRow(index, row);
}

BlockRow ContactFrame::rowAlong(std::size_t contact, const Eigen::Vector3d& direction) const {
    const FlowContact& c = m_network->contacts[contact];
    return rowAt(c.a, c.b, motion(c.a), motion(c.b), m_measures[contact].point, direction);
}

double ContactFrame::responseOf(const BlockRow& row) const {
    double response = 0;
    const auto add = [&](int body, const Vector6& gradient) {
        if (body >= 0) response += m_roots[static_cast<std::size_t>(body)].transposedTimes(gradient).squaredNorm();
    };
    add(row.a, row.gradientA);
    add(row.b, row.gradientB);
    return response;
}

double ContactFrame::responseApart(const BlockRow& row) const {
    double response = 0;
    const auto add = [&](int index, const Vector6& gradient) {
        if (index < 0) return;
        const FlowBody& body = m_network->bodies[static_cast<std::size_t>(index)];
        const Eigen::Vector3d factors = body.angularFactor.cwiseSqrt();
        const Eigen::Vector3d own = m_bodies.turnOf(index).transpose() * factors.cwiseProduct(gradient.tail<3>());
        response += body.inverseMass * body.linearFactor.dot(gradient.head<3>().cwiseAbs2());
        response += body.inverseInertia.dot(own.cwiseAbs2());
    };
    add(row.a, row.gradientA);
    add(row.b, row.gradientB);
    return response;
}

BlockFactor& ContactFrame::factor() {
    if (!m_isListed) m_factor.setRows(m_rows, m_geared);
    m_isListed = true;
    return m_factor;
}

void ContactFrame::push(const BlockRow& row, double impulse, std::vector<Vector6>& velocities) const {
    const auto add = [&](int body, const Vector6& gradient) {
        if (body < 0) return;
        const InverseMassRoot& root = m_roots[static_cast<std::size_t>(body)];
        velocities[static_cast<std::size_t>(body)] += impulse * root.times(root.transposedTimes(gradient));
    };
    add(row.a, row.gradientA);
    add(row.b, row.gradientB);
}

}  // namespace elasto::flow
