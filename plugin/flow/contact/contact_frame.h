#pragma once
// A network with contacts at fixed poses: all relations that may be held, in one list, and what the bodies do when
// nothing holds them.

#include "constraints/contact_geometry.h"
#include "contact/joint_trees.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace elasto::flow {

/// Points of one pair of bodies with one normal, listed one after the other. Friction is a property of the patch: two
/// directions at the middle of its points, and the turning about the normal.
struct Patch {
    std::size_t first = 0;  ///< contacts [first, first + count)
    std::size_t count = 0;
    int a = kWorld, b = kWorld;
    double friction = 0;
    double rollingFriction = 0;
    double spinningFriction = 0;
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();  ///< of its points; of those that bear where it stands on a
                                                       ///< corner or an edge
    std::size_t standsOn = 0;  ///< points that bear of what stands on a corner or an edge; else 0
    Eigen::Vector3d surfaceVelocity = Eigen::Vector3d::Zero();
    Tangents tangents{Eigen::Vector3d::UnitY()};

    /// Turning meets friction besides that of its points' sliding.
    bool resistsTurning() const { return rollingFriction > 0 || spinningFriction > 0; }
    /// One point has no lever against spinning, which then has nothing to do with sliding.
    bool spinsApart() const { return count == 1 && spinningFriction > 0; }
};

class ContactFrame {
public:
    ContactFrame() = default;
    ContactFrame(const FlowNetwork& network, const BodyKinematics& bodies) { place(network, bodies); }

    /// Looks at a network at these poses; storage is kept.
    /// @param network its joints, motors, limits and contacts; states of the bodies are not read but for those that
    /// nothing moves
    void place(const FlowNetwork& network, const BodyKinematics& bodies);
    /// The same a little later: tangents are turned from those of `like`, slip directions are its own.
    void place(const FlowNetwork& network, const BodyKinematics& bodies, const ContactFrame& like);
    /// The network that it looks at where its bodies are now: patches stay the same, their tangents turn along, and
    /// directions of slip and of rolling are to be set anew.
    /// @param trees in which some of the bodies are, or null: rows that these hold are not measured, what is pushed
    /// there gets forces in the place of accelerations, and factor() must not be called
    void follow(const BodyKinematics& bodies, const JointTrees* trees = nullptr);
    /// Tells which points bear, by contact: friction acts at those. All do where this has not been told.
    /// @return true if rows have changed by it
    bool bear(const std::vector<char>& bears);
    /// Angles of motors and limits are counted from those of now.
    void countTurns() { m_angles = m_turns; }
    /// Those of a motor or limit now.
    const Turns& turns(std::size_t bounded) const { return m_turns[bounded]; }

    /// @name The list of rows
    ///@{
    std::size_t rowCount() const { return m_rows.size(); }
    std::size_t jointCount() const { return m_network->joints.size(); }
    std::size_t boundedOf(std::size_t bounded) const { return jointCount() + bounded; }
    std::size_t normalOf(std::size_t contact) const { return jointCount() + m_network->bounded.size() + contact; }
    std::size_t slipOf(std::size_t contact) const { return normalOf(m_network->contacts.size()) + contact; }
    std::size_t tangentOf(std::size_t patch) const { return slipOf(m_network->contacts.size()) + 3 * patch; }
    std::size_t spinOf(std::size_t patch) const { return tangentOf(patch) + 2; }
    /// Only of patches that resist turning: about the two tangents; for each point what rides on its pressure where the
    /// patch rolls, and where it spins.
    std::size_t rollOf(std::size_t patch) const { return m_turnRows[patch]; }
    std::size_t rollingOf(std::size_t patch, std::size_t contact) const {
        return m_turnRows[patch] + 2 + 2 * (contact - m_patches[patch].first);
    }
    std::size_t spinningOf(std::size_t patch, std::size_t contact) const { return rollingOf(patch, contact) + 1; }
    ///@}

    const FlowNetwork& network() const { return *m_network; }
    const std::vector<Patch>& patches() const { return m_patches; }
    /// True if a patch resists turning.
    bool resistsTurning() const { return m_resistsTurning; }
    const ContactMeasure& measure(std::size_t contact) const { return m_measures[contact]; }
    std::size_t patchOf(std::size_t contact) const { return m_patchOf[contact]; }
    /// True if a contact's normal is a spring, not a row that is held.
    bool isSoft(std::size_t contact) const { return std::isfinite(m_network->contacts[contact].stiffness); }

