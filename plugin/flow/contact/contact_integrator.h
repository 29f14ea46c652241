#pragma once
// The exact integrator of a network with contacts: from one change of the contacts' state to the next the elements'
// own solution, seen through what the contacts let the bodies do.

#include "contact/contact_active_set.h"
#include "contact/contact_problem.h"
#include "contact/slow_slip.h"
#include "straight/row_network.h"
#include "straight/solve_rows.h"

#include <limits>
#include <utility>

namespace elasto::flow {

/// What holds between two changes of the contacts' state.
struct ContactPiece {
    RowNetwork rows;
    Eigen::MatrixXd W;               ///< of the rows; columns of elements that are not ready are zero
    std::vector<Vector6> load[3];    ///< accelerations of the bodies by powers of time since the piece began
    std::vector<double> rowLoad[3];  ///< forces of the rows
    /// Of the rows where the piece began, see ContactFrame::gammas; and the forces that hold them against it. These do
    /// not act in the frame's fixed directions, but at both ends of the tick, where velocities are turned into them and
    /// out.
    std::vector<double> gammas, gammaForces;
    double nothing = 0;           ///< force that could not move anything within the tick by what counts as rest
    std::vector<double> turning;  ///< what both together make of the rows' rates
    /// Accelerations by a unit force of each element, and forces of the rows; only of those that are ready. At least as
    /// many.
    std::vector<char> isReady;
    std::vector<std::vector<Vector6>> byForce;
    std::vector<std::vector<double>> rowByForce;
};

/// Storage, kept from one integration to the next.
struct ContactIntegratorSpace {
    ContactModes modes, firstModes, before;
    std::vector<char> isSliding, isRolling, isSpinning, touches, hasArrived, isLifted;
    ContactTask task;
    ModesSpace search;
    SlowSlip slow;
    ContactModes stuck;
    ContactPiece piece;
    std::vector<RowMode> rows, otherRows;
    std::vector<double> wanted, impulses, margins[3], turning;
    std::vector<double> pulls;  // by patch: what presses in the mean over a tick, as an acceleration
    std::vector<Vector6> change, velocities, displacements;
    std::vector<double> free, own, riding;
    /// What the bodies do under loads and elements when the modes were chosen, the forces of the rows then, and those
    /// of the elements; of no use where hasTotal is false.
    bool hasTotal = false;
    std::vector<Vector6> total;
    std::vector<double> totalForces, elementForces;
    std::vector<ContactEvent> events;
    RowState start, end, there;
    RowSolver solver;
    RowOutcome outcome;
};

/// Impacts of a tick so far.
struct Hits {
    double last = -std::numeric_limits<double>::infinity();  ///< when, counted from the present [s]
    double between = 0;                                      ///< that followed each other soon [s]
};

class ContactIntegrator {
public:
    /// @param work [ns] that may be spent
    /// @param state where the tick starts; is advanced
    ContactIntegrator(ContactProblem& problem, double h, const FlowSettings& settings, long work, ContactState& state,
                      ContactIntegratorSpace& space);

    /// Takes out of the start's velocities what contacts do not allow that are known to bear then. Gradients of the
    /// tick's middle would else see bodies that turn on a contact hit each other, or part.
    void hold(const ContactModes& modes);
    /// Runs to the tick's end.
    /// @param stopsAtRelease ends where contacts let go of bodies that turn, in the modes before that: what follows
    /// needs a frame of its own
    /// @return false if no modes were found for the contacts, or the budget ended: the state tells how far it got
    bool run(bool stopsAtRelease);

    /// Finds what state the contacts are in at the start, after what hits there has hit.
    /// @return false if none was found, or the budget ended
    bool begin(Hits& hits);

    /// At the start and at the end.
    const ContactModes& firstModes() const { return m_space.firstModes; }
    const ContactModes& modes() const { return m_modes; }
    /// Directions of slip that were found with the modes.
    SlowSlip& slowSlip() { return m_space.slow; }
    /// Of all rows, with which the modes were chosen.
    double largestForce() const;
    int steps() const { return m_steps; }
    /// Spent so far [ns, see numerics/cost_model.h].
    long work() const;
    /// Spent but for what the rows took, which the frame knows [ns].
    long ownWork() const { return m_work; }
    int setChanges() const { return m_setChanges; }

private:
    static constexpr int kMostChanges = 100;
    /// Times that modes are looked for: the second has friction where those points are that bear.
    static constexpr int kMostPasses = 2;
    /// What friction would stop within this share of the tick is stopped at once: near its end, sliding changes its
    /// direction ever faster.
    static constexpr double kCatchTime = 1e-2;
    double m_catchTime = kCatchTime;
    /// Rates that count as 0 at least [m/s]; forces below this share of the largest one are rounding.
    static constexpr double kSmallestRest = 1e-12;
    static constexpr double kNoForce = 1e-8;
    using Piece = ContactPiece;
    class InModes;

