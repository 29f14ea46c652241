#include "numerics/split_rosenbrock.h"

#include "numerics/rosenbrock_w_coefficients.h"
#include "numerics/tuning.h"

namespace elasto::flow {
void SplitRosenbrock::begin(SplitSystem& system) {
    m_system = &system;
    m_knows = false;
    const Eigen::Index n = system.size();
    for (Eigen::VectorXd* vector : {&m_slow, &m_slope, &m_slowEnd, &m_newSlope, &m_quick, &m_endQuick, &m_total,
                                    &m_missed, &m_k[0], &m_k[1], &m_k[2], &m_k[3]}) {
        vector->resize(n);
    }
}

void SplitRosenbrock::start(HybridSystem& system, double t, const Eigen::VectorXd& y, bool continues) {
    bool isNew = true;  // the cheap part, or what belongs to it
    if (m_knows && continues) {
        m_slope.swap(m_newSlope);
        m_total = m_slowEnd + m_endQuick;
        isNew = m_system->refreshQuick(y);
        if (!isNew) {
            m_slow.swap(m_slowEnd);
            m_quick.swap(m_endQuick);
        }
    } else if (m_knows && t >= m_t && t <= m_t + m_dt) {
        m_slow += (t - m_t) * m_newSlope;
        m_slope.swap(m_newSlope);
        m_system->quick(t, y, m_quick);  // of the phase that begins
        isNew = false;
    } else {
        system.derivative(t, y, m_total);
        m_system->refreshQuick(y);
        m_slope.setZero();
    }
    system.linearise(t, y);
    if (isNew) {
        m_system->quick(t, y, m_quick);
        m_slow = m_total - m_quick;
    }
    m_knows = false;
    m_t = t;
    m_start = y;
}

bool SplitRosenbrock::findStages(double dt) {
    const RosenbrockWCoefficients& method = RosenbrockWCoefficients::get();
    m_dt = dt;
    if (!m_system->factor(1 / (method.gamma * dt))) return false;
    auto& k = m_k;
    const Eigen::Matrix4d& a = method.a;
    const Eigen::Matrix4d c = method.c / dt;
    k[0] = m_slow + m_quick;
    m_system->solve(k[0]);
    m_end = m_start + a(1, 0) * k[0];
    m_system->quick(m_t + method.alpha[1] * dt, m_end, k[1]);
    k[1] += m_slow + (method.alpha[1] * dt) * m_slope + c(1, 0) * k[0];
    m_system->solve(k[1]);
    m_end = m_start + a(2, 0) * k[0] + a(2, 1) * k[1];
    m_system->quick(m_t + method.alpha[2] * dt, m_end, k[2]);
    k[2] += m_slow + (method.alpha[2] * dt) * m_slope + c(2, 0) * k[0] + c(2, 1) * k[1];
    m_system->solve(k[2]);
    m_end = m_start + a(3, 0) * k[0] + a(3, 1) * k[1] + a(3, 2) * k[2];
    m_system->quick(m_t + method.alpha[3] * dt, m_end, k[3]);
    k[3] += m_slow + (method.alpha[3] * dt) * m_slope + c(3, 0) * k[0] + c(3, 1) * k[1] + c(3, 2) * k[2];
    m_system->solve(k[3]);
    const Eigen::Vector4d& result = method.result;
    m_end = m_start + result[0] * k[0] + result[1] * k[1] + result[2] * k[2] + result[3] * k[3];
    return true;
}

bool SplitRosenbrock::step(HybridSystem& system, double dt) {
    const RosenbrockWCoefficients& method = RosenbrockWCoefficients::get();
    m_knows = false;
    if (!findStages(dt)) return false;
    m_error = method.error[0] * m_k[0] + method.error[1] * m_k[1] + method.error[2] * m_k[2] + method.error[3] * m_k[3];
    // Of what is stiff the estimate says more than the step gets wrong.
    system.solve(m_error);
    m_error /= method.gamma * dt;
    if (!(system.errorNorm(m_error, m_start, dt) <= 1)) return true;  // no step to take

    system.derivative(m_t + dt, m_end, m_total);
    m_system->quick(m_t + dt, m_end, m_endQuick);
    m_slowEnd = m_total - m_endQuick;
    m_missed = m_slowEnd - m_slow - dt * m_slope;
    m_newSlope = m_slope + m_missed / dt;
    // What grows evenly to the missed rate moves the end by half of it, or as far as what is stiff allows.
    m_missed *= 0.5 * dt;
    if (system.errorNorm(m_missed, m_start, dt) > kNegligible) {
        m_missed /= method.gamma * dt;
        system.solve(m_missed);
        m_end += m_missed;
        m_error = m_error.cwiseAbs() + kDoubt * m_missed.cwiseAbs();
        m_system->quick(m_t + dt, m_end, m_endQuick);
    } else {
        m_end += m_missed;
    }
    m_knows = true;
    return true;
}

bool SplitRosenbrock::shorten(HybridSystem& /*system*/, double dt) {
    if (m_knows) m_slope = m_newSlope;
    m_knows = false;
    if (!findStages(dt)) return false;
    m_system->quick(m_t + dt, m_end, m_endQuick);
    m_slowEnd = m_slow + dt * m_slope;
    m_newSlope = m_slope;
    m_knows = true;
    return true;
}

void SplitRosenbrock::interpolate(double theta, Eigen::Ref<Eigen::VectorXd> y) const {
    const Eigen::Index n = y.size();
    const double rest = 1 - theta;
    // y0 + (1 - rest^2) (y1 - y0) - theta rest dt y1'
    y = rest * rest * m_start.head(n) + (1 - rest * rest) * m_end.head(n) -
        (theta * rest * m_dt) * (m_slowEnd.head(n) + m_endQuick.head(n));
}

}  // namespace elasto::flow
