#include "targets.h"

#include <algorithm>
#include <cstdio>

namespace elasto::bench {

int printVerdict(const std::vector<Target>& targets, const std::vector<std::string>& wanted) {
    int missed = 0;
    std::printf("%-90s %9s %9s\n", "", "reached", "asked");
    for (const Target& target : targets) {
        const bool isWanted = wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& part) {
                                  return target.what.find(part) != std::string::npos;
                              });
        if (!isWanted) continue;
        const double reached = target.measure();
        const bool isReached = target.isAtMost ? reached <= target.asked : reached >= target.asked;
        missed += isReached ? 0 : 1;
        std::printf("%-90s %9.3g %s %6.4g  %s\n", target.what.c_str(), reached,
                    target.isAtMost ? "<=" : ">=", target.asked, isReached ? "ok" : "MISSED");
        std::fflush(stdout);
    }
    std::printf(missed == 0 ? "all targets are reached\n" : "%d missed\n", missed);
    return missed;
}

}  // namespace elasto::bench
