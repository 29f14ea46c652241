#pragma once
/// @file xml_file.h
/// An XML file with line numbers, and numbers out of its attributes.

#include "robot_problems.h"

#include <tinyxml2.h>
#include <Eigen/Core>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elasto::robot {

/// Rule for a number: a test and the phrase that follows "must be".
struct NumberRule {
    bool (*holds)(double value);
    const char* phrase;
};
inline constexpr NumberRule kAnyNumber = {[](double) { return true; }, "a finite number"};
inline constexpr NumberRule kPositive = {[](double value) { return value > 0; }, "a finite number > 0"};
inline constexpr NumberRule kNotZero = {[](double value) { return value != 0; }, "a finite number, not 0"};
inline constexpr NumberRule kNotNegative = {[](double value) { return value >= 0; }, "a finite number >= 0"};

/// What stands between any of these characters.
std::vector<std::string_view> wordsOf(std::string_view text, std::string_view between);

/// One parsed file, and what is wrong in it.
class XmlFile {
public:
    /// Parses; a syntax error becomes a problem. root() is null then.
    /// @param warnings what the file may say, but hardly means
    XmlFile(std::string name, std::string_view text, Problems& problems, Problems& warnings);

    /// Another file, whose mistakes and warnings go where this one's do.
    std::unique_ptr<XmlFile> another(std::string name, std::string_view text) const {
        return std::make_unique<XmlFile>(std::move(name), text, m_problems, m_warnings);
    }

    const std::string& name() const { return m_name; }
    /// The folder it is in, which paths in it are relative to.
    std::filesystem::path folder() const { return std::filesystem::path(m_name).parent_path(); }
    const tinyxml2::XMLElement* root() const { return m_root; }

    void problem(int line, const std::string& message);
    void problem(int line, const scene::MakeMessage& message);
    /// `<link name="arm">: message`
    void problem(const tinyxml2::XMLElement& element, const std::string& message);
    void problem(const tinyxml2::XMLElement& element, const scene::MakeMessage& message);

    /// As problem(), of what is read all the same.
    void warning(const tinyxml2::XMLElement& element, const scene::MakeMessage& message);
    /// The same of what is said once per file, with a count of its like. @param kind equal for what is alike
    void warnOnce(const std::string& kind, const tinyxml2::XMLElement& element, const scene::MakeMessage& message);
    /// `message` alone, of a line. @param line 0: the whole file
    void warnOnce(const std::string& kind, int line, const scene::MakeMessage& message);

    /// Value of an attribute; null and a problem if it is missing or empty. @param meaning what it must be
    const char* text(const tinyxml2::XMLElement& element, const char* attribute, const char* meaning);
    /// Number in an attribute. Nothing if it is missing (a problem if `isRequired`) or not acceptable (a problem).
    std::optional<double> number(const tinyxml2::XMLElement& element, const char* attribute, const NumberRule& rule,
                                 bool isRequired);
    /// Three numbers, separated by spaces or commas; more of them are warned of and passed over. As number().
    std::optional<Eigen::Vector3d> vector(const tinyxml2::XMLElement& element, const char* attribute,
                                          const NumberRule& rule, bool isRequired);
    /// A child that must or may be there once; a second one is warned of.
    const tinyxml2::XMLElement* onlyChild(const tinyxml2::XMLElement& parent, const char* tag, bool isRequired);

private:
    bool checkReferences(std::string_view text);

    std::string m_name;
    Problems& m_problems;
    Problems& m_warnings;
    tinyxml2::XMLDocument m_document;
    const tinyxml2::XMLElement* m_root = nullptr;
};

/// The whole text as a number, whatever the locale; nothing if it is none or not finite.
std::optional<double> parseNumber(std::string_view text);
/// The same of a text with white space around the number.
std::optional<double> parseText(std::string_view text);
/// How messages call an element: `<link name="arm">`, `<mass>`, `<elasto:gap joint="elbow">`.
std::string tagOf(const tinyxml2::XMLElement& element);

}  // namespace elasto::robot
