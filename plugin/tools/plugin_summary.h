#pragma once
/// @file plugin_summary.h
/// What the Plugin has counted in a run, as text and as JSON.

#include <elasto/plugin.h>

#include "json_output.h"

namespace elasto::tools {

/// Methods, events and energies, with an empty line after them.
void printPluginSummary(const Plugin& plugin);
/// The same as fields of the run's JSON.
void addPluginSummary(const Plugin& plugin, Json& json);

}  // namespace elasto::tools
