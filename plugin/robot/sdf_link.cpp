#include "sdf_link.h"

#include "hull_shape.h"
#include "link_inertial.h"
#include "read_surface.h"
#include "sdf_values.h"

#include <array>
#include <cmath>

namespace elasto::robot {

using tinyxml2::XMLElement;

namespace {

/// Points of shapes that become hulls: as many as make them round within 1 % of their radius.
constexpr int kRound = 24;

std::vector<Eigen::Vector3d> ellipsoidPoints(const Eigen::Vector3d& radii) {
    constexpr double kPi = 3.141592653589793;
    std::vector<Eigen::Vector3d> points = {{0, 0, radii.z()}, {0, 0, -radii.z()}};
    for (int i = 1; i < kRound / 2; ++i) {
        const double polar = kPi * i / (kRound / 2);
        for (int j = 0; j < kRound; ++j) {
            const double around = 2 * kPi * j / kRound;
            points.push_back(
                Eigen::Vector3d(std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around), std::cos(polar))
                    .cwiseProduct(radii));
        }
    }
    return points;
}

/// A cone about z whose middle is the frame's origin, tip upwards.
std::vector<Eigen::Vector3d> conePoints(double radius, double length) {
    constexpr double kPi = 3.141592653589793;
    std::vector<Eigen::Vector3d> points = {{0, 0, length / 2}};
    for (int j = 0; j < kRound; ++j) {
        const double around = 2 * kPi * j / kRound;
        points.emplace_back(radius * std::cos(around), radius * std::sin(around), -length / 2);
    }
    return points;
}

class SdfLink {
public:
    SdfLink(XmlFile& file, const XMLElement& element, const LoadRobotOptions& options, const FrameInLink& frameInLink)
        : m_file(file), m_element(element), m_options(options), m_frameInLink(frameInLink) {}

    LinkPart run() {
        m_part.file = &m_file;
        m_part.link.name = m_element.Attribute("name");
        m_part.link.line = m_element.GetLineNum();
        warnOfUnread(m_file, m_element, {"pose", "inertial", "collision", "self_collide", "kinematic", "gravity"},
                     {"visual", "sensor", "light", "projector", "audio_source", "audio_sink", "particle_emitter",
                      "battery", "plugin", "enable_wind", "must_be_base_link", "velocity_decay"});
        if (m_element.FirstChildElement("gravity") != nullptr && !childIsTrue(m_element, "gravity")) {
            m_file.warnOnce("gravity", m_element, [] { return "gravity = false is not read: gravity is the scene's"; });
        }
        if (childIsTrue(m_element, "kinematic")) {
            m_file.warnOnce("kinematic", m_element, [] { return "kinematic is not read"; });
        }
        readInertial(m_element.FirstChildElement("inertial"));
        for (const XMLElement* one = m_element.FirstChildElement("collision"); one != nullptr;
             one = one->NextSiblingElement("collision")) {
            readCollision(*one);
        }
        return std::move(m_part);
    }

private:
    RobotPose poseOf(const XMLElement& owner) {
        const XMLElement* pose = owner.FirstChildElement("pose");
        const RobotPose own = readSdfPose(m_file, pose);
        return pose == nullptr ? own : m_frameInLink(*pose) * own;
    }

