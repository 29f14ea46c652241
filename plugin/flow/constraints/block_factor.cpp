#include "constraints/block_factor.h"

#include "constraints/tuning.h"
#include "numerics/cost_model.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace elasto::flow {

namespace {

template <class List>
long sizeOf(const List& list) {
    return static_cast<long>(list.size());
}

}  // namespace

InverseMassRoot InverseMassRoot::of(const FlowBody& body, const Eigen::Quaterniond& q) {
    InverseMassRoot root;
    if (body.isImmovable()) return root;
    root.linear = (body.inverseMass * body.linearFactor).cwiseSqrt();
    const Eigen::Vector3d own = body.inverseInertia.cwiseSqrt();
    root.angular = body.angularFactor.cwiseSqrt().asDiagonal() * q.toRotationMatrix() * own.asDiagonal();
    return root;
}

Vector6 InverseMassRoot::times(const Vector6& y) const {
    Vector6 u;
    u << linear.cwiseProduct(y.head<3>()), angular * y.tail<3>();
    return u;
}

Vector6 InverseMassRoot::transposedTimes(const Vector6& gradient) const {
    Vector6 y;
    y << linear.cwiseProduct(gradient.head<3>()), angular.transpose() * gradient.tail<3>();
    return y;
}

void BlockFactor::setBodies(std::span<const InverseMassRoot> roots) {
    m_roots.assign(roots.begin(), roots.end());
}

void BlockFactor::setRows(std::span<const BlockRow> rows, std::span<const GearedRow> geared) {
    m_hasOwnPushes = false;
    list(rows, geared);
}

void BlockFactor::setRows(std::span<const BlockRow> rates, std::span<const BlockRow> pushes,
                          std::span<const GearedRow> gearedRates, std::span<const GearedRow> gearedPushes) {
    m_hasOwnPushes = true;
    list(rates, gearedRates);
    m_ownPushes.resize(pushes.size());
    for (std::size_t i = 0; i < pushes.size(); ++i) m_ownPushes[i] = reduced(pushes[i]);
    for (std::size_t i = 0; i < m_others.size(); ++i) m_others[i].push = reduced(gearedPushes[i].others);
}

BlockFactor::Ends BlockFactor::reduced(const BlockRow& row) const {
    Ends ends{Vector6::Zero(), Vector6::Zero()};
    if (row.gradientA.isZero(0) && row.gradientB.isZero(0)) return ends;
    if (row.a >= 0) ends.a = m_roots[static_cast<std::size_t>(row.a)].transposedTimes(row.gradientA);
    if (row.b >= 0) ends.b = m_roots[static_cast<std::size_t>(row.b)].transposedTimes(row.gradientB);
    if (row.a >= 0 && row.a == row.b) ends.a += ends.b;
    return ends;
}

void BlockFactor::list(std::span<const BlockRow> rows, std::span<const GearedRow> geared) {
    const auto joins = [](const BlockRow& row) { return row.a >= 0 && row.b >= 0 && row.a != row.b; };
    m_work += price::kListRow * sizeOf(rows);
    m_edges.clear();
    for (const BlockRow& row : rows) {
        const EliminationOrder::Edge edge{row.a, row.b};
        if (joins(row) && (m_edges.empty() || m_edges.back() != edge)) m_edges.push_back(edge);
    }
    for (const GearedRow& extra : geared) {
        const BlockRow& own = rows[extra.row];
        const std::array<int, 4> bodies = {own.a, own.b, extra.others.a, extra.others.b};
        for (std::size_t i = 2; i < 4; ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                if (bodies[i] >= 0 && bodies[k] >= 0) m_edges.push_back({bodies[k], bodies[i]});
            }
        }
    }
    m_matrix.make(static_cast<int>(m_roots.size()), m_edges);
    const auto placeOf = [&](int body) {
        return body >= 0 ? m_matrix.order().placeOf()[static_cast<std::size_t>(body)] : -1;
    };
    m_rows.resize(rows.size());
    m_rates.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const BlockRow& given = rows[i];
        Row& row = m_rows[i];
        row.a = placeOf(given.a);
        row.b = placeOf(given.b);
        row.isALater = row.a > row.b;
        const bool isLikeLast = i > 0 && given.a == rows[i - 1].a && given.b == rows[i - 1].b;
        row.entry = isLikeLast     ? m_rows[i - 1].entry
                    : joins(given) ? m_matrix.order().entryOf(std::min(row.a, row.b), std::max(row.a, row.b))
                                   : -1;
        if (row.a == row.b) row.b = -1;
        setRow(i, given);
    }
    m_others.clear();
    for (const GearedRow& extra : geared) {
        const Ends rate = reduced(extra.others);
        m_others.push_back({extra.row, placeOf(extra.others.a), placeOf(extra.others.b), rate, rate});
        m_rows[extra.row].ownResponse += rate.a.squaredNorm() + rate.b.squaredNorm();
    }
}

