#include "contact/reduced_rows.h"

#include "balance/network_state.h"
#include "constraints/tuning.h"
#include "numerics/cost_model.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// Of a row's own response, that is added to it.
constexpr double kRegular = 1 / BlockFactor::kWeight;

Spatial spatial(const Vector6& push) {
    return {Vector(push.data() + 3), Vector(push.data())};
}

Vector6 vector6(const Spatial& motion) {
    Vector6 result;
    result << motion.linear.eigen(), motion.angular.eigen();
    return result;
}

}  // namespace

void ReducedRows::drive(const ContactFrame& frame, const FlowNetwork& network, JointTrees& trees, double t,
                        std::span<const Vector6> pushes) {
    m_frame = &frame;
    m_network = &network;
    m_trees = &trees;
    m_drive.setZero(trees.coordinates());
    for (std::size_t i = 0; i < trees.size(); ++i) trees.model(i).drive(t, m_drive.data() + trees.placeOf(i), nullptr);
    m_free.assign(pushes.begin(), pushes.end());
    for (std::size_t i = 0; i < pushes.size(); ++i) {
        const int body = static_cast<int>(i);
        if (!trees.has(body)) continue;
        m_free[i].setZero();
        if (pushes[i].isZero(0)) continue;
        const std::size_t tree = trees.treeOf(body);
        trees.model(tree).addForce(trees.linkOf(body), spatial(pushes[i]), m_drive.data() + trees.placeOf(tree));
    }
    for (std::size_t i = 0; i < trees.size(); ++i) trees.model(i).factorInertia();
    respond(m_drive.data());
    m_accelerations = m_drive;
    m_work += price::kTreeCoordinate * trees.coordinates();
}

void ReducedRows::respond(double* forces) const {
    for (std::size_t i = 0; i < m_trees->size(); ++i) m_trees->model(i).solve(forces + m_trees->placeOf(i));
}

void ReducedRows::addEnd(int body, const Vector6& gradient, double* rates) const {
    const std::size_t tree = m_trees->treeOf(body);
    m_trees->model(tree).addForce(m_trees->linkOf(body), spatial(gradient), rates + m_trees->placeOf(tree));
}

/// Acceleration of a body along a gradient while the trees' coordinates move evenly.
double ReducedRows::evenly(int body, const Vector6& gradient) const {
    return gradient.dot(vector6(m_trees->model(m_trees->treeOf(body)).evenAcceleration(m_trees->linkOf(body))));
}

/// A held row's gradient, and its acceleration while the trees' coordinates move evenly.
void ReducedRows::readRow(std::size_t index, Eigen::Index column) {
    Held& held = m_held[static_cast<std::size_t>(column)];
    held.row = index;
    held.bias = 0;
    held.loose.clear();
    const std::size_t bounded = index - std::min(index, m_frame->boundedOf(0));
    const bool isBounded = index >= m_frame->boundedOf(0) && bounded < m_network->bounded.size();
    if (isBounded && m_trees->ofBounded(bounded)) {
        const JointTrees::Pair& pair = m_trees->ofBounded(bounded);
        m_rates(pair.own.place, column) = pair.own.sign;
        if (pair.ratio != 0) m_rates(pair.second.place, column) -= pair.ratio * pair.second.sign;
        return;
    }
    const auto add = [&](int body, const Vector6& gradient) {
        if (!isMovable(*m_network, body) || gradient.isZero(0)) return;
        const auto i = static_cast<std::size_t>(body);
        if (m_trees->has(body)) {
            addEnd(body, gradient, m_rates.col(column).data());
            held.bias += evenly(body, gradient);
        } else {
            held.bias += gradient.dot(m_free[i]);
            held.loose.push_back({i, gradient, gradient, Vector6::Zero()});
        }
    };
    m_frame->forEachPart(index, [&](const BlockRow& row) {
        add(row.a, row.gradientA);
        add(row.b, row.gradientB);
    });
}

