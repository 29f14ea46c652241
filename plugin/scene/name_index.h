#pragma once
/// @file name_index.h
/// Finds the names that fit a pattern, without a look at each.

#include <elasto/export.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace elasto::scene {

/// Names of signals, sorted: only those that begin as a pattern does up to its first * or ? can fit it.
class ELASTO_API NameIndex {
public:
    explicit NameIndex(const std::vector<std::string>& names);

    /// Places in the given list of those that fit, rising.
    std::vector<std::size_t> fitting(std::string_view pattern) const;

private:
    std::vector<std::pair<std::string, std::size_t>> m_sorted;
};

}  // namespace elasto::scene
