#include "draws.h"

#include <cmath>

namespace elasto::differential {

namespace {

/// Sebastiano Vigna's splitmix64: neighbouring seeds and indices give unlike streams.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

std::uint64_t streamOf(std::uint64_t seed, const std::string& family, std::uint64_t index) {
    std::uint64_t stream = mixed(seed);
    for (const char letter : family) stream = mixed(stream ^ static_cast<unsigned char>(letter));
    return mixed(stream ^ index);
}

/// Three digits. They are divided, not multiplied, by powers of ten: 0.123 is the number that a file says.
double rounded(double value) {
    if (value == 0) return 0;
    const int place = static_cast<int>(std::floor(std::log10(std::abs(value)))) - 2;
    double power = 1;
    for (int i = 0; i < std::abs(place); ++i) power *= 10;
    return place < 0 ? std::round(value * power) / power : std::round(value / power) * power;
}

}  // namespace

Draws::Draws(std::uint64_t seed, const std::string& family, std::uint64_t index)
    : m_numbers(static_cast<unsigned long>(streamOf(seed, family, index))) {}

double Draws::between(double low, double high) {
    return rounded(m_numbers.uniform(low, high));
}

double Draws::magnitude(double low, double high) {
    return rounded(m_numbers.logarithmic(std::log10(low), std::log10(high)));
}

int Draws::from(int low, int high) {
    return low + m_numbers.below(high - low + 1);
}

int Draws::size(int low, int high) {
    return static_cast<int>(m_numbers.logarithmic(std::log10(low), std::log10(high + 1)));
}

Eigen::Vector3d Draws::within(double most) {
    const double x = between(-most, most);
    const double y = between(-most, most);
    return {x, y, between(-most, most)};
}

Eigen::Vector3d Draws::direction() {
    Eigen::Vector3d v = within(1);
    while (v.norm() < 0.1 || v.norm() > 1) v = within(1);
    return v.normalized();
}

Eigen::Quaterniond Draws::orientation() {
    const Eigen::Vector3d axis = direction();
    return Eigen::Quaterniond(Eigen::AngleAxisd(between(-3, 3), axis));
}

}  // namespace elasto::differential
