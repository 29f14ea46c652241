#pragma once
// Equations of motion of one independent group of bodies, joints and elements.

#include "coordinate.h"
#include "holding.h"
#include "motion.h"

#include <deque>
#include <functional>
#include <vector>

namespace elasto::reference {

/// Speeds up to it are what rounding leaves of rest [m/s, rad/s].
inline constexpr double kRest = 1e-9;

/// What belongs to a group: indices in the problem.
struct Group {
    std::vector<int> bodies;
    std::vector<int> elements;
    std::vector<int> joints;
    std::vector<int> motors;
    std::vector<int> limits;
};

/// State vector of a group: for each movable body x, v and, if it can turn, q (x, y, z, w) and w; then for each element
/// its turned angle (AboutAxis) and s_damper (series); then for each element impulse and heat.
///
/// Joints, what sticks and motors that hold their speed are relations between the bodies' velocities u, with a matrix G
/// of forms. With W the bodies' mobilities and a_free what accelerates them otherwise
///     du/dt = a_free + W G' f,    G du/dt + bend = -k rate
/// and, of joints alone, whose openings C must not grow out of errors of the steps,
///     dx/dt = u + W G' p,         G W G' p = -k C
/// so that both rate and C fall by exp(-k t): the solution is exactly that of the joints where it starts in them.
class Mechanics : public Motion {
public:
    /// @param problem must outlive this object
    Mechanics(const ReferenceProblem& problem, Group group);

    int size() const override { return m_size; }
    int dynamicSize() const override { return m_dynamicSize; }
    const std::vector<int>& elements() const override { return m_group.elements; }
    int placeCount() const override { return static_cast<int>(m_slots.size()); }
    Vector startState() const override;
    Branches startBranches() const override;
    Vector scales(std::span<const double> times) const override;
    double leastFloor() const override { return hasHeld() ? 0.1 : 0; }
    double toleranceShare() const override { return m_picked.empty() ? 1 : 0.2; }
    void setInterval(double from, double to) override;
    void derivative(double t, const double* y, const Branches& branches, double* dy) const override;
    void boundaries(double t, const double* y, const Branches& branches, double* g) const override;
    int distanceCount(int local, Branch branch) const override;
    bool hasBranches() const override;
    void boundaryNoise(double t, const double* y, const Branches& branches, const Vector& errors,
                       double* noise) const override;
    void speedBounds(double t, const double* y, double* speeds) const override;
    Branch beyond(double t, const double* y, const Branches& branches, int local, int boundary) const override;
    void settle(int local, Branch branch, double* y) const override;
    double rate(double t, const double* y, int local) const override;
    void report(double t, const double* y, const Branches& branches, ReferenceState& state) const override;
    void meet(double t, Vector& y) const override;
    bool isWornOut(double t, const double* y) const override;
    void renew(double t, const double* y) override;

private:
    /// A movable body in the state: x at offset, v at +3, q at +6, w at +10.
    struct BodySlot {
        int index = 0;  // in the problem
        int offset = 0;
        bool turns = true;
    };
    /// An element, a motor (dry friction against a speed) or a limit.
    struct Slot {
        int index = 0;  // in the problem
        const FlowElement* element = nullptr;
        const ReferenceMotor* motor = nullptr;
        const ReferenceLimit* limit = nullptr;
        int angle = -1;      // of the turned angle in the state
        int damper = -1;     // of s_damper
        int integrals = -1;  // of impulse, then heat
        Characteristic characteristic;
        FlowElement geared;  // of a gear pair: the second coordinate as an element of its own
        const FrictionLaw* friction = nullptr;
        std::function<double(double)> share = {};  // of its force; may be empty

        bool isDry() const { return friction != nullptr || motor != nullptr; }
        bool holds(Branch branch) const {
            return limit != nullptr ? branch.part == Part::Limited : isDry() && branch.part != Part::Slips;
        }
        double target() const { return motor != nullptr ? motor->velocity : 0; }
    };

