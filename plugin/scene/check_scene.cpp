#include "check_scene.h"
#include "check_record.h"
#include "scene_course.h"

#include "joint_geometry.h"
#include "names.h"

#include <elasto/errors.h>
#include <elasto/scene/signals.h>
#include <elasto/scene/start.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <optional>

namespace elasto::scene {

namespace {

class Checker {
public:
    Checker(const Scene& scene, Problems& problems) : m_scene(scene), m_problems(problems) {}

    void run() {
        checkNames();
        for (std::size_t i = 0; i < m_scene.bodies.size(); ++i) checkBody(m_scene.bodies[i], at("bodies", i));
        for (std::size_t i = 0; i < m_scene.joints.size(); ++i) checkJoint(m_scene.joints[i], at("joints", i));
        for (std::size_t i = 0; i < m_scene.elements.size(); ++i) checkElement(m_scene.elements[i], at("elements", i));
        for (std::size_t i = 0; i < m_scene.loads.size(); ++i) checkLoad(m_scene.loads[i], at("loads", i));
        std::vector<std::string> names;
        for (const Signal& signal : availableSignals(m_scene)) names.push_back(signal.name);
        checkRecord(m_scene.record, names, m_problems);
    }

private:
    static std::string at(const char* list, std::size_t index) {
        return "/" + std::string(list) + "/" + std::to_string(index);
    }

    /// Bodies, joints, elements, loads and heat ports share one space of names, since signals begin with them.
    void checkNames() {
        std::map<std::string, std::string> taken;
        const auto check = [&](const char* list, const auto& things) {
            for (std::size_t i = 0; i < things.size(); ++i) {
                const std::string path = at(list, i) + "/name";
                const std::string& name = things[i].name;
                if (name == "world" || name == "time") {
                    m_problems.add(path, "\"" + name + "\" is not allowed: the name is reserved");
                }
                const auto [other, isNew] = taken.emplace(name, path);
                if (!isNew) {
                    m_problems.add(path, "\"" + name + "\" is not allowed: it is the name at " + other->second +
                                             " already; names must be unique");
                }
            }
        };
        check("bodies", m_scene.bodies);
        check("joints", m_scene.joints);
        check("elements", m_scene.elements);
        check("loads", m_scene.loads);
        check("heatPorts", m_scene.heatPorts);
    }

    void checkBody(const SceneBody& body, const std::string& path) {
        if (body.motion == BodyMotion::Dynamic && body.inertia.isZero(0) && !body.angularFactor.isZero(0)) {
            m_problems.add(path + "/inertia",
                           "is missing; it must be an array of 3 numbers > 0 (principal moments of inertia [kg.m2]), "
                           "unless the body cannot turn: angularFactor [0, 0, 0]");
        }
        if (body.motion == BodyMotion::Dynamic) {
            checkMass("mass", body.mass, path + "/mass");
            for (int k = 0; k < 3; ++k) {
                if (body.inertia[k] > 0) checkMass("it", body.inertia[k], path + "/inertia/" + std::to_string(k));
            }
            checkTriangle(body.inertia, path + "/inertia");
        }
        using Type = SceneShape::Type;
        const bool isGround =
            body.shape.type == Type::Plane || body.shape.type == Type::Mesh || body.shape.type == Type::HeightField;
        if (isGround && body.motion != BodyMotion::Fixed) {
            m_problems.add(path + "/shape/type", "\"" + std::string(wordOf(body.shape.type)) +
                                                     "\" is not allowed here: only a fixed body can be a " +
                                                     wordOf(body.shape.type));
        }
        for (std::size_t i = 1; i < body.path.size(); ++i) {
            checkRising(body.path[i - 1].time, body.path[i].time, path + "/path/" + std::to_string(i) + "/time");
        }
    }

    void checkMass(const char* field, double value, const std::string& path) {
        constexpr double kLeast = 1e-60;
        static_assert(1 / kLeast <= kLargestParameter);
        if (value >= kLeast) return;
        m_problems.add(path, toText(value) + " is not allowed; " + field + " must be a number >= " + toText(kLeast));
    }

    /// No body has a principal moment of inertia above the sum of the other two; flat bodies reach it.
    void checkTriangle(const Eigen::Vector3d& inertia, const std::string& path) {
        constexpr double kRounding = 1e-3;  // of moments that were written with few digits
        int largest = 0;
        const double most = inertia.maxCoeff(&largest);
        const double others = inertia[(largest + 1) % 3] + inertia[(largest + 2) % 3];
        if (most <= others * (1 + kRounding)) return;
        m_problems.add(path + "/" + std::to_string(largest),
                       toText(most) +
                           " is not allowed; it must be at most the sum of the other two moments of inertia, " +
                           toText(others) + ", as that of any body is");
    }

    void checkRising(double before, double time, const std::string& path) {
        if (time > before) return;
        m_problems.add(path, toText(time) + " is not allowed; times must rise: it must be > " + toText(before));
    }

    bool isMovable(const SceneFrame& frame) const {
        return frame.body != kWorld &&
               m_scene.bodies[static_cast<std::size_t>(frame.body)].motion == BodyMotion::Dynamic;
    }

    std::string bodyName(const SceneFrame& frame) const {
        return frame.body == kWorld ? "world" : m_scene.bodies[static_cast<std::size_t>(frame.body)].name;
    }

