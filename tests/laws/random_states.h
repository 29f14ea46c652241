#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace elasto::test {

/// Numbers for tests: the same on every machine and in every run.
class RandomStates {
public:
    explicit RandomStates(std::uint32_t seed) : m_engine(seed) {}

    /// Uniform in [low, high). Not std::uniform_real_distribution, whose result differs between libraries.
    double uniform(double low, double high) {
        return low + (high - low) * (static_cast<double>(m_engine()) / 4294967296.0);
    }
    /// Sign and size both vary: |value| in [smallest, largest), evenly over the powers of ten.
    double signedLog(double smallest, double largest) {
        const double size = smallest * std::pow(largest / smallest, uniform(0, 1));
        return uniform(0, 1) < 0.5 ? -size : size;
    }

private:
    std::mt19937 m_engine;
};

}  // namespace elasto::test
