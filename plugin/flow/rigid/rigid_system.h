#pragma once
// Bodies that move and turn under their elements within the tick: the general case, for the adaptive integrators.

#include "balance/centroidal.h"
#include "balance/network_state.h"
#include "bodies/geometry.h"
#include "constraints/bounded_rows.h"
#include "constraints/held_rows.h"
#include "law/hybrid_law.h"
#include "numerics/hybrid_system.h"
#include "numerics/step_choice.h"
#include "rigid/steady_spins.h"
#include "rigid/tuning.h"

#include <vector>

namespace elasto::flow {

/// State vector: per movable body x (3), orientation as SteadySpins counts it (4), v (3), w (3); per element s_damper;
/// then the quadratures: per element impulse and heat; the work of everything but the elements and constant forces; the
/// motors' work; the impulse of each motor and limit; the reactions that rows ask for (9 each); the moment of the loads
/// on a free-floating network (3).
class RigidSystem : public HybridSystem, private BoundedSystem {
public:
    /// Both must outlast the system. They may change between ticks: begin() looks at them anew.
    RigidSystem(const FlowNetwork& network, const FlowSettings& settings)
        : m_network(network), m_settings(settings), m_held(network) {}

    /// A tick from the network's present state.
    /// @param h the whole tick [s], for scales
    void begin(double h);

    /// Velocities after what happens at once: a limit that is hit, a rate that is prescribed.
    const Eigen::VectorXd& startState() const { return m_start; }
    Motion motionOf(int body, double t, const Eigen::VectorXd& y) const;
    Row rowOf(std::size_t element, double t, const Eigen::VectorXd& y) const;
    double damperLength(std::size_t element, const Eigen::VectorXd& y) const { return y[zIndex(element)]; }
    double innerStateOf(std::size_t element, double s, const Eigen::VectorXd& y) const {
        return innerState(m_laws[element], m_phases[element], s, damperLength(element, y));
    }
    double impulse(std::size_t element, const Eigen::VectorXd& y) const { return y[pIndex(element)]; }
    double heat(std::size_t element, const Eigen::VectorXd& y) const { return y[heatIndex(element)]; }
    double work(const Eigen::VectorXd& y) const { return y[workIndex()]; }
    double driveWork(const Eigen::VectorXd& y) const { return y[workIndex() + 1]; }
    double limitLoss() const { return m_bounded.limitLoss(); }
    double boundedImpulse(std::size_t row, const Eigen::VectorXd& y) const { return y[boundedIndex(row)]; }
    double boundedWork(std::size_t row, const Eigen::VectorXd& y) const {
        return y[boundedIndex(m_network.bounded.size() + row)];
    }
    /// Forces of motors and limits at a state [N, N.m].
    void boundedForces(double t, const Eigen::VectorXd& y, std::vector<double>& forces) const;
    Reaction reaction(std::size_t index, const Eigen::VectorXd& y) const;
    /// The network's momenta, if nothing holds it, and the integral of its loads' moment.
    const CentroidalBalance& centroidal() const { return m_centroidal; }
    Eigen::Vector3d moment(const Eigen::VectorXd& y) const;
    std::size_t reactionCount() const { return static_cast<std::size_t>(m_reactions); }
    /// Angle or coordinate of a motor or limit.
    Row boundedRow(std::size_t row, double t, const Eigen::VectorXd& y) const;
    /// Motors and limits that are held at present.
    const std::vector<int>& heldBounded() const { return m_bounded.held(); }
    const std::vector<ContactEvent>& events() const { return m_events; }
    const FlowNetwork& network() const { return m_network; }
    /// What an implicit step costs, in explicit ones: it solves for all bodies at once, in cubic time.
    int implicitWeight() const;
    /// True if an element that acts now is too strongly damped, or oscillates too fast, for explicit steps.
    bool isStiff(double t, const Eigen::VectorXd& y) const;
    /// Least number of steps that isStiff has taken for enough in this tick.
    double leastSteps() const { return m_leastSteps; }
    /// Error allowed per step, relative to the largest speed.
    void setTolerance(double tolerance) { m_tolerance = tolerance; }
    /// Counts orientations from bodies that go on spinning as they do now, or as they are.
    /// @param y state, whose orientations are counted so from now on
    void countSpins(double t, Eigen::VectorXd& y, bool isExplicit);
    StepChoice& steps() { return m_steps; }

