#include "result_constants.h"

#include <elasto/law.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

namespace elasto::tools {

namespace {

class Constants {
public:
    void add(const std::string& name, double value, const std::string& text, const std::string& unit) {
        m_list.push_back({name, value, unit.empty() ? text : fmt::format("{} [{}]", text, unit)});
    }
    void addFlag(const std::string& name, bool value, const std::string& text) {
        m_list.push_back({name, value ? 1. : 0., text + " " + kBooleanMark});
    }
    /// What is one of several.
    void addChoice(const std::string& name, double value, const std::string& text) {
        m_list.push_back({name, value, text + " " + kIntegerMark});
    }
    void addVector(const std::string& name, const Eigen::Vector3d& values, const std::string& text,
                   const std::string& unit) {
        for (int k = 0; k < 3; ++k) add(fmt::format("{}[{}]", name, k + 1), values[k], text, unit);
    }
    void addTable(const std::string& name, const std::vector<std::array<double, 2>>& rows, const std::string& text) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t k = 0; k < 2; ++k) {
                add(fmt::format("{}[{},{}]", name, i + 1, k + 1), rows[i][k], text, "");
            }
        }
    }
    void addCourse(const std::string& name, const TimeCourse& course) {
        switch (course.type) {
            case TimeCourse::Type::Sine:
                add(name + ".f", course.frequency, "Frequency of the sine", "Hz");
                add(name + ".phase", course.phase, "Phase of the sine", "rad");
                add(name + ".offset", course.offset, "Added to the sine", "");
                add(name + ".startTime", course.startTime, "Begin of the sine", "s");
                break;
            case TimeCourse::Type::Constant:
                add(name + ".startTime", course.startTime, "It is there from this time on", "s");
                if (std::isfinite(course.endTime)) add(name + ".endTime", course.endTime, "And up to this one", "s");
                break;
            case TimeCourse::Type::Table:
                addTable(name + ".table", course.points, "Time, and factor there");
                break;
        }
    }
    std::vector<ResultConstant> take() { return std::move(m_list); }

private:
    std::vector<ResultConstant> m_list;
};

void addBody(Constants& constants, const SceneBody& body) {
    const std::string name = body.name + ".";
    if (body.motion != BodyMotion::Dynamic) return;
    constants.add(name + "m", body.mass, "Mass of rigid body", "kg");
    constants.addVector(name + "r_CM", body.centreOfMass, "Vector from frame_a to centre of mass, resolved in frame_a",
                        "m");
    constants.add(name + "I_11", body.inertia[0],
                  "Moment of inertia about the x axis of frame_a, through the centre of mass", "kg.m2");
    constants.add(name + "I_22", body.inertia[1], "The same about the y axis", "kg.m2");
    constants.add(name + "I_33", body.inertia[2], "The same about the z axis", "kg.m2");
    constants.addVector(name + "linearFactor", body.linearFactor,
                        "Share of its acceleration along an axis of the world", "");
    constants.addVector(name + "angularFactor", body.angularFactor,
                        "Share of its acceleration about an axis of the world", "");
    constants.addFlag(name + "gyroscopic", body.gyroscopic, "True, if w x I w is integrated");
    constants.add(name + "linearDamping", body.linearDamping, "Share of its velocity that is lost per second", "1/s");
    constants.add(name + "angularDamping", body.angularDamping, "Share of its angular velocity that is lost per second",
                  "1/s");
}

void addJoint(Constants& constants, const SceneJoint& joint) {
    const std::string name = joint.name + ".";
    const bool turns = joint.type == SceneJoint::Type::Hinge;
    if (turns || joint.type == SceneJoint::Type::Slider) {
        constants.addVector(name + "n", joint.axis, "Axis of the joint, resolved in the body of frame_a", "");
    }
    if (joint.limits) {
        const std::string unit = turns ? "rad" : "m";
        constants.add(name + "lower", joint.limits->lower, "Lower limit of its coordinate", unit);
        constants.add(name + "upper", joint.limits->upper, "Upper limit of its coordinate", unit);
        constants.add(name + "restitution", joint.limits->restitution, "Share of the speed that comes back", "");
    }
    if (joint.motor) {
        constants.add(name + "velocity", joint.motor->velocity, "Speed of its motor", turns ? "rad/s" : "m/s");
        constants.add(name + (turns ? "maxTorque" : "maxForce"), joint.motor->maxForce, "Largest force of its motor",
                      turns ? "N.m" : "N");
    }
}

void addElement(Constants& constants, const SceneElement& element) {
    const std::string name = element.name + ".";
    const ElementTypeInfo& info = infoOf(element.type);
    const std::span<const LawParameter> list = parameterList(info);
    const LawValues values = valuesOf(element.law);
    for (const ElementTypeInfo::Field& field : info.fields) {
        const auto k = static_cast<std::size_t>(field.parameter);
        if (std::abs(values[k]) >= kLargestParameter) continue;  // none
        const std::string unit = unitOf(list[k].measured, element.geometry == Geometry::AboutAxis);
        if (list[k].measured == Measured::Table) {
            constants.addTable(name + field.name, values.table.points(), list[k].text);
        } else if (list[k].measured == Measured::Choice) {
            std::string words;
            for (const char* word : list[k].choices) words += (words.empty() ? ": " : ", ") + std::string(word);
            constants.addChoice(name + field.name, values[k] + 1, list[k].text + words);
        } else {
            constants.add(name + field.name, values[k], list[k].text, unit);
        }
    }
    if (element.geometry != Geometry::AlongLine) {
        constants.addVector(name + "n", element.axis, "Its axis, resolved in the body of frame_a", "");
    } else {
        constants.add(name + "s_small", element.s_small, "Guard against a zero distance", "m");
    }
    constants.addFlag(name + "useHeatPort", element.heatPort >= 0, "= true, if HeatPort is enabled");
    constants.add(name + "T", element.T, "Fixed device temperature if useHeatPort = false", "K");
    if (element.gear) {
        constants.add(name + "ratio", element.gear->ratio, "Angle of frame_b over that of frame_a, against the carrier",
                      "");
    }
    if (element.f_normalized) constants.addCourse(name + "f_normalized", *element.f_normalized);
}

}  // namespace

std::vector<ResultConstant> constantsOf(const Scene& scene) {
    Constants constants;
    const double g = scene.gravity.norm();
    constants.add("world.g", g, "Gravity acceleration", "m/s2");
    if (g > 0) constants.addVector("world.n", scene.gravity / g, "Direction of gravity", "");
    for (const SceneBody& body : scene.bodies) addBody(constants, body);
    for (const SceneJoint& joint : scene.joints) addJoint(constants, joint);
    for (const SceneElement& element : scene.elements) addElement(constants, element);
    for (const SceneLoad& load : scene.loads) {
        const bool isForce = load.quantity == SceneLoad::Quantity::Force;
        constants.addVector(load.name + (isForce ? ".force" : ".torque"), load.vector, "What its course multiplies",
                            isForce ? "N" : "N.m");
        constants.addCourse(load.name, load);
    }
    for (const SceneHeatPort& port : scene.heatPorts) {
        constants.add(port.name + ".G", port.conductance, "Thermal conductance to the ambience", "W/K");
        constants.add(port.name + ".TAmbient", port.ambientTemperature, "Temperature of the ambience", "K");
    }
    return constants.take();
}

}  // namespace elasto::tools
