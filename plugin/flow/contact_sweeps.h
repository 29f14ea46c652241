#pragma once
// Impulses of contacts found by letting them push one after the other until nothing changes any more: slower than
// solving for a set that is known, but it never fails, and every push takes energy.

#include "contact_frame.h"

#include <vector>

namespace elasto::flow {

/// Impulses at a contact: along the normal, and of friction on a (world frame).
struct PointImpulse {
    double normal = 0;
    Eigen::Vector3d friction = Eigen::Vector3d::Zero();
};

class ContactSweeps {
public:
    /// Nothing pushes yet. @param wanted by contact: rate that it is pushed up to; infinitely negative for a point that
    /// stays open
    ContactSweeps(const ContactFrame& frame, const std::vector<double>& wanted, bool withSurfaces);

    /// Friction of a contact is that of sliding in a direction (unit vector), whatever its velocity becomes.
    void setSliding(std::size_t contact, const Eigen::Vector3d& direction);

    /// One round over joints and contacts. @return largest change of a velocity
    double sweep(std::vector<Vector6>& velocities);
    /// Sweeps until the change is below `settled` of the largest one, `most` times at most. @return their number
    int run(std::vector<Vector6>& velocities, int most, double settled);

    const std::vector<PointImpulse>& points() const { return m_impulses; }
    const std::vector<double>& joints() const { return m_joints; }

private:
    struct Point {
        std::size_t contact;
        BlockRow normal, first, second;
        double normalResponse = 0, frictionResponse = 0;
        double wanted = 0;
        double friction = 0;
        Eigen::Vector2d surface = Eigen::Vector2d::Zero();  // rates of b's surface
        bool slides = false;
        BlockRow sliding;
    };

    void apply(const BlockRow& row, double impulse, std::vector<Vector6>& velocities);
    void pushFriction(const Point& point, std::vector<Vector6>& velocities);

    const ContactFrame& m_frame;
    std::vector<Point> m_points;
    std::vector<double> m_jointResponses, m_joints;
    std::vector<PointImpulse> m_impulses;  // by contact
    double m_change = 0;
};

}  // namespace elasto::flow
