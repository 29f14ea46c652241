// Motors and limits of trees: what BoundedRows asks about them. In the trees' own coordinates each is one linear row.

#include "tree/tree_system.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

void TreeSystem::startBounded() {
    m_boundedCoordinates.resize(m_network->bounded.size());
    for (std::size_t k = 0; k < m_bounded.size(); ++k) placeCoordinate(m_network->bounded[k], m_boundedCoordinates[k]);
    m_bounded.start(*this, m_start);
    m_hasActed |= hasFriction();
}

double TreeSystem::rowValue(std::size_t k, double /*t*/, const Eigen::VectorXd& y) const {
    return boundedCoordinate(k, y);
}

double TreeSystem::rowRate(std::size_t k, double /*t*/, const Eigen::VectorXd& y) const {
    return boundedRate(k, y) - targetOf(k);
}

double TreeSystem::targetOf(std::size_t k) const {
    const TreeBounded& row = m_network->bounded[k];
    return isMotor(row) ? row.targetRate : 0;
}

void TreeSystem::place(double /*t*/, const Eigen::VectorXd& y) {
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        m_trees[i].place(y.data() + m_treePlaces[i]);
        m_trees[i].factorInertia();
    }
}

/// Response to a unit force along a row, where the trees are placed.
Eigen::VectorXd TreeSystem::responseTo(std::size_t row) const {
    Eigen::VectorXd response(m_n);
    respond(m_boundedCoordinates[row], response.data());
    return response;
}

/// Changes of the rates of rows by a change of the coordinates' velocities.
Eigen::VectorXd TreeSystem::along(const std::vector<int>& rows, const double* change) const {
    Eigen::VectorXd rates(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t j = 0; j < rows.size(); ++j) {
        rates[static_cast<Eigen::Index>(j)] = m_boundedCoordinates[static_cast<std::size_t>(rows[j])].change(change);
    }
    return rates;
}

/// Storage is kept: each evaluation asks for it.
void TreeSystem::hold(const std::vector<int>& rows) {
    const auto count = static_cast<Eigen::Index>(rows.size());
    const auto coordinate = [&](Eigen::Index j) -> const PlacedCoordinate& {
        return m_boundedCoordinates[static_cast<std::size_t>(rows[static_cast<std::size_t>(j)])];
    };
    m_hold.rows = rows;
    m_hold.responses.resize(m_n, count);
    m_hold.mobility.resize(count, count);
    m_hold.forces.resize(count);
    for (Eigen::Index j = 0; j < count; ++j) {
        respond(coordinate(j), m_hold.responses.col(j).data());
        for (Eigen::Index i = 0; i < count; ++i) {
            m_hold.mobility(i, j) = coordinate(i).change(m_hold.responses.col(j).data());
        }
    }
    m_hold.findFactor();
}

/// Two that rub on one joint, or one that rubs at a motor's rest, have the same row: each bears a share, as when it was
/// chosen (solveBoxQp).
void TreeSystem::Hold::findFactor() {
    factor.compute(mobility);
    const auto pivots = factor.matrixLLT().diagonal().array().square();
    isShared = factor.info() != Eigen::Success || (pivots <= kBlocked * mobility.diagonal().array()).any();
    if (isShared) shares.compute(mobility);
}

/// Forces of the rows that are held, and what they do to the accelerations. After the trees were placed.
void TreeSystem::keepHeld(double* accelerations) {
    hold(m_bounded.held());
    for (std::size_t j = 0; j < m_hold.rows.size(); ++j) {
        const auto row = static_cast<std::size_t>(m_hold.rows[j]);
        m_hold.forces[static_cast<Eigen::Index>(j)] = -m_boundedCoordinates[row].change(accelerations);
    }
    if (m_hold.isShared) {
        m_hold.forces = m_hold.shares.solve(m_hold.forces);
    } else {
        m_hold.factor.solveInPlace(m_hold.forces);
    }
    Eigen::Map<Eigen::VectorXd>(accelerations, m_n).noalias() += m_hold.responses * m_hold.forces;
}

