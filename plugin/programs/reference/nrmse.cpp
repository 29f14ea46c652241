#include <elasto/reference/nrmse.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace elasto {

int Trajectory::find(std::string_view signal) const {
    const auto found = std::find(signals.begin(), signals.end(), signal);
    return found == signals.end() ? -1 : static_cast<int>(found - signals.begin());
}

const std::vector<double>& Trajectory::at(std::string_view signal) const {
    const int index = find(signal);
    if (index < 0) throw std::out_of_range("no signal '" + std::string(signal) + "' in this trajectory");
    return columns[static_cast<std::size_t>(index)];
}

namespace {

/// A unit and the last parts of the names of the signals that have it, each between blanks.
struct UnitNames {
    std::string_view unit;
    std::string_view names;
};
constexpr std::array kUnits = {
    UnitNames{"m", " r_0 s s_rel s_damper s_slip length r_rel_0 r_rel_a gradeError "},
    UnitNames{"rad", " phi phi_rel phi_damper phi_slip phi_contact "},
    UnitNames{"m/s", " v_0 v v_rel sdot "},
    UnitNames{"rad/s", " w w_a w_rel "},
    UnitNames{"m/s2", " a_imu "},
    UnitNames{"kg.m/s", " p "},
    UnitNames{"kg.m2/s", " L "},
    UnitNames{"N", " f f_mean f_c f_d f_d2 f_0 f_n f_t f_net "},
    UnitNames{"N.m", " tau tau_mean tau_c tau_d tau_d_limited tau_net t "},
    UnitNames{"W", " lossPower dissipatedPower totalLossPower power "},
    UnitNames{"J", " heat totalHeat energy storedEnergy kineticEnergy "},
    UnitNames{"K", " T TheatPort "},
    UnitNames{"1", " q e_rel_0 e_a "},
    UnitNames{"flag", " contact grade "},
};

/// Of the largest value of a unit, or of the unit itself: less is rounding, also that of a thousand ticks.
constexpr double kRounding = 1e-12;

double sizeOf(const std::vector<double>& values) {
    double size = 0;
    for (const double value : values) size = std::max(size, std::abs(value));
    return size;
}

double rangeOf(const std::vector<double>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *most - *least + 0.0;  // of -0 only: 0
}

/// rms, largest error and its time of a column.
void measureError(const Trajectory& reference, const std::vector<double>& expected, const std::vector<double>& actual,
                  SignalError& error) {
    double sum = 0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
        double difference = std::abs(actual[k] - expected[k]);
        if (!std::isfinite(difference)) difference = std::numeric_limits<double>::infinity();
        sum += difference * difference;
        if (difference > error.largest) {
            error.largest = difference;
            error.timeOfLargest = reference.time[k];
        }
    }
    error.rms = std::sqrt(sum / static_cast<double>(expected.size()));
}

}  // namespace

std::string signalUnit(std::string_view signal) {
    std::string_view last = signal.substr(signal.find_last_of('.') + 1);  // npos + 1 is the whole name
    last = last.substr(0, last.find('['));
    std::string word = " ";
    word.append(last).append(" ");
    for (const UnitNames& known : kUnits) {
        if (known.names.find(word) != std::string_view::npos) return std::string(known.unit);
    }
    return std::string(signal);
}

std::vector<SignalError> compareSignals(const Trajectory& reference, const Trajectory& candidate) {
    if (reference.time.empty()) throw std::invalid_argument("there is nothing to compare: the reference has no rows");
    if (reference.time.size() != candidate.time.size()) {
        throw std::invalid_argument("cannot compare " + std::to_string(candidate.time.size()) + " rows with " +
                                    std::to_string(reference.time.size()));
    }
    std::vector<SignalError> errors;
    std::map<std::string, double> largestRange, largestSize;
    for (std::size_t k = 0; k < reference.signals.size(); ++k) {
        const double range = rangeOf(reference.columns[k]);
        const std::string unit = signalUnit(reference.signals[k]);
        double& largest = largestRange[unit];
        largest = std::max(largest, range);
        double& size = largestSize[unit];
        size = std::max(size, sizeOf(reference.columns[k]));
        const int other = candidate.find(reference.signals[k]);
        if (other < 0) continue;
        SignalError error{.signal = reference.signals[k], .unit = unit, .range = range};
        measureError(reference, reference.columns[k], candidate.columns[static_cast<std::size_t>(other)], error);
        errors.push_back(std::move(error));
    }
    for (SignalError& error : errors) {
        const double size = std::max(1., largestSize[error.unit]);
        const bool isRounding = std::max(error.range, error.largest) <= kRounding * size;
        const double scale = isRounding ? size : std::max(error.range, 1e-6 * largestRange[error.unit]);
        error.nrmse = scale > 0 ? error.rms / scale : error.rms;
    }
    return errors;
}

const SignalError* worstSignal(std::span<const SignalError> errors, std::span<const std::string> units) {
    const SignalError* worst = nullptr;
    for (const SignalError& error : errors) {
        if (!units.empty() && std::find(units.begin(), units.end(), error.unit) == units.end()) continue;
        if (!worst || error.nrmse > worst->nrmse) worst = &error;
    }
    return worst;
}

}  // namespace elasto
