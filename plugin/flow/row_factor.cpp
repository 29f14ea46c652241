#include "row_factor.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace elasto::flow {

namespace {

/// Regularises rows that follow from one another, relative to the diagonal; refinement takes its error out again.
constexpr double kRegular = 1e-12;
constexpr int kRefinements = 3;
/// Rows up to which their order hardly matters.
constexpr int kFewRows = 12;

double dot(const double* a, const double* b, int n) {
    double even = 0;
    double odd = 0;
    int i = 0;
    for (; i + 1 < n; i += 2) {
        even += a[i] * b[i];
        odd += a[i + 1] * b[i + 1];
    }
    return i < n ? even + odd + a[i] * b[i] : even + odd;
}

double largestOf(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    return largest;
}

}  // namespace

void RowFactor::setBodies(int rows, std::span<const int> rowsOfBodies) {
    const auto n = static_cast<std::size_t>(rows);
    const bool isSame = m_placeOf.size() == n &&
                        std::equal(rowsOfBodies.begin(), rowsOfBodies.end(), m_structure.begin(), m_structure.end());
    if (!isSame) {
        m_structure.assign(rowsOfBodies.begin(), rowsOfBodies.end());
        order(rows);
    }
    std::fill(m_matrix.begin(), m_matrix.end(), 0);
}

void RowFactor::order(int rows) {
    const auto n = static_cast<std::size_t>(rows);
    m_rowAt.resize(n);
    std::iota(m_rowAt.begin(), m_rowAt.end(), 0);
    if (rows > kFewRows) orderAlongChains();
    m_placeOf.resize(n);
    for (std::size_t i = 0; i < n; ++i) m_placeOf[static_cast<std::size_t>(m_rowAt[i])] = static_cast<int>(i);

    m_first.resize(n);
    std::iota(m_first.begin(), m_first.end(), 0);
    forEachBody([&](std::span<const int> together) {
        int first = rows;
        for (const int row : together) first = std::min(first, m_placeOf[static_cast<std::size_t>(row)]);
        for (const int row : together) {
            int& own = m_first[static_cast<std::size_t>(m_placeOf[static_cast<std::size_t>(row)])];
            own = std::min(own, first);
        }
    });
    m_begin.resize(n);
    int end = 0;
    for (std::size_t i = 0; i < n; ++i) {
        m_begin[i] = end - m_first[i];
        end = m_begin[i] + static_cast<int>(i) + 1;
    }
    m_matrix.resize(static_cast<std::size_t>(end));
}

/// Reverse Cuthill-McKee.
void RowFactor::orderAlongChains() {
    const std::size_t n = m_rowAt.size();
    std::vector<std::vector<int>> neighbours(n);
    forEachBody([&](std::span<const int> together) {
        for (const int row : together) {
            std::vector<int>& list = neighbours[static_cast<std::size_t>(row)];
            list.insert(list.end(), together.begin(), together.end());
        }
    });
    for (std::vector<int>& list : neighbours) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    const auto degree = [&](int row) { return neighbours[static_cast<std::size_t>(row)].size(); };
    const auto isLess = [&](int one, int other) {
        return degree(one) != degree(other) ? degree(one) < degree(other) : one < other;
    };
    // Breadth first from a row, those with few neighbours first.
    std::vector<char> isListed(n, 0);
    const auto walk = [&](int start, std::vector<int>& list) {
        std::size_t next = list.size();
        list.push_back(start);
        isListed[static_cast<std::size_t>(start)] = 1;
        for (; next < list.size(); ++next) {
            const auto found = static_cast<std::ptrdiff_t>(list.size());
            for (const int row : neighbours[static_cast<std::size_t>(list[next])]) {
                char& listed = isListed[static_cast<std::size_t>(row)];
                if (listed == 0) list.push_back(row);
                listed = 1;
            }
            std::sort(list.begin() + found, list.end(), isLess);
        }
    };
    m_rowAt.clear();
    for (std::size_t row = 0; row < n; ++row) {
        if (isListed[row] != 0) continue;
        // The last row of a walk from anywhere lies at an end of the graph.
        std::vector<int> part;
        walk(static_cast<int>(row), part);
        for (const int other : part) isListed[static_cast<std::size_t>(other)] = 0;
        walk(part.back(), m_rowAt);
    }
    std::reverse(m_rowAt.begin(), m_rowAt.end());
}

