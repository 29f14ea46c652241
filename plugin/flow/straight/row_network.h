#pragma once
// A network in element coordinates: all directions are fixed over the tick, so that
//     s'' = a(t) - W f,   a(t) = a0 + a1 t + a2 t^2,   W = J M^-1 J^T  (symmetric, may be singular)
// and the bodies follow from the impulses P = int f dt and their integrals sigma = int P dt. P and sigma are
// integrated, never recovered from v, so W need not be invertible.

#include "law/hybrid_law.h"
#include "straight/delassus_matrix.h"

#include <elasto/flow.h>

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace elasto::flow {

/// The problem: constant over the tick.
struct RowNetwork {
    std::vector<HybridLaw> laws;
    DelassusMatrix W;   ///< [1/kg or 1/(kg.m^2)]
    Eigen::MatrixXd a;  ///< m x 3: coefficients of the free acceleration
    /// False among contacts: friction that rides on what bears, and what is held, exchange energy with the elements too.
    bool hasBalance = true;
    /// Other than 0: laws, W and a are those of the last network with this number that the same solver has seen.
    std::uint64_t number = 0;
    Eigen::Index size() const { return static_cast<Eigen::Index>(laws.size()); }
    bool hasConstantLoad() const { return a.rightCols(2).isZero(0); }
};

/// The state, advanced in place.
struct RowState {
    double t = 0;             ///< [s] since the tick's start
    Eigen::VectorXd s, v, z;  ///< z: damper length of series elements
    Eigen::VectorXd P;        ///< int f dt
    Eigen::VectorXd sigma;    ///< int P dt
    Eigen::VectorXd sigmaT;   ///< int t P dt    (t from the tick's start; both only enter the energy certificate)
    Eigen::VectorXd sigmaTT;  ///< int t^2 P dt
    Eigen::VectorXd heat;     ///< dissipated energy per element
    std::vector<Phase> phases;
    void resize(Eigen::Index m);  ///< all zero, all phases Free
};

/// What an integrator reports besides the state.
struct RowLog {
    std::vector<ContactEvent> events;
    int steps = 0;
};

/// Each integrator advances the state to time h, or stops at state.t < h when log.steps reaches settings.maxSteps.
/// phases must be valid on entry (classify) and are valid on return.

/// One element, n = 1 (or a spring-damper), constant load: exact. W(0,0) may be 0. The motion of an undamped rattle
/// repeats itself: whole periods are skipped, and their contacts not reported. A damped rattle of more than 2000 events
/// is brought to rest where its energy is least, the rest becoming heat.
void solveClosedForm(const RowNetwork& network, RowState& state, double h, RowLog& log);
/// One series element, constant load: exact.
void solveSeries(const RowNetwork& network, RowState& state, double h, RowLog& log);
/// Any network whose elements are piecewise linear (series elements included), or whose nonlinear elements are Free:
/// returns early (state.t < h) at the time when a nonlinear element comes into contact, its phase then set. Contacts
/// between bodies that touch at rest may be held in a phase for up to h/64 so that their chatter ends.
void solveTaylor(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings, RowLog& log);
/// Any network, strong damping: RODAS4, events located.
void solveRodas4(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings, RowLog& log);
/// Any network, explicit DOP853, events located. Returns early (state.t < h) as soon as no nonlinear
/// element is in contact, so that the caller can go on with solveTaylor (exact free flight).
void solveExplicit(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings, RowLog& log);

/// Energy in all springs [J].
double storedEnergy(const RowNetwork& network, const RowState& state);
/// Energy the elements handed out since the start (v0, U0 at t = 0), from impulses only:
///     G = U1 - U0 - int f . v dt,   int f . v dt = (v0 + v1) . P / 2 + A(h) . P / 2 - int a . P dt,   A = int a dt
double energyHandedOut(const RowNetwork& network, const Eigen::VectorXd& v0, double energy0, const RowState& state);
/// Takes G > 0 back with a tiny damping impulse on the elements that pushed; returns the energy taken [J].
/// Changes P and v; positions stay.
double repairEnergy(const RowNetwork& network, const Eigen::VectorXd& v0, double energy0, RowState& state);

}  // namespace elasto::flow
