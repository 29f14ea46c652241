#include "contact/contact_gauss_seidel.h"

#include "numerics/cost_model.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// From one leap to the next.
constexpr int kSweepsToLeap = 8;

}  // namespace

void ContactGaussSeidel::begin(const ContactFrame& frame, const std::vector<double>& wanted, bool withSurfaces) {
    m_frame = &frame;
    m_withSurfaces = withSurfaces;
    m_isListed = m_hasSliding = false;
    m_points.clear();
    m_linkPushes.clear();
    m_linkResponses.clear();
    m_links.assign(frame.normalOf(0), 0);
    m_jointRates.assign(frame.jointCount(), 0);
    m_bounded.clear();
    m_impulses.assign(wanted.size(), {});
    for (std::size_t k = 0; k < m_links.size(); ++k) {
        m_linkPushes.push_back(pushOf(frame.row(k)));
        m_linkResponses.push_back(m_linkPushes.back().response);
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!(wanted[i] > -1e300)) continue;
        Point point = pointAt(i);
        point.wanted = wanted[i];
        if (point.normalResponse > 0) m_points.push_back(point);
    }
    m_work += price::kSweepBegin * pushCount();
}

ContactGaussSeidel::Point ContactGaussSeidel::pointAt(std::size_t i) const {
    const FlowContact& contact = m_frame->network().contacts[i];
    const Tangents tangents(m_frame->measure(i).normal);
    Point point;
    point.contact = i;
    point.normal = pushOf(m_frame->row(m_frame->normalOf(i)));
    point.first = pushOf(m_frame->rowAlong(i, tangents.first));
    point.second = pushOf(m_frame->rowAlong(i, tangents.second));
    point.normalResponse = point.normal.response;
    point.frictionResponse = std::max(point.first.response, point.second.response);
    point.friction = contact.friction;
    point.rolling = contact.rollingFriction;
    point.spinning = contact.spinningFriction;
    if (m_withSurfaces) {
        point.surface = {tangents.first.dot(contact.surfaceVelocity), tangents.second.dot(contact.surfaceVelocity)};
    }
    return point;
}

void ContactGaussSeidel::setPressure(std::size_t contact, double impulse) {
    const auto isSame = [&](const Point& point) { return point.contact == contact; };
    auto point = std::find_if(m_points.begin(), m_points.end(), isSame);
    if (point == m_points.end()) {
        point = m_points.insert(m_points.end(), pointAt(contact));
        point->isSoft = true;
    }
    point->pressure = impulse;
}

void ContactGaussSeidel::setSliding(std::size_t contact, const Eigen::Vector3d& direction) {
    for (Point& point : m_points) {
        if (point.contact != contact) continue;
        point.slides = m_hasSliding = true;
        point.sliding = pushOf(m_frame->rowAlong(contact, direction));
    }
}

void ContactGaussSeidel::setRolling(std::size_t contact, const Eigen::Vector3d& direction) {
    for (Point& point : m_points) {
        if (point.contact == contact) point.rolls = direction;
    }
}

void ContactGaussSeidel::setSpinning(std::size_t contact, double direction) {
    for (Point& point : m_points) {
        if (point.contact == contact) point.spins = direction;
    }
}

void ContactGaussSeidel::setBounded(std::size_t bounded, double lower, double upper, double wanted) {
    m_bounded.push_back({m_frame->boundedOf(bounded), lower, upper, wanted});
}

void ContactGaussSeidel::addBounded(const BlockRow& row, double lower, double upper, double wanted) {
    m_bounded.push_back({m_links.size(), lower, upper, wanted});
    m_linkPushes.push_back(pushOf(row));
    m_linkResponses.push_back(m_linkPushes.back().response);
    m_links.push_back(0);
}

