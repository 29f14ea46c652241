#include "build_scene.h"

#include "mesh_text.h"
#include "names.h"
#include "scene_course.h"

#include <elasto/errors.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <map>

namespace elasto::scene {

using nlohmann::json;

namespace {

double number(const json& object, const char* key, double otherwise) {
    return object.contains(key) ? object.at(key).get<double>() : otherwise;
}

std::string text(const json& object, const char* key, const std::string& otherwise = {}) {
    return object.contains(key) ? object.at(key).get<std::string>() : otherwise;
}

bool flag(const json& object, const char* key, bool otherwise) {
    return object.contains(key) ? object.at(key).get<bool>() : otherwise;
}

Eigen::Vector3d vector(const json& array) {
    return {array.at(0).get<double>(), array.at(1).get<double>(), array.at(2).get<double>()};
}

Eigen::Vector3d vector(const json& object, const char* key, const Eigen::Vector3d& otherwise) {
    return object.contains(key) ? vector(object.at(key)) : otherwise;
}

template <typename Enum>
Enum word(const json& object, const char* key, Enum otherwise) {
    return object.contains(key) ? valueOf<Enum>(object.at(key).get<std::string>()) : otherwise;
}

std::optional<double> optionalNumber(const json& object, const char* key) {
    return object.contains(key) ? std::optional(object.at(key).get<double>()) : std::nullopt;
}

/// Divides by the length, unless it is 1 up to rounding: then the written values are kept bit for bit. Scaled by the
/// largest entry first, so that no length overflows or vanishes.
/// @return false for a zero vector
template <typename Vector>
bool normalise(Vector& v) {
    const double largest = v.cwiseAbs().maxCoeff();
    if (!(largest > 0)) return false;
    if (std::abs(v.squaredNorm() - 1) <= 4 * std::numeric_limits<double>::epsilon()) return true;
    v /= largest;
    v /= v.norm();
    return true;
}

template <typename Things>
std::vector<std::string> namesOf(const Things& things) {
    std::vector<std::string> names;
    for (const auto& thing : things) names.push_back(thing.name);
    return names;
}

/// Of a name that stands twice, which is refused later, the first.
template <typename Things>
std::map<std::string, int> indicesOf(const Things& things) {
    std::map<std::string, int> indices;
    int index = 0;
    for (const auto& thing : things) indices.emplace(thing.name, index++);
    return indices;
}

class Builder {
public:
    Builder(const json& document, std::filesystem::path folder, Problems& problems, std::vector<SceneBody> guests)
        : m_document(document), m_folder(std::move(folder)), m_problems(problems), m_guests(std::move(guests)) {}

    Scene build() {
        m_scene.name = text(m_document, "name");
        m_scene.description = text(m_document, "description");
        m_scene.gravity = vector(m_document, "gravity", m_scene.gravity);
        m_scene.rate = number(m_document, "rate", m_scene.rate);
        m_scene.duration = number(m_document, "duration", m_scene.duration);
        if (m_document.contains("solverIterations")) {
            m_scene.solverIterations = integer("/solverIterations", m_document.at("solverIterations"));
        }
        m_scene.flight = word(m_document, "flight", m_scene.flight);
        each("bodies",
             [this](const json& item, const std::string& path) { m_scene.bodies.push_back(body(item, path)); });
        each("heatPorts",
             [this](const json& item, const std::string&) { m_scene.heatPorts.push_back(heatPort(item)); });
        std::move(m_guests.begin(), m_guests.end(), std::back_inserter(m_scene.bodies));
        m_bodies = indicesOf(m_scene.bodies);
        m_heatPorts = indicesOf(m_scene.heatPorts);
        each("joints",
             [this](const json& item, const std::string& path) { m_scene.joints.push_back(joint(item, path)); });
        each("elements",
             [this](const json& item, const std::string& path) { m_scene.elements.push_back(element(item, path)); });
        each("loads", [this](const json& item, const std::string& path) { m_scene.loads.push_back(load(item, path)); });
        each("record", [this](const json& item, const std::string&) { m_scene.record.push_back(record(item)); });
        return std::move(m_scene);
    }

private:
    template <typename Visit>
    void each(const char* key, const Visit& visit) {
        if (!m_document.contains(key)) return;
        int index = 0;
        for (const json& item : m_document.at(key)) visit(item, "/" + std::string(key) + "/" + std::to_string(index++));
    }

