#include "sample_points.h"

#include <algorithm>
#include <array>
#include <boost/random/sobol.hpp>
#include <charconv>
#include <cmath>

namespace elasto::sweep {

namespace {

constexpr int kDigits = 12;             // of values in ranges: 0.3, not 0.30000000000000004
constexpr double kLargestWhole = 1e15;  // whole numbers up to it are written without an exponent

/// Top 53 bits as a fraction: every result is below 1.
double fraction(std::uint64_t bits) {
    return std::ldexp(static_cast<double>(bits >> 11), -53);
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of the argument changes half of the result's.
std::uint64_t mixed(std::uint64_t bits) {
    bits += 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
}

Value rounded(double value) {
    std::array<char, 64> text;
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, kDigits - 1);
    std::from_chars(text.data(), written.ptr, value);
    // A field that takes whole numbers only takes this one, too.
    if (value == std::trunc(value) && std::abs(value) <= kLargestWhole) return static_cast<std::int64_t>(value);
    return value;
}

/// @param share of the range, 0 .. 1
Value inRange(const Parameter& parameter, double share) {
    if (parameter.scale == Scale::Linear) {
        return rounded((1 - share) * parameter.from + share * parameter.to);
    }
    return rounded(parameter.from * std::pow(parameter.to / parameter.from, share));
}

std::vector<Value> gridPoint(const Study& study, std::size_t run) {
    std::vector<Value> point(study.parameters.size());
    for (std::size_t k = point.size(); k-- > 0;) {
        const Parameter& parameter = study.parameters[k];
        const std::size_t count = gridCount(parameter);
        const std::size_t index = run % count;
        run /= count;
        point[k] = parameter.values.empty()
                       ? inRange(parameter, static_cast<double>(index) / static_cast<double>(count - 1))
                       : parameter.values[index];
    }
    return point;
}

}  // namespace

std::size_t gridCount(const Parameter& parameter) {
    return parameter.values.empty() ? parameter.count : parameter.values.size();
}

std::vector<double> unitPoint(const Sample& sample, std::size_t parameters, std::size_t run) {
    std::vector<double> point(parameters);
    if (sample.kind == SampleKind::Sobol) {
        boost::random::sobol_engine<std::uint64_t, 64> engine(parameters);
        engine.discard((sample.skip + run) * parameters);
        for (double& coordinate : point) coordinate = fraction(engine());
    } else {
        const std::uint64_t key = mixed(mixed(sample.seed) + run);
        for (std::size_t k = 0; k < parameters; ++k) point[k] = fraction(mixed(key + k));
    }
    return point;
}

std::vector<Value> pointOf(const Study& study, std::size_t run) {
    if (study.sample.kind == SampleKind::Grid) return gridPoint(study, run);
    const std::vector<double> unit = unitPoint(study.sample, study.parameters.size(), run);
    std::vector<Value> point;
    for (std::size_t k = 0; k < unit.size(); ++k) {
        const Parameter& parameter = study.parameters[k];
        if (parameter.values.empty()) {
            point.push_back(inRange(parameter, unit[k]));
        } else {
            const auto count = static_cast<double>(parameter.values.size());
            point.push_back(parameter.values[static_cast<std::size_t>(unit[k] * count)]);
        }
    }
    return point;
}

}  // namespace elasto::sweep
