#include "constraints/row_factor.h"

#include "constraints/tuning.h"
#include "numerics/box_qp.h"
#include "numerics/largest.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace elasto::flow {

namespace {

template <int Rows, int Columns>
using Part = Eigen::Map<Eigen::Matrix<double, Rows, Columns>>;
template <int Rows, int Columns>
using ConstPart = Eigen::Map<const Eigen::Matrix<double, Rows, Columns>>;

/// Calls visit with the size of a block as a constant.
template <class Visit>
inline void withSize(int size, const Visit& visit) {
    size == static_cast<int>(kFew) ? visit(std::integral_constant<int, 3>()) : visit(std::integral_constant<int, 6>());
}

}  // namespace

void RowFactor::setBodies(std::span<const int> rowsOfBodies, std::span<const int> ballOf) {
    const bool isSame = std::equal(ballOf.begin(), ballOf.end(), m_ballOf.begin(), m_ballOf.end()) &&
                        std::equal(rowsOfBodies.begin(), rowsOfBodies.end(), m_structure.begin(), m_structure.end());
    if (!isSame) {
        m_structure.assign(rowsOfBodies.begin(), rowsOfBodies.end());
        m_ballOf.assign(ballOf.begin(), ballOf.end());
        order();
    }
    clear();
}

void RowFactor::clear() {
    std::fill(m_matrix.begin(), m_matrix.end(), 0);
    for (const std::size_t entry : m_missing) m_matrix[entry] = 1;
}

/// Which rows have the same bodies, and which blocks share one.
void RowFactor::findBlocks() {
    const std::size_t rows = m_ballOf.size();
    m_bodiesOf.assign(rows, {});
    int body = 0;
    for (std::size_t k = 0; k < m_structure.size(); k += static_cast<std::size_t>(m_structure[k]) + 1, ++body) {
        for (int i = 1; i <= m_structure[k]; ++i) {
            m_bodiesOf[static_cast<std::size_t>(m_structure[k + static_cast<std::size_t>(i)])].push_back(body);
        }
    }
    m_rowsOf.clear();
    m_blockOf.resize(rows);
    std::vector<std::vector<int>> blocksOf(static_cast<std::size_t>(body));
    for (std::size_t row = 0; row < rows;) {
        const std::size_t count = m_ballOf[row] < 0 ? 1 : kFew;  // that must not be parted
        const std::vector<int>& bodies = m_bodiesOf[row];
        int found = -1;
        for (const int block : bodies.empty() ? std::vector<int>() : blocksOf[static_cast<std::size_t>(bodies[0])]) {
            const std::vector<int>& others = m_rowsOf[static_cast<std::size_t>(block)];
            const bool isAlike = m_bodiesOf[static_cast<std::size_t>(others[0])] == bodies;
            if (isAlike && others.size() + count <= kMost) found = block;
        }
        if (found < 0) {
            found = static_cast<int>(m_rowsOf.size());
            m_rowsOf.emplace_back();
            for (const int of : bodies) blocksOf[static_cast<std::size_t>(of)].push_back(found);
        }
        for (const std::size_t end = row + count; row < end; ++row) {
            m_rowsOf[static_cast<std::size_t>(found)].push_back(static_cast<int>(row));
            m_blockOf[row] = found;
        }
    }
    m_edges.clear();
    for (const std::vector<int>& together : blocksOf) {
        for (std::size_t i = 0; i < together.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) m_edges.push_back({together[k], together[i]});
        }
    }
}