/// Takes out of a response what the rows that are held, as the last hold() left them, do not allow.
void TreeSystem::takeHeld(double* response) const {
    if (m_hold.rows.empty()) return;
    Eigen::Map<Eigen::VectorXd>(response, m_n) -= m_hold.responses * m_hold.solve(along(m_hold.rows, response));
}

void TreeSystem::accelerate(double t, const Eigen::VectorXd& y) {
    evaluate(t, y, m_scratch);
}

double TreeSystem::rowAcceleration(std::size_t k) const {
    return m_boundedCoordinates[k].change(m_scratch.data() + m_n);
}

double TreeSystem::mobilityAlone(std::size_t k) const {
    return m_boundedCoordinates[k].change(responseTo(k).data());
}

RowMobility TreeSystem::mobility(const std::vector<std::size_t>& rows) const {
    const std::vector<int> indices(rows.begin(), rows.end());
    const auto count = static_cast<Eigen::Index>(rows.size());
    RowMobility result{Eigen::MatrixXd(count, count), Eigen::VectorXd(count)};
    for (Eigen::Index j = 0; j < count; ++j) {
        const std::size_t k = rows[static_cast<std::size_t>(j)];
        Eigen::VectorXd response = responseTo(k);
        result.alone[j] = m_boundedCoordinates[k].change(response.data());
        takeHeld(response.data());
        result.A.col(j) = along(indices, response.data());
    }
    result.A = (0.5 * (result.A + result.A.transpose())).eval();
    return result;
}

/// Impulses of what is held by which its rates become what they are to be. @param velocities of all coordinates
Eigen::VectorXd TreeSystem::heldImpulses(const Eigen::VectorXd& velocities) const {
    Eigen::VectorXd missing = -along(m_hold.rows, velocities.data());
    for (std::size_t j = 0; j < m_hold.rows.size(); ++j) {
        missing[static_cast<Eigen::Index>(j)] += targetOf(static_cast<std::size_t>(m_hold.rows[j]));
    }
    return m_hold.solve(missing);
}

Eigen::VectorXd TreeSystem::ratesBesideHeld(const std::vector<std::size_t>& rows, const Eigen::VectorXd& y) const {
    const std::vector<int> indices(rows.begin(), rows.end());
    Eigen::VectorXd velocities = y.segment(m_n, m_n);
    if (!m_hold.rows.empty()) velocities += m_hold.responses * heldImpulses(velocities);
    Eigen::VectorXd rates = along(indices, velocities.data());
    for (std::size_t j = 0; j < rows.size(); ++j) rates[static_cast<Eigen::Index>(j)] -= targetOf(rows[j]);
    return rates;
}

double TreeSystem::strike(double /*t*/, const std::vector<std::size_t>& rows, const Eigen::VectorXd& impulses,
                          Eigen::VectorXd& y) {
    std::vector<int> indices(rows.begin(), rows.end());
    const Eigen::VectorXd before = y.segment(m_n, m_n);
    Eigen::VectorXd after = before;
    for (std::size_t j = 0; j < rows.size(); ++j) after += impulses[static_cast<Eigen::Index>(j)] * responseTo(rows[j]);
    Eigen::VectorXd all = impulses;
    if (!m_hold.rows.empty()) {
        const Eigen::VectorXd held = heldImpulses(after);
        after += m_hold.responses * held;
        indices.insert(indices.end(), m_hold.rows.begin(), m_hold.rows.end());
        all.conservativeResize(impulses.size() + held.size());
        all.tail(held.size()) = held;
    }
    const Eigen::VectorXd mean = 0.5 * (before + after);
    double* rest = y.data() + workPlace();
    double loss = 0;
    for (std::size_t j = 0; j < indices.size(); ++j) {
        const auto k = static_cast<std::size_t>(indices[j]);
        const double impulse = all[static_cast<Eigen::Index>(j)];
        const double work = impulse * m_boundedCoordinates[k].rate(mean.data());
        if (!isMotor(m_network->bounded[k])) loss -= work;
        addWork(k, work, rest);
        rest[2 + k] += impulse;
    }
    y.segment(m_n, m_n) = after;
    classifyStruck(before, y);
    return loss;
}

