#include "study_file.h"

#include "json_text.h"
#include "problems.h"
#include "row_text.h"
#include "sample_points.h"
#include "schema_check.h"

#include <elasto/scene/input_file.h>
#include <elasto/scene/load_scene.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace elasto::sweep {

using nlohmann::json;

namespace {

constexpr std::array<std::pair<const char*, MetricKind>, 9> kMetrics{{
    {"peakForce", MetricKind::PeakForce},
    {"dissipatedEnergy", MetricKind::DissipatedEnergy},
    {"settlingTime", MetricKind::SettlingTime},
    {"min", MetricKind::Min},
    {"max", MetricKind::Max},
    {"peak", MetricKind::Peak},
    {"mean", MetricKind::Mean},
    {"rms", MetricKind::Rms},
    {"final", MetricKind::Final},
}};

/// Columns that every table has.
constexpr std::array<const char*, 5> kOwnColumns = {"run", "status", kGradeColumn, kErrorColumn, "reason"};

MetricKind kindOf(const std::string& word) {
    const auto found =
        std::find_if(kMetrics.begin(), kMetrics.end(), [&](const auto& one) { return one.first == word; });
    return found->second;  // the schema lets no other word pass
}

std::string text(const json& object, const char* key) {
    return object.value(key, std::string());
}

std::optional<double> number(const json& object, const char* key) {
    return object.contains(key) ? std::optional<double>(object.at(key).get<double>()) : std::nullopt;
}

class Builder {
public:
    Builder(const json& document, scene::Problems& problems) : m_document(document), m_problems(problems) {}

    Study build() {
        m_study.name = text(m_document, "name");
        m_study.scene = text(m_document, "scene");
        m_study.rate = number(m_document, "rate");
        m_study.duration = number(m_document, "duration");
        readSample();
        each("parameters", [this](const json& item, const std::string& path) { readParameter(item, path); });
        each("metrics", [this](const json& item, const std::string& path) { readMetric(item, path); });
        if (m_problems.empty()) countRuns();
        return std::move(m_study);
    }

private:
    template <typename Visit>
    void each(const char* key, const Visit& visit) {
        int index = 0;
        for (const json& item : m_document.at(key)) visit(item, "/" + std::string(key) + "/" + std::to_string(index++));
    }

    void readSample() {
        if (!m_document.contains("sample")) return;
        const json& item = m_document.at("sample");
        const std::string type = text(item, "type");
        m_study.sample.kind = type == "random"  ? SampleKind::Random
                              : type == "sobol" ? SampleKind::Sobol
                                                : SampleKind::Grid;
        m_study.sample.runs = item.value("runs", std::size_t{0});
        m_study.sample.seed = item.value("seed", std::uint64_t{0});
        m_study.sample.skip = item.value("skip", std::size_t{0});
    }

    void readParameter(const json& item, const std::string& path) {
        Parameter parameter;
        const json& set = item.at("set");
        parameter.set = set.is_string() ? std::vector{set.get<std::string>()} : set.get<std::vector<std::string>>();
        parameter.name = item.contains("name") ? text(item, "name") : parameter.set.front();
        if (item.contains("values")) {
            readValues(item, path, parameter);
        } else {
            readRange(item, path, parameter);
        }
        addColumn(parameter.name, path);
        m_study.parameters.push_back(std::move(parameter));
    }

    void readValues(const json& item, const std::string& path, Parameter& parameter) {
        for (const char* key : {"to", "scale", "count"}) {
            if (item.contains(key)) {
                m_problems.add(path + "/" + key, "is not allowed beside values; it belongs to a range: from, to");
            }
        }
        parameter.values = item.at("values").get<std::vector<Value>>();
    }

