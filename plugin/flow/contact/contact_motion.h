#pragma once
// The bodies' own motion while what touches stays as it is: gradients, directions of slip and loads are those of where
// the bodies are at each moment.

#include "balance/network_state.h"
#include "constraints/contact_box.h"
#include "contact/contact_modes.h"
#include "contact/contact_problem.h"
#include "contact/joint_trees.h"
#include "contact/reduced_rows.h"
#include "contact/slow_slip.h"
#include "numerics/hybrid_system.h"

#include <vector>

namespace elasto::flow {

/// State vector: positions, then velocities of the trees that joints make of bodies (JointTrees); per other body that
/// can move x (3), q (4), v (3), w (3); per element and soft contact the inner state; per element whose rotor is
/// carried how far its carrier has turned about the rotor's axis. Then the quadratures: what ContactState sums up.
class ContactMotion final : public HybridSystem {
public:
    /// @param problem stands at the start @param modes that hold from there on; slip directions are in its frame
    /// @param slow of slip at the start, kept up to date until the next begin()
    /// @param largestForce of those with which the modes were chosen [N]: what is nothing beside it is so here
    /// @param h the whole tick [s], for scales @param work [ns] that may be spent, the frame's included
    void begin(ContactProblem& problem, const ContactModes& modes, SlowSlip& slow, double largestForce,
               const ContactState& start, double h, const FlowSettings& settings, long work);
    const Eigen::VectorXd& start() const { return m_start; }
    /// The end of what was integrated, with what rounding and steps left of held rows taken out.
    /// @param state in: as problem.start() left it, but for impulses at the start
    /// @return false if rows that contradict each other do not tell where that is
    bool readEnd(double t, const Eigen::VectorXd& y, ContactState& state, FlowNetwork& end);
    const std::vector<ContactEvent>& events() const { return m_events; }
    /// Of the elements and soft contacts, where it has come to.
    const std::vector<Phase>& phases() const { return m_phases; }
    /// What the right-hand side took [ns], but for what the frame counts.
    long work() const { return m_work + m_reduced.work() - m_reducedBefore; }
    /// What a step takes [ns], with what events ask for.
    long stepWork() const;
    void clear() {
        m_work = 0;
        m_reducedBefore = m_reduced.work();
    }

    Eigen::Index size() const override { return eventStateSize() + sumCount(); }
    void derivative(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) override;
    double errorNorm(const Eigen::VectorXd& error, const Eigen::VectorXd& y, double dt) const override;
    double firstStep(double t, const Eigen::VectorXd& y) const override;
    double longestStep() const override { return m_longestStep; }
    int eventCount() const override { return static_cast<int>(m_ends.size()); }
    Eigen::Index eventStateSize() const override { return carrierIndex(m_carried.size()); }
    double eventValue(int i, double t, const Eigen::VectorXd& y) const override;
    bool isFarFromEvents(double t, const Eigen::VectorXd& y, double dt, const Eigen::VectorXd& end) const override;
    double eventSlack(int i) const override;
    void crossEvent(int i, double t, Eigen::VectorXd& y) override;
    bool shouldReturn() const override { return m_isOver; }
    bool stepAccepted(double t, Eigen::VectorXd& y) override;

private:
    /// What ends the present modes, or the phase of an element.
    struct Ending {
        enum class Kind : unsigned char {
            Closes,     ///< a point that is open touches
            Lifts,      ///< one that bears would pull
            Passes,     ///< what is round goes to another part of a box
            Parts,      ///< two faces slide off each other
            Slips,      ///< a patch that sticks
            Stops,      ///< one that slips
            Rolls,      ///< friction against rolling does not hold any more
            RollStops,  ///< it holds again
            Spins,      ///< the same against spinning
            SpinStops,
            Bounded,  ///< the phase of a motor or limit
            Exit,     ///< that of an element: all else goes on
        };
        Kind kind;
        std::size_t index;  ///< of the contact, patch, motor or limit, element
        Exit exit = {};
        double floor = 0;  ///< of its value: what rounding, or an earlier end, left it to begin with
        /// Of its value since the last step that was accepted.
        double least = 0, most = 0;
        bool isNoted = false;

        bool isOfPlaces() const { return kind == Kind::Closes || kind == Kind::Passes || kind == Kind::Parts; }
        bool isFar() const { return isNoted && least > most - least; }
    };

    class InModes;

