#pragma once
/// @file xml_file.h
/// An XML file with line numbers, and numbers out of its attributes.

#include "robot_problems.h"

#include <tinyxml2.h>
#include <Eigen/Core>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

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

/// One parsed file, and what is wrong in it.
class XmlFile {
public:
    /// Parses; a syntax error becomes a problem. root() is null then.
    /// @param warnings what the file may say, but hardly means
    XmlFile(std::string name, std::string_view text, Problems& problems, Problems& warnings);

    const std::string& name() const { return m_name; }
    const tinyxml2::XMLElement* root() const { return m_root; }
    /// Elements and attributes of the file as they were understood, for another parser. It would understand the file's
    /// own text in another way: entities, line ends, what stands in comments.
    std::string elementsText() const;

    void problem(int line, const std::string& message);
    /// `<link name="arm">: message`
    void problem(const tinyxml2::XMLElement& element, const std::string& message);
    void problem(const tinyxml2::XMLElement& element, const scene::MakeMessage& message);

    /// As problem(), of what is read all the same.
    void warning(const tinyxml2::XMLElement& element, const scene::MakeMessage& message);

    /// Value of an attribute; null and a problem if it is missing or empty. @param meaning what it must be
    const char* text(const tinyxml2::XMLElement& element, const char* attribute, const char* meaning);
    /// Number in an attribute. Nothing if it is missing (a problem if `isRequired`) or not acceptable (a problem).
    std::optional<double> number(const tinyxml2::XMLElement& element, const char* attribute, const NumberRule& rule,
                                 bool isRequired);
    /// Three numbers, separated by spaces. As number().
    std::optional<Eigen::Vector3d> vector(const tinyxml2::XMLElement& element, const char* attribute,
                                          const NumberRule& rule, bool isRequired);
    /// A child that must or may be there once; a second one is a problem.
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
/// How messages call an element: `<link name="arm">`, `<mass>`, `<elasto:gap joint="elbow">`.
std::string tagOf(const tinyxml2::XMLElement& element);

}  // namespace elasto::robot