    /// At the tick's start.
    void handOnJumps();
    /// The smallest one [m/s, rad/s].
    double leastJump();
    /// @return false if nothing was hit
    bool rebound();
    bool chooseModes();
    bool keepSlip(ContactTask& task);
    bool driveSlow();
    bool findState(bool turnsSlow);
    void slipAsNow(ContactTask& task);
    bool isWedged(std::size_t patch);
    bool stopWedged();
    bool isOnlyPoint(std::size_t patch) const;
    bool strikeSlipping(std::size_t patch);
    bool strikeSticking(std::size_t patch);
    /// Of an impact: when it was, and how long after the one before.
    void noteHit();
    void strike(std::span<const double> impulses, std::span<const Vector6> change);
    /// Pressures of soft contacts. @return by contact, which of them touch
    void readSoft(ContactTask& task, std::vector<char>& touches) const;

    /// @name Friction against rolling and spinning
    ///@{
    void startTurning();
    /// Which patches turn already; beyond these angular velocities they do.
    void hitTurning(ContactTask& task);
    void findPulls();
    /// @param pull as pulls() has it
    void chooseTurning(std::size_t patch, double pull, ContactTask& task);
    /// Of rolling and of spinning, as look() has them.
    std::pair<double, double> turningMargins(std::size_t patch, const PatchLoad& load, double perForce,
                                             std::span<const Vector6> velocities) const;
    ///@}

    /// @name Motors and limits
    ///@{
    void startBounded();
    /// Limits that are hit and rates that are prescribed. @return true if there are any
    bool hitBounded(ContactTask& task);
    /// Which may stay at their target or bound, and what the others do.
    void chooseBounded(ContactTask& task);
    double boundedMargin(std::size_t bounded, double force, double perForce, std::span<const Vector6> velocities,
                         std::span<const Vector6> displacements) const;
    /// What impacts at limits took and motors did, where rows changed the velocities by `change` to what they are now.
    void bookBounded(std::span<const double> impulses, std::span<const Vector6> change);
    ///@}
    bool integrate();
    void prepare();
    void prepareLoads();
    double forceOfNothing() const;
    void noteTotal(const ContactTask& task, const ContactAnswer& answer);
    void loadFromTotal();
    void prepareElements();
    void prepareElement(std::size_t element);
    /// What held rows make of accelerations. @param forces of the rows
    void holdBack(std::vector<Vector6>& accelerations, std::vector<double>& forces);
    /// @param most of the rates that may be left where the rows contradict each other: else nothing is changed
    void project(BlockFactor& factor, double most = std::numeric_limits<double>::infinity());
    /// Elements' state as a start, with the phases they are in.
    void elementsNow(RowState& start);
    void solved(double dt, std::vector<ContactEvent>& events, RowState& end);
    /// By how much the contacts stay in their state dt after the present, where elements are in a state; one number
    /// per contact and per patch, >= 0 while they do.
    /// @return the smallest
    double look(const RowState& end, double dt, std::vector<double>& margins);
    /// Velocities, displacements and forces of the rows then.
    void lookAhead(const RowState& end, double dt);
    void lookAtPatch(std::size_t patch, double dt, double perForce, std::vector<double>& margins);
    /// Touches, as far as the displacements tell or as it has just turned out.
    bool isClosed(std::size_t contact) const;
    /// Which points close at the piece's end.
    void noteArrivals();
    bool hasReleased(const ContactModes& before);
    double firstCrossing(double before, double after) const;
    /// Finds the first time at which a margin is below 0.
    /// @param dt in: a time at which one is; out: found
    /// @param end the elements then
    void locate(double& dt, RowState& end, std::vector<ContactEvent>& events);
    double stepLength() const;
    void accept(const RowState& end, double dt);
    /// Rates that count as 0.
    double restSpeed() const;
    bool isSpent() const;
    /// Contacts and bodies.
    long visit() const;
    /// What solving for a set of them costs, about.
    long solution() const;
    long spentOnRows() const;
    void limitTrials(ContactTask& task) const;

    ContactProblem& m_problem;
    ContactFrame& m_frame;
    const double m_h;
    const FlowSettings& m_settings;
    ContactState& m_now;
    ContactIntegratorSpace& m_space;
    ContactModes& m_modes = m_space.modes;
    std::vector<char>& m_isSliding = m_space.isSliding;  // by patch
    std::vector<char>& m_isRolling = m_space.isRolling;
    std::vector<char>& m_isSpinning = m_space.isSpinning;
    double m_rest = 0;                                     // what counts as 0 beside the largest speed of all
    std::vector<char>& m_hasArrived = m_space.hasArrived;  // by contact: closes because it turns, at the piece's end
    std::vector<char>& m_isLifted = m_space.isLifted;      // by contact: what wedges lets it go
    Piece& m_piece = m_space.piece;
    Hits m_hits;
    std::vector<double>& m_before = m_space.margins[0];
    std::vector<double>& m_after = m_space.margins[1];
    std::vector<double>& m_margins = m_space.margins[2];
    const long m_mostWork;
    bool m_isUnsolved = false;  // elements between two changes have taken more than was left
    const long m_workBefore;
    long m_work = 0;  // but for that on rows
    int m_steps = 0;
    int m_setChanges = 0;
};

}  // namespace elasto::flow
