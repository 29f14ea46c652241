#include "run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exit_codes.h"
#include "grade_line.h"
#include "json_output.h"
#include "print.h"
#include "table.h"

namespace elasto::tools {

namespace {

/// What is not there, but for rounding (pushed, damping and so on, mostly), has no row.
Table energies(const EnergyBook& energy) {
    constexpr double kRounding = 1e-12;
    const double largest = std::max({energy.kinetic, energy.stored, std::abs(energy.work), energy.dissipated});
    using enum Table::Align;
    Table table({{"energy"}, {"J", Right}, {"of the elements, and of bodies that they or joints tie together"}});
    const auto row = [&](const char* name, double value, const char* text) {
        table.addRow({name, fmt::format("{:.6g}", value + 0.), text});  // never -0
    };
    row("kinetic", energy.kinetic, "of these bodies, at the end; of bodies without elements see their signals");
    row("stored", energy.stored, "in the elements' springs, at the end");
    row("work", energy.work, "done since the start by gravity, loads, motors and driven bodies");
    row("dissipated", energy.dissipated, "turned into heat by the elements");
    const auto rowOfSome = [&](const char* name, double value, const char* text) {
        if (std::abs(value) > kRounding * largest) row(name, value, text);
    };
    rowOfSome("pushed", energy.pushed, "put in between ticks: changed velocities, places and parameters");
    rowOfSome("contacts", energy.contacts, "taken by friction and impacts that were solved with the elements");
    rowOfSome("damping", energy.damping, "taken by Bullet's damping of velocities, and by falling asleep");
    rowOfSome("exchanged", energy.exchanged,
              "went to joints and contacts that Bullet solved, to limits that were hit, and to bodies let go");
    row("numerical", energy.numerical, "gained (> 0) or lost by the error of the solution");
    return table;
}

/// Methods, events and energies, with an empty line after them.
void printCounts(const Plugin& plugin) {
    const TickStatistics& totals = plugin.totals();
    const EnergyBook energy = plugin.energy();
    using enum Table::Align;
    Table methods({{"solved by"}, {"element ticks", Right}});
    for (int method = 0; method < kFlowMethods; ++method) {
        const std::int64_t count = totals.elementsPerMethod[static_cast<std::size_t>(method)];
        if (count > 0) methods.addRow({methodName(static_cast<FlowMethod>(method)), fmt::format("{}", count)});
    }
    printText("{}\n{} contact events, {} integration steps, {} fall-backs, {} uncoupled\n\n", methods.text(),
              totals.events, totals.steps, totals.fallbacks, totals.uncoupled);
    printText("{}\n", energies(energy).text());
}

void addCounts(const Plugin& plugin, Json& json) {
    const TickStatistics& totals = plugin.totals();
    const EnergyBook energy = plugin.energy();
    for (int method = 0; method < kFlowMethods; ++method) {
        json["elementTicks"][methodName(static_cast<FlowMethod>(method))] =
            totals.elementsPerMethod[static_cast<std::size_t>(method)];
    }
    json["events"] = totals.events;
    json["steps"] = totals.steps;
    json["fallbacks"] = totals.fallbacks;
    json["implicit"] = totals.implicit;
    json["substeps"] = totals.substeps;
    json["firstOrder"] = totals.firstOrder;
    json["failed"] = totals.failed;
    json["repairs"] = totals.repairs;
    json["uncoupled"] = totals.uncoupled;
    json["coupled"] = totals.coupled;
    json["idle"] = totals.idle;
    json["missed"] = totals.missed;
    json["setChanges"] = totals.setChanges;
    json["remembered"] = totals.remembered;
    json["energy"] = {{"kinetic", energy.kinetic},   {"stored", energy.stored},         {"work", energy.work},
                      {"pushed", energy.pushed},     {"dissipated", energy.dissipated}, {"damping", energy.damping},
                      {"contacts", energy.contacts}, {"exchanged", energy.exchanged},   {"numerical", energy.numerical},
                      {"repaired", energy.repaired}, {"carried", energy.carried}};
}

/// How good the run was: what is doubtful, then the ticks.
void printVerdict(const RunReport& report) {
    const std::string doubtful = report.doubtful.text();
    if (!doubtful.empty()) printText("{}\n", doubtful);
    printText("{}\n", gradeLine(report.plugin.totals(), report.exactRate));
}

void printReport(const RunReport& report) {
    printText("{}: {} ticks at {:g} Hz to {:g} s, {} precision\n\n", report.scene, report.ticks, report.rate,
              report.time, kPrecision);
    printCounts(report.plugin);
    using enum Table::Align;
    Table values({{"signal"}, {"at the end", Right}, {"unit"}});
    for (const RunReport::Value& one : report.values) {
        const double value = one.value + 0.;  // never -0
        values.addRow({one.column, fmt::format("{:.9g}", value), one.unit == "-" ? "" : one.unit});
    }
    printText("{}\n", values.text());
    printVerdict(report);
}

Json jsonOf(const RunReport& report) {
    Json json;
    json["scene"] = report.scene;
    json["precision"] = kPrecision;
    json["rate"] = report.rate;
    json["ticks"] = report.ticks;
    json["time"] = report.time;
    json["interrupted"] = report.interrupted;
    addCounts(report.plugin, json);
    json["grade"] = gradeJson(report.plugin.totals(), report.exactRate);
    report.doubtful.addTo(json);
    json["units"] = {{"rate", "Hz"}, {"time", "s"}, {"energy", "J"}};
    json["values"] = Json::object();
    for (const RunReport::Value& one : report.values) {
        json["values"][one.column] = one.value;
        json["units"]["values"][one.column] = one.unit;
    }
    return json;
}

}  // namespace

int finish(const RunReport& report, const RunOptions& options, long rows) {
    const TickStatistics& totals = report.plugin.totals();
    if (options.json) {
        printJson(jsonOf(report));
    } else if (options.file().empty()) {
        printReport(report);
    } else {
        printVerdict(report);
    }
    if (report.interrupted) {
        const std::string& file = options.file();
        printMessage("interrupted at {:g} s{}", report.time,
                     file.empty() ? std::string() : fmt::format("; {} holds the {} rows so far", file, rows));
        return kInterrupted;
    }
    return options.isStrict ? strictCode(totals) : kOk;
}

}  // namespace elasto::tools
