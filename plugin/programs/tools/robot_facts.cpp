#include "robot_facts.h"

#include <elasto/errors.h>
#include <fmt/format.h>

#include <Eigen/Cholesky>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "relaxed_coordinate.h"
#include "robot_mechanism.h"

namespace elasto::tools {

namespace {

using Eigen::MatrixXd;

/// Facts of an element between links: what moves is all that its distance moves.
RobotElementFacts factsOfSpan(const RobotScene& scene, const RobotMechanism& mechanism,
                              const Eigen::LDLT<MatrixXd>& solved, const Eigen::VectorXd& falling,
                              const RobotElement& element, double rate) {
    ElementPlace place;
    const Eigen::VectorXd row = mechanism.stretching(*element.span, place.s);
    place.inverseMass = row.dot(solved.solve(row));
    if (!(place.inverseMass > 0) || !std::isfinite(place.inverseMass)) {
        throw InvalidParameter(
            fmt::format("robot '{}'", scene.robot.name),
            fmt::format("element '{}' cannot be explained: no joint changes its length at the start", element.name));
    }
    place.v = row.dot(mechanism.rates(scene));
    place.acceleration = row.dot(falling);
    RobotElementFacts facts;
    facts.jointInertia = 1 / place.inverseMass;
    facts.element = factsOf(element.law, place, 1 / rate);
    facts.element.name = element.name;
    facts.element.type = infoOf(element.type).name;
    facts.element.method = "joint coordinates";
    return facts;
}

/// A robot at its start, and what its coordinates do when they are let go.
class FreeRobot {
public:
    explicit FreeRobot(RobotScene alone)
        : m_scene(std::move(alone)), m_mechanism(m_scene), m_inertia(m_mechanism.inertia()) {
        if (m_inertia.rows() > 0) m_falling = m_inertia.solve(m_mechanism.gravity());
    }

    const RobotMechanism& mechanism() const { return m_mechanism; }
    /// Adds what it does to a coordinate. @param row rate of that, by the rate of each coordinate of the robot
    void addTo(ElementPlace& place, const Eigen::VectorXd& row) const {
        if (row.size() == 0) return;
        place.inverseMass += row.dot(m_inertia.solve(row));
        place.v += row.dot(m_mechanism.rates(m_scene));
        place.acceleration += row.dot(m_falling);
    }

private:
    RobotScene m_scene;
    RobotMechanism m_mechanism;
    Eigen::LDLT<MatrixXd> m_inertia;
    Eigen::VectorXd m_falling;
};

}  // namespace

std::vector<ElementFacts> explainOnLinks(const RobotScene& scene, double rate) {
    std::vector<ElementFacts> all;
    if (scene.links.empty()) return all;
    std::vector<std::unique_ptr<FreeRobot>> robots;
    for (std::size_t i = 0; i < scene.robots(); ++i) {
        robots.push_back(std::make_unique<FreeRobot>(scene.robotAlone(i)));
    }
    Scene around = scene.around;  // in which links stand still
    for (std::size_t i = scene.bodies(); i < around.bodies.size(); ++i) around.bodies[i].motion = BodyMotion::Fixed;
    const FlowNetwork network = loadedNetwork(around, 1 / rate);
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        if (!scene.isOnLink(around.elements[e])) continue;
        const FlowElement& element = network.elements[e];
        const Measure m = measure(network, element);
        ElementPlace place = elementPlace(network, element);
        std::vector<Eigen::VectorXd> rows(robots.size());
        const auto add = [&](int body, const Eigen::Vector3d& point, double sign) {
            if (body == kWorld || static_cast<std::size_t>(body) < scene.bodies()) return;
            const SceneLink& end = scene.links[static_cast<std::size_t>(body) - scene.bodies()];
            const RobotMechanism& mechanism = robots[end.robot]->mechanism();
            const Eigen::VectorXd row = element.geometry == Geometry::AboutAxis
                                            ? mechanism.turning(end.link, m.direction)
                                            : mechanism.moving(end.link, point, m.direction);
            // Both ends may be on one robot.
            rows[end.robot] = rows[end.robot].size() > 0 ? Eigen::VectorXd(rows[end.robot] + sign * row) : sign * row;
        };
        add(element.b, m.pointB, 1);
        add(element.a, element.geometry == Geometry::AlongLine ? m.pointA : m.pointB, -1);
        for (std::size_t i = 0; i < robots.size(); ++i) robots[i]->addTo(place, rows[i]);
        ElementFacts facts;
        if (place.inverseMass > 0) {
            facts = factsOf(element.law, place, 1 / rate);
        } else {
            facts.effectiveMass = std::numeric_limits<double>::infinity();  // no joint moves it at the start
        }
        facts.name = around.elements[e].name;
        facts.type = elementTypeName(around.elements[e].type);
        facts.method = "joint coordinates";
        all.push_back(std::move(facts));
    }
    return all;
}