    void freeDerivative(double t, const double* y, const Branches& branches, double* dy) const;
    void addElement(int index);
    void addMotor(int index);
    void addLimit(int index);
    FlowElement* drivenCoordinate(const ReferenceCoordinate& coordinate);
    bool hasHeld() const;
    bool isGiven(int body) const;
    const BodyDrive* driveOf(int body) const;
    double driveTime(double t) const;
    BodyState bodyState(int index, double t, const double* y) const;
    const BodyState& stateOf(int body) const;
    void gather(double t, const double* y) const;
    Coordinate measure(const Slot& slot, const double* y) const;
    double damperLength(const Slot& slot, double s, const double* y) const;
    BranchForce forceOf(const Slot& slot, Branch branch, double t, const Coordinate& measured, double s_damper) const;
    double shareAt(const Slot& slot, double t) const;
    void push(const Form& form, double f) const;
    void bodyDerivative(const BodySlot& slot, double t, const double* y, double* dy) const;

    // In held.cpp: what is held.
    Relation jointAt(std::size_t joint) const;
    std::size_t jointCount() const { return m_group.joints.size() + m_prescribed.size(); }
    std::vector<Relation> joints() const;
    std::vector<Relation> pickedJoints() const;
    void gatherMobilities() const;
    void checkJoints(double t) const;
    void closeAtStart();
    double accelerationAlong(const Form& form, const double* dy) const;
    double givenAcceleration(const Form& form) const;
    void accelerate(const Form& form, double f, double* dy) const;
    std::vector<Six> sizesOfAccelerations(const double* dy) const;
    void dropRounding(const std::vector<Six>& sizes, double* dy) const;
    void addHeld(const double* y, const Branches& branches, double* dy) const;
    void hit(const Form& form, double change, double* y, double& impulse) const;

    // In friction.cpp: what sticks and gives way.
    double largest(const Slot& slot, double t) const;
    Characteristic::Boundaries dryBoundaries(std::size_t k, Branch branch, double t, const Coordinate& measured) const;
    Branch dryBeyond(std::size_t k, double t, const double* y, const Branches& branches, int boundary) const;
    Branch atRest(std::size_t k, double t, const double* y, const Branches& branches) const;
    double rateChange(std::size_t k, double t, const double* y, const Branches& branches) const;
    void stop(const Slot& slot, Branch branch, double* y) const;

    // In limits.cpp: ends of joints' ranges.
    Characteristic::Boundaries limitBoundaries(std::size_t k, Branch branch, const Coordinate& measured) const;
    Branch limitBeyond(const Slot& slot, Branch branch, int boundary, double v) const;
    void meetLimit(const Slot& slot, Branch branch, double* y) const;

    const ReferenceProblem& m_problem;
    Group m_group;
    std::vector<BodySlot> m_bodySlots;
    std::vector<Slot> m_slots;             // elements, motors with a bound, limits
    std::vector<Slot> m_prescribed;        // motors without one
    std::deque<FlowElement> m_driven;      // coordinates of motors and limits
    std::vector<int> m_offsetOfBody;       // -1: not a state of this group
    std::vector<int> m_given;              // bodies that nothing moves and that something is attached to
    std::vector<BodyState> m_startStates;  // joints closed
    std::vector<std::size_t> m_picked;     // joints that do not depend on each other
    double m_leastPivot = 1;               // of these when they were picked
    int m_bodyPart = 0;
    int m_size = 0;
    int m_dynamicSize = 0;
    double m_from = 0;
    double m_to = 0;
    // Of the last evaluation: one per body of the problem.
    mutable std::vector<BodyState> m_states;
    mutable std::vector<BodyAcceleration> m_accelerations;  // of those that nothing moves
    mutable std::vector<Six> m_pushes;
    mutable std::vector<Mobility> m_mobilities;
    // One per slot.
    mutable Vector m_sticking;  // forces of what sticks
    mutable std::vector<bool> m_canStick;
    mutable Vector m_rates;
    mutable double m_gatheredAt = 0;
};

}  // namespace elasto::reference
