#pragma once
// Impulses of contacts found by letting them push one after the other until nothing changes any more: slower than
// solving for a set that is known, but it never fails, and every push takes energy.

#include "contact/contact_frame.h"

#include <span>
#include <vector>

namespace elasto::flow {

/// Impulses at a contact: along the normal, and of friction on a (world frame).
struct PointImpulse {
    double normal = 0;
    Eigen::Vector3d friction = Eigen::Vector3d::Zero();
    Eigen::Vector3d torque = Eigen::Vector3d::Zero();  ///< on a, of friction against rolling and spinning
};

class ContactGaussSeidel {
public:
    ContactGaussSeidel() = default;
    ContactGaussSeidel(const ContactFrame& frame, const std::vector<double>& wanted, bool withSurfaces) {
        begin(frame, wanted, withSurfaces);
    }
    /// Looks at another frame; storage is kept. Nothing pushes yet, and motors and limits never will but for
    /// setBounded. @param wanted by contact: rate that it is pushed up to; infinitely negative for a point that stays
    /// open
    void begin(const ContactFrame& frame, const std::vector<double>& wanted, bool withSurfaces);

    /// Friction of a contact is that of sliding in a direction (unit vector), whatever its velocity becomes.
    void setSliding(std::size_t contact, const Eigen::Vector3d& direction);

    /// A contact presses so much, whatever the velocities become; it only has friction.
    void setPressure(std::size_t contact, double impulse);
    /// The same for rolling, in a direction (unit vector), and for spinning about the normal, 1 or -1.
    void setRolling(std::size_t contact, const Eigen::Vector3d& direction);
    void setSpinning(std::size_t contact, double direction);
    /// A motor or limit may push between these impulses, to give its coordinate a rate. @param lower <= 0
    /// @param upper >= 0
    void setBounded(std::size_t bounded, double lower, double upper, double wanted);
    /// A joint's row is given this rate; 0 otherwise.
    void setJoint(std::size_t joint, double wanted) { m_jointRates[joint] = wanted; }
    /// A row that the frame has not pushes between these impulses, to give it a rate.
    void addBounded(const BlockRow& row, double lower, double upper, double wanted);

    /// Accelerations: the rows turn with their bodies (ContactFrame::gammas), and friction and joints oppose that.
    void setGammas(const std::vector<double>& gammas);

    /// One round over joints, motors, limits and contacts; collect() tells what they did. @return largest change of a
    /// velocity
    double sweep(std::vector<Vector6>& velocities);
    /// Solves at once for what now presses and does not slip, and goes there as far as that takes energy: between
    /// sweeps, which tell what presses but share out loads slowly. It costs as much as kLeapCost of them.
    /// @return false if nothing was won by it: nothing has changed then
    bool leap(std::vector<Vector6>& velocities);
    static constexpr int kLeapCost = 5;
    void collect();
    /// Sweeps until the change is below `settled` of the largest one, or as many as `most` have been paid.
    /// @return what it cost, in sweeps
    int run(std::vector<Vector6>& velocities, int most, double settled, bool withLeaps = true);

    /// What all this took since the object was made [ns, see numerics/cost_model.h].
    long work() const { return m_work + m_factor.work(); }

    const std::vector<PointImpulse>& points() const { return m_impulses; }
    /// Impulses of joints, then of motors and limits.
    const std::vector<double>& links() const { return m_links; }

private:
    /// A row and what its impulses do.
    struct Push : BlockRow {
        Vector6 changeA = Vector6::Zero(), changeB = Vector6::Zero();  ///< of the bodies' velocities by an impulse of 1
        double response = 0;                                           ///< of its own rate
        double scale = 0;                                              ///< root of it
    };
    struct Point {
        std::size_t contact;
        double pressure = 0;                             // impulses so far: along the normal
        Eigen::Vector2d grip = Eigen::Vector2d::Zero();  // and of friction, along first and second
        Push normal, first, second;
        double normalResponse = 0, frictionResponse = 0;
        double wanted = 0;
        double friction = 0;
        Eigen::Vector2d surface = Eigen::Vector2d::Zero();  // rates of b's surface
        bool slides = false;
        Push sliding;
        bool isSoft = false;
        double rolling = 0, spinning = 0;  // friction
        Eigen::Vector3d rolls = Eigen::Vector3d::Zero();
        double spins = 0;
    };
    Point pointAt(std::size_t contact) const;
    long pushCount() const { return static_cast<long>(m_points.size() + m_links.size()); }

    Push pushOf(const BlockRow& row) const;
    void apply(const Push& push, double impulse, std::vector<Vector6>& velocities);
    struct Bounded {
        std::size_t row;
        double lower, upper, wanted;
    };

    void pushLink(std::size_t row, double wanted, double lower, double upper, std::vector<Vector6>& velocities);
    void pushFriction(Point& point, Vector6& a, Vector6& b);
    void pushTurning(const Point& point, std::vector<Vector6>& velocities);
    void apply(const Push& push, double impulse, Vector6& a, Vector6& b);
    void applyTorque(const Point& point, const Eigen::Vector3d& torque, std::vector<Vector6>& velocities);

    /// @name What leaps need (contact/contact_newton_step.cpp)
    ///@{
    void listRows();
    void chooseHeld(const std::vector<Vector6>& velocities);
    void aim();
    bool takesEnergy(const std::vector<Vector6>& velocities, double& share) const;
    void step(double share, std::vector<Vector6>& velocities);
    ///@}

    const ContactFrame* m_frame = nullptr;
    bool m_withSurfaces = false;
    std::vector<Point> m_points;
    std::vector<Push> m_linkPushes;
    std::vector<double> m_linkResponses, m_links;
    std::vector<double> m_jointRates;  // wanted
    std::vector<Bounded> m_bounded;
    std::vector<PointImpulse> m_impulses;  // by contact
    Vector6 m_world = Vector6::Zero();     // its velocity, which nothing changes
    double m_change = 0;
    long m_work = 0;

    // Of leaps: rows of links and three of each point, whether they are held, what they want and what they get.
    bool m_isListed = false;
    bool m_hasSliding = false;
    BlockFactor m_factor;
    std::vector<InverseMassRoot> m_roots;
    std::vector<BlockRow> m_rows;
    std::vector<RowMode> m_modes;
    std::vector<double> m_missing, m_steps;
    std::vector<Vector6> m_way;
};

}  // namespace elasto::flow
