#include "modelica_space.h"

#include <elasto/scene/start.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "mechanism.h"
#include "modelica_classes.h"
#include "modelica_paths.h"

namespace elasto::tools {

namespace {

constexpr const char* kParts = "Modelica.Mechanics.MultiBody.Parts.";
constexpr const char* kJoints = "Modelica.Mechanics.MultiBody.Joints.";
constexpr const char* kForces = "Modelica.Mechanics.MultiBody.Forces.";
/// Axes are parallel whose cosine is nearer to 1.
constexpr double kSameDirection = 1e-9;

/// Angles of the sequence {1, 2, 3} that turn a frame into another one: R = Rx(a1) Ry(a2) Rz(a3) [rad].
Eigen::Vector3d cardan(const Eigen::Quaterniond& orientation) {
    Eigen::Matrix3d R = orientation.toRotationMatrix();
    // Where Ry turns z into x the first angle is as good as the third one.
    const double a1 = std::hypot(R(1, 2), R(2, 2)) < 1e-12 ? 0 : std::atan2(-R(1, 2), R(2, 2));
    R = Eigen::AngleAxisd(-a1, Eigen::Vector3d::UnitX()) * R;
    return {a1, std::atan2(R(0, 2), R(2, 2)), std::atan2(R(1, 0), R(1, 1))};
}

std::string fixedAt(const Eigen::Vector3d& start) {
    return fmt::format("(each fixed = true, start = {})", modelicaVector(start));
}

const char* axisName(int axis) {
    constexpr std::array<const char*, 3> kSuffixes = {"_x", "_y", "_z"};
    return kSuffixes[static_cast<std::size_t>(axis)];
}

bool isNone(const Eigen::Quaterniond& turn) {
    return turn.vec().norm() < 1e-12;
}

class SpaceWriter {
public:
    SpaceWriter(const Scene& scene, ModelicaModel& model)
        : m_scene(scene), m_model(model), m_machine(scene, neededJoints(scene)), m_start(startNetwork(scene)) {
        addWorld();
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) addBody(static_cast<int>(i));
        for (const MachineEdge& edge : m_machine.edges()) addEdge(edge);
        for (std::size_t i = 0; i < scene.joints.size(); ++i) addDrive(scene.joints[i]);
        for (std::size_t i = 0; i < scene.elements.size(); ++i) addForceElement(i);
        for (const SceneLoad& load : scene.loads) addLoad(load);
        for (const std::size_t edge : m_machine.doubtful()) {
            m_model.lose(fmt::format(
                "{} closes a loop that cannot be told from another one where the scene starts; move the start a little",
                nameOfEdge(m_machine.edges()[edge])));
        }
    }

private:
    /// A hinge of the model: body b turns against body a about an axis of the world.
    struct Turn {
        int a, b;
        Eigen::Vector3d axis;  ///< at the start
        double start;          ///< its angle there [rad]
        std::string name;
    };
    /// A flange that turns as a body does against another one.
    struct Angle {
        std::string name;     ///< component
        std::string support;  ///< its other flange, fixed to the other body
        std::string axis;
        double sign = 1;   ///< of the flange's angle against ours
        double start = 0;  ///< of the flange [rad]
    };

    const SceneBody& body(int index) const { return m_scene.bodies[static_cast<std::size_t>(index)]; }
    std::string nameOf(int index) const { return index == kWorld ? "world" : m_model.nameOf(body(index).name); }
    std::string nameOfEdge(const MachineEdge& edge) const {
        return edge.joint >= 0 ? m_scene.joints[static_cast<std::size_t>(edge.joint)].name
                               : "what holds " + body(edge.b).name;
    }
    /// kWorld for what does not move.
    int groundOf(int index) const {
        return index == kWorld || body(index).motion == BodyMotion::Fixed ? kWorld : index;
    }
    BodyState stateOf(int index) const {
        return index == kWorld ? BodyState{} : frameState(body(index), centreOfMassState(body(index)));
    }
    Eigen::Quaterniond turnOf(int index) const { return stateOf(index).orientation; }

