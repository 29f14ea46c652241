#include "characteristic.h"

#include <algorithm>
#include <cmath>

namespace elasto::reference {

Characteristic::Characteristic(const Law& law) {
    const ReducedLaw form = reduced(law);
    m_kind = form.kind;
    m_c = form.c - form.c_slip;
    m_d = form.d;
    m_table = form.table;
    m_n = form.n;
    m_s_ref = form.s_ref;
    m_low = form.edgeLow;
    m_high = form.edgeHigh;
    m_c_slip = form.c_slip;
    m_f_slip = form.f_slip;
    m_f_max = form.f_max;
    m_y_max = form.y_max;
    m_d_rebound = form.d_rebound;
    m_hasRebound = form.hasRebound;
    m_below = form.below;
    m_above = form.above;
    m_limited = form.bounded;
    m_slackens = form.noPull;
    m_lankarani = form.lankarani;
    m_powerlessLimit = m_limited && m_c == 0;
    m_lossEndsWithForce = m_below && m_above;
}

// The power is continued oddly to y < 0, where only trial points of the integrator lie.
double Characteristic::springForce(double y) const {
    if (!m_table.isEmpty()) return m_table.force(y);
    if (m_n == 1) return m_c * y;
    return std::copysign(m_c * m_s_ref * std::pow(std::abs(y) / m_s_ref, m_n), y);
}

double Characteristic::springSlope(double y) const {
    if (!m_table.isEmpty()) return m_table.slope(y);
    return m_n == 1 ? m_c : m_c * m_n * std::pow(std::abs(y) / m_s_ref, m_n - 1);
}

double Characteristic::springEnergy(double y) const {
    if (!m_table.isEmpty()) return m_table.energy(y);
    if (m_n == 1) return m_c * y * y / 2;
    return m_c * m_s_ref * m_s_ref / (m_n + 1) * std::pow(std::abs(y) / m_s_ref, m_n + 1);
}

double Characteristic::damperForce(int side, double y, double u) const {
    return m_lankarani ? m_d * std::pow(std::abs(y) / m_s_ref, m_n) * u : damping(side) * u;
}

double Characteristic::passiveDamperLength(double s, double s_damper) const {
    return m_kind == Kind::Series && m_d == 0 && m_c > 0 ? s - m_high : s_damper;
}

double Characteristic::damperRate(Branch branch, double f, double v) const {
    if (slides()) return branch.part == Part::Slips ? 0 : v;
    return hasDamperState() ? f / m_d : 0;
}

Branch Characteristic::branchAt(double s, double v, double s_damper) const {
    if (m_kind == Kind::Slip) {
        const double h = m_c_slip * (s - m_high - s_damper);
        const bool slips = std::abs(h) >= (1 - 1e-12) * m_f_slip && h * v > 0;
        return slips ? Branch{Part::Slips, h > 0 ? +1 : -1} : Branch{Part::Proportional, +1};
    }
    if (m_kind == Kind::Friction && v != 0) return {Part::Slips, v > 0 ? +1 : -1};
    if (m_hasRebound) return {Part::Proportional, v > 0 ? +1 : -1};
    if (m_kind != Kind::Contact) return {Part::Proportional, +1};
    const int side = sideAt(s);
    const double y = stretch({Part::Apart, side}, s, s_damper);
    if (!(y > 0)) return {Part::Apart, side};
    if (y >= (1 - 1e-12) * m_y_max && side * v > 0) return {Part::Slips, side};
    const double spring = springForce(std::min(y, m_y_max));
    const double damper = damperForce(side, y, side * v);
    if (isLimited() && spring + std::min(spring, damper) > m_f_max) return {Part::Full, side};
    if (m_powerlessLimit || (m_limited && damper > spring)) return {Part::Limited, side};
    if (m_slackens && damper < -spring) return {Part::Slack, side};
    return {Part::Proportional, side};
}

BranchForce Characteristic::force(Branch branch, double s, double v, double s_damper) const {
    BranchForce out;
    ForceTerms& terms = out.terms;
    terms.contact = inContact(branch);
    if (m_kind == Kind::Series) {
        terms.f = hasDamperState() ? m_c * (s - m_high - s_damper) : 0;
        terms.f_c = terms.f_d = terms.f_d2 = terms.f;
        out.lossPower = out.dissipatedPower = terms.f * damperRate(branch, terms.f, v);
        return out;
    }
    if (branch.part == Part::Apart) {
        if (m_below && m_above) terms.f_d2 = m_d * v;  // Modelica's tau_d goes on within the play
        return out;
    }
    if (m_kind == Kind::Slip) {
        const bool slips = branch.part == Part::Slips;
        const double h = slips ? branch.side * m_f_slip : m_c_slip * (s - m_high - s_damper);
        terms.f_c = m_c * (s - m_high) + h;
        terms.f_d = terms.f_d2 = m_d * v;
        terms.f = terms.f_c + terms.f_d;
        out.lossPower = out.dissipatedPower = m_d * v * v + (slips ? h * v : 0);
        return out;
    }

    const double y = stretch(branch, s, s_damper);
    const double spring = branch.part == Part::Slips ? m_f_max : springForce(y);
    const double damper = damperForce(branch.side, y, branch.side * v);
    double total = spring + damper;
    if (branch.part == Part::Limited) total = 2 * spring;
    if (branch.part == Part::Slack) total = 0;
    if (branch.part == Part::Full || branch.part == Part::Slips) total = m_f_max;
    terms.f = branch.side * total;
    terms.f_c = branch.side * spring;
    terms.f_d = branch.part == Part::Proportional ? branch.side * damper : terms.f - terms.f_c;
    terms.f_d2 = branch.side * damper;
    out.dissipatedPower = (branch.part == Part::Slips ? terms.f : terms.f_d) * v;
    out.lossPower = m_lossEndsWithForce && branch.part == Part::Slack ? 0 : out.dissipatedPower;
    return out;
}

double Characteristic::storedEnergy(double s, double s_damper) const {
    if (m_kind == Kind::Series) {
        const double stretch = s - m_high - s_damper;
        return hasDamperState() ? m_c * stretch * stretch / 2 : 0;
    }
    if (m_kind == Kind::SpringDamper) return springEnergy(s - m_high);
    if (m_kind == Kind::Friction) return 0;
    if (m_kind == Kind::Slip) {
        const double stretch = s - m_high - s_damper;
        return springEnergy(s - m_high) + m_c_slip * stretch * stretch / 2;
    }
    const double y = stretch({Part::Apart, sideAt(s)}, s, s_damper);
    return y > 0 ? springEnergy(std::min(y, m_y_max)) : 0;
}

Characteristic::Boundaries Characteristic::boundaries(Branch branch, double s, double v, double s_damper) const {
    Boundaries out = {1, 1, 1};
    if (m_hasRebound) out[1] = branch.side * v;
    if (m_kind == Kind::Slip) {
        const double h = m_c_slip * (s - m_high - s_damper);
        if (branch.part == Part::Slips) {
            out[1] = branch.side * v;
        } else {
            out[1] = m_f_slip - h;
            out[2] = m_f_slip + h;
        }
        return out;
    }
    if (m_kind != Kind::Contact) return out;
    if (branch.part == Part::Apart) {
        out[0] = -stretch({Part::Apart, m_below ? -1 : +1}, s, s_damper);
        if (m_below && m_above) out[1] = -penetration(s, +1);
        return out;
    }
    const double y = stretch(branch, s, s_damper);
    if (isLimited()) return limitedBoundaries(branch, y, branch.side * v);
    out[0] = y;
    if (!damperActs() || (m_lankarani && !m_slackens))
        return out;  // total force has the spring's sign, or may have any
    // Where damping grows with the penetration both vanish together, and what is compared is divided by it.
    const double spring = m_lankarani ? m_c * m_s_ref : springForce(y);
    const double damper = m_lankarani ? m_d * branch.side * v : damperForce(branch.side, y, branch.side * v);
    switch (branch.part) {
        case Part::Limited:
            out[1] = damper - spring;
            break;
        case Part::Slack:
            out[2] = -spring - damper;
            break;
        case Part::Proportional:
            if (m_limited) out[1] = spring - damper;
            if (m_slackens) out[2] = spring + damper;
            break;
        case Part::Slips:
        case Part::Full:
        case Part::Apart:
            break;
    }
    return out;
}

Characteristic::Boundaries Characteristic::limitedBoundaries(Branch branch, double y, double u) const {
    const double spring = springForce(y), damper = m_d * u;
    switch (branch.part) {
        case Part::Limited:
            return {y, damper - spring, m_f_max - 2 * spring};
        case Part::Slack:
            return {y, 1, -spring - damper};
        case Part::Proportional:
            if (damperActs()) return {m_f_max - spring - damper, spring - damper, spring + damper};
            return {y, m_y_max - y, 1};
        case Part::Full:
            return {1, spring + damper - m_f_max, m_y_max - y};
        case Part::Slips:
            return {1, u, 1};
        case Part::Apart:
            break;
    }
    return {1, 1, 1};
}

Branch Characteristic::beyondLimited(Branch branch, int index) const {
    const bool damps = damperActs();
    switch (branch.part) {
        case Part::Limited:
            return {index == 0 ? Part::Apart : index == 1 ? Part::Proportional : Part::Full, branch.side};
        case Part::Slack:
            return {index == 0 ? Part::Apart : Part::Proportional, branch.side};
        case Part::Proportional:
            if (!damps) return {index == 0 ? Part::Apart : Part::Slips, branch.side};
            return {index == 0 ? Part::Full : index == 1 ? Part::Limited : Part::Slack, branch.side};
        case Part::Full:
            return {index == 1 ? Part::Proportional : Part::Slips, branch.side};
        case Part::Slips:
        case Part::Apart:
            break;
    }
    return {Part::Proportional, branch.side};
}

Branch Characteristic::beyond(Branch branch, int index, double v) const {
    if (branch.part == Part::Apart) {
        const int side = index == 0 && m_below ? -1 : +1;
        const bool damps = damperActs() && side * v > 0;
        return {m_powerlessLimit || (m_limited && damps) ? Part::Limited : Part::Proportional, side};
    }
    if (m_hasRebound) return {Part::Proportional, -branch.side};
    if (isLimited()) return beyondLimited(branch, index);
    if (m_kind == Kind::Slip) {
        if (branch.part == Part::Slips) return {Part::Proportional, +1};
        return {Part::Slips, index == 1 ? +1 : -1};
    }
    if (index == 0) return {Part::Apart, branch.side};
    if (branch.part == Part::Proportional) return {index == 1 ? Part::Limited : Part::Slack, branch.side};
    return {Part::Proportional, branch.side};
}

Characteristic::Boundaries Characteristic::boundaryNoise(Branch branch, double s, double v, double ds,
                                                         double dv) const {
    if (branch.part == Part::Apart || !hasBranches()) return {ds, ds, ds};
    if (m_kind == Kind::Slip) {
        const double force = m_c_slip * ds;
        return {ds, branch.part == Part::Slips ? dv : force, force};
    }
    if (m_hasRebound || (isLimited() && branch.part == Part::Slips)) return {dv, dv, dv};
    // The stretch of a limited contact is not known here, but it is y_max at most.
    const double y = isLimited() ? m_y_max : penetration(s, branch.side);
    double force = springSlope(y) * ds + m_d * dv;
    // Close to the edge a slope that vanishes there says too little.
    force += std::abs(springForce(ds)) + 1e-15 * m_d * std::abs(v);
    const bool areForces = isLimited() && distanceCount(branch) == 0;
    return {areForces ? force : ds, force, isLimited() && branch.part == Part::Full ? ds : force};
}

double Characteristic::largestEdge() const {
    return std::max(std::abs(m_low), std::abs(m_high));
}

}  // namespace elasto::reference
