#include "servo_stability.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <unsupported/Eigen/MatrixFunctions>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include "robot_mechanism.h"

namespace elasto::tools {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Rate and delay of what is sampled.
using Timing = std::pair<double, double>;

constexpr double kLongest = 100;        // [s] of a run: what doubles more slowly is rounding of what stands
constexpr double kTakesPart = 0.3;      // of the servo with the largest part in what grows
constexpr double kMostOnTheirWay = 50;  // readings at a time: a longer delay is not judged

bool isFedBack(const RobotServo& servo) {
    return servo.mode != RobotServo::Mode::Effort && (servo.damping > 0 || servo.stiffness > 0);
}

double stiffnessOf(const RobotServo& servo) {
    return servo.mode == RobotServo::Mode::Position ? servo.stiffness : 0;
}

/// M x'' = u - C x - D x' of the joints, the base and the motors (on the joints' side of their gears).
struct Plant {
    MatrixXd M, C, D;
    std::vector<Index> place;  ///< by servo: the coordinate that it reads and acts on
};

/// Joints that follow others are these, by their multipliers.
MatrixXd independent(const RobotDescription& robot, const std::vector<int>& columns, Index size) {
    MatrixXd way = MatrixXd::Identity(size, size);
    std::vector<Index> kept;
    std::set<Index> following;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i] < 0 || !robot.joints[i].mimic) continue;
        const RobotMimic& mimic = *robot.joints[i].mimic;
        const int leader = columns[static_cast<std::size_t>(mimic.leader)];
        way(columns[i], columns[i]) = 0;
        if (leader >= 0) way(columns[i], leader) = mimic.multiplier;
        following.insert(columns[i]);
    }
    for (Index k = 0; k < size; ++k) {
        if (!following.contains(k)) kept.push_back(k);
    }
    return way(Eigen::all, kept);
}

Plant plantOf(const RobotScene& scene) {
    const RobotMechanism mechanism(scene);
    const std::vector<RobotElement>& elements = scene.robot.elements;
    const MatrixXd inertia = mechanism.inertia();
    const Index joints = inertia.rows();
    std::vector<Index> motors(elements.size(), -1);
    Index size = joints;
    for (std::size_t e = 0; e < elements.size(); ++e) {
        if (elements[e].drive) motors[e] = size++;
    }
    Plant plant{MatrixXd::Zero(size, size), MatrixXd::Zero(size, size), MatrixXd::Zero(size, size), {}};
    plant.M.topLeftCorner(joints, joints) = inertia;
    for (std::size_t e = 0; e < elements.size(); ++e) {
        const RobotElement& element = elements[e];
        VectorXd row = VectorXd::Zero(size);
        if (element.span) {
            double length = 0;
            row.head(joints) = mechanism.stretching(*element.span, length);
        } else {
            row[mechanism.columns()[static_cast<std::size_t>(element.joint)]] = 1;
        }
        if (motors[e] >= 0) {
            row[motors[e]] = -1;
            plant.M(motors[e], motors[e]) = element.drive->inertia * element.drive->ratio * element.drive->ratio;
        }
        const ReducedLaw law = reduced(element.law);
        const bool acts = law.kind == ReducedLaw::Kind::SpringDamper || law.kind == ReducedLaw::Kind::Slip ||
                          (law.kind == ReducedLaw::Kind::Contact && element.drive);
        if (!acts || element.isOnMotor) continue;
        plant.C += law.c * row * row.transpose();
        plant.D += law.d * row * row.transpose();
    }
    // Servos act on the joint's motor, if it has one.
    for (const RobotServo& servo : scene.servos) {
        Index place = mechanism.columns()[static_cast<std::size_t>(servo.joint)];
        for (std::size_t e = 0; e < elements.size(); ++e) {
            if (motors[e] >= 0 && elements[e].joint == servo.joint) place = motors[e];
        }
        plant.place.push_back(place);
    }
    const MatrixXd way = independent(scene.robot, mechanism.columns(), size);
    for (MatrixXd* matrix : {&plant.M, &plant.C, &plant.D}) *matrix = way.transpose() * *matrix * way;
    for (Index& place : plant.place) way.row(place).cwiseAbs().maxCoeff(&place);
    return plant;
}

/// What a constant input changes in x within a time, beside the way of x itself: x -> first x + second u.
std::pair<MatrixXd, MatrixXd> after(double t, const MatrixXd& A, const MatrixXd& B) {
    const Index n = A.rows(), m = B.cols();
    MatrixXd both = MatrixXd::Zero(n + m, n + m);
    both.topLeftCorner(n, n) = t * A;
    both.topRightCorner(n, m) = t * B;
    const MatrixXd way = both.exp();
    return {way.topLeftCorner(n, n), way.topRightCorner(n, m)};
}

/// Servos of one timing, of which others of the robot are springs and dampers.
class SampledServos {
public:
    SampledServos(const RobotScene& scene, Plant plant, Timing timing, std::vector<std::size_t> servos)
        : m_scene(scene), m_plant(std::move(plant)), m_period(1 / timing.first), m_servos(std::move(servos)) {
        for (std::size_t k = 0; k < scene.servos.size(); ++k) {
            const RobotServo& servo = scene.servos[k];
            if (!isFedBack(servo) || std::find(m_servos.begin(), m_servos.end(), k) != m_servos.end()) continue;
            m_plant.C(m_plant.place[k], m_plant.place[k]) += stiffnessOf(servo);
            m_plant.D(m_plant.place[k], m_plant.place[k]) += servo.damping;
        }
        m_held = static_cast<Index>(std::floor(timing.second / m_period));
        m_rest = std::min(timing.second - m_period * static_cast<double>(m_held), m_period);
    }

