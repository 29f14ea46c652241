#include "robot_facts.h"

#include <elasto/errors.h>
#include <fmt/format.h>

#include <Eigen/Cholesky>

#include <cmath>

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

}  // namespace

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