    /// Rates of all rows where the bodies move so. @param areVelocities surfaces of b that move by themselves count,
    /// and rates of motors are those beyond their targets
    void rates(std::span<const Vector6> velocities, bool areVelocities, std::vector<double>& rates) const;
    double rate(std::size_t row, std::span<const Vector6> velocities) const {
        const double rate = rateOf(m_rows[row], velocities);
        const BlockRow* others = othersOf(row);
        return others == nullptr ? rate : rate + rateOf(*others, velocities);
    }
    /// Of a geared one without the second coordinate's bodies, which othersOf() has.
    const BlockRow& row(std::size_t row) const { return m_rows[row]; }
    /// Of motors and limits that are geared.
    const std::vector<GearedRow>& gearedRows() const { return m_geared; }
    /// Null where a row has none.
    const BlockRow* othersOf(std::size_t row) const {
        for (const GearedRow& geared : m_geared) {
            if (geared.row == row) return &geared.others;
        }
        return nullptr;
    }
    /// Calls visit with the row, then with what a geared one has besides.
    template <class Visit>
    void forEachPart(std::size_t row, const Visit& visit) const {
        visit(m_rows[row]);
        if (const BlockRow* others = othersOf(row)) visit(*others);
    }
    /// Second derivatives of what the rows relate, where the bodies move so and are not accelerated: what holds a row
    /// gives it the opposite acceleration. Slip and tangents are those of the points where the bodies touch.
    void gammas(std::span<const Vector6> velocities, std::vector<double>& result) const;
    /// Coordinate of a motor or limit.
    double coordinate(std::size_t bounded) const { return m_coordinates[bounded]; }
    /// Rate of a motor's coordinate beyond its target; of a limit's.
    double excessRate(std::size_t bounded, std::span<const Vector6> velocities) const {
        const BoundedRow& row = m_network->bounded[bounded];
        return rate(boundedOf(bounded), velocities) - (row.kind == BoundedRow::Kind::Motor ? row.targetRate : 0);
    }
    /// Centre of mass of a body.
    const Eigen::Vector3d& placeOf(std::size_t body) const { return m_bodies.motions[body].x; }
    const InverseMassRoot& root(std::size_t body) const { return m_roots[body]; }
    /// Velocity (without surfaces that move by themselves: acceleration) of a against b in the plane of a patch, at one
    /// of its points.
    Eigen::Vector3d slipVelocity(std::size_t patch, std::size_t contact, std::span<const Vector6> velocities,
                                 bool withSurfaces = true) const;
    /// Turns the slip row of a contact into this direction, a unit vector or 0.
    void setSlipDirection(std::size_t contact, const Eigen::Vector3d& direction);
    const Eigen::Vector3d& slipDirection(std::size_t contact) const { return m_slip[contact]; }
    /// Angular velocity of a against b, and its part in the plane of a patch.
    Eigen::Vector3d turnVelocity(std::size_t patch, std::span<const Vector6> velocities) const;
    Eigen::Vector3d rollVelocity(std::size_t patch, std::span<const Vector6> velocities) const;
    /// Direction in which a patch rolls, a unit vector or 0, and in which it spins: 1, -1 or 0, about its normal.
    void setRollDirection(std::size_t patch, const Eigen::Vector3d& direction);
    const Eigen::Vector3d& rollDirection(std::size_t patch) const { return m_rolls[patch]; }
    void setSpinDirection(std::size_t patch, double direction);
    double spinDirection(std::size_t patch) const { return m_spins[patch]; }

    /// A row along a direction at a contact's point.
    BlockRow rowAlong(std::size_t contact, const Eigen::Vector3d& direction) const;
    /// What a row's own impulse does to its rate, where no tree was given.
    double responseOf(const BlockRow& row) const;
    /// The same of the row's bodies, as if they were in no tree.
    double responseApart(const BlockRow& row) const;

    /// What its factor took since the object was made [ns, see numerics/cost_model.h].
    long work() const { return m_factor.work(); }
    /// The factor of the rows as they are now.
    BlockFactor& factor();

    /// Adds to the bodies' velocities what an impulse of a row (of bodies' forces and torques) makes of them.
    void push(const BlockRow& row, double impulse, std::vector<Vector6>& velocities) const;
    /// The same of one of the rows.
    void push(std::size_t row, double impulse, std::vector<Vector6>& velocities) const {
        forEachPart(row, [&](const BlockRow& part) { push(part, impulse, velocities); });
    }

private:
    void readBodies(const BodyKinematics& bodies);
    void readLinks();
    ElementRow rowOfBounded(std::size_t bounded);
    void findPatches();
    void findMiddle(Patch& patch) const;
    /// Share of what its patch does at its middle.
    double shareOf(const Patch& patch, std::size_t contact) const;
    void listTangents();
    void listTurning();
    void setRow(std::size_t index, const BlockRow& row);
    void setTurnRow(std::size_t patch, std::size_t first, const Eigen::Vector3d& direction);
    const Motion& motion(int body) const { return m_bodies.at(body); }
    Motion moving(int body, std::span<const Vector6> velocities) const;

    const FlowNetwork* m_network = nullptr;
    const JointTrees* m_trees = nullptr;
    BodyKinematics m_bodies;
    std::vector<InverseMassRoot> m_roots;
    std::vector<Turns> m_angles;  // near which coordinates of motors and limits are to be found
    std::vector<Turns> m_turns;   // where they are
    std::vector<double> m_coordinates;
    std::vector<ContactMeasure> m_measures;
    std::vector<Patch> m_patches;
    std::vector<std::size_t> m_patchOf;  // of a contact
    std::vector<char> m_bears;           // by contact
    std::vector<BlockRow> m_rows;
    std::vector<GearedRow> m_geared;
    std::vector<Eigen::Vector3d> m_slip;
    std::vector<std::size_t> m_turnRows;   // by patch: the first of those about its turning
    std::vector<Eigen::Vector3d> m_rolls;  // by patch
    std::vector<double> m_spins, m_lastSpins;
    bool m_resistsTurning = false;
    BlockFactor m_factor;
    bool m_isListed = false;
};

}  // namespace elasto::flow
