#pragma once
// Orientations counted from those that bodies would have if they went on spinning as they did: what spins steadily
// stands still there, and steps see only by how much its spin changes (E. Hairer, C. Lubich, G. Wanner, Geometric
// Numerical Integration, IV.8: methods for Lie groups).

#include "bodies/geometry.h"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cstddef>
#include <vector>

namespace elasto::flow {

/// Orientation q = r(t) p with the turn r(t) = exp((t - since) spin) of a body and its coordinates p, so that
/// p' = 1/2 r^-1 (w - spin) q.
class SteadySpins {
public:
    /// From a time on, without spin: coordinates are orientations.
    void begin(double since, std::size_t bodies) {
        m_since = since;
        m_spins.assign(bodies, Eigen::Vector3d::Zero());
    }
    void set(std::size_t body, const Eigen::Vector3d& spin) { m_spins[body] = spin; }

    double since() const { return m_since; }
    const Eigen::Vector3d& spin(std::size_t body) const { return m_spins[body]; }
    /// @param p coordinates of any length
    Eigen::Quaterniond orientation(std::size_t body, double t, const Eigen::Vector4d& p) const {
        Eigen::Quaterniond q;
        q.coeffs() = p.normalized();
        return turned(q, (t - m_since) * m_spins[body]);
    }
    /// Rate of a body's coordinates. @param q its orientation there
    Eigen::Vector4d rate(std::size_t body, const Eigen::Vector4d& p, const Eigen::Quaterniond& q,
                         const Eigen::Vector3d& w) const {
        const Eigen::Vector3d beyond = w - m_spins[body];
        const Eigen::Quaterniond turning = Eigen::Quaterniond(0, beyond[0], beyond[1], beyond[2]) * q;
        if (m_spins[body].isZero(0)) return 0.5 * turning.coeffs();
        Eigen::Quaterniond coordinates;
        coordinates.coeffs() = p.normalized();
        return 0.5 * (coordinates * q.conjugate() * turning).coeffs();
    }

private:
    double m_since = 0;
    std::vector<Eigen::Vector3d> m_spins;
};

}  // namespace elasto::flow