    int integer(const std::string& path, const json& value) {
        const double given = value.get<double>();
        if (given <= std::numeric_limits<int>::max()) return static_cast<int>(given);
        m_problems.add(path, value.dump() + " is not allowed; it must be at most " +
                                 std::to_string(std::numeric_limits<int>::max()));
        return 1;
    }

    Eigen::Vector3d direction(const json& object, const char* key, const Eigen::Vector3d& otherwise,
                              const std::string& path) {
        Eigen::Vector3d v = vector(object, key, otherwise);
        if (!normalise(v)) m_problems.add(path + "/" + key, "[0,0,0] is not allowed; it must have a direction");
        return v;
    }

    Eigen::Quaterniond orientation(const json& object, const std::string& path) {
        if (!object.contains("orientation")) return Eigen::Quaterniond::Identity();
        const json& q = object.at("orientation");
        Eigen::Vector4d v(q.at(0).get<double>(), q.at(1).get<double>(), q.at(2).get<double>(), q.at(3).get<double>());
        if (!normalise(v)) {
            m_problems.add(path + "/orientation", "[0,0,0,0] is not allowed; a quaternion x, y, z, w must not be zero");
        }
        return Eigen::Quaterniond(v[3], v[0], v[1], v[2]);
    }

    SceneBody body(const json& item, const std::string& path) {
        SceneBody body;
        body.name = text(item, "name");
        body.motion = word(item, "motion", body.motion);
        body.mass = number(item, "mass", body.mass);
        body.inertia = vector(item, "inertia", body.inertia);
        body.centreOfMass = vector(item, "centreOfMass", body.centreOfMass);
        body.position = vector(item, "position", body.position);
        body.orientation = orientation(item, path);
        body.velocity = vector(item, "velocity", body.velocity);
        body.angularVelocity = vector(item, "angularVelocity", body.angularVelocity);
        body.linearFactor = vector(item, "linearFactor", body.linearFactor);
        body.angularFactor = vector(item, "angularFactor", body.angularFactor);
        body.gyroscopic = flag(item, "gyroscopic", body.gyroscopic);
        body.linearDamping = number(item, "linearDamping", body.linearDamping);
        body.angularDamping = number(item, "angularDamping", body.angularDamping);
        body.friction = number(item, "friction", body.friction);
        body.rollingFriction = number(item, "rollingFriction", body.rollingFriction);
        body.spinningFriction = number(item, "spinningFriction", body.spinningFriction);
        body.restitution = number(item, "restitution", body.restitution);
        body.sleeping = flag(item, "sleeping", body.sleeping);
        if (item.contains("shape")) body.shape = shape(item.at("shape"), path + "/shape");
        if (item.contains("path")) {
            int index = 0;
            for (const json& point : item.at("path")) {
                const std::string at = path + "/path/" + std::to_string(index++);
                body.path.push_back({number(point, "time", 0), vector(point.at("position")), orientation(point, at)});
            }
            body.position = body.path.front().position;
            body.orientation = body.path.front().orientation;
        }
        return body;
    }

    SceneShape shape(const json& item, const std::string& path) {
        SceneShape shape;
        shape.type = word(item, "type", shape.type);
        shape.size = vector(item, "size", shape.size);
        shape.radius = number(item, "radius", shape.radius);
        shape.length = number(item, "length", shape.length);
        shape.axis = text(item, "axis", "y").front() - 'x';
        shape.normal = direction(item, "normal", shape.normal, path);
        if (shape.type == SceneShape::Type::Mesh) readMesh(item, path, shape);
        if (shape.type == SceneShape::Type::HeightField) readHeights(item, path, shape);
        return shape;
    }

    void readMesh(const json& item, const std::string& path, SceneShape& shape) {
        if (item.contains("file") == item.contains("points")) {
            m_problems.add(path, std::string(item.contains("file") ? "2" : "0") +
                                     " of file, points are given; exactly one must be");
            return;
        }
        if (item.contains("file")) {
            if (item.contains("triangles")) m_problems.add(path + "/triangles", "is not allowed: the file has them");
            try {
                TriangleMesh mesh = meshTriangles((m_folder / text(item, "file")).lexically_normal());
                const Eigen::Vector3d scale = vector(item, "scale", Eigen::Vector3d::Ones());
                for (Eigen::Vector3d& point : mesh.points) point = point.cwiseProduct(scale);
                shape.points = std::move(mesh.points);
                shape.triangles = std::move(mesh.triangles);
            } catch (const MeshError& refused) {
                m_problems.add(path + "/file", item.at("file").dump() + " is not allowed: " + refused.what());
            }
            return;
        }
        if (item.contains("scale")) m_problems.add(path + "/scale", "is not allowed: points are in metres");
        for (const json& point : item.at("points")) shape.points.push_back(vector(point));
        if (!item.contains("triangles")) {
            m_problems.add(path + "/triangles", "is missing; it must be an array of corners, indices of points");
            return;
        }
        int index = 0;
        for (const json& corners : item.at("triangles")) {
            addTriangle(corners, path + "/triangles/" + std::to_string(index++), shape);
        }
    }