Eigen::MatrixXd robotInertia(const RobotScene& scene, std::vector<int>& columnOf) {
    const RobotMechanism mechanism(scene);
    columnOf = mechanism.columns();
    return mechanism.inertia();
}

std::vector<RobotElementFacts> explainRobot(const RobotScene& scene, double rate) {
    const RobotMechanism mechanism(scene);
    const MatrixXd inertia = mechanism.inertia();
    const Eigen::LDLT<MatrixXd> solved(inertia);
    const Eigen::VectorXd falling =
        inertia.size() > 0 ? Eigen::VectorXd(solved.solve(mechanism.gravity())) : Eigen::VectorXd();
    std::vector<RobotElementFacts> all;
    for (const RobotElement& element : scene.robot.elements) {
        if (element.span) {
            all.push_back(factsOfSpan(scene, mechanism, solved, falling, element, rate));
            continue;
        }
        const auto joint = static_cast<std::size_t>(element.joint);
        const int column = mechanism.columns()[joint];
        const Eigen::VectorXd unit = Eigen::VectorXd::Unit(inertia.rows(), column);
        const double inverse = unit.dot(solved.solve(unit));
        if (!(inverse > 0) || !std::isfinite(inverse)) {
            throw InvalidParameter(fmt::format("robot '{}'", scene.robot.name),
                                   fmt::format("element '{}' cannot be explained: joint '{}' moves nothing that has "
                                               "a mass",
                                               element.name, scene.robot.joints[joint].name));
        }
        const double sign = element.isUpper ? -1 : 1;
        ElementPlace place{inverse, sign * startOfJoint(scene, joint), scene.v.empty() ? 0 : sign * scene.v[joint],
                           sign * falling[column]};
        RobotElementFacts facts;
        facts.joint = scene.robot.joints[joint].name;
        facts.jointInertia = 1 / inverse;
        if (element.isOnMotor) {
            const RobotElement& motor =
                *std::find_if(scene.robot.elements.begin(), scene.robot.elements.end(),
                              [&](const RobotElement& other) { return other.joint == element.joint && other.drive; });
            facts.rotorInertia = motor.drive->inertia * motor.drive->ratio * motor.drive->ratio;
            const Eigen::VectorXd row = mechanism.carrierSpin(joint);
            place = {row.dot(solved.solve(row)) + 1 / motor.drive->inertia, 0, 0, 0};
        }
        if (element.drive) {
            facts.rotorInertia = element.drive->inertia * element.drive->ratio * element.drive->ratio;
            // The rotor rides on the parent link: what the element gives it that link bears.
            const Eigen::VectorXd row = unit + mechanism.carrierSpin(joint) / element.drive->ratio;
            place.inverseMass = row.dot(solved.solve(row)) + 1 / *facts.rotorInertia;
            place.s = element.drive->start.value_or(relaxedCoordinate(element.law));
            place.v = 0;
        }
        facts.element = factsOf(element.law, place, 1 / rate);
        facts.element.name = element.name;
        facts.element.type = infoOf(element.type).name;
        facts.element.method = "joint coordinates";
        all.push_back(std::move(facts));
    }
    return all;
}

}  // namespace elasto::tools
