#include "random_drops.h"

#include <elasto/scene/output_file.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "cases.h"
#include "drop.h"

namespace elasto::peers {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNoForce = 1e-6;  // of the weight
constexpr double kGridRate = 240;  // at which engines without ticks are looked at [Hz]
constexpr double kFarAway = 1e6;   // [m]

constexpr std::array<const char*, 7> kMetrics = {"nrmse",       "timeOfContact",    "peakForce",   "contactTime",
                                                 "restitution", "dissipatedEnergy", "restPosition"};
using Errors = std::array<double, kMetrics.size()>;

class Draws {
public:
    explicit Draws(unsigned long long seed) : m_engine(seed) {}
    double uniform(const std::array<double, 2>& range) {
        return range[0] + (range[1] - range[0]) * static_cast<double>(m_engine() >> 11) * 0x1p-53;
    }
    double logUniform(const std::array<double, 2>& range) {
        return std::exp(uniform({std::log(range[0]), std::log(range[1])}));
    }

private:
    std::mt19937_64 m_engine;
};

std::vector<Drop> drawDrops(const Plan& plan) {
    Draws draws(plan.seed);
    std::vector<Drop> drops;
    while (static_cast<int>(drops.size()) < plan.drops) {
        Drop drop;
        drop.height = draws.logUniform(plan.height);
        drop.c = draws.logUniform(plan.c);
        drop.mass = draws.logUniform(plan.mass);
        drop.d = 2 * draws.uniform(plan.dampingRatio) * std::sqrt(drop.c * drop.mass);
        if (DropOracle(drop, 10).leaves()) drops.push_back(drop);
    }
    return drops;
}

Scene sceneOf(Scene scene, const Drop& drop, double height) {
    scene.bodies[0].mass = drop.mass;
    scene.bodies[0].inertia = Eigen::Vector3d::Constant(1e-3 * drop.mass);
    scene.bodies[0].position.y() = height;
    ElastoGapParameters parameters = std::get<ElastoGapLaw>(scene.elements[0].law).parameters();
    parameters.c = drop.c;
    parameters.d = drop.d;
    scene.elements[0].law = ElastoGapLaw(parameters);
    return scene;
}

/// What ticks tell about the first contact.
class TickWatch {
public:
    TickWatch(const Drop& drop, double h) : m_drop(drop), m_h(h), m_z(drop.height) {}

    void tick(double start, double z, double v) {
        const double force = m_drop.mass * ((v - m_v) / m_h + kGravity);
        const bool acts = force > kNoForce * m_drop.mass * kGravity;
        if (m_crossing < 0 && m_z > 0 && z <= 0) m_crossing = start + m_h * m_z / (m_z - z);
        if (acts && !m_isOver) {
            if (m_ticks == 0) {
                m_report.begin = m_z > 0 ? start + std::min(m_h, m_v < 0 ? m_z / -m_v : m_h) : m_crossing;
            }
            ++m_ticks;
            m_report.peakForce = std::max(m_report.peakForce, force);
        }
        if (!acts && m_ticks > 0 && !m_isOver && v > 0) {
            m_isOver = true;
            m_report.top = z + v * v / (2 * kGravity);
        }
        m_report.end = m_report.begin + static_cast<double>(m_ticks) * m_h;
        m_z = z;
        m_v = v;
    }
    ContactReport report() const { return m_report; }

private:
    Drop m_drop;
    double m_h;
    double m_z;
    double m_v = 0;
    double m_crossing = -1;
    long m_ticks = 0;
    bool m_isOver = false;
    ContactReport m_report;
};

double restError(const Peer& peer, const Scene& scene, const Drop& drop, double setting, double rate) {
    const double decay = drop.d / (2 * drop.mass);
    const long ticks = std::lround(std::ceil(std::max(0.5, 20 / decay) * rate));
    const std::unique_ptr<Motion> motion = peer.begin(CaseKind::DroppedMass, sceneOf(scene, drop, 0), setting);
    double sum = 0;
    long count = 0;
    for (long tick = 1; tick <= ticks; ++tick) {
        motion->advance(static_cast<double>(tick) / rate);
        const double z = motion->coordinates()[0];
        if (!(std::abs(z) < kFarAway)) return kInfinite;
        if (2 * tick <= ticks) continue;
        sum += z;
        ++count;
    }
    const double rest = drop.mass * kGravity / drop.c;
    return std::abs(sum / static_cast<double>(count) + rest) / rest;
}

Errors measure(const Peer& peer, const Scene& scene, const Drop& drop, double setting) {
    Errors errors;
    errors.fill(kInfinite);
    const double rate = peer.hasAccuracy() ? kGridRate : setting;
    const double fall = std::sqrt(2 * drop.height / kGravity);
    const double until = DropOracle(drop, fall * 1.01).end() + fall * 2 / 3;
    const long ticks = std::lround(std::ceil(until * rate));
    const DropOracle oracle(drop, static_cast<double>(ticks) / rate);
    try {
        const std::unique_ptr<Motion> motion =
            peer.begin(CaseKind::DroppedMass, sceneOf(scene, drop, drop.height), setting, true);
        TickWatch watch(drop, 1 / rate);
        double sum = 0;
        double least = drop.height;
        double most = drop.height;
        for (long tick = 1; tick <= ticks; ++tick) {
            const double time = static_cast<double>(tick) / rate;
            motion->advance(time);
            const double z = motion->coordinates()[0];
            if (!(std::abs(z) < kFarAway)) return errors;
            watch.tick(time - 1 / rate, z, motion->speed());
            const double wanted = oracle.height(time);
            sum += (z - wanted) * (z - wanted);
            least = std::min(least, wanted);
            most = std::max(most, wanted);
        }
        const ContactReport report = motion->contact().value_or(watch.report());
        const double top = std::max(0., report.top);
        errors[0] = std::sqrt(sum / static_cast<double>(ticks)) / (most - least);
        errors[1] = std::abs(report.begin - oracle.begin()) / oracle.begin();
        errors[2] = std::abs(report.peakForce - oracle.peakForce()) / oracle.peakForce();
        errors[3] = std::abs((report.end - report.begin) / (oracle.end() - oracle.begin()) - 1);
        errors[4] = std::abs(std::sqrt(top / drop.height) - std::sqrt(oracle.top() / drop.height));
        errors[5] = std::abs(top - oracle.top()) / drop.height;
        errors[6] = restError(peer, scene, drop, setting, rate);
    } catch (const std::exception&) {
        errors.fill(kInfinite);
    }
    return errors;
}

std::string percentText(double share) {
    if (!std::isfinite(share)) return "lost";
    return fmt::format("{:.2g}", 100 * share);
}

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double count = static_cast<double>(values.size());
    const auto place = static_cast<std::size_t>(std::ceil(share * count)) - 1;
    return values.at(std::min(place, values.size() - 1));
}

}  // namespace

