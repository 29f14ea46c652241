#pragma once
// Linear forms of bodies' velocities: what the rates of coordinates and joints are.

#include <elasto/flow.h>

#include <array>
#include <cstddef>
#include <functional>

namespace elasto::reference {

/// Of a body: linear, then angular; world axes.
using Six = Eigen::Matrix<double, 6, 1>;
using StateOf = std::function<const BodyState&(int body)>;  // kWorld too

/// rate = sum of on . (v, w) over at most four bodies (a gear pair's); a force f along it pushes them with f on.
class Form {
public:
    struct Share {
        int body = kWorld;
        Six on = Six::Zero();
    };

    void add(int body, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        if (body == kWorld) return;
        for (std::size_t k = 0; k < m_count; ++k) {
            if (m_shares[k].body != body) continue;
            m_shares[k].on.head<3>() += linear;
            m_shares[k].on.tail<3>() += angular;
            return;
        }
        Share& share = m_shares.at(m_count++);
        share.body = body;
        share.on << linear, angular;
    }
    const Share* begin() const { return m_shares.data(); }
    const Share* end() const { return m_shares.data() + m_count; }

private:
    std::array<Share, 4> m_shares;
    std::size_t m_count = 0;
};

/// A relation that is held: opening = 0 and rate = 0.
struct Relation {
    Form form;
    double opening = 0;
    double size = 1;  ///< of the lengths whose difference the opening is: rounding goes by it
    double rate = 0;  ///< of all bodies, also of those that nothing moves
    double bend = 0;  ///< d rate/dt = form . accelerations + bend
};

/// Of a row of a joint, written from the geometry.
Relation relationOf(const HeldRow& row, const StateOf& stateOf);

}  // namespace elasto::reference
