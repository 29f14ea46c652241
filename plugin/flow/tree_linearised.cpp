// df/dy of trees under elements, and its solution. Differences for the trees themselves; the elements' slopes, which
// are what is stiff, enter by the responses to unit forces along them:
//     position   g x - (dx'/dx) x - (dx'/dV) V = r     (only rotation vectors have dx'/dx != 0, dx'/dV != 1)
//     damper     g z - df/d = r
//     velocity   g V - A x - B V + sum of responses times df = r
//     rest       g Q - (all of the above) = r
// with df = byS ds + byV dv, or c (ds - dz).

#include "tree_rotation.h"
#include "tree_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {
namespace {

constexpr double kPositionStep = 1e-7;
constexpr double kVelocityStep = 1e-7;

}  // namespace

void TreeSystem::linearise(double t, const Eigen::VectorXd& y) {
    Linearised& linear = m_linear;
    const Eigen::Index restSize = m_size - workPlace();
    derivative(t, y, linear.base);  // sets the forces, which stay as they are in the differences
    linear.accelerationByPosition.setZero(m_n, m_n);
    linear.accelerationByVelocity.setZero(m_n, m_n);
    if (m_hasRest) {
        linear.restByPosition.setZero(restSize, m_n);
        linear.restByVelocity.setZero(restSize, m_n);
    }
    listActing(y);

    linear.byTime.setZero(m_size);
    if (m_isChanging) {
        const double later = t + std::sqrt(std::numeric_limits<double>::epsilon()) * std::max(t, 1e-3);
        derivative(later, y, linear.byTime);
        linear.byTime = (linear.byTime - linear.base) / (later - t);
    }
    linear.moved = y;
    linear.column.resize(m_n);
    linear.rest.resize(restSize);
    const double* base = linear.base.data() + m_n;
    double* rest = m_hasRest ? linear.rest.data() : nullptr;
    const auto takeColumn = [&](std::size_t i, Eigen::Index k, double step, Eigen::MatrixXd& acceleration,
                                Eigen::MatrixXd& restChange) {
        const Eigen::Index at = m_treePlaces[i];
        for (Eigen::Index row = at; row < at + m_trees[i].size(); ++row) {
            acceleration(row, k) = (linear.column[row] - base[row]) / step;
        }
        if (!m_hasRest) return;
        restChange(0, k) = linear.rest[0] / step;
        if (!m_trees[i].hasFreeBase()) return;
        const Eigen::Index place = m_momentumPlaces[i];
        for (Eigen::Index row = place; row < place + 9; ++row) {
            restChange(row - workPlace(), k) = (linear.rest[row - workPlace()] - linear.base[row]) / step;
        }
    };
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        TreeModel& tree = m_trees[i];
        const Eigen::Index at = m_treePlaces[i];
        const auto ownWork = [&] {
            linear.rest.setZero();
            moveTree(i, t, linear.moved, m_forces.data(), linear.column.data(), rest);
            return linear.rest[0];
        };
        tree.place(linear.moved.data() + at);
        tree.factorInertia();
        const double work = m_hasRest ? ownWork() : 0;
        const auto differ = [&](Eigen::Index place, double size, bool isPosition) {
            double& value = linear.moved[place];
            const double before = value;
            value += size * std::max(1.0, std::abs(value));
            const double step = value - before;  // the increment that rounding left
            if (isPosition) {
                tree.place(linear.moved.data() + at);
                tree.factorInertia();
            }
            linear.rest.setZero();
            moveTree(i, t, linear.moved, m_forces.data(), linear.column.data(), rest);
            linear.rest[0] -= work;
            value = before;
            return step;
        };
        for (Eigen::Index k = at; k < at + tree.size(); ++k) {
            const double step = differ(m_n + k, kVelocityStep, false);
            takeColumn(i, k, step, linear.accelerationByVelocity, linear.restByVelocity);
        }
        // Where a free base is says nothing.
        for (Eigen::Index k = at + (tree.hasFreeBase() ? 3 : 0); k < at + tree.size(); ++k) {
            const double step = differ(k, kPositionStep, true);
            takeColumn(i, k, step, linear.accelerationByPosition, linear.restByPosition);
        }
        tree.place(y.data() + at);
        tree.factorInertia();
        tree.move(y.data() + m_n + at);
    }
    differentiateRotors(t, y);
    differentiateTurns(y);
    const auto count = static_cast<Eigen::Index>(linear.acting.size());
    linear.responses.resize(m_n, count);
    for (Eigen::Index q = 0; q < count; ++q) {
        respond(m_coordinates[linear.acting[static_cast<std::size_t>(q)].element], linear.responses.col(q).data());
    }
}