    /// Those that have a part in a motion that doubles within a time.
    std::set<std::size_t> growing(double within) const {
        const MatrixXd way = oneReading();
        if (!way.allFinite()) return {};
        const Eigen::EigenSolver<MatrixXd> modes(way);
        const double most = std::exp(std::numbers::ln2 * m_period / within);
        std::set<std::size_t> named;
        for (Index mode = 0; mode < way.rows(); ++mode) {
            if (!(std::abs(modes.eigenvalues()[mode]) > most)) continue;
            const auto part = [&](std::size_t servo) {
                const Index place = m_plant.place[servo];
                return std::sqrt(m_plant.M(place, place)) * std::abs(modes.eigenvectors()(place, mode));
            };
            double largest = 0;
            for (const std::size_t servo : m_servos) largest = std::max(largest, part(servo));
            for (const std::size_t servo : m_servos) {
                if (part(servo) >= kTakesPart * largest) named.insert(servo);
            }
        }
        return named;
    }

private:
    /// From one reading to the next: coordinates, rates, integral parts, then what was said by earlier readings and
    /// does not act yet, the latest first.
    MatrixXd oneReading() const {
        const Index n = m_plant.M.rows(), m = static_cast<Index>(m_servos.size());
        const Eigen::LDLT<MatrixXd> mass(m_plant.M);
        MatrixXd A = MatrixXd::Zero(2 * n, 2 * n), B = MatrixXd::Zero(2 * n, m), chosen = MatrixXd::Zero(n, m);
        A.topRightCorner(n, n).setIdentity();
        A.bottomLeftCorner(n, n) = -mass.solve(m_plant.C);
        A.bottomRightCorner(n, n) = -mass.solve(m_plant.D);
        for (Index k = 0; k < m; ++k) chosen(m_plant.place[m_servos[static_cast<std::size_t>(k)]], k) = 1;
        B.bottomRows(n) = mass.solve(chosen);
        const Index waiting = m_held + (m_rest > 0 ? 1 : 0), size = 2 * n + m * (1 + waiting);
        MatrixXd said = MatrixXd::Zero(m, size), integrals = MatrixXd::Zero(m, size);
        for (Index k = 0; k < m; ++k) {
            const RobotServo& servo = m_scene.servos[m_servos[static_cast<std::size_t>(k)]];
            const Index place = m_plant.place[m_servos[static_cast<std::size_t>(k)]];
            const bool isPosition = servo.mode == RobotServo::Mode::Position;
            integrals(k, 2 * n + k) = 1;
            integrals(k, isPosition ? place : n + place) = -m_period * servo.integral;
            said.row(k) = integrals.row(k);
            said(k, place) -= stiffnessOf(servo);
            said(k, n + place) -= servo.damping;
        }
        // What acts in this period: at first what was said a reading earlier.
        const auto ago = [&](Index readings) {
            if (readings == 0) return said;
            MatrixXd pick = MatrixXd::Zero(m, size);
            pick.middleCols(2 * n + m * readings, m).setIdentity();
            return pick;
        };
        MatrixXd way = MatrixXd::Zero(size, size);
        const auto [first, early] = after(m_rest, A, B);
        const auto [second, late] = after(m_period - m_rest, A, B);
        way.topLeftCorner(2 * n, 2 * n) = second * first;
        way.topRows(2 * n) += late * ago(m_held);
        if (m_rest > 0) way.topRows(2 * n) += second * early * ago(m_held + 1);
        way.middleRows(2 * n, m) = integrals;
        for (Index k = 1; k <= waiting; ++k) way.middleRows(2 * n + m * k, m) = ago(k - 1);
        return way;
    }

    const RobotScene& m_scene;
    Plant m_plant;
    double m_period;
    std::vector<std::size_t> m_servos;
    Index m_held = 0;   ///< whole periods of the delay
    double m_rest = 0;  ///< of it beyond these [s]
};

std::vector<std::string> unstableOfOne(const RobotScene& scene) {
    std::map<Timing, std::vector<std::size_t>> groups;
    for (std::size_t k = 0; k < scene.servos.size(); ++k) {
        const RobotServo& servo = scene.servos[k];
        if (!isFedBack(servo) || servo.control.isContinuous) continue;
        groups[{servo.control.rate.value_or(scene.rate), servo.control.delay}].push_back(k);
    }
    if (groups.empty()) return {};
    const Plant plant = plantOf(scene);
    std::vector<std::string> names;
    for (const auto& [timing, servos] : groups) {
        if (timing.first * timing.second > kMostOnTheirWay) continue;
        for (const std::size_t k :
             SampledServos(scene, plant, timing, servos).growing(std::min(scene.duration, kLongest))) {
            names.push_back(scene.prefix + scene.robot.joints[static_cast<std::size_t>(scene.servos[k].joint)].name);
        }
    }
    return names;
}

}  // namespace

std::vector<std::string> unstableServos(const RobotScene& scene) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < scene.robots(); ++i) {
        const std::vector<std::string> some = unstableOfOne(scene.robotAlone(i));
        names.insert(names.end(), some.begin(), some.end());
    }
    return names;
}

}  // namespace elasto::tools
