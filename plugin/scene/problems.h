#pragma once
/// @file problems.h
/// Collects what is wrong with a scene, and words for it.

#include <string>
#include <string_view>
#include <vector>

namespace elasto::scene {

/// A list of mistakes that ends in one SceneError.
class Problems {
public:
    explicit Problems(std::string source) : m_source(std::move(source)) {}

    /// @param path JSON path such as /elements/2/n; empty for the whole document
    void add(const std::string& path, const std::string& message);
    bool empty() const { return m_lines.empty(); }
    /// @throws SceneError with one line per mistake, if there are any
    void throwIfAny() const;

private:
    std::string m_source;
    std::vector<std::string> m_lines;
};

/// "a, b, c"
std::string join(const std::vector<std::string>& words);
/// The word of the list that is most like the given one, or "" where none is similar.
std::string nearest(std::string_view word, const std::vector<std::string>& words);
/// `; did you mean "x"?` or "".
std::string didYouMean(std::string_view word, const std::vector<std::string>& words);
/// A key as a step of a JSON path, with its / and ~ escaped as RFC 6901 has it.
std::string pathStep(std::string_view key);

}  // namespace elasto::scene