    void addTriangle(const json& corners, const std::string& path, SceneShape& shape) {
        std::array<int, 3> triangle{};
        for (std::size_t k = 0; k < 3; ++k) {
            const double index = corners.at(k).get<double>();
            if (index >= static_cast<double>(shape.points.size())) {
                m_problems.add(path + "/" + std::to_string(k),
                               corners.at(k).dump() + " is not allowed; it must be a whole number < " +
                                   std::to_string(shape.points.size()) + ", the number of points");
                return;
            }
            triangle[k] = static_cast<int>(index);
        }
        const auto at = [&](std::size_t k) { return shape.points[static_cast<std::size_t>(triangle[k])]; };
        if (!hasArea(at(0), at(1), at(2))) {
            m_problems.add(path, corners.dump() + " is not allowed: the triangle has no area");
        }
        shape.triangles.push_back(triangle);
    }

    void readHeights(const json& item, const std::string& path, SceneShape& shape) {
        shape.spacing = item.at("spacing").get<std::array<double, 2>>();
        shape.columns = static_cast<int>(item.at("heights").front().size());
        int index = 0;
        for (const json& row : item.at("heights")) {
            const std::string at = path + "/heights/" + std::to_string(index++);
            if (row.size() != item.at("heights").front().size()) {
                m_problems.add(at, std::to_string(row.size()) + " heights are not allowed; each row must have " +
                                       std::to_string(shape.columns) + ", as the first one");
            }
            for (const json& height : row) shape.heights.push_back(height.get<double>());
        }
    }

    static SceneHeatPort heatPort(const json& item) {
        SceneHeatPort port;
        port.name = text(item, "name");
        port.conductance = number(item, "conductance", port.conductance);
        port.ambientTemperature = number(item, "ambientTemperature", port.ambientTemperature);
        return port;
    }

    int bodyIndex(const std::string& name, const std::string& path) {
        if (const auto body = m_bodies.find(name); body != m_bodies.end()) return body->second;
        m_problems.add(path, [&] {
            const std::vector<std::string> names = namesOf(m_scene.bodies);
            const std::string proposal = didYouMean(name, names);
            return json(name).dump() + " is not allowed: there is no such body" + proposal +
                   (proposal.empty() ? "." : "") + " Bodies: " + joinFirst(names);
        });
        return kWorld;
    }

    SceneFrame frame(const json& item, const std::string& path) {
        SceneFrame frame;
        const std::string name = text(item, "body");
        if (name != "world") frame.body = bodyIndex(name, path + "/body");
        frame.position = vector(item, "position", frame.position);
        frame.orientation = orientation(item, path);
        return frame;
    }

    SceneJoint joint(const json& item, const std::string& path) {
        SceneJoint joint;
        joint.name = text(item, "name");
        joint.type = word(item, "type", joint.type);
        joint.frame_a = frame(item.at("frame_a"), path + "/frame_a");
        joint.frame_b = frame(item.at("frame_b"), path + "/frame_b");
        const bool slides = joint.type == SceneJoint::Type::Slider;
        joint.axis = direction(item, "axis", slides ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitZ(), path);
        if (item.contains("limits")) {
            const json& limits = item.at("limits");
            joint.limits = {number(limits, "lower", 0), number(limits, "upper", 0), number(limits, "restitution", 0)};
        }
        if (item.contains("motor")) {
            const json& motor = item.at("motor");
            joint.motor = {number(motor, "velocity", 0), number(motor, slides ? "maxForce" : "maxTorque", 0)};
        }
        return joint;
    }

    static SceneColor color(const json& item, const char* key, const SceneColor& otherwise) {
        return item.contains(key) ? item.at(key).get<SceneColor>() : otherwise;
    }

