#include "name_index.h"

#include <elasto/scene/signals.h>

#include <algorithm>

namespace elasto::scene {

NameIndex::NameIndex(const std::vector<std::string>& names) {
    m_sorted.reserve(names.size());
    for (const std::string& name : names) m_sorted.emplace_back(name, m_sorted.size());
    std::sort(m_sorted.begin(), m_sorted.end());
}

std::vector<std::size_t> NameIndex::fitting(std::string_view pattern) const {
    const std::string_view beginning = pattern.substr(0, pattern.find_first_of("*?"));
    const auto isBefore = [](const auto& entry, std::string_view text) { return entry.first < text; };
    std::vector<std::size_t> places;
    for (auto entry = std::lower_bound(m_sorted.begin(), m_sorted.end(), beginning, isBefore);
         entry != m_sorted.end() && entry->first.starts_with(beginning); ++entry) {
        if (matchesPattern(pattern, entry->first)) places.push_back(entry->second);
    }
    std::sort(places.begin(), places.end());
    return places;
}

}  // namespace elasto::scene
