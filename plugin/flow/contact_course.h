#pragma once
// The way of a network with contacts through a tick, at fixed poses for gradients: from one change of the contacts'
// state to the next the elements' own solution, seen through what the contacts let the bodies do.

#include "contact_modes.h"
#include "row_network.h"

namespace elasto::flow {

class ContactCourse {
public:
    /// @param network the start; @param middle poses at which gradients are taken
    ContactCourse(const FlowNetwork& network, const BodiesNow& middle, double h, const FlowSettings& settings);

    /// @return false if no modes were found for the contacts, or the budget ended: time() tells how far it got
    bool run();

    double time() const { return m_t; }
    const ContactFrame& frame() const { return m_frame; }
    const ContactModes& modes() const { return m_modes; }
    const std::vector<Vector6>& velocities() const { return m_u; }
    const std::vector<Vector6>& ways() const { return m_way; }  ///< translations and rotation vectors
    const std::vector<double>& impulses() const { return m_impulses; }
    const Eigen::VectorXd& elementImpulses() const { return m_P; }
    const Eigen::VectorXd& heat() const { return m_heat; }
    const Eigen::VectorXd& damperLengths() const { return m_z; }
    const std::vector<ContactEvent>& events() const { return m_events; }
    double gap(std::size_t contact) const { return gapAt(contact, m_way); }
    double loss() const { return m_loss; }
    int steps() const { return m_steps; }
    int setChanges() const { return m_setChanges; }

private:
    struct Piece;  // between two changes

    void readElements(const BodiesNow& middle);
    void readLoads(const BodiesNow& middle);
    bool rebound();
    bool chooseModes();
    bool integrate();
    Piece prepare();
    bool holds(const Piece& piece, const RowState& state, double dt) const;
    double stepLength(const Piece& piece, const RowState& state) const;
    void accept(const Piece& piece, const RowState& state, double dt);

    double gapAt(std::size_t contact, std::span<const Vector6> ways) const;
    double elementRate(std::size_t e, std::span<const Vector6> velocities) const;
    void addElement(std::size_t e, double force, std::vector<Vector6>& accelerations) const;
    std::vector<Vector6> loadAt(double t) const;
    double speed() const;

    const FlowNetwork& m_network;
    const double m_h;
    const FlowSettings& m_settings;
    ContactFrame m_frame;
    std::vector<RowLaw> m_laws;
    std::vector<BlockRow> m_elements;  // gradients of the coordinates
    std::vector<Vector6> m_loads[3];   // free accelerations by powers of time
    std::vector<double> m_gaps;        // at the start
    bool m_hasConstantLoad = true;

    // Where it stands.
    double m_t = 0;
    std::vector<Vector6> m_u, m_way;
    Eigen::VectorXd m_s, m_z, m_P, m_heat;
    std::vector<double> m_impulses;  // of all rows
    ContactModes m_modes;
    std::vector<char> m_isSliding;  // by patch
    std::vector<ContactEvent> m_events;
    double m_loss = 0;
    int m_steps = 0;
    int m_setChanges = 0;
};

}  // namespace elasto::flow