    Eigen::Index size() const override { return momentIndex() + (m_countsMoment ? 3 : 0); }
    void derivative(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) override {
        evaluate(t, y, dydt);
        if (!m_bounded.held().empty()) m_bounded.noteForces(m_jointForces.data() + m_network.joints.size());
    }
    // In rigid/rigid_linearised.cpp: poses, damper lengths and quadratures are eliminated, 6 unknowns per body remain.
    void linearise(double t, const Eigen::VectorXd& y) override;
    bool factor(double g) override;
    void solve(Eigen::VectorXd& r) const override;
    void timeDerivative(Eigen::VectorXd& dfdt) const override { dfdt = m_linear.byTime; }
    // In rigid/rigid_steps.cpp: how long steps may be.
    double errorNorm(const Eigen::VectorXd& error, const Eigen::VectorXd& y, double dt) const override;
    double firstStep(double t, const Eigen::VectorXd& y) const override;
    double longestStep() const override { return m_longestStep; }
    // In rigid/rigid_events.cpp: where contacts begin and end.
    int eventCount() const override { return static_cast<int>(m_exits.size() + m_bounded.exitCount()); }
    Eigen::Index eventStateSize() const override { return pIndex(0); }
    double eventValue(int i, double t, const Eigen::VectorXd& y) const override;
    bool isFarFromEvents(double t, const Eigen::VectorXd& y, double dt, const Eigen::VectorXd& end) const override;
    double eventSlack(int i) const override;
    void crossEvent(int i, double t, Eigen::VectorXd& y) override;
    bool shouldReturn() const override { return m_steps.mustEnd(); }
    bool stepAccepted(double t, Eigen::VectorXd& y) override;

private:
    struct PendingExit {
        std::size_t element;
        Exit exit;
    };

    struct BodyRates {  // of a movable body by itself
        Vector6 acceleration;
        double work = 0;
        Eigen::Vector3d moment = Eigen::Vector3d::Zero();  // of its loads
    };
    struct ElementRates {
        int bodies[4];             // those that it moves
        Vector6 accelerations[4];  // of them
        int count = 0;             // of them
        double f = 0;
        double damper = 0;
        double heat = 0;
        double work = 0;  // of a driven body
    };
    // (g I - df/dy) x = r, block by block. Columns of bodies: 3 translations and 3 rotations, or velocities. The rows
    // "rest" are the quadratures.
    struct Linearised {
        Eigen::VectorXd byTime;
        Eigen::MatrixXd accelerationByPose, accelerationByVelocity, accelerationByDamper;
        Eigen::MatrixXd damperByPose;  // of z'
        Eigen::VectorXd damperByDamper;
        Eigen::MatrixXd restByPose, restByVelocity, restByDamper;
        std::vector<Eigen::Matrix4d> quaternionByItself;
        std::vector<Eigen::Matrix<double, 4, 3>> quaternionBySpin;
        std::vector<Eigen::Matrix<double, 3, 4>> rotationByQuaternion;
        // For one g:
        double g = 0;
        std::vector<Eigen::Matrix4d> quaternionInverse;
        Eigen::VectorXd damperInverse;
        Eigen::PartialPivLU<Eigen::MatrixXd> lu;
    };

    struct Load {              // what acts on a body by itself
        bool isPlain = false;  // a constant force at the centre of mass, nothing else
        Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();
    };
    static constexpr Eigen::Index kReactionSize = 9;

    double workingRate(double rate, double driven) const;
    void beginBodies();
    void beginRows();
    void choosePhases();
    void readStart();
    void readMotion(int body, double t, const Eigen::VectorXd& y, Motion& motion) const;
    void countTurns(double t, const Eigen::VectorXd& y);
    void countBoundedTurns(double t, const Eigen::VectorXd& y);
    void findLongestStep(double t, const Eigen::VectorXd& y);
    /// Angles near which an element's are to be found at t.
    Turns turnsAt(std::size_t element, double t) const {
        return m_turns[element].after(t - m_turnsAt, m_turnRates[element]);
    }
    void evaluate(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) const;
    void addJointForces(Eigen::VectorXd& dydt) const;

