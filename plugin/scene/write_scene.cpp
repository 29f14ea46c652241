#include "names.h"
#include "scene_json.h"

#include <elasto/scene/load_scene.h>

#include <cmath>

namespace elasto {

namespace {

using Json = scene::OrderedJson;
using scene::wordOf;

Json array(const Eigen::Vector3d& v) {
    return {v[0], v[1], v[2]};
}

Json array(const Eigen::Quaterniond& q) {
    return {q.x(), q.y(), q.z(), q.w()};
}

Json write(const SceneShape& shape) {
    using Type = SceneShape::Type;
    Json json = {{"type", wordOf(shape.type)}};
    if (shape.type == Type::Box) json["size"] = array(shape.size);
    const bool isLong = shape.type == Type::Cylinder || shape.type == Type::Capsule;
    if (isLong || shape.type == Type::Sphere) json["radius"] = shape.radius;
    if (isLong) json["length"] = shape.length;
    if (isLong || shape.type == Type::HeightField) json["axis"] = std::string(1, static_cast<char>('x' + shape.axis));
    if (shape.type == Type::Plane) json["normal"] = array(shape.normal);
    if (shape.type == Type::Mesh) {
        json["points"] = Json::array();
        for (const Eigen::Vector3d& point : shape.points) json["points"].push_back(array(point));
        json["triangles"] = shape.triangles;
    }
    if (shape.type == Type::HeightField) {
        json["spacing"] = shape.spacing;
        json["heights"] = Json::array();
        for (auto row = shape.heights.begin(); row != shape.heights.end(); row += shape.columns) {
            json["heights"].push_back(std::vector<double>(row, row + shape.columns));
        }
    }
    return json;
}

Json write(const SceneBody& body) {
    Json json = {{"name", body.name}, {"motion", wordOf(body.motion)}};
    if (body.motion == BodyMotion::Kinematic) {
        json["path"] = Json::array();
        for (const ScenePathPoint& point : body.path) {
            json["path"].push_back(
                {{"time", point.time}, {"position", array(point.position)}, {"orientation", array(point.orientation)}});
        }
    } else {
        json["position"] = array(body.position);
        json["orientation"] = array(body.orientation);
    }
    if (body.motion == BodyMotion::Dynamic) {
        json["mass"] = body.mass;
        if (!body.inertia.isZero(0)) json["inertia"] = array(body.inertia);
        json["centreOfMass"] = array(body.centreOfMass);
        json["velocity"] = array(body.velocity);
        json["angularVelocity"] = array(body.angularVelocity);
        json["linearFactor"] = array(body.linearFactor);
        json["angularFactor"] = array(body.angularFactor);
        json["gyroscopic"] = body.gyroscopic;
        json["linearDamping"] = body.linearDamping;
        json["angularDamping"] = body.angularDamping;
        json["sleeping"] = body.sleeping;
    }
    json["shape"] = write(body.shape);
    json["friction"] = body.friction;
    json["rollingFriction"] = body.rollingFriction;
    json["spinningFriction"] = body.spinningFriction;
    json["restitution"] = body.restitution;
    return json;
}

void writeLaw(const Law& law, ElementType type, Json& json) {
    const ElementTypeInfo& info = infoOf(type);
    const std::span<const LawParameter> list = parameterList(info);
    const LawValues values = valuesOf(law);
    for (const ElementTypeInfo::Field& field : info.fields) {
        const auto k = static_cast<std::size_t>(field.parameter);
        if (list[k].measured == Measured::Table) {
            json[field.name] = values.table.points();
        } else if (list[k].measured == Measured::Choice) {
            json[field.name] = list[k].choices[static_cast<std::size_t>(values[k])];
        } else {
            json[field.name] = values[k];
        }
    }
}

Json write(const SceneFrame& frame, const Scene& scene, bool isOriented) {
    const bool isWorld = frame.body == kWorld;
    Json json = {{"body", isWorld ? "world" : scene.bodies[static_cast<std::size_t>(frame.body)].name},
                 {"position", array(frame.position)}};
    if (isOriented) json["orientation"] = array(frame.orientation);
    return json;
}

Json write(const SceneJoint& joint, const Scene& scene) {
    using Type = SceneJoint::Type;
    const bool isOriented = joint.type != Type::Ball;
    Json json = {{"name", joint.name},
                 {"type", wordOf(joint.type)},
                 {"frame_a", write(joint.frame_a, scene, isOriented)},
                 {"frame_b", write(joint.frame_b, scene, isOriented)}};
    if (joint.type == Type::Hinge || joint.type == Type::Slider) json["axis"] = array(joint.axis);
    if (joint.limits) {
        json["limits"] = {
            {"lower", joint.limits->lower}, {"upper", joint.limits->upper}, {"restitution", joint.limits->restitution}};
    }
    if (joint.motor) {
        json["motor"] = {{"velocity", joint.motor->velocity},
                         {joint.type == Type::Slider ? "maxForce" : "maxTorque", joint.motor->maxForce}};
    }
    return json;
}

Json write(const SceneAnimation& animation) {
    return {{"animation", animation.animation},
            {"length_a", animation.length_a},
            {"diameter_a", animation.diameter_a},
            {"diameter_b", animation.diameter_b},
            {"color_a", animation.color_a},
            {"color_b", animation.color_b},
            {"specularCoefficient", animation.specularCoefficient},
            {"width", animation.width},
            {"coilWidth", animation.coilWidth},
            {"numberOfWindings", animation.numberOfWindings},
            {"color", animation.color}};
}

void writeCourse(const TimeCourse& course, Json& json) {
    if (course.type == TimeCourse::Type::Sine) {
        json.update({{"frequency", course.frequency}, {"phase", course.phase}, {"offset", course.offset}});
    }
    if (course.type == TimeCourse::Type::Table) {
        json["points"] = course.points;
    } else {
        json["startTime"] = course.startTime;
    }
    if (std::isfinite(course.endTime)) json["endTime"] = course.endTime;
}

Json write(const SceneElement& element, const Scene& scene) {
    const bool turns = element.geometry == Geometry::AboutAxis;
    Json json = {{"name", element.name},
                 {"type", elementTypeName(element.type)},
                 {"geometry", wordOf(element.geometry)},
                 {"frame_a", write(element.frame_a, scene, turns && !element.gear)},
                 {"frame_b", write(element.frame_b, scene, turns && !element.gear)}};
    if (element.geometry != Geometry::AlongLine) json["axis"] = array(element.axis);
    if (element.gear) {
        const int carrier = element.gear->carrier;
        json["gear"] = {
            {"ratio", element.gear->ratio},
            {"carrier", carrier == kWorld ? "world" : scene.bodies[static_cast<std::size_t>(carrier)].name}};
        if (element.gear->axis_b) json["gear"]["axis_b"] = array(*element.gear->axis_b);
    }
    writeLaw(element.law, element.type, json);
    if (element.f_normalized) {
        json["f_normalized"] = {{"type", wordOf(element.f_normalized->type)}};
        writeCourse(*element.f_normalized, json["f_normalized"]);
    }
    if (element.start.s || element.start.v) {
        Json start = Json::object();
        if (element.start.s) start[turns ? "phi_rel" : "s_rel"] = *element.start.s;
        if (element.start.v) start[turns ? "w_rel" : "v_rel"] = *element.start.v;
        json["start"] = start;
    }
    if (element.heatPort >= 0) {
        json["heatPort"] = scene.heatPorts[static_cast<std::size_t>(element.heatPort)].name;
    } else {
        json["T"] = element.T;
    }
    if (element.geometry == Geometry::AlongLine) json["s_small"] = element.s_small;
    json["animation"] = write(element.animation);
    return json;
}

Json write(const SceneLoad& load, const Scene& scene) {
    Json json = {{"name", load.name},
                 {"body", scene.bodies[static_cast<std::size_t>(load.body)].name},
                 {"type", wordOf(load.type)}};
    json[load.quantity == SceneLoad::Quantity::Force ? "force" : "torque"] = array(load.vector);
    writeCourse(load, json);
    if (load.point) json["point"] = array(*load.point);
    json["resolveInFrame"] = wordOf(load.resolveInFrame);
    return json;
}

Json write(const SceneRecord& record) {
    if (record.as.empty()) return record.signal;
    return {{"signal", record.signal}, {"as", record.as}};
}

}  // namespace

Json scene::jsonOf(const SceneElement& element, const Scene& scene) {
    return write(element, scene);
}

Json scene::jsonOf(const Scene& scene) {
    Json json = {{"elasto", 1},
                 {"name", scene.name},
                 {"description", scene.description},
                 {"gravity", array(scene.gravity)},
                 {"rate", scene.rate},
                 {"duration", scene.duration},
                 {"solverIterations", scene.solverIterations},
                 {"flight", wordOf(scene.flight)},
                 {"bodies", Json::array()},
                 {"joints", Json::array()},
                 {"elements", Json::array()},
                 {"loads", Json::array()},
                 {"heatPorts", Json::array()},
                 {"record", Json::array()}};
    for (const SceneBody& body : scene.bodies) json["bodies"].push_back(write(body));
    for (const SceneJoint& joint : scene.joints) json["joints"].push_back(write(joint, scene));
    for (const SceneElement& element : scene.elements) json["elements"].push_back(write(element, scene));
    for (const SceneLoad& load : scene.loads) json["loads"].push_back(write(load, scene));
    for (const SceneHeatPort& port : scene.heatPorts) {
        json["heatPorts"].push_back(
            {{"name", port.name}, {"conductance", port.conductance}, {"ambientTemperature", port.ambientTemperature}});
    }
    for (const SceneRecord& record : scene.record) json["record"].push_back(write(record));
    return json;
}

std::string writeScene(const Scene& scene) {
    return scene::jsonOf(scene).dump(2) + "\n";
}

std::string writeShortScene(const Scene& scene) {
    Json json = scene::jsonOf(scene);
    scene::shorten(json, scene);
    return scene::print(json) + "\n";
}

std::string writeElement(const Scene& scene, const SceneElement& element) {
    Json json = scene::jsonOf(element, scene);
    scene::shorten(json, element);
    return scene::print(json);
}

}  // namespace elasto