    template <class List>
    static Eigen::Index count(const List& list) {
        return static_cast<Eigen::Index>(list.size());
    }
    const FlowNetwork& network() const { return m_problem->network(); }
    /// Of a body that is in no tree.
    Eigen::Index bodyIndex(Eigen::Index slot) const { return 2 * m_trees.coordinates() + 13 * slot; }
    Eigen::Index zIndex(std::size_t law) const { return bodyIndex(m_movable) + static_cast<Eigen::Index>(law); }
    Eigen::Index carrierIndex(std::size_t k) const {
        return zIndex(m_problem->laws().size()) + static_cast<Eigen::Index>(k);
    }
    Eigen::Index sumCount() const;
    void turnCarriedRotors(FlowNetwork& end) const;
    bool isSpent() const { return m_work + rowWork() - m_workBefore > m_mostWork; }
    long rowWork() const { return m_problem->frame().work() + m_reduced.work(); }
    void startBodies(const ContactState& start);
    void goTo(double t, const Eigen::VectorXd& y) const;
    void leaveTrees(double t);
    void noteSpeeds();
    double treeError(const Eigen::VectorXd& error, double speed, double spin, double tolerance) const;
    void countTreeReactions(ContactState& sums) const;
    void turnFriction() const;
    void findForces() const;
    void findForces(const ContactModes& modes) const;
    double acceleration(std::size_t row) const;
    bool driveSlow(double t, const Eigen::VectorXd& y);
    void findEnds();
    void addEnds(Ending::Kind kind, std::size_t index);
    void addPlaceEnds(std::size_t contact, bool isFirst);
    double rawValue(const Ending& end) const;
    double boundedValue(std::size_t bounded) const;
    double placeValue(const Ending& end) const;
    double slipOf(std::size_t patch) const;
    bool needsForces(const Ending& end) const;
    bool isGap(const Ending& end) const;
    double responseOf(std::size_t row) const;
    void noteEnds();
    void noteDirections();
    void noteWeights();
    void packSums(const ContactState& sums, Eigen::Ref<Eigen::VectorXd> to) const;
    void unpackSums(Eigen::Ref<const Eigen::VectorXd> from, ContactState& sums) const;
    double elementForce(std::size_t e) const;
    bool findChange(const std::vector<double>& wanted, double done);

    ContactProblem* m_problem = nullptr;
    const ContactModes* m_modes = nullptr;
    FlowSettings m_settings;
    double m_h = 0;
    double m_energy = 0;
    std::size_t m_reactions = 0;
    double m_longestStep = 0;
    Eigen::Index m_movable = 0;
    std::vector<Eigen::Index> m_slots;  // of a body in the state, -1 for one in a tree and for one that nothing moves
    mutable JointTrees m_trees;
    mutable ReducedRows m_reduced;
    double m_treeSpeed = 0, m_treeSpin = 0;  // largest of their bodies, at the last step's end
    std::vector<double> m_responses;         // of elements, where there are trees
    std::vector<std::size_t> m_carried;      // elements whose rotor is carried
    std::vector<Phase> m_phases;
    std::vector<Ending> m_ends;
    std::vector<BoxPart> m_parts;  // by contact of what is round with a box
    SlowSlip* m_slow = nullptr;
    std::vector<Eigen::Vector3d> m_rolls;  // directions at the last step's end, by patch
    std::vector<double> m_weights;         // pressures then [N]
    double m_nothing = 0;                  // [N]: forces that count as none
    double m_rest = 0;                     // [m/s]: rates that do
    bool m_isOver = false;
    std::vector<ContactEvent> m_events;
    Eigen::VectorXd m_start;
    long m_mostWork = 0;
    long m_workBefore = 0;     // of the rows
    long m_rowWork = 0;        // of the rows, for one right-hand side
    long m_reducedBefore = 0;  // of the trees' rows
    mutable long m_work = 0;

    // Where the problem stands.
    mutable double m_at = -1;
    mutable bool m_hasForces = false;
    mutable bool m_isLost = false;  // the rows have no answer there
    mutable std::vector<RowMode> m_rows;
    mutable Eigen::VectorXd m_there;
    mutable std::vector<double> m_carriers;        // by carried element
    mutable std::vector<int> m_turned;             // rotors
    std::vector<CarriedRotor> m_rotors;            // whose carriers have gyroscopic terms
    mutable std::vector<Eigen::Vector3d> m_spins;  // by body: momentum of rotors that spin on it, in its frame
    mutable BodyKinematics m_bodies;
    mutable std::vector<Vector6> m_u, m_free, m_change, m_pushes;
    mutable std::vector<double> m_elementForces, m_rowForces, m_wanted, m_gammas, m_soft;
    ContactState m_sums;
};

}  // namespace elasto::flow
