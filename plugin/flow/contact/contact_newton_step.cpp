// Leaps of sweeps over contacts: Newton's method on what presses and does not slip.

#include "contact/contact_gauss_seidel.h"

#include "numerics/cost_model.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// Share of the most that friction can have from which on it slips.
constexpr double kSlipping = 1 - 1e-9;
constexpr std::size_t kPerPoint = 3;

}  // namespace

void ContactGaussSeidel::listRows() {
    m_isListed = true;
    m_roots.clear();
    for (std::size_t i = 0; i < m_frame->network().bodies.size(); ++i) m_roots.push_back(m_frame->root(i));
    m_rows.clear();
    for (const Push& link : m_linkPushes) m_rows.push_back(link);
    for (const Point& point : m_points) {
        m_rows.push_back(point.normal);
        m_rows.push_back(point.slides ? point.sliding : point.first);
        m_rows.push_back(point.second);
    }
    m_factor.setBodies(m_roots);
    m_factor.setRows(m_rows);
}

void ContactGaussSeidel::chooseHeld(const std::vector<Vector6>& velocities) {
    m_modes.assign(m_rows.size(), RowMode());
    m_missing.assign(m_rows.size(), 0);
    const auto hold = [&](std::size_t row, double wanted) {
        m_modes[row] = RowMode::held();
        m_missing[row] = wanted - rateOf(m_rows[row], velocities);
    };
    for (std::size_t k = 0; k < m_jointRates.size(); ++k) {
        if (m_linkResponses[k] > 0) hold(k, m_jointRates[k]);
    }
    for (const Bounded& bounded : m_bounded) {
        const double impulse = m_links[bounded.row];
        const bool isWithin = bounded.lower < impulse && impulse < bounded.upper;
        if (isWithin && m_linkResponses[bounded.row] > 0) hold(bounded.row, bounded.wanted);
    }
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Point& point = m_points[i];
        const std::size_t row = m_linkPushes.size() + kPerPoint * i;
        if (point.isSoft || !(point.pressure > 0)) continue;
        hold(row, point.wanted);
        if (!(point.friction > 0)) continue;
        if (point.slides) {
            m_modes[row + 1] = RowMode::riding(static_cast<int>(row), -point.friction);
        } else if (point.grip.norm() < kSlipping * point.friction * point.pressure) {
            hold(row + 1, point.surface[0]);
            hold(row + 2, point.surface[1]);
        }
    }
}

// Impulses stay within their bounds.
void ContactGaussSeidel::aim() {
    for (const Bounded& bounded : m_bounded) {
        const double impulse = m_links[bounded.row];
        m_steps[bounded.row] = std::clamp(impulse + m_steps[bounded.row], bounded.lower, bounded.upper) - impulse;
    }
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Point& point = m_points[i];
        if (point.isSoft) continue;
        double* const steps = &m_steps[m_linkPushes.size() + kPerPoint * i];
        const double pressure = std::max(0., point.pressure + steps[0]);
        const double most = point.friction * pressure;
        steps[0] = pressure - point.pressure;
        if (point.slides) {
            steps[1] = -most - point.grip[0];
            continue;
        }
        Eigen::Vector2d grip = point.grip + Eigen::Vector2d(steps[1], steps[2]);
        if (grip.norm() > most) grip *= most / grip.norm();
        steps[1] = grip[0] - point.grip[0];
        steps[2] = grip[1] - point.grip[1];
    }
}

// Kinetic energy and what the wanted rates count against it, along the way: a parabola.
bool ContactGaussSeidel::takesEnergy(const std::vector<Vector6>& velocities, double& share) const {
    double slope = 0, curvature = 0;
    const auto add = [&](std::size_t row, double wanted) {
        if (m_steps[row] == 0) return;
        slope += m_steps[row] * (rateOf(m_rows[row], velocities) - wanted);
        curvature += m_steps[row] * rateOf(m_rows[row], m_way);
    };
    for (std::size_t k = 0; k < m_jointRates.size(); ++k) add(k, m_jointRates[k]);
    for (const Bounded& bounded : m_bounded) add(bounded.row, bounded.wanted);
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Point& point = m_points[i];
        const std::size_t row = m_linkPushes.size() + kPerPoint * i;
        add(row, point.wanted);
        add(row + 1, point.slides ? 0 : point.surface[0]);
        add(row + 2, point.surface[1]);
    }
    if (!(slope < 0) || !(curvature > 0)) return false;
    share = std::min(1., -slope / curvature);
    return true;
}

void ContactGaussSeidel::step(double share, std::vector<Vector6>& velocities) {
    for (std::size_t k = 0; k < m_links.size(); ++k) m_links[k] += share * m_steps[k];
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        Point& point = m_points[i];
        const double* const steps = &m_steps[m_linkPushes.size() + kPerPoint * i];
        if (point.isSoft) continue;
        point.pressure += share * steps[0];
        point.grip += share * Eigen::Vector2d(steps[1], steps[2]);
    }
    for (std::size_t i = 0; i < velocities.size(); ++i) velocities[i] += share * m_way[i];
}

bool ContactGaussSeidel::leap(std::vector<Vector6>& velocities) {
    if (!m_isListed) listRows();
    m_work += price::kLeapPoint * pushCount();
    chooseHeld(velocities);
    m_steps.resize(m_rows.size());
    m_way.resize(velocities.size());
    if (!m_factor.factor(m_modes)) return false;
    m_factor.solve(m_missing, m_steps, m_way);
    aim();
    std::fill(m_way.begin(), m_way.end(), Vector6::Zero());
    for (std::size_t r = 0; r < m_rows.size(); ++r) {
        if (m_steps[r] != 0) m_frame->push(m_rows[r], m_steps[r], m_way);
    }
    double share = 1;
    if (!m_hasSliding && !takesEnergy(velocities, share)) return false;
    step(share, velocities);
    return true;
}

}  // namespace elasto::flow
