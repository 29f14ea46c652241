#pragma once
// What `elasto-bench --verdict` judges. A new target: one more Target in one of the functions below, or one more
// function, which main.cpp then calls.

#include <functional>
#include <string>
#include <vector>

namespace elasto::bench {

struct Target {
    std::string what;
    double asked = 0;
    bool isAtMost = true;  ///< false: at least
    std::function<double()> measure;
};

std::vector<Target> elementTargets();  ///< elements that are alone with their bodies
std::vector<Target> networkTargets();  ///< elements that are not
std::vector<Target> threadTargets();   ///< networks on several threads

#ifdef ELASTO_SWEEPS
std::vector<Target> sweepTargets();  ///< `elasto sweep` on several threads
#endif

/// Measures those whose names contain one of `wanted` (all, if there is none), prints what is reached and asked.
/// @return exit code: 0 if all are reached, 1 if one is missed, 2 if a part of a name is in none
int judge(const std::vector<Target>& targets, const std::vector<std::string>& wanted);

}  // namespace elasto::bench
