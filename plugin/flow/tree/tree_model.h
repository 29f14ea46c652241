#pragma once
// A tree of rigid links in its joints' coordinates: kinematics, inertia matrix and its sparse factor, equations of
// motion. Everything in world axes about one point, so that nothing is transformed from link to link; bodies' inertias
// are ten numbers, whose sums are the composite ones. Source of both: R. Featherstone, Rigid Body Dynamics Algorithms,
// chapters 5, 6 and 8.5.

#include "tree/tree_algebra.h"

#include <elasto/flow_tree.h>

#include <vector>

namespace elasto::flow {

/// What the loads of a tree do besides moving it: rates of quadratures.
struct TreeLoadRates {
    double work = 0;  ///< of loads whose work does not follow from the displacement
    Vector force;     ///< sum of the loads from outside
    Vector moment;    ///< about the centre of mass
};

/// A tree at one instant.
///
/// Coordinates of position: free base: displacement from where it was when the tree was bound (3), rotation vector of
/// its turn since then, world frame (3); then each joint in order: q, or the rotation vector of a ball joint's turn
/// since then, in the link's frame (3). Velocities: of the base's centre of mass (3), angular velocity (3), both world;
/// qd; spin. At last, of both, those of the rotors: phi and w.
///
/// A rotor is round: nothing depends on its phi. With its own equation solved for w the tree's are those without rotors
/// but for what turns them, so that it costs the inertia matrix a row of the factor and no more.
class TreeModel {
public:
    void bind(const FlowTree& tree);

    const FlowTree& tree() const { return *m_tree; }
    Eigen::Index size() const { return static_cast<Eigen::Index>(m_dofs.size()); }
    /// Those of base and joints: the rotors' come after them.
    Eigen::Index jointSize() const { return size() - static_cast<Eigen::Index>(m_rotors.size()); }
    bool hasFreeBase() const { return m_isFree; }
    /// Places of the first coordinates that are rotation vectors.
    const std::vector<Eigen::Index>& rotations() const { return m_rotations; }
    /// Place of a revolute or prismatic joint's coordinate.
    Eigen::Index coordinateOf(int link) const { return m_bodies[static_cast<std::size_t>(link) + 1].dof; }
    /// True if loads are only constant forces and torques of joints and rotors: their work follows from the
    /// displacement.
    bool hasSimpleLoads() const { return m_hasSimpleLoads; }

    /// The start of the tick. @param position, velocity size() numbers
    void readStart(double* position, double* velocity) const;
    /// Takes the present turns as the ones from which rotation vectors count, and sets these to 0.
    void restartRotations(double* position);
    /// Rates of the coordinates of position.
    void rates(const double* position, const double* velocity, double* rate) const;

    /// Costs nothing where the tree stands there already.
    void place(const double* position);
    void move(const double* velocity);
    /// After place().
    void factorInertia();
    /// False for a coordinate that moves nothing that has inertia. After factorInertia().
    bool isMovable(Eigen::Index k) const;
    /// The link whose joint a coordinate belongs to, or kTreeBase.
    int linkOf(Eigen::Index k) const { return static_cast<int>(m_dofs[static_cast<std::size_t>(k)].body) - 1; }
    /// H^-1 x in place. After factorInertia().
    void solve(double* x) const;
    /// Loads minus what the accelerations of the bodies need while all coordinates move evenly: H qdd = drive. After
    /// move(). @param rates where not null: of the quadratures
    void drive(double t, double* drive, TreeLoadRates* rates);

    /// Kinetic energy [J]. After move().
    double kineticEnergy() const;
    /// Mass, momentum and moment of momentum about the reference point, of all bodies. After move().
    double mass() const { return m_mass; }
    Spatial momentum() const;
    /// Centre of mass against the reference point. After place().
    const Vector& centerOfMass() const { return m_center; }
    /// Of all bodies together, joints and rotors locked, about the reference point. After place().
    SpatialInertia inertia() const;
    /// Where the reference point is: the base's centre of mass.
    const Vector& origin() const { return m_origin; }
    /// Work of the constant forces at the centres of mass, against the world's origin: only differences count. After
    /// place().
    double forceWork() const;

