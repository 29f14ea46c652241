#pragma once
// Trees under force elements as a hybrid system, for the adaptive integrators.

#include "balance/settle_events.h"
#include "constraints/bounded_rows.h"
#include "law/hybrid_law.h"
#include "numerics/dense_lu.h"
#include "numerics/regular_factor.h"
#include "numerics/split_system.h"
#include "numerics/step_choice.h"
#include "tree/backward_euler.h"
#include "tree/tree_model.h"

#include <Eigen/Cholesky>

#include <vector>

namespace elasto::flow {

/// A term of an element's coordinate: y[place] times coefficient.
struct PlacedTerm {
    Eigen::Index place;
    double coefficient;
};

/// A coordinate s = offset + sum of terms, by places among all coordinates of the network.
struct PlacedCoordinate {
    std::vector<PlacedTerm> terms;
    double offset = 0;

    double value(const double* position) const {
        double s = offset;
        for (const PlacedTerm& term : terms) s += term.coefficient * position[term.place];
        return s;
    }
    double rate(const double* velocity) const { return change(velocity); }
    /// Of s, by changes of the coordinates.
    double change(const double* changes) const {
        double sum = 0;
        for (const PlacedTerm& term : terms) sum += term.coefficient * changes[term.place];
        return sum;
    }
    void addForce(double f, double* forces) const {
        for (const PlacedTerm& term : terms) forces[term.place] += term.coefficient * f;
    }
};

/// y = (positions, velocities, s_damper of each element; then the quadratures: impulse and heat of each element, work
/// of all loads that does not follow from the displacement, the motors' work, impulses of motors, limits and friction,
/// their work; of each tree with a free base the impulse, its moment about the centre of mass and the displacement of
/// the centre of mass).
///
/// Positions and velocities are those of TreeModel, tree after tree.
class TreeSystem final : public SplitSystem, private BoundedSystem {
public:
    /// Looks at the network anew. It must stay as it is until the tick is over.
    void begin(const TreeNetwork& network, const FlowSettings& settings, double h);

    /// Motors and limits at the tick's start, and what happens at once: a limit that is hit, a rate that is prescribed.
    void startBounded();
    const Eigen::VectorXd& startState() const { return m_start; }
    std::size_t treeCount() const { return m_network->trees.size(); }
    TreeModel& tree(std::size_t i) { return m_trees[i]; }
    Eigen::Index coordinates() const { return m_n; }
    Eigen::Index treePlace(std::size_t tree) const { return m_treePlaces[tree]; }
    Eigen::Index rotorPlace(std::size_t tree, std::size_t rotor) const {
        return m_treePlaces[tree] + m_trees[tree].jointSize() + static_cast<Eigen::Index>(rotor);
    }
    double s(std::size_t element, const Eigen::VectorXd& y) const { return m_coordinates[element].value(y.data()); }
    /// Sum of the kinetic energies and of what is stored in the elements. Leaves the trees at y.
    double energy(const Eigen::VectorXd& y);
    double kineticEnergy(const Eigen::VectorXd& y) override;
    double duration() const { return m_h; }
    double v(std::size_t element, const Eigen::VectorXd& y) const {
        return m_coordinates[element].rate(y.data() + m_n);
    }
    double damperLength(std::size_t element, const Eigen::VectorXd& y) const {
        return y[2 * m_n + static_cast<Eigen::Index>(element)];
    }
    double innerStateOf(std::size_t element, const Eigen::VectorXd& y) const {
        return innerState(m_laws[element], m_phases[element], s(element, y), damperLength(element, y));
    }
    double impulse(std::size_t element, const Eigen::VectorXd& y) const {
        return y[impulsePlace() + static_cast<Eigen::Index>(element)];
    }
    /// Of all elements.
    auto impulses(const Eigen::VectorXd& y) const { return y.segment(impulsePlace(), heatPlace() - impulsePlace()); }
    auto heat(const Eigen::VectorXd& y) const { return y.segment(heatPlace(), workPlace() - heatPlace()); }
    double work(const Eigen::VectorXd& y) const { return y[workPlace()]; }
    double driveWork(const Eigen::VectorXd& y) const { return y[workPlace() + 1]; }
    double limitLoss() const { return m_bounded.limitLoss(); }
    double boundedImpulse(std::size_t row, const Eigen::VectorXd& y) const {
        return y[workPlace() + 2 + static_cast<Eigen::Index>(row)];
    }
    double boundedWork(std::size_t row, const Eigen::VectorXd& y) const {
        return y[workPlace() + boundedWorkPlace(row)];
    }
    /// True where an element of dry friction acts, as a row.
    bool hasFriction() const;
    /// Of elements of dry friction: what they take, < 0.
    double frictionWork(const Eigen::VectorXd& y) const;
    /// Forces along motors, limits and friction at time t in a state y.
    void boundedForces(double t, const Eigen::VectorXd& y, std::vector<double>& forces);
    /// True where a row is at its rate or limit, and stays there.
    bool isHeld(std::size_t row, const Eigen::VectorXd& y) const;
    double boundedCoordinate(std::size_t row, const Eigen::VectorXd& y) const {
        return m_boundedCoordinates[row].value(y.data());
    }
    double boundedRate(std::size_t row, const Eigen::VectorXd& y) const {
        return m_boundedCoordinates[row].rate(y.data() + m_n);
    }
    /// True where a motor is held at a rate: velocities must stay what they are.
    bool isDriven() const { return m_bounded.isDriven(); }
    /// Place of the first of nine quadratures of a tree with a free base.
    Eigen::Index momentumPlace(std::size_t tree) const { return m_momentumPlaces[tree]; }
    const HybridLaw& law(std::size_t element) const { return m_laws[element]; }
    const std::vector<ContactEvent>& events() const { return m_events; }
    const std::vector<Seen>& seenAtStart() const { return m_seen; }  ///< by element
    bool hasActed() const { return m_hasActed; }
    int evaluations() const { return m_evaluations; }

