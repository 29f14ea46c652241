#pragma once
// Every libm function that reaches the physics is called through here, so that one vendored implementation can replace
// them all where bits must be equal across machines.

#include <cmath>

namespace elasto::flow::elementary {

inline double exp(double x) {
    return std::exp(x);
}
inline double expm1(double x) {
    return std::expm1(x);
}
inline double log1p(double x) {
    return std::log1p(x);
}
inline double sin(double x) {
    return std::sin(x);
}
inline double cos(double x) {
    return std::cos(x);
}
inline double atan2(double y, double x) {
    return std::atan2(y, x);
}
inline double acos(double x) {
    return std::acos(x);
}
inline double pow(double x, double y) {
    return std::pow(x, y);
}

}  // namespace elasto::flow::elementary