    void checkEnds(const SceneFrame& frame_a, const SceneFrame& frame_b, const std::string& path) {
        const std::string a = bodyName(frame_a);
        const std::string b = bodyName(frame_b);
        if (frame_a.body == frame_b.body) {
            m_problems.add(path + "/frame_b/body",
                           "\"" + b + "\" is not allowed: both ends are on the same body; it must be another one");
        } else if (!isMovable(frame_a) && !isMovable(frame_b)) {
            m_problems.add(path, "\"" + a + "\" and \"" + b +
                                     "\" are not allowed: no end can be moved by a force; one must be a dynamic body");
        }
    }

    void checkJoint(const SceneJoint& joint, const std::string& path) {
        checkEnds(joint.frame_a, joint.frame_b, path);
        if (!joint.limits) return;
        if (joint.limits->lower > joint.limits->upper) {
            m_problems.add(path + "/limits/upper", toText(joint.limits->upper) +
                                                       " is not allowed; it must be a number >= lower, " +
                                                       toText(joint.limits->lower));
        }
        if (joint.type != SceneJoint::Type::Hinge) return;
        // Bullet's angle of a hinge does not count turns.
        for (const auto& [field, angle] : {std::pair("lower", joint.limits->lower), {"upper", joint.limits->upper}}) {
            if (std::abs(angle) <= std::numbers::pi) continue;
            m_problems.add(path + "/limits/" + field,
                           toText(angle) + " is not allowed; the limit of a hinge must be an angle within -pi .. pi");
        }
    }

    void checkGear(const SceneElement& element, const std::string& path) {
        const int carrier = element.gear->carrier;
        for (const auto& [field, body] :
             {std::pair("frame_a", element.frame_a.body), {"frame_b", element.frame_b.body}}) {
            if (body == kWorld) {
                m_problems.add(path + "/" + field + "/body",
                               "\"world\" is not allowed; a wheel of a gear pair is a body");
            } else if (body == carrier) {
                m_problems.add(path + "/gear/carrier",
                               "\"" + m_scene.bodies[static_cast<std::size_t>(body)].name +
                                   "\" is not allowed: it is one of the wheels; the carrier is another body, or world");
            }
        }
    }

    void checkElement(const SceneElement& element, const std::string& path) {
        checkEnds(element.frame_a, element.frame_b, path);
        if (element.gear) checkGear(element, path);
        if (element.f_normalized) checkCourse(*element.f_normalized, path + "/f_normalized", m_problems);
        if (element.geometry == Geometry::AlongLine && element.start.s && *element.start.s <= 0) {
            m_problems.add(path + "/start/s_rel",
                           toText(*element.start.s) + " is not allowed; the distance along a line must be > 0");
        }
    }

    void checkLoad(const SceneLoad& load, const std::string& path) {
        const SceneBody& body = m_scene.bodies[static_cast<std::size_t>(load.body)];
        if (body.motion != BodyMotion::Dynamic) {
            m_problems.add(path + "/body", "\"" + body.name + "\" is not allowed: it is not a dynamic body");
        }
        if (load.point && load.quantity == SceneLoad::Quantity::Torque) {
            m_problems.add(path + "/point", "not allowed with a torque, which has no point; give it to a force");
        }
        checkCourse(load, path, m_problems);
    }

    const Scene& m_scene;
    Problems& m_problems;
};

/// That they are closed.
void checkJoints(const Scene& scene, Problems& problems) {
    constexpr double kClosed = 1e-6;  // of poses that were written with few digits
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        const JointOpening opening = jointOpening(scene, scene.joints[i]);
        const std::string path = "/joints/" + std::to_string(i);
        const auto refuse = [&](double value, const char* what) {
            char text[64];
            std::snprintf(text, sizeof text, "%.6g %s", value, what);
            problems.add(path, std::string(text) +
                                   " is not allowed: the joint is open at the start; place the bodies so that both "
                                   "ends agree");
        };
        if (opening.distance > kClosed) refuse(opening.distance, "m between the ends");
        if (opening.angle > kClosed) refuse(opening.angle, "rad between the ends");
    }
}

/// That no friction starts beyond them.
void checkStops(const Scene& scene, Problems& problems) {
    constexpr double kRounding = 1e-9;
    std::optional<FlowNetwork> network;
    for (std::size_t i = 0; i < scene.elements.size(); ++i) {
        const SceneElement& element = scene.elements[i];
        const auto* law = frictionOf(element.law);
        if (law == nullptr || (!law->hasStop(-1) && !law->hasStop(+1))) continue;
        if (!network) network = startNetwork(scene);
        const double s = measure(*network, network->elements[i]).s;
        const FrictionParameters& p = law->parameters();
        const bool turns = element.geometry == Geometry::AboutAxis;
        const std::string path = "/elements/" + std::to_string(i) + (turns ? "/phi" : "/s");
        if (s < p.s_min - kRounding) {
            problems.add(path + "_min",
                         toText(p.s_min) + " is not allowed: the element starts beyond it, at " + toText(s));
        }
        if (s > p.s_max + kRounding) {
            problems.add(path + "_max",
                         toText(p.s_max) + " is not allowed: the element starts beyond it, at " + toText(s));
        }
    }
}

}  // namespace

void checkAndResolve(Scene& scene, Problems& problems) {
    Checker(scene, problems).run();
    problems.throwIfAny();
    try {
        resolveStart(scene);
    } catch (const InvalidParameter& refused) {
        problems.add("", refused.what());
        problems.throwIfAny();
    }
    checkJoints(scene, problems);
    checkStops(scene, problems);
}

}  // namespace elasto::scene
