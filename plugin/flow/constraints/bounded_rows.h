#pragma once
// Motors and limits while a system is integrated: which of them act, when that changes, and what happens at once when
// one is hit.

#include "constraints/bounded_phase.h"
#include "constraints/tuning.h"

#include <Eigen/Core>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace elasto::flow {

/// What a motor or limit is to do, of whatever it is a row: see BoundedRow.
struct BoundedLaw {
    BoundedRow::Kind kind = BoundedRow::Kind::Motor;
    double targetRate = 0, maxForce = 0;
    double bound = 0, restitution = 0;
    int side = 1;
    DryFriction friction = {};

    /// Largest force at the target, at a time in the tick.
    double holding(double t) const {
        return friction.isDry() ? friction.share.at(t) * friction.peak * friction.slow : maxForce;
    }
};

/// An end that the phase of a motor or limit may have.
struct BoundedExit {
    enum class Kind : unsigned char { Reaches, TooStrong, TooWeak, Touches, Lifts };
    std::size_t row;
    Kind kind;
};

/// What unit forces along rows do to the rates of these rows.
struct RowMobility {
    Eigen::MatrixXd A;      ///< symmetric; while all that is held keeps its rate
    Eigen::VectorXd alone;  ///< of each row by its own force, if nothing were held

    /// True where what is held leaves a row nothing to move.
    bool isBlocked(Eigen::Index i) const { return !(A(i, i) > kBlocked * alone[i]); }
};

/// What BoundedRows asks of the system whose motors and limits they are. Rows are named by their index; a motor's rate
/// is counted from its target.
class BoundedSystem {
public:
    virtual ~BoundedSystem() = default;

    virtual double rowValue(std::size_t row, double t, const Eigen::VectorXd& y) const = 0;
    virtual double rowRate(std::size_t row, double t, const Eigen::VectorXd& y) const = 0;
    /// The largest speed in y: what rates are compared with.
    virtual double fastest(const Eigen::VectorXd& y) const = 0;
    virtual double kineticEnergy(const Eigen::VectorXd& y) = 0;

    /// Goes to y. What follows is asked for there.
    virtual void place(double t, const Eigen::VectorXd& y) = 0;
    /// From now on these rows are held (rising indices), beside the joints.
    virtual void hold(const std::vector<int>& rows) = 0;
    /// Finds the accelerations while the rows of hold() are held and the others push as their phases say.
    virtual void accelerate(double t, const Eigen::VectorXd& y) = 0;
    /// Second derivative of a row's value, as accelerate() left it.
    virtual double rowAcceleration(std::size_t row) const = 0;
    virtual double mobilityAlone(std::size_t row) const = 0;
    virtual RowMobility mobility(const std::vector<std::size_t>& rows) const = 0;
    /// Rates that rows have once those that are held have theirs.
    /// @param y as place() got it
    virtual Eigen::VectorXd ratesBesideHeld(const std::vector<std::size_t>& rows, const Eigen::VectorXd& y) const = 0;
    /// Changes velocities by impulses along rows, and by those that what is held needs to have its rates. Books all,
    /// and lets the elements see their new rates.
    /// @return what limits took of the energy
    virtual double strike(double t, const std::vector<std::size_t>& rows, const Eigen::VectorXd& impulses,
                          Eigen::VectorXd& y) = 0;

    /// Forces of the rows of hold() at a state of which only the first boundStateSize() entries are given.
    /// @return the largest force of all that is held, joints too
    virtual double findHeldForces(double t, const Eigen::VectorXd& y, Eigen::VectorXd& forces) const = 0;
    virtual Eigen::Index boundStateSize() const = 0;
};

/// Each motor and limit is in one BoundedPhase at a time. Events end phases; settle() then chooses new ones by a
/// quadratic program over the rows that stand at their bound or rate: between its bounds a force holds its row.
class BoundedRows {
public:
    /// Rows of a tick. start() must follow.
    /// @param rows BoundedRows or TreeBoundeds
    /// @param h the whole tick [s], for scales
    template <class Rows>
    void begin(const Rows& rows, double h) {
        m_laws.clear();
        for (const auto& row : rows) {
            m_laws.push_back({row.kind, row.targetRate, row.maxForce, row.bound, row.restitution, row.side});
            if constexpr (requires { row.friction; }) m_laws.back().friction = row.friction;
        }
        clear(h);
    }
    /// Phases at the tick's start, and what happens at once: a limit that is hit, a rate that is prescribed.
    void start(BoundedSystem& system, Eigen::VectorXd& y);