    /// Joints on whose coordinate something acts.
    static std::vector<bool> neededJoints(const Scene& scene) {
        std::vector<bool> result;
        for (const SceneJoint& joint : scene.joints) {
            const bool isActed =
                std::any_of(scene.elements.begin(), scene.elements.end(), [&](const SceneElement& element) {
                    const int a = element.frame_a.body, b = element.frame_b.body;
                    const bool isBetween = (joint.frame_a.body == a && joint.frame_b.body == b) ||
                                           (joint.frame_a.body == b && joint.frame_b.body == a);
                    return element.geometry == Geometry::AboutAxis && isBetween;
                });
            result.push_back(isActed || (joint.motor && joint.motor->maxForce > 0));
        }
        return result;
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

    void addBody(int index) {
        const SceneBody& one = body(index);
        const std::string name = nameOf(index);
        if (one.motion == BodyMotion::Kinematic) return addPath(one);
        if (one.motion == BodyMotion::Fixed) return addPlace(name, "world.frame_b", one.orientation, one.position);
        const BodyFreedom freedom = freedomOf(one);
        if (!freedom.isJoint) {
            m_model.lose(fmt::format(
                "{} may not be accelerated in all directions (inertia {}, linearFactor {}, angularFactor {}), "
                "in a way that no joint allows",
                one.name, modelicaVector(one.inertia), modelicaVector(one.linearFactor),
                modelicaVector(one.angularFactor)));
        }
        if (one.linearDamping != 0 || one.angularDamping != 0) {
            m_model.lose(fmt::format("{} has Bullet's damping (linearDamping {}, angularDamping {})", one.name,
                                     modelicaNumber(one.linearDamping), modelicaNumber(one.angularDamping)));
        }
        const bool isRound = one.inertia[0] == one.inertia[1] && one.inertia[1] == one.inertia[2];
        if (!one.gyroscopic && freedom.turns == 3 && !isRound) {
            m_model.lose(one.name + " turns without its gyroscopic moments (gyroscopic false)");
        }
        ModelicaComponent component(std::string(kParts) + "Body", name);
        component.set("m", one.mass).setText("r_CM", modelicaVector(one.centreOfMass));
        // What it has about the only axis about which it turns counts: about one that is not principal its factors make
        // that another one than the axis of a hinge would.
        const Eigen::Vector3d axis = one.orientation.conjugate() * freedom.axis;
        const bool isSame = freedom.turns != 1 || std::abs(axis.dot(one.inertia.cwiseProduct(axis)) -
                                                           freedom.inertia) <= 1e-9 * freedom.inertia;
        const Eigen::Vector3d inertia = isSame ? one.inertia : Eigen::Vector3d::Constant(freedom.inertia);
        component.set("I_11", inertia[0]).set("I_22", inertia[1]).set("I_33", inertia[2]);
        m_model.declare(component);
    }

    bool hasPaths() const {
        return std::any_of(m_scene.bodies.begin(), m_scene.bodies.end(),
                           [](const SceneBody& one) { return one.motion == BodyMotion::Kinematic; });
    }

    /// A body on a path: the joints that leave its path, moved by tables.
    void addPath(const SceneBody& one) {
        const std::string& name = m_model.nameOf(one.name);
        const PathMotion motion = motionOf(one);
        Eigen::Vector3d place;
        for (int axis = 0; axis < 3; ++axis) {
            place[axis] = motion.slides(axis) ? 0 : motion.positions[static_cast<std::size_t>(axis)][0];
        }
        std::string end = translated(name + "_place", "world.frame_b", place);
        const auto move = [&](const std::string& kind, const Eigen::Vector3d& axis, const std::string& joint,
                              const std::vector<double>& values) {
            m_model.declare(ModelicaComponent(kJoints + kind, joint)
                                .setText("n", modelicaVector(axis))
                                .setText("useAxisFlange", "true"));
            m_model.connect(end, joint + ".frame_a");
            end = joint + ".frame_b";
            m_model.connect(
                addMotion(m_model, m_model.freshName(joint + "_motion"), motion.times, values, kind == "Revolute"),
                joint + ".axis");
        };
        for (int axis = 0; axis < 3; ++axis) {
            if (!motion.slides(axis)) continue;
            move("Prismatic", Eigen::Vector3d::Unit(axis), m_model.freshName(name + axisName(axis)),
                 motion.positions[static_cast<std::size_t>(axis)]);
        }
        if (motion.turns()) {
            const std::string joint = m_model.freshName(name + "_turn");
            move("Revolute", motion.axis, joint, motion.angles);
            m_turns.push_back({kWorld, indexOf(one), motion.axis, 0, joint});
        }
        addPlace(name, end, motion.orientation, Eigen::Vector3d::Zero());
    }
    int indexOf(const SceneBody& one) const { return static_cast<int>(&one - m_scene.bodies.data()); }

    /// A frame that is turned and moved against another one; its own is <name>.frame_b.
    void addPlace(const std::string& name, const std::string& from, const Eigen::Quaterniond& turn,
                  const Eigen::Vector3d& place) {
        constexpr double kDegree = 180 / std::numbers::pi;
        ModelicaComponent component(std::string(kParts) + (isNone(turn) ? "FixedTranslation" : "FixedRotation"), name);
        component.setText("r", modelicaVector(place));
        if (!isNone(turn)) {
            component.setText("rotationType", "Modelica.Mechanics.MultiBody.Types.RotationTypes.PlanarRotationSequence")
                .setText("sequence", "{1, 2, 3}")
                .setText("angles", modelicaVector(kDegree * cardan(turn)));
        }
        m_model.declare(component.setText("animation", "false"));
        m_model.connect(from, name + ".frame_a");
    }

    /// The frame at a place of another one; that one itself where there is nothing between them.
    std::string translated(const std::string& wish, const std::string& from, const Eigen::Vector3d& place) {
        if (place.isZero(0)) return from;
        const std::string name = m_model.freshName(wish);
        addPlace(name, from, Eigen::Quaterniond::Identity(), place);
        return name + ".frame_b";
    }

    std::string frameOf(int index) const {
        if (index == kWorld) return "world.frame_b";
        return nameOf(index) + (body(index).motion == BodyMotion::Dynamic ? ".frame_a" : ".frame_b");
    }

    /// The frame at a point of a body.
    std::string frameAt(const SceneFrame& frame, const std::string& name) {
        return translated(name, frameOf(frame.body), frame.position);
    }

    void addEdge(const MachineEdge& edge) {
        if (edge.isOfTree) loseJumpsAt(edge);
        if (edge.joint >= 0) return addJoint(edge, m_scene.joints[static_cast<std::size_t>(edge.joint)]);
        if (edge.isOfTree) return freedomOf(body(edge.b)).isFree() ? addFreeStart(edge) : addGuide(edge);
        if (edge.kept.empty()) return;
        const SceneBody& one = body(edge.b);
        const std::string& name = m_model.nameOf(one.name);
        const Eigen::Vector3d centre = one.position + one.orientation * one.centreOfMass;
        addLoop(edge, translated(name + "_place", "world.frame_b", centre),
                translated(name + "_centre", frameOf(edge.b), one.centreOfMass), m_model.freshName(name + "_guide"));
    }

    /// A joint to what moves along a path: the path's speed jumps, and with it, in silence, that of its coordinate.
    void loseJumpsAt(const MachineEdge& edge) {
        const int carrier = edge.isReversed ? edge.b : edge.a;
        if (carrier == kWorld || body(carrier).motion != BodyMotion::Kinematic || edge.coordinates.empty()) return;
        if (!motionOf(body(carrier)).hasJumps(m_scene.duration)) return;
        m_model.lose(
            fmt::format("{} is on {}, whose speed jumps along its path: what jumps with it in Modelica is the "
                        "whole body, also where the joint would let it go on",
                        nameOfEdge(edge), body(carrier).name));
    }

    void addFreeStart(const MachineEdge& edge) {
        const SceneBody& one = body(edge.b);
        const auto isGiven = [&](bool turns) {
            for (std::size_t k = 0; k < edge.coordinates.size(); ++k) {
                if (edge.coordinates[k].turns == turns && !edge.isIndependent[k]) return false;
            }
            return true;
        };
        if (!isGiven(true) || !isGiven(false)) {
            m_model.lose(one.name + " is free and of a loop that nothing else tells the start of: it is a guess");
        }
        ModelicaComponent& component = m_model.component(nameOf(edge.b));
        const auto start = [&](const Eigen::Vector3d& value) {
            return isGiven(false) ? fixedAt(value) : fmt::format("(start = {})", modelicaVector(value));
        };
        component.setText("r_0", start(one.position)).setText("v_0", start(one.velocity));
        if (isGiven(true)) component.setText("angles_fixed", "true").setText("w_0_fixed", "true");
        component.setText("angles_start", modelicaVector(cardan(one.orientation)))
            .setText("w_0_start", modelicaVector(one.angularVelocity));
        // Paths can be differentiated once: the states must not be relative to them.
        if (hasPaths()) component.setText("enforceStates", "true");
    }

    /// What a body may do by itself, as joints from the world to its centre of mass.
    void addGuide(const MachineEdge& edge) {
        const SceneBody& one = body(edge.b);
        const BodyFreedom freedom = freedomOf(one);
        const std::string& name = m_model.nameOf(one.name);
        const BodyState centre = centreOfMassState(one);
        Eigen::Vector3d place = centre.position;
        for (int axis = 0; axis < 3; ++axis) {
            if (freedom.slides[static_cast<std::size_t>(axis)]) place[axis] = 0;
        }
        std::string end = translated(name + "_place", "world.frame_b", place);
        std::size_t coordinate = 0;
        for (int axis = 0; axis < 3; ++axis) {
            if (!freedom.slides[static_cast<std::size_t>(axis)]) continue;
            end = addSimple("Prismatic", m_model.freshName(name + axisName(axis)), end, Eigen::Vector3d::Unit(axis),
                            centre.position[axis], centre.velocity[axis], edge.isIndependent[coordinate++]);
        }
        if (freedom.turns == 1) {
            const std::string joint = m_model.freshName(name + "_turn");
            end = addSimple("Revolute", joint, end, freedom.axis, 0, centre.angularVelocity.dot(freedom.axis),
                            edge.isIndependent[coordinate]);
            m_turns.push_back({kWorld, edge.b, freedom.axis, 0, joint});
        } else if (freedom.turns == 3) {
            end = addBall(m_model.freshName(name + "_turn"), end, Eigen::Quaterniond::Identity(),
                          centre.angularVelocity, edge);
        }
        const Eigen::Vector3d offset = -(one.orientation * one.centreOfMass);
        if (!isNone(one.orientation) || !offset.isZero(0)) {
            const std::string origin = m_model.freshName(name + "_origin");
            addPlace(origin, end, one.orientation, offset);
            end = origin + ".frame_b";
        }
        m_model.connect(end, frameOf(edge.b));
    }

    /// Revolute or Prismatic. @return its frame_b
    std::string addSimple(const std::string& kind, const std::string& name, const std::string& from,
                          const Eigen::Vector3d& axis, double start, double rate, bool isFixed) {
        const bool turns = kind == "Revolute";
        ModelicaComponent component(kJoints + kind, name);
        component.setText("n", modelicaVector(axis))
            .setStart(turns ? "phi" : "s", start, isFixed)
            .setStart(turns ? "w" : "v", rate, isFixed);
        if (isFixed && hasPaths()) component.setText("stateSelect", "StateSelect.always");
        m_model.declare(component);
        m_model.connect(from, name + ".frame_a");
        return name + ".frame_b";
    }

    /// A ball that has states: it places its body. @return its frame_b
    std::string addBall(const std::string& name, const std::string& from, const Eigen::Quaterniond& relative,
                        const Eigen::Vector3d& rate, const MachineEdge& edge) {
        bool isFixed = true;
        for (std::size_t k = 0; k < edge.coordinates.size(); ++k) {
            isFixed = isFixed && (edge.isIndependent[k] || !edge.coordinates[k].turns);
        }
        if (!isFixed)
            m_model.lose(nameOfEdge(edge) + " is of a loop that nothing else tells the start of: it is a guess");
        const char* given = isFixed ? "true" : "false";
        m_model.declare(ModelicaComponent(std::string(kJoints) + "Spherical", name)
                            .setText("enforceStates", "true")
                            .setText("angles_fixed", given)
                            .setText("angles_start", modelicaVector(cardan(relative)))
                            .setText("w_rel_a_fixed", given)
                            .setText("w_rel_a_start", modelicaVector(rate)));
        m_model.connect(from, name + ".frame_a");
        return name + ".frame_b";
    }

    void addJoint(const MachineEdge& edge, const SceneJoint& joint) {
        const std::string& name = m_model.nameOf(joint.name);
        if (joint.limits) m_model.lose(joint.name + " has limits: rigid stops, which no joint of Modelica's has");
        if (!edge.isOfTree && edge.kept.empty()) {
            m_model.remark(joint.name + " is left out: it holds nothing that the other joints do not hold");
            return;
        }
        const std::string a = frameAt(joint.frame_a, name + "_a"), b = frameAt(joint.frame_b, name + "_b");
        const bool isPlanar = joint.type == SceneJoint::Type::Hinge && edge.kept == std::vector<std::size_t>{0, 1};
        if (!edge.isOfTree && !edge.isWhole() && !isPlanar) return addLoop(edge, a, b, name);
        const Eigen::Quaterniond relative = turnOf(joint.frame_a.body).conjugate() * turnOf(joint.frame_b.body);
        std::string end = a;
        Eigen::Quaterniond rest = relative;
        const bool isFixed = edge.isOfTree && !edge.coordinates.empty() && edge.isIndependent[0];
        switch (joint.type) {
            case SceneJoint::Type::Ball:
                if (edge.isOfTree) {
                    // From the side that is placed: the joint counts from frame_a.
                    const Eigen::Vector3d rate = turnOf(joint.frame_a.body).conjugate() *
                                                 (spinOf(joint.frame_b.body) - spinOf(joint.frame_a.body));
                    m_model.connect(addBall(name, a, relative, rate, edge), b);
                } else {
                    m_model.declare(ModelicaComponent(std::string(kJoints) + "Spherical", name));
                    m_model.connect(a, name + ".frame_a");
                    m_model.connect(name + ".frame_b", b);
                }
                return;
            case SceneJoint::Type::Hinge: {
                const double start = angleAtStart(joint, relative);
                rest = Eigen::Quaterniond(Eigen::AngleAxisd(-start, joint.axis)) * relative;
                if (isPlanar && !edge.isOfTree) {
                    m_model.declare(ModelicaComponent(std::string(kJoints) + "RevolutePlanarLoopConstraint", name)
                                        .setText("n", modelicaVector(joint.axis)));
                    m_model.connect(a, name + ".frame_a");
                    end = name + ".frame_b";
                    break;
                }
                end = addSimple("Revolute", name, a, joint.axis, start, rateAtStart(joint), isFixed);
                m_turns.push_back({groundOf(joint.frame_a.body), groundOf(joint.frame_b.body),
                                   turnOf(joint.frame_a.body) * joint.axis, start, name});
                break;
            }
            case SceneJoint::Type::Slider:
                end = addSimple("Prismatic", name, a, joint.axis, distanceAtStart(joint), rateAtStart(joint), isFixed);
                m_slides.push_back(name);
                break;
            case SceneJoint::Type::Fixed:
                break;
        }
        if (isNone(rest)) {
            m_model.connect(end, b);
        } else {
            const std::string turn = m_model.freshName(name + "_turn");
            addPlace(turn, end, rest, Eigen::Vector3d::Zero());
            m_model.connect(turn + ".frame_b", b);
        }
    }

    /// What of a joint that closes a loop nothing else holds.
    void addLoop(const MachineEdge& edge, const std::string& frameA, const std::string& frameB,
                 const std::string& name) {
        m_model.use("LoopConstraint");
        const Eigen::Quaterniond intoA = turnOf(edge.a).conjugate(), intoB = turnOf(edge.b).conjugate();
        std::vector<Eigen::Vector3d> n, u, v;
        for (const std::size_t k : edge.kept) {
            const MachineRow& row = edge.rows[k];
            (row.turns ? u : n).push_back(intoA * row.a);
            if (row.turns) v.push_back(intoB * row.b);
        }
        m_model.declare(ModelicaComponent("LoopConstraint", name)
                            .setText("n", modelicaRows(n))
                            .setText("u", modelicaRows(u))
                            .setText("v", modelicaRows(v)));
        m_model.connect(frameA, name + ".frame_a");
        m_model.connect(name + ".frame_b", frameB);
    }

    /// Angle of the hinge from where both frames coincide.
    double angleAtStart(const SceneJoint& joint, const Eigen::Quaterniond& relative) const {
        const Eigen::Quaterniond turn = joint.frame_a.orientation.conjugate() * relative * joint.frame_b.orientation;
        const Eigen::Vector3d axis = joint.frame_a.orientation.conjugate() * joint.axis;
        return std::remainder(2 * std::atan2(turn.vec().dot(axis), turn.w()), 2 * std::numbers::pi);
    }
    Eigen::Vector3d pointOf(const SceneFrame& frame) const {
        return stateOf(frame.body).position + turnOf(frame.body) * frame.position;
    }
    Eigen::Vector3d spinOf(int index) const { return stateOf(index).angularVelocity; }
    double distanceAtStart(const SceneJoint& joint) const {
        return (turnOf(joint.frame_a.body) * joint.axis).dot(pointOf(joint.frame_b) - pointOf(joint.frame_a));
    }
    double rateAtStart(const SceneJoint& joint) const {
        const Eigen::Vector3d axis = turnOf(joint.frame_a.body) * joint.axis;
        if (joint.type == SceneJoint::Type::Hinge) {
            return axis.dot(spinOf(joint.frame_b.body) - spinOf(joint.frame_a.body));
        }
        const BodyState a = stateOf(joint.frame_a.body), b = stateOf(joint.frame_b.body);
        const Eigen::Vector3d point = pointOf(joint.frame_b);
        return axis.dot(b.velocity + b.angularVelocity.cross(point - b.position) - a.velocity -
                        a.angularVelocity.cross(point - a.position));
    }

    /// A motor is friction against a flange that turns at its speed: it pulls with its largest force until both have
    /// one speed, and holds that with what it takes.
    void addDrive(const SceneJoint& joint) {
        if (!joint.motor || joint.motor->maxForce == 0) return;
        const std::string& name = m_model.nameOf(joint.name);
        const bool turns = joint.type == SceneJoint::Type::Hinge;
        const std::string speed = m_model.freshName(name + "_speed"), motor = m_model.freshName(name + "_motor");
        const std::string axis = flangeOf(joint);
        const std::string type = turns ? "RotationalFriction" : "Friction";
        m_model.use(type);
        m_model.declare(ModelicaComponent(fmt::format("Modelica.Mechanics.{}.Sources.ConstantSpeed",
                                                      turns ? "Rotational" : "Translational"),
                                          speed)
                            .set(turns ? "w_fixed" : "v_fixed", joint.motor->velocity)
                            .setStart(turns ? "phi" : "s", 0));
        m_model.declare(ModelicaComponent(type, motor, "Motor with a largest force")
                            .set(turns ? "tau_Coulomb" : "F_Coulomb", joint.motor->maxForce));
        m_model.connect(speed + ".flange", motor + ".flange_a");
        m_model.connect(motor + ".flange_b", axis);
    }

    /// The flange of a joint's coordinate.
    std::string flangeOf(const SceneJoint& joint) {
        const std::string& name = m_model.nameOf(joint.name);
        const auto isOf = [&](const Turn& turn) { return turn.name == name; };
        if (joint.type == SceneJoint::Type::Hinge) {
            if (std::any_of(m_turns.begin(), m_turns.end(), isOf)) return driven(name) + ".axis";
            // A joint that closes a loop: its angle is measured.
            const Angle angle = measured(groundOf(joint.frame_a.body), groundOf(joint.frame_b.body),
                                         turnOf(joint.frame_a.body) * joint.axis, name);
            return angle.axis;
        }
        if (std::find(m_slides.begin(), m_slides.end(), name) != m_slides.end()) return driven(name) + ".axis";
        const std::string force = m_model.freshName(name + "_force");
        addAxisForce(force, joint.axis, frameAt(joint.frame_a, name + "_drive_a"),
                     frameAt(joint.frame_b, name + "_drive_b"));
        const std::string ground = m_model.freshName(name + "_support");
        m_model.declare(ModelicaComponent("Modelica.Mechanics.Translational.Components.Fixed", ground));
        m_model.connect(ground + ".flange", force + ".flange_a");
        return force + ".flange_b";
    }

    /// A joint that needs flanges.
    const std::string& driven(const std::string& joint) {
        m_model.component(joint).setText("useAxisFlange", "true");
        return joint;
    }

    void addAxisForce(const std::string& name, const Eigen::Vector3d& axis, const std::string& a,
                      const std::string& b) {
        m_model.use("AxisForce");
        m_model.declare(ModelicaComponent("AxisForce", name).setText("n", modelicaVector(axis)));
        m_model.connect(a, name + ".frame_a");
        m_model.connect(name + ".frame_b", b);
    }

    void addForceElement(std::size_t index) {
        const SceneElement& element = m_scene.elements[index];
        const std::string& name = m_model.nameOf(element.name);
        loseHardStops(m_model, element);
        loseJumps(m_model, m_scene, element);
        if (element.geometry == Geometry::AboutAxis) return addAboutAxis(index);
        const std::string a = frameAt(element.frame_a, name + "_a"), b = frameAt(element.frame_b, name + "_b");
        if (element.geometry == Geometry::AlongLine && addLineElement(m_model, m_scene, element, a, b)) return;
        const std::string force = m_model.freshName(name + "_force");
        if (element.geometry == Geometry::AlongLine) {
            ModelicaComponent component(std::string(kForces) + "LineForceWithMass", force);
            component.set("m", 0).set("s_small", element.s_small);
            m_model.declare(component);
            m_model.connect(a, force + ".frame_a");
            m_model.connect(force + ".frame_b", b);
        } else {
            addAxisForce(force, element.axis, a, b);
        }
        const ModelicaElement part = addElement(m_model, m_scene, element);
        m_model.connect(force + ".flange_a", part.a);
        m_model.connect(part.b, force + ".flange_b");
    }

    /// The hinge in which body b turns against body a about an axis of the world.
    std::optional<Angle> hingeOf(int a, int b, const Eigen::Vector3d& axis) const {
        for (const Turn& turn : m_turns) {
            const bool isSame = turn.a == a && turn.b == b, isTurned = turn.a == b && turn.b == a;
            const double along = turn.axis.dot(axis);
            if ((!isSame && !isTurned) || std::abs(along) < 1 - kSameDirection) continue;
            return Angle{turn.name, turn.name + ".support", turn.name + ".axis",
                         (isSame ? 1. : -1.) * (along > 0 ? 1 : -1), turn.start};
        }
        return std::nullopt;
    }

    /// By a component that measures: no hinge is just there. It counts from 0.
    Angle measured(int a, int b, const Eigen::Vector3d& axis, const std::string& name) {
        const std::string component = m_model.freshName(name + "_angle");
        m_model.use("AxisTorque");
        m_model.declare(ModelicaComponent("AxisTorque", component)
                            .setText("n", modelicaVector(turnOf(a).conjugate() * axis))
                            .setStart("phi", 0));
        m_model.connect(frameOf(a), component + ".frame_a");
        m_model.connect(component + ".frame_b", frameOf(b));
        return {component, component + ".support", component + ".axis", 1, 0};
    }

    Angle angleOf(int a, int b, const Eigen::Vector3d& axis, const std::string& name) {
        std::optional<Angle> hinge = hingeOf(a, b, axis);
        if (!hinge) return measured(a, b, axis, name);
        driven(hinge->name);
        return *hinge;
    }

    /// Between the flanges of hinges about the axis: of that between both bodies, or of those in which both turn
    /// against a third one; else between those of a component that measures.
    void addAboutAxis(std::size_t index) {
        const SceneElement& element = m_scene.elements[index];
        const std::string& name = m_model.nameOf(element.name);
        const int a = groundOf(element.frame_a.body), b = groundOf(element.frame_b.body);
        const Eigen::Vector3d axis = turnOf(element.frame_a.body) * element.axis;
        if (element.gear) return addGear(index, axis);
        if (!hingeOf(a, b, axis)) {
            for (const Turn& turn : m_turns) {
                const int third = turn.b == b ? turn.a : turn.b;
                const std::optional<Angle> toA = hingeOf(third, a, axis), toB = hingeOf(third, b, axis);
                if (!toA || !toB || toA->sign != toB->sign || third == a) continue;
                driven(toA->name);
                driven(toB->name);
                connectElement(index, toA->axis, toB->axis, toB->sign, toB->sign * (toB->start - toA->start));
                return;
            }
        }
        const Angle angle = angleOf(a, b, axis, name);
        connectElement(index, angle.support, angle.axis, angle.sign, angle.sign * angle.start);
    }

    /// @param from, to flanges; to against from turns as body b against body a, times sign
    /// @param start what they say our angle is at the start
    void connectElement(std::size_t index, const std::string& from, const std::string& to, double sign, double start) {
        const double offset = start - m_start.elements[index].phi;
        const ModelicaElement part =
            addElement(m_model, m_scene, m_scene.elements[index], std::abs(offset) < 1e-12 ? 0 : offset);
        m_model.connect(sign > 0 ? from : to, part.a);
        m_model.connect(part.b, sign > 0 ? to : from);
    }

    /// Both angles against the carrier, one of them through an ideal gear.
    void addGear(std::size_t index, const Eigen::Vector3d& axisA) {
        const SceneElement& element = m_scene.elements[index];
        const std::string& name = m_model.nameOf(element.name);
        const int carrier = groundOf(element.gear->carrier);
        const int a = groundOf(element.frame_a.body), b = groundOf(element.frame_b.body);
        const Eigen::Vector3d axisB =
            element.gear->axis_b ? Eigen::Vector3d(turnOf(element.frame_b.body) * *element.gear->axis_b) : axisA;
        const Angle toA = angleOf(carrier, a, axisA, name + "_a"), toB = angleOf(carrier, b, axisB, name + "_b");
        const double ratio = element.gear->ratio * toA.sign * toB.sign;
        const std::string gear = m_model.freshName(name + "_gear");
        m_model.declare(ModelicaComponent("Modelica.Mechanics.Rotational.Components.IdealGear", gear,
                                          "flange_b.phi = ratio of the scene times flange_a.phi")
                            .set("ratio", 1 / ratio));
        m_model.connect(toA.axis, gear + ".flange_a");
        connectElement(index, gear + ".flange_b", toB.axis, toB.sign, toB.sign * (toB.start - ratio * toA.start));
    }

    void addLoad(const SceneLoad& load) {
        const std::string& name = m_model.nameOf(load.name);
        const bool isForce = load.quantity == SceneLoad::Quantity::Force;
        const bool isTurned = load.resolveInFrame == SceneLoad::Axes::Body;
        m_model.declare(
            ModelicaComponent(std::string(kForces) + (isForce ? "WorldForce" : "WorldTorque"), name)
                .setText("resolveInFrame", std::string("Modelica.Mechanics.MultiBody.Types.ResolveInFrameB.") +
                                               (isTurned ? "frame_b" : "world")));
        for (int k = 0; k < 3; ++k) {
            const std::string course = m_model.freshName(fmt::format("{}_course{}", name, k + 1));
            std::string signal = course + ".y";
            if (load.vector[k] == 0) {
                m_model.declare(ModelicaComponent("Modelica.Blocks.Sources.Constant", course).set("k", 0));
            } else {
                signal = addCourse(m_model, course, load, load.vector[k]);
            }
            m_model.connect(signal, fmt::format("{}.{}[{}]", name, isForce ? "force" : "torque", k + 1));
        }
        SceneFrame frame{.body = load.body};
        frame.position = load.point.value_or(body(load.body).centreOfMass);
        m_model.connect(name + ".frame_b", isForce ? frameAt(frame, name + "_point") : frameOf(load.body));
    }

    const Scene& m_scene;
    ModelicaModel& m_model;
    Mechanism m_machine;
    FlowNetwork m_start;
    std::vector<Turn> m_turns;          ///< hinges of the model
    std::vector<std::string> m_slides;  ///< its sliders
};

}  // namespace

void addSpace(const Scene& scene, ModelicaModel& model) {
    SpaceWriter(scene, model);
}

}  // namespace elasto::tools