    /// SDF's defaults: 1 kg, 1 kg.m2 about each axis.
    void readInertial(const XMLElement* inertial) {
        if (inertial == nullptr) {
            m_file.warnOnce("no inertial", m_element,
                            [] { return "has no <inertial>; SDF's 1 kg and 1 kg.m2 about each axis are assumed"; });
            return setInertial(m_part, 1, {}, Eigen::Matrix3d::Identity(), m_element);
        }
        warnOfUnread(m_file, *inertial, {"pose", "mass", "inertia", "density", "auto_inertia_params"});
        const RobotPose place = poseOf(*inertial);
        if (inertial->BoolAttribute("auto", false)) {
            m_file.warnOnce("auto inertia", *inertial,
                            [] { return "auto = \"true\" is not read; mass and moments are assumed"; });
            m_part.link.mass = childNumber(m_file, *inertial, "mass", kPositive).value_or(1);
            m_part.link.principalFrame = place;
            return;
        }
        const double mass = childNumber(m_file, *inertial, "mass", kNotNegative).value_or(1);
        const XMLElement* inertia = inertial->FirstChildElement("inertia");
        Eigen::Matrix3d tensor = Eigen::Matrix3d::Identity();
        const std::array<std::array<const char*, 3>, 3> names = {
            {{"ixx", "ixy", "ixz"}, {"ixy", "iyy", "iyz"}, {"ixz", "iyz", "izz"}}};
        for (int i = 0; inertia != nullptr && i < 3; ++i) {
            for (int j = i; j < 3; ++j) {
                const char* name = names[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
                tensor(i, j) = tensor(j, i) = childNumber(m_file, *inertia, name, kAnyNumber).value_or(i == j ? 1 : 0);
            }
        }
        setInertial(m_part, mass, place, tensor, inertia == nullptr ? *inertial : *inertia);
    }

    void readCollision(const XMLElement& element) {
        warnOfUnread(m_file, element, {"pose", "geometry", "surface"}, {"laser_retro", "max_contacts"});
        RobotShape shape;
        const char* name = element.Attribute("name");
        shape.name = name == nullptr ? "" : name;
        shape.line = element.GetLineNum();
        shape.pose = poseOf(element);
        const XMLElement* geometry = element.FirstChildElement("geometry");
        const XMLElement* what = geometry == nullptr ? nullptr : geometry->FirstChildElement();
        if (what == nullptr || !readShape(*what, shape)) return;
        m_part.link.collisions.push_back(std::move(shape));
        if (const XMLElement* surface = element.FirstChildElement("surface")) readSurface(*surface);
    }

    /// False: it is left out.
    bool readShape(const XMLElement& element, RobotShape& shape) {
        const std::string_view tag = element.Name();
        if (tag == "empty") return false;
        if (tag == "mesh") return readMesh(element, shape);
        if (tag == "box") {
            shape.size = childVector(m_file, element, "size", kNotNegative).value_or(Eigen::Vector3d::Ones());
            return hasExtent(element, shape.size.minCoeff());
        }
        if (tag == "ellipsoid") {
            const Eigen::Vector3d radii =
                childVector(m_file, element, "radii", kNotNegative).value_or(Eigen::Vector3d::Ones());
            shape.type = RobotShape::Type::Hull;
            shape.points = ellipsoidPoints(radii);
            return hasExtent(element, radii.minCoeff());
        }
        const bool isRound = tag == "sphere" || tag == "cylinder" || tag == "capsule" || tag == "cone";
        if (!isRound) {
            m_file.warnOnce("shape " + std::string(tag), element, [&] {
                return "the shape is left out (of " + tagOf(m_element) +
                       "); read are box, sphere, cylinder, capsule, ellipsoid, cone, mesh" +
                       (tag == "plane" ? ". A scene has a ground" : "");
            });
            return false;
        }
        shape.radius = childNumber(m_file, element, "radius", kNotNegative).value_or(tag == "sphere" ? 1 : 0.5);
        shape.type = RobotShape::Type::Sphere;
        if (tag == "sphere") return hasExtent(element, shape.radius);
        shape.length = childNumber(m_file, element, "length", kNotNegative).value_or(1);
        shape.type = tag == "capsule" ? RobotShape::Type::Capsule : RobotShape::Type::Cylinder;
        if (tag == "capsule") return hasExtent(element, shape.radius);
        if (tag == "cone") {
            shape.type = RobotShape::Type::Hull;
            shape.points = conePoints(shape.radius, shape.length);
        }
        return hasExtent(element, std::min(shape.radius, shape.length));
    }

    bool hasExtent(const XMLElement& element, double least) {
        if (least > 0) return true;
        m_file.warnOnce("flat shape", element,
                        [&] { return "has no extent (of " + tagOf(m_element) + "); the shape is left out"; });
        return false;
    }

    bool readMesh(const XMLElement& element, RobotShape& shape) {
        warnOfUnread(m_file, element, {"uri", "scale"}, {"convex_decomposition"});
        const std::string uri = childText(element, "uri");
        if (uri.empty()) {
            m_file.problem(element, "<uri> is missing in it");
            return false;
        }
        const Eigen::Vector3d scale = childVector(m_file, element, "scale", kNotZero).value_or(Eigen::Vector3d::Ones());
        return makeHull({m_file, element, tagOf(m_element), m_options}, uri, scale, shape);
    }

    void readSurface(const XMLElement& element) {
        RobotSurface surface;
        if (const XMLElement* friction = element.FirstChildElement("friction")) {
            readFriction(*friction, surface);
        }
        if (const XMLElement* bounce = element.FirstChildElement("bounce")) {
            surface.restitution = childNumber(m_file, *bounce, "restitution_coefficient", kNotNegative);
        }
        const XMLElement* contact = element.FirstChildElement("contact");
        if (contact != nullptr) {
            for (const char* engine : {"ode", "bullet"}) {
                const XMLElement* one = contact->FirstChildElement(engine);
                if (one == nullptr || surface.stiffness) continue;
                setSoftness(surface, childNumber(m_file, *one, "kp", kNotNegative),
                            childNumber(m_file, *one, "kd", kNotNegative));
            }
        }
        if (m_hasSurface && (surface.friction != m_part.link.surface.friction ||
                             surface.restitution != m_part.link.surface.restitution)) {
            m_file.warnOnce("surfaces", element, [&] {
                return "of " + tagOf(m_element) + ": a link has one surface, that of its first shape";
            });
        }
        if (!m_hasSurface) m_part.link.surface = surface;
        m_hasSurface = true;
    }

    void readFriction(const XMLElement& friction, RobotSurface& surface) {
        warnOfUnread(m_file, friction, {"ode", "bullet"});
        const auto read = [&](const char* engine, const char* first, const char* second) {
            const XMLElement* one = friction.FirstChildElement(engine);
            if (one == nullptr) return;
            const std::optional<double> mu = coefficient(*one, first);
            const std::optional<double> across = coefficient(*one, second);
            if (!surface.friction) surface.friction = mu ? mu : across;
            if (mu && across && *mu != *across) {
                m_file.warnOnce("mu and mu2", *one, [&] {
                    return std::string(first) + " and " + second + " differ; " + first + " is taken in all directions";
                });
            }
        };
        read("bullet", "friction", "friction2");
        read("ode", "mu", "mu2");
        if (const XMLElement* bullet = friction.FirstChildElement("bullet")) {
            surface.rollingFriction = childNumber(m_file, *bullet, "rolling_friction", kNotNegative);
        }
    }

    /// Up to SDF 1.3 the default was written as -1.
    std::optional<double> coefficient(const XMLElement& owner, const char* tag) {
        const std::optional<double> value = childNumber(m_file, owner, tag, kAnyNumber);
        if (!value || *value >= 0) return value;
        m_file.warnOnce("negative friction", *owner.FirstChildElement(tag), [&] {
            return "\"" + childText(owner, tag) + "\" is negative (of " + tagOf(m_element) +
                   "); it is taken as not stated";
        });
        return std::nullopt;
    }

    XmlFile& m_file;
    const XMLElement& m_element;
    const LoadRobotOptions& m_options;
    const FrameInLink& m_frameInLink;
    LinkPart m_part;
    bool m_hasSurface = false;
};

}  // namespace

LinkPart readSdfLink(XmlFile& file, const XMLElement& element, const LoadRobotOptions& options,
                     const FrameInLink& frameInLink) {
    return SdfLink(file, element, options, frameInLink).run();
}

}  // namespace elasto::robot
