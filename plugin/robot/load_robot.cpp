#include <elasto/robot/load_robot.h>

#include "check_mobility.h"
#include "check_urdf.h"
#include "read_elements.h"
#include "read_links.h"
#include "unknown_names.h"

#include <elasto/errors.h>
#include <elasto/scene/input_file.h>

#include <cstring>
#include <iostream>

namespace elasto {

namespace {

void readElementsFile(const std::filesystem::path& path, robot::ElementReader& reader, robot::Problems& problems,
                      robot::Problems& warnings) {
    const std::string text = readFile(path);
    robot::XmlFile file(path.string(), text, problems, warnings);
    if (file.root() == nullptr) return;
    if (std::strcmp(file.root()->Name(), "elasto:elements") != 0) {
        file.problem(*file.root(), "is not allowed here; a file of elements must begin with <elasto:elements>");
        return;
    }
    for (const tinyxml2::XMLElement* child = file.root()->FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
        if (std::string_view(child->Name()).starts_with("elasto:")) continue;
        file.problem(*child, "is not allowed here; it must be one of elasto:backlash, elasto:gap, elasto:series");
    }
    reader.read(file);
}

}  // namespace

RobotDescription parseRobot(std::string_view urdf, const std::filesystem::path& path, const LoadRobotOptions& options) {
    robot::Problems problems;
    robot::Problems warnings;
    robot::XmlFile file(path.string(), urdf, problems, warnings);
    const robot::UrdfElements elements = robot::checkUrdf(file);
    problems.throwIfAny();
    robot::checkTree(file, elements);
    problems.throwIfAny();
    RobotDescription description = robot::readLinks(file, elements, path.parent_path(), options);
    // What is wrong with an inertia or a mesh does not hide what is wrong with an element.
    if (!description.links.empty()) {
        robot::checkMobility(file, description);
        robot::ElementReader reader(description);
        reader.read(file);
        if (!options.elementsFile.empty()) readElementsFile(options.elementsFile, reader, problems, warnings);
        problems.throwIfAny();
        if (options.stops) reader.addStops(*options.stops);
        reader.addDamping(file);
    }
    problems.throwIfAny();
    robot::warnOfUnknownNames(file);
    if (options.messageHandler) {
        for (const std::string& line : warnings.lines()) options.messageHandler(line);
    }
    return description;
}

void printRobotMessage(const std::string& line) {
    std::cerr << "elasto: warning: " << line << '\n';
}

RobotDescription loadRobot(const std::filesystem::path& file, const LoadRobotOptions& options) {
    return parseRobot(readFile(file), file, options);
}

}  // namespace elasto
