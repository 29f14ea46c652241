#pragma once
// Random numbers that are the same everywhere: the distributions of the standard library are not.

#include <cmath>
#include <random>

namespace elasto::test {

class RandomNumbers {
public:
    explicit RandomNumbers(unsigned long seed) : m_engine(seed) {}
    double uniform(double low, double high) {
        return low + (high - low) * static_cast<double>(m_engine() >> 11) * 0x1p-53;
    }
    /// 10^x with x uniform between the exponents.
    double logarithmic(double low, double high) { return std::pow(10, uniform(low, high)); }
    bool chance(double probability) { return uniform(0, 1) < probability; }
    int below(int n) { return static_cast<int>(uniform(0, n)); }

private:
    std::mt19937_64 m_engine;
};

}  // namespace elasto::test
