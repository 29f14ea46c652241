#pragma once
// Many machines, their verdicts and the table.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "families.h"
#include "judge.h"

namespace elasto::differential {

struct CampaignOptions {
    std::uint64_t seed = 1;
    std::optional<int> scenes;                  ///< how many in all
    std::optional<double> minutes;              ///< no scene begins later
    std::vector<int> rates;                     ///< to choose from [Hz]; empty: 30 to 2000 Hz
    std::vector<std::string> only;              ///< families; empty: all
    Asked asked;                                ///< of the runs that are judged
    int jobs = 1;                               ///< processes side by side
    bool countsSilentOnly = false;              ///< is content with less about what says that it is not exact
    bool isShrunk = false;                      ///< shrink what is wrong
    std::optional<std::filesystem::path> keep;  ///< where the scenes that are wrong go
    std::string command;                        ///< by which one machine is repeated, without its name
};

/// @return how many are wrong in silence or broken
int runCampaign(const CampaignOptions& options);

/// Writes one machine's scene into the folder, runs it, and says what is wrong with it.
/// @return 1 if anything is
int repeat(const Identity& identity, const CampaignOptions& options);

}  // namespace elasto::differential
