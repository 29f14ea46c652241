#include "numerics/dormand_prince.h"

namespace elasto::flow {

namespace {

constexpr double kC[7] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr double kA21 = 1. / 5;
constexpr double kA31 = 3. / 40, kA32 = 9. / 40;
constexpr double kA41 = 44. / 45, kA42 = -56. / 15, kA43 = 32. / 9;
constexpr double kA51 = 19372. / 6561, kA52 = -25360. / 2187, kA53 = 64448. / 6561, kA54 = -212. / 729;
constexpr double kA61 = 9017. / 3168, kA62 = -355. / 33, kA63 = 46732. / 5247, kA64 = 49. / 176, kA65 = -5103. / 18656;
/// Weights of the result of order 5; they are the coefficients of the last stage, too.
constexpr double kB[7] = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84, 0};
/// Weights of the result of order 5 minus those of order 4.
constexpr double kE[7] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};
/// Highest term of the dense output.
constexpr double kD[7] = {-12715105075. / 11282082432,  0,
                          87487479700. / 32700410799,   -10690763975. / 1880347072,
                          701980252875. / 199316789632, -1453857185. / 822651844,
                          69997945. / 29380423};

}  // namespace

void DormandPrince::start(HybridSystem& system, double t, const Eigen::VectorXd& y, bool continues) {
    if (m_end.size() != y.size()) {
        for (Eigen::VectorXd& k : m_k) k.resize(y.size());
        m_end.resize(y.size());
        m_error.resize(y.size());
        m_stage.resize(y.size());
        continues = false;
    }
    m_t = t;
    m_start = y;
    if (continues) {
        m_k[0].swap(m_k[6]);
    } else {
        system.derivative(t, y, m_k[0]);
    }
}

bool DormandPrince::step(HybridSystem& system, double dt) {
    m_dt = dt;
    const auto& k = m_k;
    m_stage = m_start + dt * kA21 * k[0];
    system.derivative(m_t + kC[1] * dt, m_stage, m_k[1]);
    m_stage = m_start + dt * (kA31 * k[0] + kA32 * k[1]);
    system.derivative(m_t + kC[2] * dt, m_stage, m_k[2]);
    m_stage = m_start + dt * (kA41 * k[0] + kA42 * k[1] + kA43 * k[2]);
    system.derivative(m_t + kC[3] * dt, m_stage, m_k[3]);
    m_stage = m_start + dt * (kA51 * k[0] + kA52 * k[1] + kA53 * k[2] + kA54 * k[3]);
    system.derivative(m_t + kC[4] * dt, m_stage, m_k[4]);
    m_stage = m_start + dt * (kA61 * k[0] + kA62 * k[1] + kA63 * k[2] + kA64 * k[3] + kA65 * k[4]);
    system.derivative(m_t + kC[5] * dt, m_stage, m_k[5]);
    m_end = m_start + dt * (kB[0] * k[0] + kB[2] * k[2] + kB[3] * k[3] + kB[4] * k[4] + kB[5] * k[5]);
    system.derivative(m_t + dt, m_end, m_k[6]);
    m_error = dt * (kE[0] * k[0] + kE[2] * k[2] + kE[3] * k[3] + kE[4] * k[4] + kE[5] * k[5] + kE[6] * k[6]);
    return true;
}

void DormandPrince::interpolate(double theta, Eigen::Ref<Eigen::VectorXd> y) const {
    const Eigen::Index n = y.size();
    const double rest = 1 - theta;
    y = m_start.head(n);
    for (int j = 0; j < 7; ++j) {
        const double first = j == 0 ? 1 : 0;
        const double last = j == 6 ? 1 : 0;
        const double quadratic = first - kB[j];
        const double cubic = kB[j] - last - quadratic;
        const double weight = theta * (kB[j] + rest * (quadratic + theta * (cubic + rest * kD[j])));
        y += m_dt * weight * m_k[j].head(n);
    }
}

}  // namespace elasto::flow
