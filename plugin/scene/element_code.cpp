#include <elasto/scene/element_code.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

namespace elasto {

namespace {

constexpr const char* kLine = "\n        ";  ///< the next line of a placement

/// The shortest text that reads back to the same number.
std::string text(double value) {
    char buffer[32];
    const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value + 0.);  // never -0
    return {buffer, end.ptr};
}

std::string text(const Eigen::Vector3d& v) {
    return "(" + text(v[0]) + ", " + text(v[1]) + ", " + text(v[2]) + ")";
}

std::string text(const Eigen::Quaterniond& q) {
    return "(" + text(q.w()) + ", " + text(q.x()) + ", " + text(q.y()) + ", " + text(q.z()) + ")";
}

std::string bodyOf(int body, const Scene& scene) {
    return body == kWorld ? "elasto::Placement::world()" : scene.bodies[static_cast<std::size_t>(body)].name;
}

/// A point of an end, from its body's centre of mass.
std::string pointOf(const SceneFrame& frame, const Scene& scene) {
    if (frame.body == kWorld) return text(frame.position);
    return text(Eigen::Vector3d(frame.position - scene.bodies[static_cast<std::size_t>(frame.body)].centreOfMass));
}

Eigen::Vector3d inWorld(const Eigen::Vector3d& axis, int body, const Scene& scene) {
    return body == kWorld ? axis : scene.bodies[static_cast<std::size_t>(body)].orientation * axis;
}

std::string gearPairOf(const SceneElement& element, const Scene& scene) {
    const Eigen::Vector3d axisA = inWorld(element.axis, element.frame_a.body, scene);
    const Eigen::Vector3d axisB =
        element.gear->axis_b ? inWorld(*element.gear->axis_b, element.frame_b.body, scene) : axisA;
    const auto vector = [](const Eigen::Vector3d& v) {
        return "btVector3(btScalar(" + text(v[0]) + "), btScalar(" + text(v[1]) + "), btScalar(" + text(v[2]) + "))";
    };
    return "gearPair(" + bodyOf(element.frame_b.body, scene) + ", " + bodyOf(element.frame_a.body, scene) + "," +
           kLine + vector(axisB) + "," + kLine + vector(axisA) + "," + kLine + text(element.gear->ratio) + ", " +
           bodyOf(element.gear->carrier, scene) + ")";
}

std::string placementOf(const SceneElement& element, const Scene& scene) {
    if (element.gear) return gearPairOf(element, scene);
    const std::string bodies = bodyOf(element.frame_a.body, scene) + ", " + bodyOf(element.frame_b.body, scene) + ",";
    const std::string axis = "Eigen::Vector3d" + text(element.axis) + ")";
    if (element.geometry == Geometry::AboutAxis) {
        return "aboutAxis(" + bodies + kLine + "Eigen::Quaterniond" + text(element.frame_a.orientation) +
               ", Eigen::Quaterniond" + text(element.frame_b.orientation) + "," + kLine + axis;
    }
    const std::string points =
        "Eigen::Vector3d" + pointOf(element.frame_a, scene) + ", Eigen::Vector3d" + pointOf(element.frame_b, scene);
    if (element.geometry == Geometry::AlongLine) return "alongLine(" + bodies + kLine + points + ")";
    return "alongAxis(" + bodies + kLine + points + "," + kLine + axis;
}

std::string valueOf(const LawParameter& parameter, double value, const ForceTable& table) {
    if (parameter.measured == Measured::Table) {
        std::string points;
        for (const ForceTable::Point& point : table.points()) {
            points += (points.empty() ? "{" : ", {") + text(point[0]) + ", " + text(point[1]) + "}";
        }
        return "elasto::ForceTable({" + points + "})";
    }
    if (parameter.measured != Measured::Choice) return text(value);
    std::string word = parameter.choices[static_cast<std::size_t>(value)];
    word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
    return std::string("elasto::") + parameter.enumeration + "::" + word;
}

/// What is not assumed anyway, by name.
std::string parametersOf(const Law& law) {
    const std::span<const LawParameter> list = parameterList(law);
    const LawValues values = valuesOf(law);
    std::string written;
    for (std::size_t k = 0; k < list.size(); ++k) {
        const bool isTable = list[k].measured == Measured::Table;
        if (!isTable && values[k] == list[k].otherwise) continue;
        written += (written.empty() ? "." : ", .") + std::string(list[k].name) + " = " +
                   valueOf(list[k], values[k], values.table);
    }
    return "{" + written + "}";
}

/// The class, and what its constructor takes beside the placement.
struct Construction {
    std::string name;
    std::string parameters;
};

Construction constructionOf(const SceneElement& element) {
    switch (element.type) {
        case ElementType::Spring: {
            const SpringDamperParameters& p = std::get<SpringDamperLaw>(element.law).parameters();
            return {"Spring", text(p.c) + ", " + text(p.s_rel0)};
        }
        case ElementType::Damper: {
            const SpringDamperParameters& p = std::get<SpringDamperLaw>(element.law).parameters();
            return {"Damper", text(p.d) + (p.d_rebound == kSameDamping ? "" : ", " + text(p.d_rebound))};
        }
        case ElementType::RotationalElastoGap:
            return {"ElastoGap", parametersOf(element.law)};
        case ElementType::ElastoBacklash2:
            return {"ElastoBacklash", parametersOf(element.law)};
        case ElementType::SpringDamper:
            return {"SpringDamperParallel", parametersOf(element.law)};
        case ElementType::RotationalBushing:
            return {"Bushing", parametersOf(element.law)};
        case ElementType::SupportFriction:
        case ElementType::BearingFriction:
            return {"Friction", parametersOf(element.law)};
        default:
            return {elementTypeName(element.type), parametersOf(element.law)};
    }
}

}  // namespace

