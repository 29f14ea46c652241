#include <elasto/robot/robot_signals.h>
#include <elasto/scene/load_scene.h>
#include <elasto/scene/signals.h>

#include "check_record.h"
#include "name_index.h"
#include "problems.h"

#include <algorithm>
#include <set>

namespace elasto {

namespace {

using Kind = RobotSignalKind;

/// What is recorded when a scene does not say it; only those that the robot has.
constexpr Kind kMainKinds[] = {Kind::JointCoordinate, Kind::JointRate,        Kind::MotorAngle,
                               Kind::MotorSpeed,      Kind::DriveTorque,      Kind::ElementCoordinate,
                               Kind::ElementForce,    Kind::ElementMeanForce, Kind::ElementDamperLength,
                               Kind::ElementContact,  Kind::TotalHeat,        Kind::TickGrade,
                               Kind::TickError};

/// The same of what is around the robots.
constexpr SignalKind kMainKindsAround[] = {SignalKind::BodyPosition,        SignalKind::BodyVelocity,
                                           SignalKind::JointCoordinate,     SignalKind::ElementS,
                                           SignalKind::ElementDamperLength, SignalKind::ElementForce,
                                           SignalKind::ElementMeanForce,    SignalKind::ElementContact};

template <typename List, typename AnyKind>
bool contains(const List& list, AnyKind kind) {
    return std::find(std::begin(list), std::end(list), kind) != std::end(list);
}

bool isDamping(const RobotScene& scene, const RobotSignal& signal) {
    const bool isOfElement = signal.kind >= Kind::ElementCoordinate && signal.kind <= Kind::ElementStoredEnergy;
    return isOfElement && scene.at(signal.robot).robot.elements[static_cast<std::size_t>(signal.index)].isDamping();
}

class SignalList {
public:
    explicit SignalList(const RobotScene& scene) : m_scene(scene) {
        bool hasElements = !scene.around.elements.empty();
        for (m_robot = 0; m_robot < scene.robots(); ++m_robot) {
            addRobot();
            hasElements = hasElements || !robot().elements.empty();
        }
        m_robot = 0;
        addAround();
        if (hasElements) addTotal(Kind::TotalHeat, "totalHeat");
        addTotal(Kind::TickGrade, "grade");
        addTotal(Kind::TickError, "gradeError");
    }

    std::vector<RobotSignal> take() { return std::move(m_signals); }

private:
    const RobotDescription& robot() const { return m_scene.at(m_robot).robot; }

    void addRobot() {
        for (int i = 0; i < static_cast<int>(robot().joints.size()); ++i) addJoint(i);
        for (int i = 0; i < static_cast<int>(robot().elements.size()); ++i) addElement(i);
        for (int i = 0; i < static_cast<int>(robot().links.size()); ++i) {
            const std::string& name = robot().links[static_cast<std::size_t>(i)].name;
            addVector(Kind::LinkPosition, i, name + ".r_0", 3);
            addVector(Kind::LinkOrientation, i, name + ".q", 4);
            addVector(Kind::LinkVelocity, i, name + ".v_0", 3);
            addVector(Kind::LinkAngularVelocity, i, name + ".w_a", 3);
            if (hasForces()) addLinkForces(i, name);
        }
        addVector(Kind::CentreOfMass, 0, "com.r_0", 3);
        addVector(Kind::Momentum, 0, "com.p", 3);
        addVector(Kind::AngularMomentum, 0, "com.L", 3);
        add(Kind::KineticEnergy, 0, "kineticEnergy");
    }

    /// Bodies that stand for links have the links' signals, and totals are those of all.
    void addAround() {
        if (!m_scene.hasAround()) return;
        const std::vector<Signal> signals = availableSignals(m_scene.around);
        for (std::size_t i = 0; i < signals.size(); ++i) {
            const Signal& signal = signals[i];
            const bool isOfBody = signal.kind <= SignalKind::BodyOrientation;
            if (isOfBody && static_cast<std::size_t>(signal.index) >= m_scene.bodies()) continue;
            if (contains(kTotals, signal.kind)) continue;
            m_signals.push_back({Kind::Around, static_cast<int>(i), 0, signal.name, signal.name});
        }
    }
    static constexpr SignalKind kTotals[] = {SignalKind::TotalLossPower, SignalKind::TotalHeat, SignalKind::TickGrade,
                                             SignalKind::TickError};

    void addTotal(Kind kind, const std::string& name) { m_signals.push_back({kind, 0, 0, name, name}); }

    void add(Kind kind, int index, const std::string& name, int component = 0) {
        const std::string full = m_scene.at(m_robot).prefix + name;
        m_signals.push_back({kind, index, component, full, full, m_robot});
    }

    void addVector(Kind kind, int index, const std::string& name, int size) {
        for (int k = 0; k < size; ++k) add(kind, index, name + "[" + std::to_string(k + 1) + "]", k);
    }

    /// Bullet's own step does not tell them.
    bool hasForces() const { return m_scene.at(m_robot).solver == SceneRobot::Solver::Elasto; }

    void addLinkForces(int index, const std::string& name) {
        addVector(Kind::LinkSpecificForce, index, name + ".a_imu", 3);
        addVector(Kind::LinkContactForce, index, name + ".contact.f_0", 3);
        add(Kind::LinkContactNormalForce, index, name + ".contact.f_n");
        add(Kind::LinkContactFriction, index, name + ".contact.f_t");
        addVector(Kind::LinkContactPlace, index, name + ".contact.r_0", 3);
    }

