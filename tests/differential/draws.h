#pragma once
// Random numbers of one machine: they depend on seed, family and index only, on every platform.

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cstdint>
#include <initializer_list>
#include <string>

#include "random_numbers.h"

namespace elasto::differential {

/// Numbers have three digits, so that scenes are short, and the same whatever the C library rounds.
class Draws {
public:
    Draws(std::uint64_t seed, const std::string& family, std::uint64_t index);

    double between(double low, double high);    ///< uniform
    double magnitude(double low, double high);  ///< uniform in its logarithm; 0 < low < high
    int from(int low, int high);                ///< both included
    int size(int low, int high);                ///< uniform in its logarithm; both included, 0 < low
    bool chance(double probability) { return m_numbers.chance(probability); }
    double sign() { return chance(0.5) ? 1 : -1; }
    Eigen::Vector3d within(double most);  ///< each component within -most .. most
    Eigen::Vector3d direction();          ///< of length 1
    Eigen::Quaterniond orientation();

    template <typename T>
    T oneOf(std::initializer_list<T> choices) {
        return choices.begin()[m_numbers.below(static_cast<int>(choices.size()))];
    }

private:
    test::RandomNumbers m_numbers;
};

}  // namespace elasto::differential
