#include "plugin_summary.h"

#include <fmt/format.h>

#include "table.h"

namespace elasto::tools {

void printPluginSummary(const Plugin& plugin) {
    const TickStatistics& totals = plugin.totals();
    const EnergyBook energy = plugin.energy();
    using enum Table::Align;
    Table methods({{"solved by"}, {"element ticks", Right}});
    for (int method = 0; method < kFlowMethods; ++method) {
        const int count = totals.elementsPerMethod[static_cast<std::size_t>(method)];
        if (count > 0) methods.addRow({methodName(static_cast<FlowMethod>(method)), fmt::format("{}", count)});
    }
    fmt::print("{}\n{} contact events, {} integration steps, {} fall-backs, {} uncoupled\n", methods.text(),
               totals.events, totals.steps, totals.fallbacks, totals.uncoupled);
    fmt::print("energy [J]: kinetic {:.6g}, stored {:.6g}\n", energy.kinetic, energy.stored);
    fmt::print(
        "since the start [J]: work {:.6g}, dissipated {:.6g}, contacts {:.6g}, damping {:.6g}, exchanged {:.6g}, "
        "numerical {:.6g}\n\n",
        energy.work, energy.dissipated, energy.contacts, energy.damping, energy.exchanged, energy.numerical);
}

void addPluginSummary(const Plugin& plugin, Json& json) {
    const TickStatistics& totals = plugin.totals();
    const EnergyBook energy = plugin.energy();
    for (int method = 0; method < kFlowMethods; ++method) {
        json["elementTicks"][methodName(static_cast<FlowMethod>(method))] =
            totals.elementsPerMethod[static_cast<std::size_t>(method)];
    }
    json["events"] = totals.events;
    json["steps"] = totals.steps;
    json["fallbacks"] = totals.fallbacks;
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

}  // namespace elasto::tools
