#include "straight/delassus_matrix.h"

#include <algorithm>

namespace elasto::flow {

void DelassusMatrix::assign(const Eigen::MatrixXd& dense) {
    clear();
    m_isSymmetric = true;
    for (Eigen::Index i = 0; i < dense.rows(); ++i) {
        for (Eigen::Index j = 0; j < dense.cols(); ++j) {
            if (dense(i, j) != 0 || dense(j, i) != 0) m_entries.push_back({j, dense(i, j)});
            m_isSymmetric &= dense(i, j) == dense(j, i);
        }
        m_rowStart.push_back(m_entries.size());
    }
}

void DelassusMatrix::clear() {
    m_rowStart.assign(1, 0);
    m_entries.clear();
}

void DelassusMatrix::addRow(std::span<const Entry> entries) {
    m_entries.insert(m_entries.end(), entries.begin(), entries.end());
    m_rowStart.push_back(m_entries.size());
}

DelassusMatrix::Entry* DelassusMatrix::find(Eigen::Index i, Eigen::Index j) {
    Entry* begin = m_entries.data() + m_rowStart[static_cast<std::size_t>(i)];
    Entry* end = m_entries.data() + m_rowStart[static_cast<std::size_t>(i) + 1];
    Entry* found =
        std::lower_bound(begin, end, j, [](const Entry& entry, Eigen::Index column) { return entry.column < column; });
    return found != end && found->column == j ? found : nullptr;
}

double DelassusMatrix::operator()(Eigen::Index i, Eigen::Index j) const {
    const Entry* found = const_cast<DelassusMatrix*>(this)->find(i, j);
    return found != nullptr ? found->value : 0;
}

void DelassusMatrix::symmetrise() {
    m_isSymmetric = true;
    for (Eigen::Index i = 0; i < size(); ++i) {
        for (std::size_t e = m_rowStart[static_cast<std::size_t>(i)]; m_entries[e].column < i; ++e) {
            Entry& entry = m_entries[e];
            Entry& mirrored = *find(entry.column, i);
            entry.value = mirrored.value = 0.5 * (entry.value + mirrored.value);
        }
    }
}

void DelassusMatrix::extract(const DelassusMatrix& whole, const std::vector<Eigen::Index>& indices,
                             const std::vector<Eigen::Index>& placeOf) {
    clear();
    m_isSymmetric = whole.m_isSymmetric;
    for (const Eigen::Index i : indices) {
        for (const Entry& entry : whole.row(i)) {
            const Eigen::Index place = placeOf[static_cast<std::size_t>(entry.column)];
            const bool isAmong = place < static_cast<Eigen::Index>(indices.size()) &&
                                 indices[static_cast<std::size_t>(place)] == entry.column;
            if (isAmong) m_entries.push_back({place, entry.value});
        }
        m_rowStart.push_back(m_entries.size());
    }
}

Eigen::MatrixXd DelassusMatrix::dense() const {
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(size(), size());
    for (Eigen::Index i = 0; i < size(); ++i) {
        for (const Entry& entry : row(i)) W(i, entry.column) = entry.value;
    }
    return W;
}

Eigen::VectorXd DelassusMatrix::times(const Eigen::VectorXd& x) const {
    Eigen::VectorXd product(size());
    for (Eigen::Index i = 0; i < size(); ++i) {
        double sum = 0;
        for (const Entry& entry : row(i)) sum += entry.value * x(entry.column);
        product(i) = sum;
    }
    return product;
}

}  // namespace elasto::flow
