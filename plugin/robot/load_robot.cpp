#include <elasto/robot/load_robot.h>

#include "assemble_robot.h"
#include "doubtful_base.h"
#include "element_kinds.h"
#include "problems.h"
#include "read_elements.h"
#include "read_sdf.h"
#include "read_urdf.h"
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
        file.problem(*child, "is not allowed here; it must be one of " + scene::join(robot::elementNames()));
    }
    reader.read(file, *file.root());
}

}  // namespace

RobotDescription parseRobot(std::string_view urdf, const std::filesystem::path& path, const LoadRobotOptions& options) {
    robot::Problems problems;
    robot::Problems warnings;
    robot::XmlFile file(path.string(), urdf, problems, warnings);
    const bool isUrdf = file.root() != nullptr && std::strcmp(file.root()->Name(), "robot") == 0;
    const bool isSdf = file.root() != nullptr && robot::isSdf(*file.root());
    if (file.root() != nullptr && !isUrdf && !isSdf) {
        file.problem(*file.root(), "is not allowed here; a robot's file must begin with <robot> or <sdf>");
    }
    if (!isUrdf && !isSdf) problems.throwIfAny();
    robot::SdfModel model;  // files that it includes are named by messages to the end
    if (isSdf) {
        model = robot::readSdf(file, options);
    } else {
        model.parts = robot::readUrdf(file, options);
        model.element = file.root();
    }
    RobotDescription description = robot::assembleRobot(file, std::move(model.parts));
    // What is wrong with links and joints does not hide what is wrong with an element.
    robot::ElementReader reader(description);
    if (model.element != nullptr) reader.read(file, *model.element);
    if (!options.elementsFile.empty()) readElementsFile(options.elementsFile, reader, problems, warnings);
    reader.placeOnMotors(problems);
    problems.throwIfAny();
    if (options.stops) reader.addStops(*options.stops);
    reader.addOfJoints(file);
    problems.throwIfAny();
    if (isUrdf) robot::warnOfUnknownNames(file);
    const std::string base = options.isBaseChosen ? "" : robot::doubtfulBase(description);
    if (!base.empty()) {
        const RobotLink& root = description.links.front();
        file.warnOnce("fixed base", root.line, [&] { return "<link name=\"" + root.name + "\">: " + base; });
    }
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
