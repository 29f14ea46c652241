#include "problems.h"

#include <elasto/scene/load_scene.h>
#include <elasto/scene/printable.h>

#include <algorithm>
#include <cstdio>

namespace elasto::scene {

namespace {

/// Letters to change, add or drop (Levenshtein) to get from one word to the other, case ignored.
std::size_t distance(std::string_view a, std::string_view b) {
    const auto lower = [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    };
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string messagesText(const std::vector<std::string>& kept, std::size_t count) {
    std::string text;
    for (const std::string& line : kept) text += (text.empty() ? "" : "\n") + printableLine(line);
    return count > kept.size() ? text + "\nand " + std::to_string(count - kept.size()) + " more" : text;
}

void Problems::add(const std::string& path, const std::string& message) {
    if (++m_count > kMostMessages) return;
    m_lines.push_back(m_source + ": " + (path.empty() ? "" : path + ": ") + message);
}

void Problems::add(const std::string& path, const MakeMessage& message) {
    add(path, m_count < kMostMessages ? message() : std::string());
}

void Problems::throwIfAny() const {
    if (!empty()) throw SceneError(messagesText(m_lines, m_count));
}

std::string toText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.15g", value);
    return text;
}

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string joinFirst(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 12;
    if (names.size() <= kMost) return join(names);
    return join({names.begin(), names.begin() + kMost}) + ", ...";
}

std::string nearest(std::string_view word, const std::vector<std::string>& words) {
    std::string best;
    std::size_t least = std::max<std::size_t>(word.size() / 2, 1) + 1;
    for (const std::string& candidate : words) {
        const std::size_t apart = std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
        if (apart >= least) continue;  // so many letters to add or drop, at least
        const std::size_t d = distance(word, candidate);
        // A word of one letter is like any other word of one letter: that is no help.
        if (d < least && d < std::max(word.size(), candidate.size())) {
            least = d;
            best = candidate;
        }
    }
    return best;
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& words) {
    const std::string proposal = nearest(word, words);
    return proposal.empty() ? "" : "; did you mean \"" + proposal + "\"?";
}

std::string pathStep(std::string_view key) {
    std::string step = "/";
    for (const char letter : key) {
        if (letter == '~') {
            step += "~0";
        } else if (letter == '/') {
            step += "~1";
        } else {
            step += letter;
        }
    }
    return step;
}

}  // namespace elasto::scene
