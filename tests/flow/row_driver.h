#pragma once
// Drives a network in element coordinates tick by tick and compares what comes out with a table.

#include "straight/row_network.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace elasto::test {

using flow::HybridLaw;
using flow::RowNetwork;
using flow::RowState;

/// A network of one element on a mass 1/W [kg].
inline RowNetwork alone(const Law& law, double W, double a) {
    RowNetwork network;
    network.laws = {HybridLaw::from(law)};
    network.W.assign(Eigen::MatrixXd::Constant(1, 1, W));
    network.a = Eigen::MatrixXd::Zero(1, 3);
    network.a(0, 0) = a;
    return network;
}

/// A state at rest in time: phases from positions and speeds.
inline RowState startState(const RowNetwork& network, const Eigen::VectorXd& s, const Eigen::VectorXd& v) {
    RowState state;
    state.resize(network.size());
    state.s = s;
    state.v = v;
    for (Eigen::Index i = 0; i < network.size(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        state.phases[k] = classify(network.laws[k], s[i], v[i], network.a(i, 0), 0);
    }
    return state;
}

/// The end of a tick as the start of the next one.
inline void beginTick(RowState& state) {
    state.t = 0;
    for (Eigen::VectorXd RowState::*sum :
         {&RowState::P, &RowState::sigma, &RowState::sigmaT, &RowState::sigmaTT, &RowState::heat}) {
        (state.*sum).setZero();
    }
}

/// Coefficients of 1, t, t^2 of the parabola through a function's values at start, middle and end of a tick.
template <class Function>
Eigen::RowVector3d parabola(const Function& function, double t, double h) {
    const double start = function(t), middle = function(t + h / 2), end = function(t + h);
    return {start, (-3 * start + 4 * middle - end) / h, (2 * start - 4 * middle + 2 * end) / (h * h)};
}

/// Rms and range of what was compared.
class Deviation {
public:
    void add(double value, double reference) {
        m_squares += (value - reference) * (value - reference);
        m_least = std::min(m_least, reference);
        m_most = std::max(m_most, reference);
        ++m_count;
    }
    int count() const { return m_count; }
    double nrmse() const { return std::sqrt(m_squares / m_count) / (m_most - m_least); }

private:
    double m_squares = 0;
    double m_least = INFINITY;
    double m_most = -INFINITY;
    int m_count = 0;
};

/// A table with quoted column names in its first line.
class Table {
public:
    explicit Table(const std::string& path) {
        std::ifstream file(path);
        if (!file) throw std::runtime_error("cannot read " + path);
        std::string line, cell;
        std::getline(file, line);
        for (std::istringstream cells(line); std::getline(cells, cell, ',');) {
            m_names.push_back(cell.substr(1, cell.size() - 2));
        }
        while (std::getline(file, line)) {
            m_rows.emplace_back();
            for (std::istringstream cells(line); std::getline(cells, cell, ',');)
                m_rows.back().push_back(std::stod(cell));
        }
    }
    std::size_t column(const std::string& name) const {
        const auto found = std::find(m_names.begin(), m_names.end(), name);
        if (found == m_names.end()) throw std::runtime_error("no column " + name);
        return static_cast<std::size_t>(found - m_names.begin());
    }
    const std::vector<std::vector<double>>& rows() const { return m_rows; }

    /// Cubic through two rows' values and their rates.
    double at(double t, std::size_t value, std::size_t rate) const {
        const auto next = std::upper_bound(m_rows.begin() + 1, m_rows.end() - 1, t,
                                           [](double time, const auto& row) { return time < row[0]; });
        const std::vector<double>&a = *(next - 1), &b = *next;
        const double H = b[0] - a[0];
        const double x = (t - a[0]) / H;
        return a[value] + x * x * (3 - 2 * x) * (b[value] - a[value]) +
               H * x * (1 - x) * ((1 - x) * a[rate] - x * b[rate]);
    }

private:
    std::vector<std::string> m_names;
    std::vector<std::vector<double>> m_rows;
};

}  // namespace elasto::test
