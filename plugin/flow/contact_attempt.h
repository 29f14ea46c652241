#pragma once
// A tick with contacts, tried in one of three ways.

#include "contact_coarse.h"
#include "contact_course.h"
#include "network_state.h"

namespace elasto::flow {

/// A tick that was tried.
struct Trial {
    ContactState state;
    FlowNetwork end;
    double length = 0;    ///< [s] that it covers: less than it was asked for where contacts let go
    double gain = 0;      ///< of bodies, springs and heat beyond the work of everything else [J]
    double softHeld = 0;  ///< energy that soft contacts hold more than before, and their heat [J]
    double opened = 0;    ///< largest distance by which joints have, before coarse trials close them again [m, rad]
    int steps = 0;
    long work = 0;  ///< [ns], see work_prices.h
    int setChanges = 0;
    bool isCoarse = false;
    ContactModes firstModes;
};

/// Tries ticks one after the other; storage is kept.
class Attempts {
public:
    /// What the contacts are thought to press with [N].
    std::vector<double>& forces() { return m_coarse.forces; }
    /// @param work [ns] that may be spent before the rest is done coarsely
    /// @param stopsAtRelease may end where contacts let go of bodies that turn
    /// @param first null: with gradients of the start. Else what has been found so: once more, with those of the middle
    /// @param trial another one than first
    void attempt(const FlowNetwork& network, double h, const FlowSettings& settings, long work, bool stopsAtRelease,
                 const Trial* first, Trial& trial);
    /// By a method that cannot fail and loses rebounds.
    void attemptCoarsely(const FlowNetwork& network, double h, Trial& trial);
    /// By standing still: nothing can be gained by that.
    void stand(const FlowNetwork& network, double h, Trial& trial);

    /// Of the network that was tried last.
    const std::vector<Patch>& patches() const { return m_problem.frame().patches(); }

private:
    void placeInMiddle(const FlowNetwork& network, const ContactState& state);
    void lift(const ContactModes& modes, ContactState& state);
    void beginCoarsely(const FlowNetwork& network, double h, Trial& trial);
    void closeJoints(const FlowNetwork& start, Trial& trial);
    void finish(double h, Trial& trial);
    long visit() const;
    long spentOnRows() const;

    ContactProblem m_problem;
    CourseSpace m_course;
    CoarseSpace m_coarse;
    BodiesNow m_bodies;
    FlowNetwork m_network;
    HoldSpace m_hold;
    // For the lift.
    ContactFrame m_end;
    BlockFactor m_factor;
    std::vector<InverseMassRoot> m_roots;
    std::vector<RowMode> m_modes;
    std::vector<BlockRow> m_rates, m_pushes;
    std::vector<double> m_wanted, m_impulses;
    std::vector<Vector6> m_change, m_mean;
};

/// Largest rotation of a body [rad].
double largestTurn(const FlowNetwork& network, const ContactState& state);

}  // namespace elasto::flow