void ContactGaussSeidel::setGammas(const std::vector<double>& gammas) {
    for (std::size_t k = 0; k < m_jointRates.size(); ++k) m_jointRates[k] = -gammas[k];
    for (Point& point : m_points) {
        const std::size_t p = m_frame->patchOf(point.contact);
        const Tangents& tangents = m_frame->patches()[p].tangents;
        const Eigen::Vector3d turning =
            gammas[m_frame->tangentOf(p)] * tangents.first + gammas[m_frame->tangentOf(p) + 1] * tangents.second;
        point.surface -= Eigen::Vector2d(turning.dot(point.first.gradientA.head<3>()),
                                         turning.dot(point.second.gradientA.head<3>()));
    }
}

ContactGaussSeidel::Push ContactGaussSeidel::pushOf(const BlockRow& row) const {
    Push push{row};
    const auto changeOf = [&](int body, const Vector6& gradient) -> Vector6 {
        if (body < 0) return Vector6::Zero();
        const InverseMassRoot& root = m_frame->root(static_cast<std::size_t>(body));
        const Vector6 reduced = root.transposedTimes(gradient);
        push.response += reduced.squaredNorm();
        return root.times(reduced);
    };
    push.changeA = changeOf(row.a, row.gradientA);
    push.changeB = changeOf(row.b, row.gradientB);
    push.scale = std::sqrt(push.response);
    return push;
}

void ContactGaussSeidel::apply(const Push& push, double impulse, std::vector<Vector6>& velocities) {
    if (impulse == 0) return;
    if (push.a >= 0) velocities[static_cast<std::size_t>(push.a)] += impulse * push.changeA;
    if (push.b >= 0) velocities[static_cast<std::size_t>(push.b)] += impulse * push.changeB;
    m_change = std::max(m_change, std::abs(impulse) * push.scale);
}

void ContactGaussSeidel::pushLink(std::size_t row, double wanted, double lower, double upper,
                                  std::vector<Vector6>& velocities) {
    if (!(m_linkResponses[row] > 0)) return;
    const double missing = wanted - rateOf(m_linkPushes[row], velocities);
    const double before = m_links[row];
    m_links[row] = std::clamp(before + missing / m_linkResponses[row], lower, upper);
    apply(m_linkPushes[row], m_links[row] - before, velocities);
}

inline void ContactGaussSeidel::apply(const Push& push, double impulse, Vector6& a, Vector6& b) {
    if (impulse == 0) return;
    a += impulse * push.changeA;
    b += impulse * push.changeB;
    m_change = std::max(m_change, std::abs(impulse) * push.scale);
}

namespace {

inline double rateOf(const BlockRow& row, const Vector6& a, const Vector6& b) {
    return row.gradientA.dot(a) + row.gradientB.dot(b);
}

}  // namespace

void ContactGaussSeidel::pushFriction(Point& point, Vector6& a, Vector6& b) {
    const double most = point.friction * point.pressure;
    const Eigen::Vector2d before = point.grip;
    if (point.slides) {
        apply(point.sliding, -most - before[0], a, b);  // along the direction of sliding
        point.grip[0] = -most;
        return;
    }
    if (point.friction == 0 || point.frictionResponse <= 0 || (most == 0 && before.isZero(0))) return;
    const Eigen::Vector2d slip = Eigen::Vector2d(rateOf(point.first, a, b), rateOf(point.second, a, b)) - point.surface;
    Eigen::Vector2d& friction = point.grip;
    friction -= slip / point.frictionResponse;
    const double size = friction.norm();
    if (size > most) friction *= most / size;
    apply(point.first, friction[0] - before[0], a, b);
    apply(point.second, friction[1] - before[1], a, b);
}

void ContactGaussSeidel::applyTorque(const Point& point, const Eigen::Vector3d& torque,
                                     std::vector<Vector6>& velocities) {
    const double amount = torque.norm();
    if (amount > 0) apply(pushOf(rowAbout(point.normal.a, point.normal.b, torque / amount)), amount, velocities);
}

