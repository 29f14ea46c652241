#include "implicit/element_push.h"

#include "implicit/tuning.h"
#include "numerics/infinity.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow::implicit {

namespace {

/// Of the penetration: a displacement below which a chord is mostly rounding. There Simpson's rule is exact to 1e-13.
constexpr double kShortDisplacement = 1e-3;

/// A mean over the drift, and its derivative by the penetration at its end.
struct Mean {
    double value = 0;
    double slope = 0;
};

/// Of the elastic force at the end. Beyond y_max the edge gives way.
Mean elasticAtEnd(const HybridLaw& law, double y1) {
    if (y1 <= 0) return {};
    if (y1 > law.y_max) return {law.f_max, 0};
    return {law.springForce(y1), law.springSlope(y1)};
}

/// Of the elastic force between two penetrations of one side. A chord's slope of a convex function: it grows with y1.
Mean elastic(const HybridLaw& law, double y0, double y1) {
    if (y0 <= 0 && y1 <= 0) return {};
    if (y0 > 0 && y1 > 0 && y1 <= law.y_max) {
        if (law.n == 1) return {law.c * (y0 + y1) / 2, law.c / 2};
        const double displacement = y1 - y0;
        if (std::abs(displacement) < kShortDisplacement * y0) {
            const double middle = (y0 + y1) / 2;
            return {(law.springForce(y0) + 4 * law.springForce(middle) + law.springForce(y1)) / 6,
                    (2 * law.springSlope(middle) + law.springSlope(y1)) / 6};
        }
        const double f = (law.springEnergy(y1) - law.springEnergy(y0)) / displacement;
        return {f, (law.springForce(y1) - f) / displacement};
    }
    const double displacement = y1 - y0;
    if (y0 >= law.y_max && y1 > law.y_max) return {law.f_max, 0};
    if (y1 > law.y_max) {
        const double stored = law.springEnergy(law.y_max) - law.springEnergy(std::max(y0, 0.));
        const double f = (stored + law.f_max * (y1 - law.y_max)) / displacement;
        return {f, (law.f_max - f) / displacement};
    }
    const double f = (law.springEnergy(std::max(y1, 0.)) - law.springEnergy(std::max(y0, 0.))) / displacement;
    return {f, ((y1 > 0 ? law.springForce(y1) : 0) - f) / displacement};
}

/// Of the damper's force: that of the displacement within contact.
Mean damping(const HybridLaw& law, double y0, double y1, double dt) {
    const double in0 = std::max(y0, 0.), in1 = std::max(y1, 0.);
    if (!law.lankarani) return {law.d * (in1 - in0) / dt, y1 > 0 ? law.d / dt : 0};
    const double scale = law.d * law.s_ref / ((law.n + 1) * dt);
    const double rate = law.d / dt;
    return {scale * (std::pow(in1 / law.s_ref, law.n + 1) - std::pow(in0 / law.s_ref, law.n + 1)),
            rate * std::pow(in1 / law.s_ref, law.n)};
}

}  // namespace

bool isOverdamped(const HybridLaw& law, double s, double response, double dt) {
    if (law.kind == HybridLaw::Kind::Series || law.kind == HybridLaw::Kind::Friction) return false;
    const bool isGap = law.kind == HybridLaw::Kind::Contact;
    const double depth = isGap ? std::max(law.depth(s), 0.) : 0;
    const double slope = isGap && law.n != 1 ? law.springSlope(depth) : law.c;
    const double square = slope * response * dt * dt, strength = law.largestDamping() * response * dt;
    return square > 1 && strength > kStrong && !(isGap && strength * strength <= 4 * square);
}

ElementDrift::ElementDrift(const HybridLaw& law, double s0, double z0, double dt, double response, Form form)
    : m_law(&law), m_s(s0), m_z(z0), m_dt(dt), m_keeps(form == Form::KeepsEnergy) {
    if (!m_keeps) return;
    m_spring = 0.5;
    if (law.kind == HybridLaw::Kind::Contact && law.n == 1) {
        const double square = law.c * response * dt * dt;
        m_damper = square < kInfinity ? 1 + square / (6 + square) : 2;
    }
    double d = m_damper * law.largestDamping();
    if (law.lankarani) {
        d *= std::pow(std::max(law.depth(s0), 0.) / law.s_ref, law.n);
    }
    const double strength = d * response * dt;  // share of the rate that it takes within the drift
    if (strength < kInfinity && strength > 0) m_share = std::max(0.5, 1 - 1 / strength);
    if (strength == 0) m_share = 0.5;
}

Push ElementDrift::at(double u) const {
    switch (m_law->kind) {
        case HybridLaw::Kind::SpringDamper:
            return springDamper(u);
        case HybridLaw::Kind::Contact:
            return contact(u);
        case HybridLaw::Kind::Series:
            return series(u);
        case HybridLaw::Kind::Slip:
            return slider(u);
        case HybridLaw::Kind::Friction:
            break;
    }
    return {};
}

