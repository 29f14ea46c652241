#include "straight/row_network.h"

#include "balance/energy_repair.h"

#include <cmath>

namespace elasto::flow {

void RowState::resize(Eigen::Index m) {
    t = 0;
    for (Eigen::VectorXd* vector : {&s, &v, &z, &P, &sigma, &sigmaT, &sigmaTT, &heat}) vector->setZero(m);
    phases.assign(static_cast<std::size_t>(m), Phase{});
}

double storedEnergy(const RowNetwork& network, const RowState& state) {
    double energy = 0;
    for (Eigen::Index i = 0; i < network.size(); ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        energy += energyInPhase(network.laws[k], state.phases[k], state.s(i), state.z(i));
    }
    return energy;
}

double energyHandedOut(const RowNetwork& network, const Eigen::VectorXd& v0, double energy0, const RowState& state) {
    const double t = state.t;
    double work = 0;  // int f . v dt, done on the elements
    for (Eigen::Index i = 0; i < network.size(); ++i) {
        const auto a = network.a.row(i);
        const double gained = t * (a(0) + t * (a(1) / 2 + t * a(2) / 3));
        const double free = a(0) * state.sigma(i) + a(1) * state.sigmaT(i) + a(2) * state.sigmaTT(i);
        work += 0.5 * (v0(i) + state.v(i) + gained) * state.P(i) - free;
    }
    return storedEnergy(network, state) - energy0 - work;
}

double repairEnergy(const RowNetwork& network, const Eigen::VectorXd& v0, double energy0, RowState& state) {
    const double excess = energyHandedOut(network, v0, energy0, state);
    if (!(excess > 0)) return 0;
    // Where nothing can move, rates are rounding, and impulses change no motion: they take no energy.
    Eigen::VectorXd r = (state.P.array() != 0).select(state.v, 0);
    for (Eigen::Index i = 0; i < r.size(); ++i) {
        if (network.W(i, i) == 0) r(i) = 0;
    }
    const Eigen::VectorXd Wr = network.W.times(r);
    const double B = r.squaredNorm();
    const double A = r.dot(Wr);
    if (B == 0) return 0;
    const double theta = dampingShare(A, B, excess);
    state.P += theta * r;
    state.v -= theta * Wr;
    return theta * (B - 0.5 * theta * A);
}

}  // namespace elasto::flow