    SceneAnimation animation(const json& item, const std::string& path) {
        SceneAnimation animation;
        animation.animation = flag(item, "animation", animation.animation);
        animation.length_a = number(item, "length_a", animation.length_a);
        animation.diameter_a = number(item, "diameter_a", animation.diameter_a);
        animation.diameter_b = number(item, "diameter_b", 0.6 * animation.diameter_a);
        animation.color_a = color(item, "color_a", animation.color_a);
        animation.color_b = color(item, "color_b", animation.color_b);
        animation.specularCoefficient = number(item, "specularCoefficient", animation.specularCoefficient);
        animation.width = number(item, "width", animation.width);
        animation.coilWidth = number(item, "coilWidth", animation.width / 10);
        if (item.contains("numberOfWindings")) {
            animation.numberOfWindings = integer(path + "/numberOfWindings", item.at("numberOfWindings"));
        }
        animation.color = color(item, "color", animation.color);
        return animation;
    }

    SceneElement element(const json& item, const std::string& path) {
        SceneElement element;
        element.name = text(item, "name");
        const ElementTypeInfo& info = typeNamed(text(item, "type"));
        element.type = info.type;
        element.geometry = word(item, "geometry", defaultGeometry(info.placing));
        element.frame_a = frame(item.at("frame_a"), path + "/frame_a");
        element.frame_b = frame(item.at("frame_b"), path + "/frame_b");
        const bool turns = element.geometry == Geometry::AboutAxis;
        element.axis = direction(item, "axis", turns ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitX(), path);
        checkUnused(item, element.geometry, path);
        if (item.contains("start")) element.start = start(item.at("start"), element.geometry);
        if (item.contains("gear")) element.gear = gear(item, path);
        if (item.contains("f_normalized")) {
            element.f_normalized.emplace();
            readCourse(item.at("f_normalized"), m_folder, path + "/f_normalized", *element.f_normalized, m_problems);
        }
        try {
            element.law = law(item, info, path);
            checkReach(element, path);
        } catch (const InvalidParameter& refused) {
            m_problems.add(path, refused.what());
        }
        if (item.contains("heatPort")) element.heatPort = heatPortIndex(text(item, "heatPort"), path + "/heatPort");
        element.T = number(item, "T", element.T);
        element.s_small = number(item, "s_small", element.s_small);
        if (item.contains("animation")) element.animation = animation(item.at("animation"), path + "/animation");
        return element;
    }

    void checkReach(const SceneElement& element, const std::string& path) {
        const ReducedLaw law = reduced(element.law);
        if (element.geometry != Geometry::AlongLine || law.actsOnLines()) return;
        m_problems.add(path + "/s_rel0", json(law.edgeLow).dump() +
                                             " is not allowed; it must be > 0 on a line, which is "
                                             "never shorter than 0: the element would never act");
    }

    /// Fields that would have no effect are refused.
    void checkUnused(const json& item, Geometry geometry, const std::string& path) {
        if (geometry == Geometry::AlongLine && item.contains("axis")) {
            m_problems.add(path + "/axis", item.at("axis").dump() +
                                               " is not allowed: geometry line acts along the line between the points; "
                                               "an axis must come with geometry axis");
        }
        if (item.contains("T") && item.contains("heatPort")) {
            m_problems.add(path + "/T", item.at("T").dump() +
                                            " is not allowed: the element has a heatPort, whose temperature counts");
        }
        if (item.contains("s_small") && geometry != Geometry::AlongLine) {
            m_problems.add(path + "/s_small",
                           item.at("s_small").dump() + " is not allowed: only geometry line has a distance to guard");
        }
        if (geometry == Geometry::AboutAxis) return;
        for (const char* end : {"frame_a", "frame_b"}) {
            if (!item.at(end).contains("orientation")) continue;
            m_problems.add(path + "/" + end + "/orientation",
                           item.at(end).at("orientation").dump() +
                               " is not allowed: only rotational elements have oriented ends; the direction is `axis`");
        }
    }

