#include "scene_course.h"

#include "names.h"

namespace elasto::scene {

void readCourse(const nlohmann::json& object, TimeCourse& course) {
    const auto read = [&](const char* key, double& value) {
        if (object.contains(key)) value = object.at(key).get<double>();
    };
    if (object.contains("type")) course.type = valueOf<TimeCourse::Type>(object.at("type").get<std::string>());
    read("frequency", course.frequency);
    read("phase", course.phase);
    read("offset", course.offset);
    read("startTime", course.startTime);
    read("endTime", course.endTime);
    if (object.contains("points")) course.points = object.at("points").get<std::vector<std::array<double, 2>>>();
}

void checkCourse(const TimeCourse& course, const std::string& path, Problems& problems) {
    if (!(course.endTime > course.startTime)) {
        problems.add(path + "/endTime", toText(course.endTime) + " is not allowed; it must be > the startTime, " +
                                            toText(course.startTime));
    }
    const auto& points = course.points;
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