/// After an impact the elements see other rates.
/// @param before velocities before it
void TreeSystem::classifyStruck(const Eigen::VectorXd& before, const Eigen::VectorXd& y) {
    bool hasChanged = false;
    for (std::size_t e = 0; e < elementCount(); ++e) {
        if (std::abs(v(e, y) - m_coordinates[e].rate(before.data())) <= kSameRate * m_speed) continue;
        const Phase phase = classify(m_laws[e], s(e, y), v(e, y), 0, innerStateOf(e, y));
        // On the edge of a contact its own event decides.
        if (phase.inContact() == m_phases[e].inContact()) m_phases[e] = phase;
        hasChanged = true;
    }
    if (hasChanged) startPhases();
}

/// Force that the phase of a motor or of friction fixes.
double TreeSystem::pushOf(std::size_t k, double t, const Eigen::VectorXd& y) const {
    return m_bounded.isPushing(k) ? m_bounded.push(k, rowRate(k, t, y), t) : 0;
}

void TreeSystem::addPushes(double t, const Eigen::VectorXd& y, double* forces) const {
    for (std::size_t k = 0; k < m_bounded.size(); ++k) {
        const double push = pushOf(k, t, y);
        if (push != 0) m_boundedCoordinates[k].addForce(push, forces);
    }
}

/// Work of a row, or its rate. What friction takes is no motor's, and what limits take is booked as their loss.
/// @param rest the quadratures from workPlace() on
void TreeSystem::addWork(std::size_t k, double work, double* rest) const {
    const TreeBounded& row = m_network->bounded[k];
    if (isMotor(row) && !row.friction.isDry()) rest[1] += work;
    rest[boundedWorkPlace(k)] += work;
}

/// Rates of the quadratures of motors and limits, from workPlace() on.
void TreeSystem::addBoundedRates(double t, const Eigen::VectorXd& y, double* rest) const {
    const auto add = [&](std::size_t k, double force) {
        addWork(k, force * boundedRate(k, y), rest);
        rest[2 + k] += force;
    };
    for (std::size_t k = 0; k < m_bounded.size(); ++k) add(k, pushOf(k, t, y));
    for (std::size_t j = 0; j < m_hold.rows.size(); ++j) {
        add(static_cast<std::size_t>(m_hold.rows[j]), m_hold.forces[static_cast<Eigen::Index>(j)]);
    }
}

bool TreeSystem::hasFriction() const {
    return std::any_of(m_network->bounded.begin(), m_network->bounded.end(),
                       [](const TreeBounded& row) { return row.friction.isDry(); });
}

double TreeSystem::frictionWork(const Eigen::VectorXd& y) const {
    double work = 0;
    for (std::size_t k = 0; k < m_bounded.size(); ++k) {
        if (m_network->bounded[k].friction.isDry()) work += boundedWork(k, y);
    }
    return work;
}

void TreeSystem::boundedForces(double t, const Eigen::VectorXd& y, std::vector<double>& forces) {
    forces.clear();
    evaluate(t, y, m_scratch);
    for (std::size_t k = 0; k < m_bounded.size(); ++k) forces.push_back(pushOf(k, t, y));
    for (std::size_t j = 0; j < m_hold.rows.size(); ++j) {
        forces[static_cast<std::size_t>(m_hold.rows[j])] = m_hold.forces[static_cast<Eigen::Index>(j)];
    }
}

bool TreeSystem::isHeld(std::size_t k, const Eigen::VectorXd& y) const {
    const std::vector<int>& held = m_bounded.held();
    // Backward Euler knows no phases: what it has set moving is not held any more.
    return std::binary_search(held.begin(), held.end(), static_cast<int>(k)) &&
           std::abs(rowRate(k, m_h, y)) <= kSameRate * m_speed;
}

double TreeSystem::findHeldForces(double t, const Eigen::VectorXd& y, Eigen::VectorXd& forces) const {
    Eigen::VectorXd full = Eigen::VectorXd::Zero(m_size);
    full.head(eventStateSize()) = y.head(eventStateSize());
    // An evaluation leaves nothing behind but what the next one writes anew.
    auto& self = const_cast<TreeSystem&>(*this);
    self.evaluate(t, full, self.m_scratch);
    forces = m_hold.forces;
    return forces.lpNorm<Eigen::Infinity>();
}

}  // namespace elasto::flow