    /// @name Bodies and what acts on them, by the index of a link or kTreeBase. After place() and move().
    ///@{
    struct BodyMotion {
        Vector center;  ///< of mass
        Matrix rotation;
        Vector velocity, spin;  ///< of the centre of mass; angular velocity
    };
    BodyMotion motionOf(int link) const;
    /// Acceleration of its centre of mass, and angular acceleration, while all coordinates move evenly.
    Spatial evenAcceleration(int link) const;
    /// Adds what a force at the centre of mass, and a moment, do along the coordinates.
    void addForce(int link, const Spatial& force, double* forces) const;
    /// What each joint transmits from its parent to its link: force, and moment about the link's centre of mass.
    /// @param accelerations of the coordinates @param applied by body, the base first: forces at the centres of mass,
    /// and moments, besides the tree's loads on bodies @param held by link
    void jointForces(double t, const double* accelerations, const std::vector<Spatial>& applied,
                     std::vector<Spatial>& held);
    ///@}

    /// Pose of the base and of a link's frame, and its joint's turn. After place() and move().
    BodyState baseState() const;
    BodyState frameState(int link) const;
    Eigen::Quaterniond turnOf(int link, const double* position) const;

private:
    struct Body {
        // Constants; body 0 is the base.
        int parent = -1;
        TreeJoint joint = TreeJoint::Fixed;
        Eigen::Index dof = -1;  ///< first one
        int dofs = 0;
        Vector pivot, center, axis;
        Vector slide;                       ///< axis of a prismatic joint in the parent's frame
        Matrix rest, restSine, restCosine;  ///< rotation = rest + sin q restSine + (1 - cos q) restCosine
        Symmetric inertia;
        double mass = 0;
        bool hasInertia = false;
        bool isLoaded = false;  ///< by more than a constant force
        // The present.
        Matrix rotation;
        Vector position, centerNow;  ///< of frame and centre of mass, against the reference point
        Spatial twist, acceleration, force;
        SpatialInertia own, composite;
    };

    struct Rotor {
        std::size_t carrier;  ///< among m_bodies
        double inertia;
        Vector axis;  ///< in the carrier's frame
        Vector axisNow;
        double spin = 0;  ///< a . omega + w
    };

    const QuadraticLoad& forceOn(std::size_t body) const;
    const QuadraticLoad& torqueOn(std::size_t body) const;
    void bindBase(const FlowTree& tree);
    void bindLink(const FlowTree& tree, std::size_t link);
    void bindRotor(const TreeRotor& rotor);
    Eigen::Index coordinateBefore(int body) const;
    void placeBody(Body& body, const double* position);
    /// What its carrier feels of it, and its own equation.
    void driveRotor(std::size_t rotor, double t, double* drive, TreeLoadRates* rates);
    void factorRotors();
    static Vector spinMomentum(const Body& body);
    Spatial loadOn(double t, std::size_t body, TreeLoadRates* rates) const;
    Spatial neededForce(const Body& body, const Spatial& acceleration) const;

    const FlowTree* m_tree = nullptr;
    double m_mass = 0;
    bool m_isFree = false;
    bool m_hasSimpleLoads = true;
    std::vector<Body> m_bodies;
    std::vector<Rotor> m_rotors;
    struct Dof {
        Eigen::Index parent;  ///< the next one on the way to the base, -1 for none
        std::size_t body;     ///< that it moves; of a rotor its carrier
    };
    std::vector<Dof> m_dofs;
    std::vector<Spatial>
        m_directions;  ///< what a unit rate of each coordinate does to its body and all that hangs on it
    std::vector<Eigen::Index> m_rotations;
    std::vector<double>
        m_factor;  ///< rows of L in H = L^T D L, below the diagonal along the ways to the base; 1/D on it
    std::vector<double> m_placed;                  ///< where the tree stands, without rotors
    bool m_isPlaced = false;                       ///< that is known
    bool m_isFactored = false;                     ///< m_factor belongs to it
    std::vector<Spatial> m_gained, m_transmitted;  ///< by body, of jointForces
    Vector m_start;                                ///< of the base
    Vector m_origin;
    Matrix m_baseRest;
    Vector m_center;
    const double* m_velocity = nullptr;  ///< that move() was given
};

}  // namespace elasto::flow
