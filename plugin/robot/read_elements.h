#pragma once
/// @file read_elements.h
/// `<elasto:backlash>`, `<elasto:gap>` and so on.

#include "xml_file.h"

#include <elasto/robot/load_robot.h>

#include <map>
#include <tuple>

namespace elasto::robot {

/// Reads the elements of one or more files into a robot.
class ElementReader {
public:
    explicit ElementReader(RobotDescription& robot) : m_robot(robot) {}

    /// The elements that stand directly in the file's root. Elements of ours elsewhere are a problem.
    void read(XmlFile& file);
    /// A stop at either limit of every joint that has none there.
    /// @throws InvalidParameter for c or d that cannot be
    void addStops(const RobotStops& stops);
    /// The damping that the URDF file gives its joints. A name that is taken is a problem.
    void addDamping(XmlFile& file);

private:
    /// Where something stands, for messages.
    struct Place {
        std::string file;
        int line = 0;
    };
    struct Given;

    void readOne(XmlFile& file, const tinyxml2::XMLElement& element);
    void refuseInside(XmlFile& file, const tinyxml2::XMLElement& parent);
    bool checkAttributes(XmlFile& file, const tinyxml2::XMLElement& element, const ElementTypeInfo& info);
    std::optional<int> jointOf(XmlFile& file, const tinyxml2::XMLElement& element);
    void addBehindDrive(Given& given, const ElementTypeInfo& info);
    void addGaps(Given& given);
    void addGap(Given& given, bool isUpper, const std::string& name);
    void add(Given& given, RobotElement element, const std::string& side);

    RobotDescription& m_robot;
    std::map<std::string, Place> m_names;
    std::map<std::tuple<int, ElementType, std::string>, Place> m_taken;  ///< joint, type, side
    std::map<int, Place> m_drives;                                       ///< by joint
};

}  // namespace elasto::robot