    /// True if an element that acts now is too strongly damped, or oscillates too fast, for explicit steps.
    bool isStiff();
    void setTolerance(double tolerance) { m_tolerance = tolerance; }
    /// Implicit steps are linearly so, with df/dy of the elements only.
    StepChoice& steps() { return m_steps; }
    /// Whether responses to the elements may be kept over a step: what motors and limits hold answers at once.
    bool canSplit() const { return m_bounded.empty(); }
    /// Whether linearise() takes the responses that refreshQuick() found.
    void split(bool on) {
        m_isSplit = on;
        m_linear.at.resize(0);
    }

    /// A step of backward Euler; in tree/tree_fallback.cpp.
    void stepByBackwardEuler(double t, double dt, Eigen::VectorXd& y);

    Eigen::Index size() const override { return m_size; }
    void derivative(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) override {
        evaluate(t, y, dydt);
        if (!m_bounded.held().empty()) m_bounded.noteForces(m_hold.forces.data());
    }
    // In tree/tree_linearised.cpp.
    bool refreshQuick(const Eigen::VectorXd& y) override;
    void quick(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) override;
    void linearise(double t, const Eigen::VectorXd& y) override;
    bool factor(double g) override;
    void solve(Eigen::VectorXd& r) const override;
    void timeDerivative(Eigen::VectorXd& dfdt) const override { dfdt.setZero(); }

    double errorNorm(const Eigen::VectorXd& error, const Eigen::VectorXd& y, double dt) const override;
    double firstStep(double t, const Eigen::VectorXd& y) const override;
    int eventCount() const override { return static_cast<int>(m_exits.size() + m_bounded.exitCount()); }
    /// Forces of what is held depend on the dampers' lengths, too.
    Eigen::Index eventStateSize() const override { return m_bounded.held().empty() ? 2 * m_n : impulsePlace(); }
    double eventValue(int i, double t, const Eigen::VectorXd& y) const override;
    bool isEventLinear(int i) const override;
    double eventSlack(int i) const override;
    void crossEvent(int i, double t, Eigen::VectorXd& y) override;
    bool shouldReturn() const override { return m_steps.mustEnd(); }
    bool stepAccepted(double t, Eigen::VectorXd& y) override;

private:
    struct PendingExit {
        std::size_t element;
        Exit exit;
        bool isLinear;        ///< its function is the following one
        LinearExit function;  ///< of s and v
    };
    /// What an element does while its phase lasts: f = byS (s - edge - s_damper) + byV v, of which the spring's share
    /// is spring (s - edge).
    struct Characteristic {
        bool isLinear = false;  ///< the following holds
        double byS = 0, byV = 0, spring = 0, edge = 0;
    };
    struct Linearised {
        struct Acting {
            std::size_t element;
            double byS, byV;          ///< of the force
            double heatByS, heatByV;  ///< series: of the heat by the force, in heatByV
            bool isSeries;
            double theta = 0;  ///< what the force gains per speed over a step
        };
        std::vector<Acting> acting;
        Eigen::MatrixXd responses;                  ///< accelerations by unit forces along the acting elements
        Eigen::MatrixXd mobility;                   ///< the rates that these give to the elements
        Eigen::MatrixXd allResponses, allMobility;  ///< the same of all elements, as findResponses() left them
        Eigen::VectorXd at;                         ///< positions that these belong to
        double g = 0, inverseG = 0;
        Eigen::MatrixXd matrix;
        DenseLu factor;
        mutable Eigen::VectorXd separate, rates;
    };

    /// Motors and limits that are held.
    struct Hold {
        std::vector<int> rows;
        Eigen::MatrixXd responses, mobility;
        Eigen::LLT<Eigen::MatrixXd> factor;
        bool isShared = false;  ///< rows follow from one another: the following counts
        RegularFactor shares;
        Eigen::VectorXd forces;

