#pragma once
/// @file read_elements.h
/// `<elasto:backlash>`, `<elasto:gap>` and so on.

#include "xml_file.h"

#include <elasto/robot/load_robot.h>

#include <map>
#include <tuple>

namespace elasto::robot {

struct ElementKind;

/// Reads the elements of one or more files into a robot.
class ElementReader {
public:
    explicit ElementReader(RobotDescription& robot) : m_robot(robot) {}

    /// The elements that stand directly in an element of the file: the root, or a model. Those in what it holds are a
    /// problem.
    void read(XmlFile& file, const tinyxml2::XMLElement& owner);
    /// A stop at either limit of every joint that has none there.
    /// @throws InvalidParameter for c or d that cannot be
    void addStops(const RobotStops& stops);
    /// What rubs on motors goes behind all that was read. On a joint without a motor it is a problem.
    void placeOnMotors(Problems& problems);
    /// What the robot's file itself gives its joints: stops, springs, damping, and what couples those that follow
    /// others. A name that is taken is a problem.
    void addOfJoints(XmlFile& file);

private:
    /// Where something stands, for messages.
    struct Place {
        std::string file;
        int line = 0;
    };
    struct Given;

    void readOne(XmlFile& file, const tinyxml2::XMLElement& element);
    void refuseInside(XmlFile& file, const tinyxml2::XMLElement& parent, const std::string& home);
    const ElementKind* kindOf(const tinyxml2::XMLElement& element) const;
    bool checkAttributes(XmlFile& file, const tinyxml2::XMLElement& element, const ElementKind& kind);
    std::optional<int> jointOf(XmlFile& file, const tinyxml2::XMLElement& element);
    void addBehindDrive(Given& given);
    std::optional<int> linkOf(Given& given, const char* attribute);
    void addLine(Given& given);
    void addStopElements(Given& given);
    void addStopElement(Given& given, bool isUpper, const std::string& name);
    void add(Given& given, RobotElement element, const std::string& side);
    void addStop(int joint, bool isUpper, const RobotStops& stops);
    void addOfJoint(XmlFile& file, int joint, RobotElement element, const char* kind);

    RobotDescription& m_robot;
    std::map<std::string, Place> m_names;
    std::map<std::tuple<int, std::string, std::string>, Place> m_taken;  ///< joint, kind, side
    std::map<int, Place> m_drives;                                       ///< by joint
    std::vector<std::pair<int, Place>> m_onMotors;                       ///< by joint
};

}  // namespace elasto::robot
