#pragma once
// Equations of motion of articulated trees, by Jacobians and a dense mass matrix.

#include "motion.h"

#include <elasto/reference/tree_reference.h>

#include <vector>

namespace elasto::reference {

/// State vector. Coordinates: per tree, of a free base x and q (x, y, z, w); per link its coordinate (spherical: the
/// quaternion); per rotor its angle. Then the velocities u in the same order: v, w (world); rate (spherical: spin);
/// speed. Then per series element s_damper; then per element impulse and heat.
class TreeMechanics : public Motion {
public:
    /// @param problem must outlive this object
    explicit TreeMechanics(const TreeReferenceProblem& problem);

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
    void renew(double, const double*) override {}

private:
    /// Where a coordinate and its velocity are in the state; -1: it has none.
    struct Place {
        int q = -1;
        int u = -1;
    };
    struct TreeSlots {
        Place base;
        std::vector<Place> links;
        std::vector<Place> rotors;
    };
    struct ElementSlot {
        std::vector<std::pair<Place, double>> terms;  // and their coefficients
        double offset = 0;
        int damper = -1;
        int integrals = 0;
        Characteristic characteristic;
    };
    struct Measured {
        double s = 0;
        double v = 0;
    };

    void layOut();
    std::vector<TreeTick> trees(const double* y) const;
    Place placeOf(const TreeTerm& term) const;
    double driveTime(double t) const;
    Measured measure(const ElementSlot& slot, const double* y) const;
    double damperLength(std::size_t element, double s, const double* y) const;
    /// Adds a tree's share of the mass matrix and of the right-hand side.
    void addTree(std::size_t tree, double t, const double* y) const;

    const TreeReferenceProblem& m_problem;
    std::vector<TreeSlots> m_slots;
    std::vector<ElementSlot> m_elementSlots;
    std::vector<int> m_elements;
    int m_coordinates = 0;
    int m_velocities = 0;
    int m_dynamicSize = 0;
    int m_size = 0;
    double m_from = 0;
    double m_to = 0;
    mutable Eigen::MatrixXd m_mass;
    mutable Vector m_force;
};

}  // namespace elasto::reference