void RowFactor::order() {
    findBlocks();
    m_order.make(static_cast<int>(m_rowsOf.size()), m_edges);
    for (int& block : m_blockOf) block = m_order.placeOf()[static_cast<std::size_t>(block)];
    m_blocks.assign(m_rowsOf.size(), {});
    m_placeOf.resize(m_ballOf.size());
    m_missing.clear();
    m_rows = 0;
    std::size_t end = 0;
    // Each begins at an even place, so that two entries may be taken at once.
    const auto take = [&](int count) {
        const std::size_t begin = end;
        end += static_cast<std::size_t>(count + count % 2);
        return begin;
    };
    std::vector<const std::vector<int>*> rowsAt(m_rowsOf.size());
    for (std::size_t i = 0; i < m_rowsOf.size(); ++i) {
        rowsAt[static_cast<std::size_t>(m_order.placeOf()[i])] = &m_rowsOf[i];
    }
    for (std::size_t place = 0; place < m_blocks.size(); ++place) {
        Block& block = m_blocks[place];
        const std::vector<int>& own = *rowsAt[place];
        const std::size_t size = own.size() <= kFew ? kFew : kMost;
        block.size = static_cast<int>(size);
        block.first = m_rows;
        block.diagonal = take(block.size * block.size);
        for (std::size_t i = 0; i < own.size(); ++i) m_placeOf[static_cast<std::size_t>(own[i])] = m_rows + i;
        for (std::size_t i = own.size(); i < size; ++i) m_missing.push_back(block.diagonal + i * (size + 1));
        m_rows += size;
    }
    m_entries.clear();
    for (int place = 0; place < m_order.size(); ++place) {
        for (int k = m_order.entryBegin(place); k < m_order.entryBegin(place + 1); ++k) {
            const Block& later = m_blocks[static_cast<std::size_t>(m_order.rowOf(k))];
            m_entries.push_back(take(later.size * m_blocks[static_cast<std::size_t>(place)].size));
        }
    }
    m_matrix.resize(end);
}

std::size_t RowFactor::entryOf(int row, int other) const {
    const auto blockOf = [&](int of) { return m_blockOf[static_cast<std::size_t>(of)]; };
    if (blockOf(row) < blockOf(other)) std::swap(row, other);
    const Block& later = m_blocks[static_cast<std::size_t>(blockOf(row))];
    const Block& earlier = m_blocks[static_cast<std::size_t>(blockOf(other))];
    std::size_t i = m_placeOf[static_cast<std::size_t>(row)] - later.first;
    std::size_t k = m_placeOf[static_cast<std::size_t>(other)] - earlier.first;
    std::size_t begin = later.diagonal;
    if (blockOf(row) == blockOf(other)) {
        if (i < k) std::swap(i, k);
    } else {
        begin = entryAt(m_order.entryOf(blockOf(other), blockOf(row)));
    }
    return begin + k * static_cast<std::size_t>(later.size) + i;
}

/// Its own factors, in place of what is left of its entries.
template <int P>
void RowFactor::factorBlock(std::size_t place, double least) {
    const Block& block = m_blocks[place];
    Part<P, P> a(&m_lower[block.diagonal]);
    for (int k = 0; k < P; ++k) {
        const double own = m_matrix[block.diagonal + static_cast<std::size_t>(k * (P + 1))];
        const double regular = kRegular * own + least;
        m_regular[block.first + static_cast<std::size_t>(k)] = regular;
        const double pivot = a(k, k) + regular;
        // Rounding may take more than a row that follows from others has left; a row that moves nothing has no force.
        const bool isLeft = pivot > 0.5 * kRegular * own;
        m_isComplete = m_isComplete && isLeft;
        const double inverse = isLeft ? 1 / pivot : 0;
        a(k, k) = inverse;
        double unscaled[P];
        for (int i = k + 1; i < P; ++i) {
            unscaled[i] = a(i, k);
            a(i, k) *= inverse;
        }
        for (int j = k + 1; j < P; ++j) {
            for (int i = j; i < P; ++i) a(i, j) -= a(i, k) * unscaled[j];
        }
    }
}