void BlockFactor::setRow(std::size_t i, const BlockRow& given) {
    m_rates[i] = reduced(given);
    Row& row = m_rows[i];
    row.ownResponse = m_rates[i].a.squaredNorm() + (row.b >= 0 ? m_rates[i].b.squaredNorm() : 0);
}

bool BlockFactor::factor(double weight) {
    m_modes.assign(m_rows.size(), RowMode::held());
    return factorHeld(weight);
}

bool BlockFactor::factor(std::span<const RowMode> modes, double weight) {
    m_modes.assign(modes.begin(), modes.end());
    return factorHeld(weight);
}

bool BlockFactor::factorHeld(double weight) {
    const auto rides = [](const RowMode& mode) { return mode.rides >= 0 && mode.share != 0; };
    m_isSymmetric = !m_hasOwnPushes && std::none_of(m_modes.begin(), m_modes.end(), rides);
    const std::vector<Ends>& own = m_hasOwnPushes ? m_ownPushes : m_rates;
    m_held.clear();
    m_heldRows.clear();
    m_heldPushes.clear();
    m_placeOfHeld.resize(m_rows.size());
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (!m_modes[i].isHeld) continue;
        const Row& row = m_rows[i];
        m_placeOfHeld[i] = m_held.size();
        m_held.push_back(i);
        const double firm = row.ownResponse > 0 ? weight / row.ownResponse : 0;
        m_heldRows.push_back({row.a, row.b, firm, m_rates[i]});
        if (!m_isSymmetric) m_heldPushes.push_back(own[i]);
    }
    for (std::size_t i = 0; i < m_others.size(); ++i) {
        const std::size_t row = m_others[i].row;
        if (m_modes[row].isHeld) m_heldRows[m_placeOfHeld[row]].others = static_cast<int>(i);
    }
    for (std::size_t i = 0; !m_isSymmetric && i < m_modes.size(); ++i) {
        if (!rides(m_modes[i])) continue;
        Ends& ends = m_heldPushes[m_placeOfHeld[static_cast<std::size_t>(m_modes[i].rides)]];
        ends.a += m_modes[i].share * own[i].a;
        ends.b += m_modes[i].share * own[i].b;
    }
    const long sides = m_isSymmetric ? 1 : 2;
    m_work += price::kFactorRow * sizeOf(m_rows) + price::kFactorBody * sizeOf(m_roots) +
              sides * (price::kFactorHeld * sizeOf(m_held) + price::kFactorEntry * m_matrix.order().entryCount() +
                       price::kFactorTarget * m_matrix.order().targetCount());
    assemble();
    return m_matrix.eliminate();
}

void BlockFactor::assemble() {
    m_matrix.clear(m_isSymmetric);
    for (std::size_t k = 0; k < m_held.size(); ++k) {
        const Row& row = m_rows[m_held[k]];
        const Held& held = m_heldRows[k];
        const Ends& p = m_isSymmetric ? held.rate : m_heldPushes[k];
        const Ends q{held.weight * held.rate.a, held.weight * held.rate.b};
        const auto addOwn = [&](const Vector6& push, const Vector6& rate, int place) {
            Block6& own = m_matrix.diagonal(place);
            m_isSymmetric ? addSymmetricProduct(push, rate, own) : addProduct(push, rate, own);
        };
        if (row.a >= 0) addOwn(p.a, q.a, row.a);
        if (row.b >= 0) addOwn(p.b, q.b, row.b);
        if (held.others >= 0) assembleOthers(held, p);
        if (row.entry < 0) continue;
        Block6& lower = m_matrix.lower(row.entry);
        row.isALater ? addProduct(p.a, q.b, lower) : addProduct(p.b, q.a, lower);
        if (m_isSymmetric) continue;
        Block6& upper = m_matrix.upper(row.entry);
        row.isALater ? addProduct(p.b, q.a, upper) : addProduct(p.a, q.b, upper);
    }
}

/// What a row's further ends share with one another and with the first two. @param push of these
void BlockFactor::assembleOthers(const Held& held, const Ends& push) {
    const Others& others = m_others[static_cast<std::size_t>(held.others)];
    const std::array<int, 4> places = {held.a, held.b, others.c, others.d};
    const Ends& otherPush = m_isSymmetric ? others.rate : others.push;
    const std::array<Vector6, 4> pushes = {push.a, push.b, otherPush.a, otherPush.b};
    const std::array<Vector6, 4> rates = {held.weight * held.rate.a, held.weight * held.rate.b,
                                          held.weight * others.rate.a, held.weight * others.rate.b};
    for (std::size_t i = 2; i < 4; ++i) {
        if (places[i] < 0) continue;
        Block6& own = m_matrix.diagonal(places[i]);
        m_isSymmetric ? addSymmetricProduct(pushes[i], rates[i], own) : addProduct(pushes[i], rates[i], own);
        for (std::size_t k = 0; k < i; ++k) {
            if (places[k] < 0) continue;
            const std::size_t later = places[i] > places[k] ? i : k, earlier = later == i ? k : i;
            const int entry = m_matrix.order().entryOf(places[earlier], places[later]);
            addProduct(pushes[later], rates[earlier], m_matrix.lower(entry));
            if (!m_isSymmetric) addProduct(pushes[earlier], rates[later], m_matrix.upper(entry));
        }
    }
}

