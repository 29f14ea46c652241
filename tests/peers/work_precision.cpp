#include "work_precision.h"

#include <draw.h>
#include <elasto/scene/output_file.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cases.h"
#include "stopwatch.h"

namespace elasto::peers {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kGridRate = 30;   // [Hz]
constexpr double kFrameRate = 60;  // [Hz]
constexpr double kFarAway = 1e6;   // [m]
constexpr double kEqualError = 1e-3;

struct Point {
    double setting = 0;
    double error = kInfinite;
    double cost = kInfinite;  ///< processor time of a frame [s]
};

struct Line {
    const Peer* peer = nullptr;
    std::vector<Point> points;
};

using Rows = std::vector<std::vector<double>>;

double errorOf(const Rows& oracle, const Rows& run) {
    double worst = 0;
    for (std::size_t i = 0; i < oracle[0].size(); ++i) {
        double sum = 0;
        double least = kInfinite;
        double most = -kInfinite;
        for (std::size_t k = 0; k < oracle.size(); ++k) {
            const double difference = run[k].at(i) - oracle[k][i];
            sum += difference * difference;
            least = std::min(least, oracle[k][i]);
            most = std::max(most, oracle[k][i]);
        }
        const double error = std::sqrt(sum / static_cast<double>(oracle.size())) / (most - least);
        if (!(error <= kFarAway)) return kInfinite;
        worst = std::max(worst, error);
    }
    return worst;
}

/// One run; the error is infinite if it left all bounds or its engine gave up.
Point runOnce(const Peer& peer, CaseKind kind, const Scene& scene, double setting, const std::vector<double>& times,
              const Rows& oracle) {
    Point point{setting, kInfinite, kInfinite};
    try {
        const std::unique_ptr<Motion> motion = peer.begin(kind, scene, setting);
        Rows rows = {motion->coordinates()};
        const double start = processorTime();
        for (std::size_t k = 1; k < times.size(); ++k) {
            motion->advance(times[k]);
            rows.push_back(motion->coordinates());
            for (const double value : rows.back()) {
                if (!(std::abs(value) < kFarAway)) return point;
            }
        }
        point.cost = (processorTime() - start) / (times.back() * kFrameRate);
        point.error = errorOf(oracle, rows);
    } catch (const std::exception&) {
        return point;
    }
    return point;
}

std::vector<Line> measureCase(const Plan& plan, const std::filesystem::path& cases, CaseKind kind, const Peers& peers) {
    const Scene scene = loadCase(cases, kind);
    std::vector<double> times;
    for (long k = 0; k <= std::lround(scene.duration * kGridRate); ++k) {
        times.push_back(static_cast<double>(k) / kGridRate);
    }
    const Rows oracle = solveCase(cases, kind, times);
    std::vector<Line> lines;
    for (const auto& peer : peers) {
        lines.push_back({peer.get(), {}});
        for (const double setting : peer->hasAccuracy() ? plan.accuracies : plan.rates) {
            lines.back().points.push_back({setting, kInfinite, kInfinite});
        }
    }
    for (int repetition = 0; repetition < plan.repetitions; ++repetition) {
        for (Line& line : lines) {
            for (Point& point : line.points) {
                const Point now = runOnce(*line.peer, kind, scene, point.setting, times, oracle);
                point.error = now.error;
                point.cost = std::min(point.cost, now.cost);
            }
        }
    }
    return lines;
}

std::string settingText(const Line& line, const Point& point) {
    return line.peer->hasAccuracy() ? fmt::format("{:g}", point.setting) : fmt::format("{:g} Hz", point.setting);
}

std::string errorText(double error) {
    return std::isfinite(error) ? fmt::format("{:.1e}", error) : std::string("lost");
}

const Point* at60Hz(const Line& line) {
    for (const Point& point : line.points) {
        if (point.setting == kFrameRate) return &point;
    }
    return nullptr;
}

const Point* cheapest(const Line& line, double bound) {
    const Point* found = nullptr;
    for (const Point& point : line.points) {
        if (point.error <= bound && (found == nullptr || point.cost < found->cost)) found = &point;
    }
    return found;
}

void drawCase(CaseKind kind, const std::vector<Line>& lines, const std::filesystem::path& file) {
    tools::Panel panel;
    panel.title = caseName(kind);
    panel.xLabel = "processor time of a frame of 1/60 s [us]";
    panel.yLabel = "NRMSE [-]";
    panel.xIsLog = panel.yIsLog = true;
    for (const Line& line : lines) {
        tools::Curve curve{line.peer->name(), {}, {}, tools::Stroke::LineWithPoints};
        for (const Point& point : line.points) {
            // Beyond 10 times its range nobody looks at a motion.
            if (!(point.error > 0 && point.error < 10)) continue;
            curve.x.push_back(1e6 * point.cost);
            curve.y.push_back(point.error);
        }
        if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
    }
    tools::Picture picture;
    picture.height = 480;
    picture.panels.push_back(std::move(panel));
    tools::draw(picture, file, false);
}

/// Prints the table of a case. @return whether its targets are met
bool printCase(const Plan& plan, CaseKind kind, const std::vector<Line>& lines) {
    const Point& ours = *at60Hz(lines.front());
    fmt::print(
        "\n### {}\n\n| | at 60 Hz | us per frame | least error | at | 0.1 % cheapest at | us per frame | "
        "Elasto at 60 Hz / that |\n|---|---|---|---|---|---|---|---|\n",
        caseName(kind));
    bool passes = ours.error <= plan.errorTargets.at(caseName(kind));
    for (const Line& line : lines) {
        const Point* frame = line.peer->hasAccuracy() ? nullptr : at60Hz(line);
        const Point& best = *std::min_element(line.points.begin(), line.points.end(),
                                              [](const Point& a, const Point& b) { return a.error < b.error; });
        const Point* equal = cheapest(line, kEqualError);
        const double ratio = equal != nullptr ? ours.cost / equal->cost : 0;
        const double target = line.peer->hasAccuracy() ? plan.costTargetAccuracy : plan.costTarget;
        const bool isOurs = &line == &lines.front();
        const bool hits = isOurs || ratio <= target;
        passes = passes && hits;
        fmt::print("| {} | {} | {} | {} | {} | {} | {} | {}{} |\n", line.peer->name(),
                   frame != nullptr ? errorText(frame->error) : "-",
                   frame != nullptr && std::isfinite(frame->cost) ? fmt::format("{:.2f}", 1e6 * frame->cost) : "-",
                   errorText(best.error), settingText(line, best),
                   equal != nullptr ? settingText(line, *equal) : "not reached",
                   equal != nullptr ? fmt::format("{:.2f}", 1e6 * equal->cost) : "-",
                   equal != nullptr ? fmt::format("{:.3f}", ratio) : "-", hits ? "" : " (missed)");
    }
    fmt::print("\nElasto at 60 Hz: {} (target {}{}); targets for the cost: {} of engines with ticks, {} of Simbody.\n",
               errorText(ours.error), errorText(plan.errorTargets.at(caseName(kind))),
               ours.error <= plan.errorTargets.at(caseName(kind)) ? "" : ", missed", plan.costTarget,
               plan.costTargetAccuracy);
    std::fflush(stdout);
    return passes;
}

}  // namespace

bool runWorkPrecision(const Plan& plan, const std::filesystem::path& cases, const Peers& peers,
                      const std::filesystem::path& output, const std::string& format) {
    bool passes = true;
    std::string csv = "case,peer,setting,nrmse,seconds_per_frame\n";
    for (const CaseKind kind : kCases) {
        const std::vector<Line> lines = measureCase(plan, cases, kind, peers);
        passes = printCase(plan, kind, lines) && passes;
        drawCase(kind, lines, output / (std::string(caseName(kind)) + "." + format));
        for (const Line& line : lines) {
            for (const Point& point : line.points) {
                csv += fmt::format("{},\"{}\",{:g},{:.6g},{:.6g}\n", caseName(kind), line.peer->name(), point.setting,
                                   point.error, point.cost);
            }
        }
    }
    writeFile(output / "work_precision.csv", csv);
    return passes;
}

}  // namespace elasto::peers