/// Takes a block whose own factors are known out of those that it is joined to.
template <int P>
void RowFactor::eliminate(std::size_t place) {
    const int first = m_order.entryBegin(static_cast<int>(place));
    const int end = m_order.entryBegin(static_cast<int>(place) + 1);
    int target = m_order.targetBegin(static_cast<int>(place));
    const ConstPart<P, P> own(&m_lower[m_blocks[place].diagonal]);
    for (int e = first; e < end; ++e) {
        const Block& later = m_blocks[static_cast<std::size_t>(m_order.rowOf(e))];
        withSize(later.size, [&](auto size) {
            constexpr int Q = size;
            Part<Q, P> lower(&m_lower[entryAt(e)]);
            Part<Q, P> unscaled(&m_unscaled[entryAt(e)]);
            for (int k = 0; k < P; ++k) {
                for (int j = 0; j < k; ++j) lower.col(k) -= own(k, j) * unscaled.col(j);
                unscaled.col(k) = lower.col(k);
            }
            for (int k = 0; k < P; ++k) lower.col(k) *= own(k, k);
            Part<Q, Q> diagonal(&m_lower[later.diagonal]);
            diagonal.noalias() -= lower.lazyProduct(unscaled.transpose());
            for (int i = first; i < e; ++i) {
                const std::size_t changed = entryAt(m_order.target(target++));
                withSize(m_blocks[static_cast<std::size_t>(m_order.rowOf(i))].size, [&](auto sizeOfOther) {
                    constexpr int R = sizeOfOther;
                    const ConstPart<R, P> other(&m_unscaled[entryAt(i)]);
                    Part<Q, R>(&m_lower[changed]).noalias() -= lower.lazyProduct(other.transpose());
                });
            }
        });
    }
}

void RowFactor::factor() {
    double least = 0;
    for (const Block& block : m_blocks) {
        const auto size = static_cast<std::size_t>(block.size);
        for (std::size_t i = 0; i < size; ++i) {
            least = std::max(least, 1e-3 * kRegular * m_matrix[block.diagonal + i * (size + 1)]);
        }
    }
    m_lower = m_matrix;
    m_unscaled.resize(m_matrix.size());
    m_regular.resize(m_rows);
    m_isComplete = true;
    for (std::size_t place = 0; place < m_blocks.size(); ++place) {
        withSize(m_blocks[place].size, [&](auto size) {
            factorBlock<size>(place, least);
            eliminate<size>(place);
        });
    }
}

void RowFactor::substitute(std::vector<double>& x) const {
    const auto partOf = [&](int place) { return &x[m_blocks[static_cast<std::size_t>(place)].first]; };
    const auto sizeOf = [&](int place) { return m_blocks[static_cast<std::size_t>(place)].size; };
    for (int place = 0; place < m_order.size(); ++place) {
        withSize(sizeOf(place), [&](auto size) {
            constexpr int P = size;
            const ConstPart<P, P> own(&m_lower[m_blocks[static_cast<std::size_t>(place)].diagonal]);
            Part<P, 1> y(partOf(place));
            for (int k = 0; k < P; ++k) {
                for (int i = k + 1; i < P; ++i) y[i] -= own(i, k) * y[k];
            }
            for (int e = m_order.entryBegin(place); e < m_order.entryBegin(place + 1); ++e) {
                withSize(sizeOf(m_order.rowOf(e)), [&](auto sizeOfLater) {
                    constexpr int Q = sizeOfLater;
                    const ConstPart<Q, P> lower(&m_lower[entryAt(e)]);
                    Part<Q, 1>(partOf(m_order.rowOf(e))).noalias() -= lower.lazyProduct(y);
                });
            }
            y = y.cwiseProduct(own.diagonal());
        });
    }
    for (int place = m_order.size() - 1; place >= 0; --place) {
        withSize(sizeOf(place), [&](auto size) {
            constexpr int P = size;
            const ConstPart<P, P> own(&m_lower[m_blocks[static_cast<std::size_t>(place)].diagonal]);
            Part<P, 1> y(partOf(place));
            for (int e = m_order.entryBegin(place); e < m_order.entryBegin(place + 1); ++e) {
                withSize(sizeOf(m_order.rowOf(e)), [&](auto sizeOfLater) {
                    constexpr int Q = sizeOfLater;
                    const ConstPart<Q, P> lower(&m_lower[entryAt(e)]);
                    const ConstPart<Q, 1> later(partOf(m_order.rowOf(e)));
                    y.noalias() -= lower.transpose().lazyProduct(later);
                });
            }
            for (int k = P - 1; k >= 0; --k) {
                for (int i = k + 1; i < P; ++i) y[k] -= own(i, k) * y[i];
            }
        });
    }
}

