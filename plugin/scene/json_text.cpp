#include "json_text.h"

#include <elasto/force_terms.h>

#include <cmath>
#include <set>

namespace elasto::scene {

namespace {

/// Arrays and objects within each other. What reads a document walks it by recursion: many more would end the program
/// at the end of its stack.
constexpr std::size_t kDeepest = 64;

/// Ends the parser after a problem was added.
struct Refused {};

/// Where the parser is, to name the path of a key that stands twice.
class PathTracker {
public:
    PathTracker(Problems& problems, std::size_t longest) : m_problems(problems), m_longest(longest) {}

    void handle(nlohmann::json::parse_event_t event, const nlohmann::json& parsed) {
        using Event = nlohmann::json::parse_event_t;
        switch (event) {
            case Event::object_start:
            case Event::array_start:
                beginValue();
                if (m_frames.size() == kDeepest) {
                    refuse("is nested too deep; at most " + std::to_string(kDeepest) +
                           " arrays and objects may lie within each other");
                }
                m_frames.push_back({event == Event::array_start, 0, {}, {}});
                break;
            case Event::object_end:
            case Event::array_end:
                m_frames.pop_back();
                break;
            case Event::value:
                beginValue();
                checkNumber(parsed);
                if (parsed.is_string()) checkLength("a text", parsed);
                break;
            case Event::key: {
                Frame& frame = m_frames.back();
                frame.key = "...";  // while it may be too long for a message
                checkLength("the name of a field", parsed);
                frame.key = parsed.get<std::string>();
                if (!frame.keys.insert(frame.key).second) {
                    m_problems.add(path(0), "stands twice in the same object; each field may be given once");
                }
                break;
            }
        }
    }

    /// Path of the value that the parser has not finished.
    std::string pathOfNext() const { return path(1); }

private:
    struct Frame {
        bool isArray;
        std::size_t next;  ///< index of the next item
        std::string key;
        std::set<std::string> keys;
    };

    void beginValue() {
        if (!m_frames.empty() && m_frames.back().isArray) ++m_frames.back().next;
    }

    void checkNumber(const nlohmann::json& value) {
        if (!value.is_number() || std::abs(value.get<double>()) <= kLargestParameter) return;
        m_problems.add(path(0), value.dump() + " is not allowed; a number must be within -1e60 .. 1e60");
    }

    void checkLength(const char* what, const nlohmann::json& text) {
        const auto& value = text.get_ref<const std::string&>();
        if (value.find('\0') != std::string::npos) refuse(std::string(what) + " must have no character of value 0");
        const std::size_t length = value.size();
        if (length <= m_longest) return;
        refuse(std::to_string(length) + " bytes are not allowed; " + what + " must have at most " +
               std::to_string(m_longest));
    }

    [[noreturn]] void refuse(const std::string& message) {
        m_problems.add(path(0), message);
        throw Refused();
    }

    /// Path of the present value, counting so many items that have not begun in the innermost array.
    std::string path(std::size_t ahead) const {
        std::string text;
        for (const Frame& frame : m_frames) {
            const std::size_t index = frame.next + (&frame == &m_frames.back() ? ahead : 0) - 1;
            text += frame.isArray ? "/" + std::to_string(index) : pathStep(frame.key);
        }
        return text;
    }

    Problems& m_problems;
    std::size_t m_longest;
    std::vector<Frame> m_frames;
};

/// The library's message without its prefix "[json.exception.parse_error.101] ".
std::string plainMessage(const char* what) {
    const std::string message = what;
    const std::size_t end = message.find("] ");
    return end == std::string::npos ? message : message.substr(end + 2);
}

}  // namespace

nlohmann::json parseJsonText(std::string_view text, Problems& problems, std::size_t longest) {
    PathTracker tracker(problems, longest);
    const auto callback = [&tracker](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
        tracker.handle(event, parsed);
        return true;
    };
    try {
        return nlohmann::json::parse(text.begin(), text.end(), callback);
    } catch (const Refused&) {
        // has its problem
    } catch (const nlohmann::json::parse_error& error) {
        problems.add("", "is not JSON: " + plainMessage(error.what()));
    } catch (const nlohmann::json::out_of_range& error) {
        problems.add(tracker.pathOfNext(),
                     plainMessage(error.what()) + "; a number must be finite and within -1e60 .. 1e60");
    }
    return {};
}

}  // namespace elasto::scene
