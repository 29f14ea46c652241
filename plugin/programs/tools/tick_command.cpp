#include <elasto/audit.h>
#include <elasto/errors.h>
#include <elasto/scene/csv_file.h>
#include <elasto/scene/input_file.h>
#include <elasto/tick_file.h>
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "commands.h"
#include "exit_codes.h"
#include "finest_tick.h"
#include "json_output.h"
#include "options.h"
#include "print.h"
#include "table.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

struct TickOptions {
    std::string file;
    std::string csv;
    int points = 200;
    bool json = false;
};

/// What is different for rigid bodies and for trees.
struct OfBodies {
    using Network = FlowNetwork;
    using Result = TickResult;
    using Space = AuditSpace;
    static void solve(const Network& network, double h, const FlowSettings& settings, Result& result) {
        result = solveTick(network, h, settings);
    }
    static int substeps(const Result& result) { return result.substeps; }
    static std::string size(const Network& network) {
        return fmt::format("{} bodies, {} elements, {} rows of joints, {} motors and limits, {} contacts",
                           network.bodies.size(), network.elements.size(), network.joints.size(),
                           network.bounded.size(), network.contacts.size());
    }
};

struct OfTrees {
    using Network = TreeNetwork;
    using Result = TreeTickResult;
    using Space = TreeAuditSpace;
    static void solve(const Network& network, double h, const FlowSettings& settings, Result& result) {
        result = solveTreeTick(network, h, settings);
    }
    static int substeps(const Result& /*result*/) { return 0; }
    static std::string size(const Network& network) {
        std::size_t links = 0;
        for (const FlowTree& tree : network.trees) links += tree.links.size();
        return fmt::format("{} trees with {} links, {} elements, {} motors and limits", network.trees.size(), links,
                           network.elements.size(), network.bounded.size());
    }
};

/// One way to solve the tick.
struct Way {
    std::string name;
    FlowMethod method = FlowMethod::Free;
    int steps = 0, substeps = 0;
    double cost = 0;
    TickGrade grade;
    TickBalance balance;
    double difference = 0;  ///< from the finest one [m, rad]
};

template <class Kind>
struct Solved {
    std::vector<Way> ways;
    bool isSame = false;  ///< the bits are those that were recorded
    std::vector<ContactEvent> events;
};

/// By the implicit step, in so many sub-steps. Where nothing touches, only a budget that has ended leads there.
FlowSettings implicitly(FlowSettings settings, double h, int substeps) {
    settings.accuracy = Accuracy::Implicit;
    settings.maxSteps = 1;
    settings.maxCost = std::numeric_limits<double>::infinity();
    settings.substep = h / substeps;
    return settings;
}

template <class Kind>
Solved<Kind> solveAll(const TickRecord& tick, const typename Kind::Network& network) {
    using Result = typename Kind::Result;
    Solved<Kind> solved;
    Result recorded;
    Kind::solve(network, tick.h, tick.settings, recorded);
    solved.isSame = fingerprintOf(recorded) == tick.fingerprint;
    solved.events = recorded.events;
    typename Kind::Space finest, halves;
    const FlowSettings generous = withGreatBudget(tick.settings);
    const TickAudit reference = auditTick(network, tick.h, generous, recorded, finest, kFinestParts);
    const auto add = [&](const std::string& name, const Result& result, double cost) {
        solved.ways.push_back({name, result.method, result.steps, Kind::substeps(result), cost, result.grade,
                               result.balance, endDifference(result, finest.end, tick.h)});
    };
    add("as recorded", recorded, recorded.cost);
    const TickAudit audit = auditTick(network, tick.h, tick.settings, recorded, halves);
    add("its halves", halves.end, audit.cost);
    Result other;
    Kind::solve(network, tick.h, generous, other);
    add("budget x 100", other, other.cost);
    add(fmt::format("in {} parts", kFinestParts), finest.end, reference.cost);
    if constexpr (std::is_same_v<Kind, OfBodies>) {
        for (const int substeps : {4, 16, 64}) {
            Kind::solve(network, tick.h, implicitly(tick.settings, tick.h, substeps), other);
            add(fmt::format("implicit, {} sub-steps", substeps), other, other.cost);
        }
    }
    return solved;
}

template <class Kind>
void writeInside(const TickRecord& tick, const typename Kind::Network& network, const TickOptions& options) {
    std::vector<std::string> columns = {"time"};
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        for (const char* name : {"s", "v", "f"}) columns.push_back(fmt::format("element{}.{}", e + 1, name));
    }
    CsvFile csv(options.csv, columns);
    typename Kind::Result result;
    for (int i = 1; i <= options.points; ++i) {
        const double t = tick.h * i / options.points;
        Kind::solve(network, t, tick.settings, result);
        std::vector<double> row = {t};
        for (const ElementTick& element : result.elements)
            row.insert(row.end(), {element.s, element.v, element.force.f});
        csv.addRow(row);
    }
    csv.finish();
}

