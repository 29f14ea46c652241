#include "tree/backward_euler.h"
#include "tree/tuning.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// Force at the end of a step, and its derivative by the speed there.
struct Force {
    double f = 0;
    double slope = 0;
};

/// Damper's force per speed and its derivative by the penetration.
struct Damping {
    double d = 0;
    double byY = 0;
};

Damping dampingAt(const HybridLaw& law, double y, double ramp) {
    if (law.bounded) return {law.d, 0};
    if (law.lankarani) {
        const double perSpring = law.d / (law.c * law.s_ref);
        if (law.c > 0) return {perSpring * law.springForce(y), perSpring * law.springSlope(y)};
        return {};
    }
    if (y < ramp) return {law.d * y / ramp, law.d / ramp};
    return {law.d, 0};
}

Force pushAt(const HybridLaw& law, double y, double u, double step, double ramp) {
    if (y <= 0) return {};
    if (y >= law.y_max) return {law.f_max, 0};
    const double spring = law.springForce(y);
    const double stiffness = law.springSlope(y);
    const Damping damping = dampingAt(law, y, ramp);
    const double damper = damping.d * u;
    if (spring + std::min(spring, damper) > law.f_max) return {law.f_max, 0};
    if (law.bounded && damper > spring) return {2 * spring, 2 * stiffness * step};
    if (spring + damper <= 0) return {};
    return {spring + damper, (stiffness + damping.byY * u) * step + damping.d};
}

Force forceAt(const HybridLaw& law, double s, double v, double z, double step, double ramp) {
    switch (law.kind) {
        case HybridLaw::Kind::SpringDamper:
            return {law.c * (s - law.edgeHigh) + law.damping(v > 0 ? 1 : -1) * v,
                    law.c * step + law.damping(v > 0 ? 1 : -1)};
        case HybridLaw::Kind::Series: {
            // The damper's own step, z1 = z + step f/d, is part of the force.
            if (law.neverActs()) return {};
            const double c = law.c / (1 + step * law.c / law.d);
            return {c * (s - law.edgeHigh - z), c * step};
        }
        case HybridLaw::Kind::Slip: {
            const Slider slider = sliderAt(law, s, z);
            const double c = law.c - (slider.z == z ? 0 : law.c_slip);
            return {(law.c - law.c_slip) * (s - law.edgeHigh) + slider.force + law.d * v, c * step + law.d};
        }
        case HybridLaw::Kind::Friction:
            return {};
        case HybridLaw::Kind::Contact:
            break;
    }
    const int side = law.deeperSide(s);
    const Force push = pushAt(law, law.penetration(law.isLimited() ? s - z : s, side), side * v, step, ramp);
    return {side * push.f, push.slope};
}

}  // namespace

BackwardEuler::Response BackwardEuler::respond(const Start& start, const Eigen::VectorXd& v) const {
    const Eigen::Index m = m_network.size();
    Response response{Eigen::VectorXd::Zero(v.size()), Eigen::VectorXd::Zero(v.size())};
    const double ramp = kRamp * m_step * m_speed;
    for (std::size_t k = 0; k < m_bounds.size(); ++k) {
        const Bound& bound = m_bounds[k];
        const Eigen::Index i = m + static_cast<Eigen::Index>(k);
        if (bound.most == 0) continue;
        const double perRate = 1 / (kCompliance * m_W(i, i));
        if (bound.isLimit) {
            const double beyond = start.s(i) + m_step * v(i) - bound.bound;
            if (bound.side * beyond >= 0) continue;
            response.impulse(i) = perRate * beyond / m_step;
            response.slope(i) = perRate;
        } else {
            const double wanted = perRate * (v(i) - bound.target);
            response.impulse(i) = std::clamp(wanted, -bound.most, bound.most);
            response.slope(i) = std::abs(wanted) < bound.most ? perRate : 0;
        }
    }
    for (Eigen::Index i = 0; i < m; ++i) {
        const HybridLaw& law = m_network.laws[static_cast<std::size_t>(i)];
        const Force force = forceAt(law, start.s(i) + m_step * v(i), v(i), start.z(i), m_step, ramp);
        response.impulse(i) = m_step * force.f;
        response.slope(i) = m_step * std::max(force.slope, 0.0);
    }
    return response;
}

/// (1 + D W) dx = -residual, brought to a symmetric positive definite system of the elements with D > 0.
Eigen::VectorXd BackwardEuler::newtonStep(const Eigen::VectorXd& residual, const Eigen::VectorXd& slope) const {
    Eigen::VectorXd dx = -residual;
    std::vector<Eigen::Index> stiff;
    for (Eigen::Index i = 0; i < slope.size(); ++i) {
        if (slope(i) > 0) stiff.push_back(i);
    }
    if (stiff.empty()) return dx;
    Eigen::VectorXd others = dx;
    others(stiff).setZero();
    const Eigen::VectorXd moved = m_W * others;
    const Eigen::VectorXd root = slope(stiff).cwiseSqrt();
    Eigen::MatrixXd system = root.asDiagonal() * m_W(stiff, stiff) * root.asDiagonal();
    system.diagonal().array() += 1;
    const Eigen::VectorXd right = dx(stiff).cwiseQuotient(root) - root.cwiseProduct(moved(stiff));
    dx(stiff) = root.cwiseProduct(system.llt().solve(right));
    return dx;
}

/// The solution is the minimum of a convex function of x; its slope along dx rises from a negative value. The share of
/// dx at which it vanishes, or 1 if it is still small there.
double BackwardEuler::stepShare(const Start& start, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                                const Eigen::VectorXd& dx, const Eigen::VectorXd& residual) const {
    const Eigen::VectorXd Wdx = m_W * dx;
    const auto slopeAt = [&](double share) {
        return Wdx.dot(x + share * dx - respond(start, v - share * Wdx).impulse);
    };
    const double enough = 0.5 * std::abs(Wdx.dot(residual));
    if (slopeAt(1) <= enough) return 1;
    double low = 0;
    double high = 1;
    for (int halving = 0; halving < kBackwardEulerHalvings; ++halving) {
        const double middle = 0.5 * (low + high);
        const double slope = slopeAt(middle);
        if (std::abs(slope) <= enough) return middle;
        (slope < 0 ? low : high) = middle;
    }
    return low;
}

/// What is left would change no speed by more than the precision. So it is without rows: bodies that only joints hold.
bool BackwardEuler::isSolved(const Eigen::VectorXd& residual) const {
    return (residual.cwiseAbs().cwiseProduct(m_W.diagonal()).array() <= kPrecision * m_speed).all();
}

Eigen::VectorXd BackwardEuler::impulses(const Eigen::VectorXd& s, const Eigen::VectorXd& z,
                                        const Eigen::VectorXd& freeVelocity) const {
    const Start start{s, z};
    Eigen::VectorXd x = Eigen::VectorXd::Zero(freeVelocity.size());
    for (int iteration = 0; iteration < kBackwardEulerIterations; ++iteration) {
        const Eigen::VectorXd v = freeVelocity - m_W * x;
        const Response response = respond(start, v);
        const Eigen::VectorXd residual = x - response.impulse;
        // Elements that cannot be moved (W = 0) only need the one step that is always made.
        if (iteration > 0 && isSolved(residual)) break;
        const Eigen::VectorXd dx = newtonStep(residual, response.slope);
        x += stepShare(start, x, v, dx, residual) * dx;
    }
    return x.allFinite() ? x : Eigen::VectorXd::Zero(freeVelocity.size());
}

}  // namespace elasto::flow