void RowFactor::factor() {
    const int n = static_cast<int>(m_rowAt.size());
    double least = 0;
    for (int i = 0; i < n; ++i) least = std::max(least, 1e-3 * kRegular * m_matrix[at(i, i)]);
    m_lower.resize(m_matrix.size());
    m_unscaled.resize(static_cast<std::size_t>(n));
    m_regular.resize(static_cast<std::size_t>(n));
    m_isComplete = true;
    for (int i = 0; i < n; ++i) {
        const int first = m_first[static_cast<std::size_t>(i)];
        double* unscaled = m_unscaled.data();  // by column
        const double* row = &m_matrix[at(i, first)];
        for (int j = first; j < i; ++j) {
            const int from = std::max(first, m_first[static_cast<std::size_t>(j)]);
            unscaled[j] = row[j - first] - dot(unscaled + from, &m_lower[at(j, from)], j - from);
        }
        const double own = row[i - first];
        m_regular[static_cast<std::size_t>(i)] = kRegular * own + least;
        double pivot = own + kRegular * own + least;
        double* lower = &m_lower[at(i, first)];
        for (int j = first; j < i; ++j) {
            lower[j - first] = unscaled[j] * m_lower[at(j, j)];
            pivot -= lower[j - first] * unscaled[j];
        }
        // Rounding may take more than a row that follows from others has left; a row that moves nothing has no force.
        const bool isLeft = pivot > 0.5 * kRegular * own;
        lower[i - first] = isLeft ? 1 / pivot : 0;
        m_isComplete = m_isComplete && isLeft;
    }
}

void RowFactor::substitute(std::vector<double>& x) const {
    const int n = static_cast<int>(m_rowAt.size());
    for (int i = 0; i < n; ++i) {
        const int first = m_first[static_cast<std::size_t>(i)];
        x[static_cast<std::size_t>(i)] -= dot(&m_lower[at(i, first)], &x[static_cast<std::size_t>(first)], i - first);
    }
    for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] *= m_lower[at(i, i)];
    for (int i = n - 1; i >= 0; --i) {
        const double value = x[static_cast<std::size_t>(i)];
        for (int j = m_first[static_cast<std::size_t>(i)]; j < i; ++j) {
            x[static_cast<std::size_t>(j)] -= m_lower[at(i, j)] * value;
        }
    }
}

void RowFactor::subtractProduct(const std::vector<double>& x, std::vector<double>& from) const {
    const int n = static_cast<int>(m_rowAt.size());
    for (int i = 0; i < n; ++i) {
        const int first = m_first[static_cast<std::size_t>(i)];
        const double* row = &m_matrix[at(i, first)];
        const double value = x[static_cast<std::size_t>(i)];
        from[static_cast<std::size_t>(i)] -= dot(row, &x[static_cast<std::size_t>(first)], i - first + 1);
        for (int j = first; j < i; ++j) from[static_cast<std::size_t>(j)] -= row[j - first] * value;
    }
}

void RowFactor::solve(Eigen::VectorXd& b) const {
    const std::size_t n = m_rowAt.size();
    m_right.resize(n);
    for (std::size_t i = 0; i < n; ++i) m_right[i] = b[m_rowAt[i]];
    substitute(m_right);
    for (std::size_t i = 0; i < n; ++i) b[m_rowAt[i]] = m_right[i];
}

// What substitution alone leaves of the right-hand side is what was added to the diagonal, times the solution; rounding
// is less.
void RowFactor::solveNearly(Eigen::VectorXd& b) const {
    const std::size_t n = m_rowAt.size();
    m_right.resize(n);
    for (std::size_t i = 0; i < n; ++i) m_right[i] = b[m_rowAt[i]];
    const double enough = kNear * largestOf(m_right);
    m_solution = m_right;
    substitute(m_solution);
    double left = 0;
    for (std::size_t i = 0; i < n; ++i) left = std::max(left, m_regular[i] * std::abs(m_solution[i]));
    if (!m_isComplete || left > enough) return refine(b, kNear);
    for (std::size_t i = 0; i < n; ++i) b[m_rowAt[i]] = m_solution[i];
}

void RowFactor::refine(Eigen::VectorXd& b, double enoughShare) const {
    const std::size_t n = m_rowAt.size();
    m_right.resize(n);
    m_solution.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) m_right[i] = b[m_rowAt[i]];
    const double enough = enoughShare * largestOf(m_right);
    m_missing = m_right;
    for (int round = 0; round <= kRefinements && largestOf(m_missing) > enough; ++round) {
        substitute(m_missing);
        for (std::size_t i = 0; i < n; ++i) m_solution[i] += m_missing[i];
        m_missing = m_right;
        subtractProduct(m_solution, m_missing);
    }
    for (std::size_t i = 0; i < n; ++i) b[m_rowAt[i]] = m_solution[i];
}

}  // namespace elasto::flow