namespace {

/// Statements that give a friction its strength; empty where it is 1 always.
std::string strengthOf(const SceneElement& element) {
    if (!element.f_normalized) return "";
    const TimeCourse& course = *element.f_normalized;
    const std::string set = element.name + ".setF_normalized([](double t) { return ";
    std::vector<double> breaks;
    for (double t = course.nextBreak(-1e300); std::isfinite(t) && breaks.size() < 100; t = course.nextBreak(t))
        breaks.push_back(t);
    std::string at;
    for (const double t : breaks) at += (at.empty() ? "" : ", ") + text(t);
    const std::string end = "; }" + (at.empty() ? "" : ", elasto::breaksAt({" + at + "})") + ");\n";
    switch (course.type) {
        case TimeCourse::Type::Constant: {
            const std::string until = std::isfinite(course.endTime) ? " && t < " + text(course.endTime) : "";
            return set + "t >= " + text(course.startTime) + until + " ? 1. : 0." + end;
        }
        case TimeCourse::Type::Sine:
            return set + text(course.offset) + " + (t < " + text(course.startTime) + " ? 0 : std::sin(" +
                   text(2 * std::numbers::pi * course.frequency) + " * (t - " + text(course.startTime) + ") + " +
                   text(course.phase) + "))" + end;
        case TimeCourse::Type::Table:
            break;
    }
    std::string points;
    for (const auto& [t, factor] : course.points) {
        points += (points.empty() ? "{" : ", {") + text(t) + ", " + text(factor) + "}";
    }
    return element.name + ".setF_normalized([course = elasto::TimeCourse{.type = elasto::TimeCourse::Type::Table, " +
           ".points = {" + points + "}}](double t) { return course.factor(t)" + end;
}

}  // namespace

std::string codeOf(const SceneElement& element, const Scene& scene) {
    const auto nameOf = [&](int body) { return body == kWorld ? std::string("the world") : bodyOf(body, scene); };
    const Construction made = constructionOf(element);
    return std::string("// ") + elementTypeName(element.type) + " between " + nameOf(element.frame_a.body) + " and " +
           nameOf(element.frame_b.body) + "\n" + "elasto::" + made.name + " " + element.name +
           "(\n    elasto::Placement::" + placementOf(element, scene) + ",\n    " + made.parameters + ");\n" +
           strengthOf(element) + "world.addConstraint(&" + element.name + ");\n";
}

}  // namespace elasto
