#include "numerics/rosenbrock_w.h"

#include "numerics/rosenbrock_w_coefficients.h"

#include <Eigen/LU>

namespace elasto::flow {
namespace {

constexpr double kRosGamma = 4.3586652150845900e-01;

}  // namespace

RosenbrockWCoefficients::RosenbrockWCoefficients() : gamma(kRosGamma) {
    Eigen::Matrix4d stages = Eigen::Matrix4d::Zero();
    stages(1, 0) = 8.7173304301691801e-01;
    stages(2, 0) = 8.4457060015369423e-01;
    stages(2, 1) = -1.1299064236484185e-01;
    stages(3, 2) = 1;
    Eigen::Matrix4d matrix = kRosGamma * Eigen::Matrix4d::Identity();
    matrix(1, 0) = -8.7173304301691801e-01;
    matrix(2, 0) = -9.0338057013044082e-01;
    matrix(2, 1) = 5.4180672388095326e-02;
    matrix(3, 0) = 2.4212380706095346e-01;
    matrix(3, 1) = -1.2232505839045147e+00;
    matrix(3, 2) = 5.4526025533510214e-01;
    const Eigen::RowVector4d weights = stages.row(3) + matrix.row(3);
    const Eigen::RowVector4d embedded(3.7810903145819369e-01, -9.6042292212423178e-02, 0.5, 2.1793326075422950e-01);
    const Eigen::Matrix4d inverse = matrix.inverse();
    a = stages * inverse;
    c = Eigen::Matrix4d::Identity() / kRosGamma - inverse;
    alpha = stages.rowwise().sum();
    result = (weights * inverse).transpose();
    error = ((weights - embedded) * inverse).transpose();
}

const RosenbrockWCoefficients& RosenbrockWCoefficients::get() {
    static const RosenbrockWCoefficients instance;
    return instance;
}

void RosenbrockW::start(HybridSystem& system, double t, const Eigen::VectorXd& y, bool continues) {
    if (m_end.size() != y.size()) {
        for (Eigen::VectorXd& k : m_k) k.resize(y.size());
        m_slope.resize(y.size());
        m_endSlope.resize(y.size());
        continues = false;
    }
    m_t = t;
    m_start = y;
    if (continues) {
        m_slope.swap(m_endSlope);
    } else {
        system.derivative(t, y, m_slope);
    }
    system.linearise(t, y);
}

bool RosenbrockW::step(HybridSystem& system, double dt) {
    const RosenbrockWCoefficients& method = RosenbrockWCoefficients::get();
    m_dt = dt;
    if (!system.factor(1 / (kRosGamma * dt))) return false;
    for (int i = 0; i < 4; ++i) {
        if (i == 0) {
            m_k[0] = m_slope;
        } else {
            m_end = m_start;
            for (int j = 0; j < i; ++j) m_end += method.a(i, j) * m_k[j];
            system.derivative(m_t + method.alpha[i] * dt, m_end, m_k[i]);
            for (int j = 0; j < i; ++j) m_k[i] += (method.c(i, j) / dt) * m_k[j];
        }
        system.solve(m_k[i]);
    }
    m_end = m_start + method.result[0] * m_k[0] + method.result[1] * m_k[1] + method.result[2] * m_k[2] +
            method.result[3] * m_k[3];
    m_error = method.error[0] * m_k[0] + method.error[1] * m_k[1] + method.error[2] * m_k[2] + method.error[3] * m_k[3];
    // Of what is stiff the estimate says more than the step gets wrong.
    system.solve(m_error);
    m_error /= kRosGamma * dt;
    system.derivative(m_t + dt, m_end, m_endSlope);
    return true;
}

void RosenbrockW::interpolate(double theta, Eigen::Ref<Eigen::VectorXd> y) const {
    const Eigen::Index n = y.size();
    const double rest = 1 - theta;
    // y0 + (1 - rest^2) (y1 - y0) - theta rest dt y1'
    y = rest * rest * m_start.head(n) + (1 - rest * rest) * m_end.head(n) - (theta * rest * m_dt) * m_endSlope.head(n);
}

}  // namespace elasto::flow
