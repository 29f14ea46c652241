#pragma once
/// @file random_drops.h
/// Random drops onto a stop: what else than the path is right or wrong.

#include "peer.h"
#include "plan.h"

#include <filesystem>

namespace elasto::peers {

/// Measures all drops, writes random_drops.csv into the folder, prints a table in Markdown.
/// @return whether all targets are met
bool runRandomDrops(const Plan& plan, const std::filesystem::path& cases, const Peers& peers,
                    const std::filesystem::path& output);

}  // namespace elasto::peers