    void readRange(const json& item, const std::string& path, Parameter& parameter) {
        parameter.from = item.at("from").get<double>();
        parameter.scale = text(item, "scale") == "log" ? Scale::Log : Scale::Linear;
        if (!item.contains("to")) {
            m_problems.add(path + "/to", "is missing; it must be a number: the other end of the range");
            return;
        }
        parameter.to = item.at("to").get<double>();
        if (parameter.from == parameter.to) {
            m_problems.add(path + "/to", item.at("to").dump() + " is not allowed; it must differ from from");
        }
        for (const char* key : {"from", "to"}) {
            if (parameter.scale == Scale::Log && !(item.at(key).get<double>() > 0)) {
                m_problems.add(path + "/" + key,
                               item.at(key).dump() + " is not allowed; on the scale log it must be a number > 0");
            }
        }
        const bool isGrid = m_study.sample.kind == SampleKind::Grid;
        if (isGrid && !item.contains("count")) {
            m_problems.add(path + "/count", "is missing; it must be a whole number >= 2: the values of the range");
        }
        if (!isGrid && item.contains("count")) {
            m_problems.add(path + "/count", "is not allowed; only a grid counts the values of a range");
        }
        parameter.count = item.value("count", std::size_t{0});
    }

    void readMetric(const json& item, const std::string& path) {
        Metric metric;
        const std::string word = text(item, "metric");
        metric.kind = kindOf(word);
        metric.of = text(item, "of");
        metric.band = number(item, "band").value_or(0);
        metric.target = number(item, "target");
        metric.name = item.contains("name") ? text(item, "name")
                      : metric.of.empty()   ? word
                                            : word + "(" + metric.of + ")";
        const auto isSame = [&](const Metric& other) {
            return other.kind == metric.kind && other.of == metric.of && other.band == metric.band &&
                   other.target == metric.target;
        };
        const auto same = std::find_if(m_study.metrics.begin(), m_study.metrics.end(), isSame);
        if (same == m_study.metrics.end()) {
            addColumn(metric.name, path);
        } else {
            m_problems.add(path, "is not allowed; " + same->name + " measures the same");
        }
        m_study.metrics.push_back(std::move(metric));
    }

    void addColumn(const std::string& name, const std::string& path) {
        const bool isOurs = std::find(kOwnColumns.begin(), kOwnColumns.end(), name) != kOwnColumns.end();
        if (!isOurs && m_columns.insert(name).second) return;
        m_problems.add(path, json(name).dump() + " is not allowed as its column: " +
                                 (isOurs ? "every table has one of that name" : "another one has that name") +
                                 "; give it a name");
    }

    void countRuns() {
        if (m_study.sample.kind == SampleKind::Grid) {
            std::size_t runs = 1;
            for (const Parameter& parameter : m_study.parameters) {
                const std::size_t count = gridCount(parameter);
                if (runs > kMostRuns / count) {
                    m_problems.add("/parameters", "the grid has too many points; a sweep has at most " +
                                                      std::to_string(kMostRuns) + " runs");
                    return;
                }
                runs *= count;
            }
            m_study.sample.runs = runs;
        } else if (m_study.sample.kind == SampleKind::Sobol && m_study.parameters.size() > kMostSobolParameters) {
            m_problems.add("/parameters", std::to_string(m_study.parameters.size()) +
                                              " parameters are not allowed; a Sobol sample has at most " +
                                              std::to_string(kMostSobolParameters));
        }
    }

    const json& m_document;
    scene::Problems& m_problems;
    Study m_study;
    std::set<std::string> m_columns;
};

}  // namespace

Study loadStudy(const std::filesystem::path& file) {
    return parseStudy(readFile(file), file.string());
}

Study parseStudy(std::string_view text, const std::string& source) {
    scene::Problems problems(source);
    const json document = scene::parseJsonText(text, problems);
    if (document.contains("bodies") || document.contains("robot")) {
        problems.add("", "is a scene; a sweep has the fields scene, parameters and metrics");
    }
    problems.throwIfAny();
    scene::checkSchema(document, sweepSchema(), problems);
    problems.throwIfAny();
    Study study = Builder(document, problems).build();
    problems.throwIfAny();
    return study;
}

}  // namespace elasto::sweep
