#include "numerics/rodas4.h"

namespace elasto::flow {

namespace {

// The stages are those of the transformed unknowns u_i:
//     (I/(gamma dt) - df/dy) u_i = f(t + alpha_i dt, y + sum_j a_ij u_j) + sum_j c_ij/dt u_j + gamma_i dt df/dt
constexpr double kRodasGamma = 0.25;
constexpr double kAlpha[6] = {0, 0.386, 0.21, 0.63, 1, 1};
constexpr double kGammaSum[6] = {0.25, -0.1043, 0.1035, -0.0362, 0, 0};
/// The last stage adds u_5 to the state of the one before it.
constexpr double kRodasA[5][4] = {{},
                                  {1.544},
                                  {0.9466785280815826, 0.2557011698983284},
                                  {3.314825187068521, 2.896124015972201, 0.9986419139977817},
                                  {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950}};
constexpr double kRodasC[6][5] = {
    {},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}};
/// Dense output: y0 (1 - x) + x (y1 + (1 - x) (sum_j kD2_j u_j + x sum_j kD3_j u_j)).
constexpr double kD2[5] = {10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823,
                           1.025137723295662};
constexpr double kD3[5] = {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386,
                           -6.594389125716872};

}  // namespace

void Rodas4::start(HybridSystem& system, double t, const Eigen::VectorXd& y, bool /*continues*/) {
    if (m_end.size() != y.size()) {
        for (Eigen::VectorXd& k : m_k) k.resize(y.size());
        m_end.resize(y.size());
        m_slope.resize(y.size());
        m_timeDerivative.resize(y.size());
    }
    m_t = t;
    m_start = y;
    system.derivative(t, y, m_slope);
    system.linearise(t, y);
    system.timeDerivative(m_timeDerivative);
}

bool Rodas4::step(HybridSystem& system, double dt) {
    if (!system.factor(1 / (kRodasGamma * dt))) return false;
    for (int i = 0; i < 6; ++i) {
        if (i == 0) {
            m_k[0] = m_slope;
        } else {
            if (i == 5) {
                m_end += m_k[4];
            } else {
                m_end = m_start;
                for (int j = 0; j < i; ++j) m_end += kRodasA[i][j] * m_k[j];
            }
            system.derivative(m_t + kAlpha[i] * dt, m_end, m_k[i]);
            for (int j = 0; j < i; ++j) m_k[i] += (kRodasC[i][j] / dt) * m_k[j];
        }
        if (kGammaSum[i] != 0) m_k[i] += (kGammaSum[i] * dt) * m_timeDerivative;
        system.solve(m_k[i]);
    }
    m_end += m_k[5];
    return true;
}

void Rodas4::interpolate(double theta, Eigen::Ref<Eigen::VectorXd> y) const {
    const Eigen::Index n = y.size();
    const double rest = 1 - theta;
    y = rest * m_start.head(n) + theta * m_end.head(n);
    for (int j = 0; j < 5; ++j) y += theta * rest * (kD2[j] + theta * kD3[j]) * m_k[j].head(n);
}

}  // namespace elasto::flow