void RowFactor::subtractProduct(const std::vector<double>& x, std::vector<double>& from) const {
    for (int place = 0; place < m_order.size(); ++place) {
        const Block& block = m_blocks[static_cast<std::size_t>(place)];
        withSize(block.size, [&](auto size) {
            constexpr int P = size;
            const ConstPart<P, P> own(&m_matrix[block.diagonal]);
            const ConstPart<P, 1> y(&x[block.first]);
            Part<P, 1> z(&from[block.first]);
            for (int k = 0; k < P; ++k) {
                z[k] -= own(k, k) * y[k];
                for (int i = k + 1; i < P; ++i) {
                    z[i] -= own(i, k) * y[k];
                    z[k] -= own(i, k) * y[i];
                }
            }
            for (int e = m_order.entryBegin(place); e < m_order.entryBegin(place + 1); ++e) {
                const Block& later = m_blocks[static_cast<std::size_t>(m_order.rowOf(e))];
                withSize(later.size, [&](auto sizeOfLater) {
                    constexpr int Q = sizeOfLater;
                    const ConstPart<Q, P> entry(&m_matrix[entryAt(e)]);
                    Part<Q, 1>(&from[later.first]).noalias() -= entry.lazyProduct(y);
                    z.noalias() -= entry.transpose().lazyProduct(ConstPart<Q, 1>(&x[later.first]));
                });
            }
        });
    }
}

void RowFactor::read(const Eigen::VectorXd& b) const {
    m_right.assign(m_rows, 0);
    for (std::size_t i = 0; i < m_placeOf.size(); ++i) m_right[m_placeOf[i]] = b[static_cast<Eigen::Index>(i)];
}

void RowFactor::write(const std::vector<double>& x, Eigen::VectorXd& b) const {
    for (std::size_t i = 0; i < m_placeOf.size(); ++i) b[static_cast<Eigen::Index>(i)] = x[m_placeOf[i]];
}

void RowFactor::solve(Eigen::VectorXd& b) const {
    read(b);
    substitute(m_right);
    write(m_right, b);
}

// Where rows contradict one another, no forces bring about what is wanted: what is left of it would only make the
// forces larger with every round, in directions in which they do nothing but count as work. So it is no more asked for.
void RowFactor::solveUpTo(Eigen::VectorXd& b, double enoughShare) const {
    read(b);
    const double enough = enoughShare * largestOf(m_right);
    refine(enough);
    for (int pass = 0; pass < kContradictionPasses && largestOf(m_left) > enough; ++pass) {
        for (std::size_t i = 0; i < m_rows; ++i) m_right[i] -= m_left[i];
        refine(enough);
    }
    write(m_solution, b);
}

/// Solves for m_right, and finds what the solution leaves of it.
void RowFactor::refine(double enough) const {
    m_solution = m_right;
    substitute(m_solution);
    m_left = m_solution;
    findLeft();
    for (int round = 0; round < kRefinements && largestOf(m_left) > enough; ++round) {
        substitute(m_left);
        for (std::size_t i = 0; i < m_rows; ++i) m_solution[i] += m_left[i];
        findLeft();
    }
}

/// What is left of m_right, where m_left has just been added to the solution. What substitution leaves is what was
/// added to the diagonal, times what was added to the solution; rounding is less. So the matrix itself is needed only
/// where rows have been left out.
void RowFactor::findLeft() const {
    if (m_isComplete) {
        for (std::size_t i = 0; i < m_rows; ++i) m_left[i] *= m_regular[i];
    } else {
        m_left = m_right;
        subtractProduct(m_solution, m_left);
    }
}

}  // namespace elasto::flow