void ReducedRows::addRiding(std::size_t index, double share, Eigen::Index column) {
    Held& held = m_held[static_cast<std::size_t>(column)];
    const BlockRow& row = m_frame->row(index);
    const auto add = [&](int body, const Vector6& gradient) {
        if (!isMovable(*m_network, body)) return;
        if (m_trees->has(body)) return addEnd(body, share * gradient, m_pushes.col(column).data());
        const auto i = static_cast<std::size_t>(body);
        for (Loose& loose : held.loose) {
            if (loose.body != i) continue;
            loose.push += share * gradient;
            return;
        }
        held.loose.push_back({i, Vector6::Zero(), share * gradient, Vector6::Zero()});
    };
    add(row.a, row.gradientA);
    add(row.b, row.gradientB);
}

double ReducedRows::entry(std::size_t row, std::size_t column) const {
    double sum = m_rates.col(static_cast<Eigen::Index>(row)).dot(m_responses.col(static_cast<Eigen::Index>(column)));
    for (const Loose& one : m_held[row].loose) {
        for (const Loose& other : m_held[column].loose) {
            if (one.body == other.body) sum += one.gradient.dot(other.response);
        }
    }
    return sum;
}

bool ReducedRows::factor(std::span<const RowMode> modes) {
    m_modes.assign(modes.begin(), modes.end());
    m_placeOf.assign(modes.size(), -1);
    m_count = 0;
    for (std::size_t r = 0; r < modes.size(); ++r) {
        if (modes[r].isHeld && !(r < m_frame->jointCount() && m_trees->holds(r)))
            m_placeOf[r] = static_cast<int>(m_count++);
    }
    const auto n = static_cast<Eigen::Index>(m_count);
    if (m_held.size() < m_count) m_held.resize(m_count);
    m_rates.setZero(m_trees->coordinates(), n);
    for (std::size_t r = 0; r < modes.size(); ++r) {
        if (m_placeOf[r] >= 0) readRow(r, m_placeOf[r]);
    }
    m_pushes = m_rates;
    for (std::size_t r = 0; r < modes.size(); ++r) {
        if (modes[r].rides >= 0 && modes[r].share != 0) {
            addRiding(r, modes[r].share, m_placeOf[static_cast<std::size_t>(modes[r].rides)]);
        }
    }
    m_responses = m_pushes;
    for (Eigen::Index k = 0; k < n; ++k) {
        respond(m_responses.col(k).data());
        for (Loose& loose : m_held[static_cast<std::size_t>(k)].loose) {
            const InverseMassRoot& root = m_frame->root(loose.body);
            loose.response = root.times(root.transposedTimes(loose.push));
        }
    }
    m_matrix.resize(n, n);
    for (std::size_t k = 0; k < m_count; ++k) {
        for (std::size_t i = 0; i < m_count; ++i) {
            m_matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = entry(i, k);
        }
    }
    for (std::size_t k = 0; k < m_count; ++k) {
        double own = 0;
        m_frame->forEachPart(m_held[k].row, [&](const BlockRow& row) { own += m_frame->responseApart(row); });
        m_held[k].scale = own > 0 ? 1 / std::sqrt(own) : 0;
    }
    for (Eigen::Index k = 0; k < n; ++k) {
        for (Eigen::Index i = 0; i < n; ++i) {
            m_matrix(i, k) *= m_held[static_cast<std::size_t>(i)].scale * m_held[static_cast<std::size_t>(k)].scale;
        }
    }
    m_work += price::kReducedEntry * n * (n + m_trees->coordinates());
    return eliminate();
}

/// Without exchange of rows: pivots are positive but where friction wedges.
bool ReducedRows::eliminate() {
    m_factor = m_matrix;
    m_factor.diagonal().array() += kRegular;
    const Eigen::Index n = m_factor.rows();
    for (Eigen::Index k = 0; k < n; ++k) {
        double* pivot = m_factor.col(k).data();
        if (!(pivot[k] > kSmallestPivot * kRegular)) return false;
        pivot[k] = 1 / pivot[k];
        for (Eigen::Index i = k + 1; i < n; ++i) pivot[i] *= pivot[k];
        for (Eigen::Index j = k + 1; j < n; ++j) {
            double* column = m_factor.col(j).data();
            for (Eigen::Index i = k + 1; i < n; ++i) column[i] -= pivot[i] * column[k];
        }
    }
    return true;
}

