#include "characteristic.h"

#include <algorithm>
#include <cmath>

namespace elasto::reference {

Characteristic::Characteristic(const Law& law) {
    if (const auto* springDamper = std::get_if<SpringDamperLaw>(&law)) {
        const auto& p = springDamper->parameters();
        m_c = p.c;
        m_d = p.d;
        m_high = p.s_rel0;
    } else if (const auto* series = std::get_if<SpringDamperSeriesLaw>(&law)) {
        const auto& p = series->parameters();
        m_kind = Kind::Series;
        m_c = p.c;
        m_d = p.d;
        m_high = p.s_unstretched;
    } else if (const auto* gap = std::get_if<ElastoGapLaw>(&law)) {
        const auto& p = gap->parameters();
        m_kind = Kind::Contact;
        m_c = p.c;
        m_d = p.d;
        m_n = p.n;
        m_s_ref = p.s_ref;
        m_low = p.s_rel0;
        m_limited = p.characteristic == GapCharacteristic::BoundedDamper;
        m_slackens = m_limited || p.characteristic == GapCharacteristic::NoPull;
        m_lankarani = p.characteristic == GapCharacteristic::LankaraniNikravesh;
        m_powerlessLimit = m_limited && m_c == 0;
    } else if (const auto* backlash = std::get_if<ElastoBacklashLaw>(&law)) {
        const auto& p = backlash->parameters();
        m_c = p.c;
        m_d = p.d;
        m_high = p.phi_rel0;
        if (!backlash->isPlainSpringDamper()) {
            m_kind = Kind::Contact;
            m_low = p.phi_rel0 - p.b / 2;
            m_high = p.phi_rel0 + p.b / 2;
            m_twoSided = true;
            m_limited = p.characteristic == BacklashCharacteristic::BoundedDamper;
            m_slackens = p.characteristic != BacklashCharacteristic::Linear;
            m_lossEndsWithForce = true;
        }
    }
}

// The power is continued oddly to y < 0, where only trial points of the integrator lie.
double Characteristic::springForce(double y) const {
    if (m_n == 1) return m_c * y;
    return std::copysign(m_c * m_s_ref * std::pow(std::abs(y) / m_s_ref, m_n), y);
}

double Characteristic::springSlope(double y) const {
    return m_n == 1 ? m_c : m_c * m_n * std::pow(std::abs(y) / m_s_ref, m_n - 1);
}

double Characteristic::springEnergy(double y) const {
    if (m_n == 1) return m_c * y * y / 2;
    return m_c * m_s_ref * m_s_ref / (m_n + 1) * std::pow(std::abs(y) / m_s_ref, m_n + 1);
}

double Characteristic::damperForce(double y, double u) const {
    return m_lankarani ? m_d * std::pow(std::abs(y) / m_s_ref, m_n) * u : m_d * u;
}

double Characteristic::passiveDamperLength(double s, double s_damper) const {
    return m_kind == Kind::Series && m_d == 0 && m_c > 0 ? s - m_high : s_damper;
}

Branch Characteristic::branchAt(double s, double v) const {
    if (m_kind != Kind::Contact) return {Part::Proportional, +1};
    const int side = m_twoSided && s > m_high ? +1 : -1;
    const double y = penetration(s, side);
    if (!(y > 0)) return {Part::Apart, side};
    const double spring = springForce(y);
    const double damper = damperForce(y, side * v);
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
        out.lossPower = out.dissipatedPower = terms.f * damperRate(terms.f);
        return out;
    }
    if (branch.part == Part::Apart) return out;

    const double y = penetration(s, branch.side);
    const double spring = springForce(y);
    const double damper = damperForce(y, branch.side * v);
    double total = spring + damper;
    if (branch.part == Part::Limited) total = 2 * spring;
    if (branch.part == Part::Slack) total = 0;
    terms.f = branch.side * total;
    terms.f_c = branch.side * spring;
    terms.f_d = branch.part == Part::Proportional ? branch.side * damper : terms.f - terms.f_c;
    terms.f_d2 = branch.side * damper;
    out.dissipatedPower = terms.f_d * v;
    out.lossPower = m_lossEndsWithForce && branch.part == Part::Slack ? 0 : out.dissipatedPower;
    return out;
}

double Characteristic::storedEnergy(double s, double s_damper) const {
    if (m_kind == Kind::Series) {
        const double stretch = s - m_high - s_damper;
        return hasDamperState() ? m_c * stretch * stretch / 2 : 0;
    }
    if (m_kind == Kind::Proportional) return springEnergy(s - m_high);
    const int side = m_twoSided && s > m_high ? +1 : -1;
    const double y = penetration(s, side);
    return y > 0 ? springEnergy(y) : 0;
}

Characteristic::Boundaries Characteristic::boundaries(Branch branch, double s, double v) const {
    Boundaries out = {1, 1, 1};
    if (m_kind != Kind::Contact) return out;
    if (branch.part == Part::Apart) {
        out[0] = -penetration(s, -1);
        if (m_twoSided) out[1] = -penetration(s, +1);
        return out;
    }
    const double y = penetration(s, branch.side);
    out[0] = y;
    if (!damperActs() || m_lankarani) return out;  // total force has the spring's sign, or may have any
    const double spring = springForce(y);
    const double damper = damperForce(y, branch.side * v);
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
        case Part::Apart:
            break;
    }
    return out;
}

Branch Characteristic::beyond(Branch branch, int index, double v) const {
    if (branch.part == Part::Apart) {
        const int side = index == 0 ? -1 : +1;
        const bool damps = damperActs() && side * v > 0;
        return {m_powerlessLimit || (m_limited && damps) ? Part::Limited : Part::Proportional, side};
    }
    if (index == 0) return {Part::Apart, branch.side};
    if (branch.part == Part::Proportional) return {index == 1 ? Part::Limited : Part::Slack, branch.side};
    return {Part::Proportional, branch.side};
}

Characteristic::Boundaries Characteristic::boundaryNoise(Branch branch, double s, double v, double ds,
                                                         double dv) const {
    if (branch.part == Part::Apart || m_kind != Kind::Contact) return {ds, ds, ds};
    const double y = penetration(s, branch.side);
    double force = springSlope(y) * ds + m_d * dv;
    // Close to the edge a slope that vanishes there says too little.
    force += std::abs(springForce(ds)) + 1e-15 * m_d * std::abs(v);
    return {ds, force, force};
}

double Characteristic::largestEdge() const {
    return std::max(std::abs(m_low), std::abs(m_high));
}

}  // namespace elasto::reference
