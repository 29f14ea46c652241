#include "modelica_space.h"

#include <elasto/scene/start.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "modelica_classes.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

constexpr const char* kParts = "Modelica.Mechanics.MultiBody.Parts.";
constexpr const char* kJoints = "Modelica.Mechanics.MultiBody.Joints.";

/// Angles of the sequence {1, 2, 3} that turn a frame into another one: R = Rx(a1) Ry(a2) Rz(a3) [rad].
Eigen::Vector3d cardan(const Eigen::Quaterniond& orientation) {
    const Eigen::Matrix3d R = orientation.toRotationMatrix();
    const double a2 = std::asin(std::clamp(R(0, 2), -1., 1.));
    if (std::abs(R(0, 2)) > 1 - 1e-14) return {std::atan2(R(1, 0), R(1, 1)), a2, 0};
    return {std::atan2(-R(1, 2), R(2, 2)), a2, std::atan2(-R(0, 1), R(0, 0))};
}

std::string fixedAt(const Eigen::Vector3d& start) {
    return fmt::format("(each fixed = true, start = {})", modelicaVector(start));
}

class SpaceWriter {
public:
    SpaceWriter(const Scene& scene, ModelicaModel& model)
        : m_scene(scene), m_model(model), m_carrier(scene.bodies.size(), -1), m_start(startNetwork(scene)) {
        addWorld();
        findTree();
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) addBody(static_cast<int>(i));
        for (std::size_t i = 0; i < scene.joints.size(); ++i) addJoint(i);
        for (std::size_t i = 0; i < scene.elements.size(); ++i) addForceElement(i);
        for (const SceneLoad& load : scene.loads) addLoad(load);
    }