inline void BlockFactor::push(std::size_t k, double impulse, std::vector<Vector6>& to) const {
    const Held& held = m_heldRows[k];
    const Ends& p = m_isSymmetric ? held.rate : m_heldPushes[k];
    if (held.a >= 0) to[static_cast<std::size_t>(held.a)] += impulse * p.a;
    if (held.b >= 0) to[static_cast<std::size_t>(held.b)] += impulse * p.b;
    if (held.others < 0) return;
    const Others& others = m_others[static_cast<std::size_t>(held.others)];
    const Ends& more = m_isSymmetric ? others.rate : others.push;
    if (others.c >= 0) to[static_cast<std::size_t>(others.c)] += impulse * more.a;
    if (others.d >= 0) to[static_cast<std::size_t>(others.d)] += impulse * more.b;
}

inline double BlockFactor::rateOf(const Held& held, const std::vector<Vector6>& of) const {
    // Summed up together, two by two.
    Eigen::Vector2d sum = Eigen::Vector2d::Zero();
    const auto add = [&](const Vector6& rate, int place) {
        const Vector6& y = of[static_cast<std::size_t>(place)];
        for (int k = 0; k < 6; k += 2) sum += rate.segment<2>(k).cwiseProduct(y.segment<2>(k));
    };
    if (held.a >= 0) add(held.rate.a, held.a);
    if (held.b >= 0) add(held.rate.b, held.b);
    if (held.others >= 0) {
        const Others& others = m_others[static_cast<std::size_t>(held.others)];
        if (others.c >= 0) add(others.rate.a, others.c);
        if (others.d >= 0) add(others.rate.b, others.d);
    }
    return sum.sum();
}

void BlockFactor::begin(std::span<const double> wanted) {
    m_rounds.resize(m_held.size());
    m_sum.assign(m_roots.size(), Vector6::Zero());
    for (std::size_t k = 0; k < m_held.size(); ++k) {
        m_rounds.missing[k] = wanted[m_held[k]];
        m_rounds.weights[k] = m_heldRows[k].weight;
        m_rounds.isMotor[k] = m_modes[m_held[k]].isMotor;
    }
}

double BlockFactor::solve(std::span<const double> wanted, std::span<double> impulses, std::span<Vector6> change) {
    begin(wanted);
    const std::size_t count = m_held.size();
    const auto round = [&] {
        m_work += price::kSolveHeld * sizeOf(m_held) + price::kSolveBody * sizeOf(m_roots) +
                  price::kSolveEntry * m_matrix.order().entryCount();
        m_step.assign(m_roots.size(), Vector6::Zero());
        for (std::size_t k = 0; k < count; ++k) push(k, m_heldRows[k].weight * m_rounds.missing[k], m_step);
        m_matrix.substitute(m_step);
        m_right.assign(m_roots.size(), Vector6::Zero());
        for (std::size_t k = 0; k < count; ++k) {
            const Held& held = m_heldRows[k];
            m_rounds.last[k] = held.weight * (m_rounds.missing[k] - rateOf(held, m_step));
            push(k, m_rounds.last[k], m_right);
        }
        // The step and what the impulses do differ by rounding.
        for (std::size_t k = 0; k < count; ++k) m_rounds.rates[k] = rateOf(m_heldRows[k], m_right);
    };
    const auto add = [&](double factor) {
        for (std::size_t i = 0; i < m_sum.size(); ++i) m_sum[i] += factor * m_right[i];
    };
    const double left = solveByMultipliers(m_rounds, round, add);
    m_work += price::kSolveRow * sizeOf(m_rows);
    std::fill(impulses.begin(), impulses.end(), 0);
    for (std::size_t k = 0; k < count; ++k) impulses[m_held[k]] = m_rounds.impulses[k];
    for (std::size_t i = 0; i < m_modes.size(); ++i) {
        if (m_modes[i].rides >= 0)
            impulses[i] = m_modes[i].share * impulses[static_cast<std::size_t>(m_modes[i].rides)];
    }
    for (std::size_t i = 0; i < m_roots.size(); ++i) {
        change[i] = m_roots[i].times(m_sum[static_cast<std::size_t>(m_matrix.order().placeOf()[i])]);
    }
    return left;
}

}  // namespace elasto::flow