        void findFactor();
        Eigen::VectorXd solve(const Eigen::VectorXd& rates) const {
            return isShared ? shares.solve(rates) : Eigen::VectorXd(factor.solve(rates));
        }
    };

    std::size_t elementCount() const { return m_laws.size(); }
    Eigen::Index impulsePlace() const { return 2 * m_n + static_cast<Eigen::Index>(elementCount()); }
    Eigen::Index heatPlace() const { return impulsePlace() + static_cast<Eigen::Index>(elementCount()); }
    Eigen::Index workPlace() const { return heatPlace() + static_cast<Eigen::Index>(elementCount()); }
    /// Counted from workPlace().
    Eigen::Index boundedWorkPlace(std::size_t row) const {
        return 2 + static_cast<Eigen::Index>(m_bounded.size() + row);
    }

    void bookElements(double t, const Eigen::VectorXd& s0, const Eigen::VectorXd& z0, const Eigen::VectorXd& impulses,
                      Eigen::VectorXd& y);
    void placeTrees(const TreeNetwork& network);
    void placeElements(const TreeNetwork& network);
    void readStart(const TreeNetwork& network);
    void choosePhases();
    void placeCoordinate(const TreeCoordinate& coordinate, PlacedCoordinate& placed) const;
    void noteSpeed(const Eigen::VectorXd& y);
    void evaluate(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt);
    void accelerate(double t, const Eigen::VectorXd& y, const double* forces, double* acceleration, double* rest);
    void moveTree(std::size_t tree, double t, const Eigen::VectorXd& y, const double* forces, double* acceleration,
                  double* rest);
    void respond(const PlacedCoordinate& coordinate, double* acceleration) const;
    void findInverseMasses();
    std::vector<BackwardEuler::Bound> backwardEulerBounds(double dt) const;
    void startPhases();
    void findResponses();
    void listActing(const Eigen::VectorXd& y);
    double elementRates(std::size_t element, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) const;
    void positionRates(const Eigen::VectorXd& y, Eigen::VectorXd& dydt) const;

    // In tree/tree_bounded.cpp: motors and limits.
    double rowValue(std::size_t row, double t, const Eigen::VectorXd& y) const override;
    double rowRate(std::size_t row, double t, const Eigen::VectorXd& y) const override;
    double fastest(const Eigen::VectorXd& /*y*/) const override { return m_speed; }
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
    double targetOf(std::size_t row) const;
    Eigen::VectorXd responseTo(std::size_t row) const;
    Eigen::VectorXd along(const std::vector<int>& rows, const double* change) const;
    Eigen::VectorXd heldImpulses(const Eigen::VectorXd& velocities) const;
    void keepHeld(double* accelerations);
    void takeHeld(double* response) const;
    void classifyStruck(const Eigen::VectorXd& before, const Eigen::VectorXd& y);
    void addPushes(double t, const Eigen::VectorXd& y, double* forces) const;
    void addBoundedRates(double t, const Eigen::VectorXd& y, double* rest) const;
    double pushOf(std::size_t row, double t, const Eigen::VectorXd& y) const;
    void addWork(std::size_t row, double work, double* rest) const;

    const TreeNetwork* m_network = nullptr;
    FlowSettings m_settings;
    double m_h = 0;
    double m_tolerance = 0;
    std::vector<TreeModel> m_trees;
    std::vector<Eigen::Index> m_treePlaces, m_momentumPlaces;
    Eigen::Index m_n = 0;
    Eigen::Index m_size = 0;
    bool m_hasRest = false;     ///< loads have quadratures of their own
    bool m_needsScale = false;  ///< the next evaluation tells how fast the tick is
    Eigen::VectorXd m_scales;   ///< by which the speed of each coordinate counts among the joints', whose own is 1
    std::vector<PlacedCoordinate> m_coordinates;  ///< of the elements
    std::vector<HybridLaw> m_laws;
    std::vector<Phase> m_phases;
    std::vector<Characteristic> m_characteristics;
    std::vector<PendingExit> m_exits;
    std::vector<ContactEvent> m_events;
    std::vector<Seen> m_seen;             ///< at the start
    std::vector<double> m_inverseMasses;  ///< of the elements, in the tick's first configuration that asks for them
    Eigen::VectorXd m_start;
    Eigen::VectorXd m_forces, m_column;
    double m_speed = 0;
    int m_evaluations = 0;
    bool m_hasActed = false;
    StepChoice m_steps;
    bool m_isSplit = false;
    Linearised m_linear;

    BoundedRows m_bounded;
    std::vector<PlacedCoordinate> m_boundedCoordinates;
    Hold m_hold;
    Eigen::VectorXd m_scratch;
};

}  // namespace elasto::flow