    /// Rates of the quadratures from the work on, as far as joints, motors and limits make them.
    /// @param bodies where m_held stands
    void addRowQuadratures(const BodyKinematics& bodies, const Eigen::VectorXd& forces,
                           Eigen::Ref<Eigen::VectorXd> rates) const;
    void addHeldQuadratures(std::size_t row, const RowMeasure& measure, double force,
                            Eigen::Ref<Eigen::VectorXd> rates) const;
    /// @param share of the push that counts
    void addPushQuadratures(std::size_t bounded, const BodyKinematics& bodies, double share,
                            Eigen::Ref<Eigen::VectorXd> rates) const;
    void addDrive(std::size_t bounded, const RowMeasure& measure, double force, double drivenRate,
                  Eigen::Ref<Eigen::VectorXd> rates) const;
    void addWork(std::size_t bounded, double work, Eigen::Ref<Eigen::VectorXd> rates) const;
    void addReaction(int index, const RowMeasure& measure, double force, Eigen::Ref<Eigen::VectorXd> rates) const;

    // In rigid/rigid_bounded.cpp: motors and limits.
    double rowValue(std::size_t row, double t, const Eigen::VectorXd& y) const override;
    double rowRate(std::size_t row, double t, const Eigen::VectorXd& y) const override;
    double fastest(const Eigen::VectorXd& y) const override;
    double kineticEnergy(const Eigen::VectorXd& y) override;
    void place(double t, const Eigen::VectorXd& y) override;
    void hold(const std::vector<int>& rows) override;
    void accelerate(double t, const Eigen::VectorXd& y) override;
    double rowAcceleration(std::size_t row) const override;
    double mobilityAlone(std::size_t row) const override;
    RowMobility mobility(const std::vector<std::size_t>& rows) const override;
    Eigen::VectorXd ratesBesideHeld(const std::vector<std::size_t>& rows, const Eigen::VectorXd& y) const override;
    double strike(double t, const std::vector<std::size_t>& rows, const Eigen::VectorXd& impulses,
                  Eigen::VectorXd& y) override;
    double findHeldForces(double t, const Eigen::VectorXd& y, Eigen::VectorXd& forces) const override;
    Eigen::Index boundStateSize() const override { return eventStateSize(); }
    RowMeasure measureBounded(std::size_t row) const;
    double rateChange(std::size_t row, const RowMeasure& measure, const std::vector<Vector6>& change) const;
    double bookImpulses(const std::vector<std::size_t>& rows, const Eigen::VectorXd& impulses,
                        const std::vector<Vector6>& change, Eigen::VectorXd& y) const;
    void bookHeldImpulses(const Eigen::VectorXd& impulses, const std::vector<Vector6>& change,
                          Eigen::VectorXd& y) const;
    void classifyStruck(double t, const Eigen::VectorXd& y, const std::vector<double>& before);
    void addPushes(const BodyKinematics& bodies, std::vector<Vector6>& accelerations) const;
    /// Calls visit(body, acceleration) for what a motor that is away from its target pushes.
    template <class Visit>
    void forEachPushed(std::size_t bounded, const BodyKinematics& bodies, const Visit& visit) const {
        const BoundedRow& row = m_network.bounded[bounded];
        const auto motionAt = [&](int body) -> const Motion& { return bodies.at(body); };
        const Row now = measureRow(row, motionAt, Turns());
        const double push = m_bounded.push(bounded, now.v - row.targetRate, m_time);
        const auto give = [&](int index, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
            if (!isMovable(index)) return;
            const auto i = static_cast<std::size_t>(index);
            Vector6 acceleration;
            acceleration << push * linearResponse(m_network.bodies[i], linear), push * (bodies.inverses[i] * angular);
            visit(i, acceleration);
        };
        forEachEnd(row, now, give);
    }

    void readBody(std::size_t body, double t, const Eigen::VectorXd& y, BodyKinematics& bodies) const;
    BodyRates bodyRates(std::size_t body, double t, const BodyKinematics& bodies) const;
    ElementRates elementRates(std::size_t element, double z, const BodyKinematics& bodies) const;
    void differentiateQuaternion(std::size_t body, const Eigen::VectorXd& y, const Motion& motion);
    double shiftCoordinate(std::size_t body, int k, const BodyKinematics& bodies, BodyKinematics& moved) const;
    void differentiateBody(std::size_t body, double t, const Eigen::VectorXd& y, const BodyKinematics& bodies);
    void differentiateDamper(std::size_t element, double z, const BodyKinematics& bodies);
    Eigen::VectorXd holdColumn(std::size_t body, const BodyKinematics& placed, const BodyKinematics& moved, double step,
                               Eigen::Ref<Eigen::VectorXd> column) const;
    void findPlaced();
    void addPushChange(std::size_t body, const BodyKinematics& moved, const BodyKinematics& bodies, double step,
                       Eigen::Ref<Eigen::VectorXd> column) const;
    void differentiateRowQuadratures(std::size_t body, const BodyKinematics& moved, const BodyKinematics& bodies,
                                     double step, const Eigen::VectorXd& changeOfForces,
                                     Eigen::Ref<Eigen::VectorXd> rest) const;
    Eigen::VectorXd posesOf(const Eigen::VectorXd& r) const;

