#pragma once
// A network in element coordinates as a hybrid system, for the adaptive integrators.

#include "numerics/hybrid_system.h"
#include "straight/row_network.h"

#include <vector>

namespace elasto::flow {

/// y = (s, v, z, P, sigma, heat), each of them for all elements:
///
///     s' = v                      P' = f
///     v' = a(t) - W f             sigma' = P
///     z' = f / d (series)         heat' = the damper's power where it is not limited
///
/// Where the damper is limited, the heat is what the spring loses or gains; it is booked when the phase ends. The
/// moments sigmaT and sigmaTT of P are taken from a polynomial over each step.
class RowSystem final : public HybridSystem {
public:
    /// What a solver tells about itself.
    struct Method {
        double tolerance = 1e-9;        ///< error of a step, relative to the largest speed of the network
        bool isExplicit = false;        ///< steps must follow the fastest oscillation
        bool returnWhenLinear = false;  ///< end as soon as no nonlinear element is in contact
    };
    /// @param h the tick's length [s]; it scales the error bounds
    RowSystem(const RowNetwork& network, const RowState& state, double h, const Method& method, double velocityFloor,
              RowLog& log);

    /// The state as one vector.
    const Eigen::VectorXd& start() const { return m_start; }
    /// Writes the result back.
    void finish(double t, Eigen::VectorXd& y, RowState& state);
    bool hasNonlinearContact() const;

    Eigen::Index size() const override { return kBlocks * m_m; }
    void derivative(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) override;

    void linearise(double t, const Eigen::VectorXd& y) override;
    bool factor(double g) override;
    void solve(Eigen::VectorXd& r) const override;
    void timeDerivative(Eigen::VectorXd& dfdt) const override;

    double errorNorm(const Eigen::VectorXd& error, const Eigen::VectorXd& y, double dt) const override;
    double firstStep(double t, const Eigen::VectorXd& y) const override;

    int eventCount() const override { return static_cast<int>(m_events.size()); }
    Eigen::Index eventStateSize() const override { return 2 * m_m; }
    double eventValue(int i, double t, const Eigen::VectorXd& y) const override;
    bool isFarFromEvents(double t, const Eigen::VectorXd& y, double dt, const Eigen::VectorXd& end) const override;
    void crossEvent(int i, double t, Eigen::VectorXd& y) override;
    bool shouldReturn() const override { return m_method.returnWhenLinear && !hasNonlinearContact(); }
    bool stepAccepted(double t, Eigen::VectorXd& y) override;

private:
    enum Block { S, V, Z, P, Sigma, Heat, kBlocks };
    struct Event {
        Eigen::Index element;
        Exit exit;
    };

    auto block(Eigen::VectorXd& y, Block b) const { return y.segment(b * m_m, m_m); }
    auto block(const Eigen::VectorXd& y, Block b) const { return y.segment(b * m_m, m_m); }
    const HybridLaw& law(Eigen::Index i) const { return m_network.laws[static_cast<std::size_t>(i)]; }
    Phase& phase(Eigen::Index i) { return m_phases[static_cast<std::size_t>(i)]; }
    Phase phase(Eigen::Index i) const { return m_phases[static_cast<std::size_t>(i)]; }
    void calcForces(const Eigen::VectorXd& y, Eigen::VectorXd& f) const;
    void addMoments(double t, const Eigen::VectorXd& y);
    void listEvents();
    void bookSpringHeat(Eigen::Index i, Eigen::VectorXd& y);
    double springEnergy(Eigen::Index i, const Eigen::VectorXd& y) const;

    const RowNetwork& m_network;
    const Eigen::MatrixXd m_W;
    const Eigen::Index m_m;
    const double m_h;
    const Method m_method;
    RowLog& m_log;
    Eigen::VectorXd m_start;
    std::vector<Phase> m_phases;
    std::vector<Event> m_events;
    Eigen::VectorXd m_energyAtStart;  ///< of each element, when its phase began
    double m_speed = 0;               ///< largest speed so far
    Eigen::VectorXd m_force;          ///< scratch of derivative

    // Moments of P, and where the step began that is to be added to them.
    Eigen::VectorXd m_sigmaT, m_sigmaTT;
    double m_stepTime = 0;
    Eigen::VectorXd m_stepForce, m_stepImpulse, m_stepSigma;

    // The linearisation: slopes of the forces, and of the heat flow.
    double m_linearisedAt = 0;
    Eigen::VectorXd m_byS, m_byV, m_heatByS, m_heatByV;
    double m_g = 0;
    std::vector<Eigen::Index> m_acting;  ///< elements whose force depends on the state
    Eigen::VectorXd m_theta;             ///< what the force gains per speed over a step
    Eigen::MatrixXd m_matrix;
    Eigen::PartialPivLU<Eigen::MatrixXd> m_lu;
    mutable Eigen::VectorXd m_phi, m_slowed, m_right, m_speeds;  ///< scratch of solve
};

}  // namespace elasto::flow
