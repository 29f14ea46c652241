#include "targets.h"

#include <algorithm>
#include <cstdio>

namespace elasto::bench {

namespace {

bool contains(const Target& target, const std::string& part) {
    return target.what.find(part) != std::string::npos;
}

}  // namespace

int judge(const std::vector<Target>& targets, const std::vector<std::string>& wanted) {
    for (const std::string& part : wanted) {
        if (std::any_of(targets.begin(), targets.end(), [&](const Target& t) { return contains(t, part); })) continue;
        std::fprintf(stderr, "--verdict %s: no target contains it; there are\n", part.c_str());
        for (const Target& target : targets) std::fprintf(stderr, "  %s\n", target.what.c_str());
        return 2;
    }
    int missed = 0;
    std::printf("%-90s %9s %9s\n", "", "reached", "asked");
    for (const Target& target : targets) {
        const auto isPart = [&](const std::string& part) { return contains(target, part); };
        if (!wanted.empty() && std::none_of(wanted.begin(), wanted.end(), isPart)) continue;
        const double reached = target.measure();
        const bool isReached = target.isAtMost ? reached <= target.asked : reached >= target.asked;
        missed += isReached ? 0 : 1;
        std::printf("%-90s %9.3g %s %6.4g  %s\n", target.what.c_str(), reached,
                    target.isAtMost ? "<=" : ">=", target.asked, isReached ? "ok" : "MISSED");
        std::fflush(stdout);
    }
    std::printf(missed == 0 ? "all targets are reached\n" : "%d missed\n", missed);
    return missed == 0 ? 0 : 1;
}

}  // namespace elasto::bench
