#pragma once
// One problem for two integrators: the flow's and the independent one.

#include "row_oracle.h"

#include "straight/row_network.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace elasto::test {

/// A network in element coordinates and where it starts.
struct RowProblem {
    OracleNetwork network;
    OracleState start{0};
    double h = 1.0 / 60;

    flow::RowNetwork rows() const {
        flow::RowNetwork rows;
        for (const Law& law : network.laws) rows.laws.push_back(flow::HybridLaw::from(law));
        rows.W.assign(network.W);
        rows.a = network.a;
        return rows;
    }
    flow::RowState state() const {
        const flow::RowNetwork rows = this->rows();
        flow::RowState state;
        state.resize(rows.size());
        state.s = start.row(OracleState::kS);
        state.v = start.row(OracleState::kV);
        state.z = start.row(OracleState::kZ);
        for (Eigen::Index i = 0; i < rows.size(); ++i) {
            const std::size_t k = static_cast<std::size_t>(i);
            state.phases[k] = flow::classify(rows.laws[k], state.s(i), state.v(i), rows.a(i, 0), state.z(i));
        }
        return state;
    }
};

/// A problem of one element.
inline RowProblem singleElement(const Law& law, double W, double a, double s, double v, double h, double z = 0) {
    RowProblem problem;
    problem.network.laws = {law};
    problem.network.W = Eigen::MatrixXd::Constant(1, 1, W);
    problem.network.a = Eigen::MatrixXd::Zero(1, 3);
    problem.network.a(0, 0) = a;
    problem.start = OracleState(1);
    problem.start.y(OracleState::kS, 0) = s;
    problem.start.y(OracleState::kV, 0) = v;
    problem.start.y(OracleState::kZ, 0) = z;
    problem.h = h;
    return problem;
}

/// The tick's end as the start of the next one. As with real bodies the impulses move them:
/// s1 = s0 + v0 h + a h^2/2 - W sigma, v1 = v0 + a h - W P (constant loads).
inline void writeEnd(const flow::RowNetwork& rows, flow::RowState& state, const Eigen::VectorXd& s0,
                     const Eigen::VectorXd& v0) {
    const double h = state.t;
    const Eigen::VectorXd a = rows.a.col(0);
    state.s = s0 + h * v0 + 0.5 * h * h * a - rows.W.times(state.sigma);
    state.v = v0 + h * a - rows.W.times(state.P);
    state.t = 0;
    for (Eigen::VectorXd* sum : {&state.P, &state.sigma, &state.sigmaT, &state.sigmaTT, &state.heat}) sum->setZero();
    for (Eigen::Index i = 0; i < rows.size(); ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        state.phases[k] = flow::classify(rows.laws[k], state.s(i), state.v(i), a(i), state.z(i));
    }
}

/// A sample of errors, for its median and tail.
class Errors {
public:
    void add(double error) { m_values.push_back(error); }
    std::size_t count() const { return m_values.size(); }
    double quantile(double share) {
        std::sort(m_values.begin(), m_values.end());
        return m_values.at(static_cast<std::size_t>(share * static_cast<double>(m_values.size() - 1)));
    }
    double worst() { return quantile(1); }
    /// "median 1e-15, 99.9 % 1e-12, worst 1e-9 of 1000"
    std::string summary();

private:
    std::vector<double> m_values;
};

inline std::string Errors::summary() {
    char text[120];
    std::snprintf(text, sizeof text, "median %.1e, 99 %% %.1e, 99.9 %% %.1e, worst %.1e of %zu", quantile(0.5),
                  quantile(0.99), quantile(0.999), worst(), count());
    return text;
}

}  // namespace elasto::test