private:
    const SceneBody& body(int index) const { return m_scene.bodies[static_cast<std::size_t>(index)]; }
    std::string nameOf(int index) const { return index == kWorld ? "world" : modelicaName(body(index).name); }
    Eigen::Quaterniond turnOf(int index) const {
        return index == kWorld ? Eigen::Quaterniond::Identity() : body(index).orientation;
    }

    void addWorld() {
        ModelicaComponent world("inner Modelica.Mechanics.MultiBody.World", "world");
        const double g = m_scene.gravity.norm();
        if (g > 0) {
            world.set("g", g).setText("n", modelicaVector(m_scene.gravity / g));
        } else {
            world.setText("gravityType", "Modelica.Mechanics.MultiBody.Types.GravityTypes.NoGravity");
        }
        m_model.declare(world);
    }

    /// The joint that places each body: the first one that leads to it from what is placed already.
    void findTree() {
        std::vector<bool> isPlaced(m_scene.bodies.size());
        for (std::size_t i = 0; i < m_scene.bodies.size(); ++i) {
            isPlaced[i] = m_scene.bodies[i].motion != BodyMotion::Dynamic;
        }
        const auto has = [&](int index) { return index == kWorld || isPlaced[static_cast<std::size_t>(index)]; };
        const auto isFree = [&](std::size_t i) {
            return !isPlaced[i] &&
                   std::none_of(m_scene.joints.begin(), m_scene.joints.end(), [&](const SceneJoint& one) {
                       const bool joins =
                           one.frame_a.body == static_cast<int>(i) || one.frame_b.body == static_cast<int>(i);
                       return joins && (has(one.frame_a.body) != has(one.frame_b.body));
                   });
        };
        for (bool isNew = true; isNew;) {
            isNew = false;
            for (std::size_t k = 0; k < m_scene.joints.size(); ++k) {
                const SceneJoint& joint = m_scene.joints[k];
                for (const auto& [from, to] : {std::pair(joint.frame_a.body, joint.frame_b.body),
                                               std::pair(joint.frame_b.body, joint.frame_a.body)}) {
                    if (!has(from) || has(to)) continue;
                    m_carrier[static_cast<std::size_t>(to)] = static_cast<int>(k);
                    isPlaced[static_cast<std::size_t>(to)] = isNew = true;
                }
            }
            // A machine that nothing holds: one of its bodies is free.
            for (std::size_t i = 0; !isNew && i < isPlaced.size(); ++i) {
                if (!isFree(i)) continue;
                isPlaced[i] = isNew = true;
            }
        }
    }

    void addBody(int index) {
        const SceneBody& one = body(index);
        const std::string name = nameOf(index);
        if (one.motion == BodyMotion::Kinematic) {
            throw InputError(
                fmt::format("{} moves along a path, which is not exported; make it fixed or dynamic", one.name));
        }
        if (one.motion == BodyMotion::Fixed) {
            addRotation(name, "world.frame_b", one.orientation, one.position);
            m_model.notes.push_back(one.name + " is fixed: its place, without its shape");
            return;
        }
        if (one.linearFactor != Eigen::Vector3d::Ones() || one.angularFactor != Eigen::Vector3d::Ones()) {
            m_model.notes.push_back(
                fmt::format("{} may not move in all directions there (linearFactor {}, angularFactor {})", one.name,
                            modelicaVector(one.linearFactor), modelicaVector(one.angularFactor)));
        }
        if (one.linearDamping != 0 || one.angularDamping != 0) {
            m_model.notes.push_back(one.name + " has Bullet's damping there");
        }
        ModelicaComponent component(std::string(kParts) + "Body", name);
        component.set("m", one.mass)
            .setText("r_CM", modelicaVector(one.centreOfMass))
            .set("I_11", one.inertia[0])
            .set("I_22", one.inertia[1])
            .set("I_33", one.inertia[2]);
        if (m_carrier[static_cast<std::size_t>(index)] < 0) {
            component.setText("r_0", fixedAt(one.position))
                .setText("v_0", fixedAt(one.velocity))
                .setText("angles_fixed", "true")
                .setText("angles_start", modelicaVector(cardan(one.orientation)))
                .setText("w_0_fixed", "true")
                .setText("w_0_start", modelicaVector(one.angularVelocity));
        }
        m_model.declare(component);
    }

    /// A frame that is turned and moved against another one; its own is <name>.frame_b.
    void addRotation(const std::string& name, const std::string& from, const Eigen::Quaterniond& turn,
                     const Eigen::Vector3d& place) {
        constexpr double kDegree = 180 / std::numbers::pi;
        m_model.declare(
            ModelicaComponent(std::string(kParts) + "FixedRotation", name)
                .setText("r", modelicaVector(place))
                .setText("rotationType", "Modelica.Mechanics.MultiBody.Types.RotationTypes.PlanarRotationSequence")
                .setText("sequence", "{1, 2, 3}")
                .setText("angles", modelicaVector(kDegree * cardan(turn)))
                .setText("animation", "false"));
        m_model.connect(from, name + ".frame_a");
    }

    std::string frameOf(int index) const {
        if (index == kWorld) return "world.frame_b";
        return nameOf(index) + (body(index).motion == BodyMotion::Fixed ? ".frame_b" : ".frame_a");
    }

    /// The frame at a point of a body.
    std::string frameAt(const SceneFrame& frame, const std::string& name) {
        if (frame.position.isZero(0)) return frameOf(frame.body);
        m_model.declare(ModelicaComponent(std::string(kParts) + "FixedTranslation", name)
                            .setText("r", modelicaVector(frame.position))
                            .setText("animation", "false"));
        m_model.connect(frameOf(frame.body), name + ".frame_a");
        return name + ".frame_b";
    }

    /// Whether a joint places one of its bodies; else it closes a loop.
    bool isOfTree(std::size_t index) const {
        return std::find(m_carrier.begin(), m_carrier.end(), static_cast<int>(index)) != m_carrier.end();
    }

    void addJoint(std::size_t index) {
        const SceneJoint& joint = m_scene.joints[index];
        const std::string name = modelicaName(joint.name);
        const std::string a = frameAt(joint.frame_a, name + "_a"), b = frameAt(joint.frame_b, name + "_b");
        if (!isOfTree(index))
            m_model.notes.push_back(joint.name + " closes a loop: its start follows from the other joints");
        if (joint.limits) m_model.notes.push_back(joint.name + " has limits there");
        if (joint.motor) m_model.notes.push_back(joint.name + " has a motor there");
        if (joint.type == SceneJoint::Type::Ball) {
            m_model.declare(ModelicaComponent(std::string(kJoints) + "Spherical", name));
            m_model.connect(a, name + ".frame_a");
            m_model.connect(name + ".frame_b", b);
            return;
        }
        const Eigen::Quaterniond relative = turnOf(joint.frame_a.body).conjugate() * turnOf(joint.frame_b.body);
        std::string end = a;
        double start = 0;
        if (joint.type == SceneJoint::Type::Hinge) start = angleAtStart(joint, relative);
        const Eigen::Quaterniond moved(
            Eigen::AngleAxisd(joint.type == SceneJoint::Type::Hinge ? start : 0, joint.axis));
        if (joint.type != SceneJoint::Type::Fixed) {
            const bool turns = joint.type == SceneJoint::Type::Hinge;
            if (!turns) start = distanceAtStart(joint);
            ModelicaComponent component(std::string(kJoints) + (turns ? "Revolute" : "Prismatic"), name);
            component.setText("n", modelicaVector(joint.axis)).setText("useAxisFlange", "true");
            if (isOfTree(index)) {
                component.setText(turns ? "phi" : "s", fmt::format("(fixed = true, start = {})", modelicaNumber(start)))
                    .setText(turns ? "w" : "v",
                             fmt::format("(fixed = true, start = {})", modelicaNumber(rateAtStart(joint))));
            }
            m_model.declare(component);
            m_model.connect(a, name + ".frame_a");
            end = name + ".frame_b";
        }
        const Eigen::Quaterniond rest = moved.conjugate() * relative;
        if (rest.vec().norm() < 1e-12) {
            m_model.connect(end, b);
        } else {
            addRotation(name + "_turn", end, rest, Eigen::Vector3d::Zero());
            m_model.connect(name + "_turn.frame_b", b);
        }
    }

    /// Angle of the hinge from where both frames coincide.
    double angleAtStart(const SceneJoint& joint, const Eigen::Quaterniond& relative) const {
        const Eigen::Quaterniond turn = joint.frame_a.orientation.conjugate() * relative * joint.frame_b.orientation;
        const Eigen::Vector3d axis = joint.frame_a.orientation.conjugate() * joint.axis;
        return std::remainder(2 * std::atan2(turn.vec().dot(axis), turn.w()), 2 * std::numbers::pi);
    }
    Eigen::Vector3d pointOf(const SceneFrame& frame) const {
        return frame.body == kWorld ? frame.position
                                    : Eigen::Vector3d(body(frame.body).position + turnOf(frame.body) * frame.position);
    }
    double distanceAtStart(const SceneJoint& joint) const {
        return (turnOf(joint.frame_a.body) * joint.axis).dot(pointOf(joint.frame_b) - pointOf(joint.frame_a));
    }
    double rateAtStart(const SceneJoint& joint) const {
        const Eigen::Vector3d axis = turnOf(joint.frame_a.body) * joint.axis;
        const auto spin = [&](int index) {
            return index == kWorld ? Eigen::Vector3d(Eigen::Vector3d::Zero()) : body(index).angularVelocity;
        };
        if (joint.type == SceneJoint::Type::Hinge) {
            return axis.dot(spin(joint.frame_b.body) - spin(joint.frame_a.body));
        }
        const auto speed = [&](const SceneFrame& frame) {
            if (frame.body == kWorld) return Eigen::Vector3d(Eigen::Vector3d::Zero());
            const SceneBody& one = body(frame.body);
            return Eigen::Vector3d(one.velocity + one.angularVelocity.cross(turnOf(frame.body) * frame.position));
        };
        return axis.dot(speed(joint.frame_b) - speed(joint.frame_a));
    }

    void addForceElement(std::size_t index) {
        const SceneElement& element = m_scene.elements[index];
        const std::string name = modelicaName(element.name);
        if (element.geometry == Geometry::AboutAxis) return addAboutAxis(index);
        const std::string a = frameAt(element.frame_a, name + "_a"), b = frameAt(element.frame_b, name + "_b");
        const std::string force = name + "_force";
        if (element.geometry == Geometry::AlongLine) {
            m_model.declare(ModelicaComponent("Modelica.Mechanics.MultiBody.Forces.LineForceWithMass", force)
                                .set("m", 0)
                                .setText("animateLine", "true")
                                .setText("animateMass", "false"));
        } else {
            m_model.use("AxisForce");
            m_model.declare(ModelicaComponent("AxisForce", force).setText("n", modelicaVector(element.axis)));
        }
        m_model.connect(a, force + ".frame_a");
        m_model.connect(force + ".frame_b", b);
        const auto [flangeA, flangeB] = addElement(m_model, element, name);
        m_model.connect(force + ".flange_a", flangeA);
        m_model.connect(flangeB, force + ".flange_b");
    }

    /// At the hinge between the two bodies, about the same axis.
    void addAboutAxis(std::size_t index) {
        const SceneElement& element = m_scene.elements[index];
        const std::string name = modelicaName(element.name);
        const Eigen::Vector3d axis = turnOf(element.frame_a.body) * element.axis;
        for (const SceneJoint& joint : m_scene.joints) {
            if (joint.type != SceneJoint::Type::Hinge || element.gear) continue;
            const bool isSame =
                joint.frame_a.body == element.frame_a.body && joint.frame_b.body == element.frame_b.body;
            const bool isTurned =
                joint.frame_a.body == element.frame_b.body && joint.frame_b.body == element.frame_a.body;
            if (!isSame && !isTurned) continue;
            const double along = (turnOf(joint.frame_a.body) * joint.axis).dot(axis);
            if (std::abs(along) < 1 - 1e-9) continue;
            // The hinge's angle counts from its frame a about its axis.
            const double sign = (isSame ? 1 : -1) * (along > 0 ? 1 : -1);
            const Eigen::Quaterniond relative = turnOf(joint.frame_a.body).conjugate() * turnOf(joint.frame_b.body);
            const double offset = sign * angleAtStart(joint, relative) - m_start.elements[index].phi;
            const auto [flangeA, flangeB] = addElement(m_model, element, name, std::abs(offset) < 1e-12 ? 0 : offset);
            const std::string hinge = modelicaName(joint.name);
            m_model.connect(hinge + (sign > 0 ? ".support" : ".axis"), flangeA);
            m_model.connect(flangeB, hinge + (sign > 0 ? ".axis" : ".support"));
            return;
        }
        throw InputError(
            fmt::format("{} acts about an axis between {} and {}, which no hinge about that axis joins; such an "
                        "element is not exported",
                        element.name, nameOf(element.frame_a.body), nameOf(element.frame_b.body)));
    }

    void addLoad(const SceneLoad& load) {
        const std::string name = modelicaName(load.name);
        const bool isForce = load.quantity == SceneLoad::Quantity::Force;
        const bool isTurned = load.resolveInFrame == SceneLoad::Axes::Body;
        m_model.declare(
            ModelicaComponent(std::string("Modelica.Mechanics.MultiBody.Forces.World") + (isForce ? "Force" : "Torque"),
                              name)
                .setText("resolveInFrame", std::string("Modelica.Mechanics.MultiBody.Types.ResolveInFrameB.") +
                                               (isTurned ? "frame_b" : "world")));
        for (int k = 0; k < 3; ++k) {
            const std::string signal =
                addCourse(m_model, fmt::format("{}_course{}", name, k + 1), load, load.vector[k]);
            m_model.connect(signal, fmt::format("{}.{}[{}]", name, isForce ? "force" : "torque", k + 1));
        }
        SceneFrame frame{.body = load.body};
        frame.position = load.point.value_or(body(load.body).centreOfMass);
        m_model.connect(name + ".frame_b", isForce ? frameAt(frame, name + "_point") : frameOf(load.body));
    }

    const Scene& m_scene;
    ModelicaModel& m_model;
    std::vector<int> m_carrier;  ///< by body: the joint that places it; -1: none
    FlowNetwork m_start;
};

}  // namespace

