#pragma once
/// @file drop.h
/// A mass that falls onto a spring and damper which do not pull: the exact motion.

#include <optional>
#include <vector>

namespace elasto::peers {

struct Drop {
    double height = 0;  ///< [m]
    double c = 0;       ///< [N/m]
    double d = 0;       ///< [N.s/m], less than critical
    double mass = 0;    ///< [kg]
};
inline constexpr double kGravity = 9.80665;  ///< [m/s2]

/// The motion in closed form: flights and contacts one after the other, each contact a damped oscillation under the
/// weight that ends when the law's force has gone.
class DropOracle {
public:
    /// @param until how far it is worked out [s]
    DropOracle(const Drop& drop, double until);

    double height(double time) const;            ///< [m]
    bool leaves() const { return m_top > 0; }    ///< the first contact ends, with a rebound above the stop
    double begin() const { return m_begin; }     ///< of the first contact [s]
    double end() const { return m_end; }         ///< of its force [s]
    double peakForce() const { return m_peak; }  ///< [N]
    double top() const { return m_top; }         ///< height of the rebound [m]

private:
    struct Phase {
        bool isContact = false;
        double start = 0;  ///< [s]
        double z = 0;      ///< height there [m]
        double v = 0;      ///< upwards [m/s]
    };
    double compression(const Phase& phase, double after, double* rate) const;
    std::optional<double> contactTime(const Phase& phase) const;

    Drop m_drop;
    std::vector<Phase> m_phases;
    double m_begin = 0;
    double m_end = 0;
    double m_peak = 0;
    double m_top = 0;
};

}  // namespace elasto::peers