    bool empty() const { return m_laws.empty(); }
    std::size_t size() const { return m_laws.size(); }
    /// Rows that are held, by rising index.
    const std::vector<int>& held() const { return m_held; }
    /// Force of a motor that its phase fixes, 0 in other phases.
    /// @param rate of the row, from its target: friction depends on it, and on time
    double push(std::size_t row, double rate, double t) const {
        const DryFriction& friction = m_laws[row].friction;
        if (!friction.isDry()) return m_strengths[row] * flow::pushOf(m_laws[row], m_phases[row]);
        if (m_phases[row] == BoundedPhase::Below) return friction.share.at(t) * friction.sliding(-rate);
        return m_phases[row] == BoundedPhase::Above ? -friction.share.at(t) * friction.sliding(rate) : 0;
    }
    /// True where the phase of a motor fixes its force.
    bool isPushing(std::size_t row) const {
        return m_phases[row] == BoundedPhase::Below || m_phases[row] == BoundedPhase::Above;
    }
    /// True where a motor is held at a rate other than 0.
    bool isDriven() const;
    /// Energy that impacts at limits have taken in this tick.
    double limitLoss() const { return m_limitLoss; }
    void addLimitLoss(double loss) { m_limitLoss += loss; }

    /// @name Events, as HybridSystem has them
    ///@{
    std::size_t exitCount() const { return m_exits.size(); }
    /// @param isExplicit steps are explicit: their stages tell where a force cannot reach an end
    double exitValue(const BoundedSystem& system, std::size_t exit, double t, const Eigen::VectorXd& y,
                     bool isExplicit) const;
    /// To what an exit need not be met better.
    double exitSlack(std::size_t exit) const;
    void cross(BoundedSystem& system, std::size_t exit, double t, Eigen::VectorXd& y);
    /// Tells the forces of the rows that are held, at each evaluation.
    void noteForces(const double* forces);
    void stepAccepted();
    /// The forces that were found belong to a phase that ends.
    void forgetForces() { m_foundAt = -1; }
    ///@}

private:
    /// Forces of a held row: the last evaluation's, the least and the largest since the last accepted step.
    struct ForceRange {
        double last, least, most;

        void start(double force) { last = least = most = force; }
        void add(double force) {
            last = force;
            least = std::min(least, force);
            most = std::max(most, force);
        }
        void restart() { least = most = last; }
    };

    void clear(double h);
    void hold(BoundedSystem& system, std::vector<int> rows);
    std::vector<int> prescribed() const;
    double gap(const BoundedSystem& system, std::size_t row, double t, const Eigen::VectorXd& y) const;
    void settle(BoundedSystem& system, double t, Eigen::VectorXd& y, const BoundedExit* trigger);
    std::vector<char> touching(const BoundedSystem& system, double t, const Eigen::VectorXd& y,
                               const BoundedExit* trigger) const;
    bool isCandidate(std::size_t row, double rate, double tolerance, bool isTouching, bool wasHit,
                     const BoundedExit* trigger);
    void chooseHeld(BoundedSystem& system, double t, const Eigen::VectorXd& y, std::vector<std::size_t> rows);
    RowMobility mobilityOfFree(const BoundedSystem& system, std::vector<std::size_t>& rows,
                               std::vector<std::size_t>& blocked) const;

    // In constraints/bounded_impact.cpp.
    struct Impact;
    bool impact(BoundedSystem& system, double t, Eigen::VectorXd& y, const std::vector<char>& isTouching, bool isStart);
    bool isHit(const BoundedSystem& system, double t, const Eigen::VectorXd& y, const std::vector<char>& isTouching,
               bool isStart) const;
    double atOnce(std::size_t row, double t) const;
    bool isNear(const BoundedSystem& system, std::size_t row, double t, double rate) const;
    void askFor(const BoundedSystem& system, double t, const Eigen::VectorXd& y, Impact& impact) const;

    bool isKeptByOthers(const BoundedSystem& system, std::size_t row, double t, const Eigen::VectorXd& y) const;
    void listExits(const BoundedSystem& system, double t, const Eigen::VectorXd& y);
    void addExits(std::size_t row);
    double margin(const BoundedExit& exit, double t, double force) const;
    double heldForce(const BoundedSystem& system, std::size_t row, double t, const Eigen::VectorXd& y) const;
    std::size_t heldPlace(std::size_t row) const;

    double m_h = 0;
    std::vector<BoundedLaw> m_laws;
    std::vector<BoundedPhase> m_phases;
    std::vector<char>
        m_passes;  ///< motors that pass a dead point: nothing holds their coordinate, and its rate goes on
    std::vector<double> m_strengths;  ///< shares of the motors' strengths that what they gave at once has left them
    std::vector<double> m_gapShift;   ///< of limits that are open: how far beyond their bound they opened, <= 0
    std::vector<int> m_held;
    std::vector<BoundedExit> m_exits;
    std::vector<ForceRange> m_ranges;  ///< of the rows that are held, in their order
    double m_limitLoss = 0;
    // The forces that exits ask for, and where they were found.
    mutable double m_foundAt = -1;
    mutable Eigen::VectorXd m_foundState, m_foundForces;
    mutable double m_foundLargest = 0;
};

}  // namespace elasto::flow
