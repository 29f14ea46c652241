#pragma once
/// @file problems.h
/// Collects what is wrong with a scene, and words for it.

#include <elasto/export.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace elasto::scene {

/// How many messages a list of mistakes shows; the others are counted.
inline constexpr std::size_t kMostMessages = 10;

/// The messages, one per line, and "and N more" for those that were not kept.
ELASTO_API std::string messagesText(const std::vector<std::string>& kept, std::size_t count);

/// What makes a message. It is not called for mistakes that are only counted: to search a large file for a proposal at
/// each of them would take minutes.
using MakeMessage = std::function<std::string()>;

/// A list of mistakes that ends in one SceneError.
class ELASTO_API Problems {
public:
    explicit Problems(std::string source) : m_source(std::move(source)) {}

    /// @param path JSON path such as /elements/2/n; empty for the whole document
    void add(const std::string& path, const std::string& message);
    void add(const std::string& path, const MakeMessage& message);
    bool empty() const { return m_count == 0; }
    /// @throws SceneError with one line per mistake, of the first kMostMessages, if there are any
    void throwIfAny() const;

private:
    std::string m_source;
    std::size_t m_count = 0;
    std::vector<std::string> m_lines;
};

/// A number in a message, with 15 digits.
ELASTO_API std::string toText(double value);
/// "a, b, c"
ELASTO_API std::string join(const std::vector<std::string>& words);
/// "a, b, c" of names in a file, which may be many: the first of them, and "..."
ELASTO_API std::string joinFirst(const std::vector<std::string>& names);
/// The word of the list that is most like the given one, or "" where none is similar.
ELASTO_API std::string nearest(std::string_view word, const std::vector<std::string>& words);
/// `; did you mean "x"?` or "".
ELASTO_API std::string didYouMean(std::string_view word, const std::vector<std::string>& words);
/// A key as a step of a JSON path, with its / and ~ escaped as RFC 6901 has it.
ELASTO_API std::string pathStep(std::string_view key);

}  // namespace elasto::scene
