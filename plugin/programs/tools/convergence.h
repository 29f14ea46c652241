#pragma once
/// @file convergence.h
/// Error over tick rate: what is measured of several ways to compute one scene, and how it is shown.

#include <optional>
#include <string>
#include <vector>

#include "gnuplot_script.h"
#include "json_output.h"

namespace elasto::tools {

/// One way to compute the scene.
struct ConvergenceWay {
    std::string name;
    std::string reason;          ///< why there is none for this scene; empty: there is
    std::vector<double> errors;  ///< NRMSE, one per rate [-]; infinite: the run left all bounds
};

struct Convergence {
    std::string scene;
    std::string signal;         ///< whose error it is
    double duration = 0;        ///< [s]
    std::vector<double> rates;  ///< [Hz], rising
    std::vector<ConvergenceWay> ways;
    std::string reference = "CVODE";  ///< what runs are compared with
};

/// Slope of the error over the tick length in logarithms, by least squares over the rates at which the run follows the
/// oracle (errors below 0.1) and is not exact yet (above 1e-8). Empty with fewer than three of those, or where they
/// stay within a factor of 2 of each other: nothing converges there, be it that nothing helps or that nothing is left
/// to gain.
std::optional<double> fittedOrder(const std::vector<double>& rates, const std::vector<double>& errors);

/// The lowest rate from which on no error is above the bound [Hz]; empty: none.
std::optional<double> rateFrom(const std::vector<double>& rates, const std::vector<double>& errors, double bound);

/// Errors by rate, then orders and what rates 1 % and 0.1 % ask for.
std::string convergenceTable(const Convergence& convergence);
/// Columns: rate, then each way there is; `inf` where a run left all bounds.
std::string convergenceCsv(const Convergence& convergence);
Json convergenceJson(const Convergence& convergence);
Picture convergencePicture(const Convergence& convergence);

}  // namespace elasto::tools