void TreeSystem::listActing(const Eigen::VectorXd& y) {
    m_linear.acting.clear();
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const RowLaw& law = m_laws[e];
        const double position = s(e, y);
        const double rate = v(e, y);
        const ForceSlopes slopes = slopesInPhase(law, m_phases[e], position, rate);
        if (slopes.byS == 0 && slopes.byV == 0) continue;
        const double f = forceInPhase(law, m_phases[e], position, rate, damperLength(e, y));
        Linearised::Acting acting{e, slopes.byS, slopes.byV, 0, 0, law.kind == RowLaw::Kind::Series};
        if (acting.isSeries) {
            acting.heatByV = 2 * damperRate(law, f);  // of f^2 / d, by f
        } else {
            const bool isContact = law.kind == RowLaw::Kind::Contact;
            const double slope = isContact ? law.springSlope(law.penetration(position, m_phases[e].side)) : law.c;
            acting.heatByS = (slopes.byS - slope) * rate;
            acting.heatByV = slopes.byV * rate + f - springForceInPhase(law, m_phases[e], position);
        }
        m_linear.acting.push_back(acting);
    }
}

/// Rotors' accelerations depend on nothing but forces; the work of torques that change does on their speed.
void TreeSystem::differentiateRotors(double t, const Eigen::VectorXd& /*y*/) {
    if (!m_hasRest) return;
    for (std::size_t r = 0; r < m_rotors.size(); ++r) {
        const QuadraticTorque& torque = m_rotors[r].rotor->torque;
        if (torque.isConstant()) continue;
        m_linear.restByVelocity(0, m_treeCoordinates + static_cast<Eigen::Index>(r)) = torque.value(t);
    }
}

void TreeSystem::differentiateTurns(const Eigen::VectorXd& y) {
    Linearised& linear = m_linear;
    linear.turns.clear();
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        const auto& rotations = m_trees[i].rotations();
        for (std::size_t j = 0; j < rotations.size(); ++j) {
            const int side = m_trees[i].hasFreeBase() && j == 0 ? -1 : 1;
            Linearised::Turn turn;
            turn.place = m_treePlaces[i] + rotations[j];
            const Eigen::Vector3d r = y.segment<3>(turn.place);
            const Eigen::Vector3d spin = y.segment<3>(m_n + turn.place);
            const Eigen::Vector3d rate = rotationVectorRate(r, spin, side);
            for (int k = 0; k < 3; ++k) {
                turn.bySpin.col(k) = rotationVectorRate(r, Eigen::Vector3d::Unit(k), side);
                const Eigen::Vector3d moved = r + kPositionStep * Eigen::Vector3d::Unit(k);
                turn.byItself.col(k) = (rotationVectorRate(moved, spin, side) - rate) / kPositionStep;
            }
            linear.turns.push_back(turn);
        }
    }
}

/// Positions by velocities: x = (x alone) + velocities / g, turns by a matrix of their own.
void TreeSystem::addPositions(const Eigen::VectorXd& velocities, Eigen::VectorXd& positions) const {
    std::size_t next = 0;
    for (Eigen::Index k = 0; k < m_n; ++k) {
        if (next < m_linear.turns.size() && m_linear.turns[next].place == k) {
            const Linearised::Turn& turn = m_linear.turns[next++];
            positions.segment<3>(k) += turn.inverse * (turn.bySpin * velocities.segment<3>(k));
            k += 2;
        } else {
            positions[k] += velocities[k] / m_linear.g;
        }
    }
}