    std::size_t elementCount() const { return m_network.elements.size(); }
    Eigen::Index bodyIndex(int body) const { return 13 * m_slots[static_cast<std::size_t>(body)]; }
    bool isMovable(int body) const { return body != kWorld && m_slots[static_cast<std::size_t>(body)] >= 0; }
    Eigen::Index zIndex(std::size_t element) const { return 13 * m_movable + static_cast<Eigen::Index>(element); }
    Eigen::Index pIndex(std::size_t element) const { return zIndex(elementCount() + element); }
    Eigen::Index heatIndex(std::size_t element) const { return zIndex(2 * elementCount() + element); }
    Eigen::Index workIndex() const { return zIndex(3 * elementCount()); }
    Eigen::Index boundedIndex(std::size_t row) const { return workIndex() + 2 + static_cast<Eigen::Index>(row); }
    Eigen::Index reactionIndex(int index) const {
        return boundedIndex(2 * m_network.bounded.size()) + kReactionSize * index;
    }
    Eigen::Index momentIndex() const { return reactionIndex(m_reactions); }
    void addPushedSpeeds(double& speed, double& spin) const;
    /// Inverse mass of an element's coordinate: of its bodies alone, and as joints leave it.
    double ownInverseMass(std::size_t element, const Row& row, double t, const Eigen::VectorXd& y) const;
    double inverseMass(std::size_t element, const Row& row, double t, const Eigen::VectorXd& y) const;
    void listExits();

    const FlowNetwork& m_network;
    const FlowSettings& m_settings;
    double m_h = 0;
    double m_speed = 0;                // of the bodies in this tick, for scales
    double m_energy = 0;               // in play in this tick, for scales
    double m_mass = 0, m_inertia = 0;  // of all movable bodies
    double m_tolerance = 0;
    double m_longestStep = 0;
    double m_poseStep = 0;              // of forward differences [m, -]
    std::vector<Eigen::Index> m_slots;  // place among the movable bodies, -1 for immovable ones
    Eigen::Index m_movable = 0;
    std::vector<Load> m_loads;
    std::vector<HybridLaw> m_laws;
    std::vector<Phase> m_phases;
    SteadySpins m_spins, m_lastSpins;  // from which the state counts orientations, and did before
    std::vector<Turns> m_turns;  // angles at m_turnsAt, that of the last accepted step: they keep the count of turns
    std::vector<Turns> m_turnRates;  // at which they go on
    double m_turnsAt = 0;
    std::vector<PendingExit> m_exits;
    std::vector<ContactEvent> m_events;
    BoundedRows m_bounded;
    std::vector<Turns> m_boundedTurns, m_boundedRates;  // as m_turns, of motors and limits
    int m_reactions = 0;
    bool m_hasRowQuadratures = false;
    bool m_isDriven = false;  // joints pass on work of what nothing can accelerate
    CentroidalBalance m_centroidal;
    std::vector<CarriedRotor> m_rotors;  ///< whose loads have a moment of their own
    bool m_countsMoment = false;
    Eigen::VectorXd m_start;
    // Of the last evaluation, here so that it allocates nothing.
    mutable BodyKinematics m_bodies;
    mutable HeldRows m_held;
    mutable std::vector<Vector6> m_accelerations, m_responses;
    mutable Eigen::VectorXd m_jointForces;
    mutable Eigen::VectorXd m_scratch;
    mutable double m_time = 0;
    mutable double m_leastSteps = 0;
    Linearised m_linear;
    std::vector<RowMeasure> m_placed;                  // of what is held, while it is linearised
    std::vector<std::vector<std::size_t>> m_pushesOn;  // by body: motors that are away from their target
    StepChoice m_steps;
};

}  // namespace elasto::flow