template <class Kind>
void print(const TickRecord& tick, const typename Kind::Network& network, const Solved<Kind>& solved) {
    using enum Table::Align;
    printText("{}: a tick of {:.6g} ms from {:.9g} s, {}", tick.label, 1000 * tick.h, tick.time,
              nameOf(tick.grade.grade));
    if (tick.grade.grade != Grade::Exact)
        printText(" by {:.2g} m (rad): {}", tick.grade.error, textOf(tick.grade.cause));
    printText("\n{}\n\n", Kind::size(network));
    printText("{}\n\n", solved.isSame
                            ? "The bits are those that were recorded."
                            : "The bits are not those that were recorded: another build, or the file was changed.");
    Table table({{"solved"},
                 {"method"},
                 {"steps", Right},
                 {"sub-steps", Right},
                 {"cost", Right},
                 {"energy J", Right},
                 {"momentum", Right},
                 {"joints", Right},
                 {"off by", Right},
                 {"grade"}});
    for (const Way& way : solved.ways) {
        table.addRow({way.name, methodName(way.method), fmt::format("{}", way.steps), fmt::format("{}", way.substeps),
                      fmt::format("{:.4g}", way.cost), fmt::format("{:.2g}", way.balance.energy),
                      fmt::format("{:.2g}", way.balance.momentum), fmt::format("{:.2g}", way.balance.joints),
                      fmt::format("{:.2g}", way.difference),
                      way.grade.grade == Grade::Exact
                          ? std::string(nameOf(way.grade.grade))
                          : fmt::format("{}: {}", nameOf(way.grade.grade), textOf(way.grade.cause))});
    }
    printText("{}", table.text());
    printText(
        "\nenergy: that came from nowhere (> 0), of {:.3g} J in play; momentum: share that was missing; joints: by "
        "which they "
        "opened.\noff by: largest difference from the tick in {} parts, of coordinates and places, and of rates times "
        "the tick [m, rad].\n",
        solved.ways[0].balance.inPlay, kFinestParts);
    if (solved.events.empty()) return;
    Table events({{"at ms", Right}, {"element", Right}, {"contact"}, {"speed", Right}});
    for (const ContactEvent& event : solved.events) {
        events.addRow({fmt::format("{:.6g}", 1000 * event.time), fmt::format("{}", event.element + 1),
                       event.begin ? "begins" : "ends", fmt::format("{:.6g}", event.speed)});
    }
    printText("\n{}", events.text());
}

template <class Kind>
Json jsonOf(const TickRecord& tick, const Solved<Kind>& solved) {
    Json json;
    json["label"] = tick.label;
    json["time"] = tick.time;
    json["h"] = tick.h;
    json["grade"] = nameOf(tick.grade.grade);
    json["error"] = tick.grade.error;
    json["sameBits"] = solved.isSame;
    for (const Way& way : solved.ways) {
        json["ways"].push_back({{"name", way.name},
                                {"method", methodName(way.method)},
                                {"steps", way.steps},
                                {"substeps", way.substeps},
                                {"cost", way.cost},
                                {"energy", way.balance.energy},
                                {"momentum", way.balance.momentum},
                                {"joints", way.balance.joints},
                                {"offBy", way.difference},
                                {"grade", nameOf(way.grade.grade)},
                                {"cause", textOf(way.grade.cause)}});
    }
    json["events"] = Json::array();
    for (const ContactEvent& event : solved.events) {
        json["events"].push_back(
            {{"element", event.element}, {"begin", event.begin}, {"time", event.time}, {"speed", event.speed}});
    }
    return json;
}

template <class Kind>
int solve(const TickRecord& tick, const typename Kind::Network& network, const TickOptions& options) {
    try {
        const Solved<Kind> solved = solveAll<Kind>(tick, network);
        if (!options.csv.empty()) writeInside<Kind>(tick, network, options);
        if (options.json) {
            printJson(jsonOf(tick, solved));
        } else {
            print(tick, network, solved);
        }
        return solved.isSame ? kOk : kDifferent;
    } catch (const InvalidParameter& refused) {
        throw InputError(options.file + ": " + refused.what());
    }
}

int run(const TickOptions& options) {
    if (options.file.empty()) throw InputError("FILE: '' is not allowed; it must be the name of a file");
    std::istringstream in(readFile(options.file));
    TickRecord tick;
    try {
        tick = readTick(in, options.file);
    } catch (const InvalidParameter& refused) {
        throw InputError(refused.what());
    }
    if (const auto* network = std::get_if<FlowNetwork>(&tick.network)) return solve<OfBodies>(tick, *network, options);
    return solve<OfTrees>(tick, std::get<TreeNetwork>(tick.network), options);
}

}  // namespace

void addTickCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<TickOptions>();
    CLI::App* command = app.add_subcommand("tick", "Solve a tick that was kept again, in every way there is");
    command->add_option("FILE", options->file, "What run --capture or Plugin::captureTick has written")->required();
    command->add_option("--csv", options->csv, "File for the inside of the tick: elements over time")
        ->check(fileName());
    command->add_option("--points", options->points, "Rows of it")->check(countUpTo(100000))->capture_default_str();
    command->add_flag("--json", options->json, "Print JSON");
    command->footer(
        "Exit code 1 if the bits are not those that were recorded.\n"
        "Example: elasto run car_over_kerbs --capture ticks && elasto tick ticks/tick-000001-1.txt --csv inside.csv");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace elasto::tools
