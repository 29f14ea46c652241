#pragma once
// An independent integrator for one coordinate: classical Runge-Kutta with steps so small that its error does not
// count.

#include <functional>

namespace elasto::test {

/// Motion of s'' = -f(s, s', z) / m + a, z' = rate(f).
class ReferenceMotion {
public:
    using Force = std::function<double(double s, double v, double z)>;
    using Rate = std::function<double(double f)>;

    double m = 1;  ///< mass or moment of inertia
    double a = 0;  ///< acceleration by everything else
    double s = 0;
    double v = 0;
    double z = 0;
    Force force;
    Rate rate = [](double) { return 0.0; };

    /// Moves on by h in steps of at most `longest`.
    void advance(double h, double longest = 1e-6) {
        const int steps = static_cast<int>(h / longest) + 1;
        for (int i = 0; i < steps; ++i) {
            step(h / steps);
        }
    }

private:
    struct Slope {
        double s, v, z;
    };
    Slope slope(double s_, double v_, double z_) const {
        const double f = force(s_, v_, z_);
        return {v_, a - f / m, rate(f)};
    }
    void step(double h) {
        const Slope k1 = slope(s, v, z);
        const Slope k2 = slope(s + h / 2 * k1.s, v + h / 2 * k1.v, z + h / 2 * k1.z);
        const Slope k3 = slope(s + h / 2 * k2.s, v + h / 2 * k2.v, z + h / 2 * k2.z);
        const Slope k4 = slope(s + h * k3.s, v + h * k3.v, z + h * k3.z);
        s += h / 6 * (k1.s + 2 * k2.s + 2 * k3.s + k4.s);
        v += h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v);
        z += h / 6 * (k1.z + 2 * k2.z + 2 * k3.z + k4.z);
    }
};

}  // namespace elasto::test