    SceneGear gear(const json& element, const std::string& path) {
        const json& item = element.at("gear");
        SceneGear gear;
        gear.ratio = number(item, "ratio", gear.ratio);
        if (gear.ratio == 0) m_problems.add(path + "/gear/ratio", "0 is not allowed; it must not be 0");
        if (item.contains("carrier") && text(item, "carrier") != "world") {
            gear.carrier = bodyIndex(text(item, "carrier"), path + "/gear/carrier");
        }
        if (item.contains("axis_b")) {
            gear.axis_b = direction(item, "axis_b", Eigen::Vector3d::UnitZ(), path + "/gear");
        }
        if (element.contains("start")) {
            m_problems.add(path + "/start",
                           "is not allowed: the angles of a gear pair are 0 at the scene's start; move the middle of "
                           "the backlash by phi_rel0, and give the bodies their angular velocities");
        }
        for (const char* end : {"frame_a", "frame_b"}) {
            if (!element.at(end).contains("orientation")) continue;
            m_problems.add(path + "/" + end + "/orientation",
                           "is not allowed: the angles of a gear pair are 0 at the scene's start; the directions are "
                           "`axis` and `gear/axis_b`");
        }
        return gear;
    }

    static SceneStart start(const json& item, Geometry geometry) {
        const bool turns = geometry == Geometry::AboutAxis;
        return {optionalNumber(item, turns ? "phi_rel" : "s_rel"), optionalNumber(item, turns ? "w_rel" : "v_rel")};
    }

    Law law(const json& item, const ElementTypeInfo& info, const std::string& path) {
        const std::string owner = std::string(info.name) + " '" + text(item, "name") + "'";
        const std::span<const LawParameter> list = parameterList(info);
        LawValues values = defaultValues(info);
        for (const ElementTypeInfo::Field& field : info.fields) {
            const LawParameter& parameter = list[static_cast<std::size_t>(field.parameter)];
            double& value = values[static_cast<std::size_t>(field.parameter)];
            if (parameter.measured == Measured::Table) {
                values.table = ForceTable(item.at(field.name).get<std::vector<ForceTable::Point>>(), owner.c_str());
            } else if (parameter.measured == Measured::Choice) {
                if (item.contains(field.name)) value = choiceOf(parameter, text(item, field.name));
            } else if (parameter.measured == Measured::InnerStart) {
                value = innerStart(item, field.name, info.innerState, path);
            } else {
                value = number(item, field.name, value);
            }
        }
        return makeLaw(info, values, owner.c_str());
    }

    /// E.g. s_damper_start and start/s_damper say the same thing.
    double innerStart(const json& item, const char* field, const char* state, const std::string& path) {
        const std::optional<double> parameter = optionalNumber(item, field);
        const std::optional<double> start =
            item.contains("start") ? optionalNumber(item.at("start"), state) : std::nullopt;
        if (parameter && start && *parameter != *start) {
            m_problems.add(path + "/start/" + state, item.at("start").at(state).dump() + " contradicts " + field +
                                                         " = " + item.at(field).dump() + "; give one of them");
        }
        return start ? *start : parameter.value_or(0);
    }

    int heatPortIndex(const std::string& name, const std::string& path) {
        if (const auto port = m_heatPorts.find(name); port != m_heatPorts.end()) return port->second;
        m_problems.add(path, [&] {
            const std::vector<std::string> names = namesOf(m_scene.heatPorts);
            return "\"" + name + "\" is not allowed: there is no such heat port" +
                   (names.empty() ? "; the scene has none" : "; heat ports: " + joinFirst(names));
        });
        return -1;
    }

    SceneLoad load(const json& item, const std::string& path) {
        SceneLoad load;
        load.name = text(item, "name");
        load.body = bodyIndex(text(item, "body"), path + "/body");
        load.quantity = item.contains("force") ? SceneLoad::Quantity::Force : SceneLoad::Quantity::Torque;
        load.vector = vector(item.contains("force") ? item.at("force") : item.at("torque"));
        if (item.contains("point")) load.point = vector(item.at("point"));
        load.resolveInFrame = word(item, "resolveInFrame", load.resolveInFrame);
        readCourse(item, m_folder, path, load, m_problems);
        return load;
    }

    static SceneRecord record(const json& item) {
        if (item.is_string()) return {item.get<std::string>(), ""};
        return {text(item, "signal"), text(item, "as")};
    }

    const json& m_document;
    std::filesystem::path m_folder;
    Problems& m_problems;
    std::vector<SceneBody> m_guests;
    Scene m_scene;
    std::map<std::string, int> m_bodies;     ///< by name
    std::map<std::string, int> m_heatPorts;  ///< by name
};

}  // namespace

Scene buildScene(const json& document, const std::filesystem::path& folder, Problems& problems,
                 std::vector<SceneBody> guests) {
    return Builder(document, folder, problems, std::move(guests)).build();
}

}  // namespace elasto::scene