void addSpace(const Scene& scene, ModelicaModel& model) {
    SpaceWriter(scene, model);
}

std::string modelicaFrameHelper(const std::string& name) {
    if (name != "AxisForce") return "";
    return "  model AxisForce \"Force between two frames along an axis of frame_a, through frame_b's origin\"\n"
           "    import Modelica.Mechanics.MultiBody.Frames;\n"
           "    extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;\n"
           "    parameter Real n[3] = {1, 0, 0} \"Axis, resolved in frame_a\";\n"
           "    Modelica.Mechanics.Translational.Interfaces.Flange_a flange_a \"Of a 1D component between the "
           "frames\";\n"
           "    Modelica.Mechanics.Translational.Interfaces.Flange_b flange_b;\n"
           "    Modelica.Units.SI.Position r_rel_a[3] \"From frame_a to frame_b, resolved in frame_a\";\n"
           "  protected\n"
           "    final parameter Real e[3] = Modelica.Math.Vectors.normalize(n);\n"
           "    Modelica.Units.SI.Force f[3] \"Into frame_b, resolved in frame_a\";\n"
           "  equation\n"
           "    r_rel_a = Frames.resolve2(frame_a.R, frame_b.r_0 - frame_a.r_0);\n"
           "    flange_a.s = 0;\n"
           "    flange_b.s = e*r_rel_a;\n"
           "    f = -flange_b.f*e;\n"
           "    frame_a.f = -f;\n"
           "    frame_a.t = -cross(r_rel_a, f);\n"
           "    frame_b.f = Frames.resolve2(frame_b.R, Frames.resolve1(frame_a.R, f));\n"
           "    frame_b.t = zeros(3);\n"
           "  end AxisForce;\n";
}

}  // namespace elasto::tools
