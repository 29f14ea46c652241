#include "robot_start_file.h"

#include <variant>

#include "json_output.h"

namespace elasto::tools {

namespace {

namespace fs = std::filesystem;

/// Names of files as seen from another folder.
class Moved {
public:
    Moved(const fs::path& from, const fs::path& output)
        : m_from(folderOf(from)), m_to(folderOf(output == "-" ? fs::path() : output)) {}

    std::string operator()(const std::string& name) const {
        const fs::path file = name;
        return file.is_absolute() ? name
                                  : (m_from / file).lexically_normal().lexically_proximate(m_to).generic_string();
    }
    /// Courses and trajectories name files, too.
    void visit(Json& json) const {
        if (json.is_object() && json.contains("file") && json["file"].is_string()) {
            json["file"] = (*this)(json["file"].get<std::string>());
        }
        if (!json.is_structured()) return;
        for (auto& inner : json) visit(inner);
    }

private:
    static fs::path folderOf(const fs::path& file) { return fs::absolute(file.parent_path() / ".").lexically_normal(); }

    fs::path m_from, m_to;
};

Json startList(const RobotScene& scene) {
    Json list = Json::array();
    for (std::size_t i = 0; i < scene.robot.joints.size(); ++i) {
        const RobotJoint& joint = scene.robot.joints[i];
        if (!joint.isScalar()) continue;
        Json start = {{"joint", joint.name}, {"position", scene.q[i]}};
        for (const RobotElement& element : scene.robot.elements) {
            if (element.joint == static_cast<int>(i) && element.drive && element.drive->start) {
                start["phi_rel"] = *element.drive->start;
            }
        }
        list.push_back(std::move(start));
    }
    return list;
}

}  // namespace

std::string withStart(const SceneInput& input, const RobotScene& started, const fs::path& output) {
    const Moved moved(input.file(), output);
    Json json;
    if (input.isRobotFile()) {
        json = {{"elasto", 1}, {"name", started.name}, {"robot", moved(input.file().filename().string())}};
    } else {
        json = Json::parse(input.text());
        for (const char* key : {"$schema", "robot", "elements"}) {
            if (!json.contains(key) || !json[key].is_string()) continue;
            const std::string name = json[key].get<std::string>();
            if (name.find("://") == std::string::npos) json[key] = moved(name);
        }
        moved.visit(json);
    }
    json["start"] = startList(started);
    for (const RobotElement& element : started.robot.elements) {
        const auto* series = std::get_if<SpringDamperSeriesLaw>(&element.law);
        if (series == nullptr) continue;
        json["changes"].push_back({{"element", element.name}, {"s_damper_start", series->parameters().s_damper_start}});
    }
    return json.dump(2) + "\n";
}

}  // namespace elasto::tools
