#include "scene_course.h"

#include "names.h"

#include <elasto/scene/input_file.h>
#include <elasto/scene/printable.h>
#include <elasto/scene/time_table.h>

#include <algorithm>

namespace elasto::scene {

namespace {

using nlohmann::json;

/// One column of a table in a file, over its first.
std::vector<std::array<double, 2>> pointsOf(const json& from, const std::filesystem::path& folder,
                                            const std::string& path, Problems& problems) {
    const std::filesystem::path file = folder / from.at("file").get<std::string>();
    std::vector<TimeTable> tables;
    try {
        tables = parseTimeTables(readFile(file), file.string());
    } catch (const FileError& error) {
        problems.add(path + "/file", error.what());
        return {};
    }
    const TimeTable* table = &tables.front();
    if (from.contains("table")) {
        const std::string name = from.at("table").get<std::string>();
        const auto found =
            std::find_if(tables.begin(), tables.end(), [&](const TimeTable& t) { return t.name == name; });
        if (found == tables.end()) {
            std::vector<std::string> names;
            for (const TimeTable& one : tables) names.push_back(one.name);
            problems.add(path + "/table", "\"" + printable(name) + "\" is not allowed: there is no such table in " +
                                              file.string() + "; tables: " + joinFirst(names));
            return {};
        }
        table = &*found;
    }
    const std::size_t column = from.value("column", std::size_t{2});
    if (column < 2 || column > table->columns) {
        problems.add(path + "/column", std::to_string(column) + " is not allowed; the table " + table->name +
                                           " has columns 2 to " + std::to_string(table->columns) + " beside the time");
        return {};
    }
    std::vector<std::array<double, 2>> points;
    for (std::size_t row = 0; row < table->rows(); ++row)
        points.push_back({table->at(row, 0), table->at(row, column - 1)});
    return points;
}

}  // namespace

void readCourse(const json& object, const std::filesystem::path& folder, const std::string& path, TimeCourse& course,
                Problems& problems) {
    const auto read = [&](const char* key, double& value) {
        if (object.contains(key)) value = object.at(key).get<double>();
    };
    if (object.contains("type")) course.type = valueOf<TimeCourse::Type>(object.at("type").get<std::string>());
    read("frequency", course.frequency);
    read("phase", course.phase);
    read("offset", course.offset);
    read("startTime", course.startTime);
    read("endTime", course.endTime);
    if (!object.contains("points")) return;
    const json& points = object.at("points");
    course.points = points.is_object() ? pointsOf(points, folder, path + "/points", problems)
                                       : points.get<std::vector<std::array<double, 2>>>();
}

void checkCourse(const TimeCourse& course, const std::string& path, Problems& problems) {
    if (!(course.endTime > course.startTime)) {
        problems.add(path + "/endTime", toText(course.endTime) + " is not allowed; it must be > the startTime, " +
                                            toText(course.startTime));
    }
    const auto& points = course.points;
    if (course.type == TimeCourse::Type::Table && points.empty())
        problems.add(path + "/points", "[] is not allowed; it must have one pair [time, factor] at least");
    for (std::size_t i = 1; i < points.size(); ++i) {
        const double time = points[i][0];
        const double before = points[i - 1][0];
        const std::string place = path + "/points/" + std::to_string(i) + "/0";
        if (time < before) {
            problems.add(place, toText(time) + " is not allowed; times must rise: it must be >= " + toText(before));
        } else if (i > 1 && time == points[i - 2][0]) {
            problems.add(place, toText(time) +
                                    " is not allowed; two points at one time are a jump, a third one must be > " +
                                    toText(before));
        }
    }
}

}  // namespace elasto::scene
