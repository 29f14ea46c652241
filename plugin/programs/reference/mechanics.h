#pragma once
// Equations of motion of one independent group of bodies and elements.

#include "motion.h"

#include <functional>
#include <vector>

namespace elasto::reference {

/// Free bodies. State vector of a group: for each movable body x, v and, if it can turn, q (x, y, z, w) and w; then for
/// each element its turned angle (AboutAxis) and s_damper (series); then for each element impulse and heat.
class Mechanics : public Motion {
public:
    /// A movable body in the state: x at offset, v at +3, q at +6, w at +10.
    struct BodySlot {
        int index = 0;  ///< in the problem
        int offset = 0;
        bool turns = true;
    };

    /// @param bodies, elements: indices in the problem, which must outlive this object
    Mechanics(const ReferenceProblem& problem, const std::vector<int>& bodies, std::vector<int> elements);

    const std::vector<BodySlot>& bodySlots() const { return m_bodySlots; }
    /// Where the elements' share of the state begins.
    int bodyPart() const { return m_bodyPart; }

    int size() const override { return m_size; }
    int dynamicSize() const override { return m_dynamicSize; }
    const std::vector<int>& elements() const override { return m_elements; }
    Vector startState() const override;
    Branches startBranches() const override;
    Vector scales(std::span<const double> times) const override;
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
    bool isWornOut(double, const double*) const override { return false; }
    void renew(double, Vector&) override {}

private:
    struct ElementSlot {
        int index = 0;      // in the problem
        int angle = -1;     // of the turned angle in the state
        int damper = -1;    // of s_damper
        int integrals = 0;  // of impulse, then heat
        Characteristic characteristic;
        FlowElement geared;  // of a gear pair: the second coordinate as an element of its own
        const FrictionLaw* friction = nullptr;
        std::function<double(double)> share = {};  // of its force; may be empty
    };
    /// An element's geometry at one instant.
    struct Measured {
        double s = 0;
        double v = 0;
        double speed = 0;                                     // of the ends against each other, >= |v|
        Eigen::Vector3d direction = Eigen::Vector3d::Zero();  // f acts on a along (about) it
        Eigen::Vector3d armA = Eigen::Vector3d::Zero();       // from a's centre of mass to where the force acts
        Eigen::Vector3d armB = Eigen::Vector3d::Zero();
        Eigen::Vector3d pointA = Eigen::Vector3d::Zero();  // attachments, world
        Eigen::Vector3d pointB = Eigen::Vector3d::Zero();
        Eigen::Vector3d geared = Eigen::Vector3d::Zero();  // gear pair: f acts on the second coordinate's b along it
    };

    double driveTime(double t) const;
    BodyState bodyState(int index, double t, const double* y) const;
    void gather(double t, const double* y, std::vector<BodyState>& states) const;
    Measured measure(const ElementSlot& slot, const std::vector<BodyState>& states, const double* y) const;
    double damperLength(const ElementSlot& slot, double s, const double* y) const;
    BranchForce forceOf(const ElementSlot& slot, Branch branch, double t, const Measured& measured,
                        double s_damper) const;
    static bool sticks(const ElementSlot& slot, Branch branch) {
        return slot.friction != nullptr && branch.part != Part::Slips;
    }
    double shareAt(const ElementSlot& slot, double t) const;
    // In friction.cpp: what sticks.
    void addSticking(const double* y, const Branches& branches, double* dy) const;
    Characteristic::Boundaries frictionBoundaries(std::size_t k, Branch branch, double t, double s, double v) const;
    Branch frictionBeyond(std::size_t k, double t, const double* y, const Branches& branches, int boundary,
                          double v) const;
    bool isSpeedingUp(std::size_t k, double t, const double* y, const Branches& branches) const;
    void stop(const ElementSlot& slot, Branch branch, double* y) const;
    double rateChange(const ElementSlot& slot, const Measured& measured, const double* change) const;
    void respond(const ElementSlot& slot, const Measured& measured, double f, double* change) const;
    void bodyDerivative(const BodySlot& slot, double t, const double* y, const Eigen::Vector3d& force,
                        const Eigen::Vector3d& torque, double* dy) const;

    const ReferenceProblem& m_problem;
    std::vector<int> m_elements;
    std::vector<BodySlot> m_bodySlots;
    std::vector<ElementSlot> m_elementSlots;
    std::vector<int> m_offsetOfBody;  // -1: not a state of this group
    int m_bodyPart = 0;
    int m_size = 0;
    int m_dynamicSize = 0;
    double m_from = 0;
    double m_to = 0;
    mutable std::vector<BodyState> m_states;  // scratch, one per body of the problem
    mutable std::vector<Eigen::Vector3d> m_forces;
    mutable std::vector<Eigen::Vector3d> m_torques;
    mutable Vector m_sticking;  // forces of what sticks, by element, as derivative() found them
    mutable Vector m_rates;
    mutable double m_gatheredAt = 0;
};

}  // namespace elasto::reference