void ReducedRows::substitute(double* x) const {
    const Eigen::Index n = m_factor.rows();
    for (Eigen::Index k = 0; k < n; ++k) {
        const double* column = m_factor.col(k).data();
        for (Eigen::Index i = k + 1; i < n; ++i) x[i] -= column[i] * x[k];
    }
    for (Eigen::Index k = n; k-- > 0;) {
        const double* column = m_factor.col(k).data();
        x[k] *= column[k];
        for (Eigen::Index i = 0; i < k; ++i) x[i] -= column[i] * x[k];
    }
}

void ReducedRows::solve(std::span<const double> gammas, std::span<double> forces, std::span<Vector6> changes) {
    // In the scale of the matrix.
    m_rounds.resize(m_count);
    for (std::size_t k = 0; k < m_count; ++k) {
        const Held& held = m_held[k];
        const double free = held.bias + m_rates.col(static_cast<Eigen::Index>(k)).dot(m_drive);
        m_rounds.missing[k] = -(gammas[held.row] + free) * held.scale;
        m_rounds.weights[k] = 1;
        m_rounds.isMotor[k] = m_modes[held.row].isMotor;
    }
    const auto round = [&] {
        m_rounds.last = m_rounds.missing;
        substitute(m_rounds.last.data());
        for (std::size_t i = 0; i < m_count; ++i) {
            double rate = 0;
            for (std::size_t k = 0; k < m_count; ++k) {
                rate += m_matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) * m_rounds.last[k];
            }
            m_rounds.rates[i] = rate;
        }
    };
    solveByMultipliers(m_rounds, round, [](double) {});
    std::fill(forces.begin(), forces.end(), 0);
    std::fill(changes.begin(), changes.end(), Vector6::Zero());
    m_accelerations = m_drive;
    for (std::size_t k = 0; k < m_count; ++k) {
        const double force = m_rounds.impulses[k] * m_held[k].scale;
        forces[m_held[k].row] = force;
        m_accelerations += force * m_responses.col(static_cast<Eigen::Index>(k));
        for (const Loose& loose : m_held[k].loose) changes[loose.body] += force * loose.response;
    }
    for (std::size_t r = 0; r < m_modes.size(); ++r) {
        if (m_modes[r].rides >= 0) forces[r] = m_modes[r].share * forces[static_cast<std::size_t>(m_modes[r].rides)];
    }
}

double ReducedRows::response(const BlockRow& row) {
    return responseOf([&](const auto& visit) { visit(row); });
}

double ReducedRows::response(std::size_t row) {
    return responseOf([&](const auto& visit) { m_frame->forEachPart(row, visit); });
}

double ReducedRows::acceleration(const BlockRow& row, std::span<const Vector6> changes) {
    m_probe.setZero(m_trees->coordinates());
    double sum = 0;
    const auto add = [&](int body, const Vector6& gradient) {
        if (!isMovable(*m_network, body)) return;
        const auto i = static_cast<std::size_t>(body);
        if (!m_trees->has(body)) {
            sum += gradient.dot(m_free[i] + changes[i]);
            return;
        }
        addEnd(body, gradient, m_probe.data());
        sum += evenly(body, gradient);
    };
    add(row.a, row.gradientA);
    add(row.b, row.gradientB);
    return sum + m_probe.dot(m_accelerations);
}

/// @param forEachPart calls a visitor with all parts of a row
template <class ForEachPart>
double ReducedRows::responseOf(const ForEachPart& forEachPart) {
    m_probe.setZero(m_trees->coordinates());
    double sum = 0;
    const auto add = [&](int body, const Vector6& gradient) {
        if (!isMovable(*m_network, body)) return;
        if (m_trees->has(body)) return addEnd(body, gradient, m_probe.data());
        sum += m_frame->root(static_cast<std::size_t>(body)).transposedTimes(gradient).squaredNorm();
    };
    forEachPart([&](const BlockRow& row) {
        add(row.a, row.gradientA);
        add(row.b, row.gradientB);
    });
    m_answer = m_probe;
    respond(m_answer.data());
    return sum + m_probe.dot(m_answer);
}

}  // namespace elasto::flow
