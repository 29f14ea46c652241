#include "tube_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnuplot_script.h"

namespace elasto::tools {

namespace {

constexpr double kWidth = 860, kHeight = 220, kLeft = 70, kBottom = 30, kTop = 10, kRight = 10;  // [px]
constexpr int kBuckets = 200;       ///< curves are thinned to what the eye tells apart
constexpr std::size_t kMost = 200;  ///< pictures of a page

constexpr const char* kStyle =
    "body{font:15px sans-serif;margin:2em;color:#222;max-width:62em}table{border-collapse:collapse}"
    "td,th{padding:.2em .8em;border-bottom:1px solid #ddd;text-align:left}td.n{text-align:right;"
    "font-family:monospace}.ok{color:#197a3a}.no{color:#b3261e;font-weight:bold}svg{background:#fafafa}"
    ".tube{fill:#cfe3f7;stroke:none}.a{fill:none;stroke:#555;stroke-dasharray:5 3}.b{fill:none;stroke:#1f6fd0;"
    "stroke-width:1.4}.out{stroke:#b3261e;stroke-width:2}text{font:12px sans-serif;fill:#444}";

std::string escaped(const std::string& text) {
    std::string result;
    for (const char character : text) {
        switch (character) {
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '&':
                result += "&amp;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += character;
        }
    }
    return result;
}

/// Maps times and values to the picture.
struct Frame {
    double begin, end, low, high;

    double x(double time) const {
        return kLeft + (time - begin) / std::max(end - begin, 1e-300) * (kWidth - kLeft - kRight);
    }
    double y(double value) const {
        return kTop + (high - value) / std::max(high - low, 1e-300) * (kHeight - kTop - kBottom);
    }
};

std::string points(const Frame& frame, const std::vector<double>& x, const std::vector<double>& y,
                   bool isReversed = false) {
    const Curve curve = thinned({.title = "", .x = x, .y = y}, kBuckets);
    std::string text;
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
        const std::size_t i = isReversed ? curve.x.size() - 1 - k : k;
        if (std::isfinite(curve.y[i])) text += fmt::format("{:.1f},{:.1f} ", frame.x(curve.x[i]), frame.y(curve.y[i]));
    }
    return text;
}

Frame frameOf(const TubeReport& report, const TubeResult& tube) {
    const auto& expected = report.reference.at(tube.signal);
    const auto [least, most] = std::minmax_element(expected.begin(), expected.end());
    // A run that goes astray is cut off: three times the tube's range is enough to see that.
    const double range = std::max(*most - *least, 4 * tube.halfValue);
    Frame frame{report.reference.time.front(), report.reference.time.back(), *least - tube.halfValue - 0.05 * range,
                *most + tube.halfValue + 0.05 * range};
    for (const double value : report.candidate.at(tube.signal)) {
        if (!std::isfinite(value)) continue;
        frame.low = std::min(frame.low, std::max(value, *least - range));
        frame.high = std::max(frame.high, std::min(value, *most + range));
    }
    return frame;
}

std::string picture(const TubeReport& report, const TubeResult& tube) {
    const Frame frame = frameOf(report, tube);
    const std::vector<double>& time = report.candidate.time;
    const std::vector<double>& actual = report.candidate.at(tube.signal);
    std::string svg = fmt::format("<svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">", kWidth, kHeight);
    svg += fmt::format("<polygon class=\"tube\" points=\"{}{}\"/>", points(frame, time, tube.upper),
                       points(frame, time, tube.lower, true));
    svg += fmt::format("<polyline class=\"a\" points=\"{}\"/>",
                       points(frame, report.reference.time, report.reference.at(tube.signal)));
    svg += fmt::format("<polyline class=\"b\" points=\"{}\"/>", points(frame, time, actual));
    for (std::size_t k = 1; k < time.size(); ++k) {
        const bool isOut = actual[k] > tube.upper[k] || actual[k] < tube.lower[k];
        if (!isOut) continue;
        const auto inside = [&](double value) { return std::clamp(value, frame.low, frame.high); };
        svg += fmt::format("<line class=\"out\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>",
                           frame.x(time[k - 1]), frame.y(inside(actual[k - 1])), frame.x(time[k]),
                           frame.y(inside(actual[k])));
    }
    for (const double value : {frame.low, (frame.low + frame.high) / 2, frame.high}) {
        svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.4g}</text>", kLeft - 6,
                           std::max(frame.y(value), kTop) + 4, value);
    }
    for (const double t : {frame.begin, (frame.begin + frame.end) / 2, frame.end}) {
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"{}\">{:.4g} s</text>", frame.x(t), kHeight - 8,
                           t == frame.begin ? "start"
                           : t == frame.end ? "end"
                                            : "middle",
                           t);
    }
    return svg + "</svg>";
}

std::string row(const TubeResult& tube, const SignalError& error) {
    const std::string verdict = tube.isInside()
                                    ? "<td class=\"ok\">inside</td>"
                                    : fmt::format("<td class=\"no\">{:.2g} % of rows outside</td>", 100 * tube.outside);
    const std::string first = tube.isInside() ? "" : fmt::format("{:.6g}", tube.firstTime);
    const std::string largest = tube.isInside() ? "" : fmt::format("{:.3g}", tube.largest);
    return fmt::format(
        "<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td>{2}<td class=\"n\">{3}</td><td class=\"n\">{4}</td>"
        "<td class=\"n\">{5:.3g}</td><td class=\"n\">{6:.3g}</td></tr>\n",
        escaped(tube.signal), escaped(tube.unit), verdict, first, largest, tube.halfValue, 100 * error.nrmse);
}

}  // namespace

std::string htmlOf(const TubeReport& report) {
    std::vector<std::size_t> order(report.tubes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return report.tubes[a].outside > report.tubes[b].outside; });
    const auto outside = std::count_if(report.tubes.begin(), report.tubes.end(),
                                       [](const TubeResult& tube) { return !tube.isInside(); });
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0} and {1}</title><style>{2}</style>"
        "</head><body>\n<h1>{0} and {1}</h1>\n<p>{3} of {4} signals leave the tube around {0} (dashed). It reaches "
        "{5:.4g} s to both sides.</p>\n<table><tr><th>signal</th><th>unit</th><th>verdict</th><th>first at s</th>"
        "<th>by at most</th><th>tube +/-</th><th>NRMSE %</th></tr>\n",
        escaped(report.referenceFile), escaped(report.candidateFile), kStyle, outside, report.tubes.size(),
        report.tubes.empty() ? 0 : report.tubes.front().halfTime);
    for (const std::size_t i : order) html += row(report.tubes[i], report.errors[i]);
    html += "</table>\n";
    for (std::size_t k = 0; k < std::min(order.size(), kMost); ++k) {
        const TubeResult& tube = report.tubes[order[k]];
        html += fmt::format("<h2 id=\"{0}\">{0} [{1}]</h2>\n{2}\n", escaped(tube.signal), escaped(tube.unit),
                            picture(report, tube));
    }
    if (order.size() > kMost) html += fmt::format("<p>Pictures of the first {} signals.</p>\n", kMost);
    return html + "</body></html>\n";
}

}  // namespace elasto::tools
