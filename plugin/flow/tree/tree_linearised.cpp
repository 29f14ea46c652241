// df/dy of what is stiff in trees: of the elements, by the responses to unit forces along them. The trees' own part is
// left out, which the method for stiff elements allows. What remains is
//     position   g x - V = r
//     damper     g z - df/d = r
//     velocity   g V + sum of responses times df = r
//     rest       g Q - (forces and heats by them) = r
// with df = byS ds + byV dv, or c (ds - dz), and so a matrix as large as the number of elements that act.

#include "tree/tree_system.h"

namespace elasto::flow {

void TreeSystem::linearise(double /*t*/, const Eigen::VectorXd& y) {
    Linearised& linear = m_linear;
    if (!m_isSplit) findResponses();
    listActing(y);
    const auto count = static_cast<Eigen::Index>(linear.acting.size());
    linear.responses.resize(m_n, count);
    linear.mobility.resize(count, count);
    for (Eigen::Index q = 0; q < count; ++q) {
        const auto from = static_cast<Eigen::Index>(linear.acting[static_cast<std::size_t>(q)].element);
        linear.responses.col(q) = linear.allResponses.col(from);
        for (Eigen::Index p = 0; p < count; ++p) {
            const auto to = static_cast<Eigen::Index>(linear.acting[static_cast<std::size_t>(p)].element);
            linear.mobility(p, q) = linear.allMobility(to, from);
        }
    }
}

void TreeSystem::listActing(const Eigen::VectorXd& y) {
    m_linear.acting.clear();
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const HybridLaw& law = m_laws[e];
        const double position = s(e, y);
        const double rate = v(e, y);
        const ForceSlopes slopes = slopesInPhase(law, m_phases[e], position, rate);
        if (slopes.byS == 0 && slopes.byV == 0) continue;
        const double f = forceInPhase(law, m_phases[e], position, rate, damperLength(e, y));
        Linearised::Acting acting{e, slopes.byS, slopes.byV, 0, 0, law.kind == HybridLaw::Kind::Series};
        if (acting.isSeries) {
            acting.heatByV = 2 * damperRate(law, f);  // of f^2 / d, by f
        } else {
            const bool isContact = law.kind == HybridLaw::Kind::Contact;
            const double depth = penetrationInPhase(law, m_phases[e], position);
            const double slope = isContact ? law.springSlope(depth) : slopes.byS;
            acting.heatByS = (slopes.byS - slope) * rate;
            acting.heatByV = slopes.byV * rate + f - springForceInPhase(law, m_phases[e], position);
        }
        m_linear.acting.push_back(acting);
    }
}

bool TreeSystem::factor(double g) {
    Linearised& linear = m_linear;
    linear.g = g;
    linear.inverseG = 1 / g;
    const auto count = static_cast<Eigen::Index>(linear.acting.size());
    linear.matrix = linear.mobility;
    for (Eigen::Index q = 0; q < count; ++q) {
        Linearised::Acting& acting = linear.acting[static_cast<std::size_t>(q)];
        const HybridLaw& law = m_laws[acting.element];
        acting.theta = acting.isSeries ? law.c / (g + law.c / law.d) : acting.byS / g + acting.byV;
        linear.matrix.col(q) *= acting.theta;
    }
    linear.matrix.diagonal().array() += g;
    if (count == 0) return true;
    return linear.factor.compute(linear.matrix);
}

void TreeSystem::solve(Eigen::VectorXd& r) const {
    const Linearised& linear = m_linear;
    const double g = linear.g, inverse = linear.inverseG;
    const std::size_t count = linear.acting.size();
    const auto n = static_cast<std::size_t>(m_n);
    double* positions = r.data();
    double* velocities = positions + n;
    linear.separate.resize(static_cast<Eigen::Index>(count));
    linear.rates.resize(static_cast<Eigen::Index>(count));
    double* forces = linear.separate.data();
    double* rates = linear.rates.data();
    for (std::size_t q = 0; q < count; ++q) {
        const Linearised::Acting& acting = linear.acting[q];
        const PlacedCoordinate& coordinate = m_coordinates[acting.element];
        const double ds = coordinate.change(positions) * inverse;
        const double z = r[2 * m_n + static_cast<Eigen::Index>(acting.element)];
        forces[q] = acting.isSeries ? acting.theta * (g * ds - z) : acting.byS * ds;
        rates[q] = coordinate.change(velocities);
    }
    // By columns, each of them over all rows.
    for (std::size_t q = 0; q < count; ++q) {
        const double* column = linear.mobility.data() + q * count;
        for (std::size_t p = 0; p < count; ++p) rates[p] -= forces[q] * column[p];
    }
    if (count > 0) linear.factor.solve(rates);
    for (std::size_t q = 0; q < count; ++q) {
        forces[q] += linear.acting[q].theta * rates[q];
        const double* column = linear.responses.data() + q * n;
        const double force = forces[q];
        for (std::size_t k = 0; k < n; ++k) velocities[k] -= force * column[k];
    }
    for (std::size_t k = 0; k < n; ++k) {
        velocities[k] *= inverse;
        positions[k] = (positions[k] + velocities[k]) * inverse;
    }
    for (std::size_t q = 0; q < count; ++q) {
        const Linearised::Acting& acting = linear.acting[q];
        const auto e = static_cast<Eigen::Index>(acting.element);
        const double force = forces[q];
        if (acting.isSeries) {
            r[2 * m_n + e] += damperRate(m_laws[acting.element], force);
            r[heatPlace() + e] += acting.heatByV * force;
        } else {
            const double ds = m_coordinates[acting.element].change(positions);
            r[heatPlace() + e] += acting.heatByS * ds + acting.heatByV * rates[q];
        }
        r[impulsePlace() + e] += force;
    }
    r.tail(m_size - 2 * m_n) *= inverse;
}

}  // namespace elasto::flow