Push ElementDrift::springDamper(double u) const {
    // Of its force m_spring says where in the drift, too.
    const double c = m_law->c - m_law->c_slip;
    const double spring = c * (m_s + m_spring * m_dt * u - m_law->edgeHigh);
    const double d = m_law->damping(u > 0 ? 1 : -1);
    const double damper = d * u;
    Push push;
    push.before = m_dt * (m_spring * spring + m_share * damper);
    push.after = m_dt * ((1 - m_spring) * spring + (1 - m_share) * damper);
    push.slope = m_dt * (c * m_dt * m_spring * m_spring + m_share * d);
    push.heat = m_dt * u * (damper + c * (m_spring - 0.5) * m_dt * u);
    push.z = m_z;
    return push;
}

// Beside its spring and damper: the slider's force is the slope of a convex potential of the displacement, quadratic
// until it gives way and then straight. Its discrete gradient keeps the energy but for what the slider takes.
Push ElementDrift::slider(double u) const {
    const double displacement = m_dt * u;
    const double stiffness = m_law->c_slip;
    const Slider start = sliderAt(*m_law, m_s, m_z), end = sliderAt(*m_law, m_s + displacement, start.z);
    const bool sticks = end.z == start.z;
    const double slipped = (end.z - start.z) * end.force;  // heat
    const double stored = (end.force * end.force - start.force * start.force) / (2 * stiffness);
    double force = end.force, slope = sticks ? stiffness : 0;
    if (m_keeps) {
        force = sticks ? (start.force + end.force) / 2 : (stored + slipped) / displacement;
        slope = sticks ? stiffness / 2 : (end.force - force) / displacement;
    }
    Push push = springDamper(u);
    push.before += m_spring * m_dt * force;
    push.after += (1 - m_spring) * m_dt * force;
    push.slope += m_spring * m_dt * m_dt * slope;
    push.heat += m_keeps ? slipped : force * displacement - stored;
    push.z = end.z;
    return push;
}

Push ElementDrift::contact(double u) const {
    Push push;
    push.z = m_z;
    for (const int side : {-1, 1}) {
        if (!m_law->actsOn(side)) continue;
        const double y0 = m_law->penetration(m_law->isLimited() ? m_s - m_z : m_s, side);
        const double y1 = y0 + side * m_dt * u;
        const Mean spring = m_keeps ? elastic(*m_law, y0, y1) : elasticAtEnd(*m_law, y1);
        if (spring.value == 0 && y0 <= 0 && y1 <= 0) continue;
        Mean damper = m_law->d > 0 ? damping(*m_law, y0, y1, m_dt) : Mean{};
        damper.value *= m_damper;
        damper.slope *= m_damper;
        // What slows an approach, and what holds a departure back.
        Mean slows = damper.value > 0 ? damper : Mean{};
        if (m_law->bounded && slows.value > spring.value) slows = spring;
        if (spring.value + slows.value > m_law->f_max) slows = {m_law->f_max - spring.value, -spring.slope};
        Mean holds = damper.value < 0 ? damper : Mean{};
        if (m_law->noPull && -holds.value > spring.value) holds = {-spring.value, -spring.slope};
        const double heldBefore = m_law->noPull ? m_spring : m_share;
        const double before = m_spring * spring.value + m_share * slows.value + heldBefore * holds.value;
        const double slope = m_spring * spring.slope + m_share * slows.slope + heldBefore * holds.slope;
        const double total = spring.value + slows.value + holds.value;
        push.before += side * m_dt * before;
        push.after += side * m_dt * (total - before);
        push.slope += m_dt * m_dt * slope;
        push.heat += (slows.value + holds.value) * (y1 - y0);
        const double end = std::min(y1, m_law->y_max);
        if (!m_keeps) {
            const double stored = m_law->springEnergy(std::max(end, 0.)) - m_law->springEnergy(std::max(y0, 0.));
            push.heat += spring.value * (y1 - y0) - stored;
        } else if (y1 > end) {
            push.heat += m_law->f_max * (y1 - end);
        }
        if (y1 > end) push.z = m_z + (y1 - end);
    }
    return push;
}

// The damper's end moves by dt f / d, with the mean force weighted towards the drift's end where the spring relaxes
// within it.
Push ElementDrift::series(double u) const {
    const double relaxed = m_law->c * m_dt / m_law->d;  // spring's force that the damper takes up within the drift
    const double theta = m_keeps ? std::max(0.5, 1 - 1 / relaxed) : 1;
    const double f0 = m_law->c * (m_s - m_law->edgeHigh - m_z);
    const double share = 1 / (1 + theta * relaxed);
    const double f = (f0 + theta * m_law->c * m_dt * u) * share;
    Push push;
    push.before = m_spring * m_dt * f;
    push.after = (1 - m_spring) * m_dt * f;
    push.slope = m_spring * m_dt * theta * m_law->c * m_dt * share;
    push.z = m_z + m_dt * f / m_law->d;
    const double displacement = m_dt * u - (push.z - m_z);  // of the spring
    push.heat = m_dt * f * u - displacement * (f0 + m_law->c * displacement / 2);
    return push;
}

}  // namespace elasto::flow::implicit
