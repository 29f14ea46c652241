#include "machine.h"

namespace elasto::differential {

Json listOf(const Vector3d& v) {
    return Json::array({v.x(), v.y(), v.z()});
}

Json listOf(const Quaterniond& q) {
    return Json::array({q.x(), q.y(), q.z(), q.w()});
}

Vector3d vectorOf(const Json& list) {
    return {list.at(0).get<double>(), list.at(1).get<double>(), list.at(2).get<double>()};
}

Quaterniond quaternionOf(const Json& list) {
    return {list.at(3).get<double>(), list.at(0).get<double>(), list.at(1).get<double>(), list.at(2).get<double>()};
}

Json endOf(const std::string& body, const Vector3d& position) {
    Json end = {{"body", body}};
    if (!position.isZero(0)) end["position"] = listOf(position);
    return end;
}

Json endOf(const std::string& body, const Vector3d& position, const Quaterniond& orientation) {
    Json end = endOf(body, position);
    end["orientation"] = listOf(orientation);
    return end;
}

Vector3d inertiaOfBox(double mass, const Vector3d& size) {
    const Vector3d square = size.cwiseAbs2();
    return mass / 12 * Vector3d(square.y() + square.z(), square.z() + square.x(), square.x() + square.y());
}

Vector3d inertiaOfBall(double mass, double radius) {
    return Vector3d::Constant(0.4 * mass * radius * radius);
}

Vector3d inertiaOfDisc(double mass, double radius, double width) {
    const double across = mass / 12 * (3 * radius * radius + width * width);
    return {across, across, mass / 2 * radius * radius};
}

Machine::Machine()
    : m_scene({{"elasto", 1},
               {"name", "machine"},
               {"gravity", listOf(Vector3d(0, -9.80665, 0))},
               {"rate", 60},
               {"duration", 1},
               {"bodies", Json::array()},
               {"joints", Json::array()},
               {"elements", Json::array()},
               {"loads", Json::array()}}) {}

Json& Machine::addBody(const std::string& name, double mass, const Vector3d& inertia, const Vector3d& position) {
    return m_scene["bodies"].emplace_back(
        Json{{"name", name}, {"mass", mass}, {"inertia", listOf(inertia)}, {"position", listOf(position)}});
}

Json& Machine::addFixed(const std::string& name, const Vector3d& position) {
    return m_scene["bodies"].emplace_back(Json{{"name", name}, {"motion", "fixed"}, {"position", listOf(position)}});
}

Json& Machine::addJoint(const std::string& name, const std::string& type, const Json& a, const Json& b) {
    return m_scene["joints"].emplace_back(Json{{"name", name}, {"type", type}, {"frame_a", a}, {"frame_b", b}});
}

Json& Machine::addElement(const std::string& name, const std::string& type, const std::string& geometry, const Json& a,
                          const Json& b) {
    return m_scene["elements"].emplace_back(
        Json{{"name", name}, {"type", type}, {"geometry", geometry}, {"frame_a", a}, {"frame_b", b}});
}

Json& Machine::addLoad(const std::string& name, const std::string& body, const std::string& quantity,
                       const Vector3d& vector) {
    return m_scene["loads"].emplace_back(Json{{"name", name}, {"body", body}, {quantity, listOf(vector)}});
}

namespace {

void turnVector(Json& thing, const char* field, const Quaterniond& by) {
    if (thing.contains(field)) thing[field] = listOf(Vector3d(by * vectorOf(thing[field])));
}

void turnAxes(Json& thing, const Quaterniond& by) {
    const Quaterniond old =
        thing.contains("orientation") ? quaternionOf(thing["orientation"]) : Quaterniond::Identity();
    thing["orientation"] = listOf(Quaterniond(by * old));
}

/// @param hasAxis its axis is in the frame of its frame_a @param hasFrames its ends have axes
void turnEnds(Json& thing, const char* defaultAxis, bool hasFrames, const Quaterniond& by) {
    if (thing["frame_a"]["body"] == "world" && defaultAxis != nullptr) {
        if (!thing.contains("axis")) thing["axis"] = Json::parse(defaultAxis);
        turnVector(thing, "axis", by);
    }
    for (const char* const end : {"frame_a", "frame_b"}) {
        if (thing[end]["body"] != "world") continue;
        turnVector(thing[end], "position", by);
        if (hasFrames) turnAxes(thing[end], by);
    }
}

}  // namespace

void turn(Json& scene, const Quaterniond& by) {
    for (const Json& body : scene["bodies"]) {
        if (body.contains("linearFactor") || body.contains("angularFactor")) return;
    }
    for (const Json& element : scene["elements"]) {
        if (element.contains("gear")) return;  // its carrier is the world, whose axes stay
    }
    turnVector(scene, "gravity", by);
    for (Json& body : scene["bodies"]) {
        for (const char* const field : {"position", "velocity", "angularVelocity"}) turnVector(body, field, by);
        if (body.contains("path")) {
            for (Json& point : body["path"]) {
                turnVector(point, "position", by);
                turnAxes(point, by);
            }
        } else {
            turnAxes(body, by);
        }
    }
    for (Json& joint : scene["joints"]) {
        const std::string type = joint["type"];
        const char* const axis = type == "hinge" ? "[0, 0, 1]" : type == "slider" ? "[1, 0, 0]" : nullptr;
        turnEnds(joint, axis, type != "ball", by);
    }
    for (Json& element : scene["elements"]) {
        const std::string geometry = element["geometry"];
        const bool isLine = geometry == "line";
        const bool isRotation = geometry == "rotation";
        turnEnds(element, isLine ? nullptr : isRotation ? "[0, 0, 1]" : "[1, 0, 0]", isRotation, by);
    }
    for (Json& load : scene["loads"]) {
        if (load.value("resolveInFrame", "world") != "world") continue;
        turnVector(load, "force", by);
        turnVector(load, "torque", by);
    }
}

}  // namespace elasto::differential