bool runRandomDrops(const Plan& plan, const std::filesystem::path& cases, const Peers& peers,
                    const std::filesystem::path& output) {
    const Scene scene = loadCase(cases, CaseKind::DroppedMass);
    const std::vector<Drop> drops = drawDrops(plan);
    bool passes = true;
    std::string csv = "drop,height,c,d,mass,peer,setting";
    for (const char* metric : kMetrics) csv += fmt::format(",{}", metric);
    csv += "\n";
    fmt::print("\n### {} random drops\n\nMedian / 99 % / largest error in per cent.\n\n| | at |", drops.size());
    for (const char* metric : kMetrics) fmt::print(" {} |", metric);
    fmt::print("\n|---|---|---|---|---|---|---|---|---|\n");
    for (const auto& peer : peers) {
        for (const double setting : peer->hasAccuracy() ? plan.dropAccuracies : plan.dropRates) {
            std::array<std::vector<double>, kMetrics.size()> all;
            for (std::size_t i = 0; i < drops.size(); ++i) {
                const Errors errors = measure(*peer, scene, drops[i], setting);
                csv += fmt::format("{},{:.9g},{:.9g},{:.9g},{:.9g},\"{}\",{:g}", i, drops[i].height, drops[i].c,
                                   drops[i].d, drops[i].mass, peer->name(), setting);
                for (std::size_t metric = 0; metric < kMetrics.size(); ++metric) {
                    csv += fmt::format(",{:.4g}", errors[metric]);
                    all[metric].push_back(errors[metric]);
                }
                csv += "\n";
            }
            const bool isJudged = peer == peers.front() && setting == plan.dropRates.front();
            fmt::print("| {} | {:g}{} |", peer->name(), setting, peer->hasAccuracy() ? "" : " Hz");
            for (std::size_t metric = 0; metric < kMetrics.size(); ++metric) {
                const double median = quantile(all[metric], 0.5);
                const double p99 = quantile(all[metric], 0.99);
                const double largest = quantile(all[metric], 1);
                const DropTarget& target = plan.dropTargets.at(kMetrics[metric]);
                const bool hits = median <= target.median && p99 <= target.p99 && largest <= target.largest;
                if (isJudged) passes = passes && hits;
                fmt::print(" {} / {} / {}{} |", percentText(median), percentText(p99), percentText(largest),
                           isJudged && !hits ? " (missed)" : "");
            }
            fmt::print("\n");
            std::fflush(stdout);
        }
    }
    writeFile(output / "random_drops.csv", csv);
    return passes;
}

}  // namespace elasto::peers
