#pragma once
// A tick with contacts, tried in one of three ways.

#include "balance/network_state.h"
#include "contact/contact_integrator.h"
#include "contact/contact_motion.h"
#include "implicit/implicit_tick.h"
#include "numerics/dop853.h"
#include "numerics/hybrid_integrator.h"

namespace elasto::flow {

/// A tick that was tried.
struct Trial {
    ContactState state;
    FlowNetwork end;
    double length = 0;          ///< [s] that it covers: less than it was asked for where contacts let go
    double gain = 0;            ///< of bodies, springs and heat beyond the work of everything else [J]
    double putRight = 0;        ///< of it: work of joints and contacts that take back what they gave way [J]
    double jointLoss = 0;       ///< energy that joints took [J]
    double softHeld = 0;        ///< energy that soft contacts hold more than before, and their heat [J]
    double opened = 0;          ///< largest distance by which joints have [m, rad]
    double momentumMissed = 0;  ///< of a network that floats, as a share of its bodies' speed
    int steps = 0;
    int substeps = 0;  ///< of the implicit step
    long work = 0;     ///< [ns], see numerics/cost_model.h
    int setChanges = 0;
    bool isSolved = true;  ///< all minima of the implicit step were found
    bool isCut = false;    ///< the budget ended before it, or what was found is no motion: there is no end
    ContactModes firstModes;

    /// As new, but for what a solution writes over anyway.
    void begin();
};

/// What a part of a tick tells the next one, besides the network at its end.
struct PartEnd {
    Hits hits;
    /// Of the elements and soft contacts; none where the tick begins. At an edge s and v tell by rounding alone.
    std::vector<Phase> phases;
};

/// Tries ticks one after the other; storage is kept.
class ContactTrials {
public:
    /// As the bodies move between the changes of what touches.
    /// @param work [ns] that may be spent
    /// @param stopsAtRelease may end where contacts let go of bodies that turn
    /// @param first null: with gradients of the start. Else what has been found so: once more, with those of the middle
    /// @param trial another one than first
    void attempt(const FlowNetwork& network, double h, const FlowSettings& settings, long work, bool stopsAtRelease,
                 const Trial* first, Trial& trial);
    /// As the bodies themselves move until something changes in what touches: what turns has other gradients at each
    /// moment.
    /// @param h the whole tick, for scales @param most of it that is left [s]
    /// @param work [ns] that may be spent @param before end of the part before, in and out
    void follow(const FlowNetwork& network, double h, double most, const FlowSettings& settings, long work,
                PartEnd& before, Trial& trial);
    /// By the implicit step, which always finds an end.
    /// @param network whose contacts' impulses are those of a tick of h @param work [ns] that it should not exceed
    void attemptImplicitly(const FlowNetwork& network, double h, double dt, implicit::ElementDrift::Form form,
                           long work, Trial& trial);
    /// By standing still, in the air or on something that carries by going on together: nothing can be gained by that.
    void stand(const FlowNetwork& network, double h, Trial& trial);

    /// Of the last network that was not tried implicitly.
    const std::vector<Patch>& patches() const { return m_problem.frame().patches(); }

private:
    void placeInMiddle(const FlowNetwork& network, const ContactState& state);
    bool lift(const ContactModes& modes, ContactState& state);
    void finish(Trial& trial);
    long visit() const;
    long spentOnRows() const;

    ContactProblem m_problem;
    ContactIntegratorSpace m_integrator;
    ContactMotion m_motion;
    Dop853 m_stepper;
    IntegrationSpace m_integration;
    Eigen::VectorXd m_y;
    implicit::ImplicitStep m_implicit;
    implicit::ImplicitTick m_tick;
    BodyKinematics m_bodies;
    FlowNetwork m_network;
    // For the lift.
    ContactFrame m_end;
    BlockFactor m_factor;
    std::vector<InverseMassRoot> m_roots;
    std::vector<RowMode> m_modes;
    std::vector<BlockRow> m_rates, m_pushes;
    std::vector<GearedRow> m_gearedPushes;
    std::vector<double> m_wanted, m_impulses;
    std::vector<Vector6> m_change, m_mean;
};

/// Finds what a trial has gained by its end.
void weigh(const FlowNetwork& start, Trial& trial);

/// Largest rotation of a body [rad].
double largestTurn(const FlowNetwork& network, const ContactState& state);

}  // namespace elasto::flow
