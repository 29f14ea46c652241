#pragma once
/// @file losses.h
/// Where Elasto itself is slow or nobody can be right: not part of the comparison's targets.

#include <filesystem>

namespace elasto::peers {

/// Prints tables in Markdown: linear and Hertz contacts in a network, and how two runs of a pile part whose starts
/// differ by a nanometre. @param cases folder of plan.json
void runLosses(const std::filesystem::path& cases);

}  // namespace elasto::peers
