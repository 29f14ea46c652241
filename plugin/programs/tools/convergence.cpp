#include "convergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "table.h"

namespace elasto::tools {

namespace {

constexpr double kFollows = 0.1;
constexpr std::size_t kFewest = 3;
constexpr double kFlat = 2;
/// What is left below are rounding and tolerances.
constexpr double kExact = 1e-8;

std::string orderText(const ConvergenceWay& way, const std::vector<double>& rates) {
    if (const auto order = fittedOrder(rates, way.errors)) return fmt::format("{:.1f}", *order);
    const auto follows = [](double error) { return error < kFollows; };
    const auto following = std::count_if(way.errors.begin(), way.errors.end(), follows);
    if (following == 0 && rates.size() >= kFewest) return "none";
    if (following < static_cast<std::ptrdiff_t>(kFewest)) return "-";
    return std::all_of(way.errors.begin(), way.errors.end(), follows) ? "flat" : "none";
}

std::string rateText(const ConvergenceWay& way, const std::vector<double>& rates, double bound) {
    const auto rate = rateFrom(rates, way.errors, bound);
    return rate ? fmt::format("{:g} Hz", *rate) : fmt::format("> {:g} Hz", rates.back());
}

}  // namespace

std::optional<double> fittedOrder(const std::vector<double>& rates, const std::vector<double>& errors) {
    std::vector<double> x;
    std::vector<double> y;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        if (!(errors[i] > kExact && errors[i] < kFollows)) continue;
        x.push_back(-std::log(rates[i]));
        y.push_back(std::log(errors[i]));
    }
    if (x.size() < kFewest) return std::nullopt;
    const auto [least, most] = std::minmax_element(y.begin(), y.end());
    if (*most - *least < std::log(kFlat)) return std::nullopt;
    const double n = static_cast<double>(x.size());
    double meanX = 0;
    double meanY = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        meanX += x[i] / n;
        meanY += y[i] / n;
    }
    double above = 0;
    double below = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        above += (x[i] - meanX) * (y[i] - meanY);
        below += (x[i] - meanX) * (x[i] - meanX);
    }
    return above / below;
}

std::optional<double> rateFrom(const std::vector<double>& rates, const std::vector<double>& errors, double bound) {
    std::optional<double> found;
    for (std::size_t i = rates.size(); i > 0 && errors[i - 1] <= bound; --i) found = rates[i - 1];
    return found;
}

std::string convergenceTable(const Convergence& convergence) {
    using enum Table::Align;
    std::vector<Table::Column> columns = {{"rate"}};
    std::vector<const ConvergenceWay*> ways;
    for (const ConvergenceWay& way : convergence.ways) {
        if (!way.reason.empty()) continue;
        columns.push_back({way.name, Right});
        ways.push_back(&way);
    }
    Table table(columns);
    const auto addRow = [&](const std::string& name, const auto& cell) {
        std::vector<std::string> cells = {name};
        for (const ConvergenceWay* way : ways) cells.push_back(cell(*way));
        table.addRow(std::move(cells));
    };
    for (std::size_t i = 0; i < convergence.rates.size(); ++i) {
        addRow(fmt::format("{:g} Hz", convergence.rates[i]), [&](const ConvergenceWay& way) {
            return std::isfinite(way.errors[i]) ? fmt::format("{:.2g} %", 100 * way.errors[i])
                                                : std::string("runs away");
        });
    }
    addRow("order", [&](const ConvergenceWay& way) { return orderText(way, convergence.rates); });
    addRow("1 % from", [&](const ConvergenceWay& way) { return rateText(way, convergence.rates, 1e-2); });
    addRow("0.1 % from", [&](const ConvergenceWay& way) { return rateText(way, convergence.rates, 1e-3); });
    std::string text = table.text();
    for (const ConvergenceWay& way : convergence.ways) {
        if (!way.reason.empty()) text += fmt::format("no {}: {}\n", way.name, way.reason);
    }
    return text;
}

std::string convergenceCsv(const Convergence& convergence) {
    std::string text = "rate";
    for (const ConvergenceWay& way : convergence.ways) {
        if (way.reason.empty()) text += fmt::format(",\"{}\"", way.name);
    }
    text += "\n";
    for (std::size_t i = 0; i < convergence.rates.size(); ++i) {
        text += fmt::format("{:.17g}", convergence.rates[i]);
        for (const ConvergenceWay& way : convergence.ways) {
            if (way.reason.empty()) text += fmt::format(",{:.17g}", way.errors[i]);
        }
        text += "\n";
    }
    return text;
}

Json convergenceJson(const Convergence& convergence) {
    Json json;
    json["scene"] = convergence.scene;
    json["signal"] = convergence.signal;
    json["reference"] = convergence.reference;
    json["duration"] = convergence.duration;
    json["rates"] = convergence.rates;
    json["ways"] = Json::array();
    for (const ConvergenceWay& way : convergence.ways) {
        Json one;
        one["name"] = way.name;
        if (way.reason.empty()) {
            one["nrmse"] = way.errors;
            const auto order = fittedOrder(convergence.rates, way.errors);
            one["order"] = order ? Json(*order) : Json();
        } else {
            one["reason"] = way.reason;
        }
        json["ways"].push_back(one);
    }
    json["units"] = {{"duration", "s"}, {"rates", "Hz"}, {"nrmse", "1"}};
    return json;
}

Picture convergencePicture(const Convergence& convergence) {
    Panel panel;
    panel.title = fmt::format("{}: {} over {:g} s", convergence.scene, convergence.signal, convergence.duration);
    panel.xLabel = "ticks per second [Hz]";
    panel.yLabel = "NRMSE [-]";
    panel.xIsLog = panel.yIsLog = true;
    for (const ConvergenceWay& way : convergence.ways) {
        if (!way.reason.empty()) continue;
        Curve curve;
        curve.stroke = Stroke::LineWithPoints;
        curve.isMain = way.name == "Elasto";
        curve.title = fmt::format("{} ({})", way.name, orderText(way, convergence.rates));
        for (std::size_t i = 0; i < convergence.rates.size(); ++i) {
            // A logarithm has no place for what is exact.
            if (!(std::isfinite(way.errors[i]) && way.errors[i] > 0)) continue;
            curve.x.push_back(convergence.rates[i]);
            curve.y.push_back(way.errors[i]);
        }
        if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
    }
    Picture picture;
    picture.height = 480;
    picture.panels.push_back(std::move(panel));
    return picture;
}

}  // namespace elasto::tools