    void addJointForces(int index, const RobotJoint& joint) {
        addVector(Kind::JointForce, index, joint.name + ".f", 3);
        addVector(Kind::JointTorque, index, joint.name + ".t", 3);
        if (!joint.isScalar()) return;
        const bool slides = joint.type == RobotJoint::Type::Prismatic;
        add(Kind::JointEffort, index, joint.name + (slides ? ".f_net" : ".tau_net"));
    }

    void addJoint(int index) {
        const RobotJoint& joint = robot().joints[static_cast<std::size_t>(index)];
        if (hasForces() && joint.type != RobotJoint::Type::Floating) addJointForces(index, joint);
        if (!joint.isScalar()) return;
        const bool slides = joint.type == RobotJoint::Type::Prismatic;
        add(Kind::JointCoordinate, index, joint.name + (slides ? ".s" : ".phi"));
        add(Kind::JointRate, index, joint.name + (slides ? ".v" : ".w"));
        const SceneRobot& driven = m_scene.at(m_robot);
        const auto drivesIt = [&](const auto& drive) { return drive.joint == index; };
        const bool hasMotor =
            std::any_of(robot().elements.begin(), robot().elements.end(),
                        [&](const RobotElement& element) { return element.joint == index && element.drive; });
        if (hasMotor) {
            add(Kind::MotorAngle, index, joint.name + ".motor.phi");
            add(Kind::MotorSpeed, index, joint.name + ".motor.w");
        }
        if (std::any_of(driven.loads.begin(), driven.loads.end(), drivesIt) ||
            std::any_of(driven.servos.begin(), driven.servos.end(), drivesIt)) {
            add(Kind::DriveTorque, index, joint.name + (slides && !hasMotor ? ".drive.f" : ".drive.tau"));
        }
    }

    void addElement(int index) {
        const RobotElement& element = robot().elements[static_cast<std::size_t>(index)];
        const bool slides =
            element.span || (!element.isOnMotor && robot().joints[static_cast<std::size_t>(element.joint)].type ==
                                                       RobotJoint::Type::Prismatic);
        const std::string name = element.name + ".";
        const std::string force = slides ? "f" : "tau";
        const bool isDamping = element.isDamping();
        if (!isDamping) add(Kind::ElementCoordinate, index, name + (slides ? "s_rel" : "phi_rel"));
        add(Kind::ElementRate, index, name + (slides ? "v_rel" : "w_rel"));
        if (const char* state = infoOf(element.type).innerState) {
            const std::string_view of = std::string_view(state).substr(std::string_view(state).find('_'));
            add(Kind::ElementDamperLength, index, name + (slides ? "s" : "phi") + std::string(of));
        }
        add(Kind::ElementForce, index, name + force);
        add(Kind::ElementMeanForce, index, name + force + "_mean");
        if (!isDamping) {
            add(Kind::ElementSpringForce, index, name + force + "_c");
            add(Kind::ElementDamperForce, index, name + (slides ? "f_d" : "tau_d_limited"));
            add(Kind::ElementUnlimitedDamperForce, index, name + (slides ? "f_d2" : "tau_d"));
            add(Kind::ElementFlangeA, index, name + "flange_a." + force);
            add(Kind::ElementFlangeB, index, name + "flange_b." + force);
            add(Kind::ElementContact, index, name + "contact");
        }
        add(Kind::ElementLossPower, index, name + "lossPower");
        add(Kind::ElementDissipatedPower, index, name + "dissipatedPower");
        add(Kind::ElementTemperature, index, name + "TheatPort");
        add(Kind::ElementHeat, index, name + "heat");
        if (!isDamping) add(Kind::ElementStoredEnergy, index, name + "storedEnergy");
    }

    const RobotScene& m_scene;
    std::size_t m_robot = 0;  ///< whose signals are added
    std::vector<RobotSignal> m_signals;
};

}  // namespace

std::vector<RobotSignal> availableRobotSignals(const RobotScene& scene) {
    return SignalList(scene).take();
}

std::vector<RobotSignal> recordedRobotSignals(const RobotScene& scene) {
    const std::vector<RobotSignal> available = availableRobotSignals(scene);
    std::vector<std::string> names;
    for (const RobotSignal& signal : available) names.push_back(signal.name);
    const scene::NameIndex index(names);
    std::set<std::string> columns;
    std::vector<RobotSignal> picked;
    const auto pick = [&](RobotSignal signal, const std::string& column) {
        signal.column = column.empty() ? signal.name : column;
        if (columns.insert(signal.column).second) picked.push_back(signal);
    };
    if (scene.record.empty()) {
        const std::vector<Signal> around = scene.hasAround() ? availableSignals(scene.around) : std::vector<Signal>();
        for (const RobotSignal& signal : available) {
            const bool isMain = signal.kind == Kind::Around
                                    ? contains(kMainKindsAround, around[static_cast<std::size_t>(signal.index)].kind)
                                    : contains(kMainKinds, signal.kind) && !isDamping(scene, signal);
            if (isMain) pick(signal, "");
        }
    }
    scene::Problems problems(scene.name);
    scene::checkRecord(scene.record, names, problems);
    problems.throwIfAny();
    for (const SceneRecord& record : scene.record) {
        for (const std::size_t place : index.fitting(record.signal)) pick(available[place], record.as);
    }
    return picked;
}

}  // namespace elasto