// Against spinning first, then against rolling.
void ContactGaussSeidel::pushTurning(const Point& point, std::vector<Vector6>& velocities) {
    Eigen::Vector3d& torque = m_impulses[point.contact].torque;
    const Eigen::Vector3d normal = point.normal.gradientA.head<3>();
    const auto turn = [&] {
        Eigen::Vector3d w = Eigen::Vector3d::Zero();
        if (point.normal.a >= 0) w += velocities[static_cast<std::size_t>(point.normal.a)].tail<3>();
        if (point.normal.b >= 0) w -= velocities[static_cast<std::size_t>(point.normal.b)].tail<3>();
        return w;
    };
    const auto response = [&](const Eigen::Vector3d& axis) {
        return m_frame->responseOf(rowAbout(point.normal.a, point.normal.b, axis));
    };
    const Eigen::Vector3d before = torque;
    const double spinBefore = normal.dot(before);
    double spin = spinBefore;
    const double bySpin = response(normal);
    if (point.spins != 0) {
        spin = -point.spins * point.spinning * point.pressure;
    } else if (bySpin > 0) {
        const double most = point.spinning * point.pressure;
        spin = std::clamp(spinBefore - normal.dot(turn()) / bySpin, -most, most);
    }
    applyTorque(point, (spin - spinBefore) * normal, velocities);
    const Eigen::Vector3d rollBefore = before - spinBefore * normal;
    Eigen::Vector3d roll = rollBefore;
    const double most = point.rolling * point.pressure;
    if (!point.rolls.isZero(0)) {
        roll = -most * point.rolls;
    } else {
        const Tangents tangents(normal);
        const double byRoll = std::max(response(tangents.first), response(tangents.second));
        const Eigen::Vector3d w = turn();
        if (byRoll > 0) roll -= (w - normal * normal.dot(w)) / byRoll;
        if (roll.norm() > most) roll *= most / roll.norm();
    }
    applyTorque(point, roll - rollBefore, velocities);
    torque = spin * normal + roll;
}

double ContactGaussSeidel::sweep(std::vector<Vector6>& velocities) {
    m_change = 0;
    m_work += price::kSweepPoint * pushCount();
    for (std::size_t k = 0; k < m_frame->jointCount(); ++k) {
        if (!(m_linkResponses[k] > 0)) continue;
        const double impulse = (m_jointRates[k] - rateOf(m_frame->row(k), velocities)) / m_linkResponses[k];
        apply(m_linkPushes[k], impulse, velocities);
        m_links[k] += impulse;
    }
    for (const Bounded& bounded : m_bounded) {
        pushLink(bounded.row, bounded.wanted, bounded.lower, bounded.upper, velocities);
    }
    for (Point& point : m_points) {
        Vector6& a = point.normal.a >= 0 ? velocities[static_cast<std::size_t>(point.normal.a)] : m_world;
        Vector6& b = point.normal.b >= 0 ? velocities[static_cast<std::size_t>(point.normal.b)] : m_world;
        if (!point.isSoft) {
            const double missing = point.wanted - rateOf(point.normal, a, b);
            const double impulse = std::max(0., point.pressure + missing / point.normalResponse);
            apply(point.normal, impulse - point.pressure, a, b);
            point.pressure = impulse;
        }
        pushFriction(point, a, b);
        if (point.rolling > 0 || point.spinning > 0) pushTurning(point, velocities);
    }
    return m_change;
}

void ContactGaussSeidel::collect() {
    for (const Point& point : m_points) {
        PointImpulse& sum = m_impulses[point.contact];
        const auto along = [](const Push& push) { return push.gradientA.head<3>(); };
        sum.normal = point.pressure;
        sum.friction = point.slides ? Eigen::Vector3d(point.grip[0] * along(point.sliding))
                                    : point.grip[0] * along(point.first) + point.grip[1] * along(point.second);
    }
}

int ContactGaussSeidel::run(std::vector<Vector6>& velocities, int most, double settled, bool withLeaps) {
    double scale = 0;
    int cost = 0;
    int untilLeap = kSweepsToLeap;
    for (bool isSettled = false; cost < most && !isSettled;) {
        const double change = sweep(velocities);
        ++cost;
        scale = std::max(scale, change);
        isSettled = change <= settled * scale;
        if (!withLeaps || isSettled || --untilLeap > 0) continue;
        untilLeap = kSweepsToLeap;
        leap(velocities);
        cost += kLeapCost;
    }
    collect();
    return cost;
}

}  // namespace elasto::flow
