#pragma once
// What a network with contacts is for the length of a tick, with gradients taken at fixed poses, and how far it is.

#include "contact/contact_frame.h"
#include "law/hybrid_law.h"

#include <span>
#include <vector>

namespace elasto::flow {

/// How far a tick is.
struct ContactState {
    double t = 0;
    std::vector<Vector6> u;             ///< the bodies' velocities
    std::vector<Vector6> displacement;  ///< translations and rotation vectors since the tick's start
    Eigen::VectorXd s, z;               ///< the elements' and soft contacts' coordinates and dampers' lengths
    Eigen::VectorXd P, heat;            ///< their impulses and heat since the tick's start
    std::vector<ContactTick> contacts;  ///< impulses since the tick's start
    std::vector<double> bounded;        ///< impulses of motors and limits
    std::vector<Reaction> reactions;    ///< that rows ask for
    /// Phases of the elements and soft contacts, where the part before told them; empty: s, v and z tell.
    std::vector<Phase> phases;
    double work = 0;       ///< of loads, motors, surfaces and bodies that nothing can move [J]
    double driveWork = 0;  ///< of motors alone [J]
    double limitLoss = 0;  ///< energy that impacts at limits took [J]
    std::vector<ContactEvent> events;
};

/// Moves the network's bodies by a share of their displacements.
void moveBodies(FlowNetwork& network, std::span<const Vector6> displacements, double share);

class ContactProblem {
public:
    /// Looks at another network; storage is kept.
    /// @param network the start; @param middle poses at which gradients are taken
    /// @param follows those of rotors that are carried are what follow() has there
    void place(const FlowNetwork& network, const BodyKinematics& middle, bool follows = false);

    /// Goes to where the bodies are at a time t after the start, in the same network: gradients, laws and loads are
    /// those of there.
    /// @param spins by body: momenta of spinning rotors that it carries, in its frame @param carriers by element whose
    /// rotor is carried: how far its carrier has turned, see Turns; in their order
    /// @param trees in which some of the bodies are, or null: see ContactFrame::follow
    void follow(const BodyKinematics& bodies, double t, std::span<const Eigen::Vector3d> spins,
                std::span<const double> carriers, const JointTrees* trees = nullptr);
    /// Angles are counted from those of now.
    void countTurns();

    void start(ContactState& state) const;

    const FlowNetwork& network() const { return *m_network; }
    ContactFrame& frame() { return m_frame; }
    const ContactFrame& frame() const { return m_frame; }
    /// Of the elements, then of the soft contacts: what is called an element below is either.
    const std::vector<HybridLaw>& laws() const { return m_laws; }
    /// The contact that a law is of; -1 for an element's.
    int contactOf(std::size_t element) const {
        const std::size_t count = m_network->elements.size();
        return element < count ? -1 : static_cast<int>(m_softs[element - count]);
    }
    bool hasSoftContacts() const { return !m_softs.empty(); }
    bool hasConstantLoad() const { return m_hasConstantLoad; }

    double gap(std::size_t contact, std::span<const Vector6> displacements) const;
    /// Of a motor or limit.
    double coordinate(std::size_t bounded, std::span<const Vector6> displacements) const;
    /// A limit's distance from its bound, on the side that is allowed.
    double limitGap(std::size_t bounded, std::span<const Vector6> displacements) const;
    /// An element's row, along which its force pushes: its rate falls as the element gets longer. Of a geared one only
    /// the part that its own two bodies have.
    BlockRow elementPush(std::size_t element) const;
    const ElementRow& elementRow(std::size_t element) const { return m_elements[element]; }
    bool isCarried(std::size_t element) const { return m_network->elements[element].geared.carried != 0; }
    bool isGeared(std::size_t element) const { return m_elements[element].isGeared; }
    /// Coordinate of an element where the gradients are.
    double elementCoordinate(std::size_t element) const { return m_places[element]; }
    /// Angles that were found there.
    const Turns& turns(std::size_t element) const { return m_turnsNow[element]; }
    /// Rate of an element's coordinate.
    double elementRate(std::size_t element, std::span<const Vector6> velocities) const;
    /// How much a unit impulse of an element lowers its rate.
    double elementResponse(std::size_t element) const;
    /// How fast an element's force changes at most, where a unit impulse of it lowers its rate by `response` [rad/s].
    double changeRate(std::size_t element, Phase phase, double s, double response) const;
    /// Adds what a force f (an impulse) of an element does to the bodies.
    void addElement(std::size_t element, double f, std::vector<Vector6>& accelerations) const;
    /// Free accelerations from a time on: value and derivatives / k! as powers of the time since then.
    void load(double t, int power, std::vector<Vector6>& load) const;
    /// Accelerations by loads and elements as they are now.
    void freeWithElements(const ContactState& now, std::vector<Vector6>& free) const;
    /// The same in the mean over a time h from now on: what is so stiff, or damps so much, that its force changes
    /// sooner acts for as long as it stays about the same.
    void freeInTheMean(const ContactState& now, double h, std::vector<Vector6>& free) const;
    /// Adds impulses of all rows or of an element to the state's sums, with the work of driven bodies; not to
    /// velocities.
    void countRows(std::span<const double> impulses, ContactState& state) const;
    /// Adds the work of motors that impulses of all rows did while the bodies had these velocities in the mean.
    void countMotors(std::span<const double> impulses, std::span<const Vector6> velocities, ContactState& state) const;
    /// Adds that of one motor: its impulse times the rate of its coordinate [J].
    void countMotor(double work, ContactState& state) const;
    void countElement(std::size_t element, double impulse, ContactState& state) const;
    /// Force of an element now.
    double forceOf(std::size_t element, const ContactState& now) const;
    /// @param acceleration of its coordinate, see classify()
    Phase phaseOf(std::size_t element, const ContactState& now, double acceleration = 0) const;
    /// Pressure of a soft contact now, and whether it touches.
    double pressure(std::size_t element, const ContactState& now, bool& touches) const;
    /// Adds a short displacement from t on for dt, with the work of loads on it.
    void move(std::span<const Vector6> displacements, double dt, ContactState& state) const;
    /// Largest speed in play over h.
    double speed(double h, const ContactState& state) const;

private:
    void readLoads(const BodyKinematics& middle);
    void readLaws();
    void readElements(const BodyKinematics& middle, std::span<const double> carriers = {},
                      const JointTrees* trees = nullptr);
    void countLinks(std::span<const double> impulses, ContactState& state) const;
    void countTurning(std::size_t patch, std::span<const double> impulses, double normal, ContactState& state) const;

    const FlowNetwork* m_network = nullptr;
    ContactFrame m_frame;
    std::vector<HybridLaw> m_laws;
    std::vector<ElementRow> m_elements;
    std::vector<double> m_places;            // their coordinates
    std::vector<double> m_carriers;          // of those whose rotor is carried, where the gradients are
    std::vector<Turns> m_turns, m_turnsNow;  // near which their angles are to be found, and what was found
    std::vector<Vector6> m_loads[3];         // free accelerations by powers of time
    std::vector<double> m_gaps;              // at the start; so are the coordinates of motors and limits
    std::vector<double> m_coordinates;
    std::vector<std::size_t> m_softs;  // contacts
    bool m_hasConstantLoad = true;
};

}  // namespace elasto::flow