bool TreeSystem::factor(double g) {
    Linearised& linear = m_linear;
    linear.g = g;
    linear.matrix = -linear.accelerationByVelocity - linear.accelerationByPosition / g;
    for (Linearised::Turn& turn : linear.turns) {
        turn.inverse = (g * Eigen::Matrix3d::Identity() - turn.byItself).inverse();
        const auto byTurn = linear.accelerationByPosition.middleCols<3>(turn.place);
        linear.matrix.middleCols<3>(turn.place) =
            -linear.accelerationByVelocity.middleCols<3>(turn.place) - byTurn * (turn.inverse * turn.bySpin);
    }
    linear.matrix.diagonal().array() += g;
    for (std::size_t q = 0; q < linear.acting.size(); ++q) {
        Linearised::Acting& acting = linear.acting[q];
        const RowLaw& law = m_laws[acting.element];
        acting.theta = acting.isSeries ? law.c / (g + law.c / law.d) : acting.byS / g + acting.byV;
        const auto response = linear.responses.col(static_cast<Eigen::Index>(q));
        for (const PlacedTerm& term : m_coordinates[acting.element].terms) {
            linear.matrix.col(term.place) += acting.theta * term.coefficient * response;
        }
    }
    linear.lu.compute(linear.matrix);
    return isRegular(linear.lu.matrixLU());
}

void TreeSystem::solve(Eigen::VectorXd& r) const {
    const Linearised& linear = m_linear;
    const double g = linear.g;
    const auto m = static_cast<Eigen::Index>(elementCount());
    Eigen::VectorXd& positions = linear.positions;
    Eigen::VectorXd& velocities = linear.velocities;
    positions = r.head(m_n) / g;
    for (const Linearised::Turn& turn : linear.turns) {
        positions.segment<3>(turn.place) = turn.inverse * r.segment<3>(turn.place);
    }
    velocities = r.segment(m_n, m_n);
    velocities.noalias() += linear.accelerationByPosition * positions;
    for (std::size_t q = 0; q < linear.acting.size(); ++q) {
        const Linearised::Acting& acting = linear.acting[q];
        const RowLaw& law = m_laws[acting.element];
        double ds = 0;
        for (const PlacedTerm& term : m_coordinates[acting.element].terms) {
            ds += term.coefficient * positions[term.place];
        }
        const double z = r[2 * m_n + static_cast<Eigen::Index>(acting.element)];
        const double alone = acting.isSeries ? law.c / (g + law.c / law.d) * (g * ds - z) : acting.byS * ds;
        velocities -= alone * linear.responses.col(static_cast<Eigen::Index>(q));
    }
    linear.solution = linear.lu.solve(velocities);
    addPositions(linear.solution, positions);
    r.head(m_n) = positions;
    r.segment(m_n, m_n) = linear.solution;

    linear.forces.setZero(3 * m);
    auto dampers = linear.forces.head(m);
    auto forces = linear.forces.segment(m, m);
    auto heats = linear.forces.tail(m);
    for (const Linearised::Acting& acting : linear.acting) {
        const RowLaw& law = m_laws[acting.element];
        const auto e = static_cast<Eigen::Index>(acting.element);
        double ds = 0;
        double dv = 0;
        for (const PlacedTerm& term : m_coordinates[acting.element].terms) {
            ds += term.coefficient * r[term.place];
            dv += term.coefficient * r[m_n + term.place];
        }
        if (acting.isSeries) {
            forces[e] = law.c / (g + law.c / law.d) * (g * ds - r[2 * m_n + e]);
            dampers[e] = damperRate(law, forces[e]);
            heats[e] = acting.heatByV * forces[e];
        } else {
            forces[e] = acting.byS * ds + acting.byV * dv;
            heats[e] = acting.heatByS * ds + acting.heatByV * dv;
        }
    }
    r.segment(2 * m_n, 3 * m) = (r.segment(2 * m_n, 3 * m) + linear.forces).eval() / g;
    auto rest = r.tail(m_size - workPlace());
    if (m_hasRest) {
        rest.noalias() += linear.restByPosition * positions;
        rest.noalias() += linear.restByVelocity * linear.solution;
    }
    rest /= g;
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        if (!m_trees[i].hasFreeBase()) continue;
        const Eigen::Index place = m_momentumPlaces[i];
        r.segment<3>(place + 6) += r.segment<3>(place) / (m_trees[i].mass() * g);
    }
}

}  // namespace elasto::flow
