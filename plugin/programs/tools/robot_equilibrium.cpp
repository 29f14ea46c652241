#include "robot_equilibrium.h"

#include <elasto/errors.h>
#include <fmt/format.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "robot_mechanism.h"
#include "statics.h"

namespace elasto::tools {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMaxIterations = 2000;
constexpr double kLargestStep = 0.3;  // [rad, m] per step: what is linearised means little beyond
constexpr double kFarAway = 1e4;      // [rad, m] what got so far has nothing that stops it
constexpr double kBalanced = 1e-14;   // of the forces that act: as good as numbers allow
constexpr double kGoodEnough = 1e-9;  // of the same
constexpr double kDifference = 1e-6;  // [rad, m] weights change smoothly with the pose: right to 1e-9 of them
constexpr double kSofter = 0.25;
constexpr double kHarder = 4;
constexpr double kFirstRate = 100;  // [1/s2] viscosity at first: a pendulum of 0.1 m swings as fast

void requireRestable(const RobotScene& scene) {
    if (scene.robots() > 1 || !scene.around.bodies.empty()) {
        throw InvalidParameter("robot scene '" + scene.name + "'",
                               "several robots or bodies around them are not allowed here: the search for a rest knows "
                               "one robot alone; let them come to rest by themselves: elasto run");
    }
    const std::string owner = "robot '" + scene.robot.name + "'";
    if (hasFreeBase(scene)) {
        throw InvalidParameter(owner,
                               "its base is free, and contacts, which alone could hold it, are not part of the search "
                               "for a rest; fix the base, or let it come to rest by itself: elasto run");
    }
    for (const RobotJoint& joint : scene.robot.joints) {
        if (joint.isScalar() || joint.type == RobotJoint::Type::Fixed) continue;
        throw InvalidParameter(owner, "joint '" + joint.name + "' is " + jointTypeName(joint.type) +
                                          "; the search for a rest knows joints of one coordinate only");
    }
    for (const RobotServo& servo : scene.servos) {
        if (servo.integral == 0) continue;
        throw InvalidParameter(
            "servo of joint '" + scene.robot.joints[static_cast<std::size_t>(servo.joint)].name + "'",
            "its integral part holds any place in time, so that where it rests is not known; leave integral away");
    }
}

/// The robot with all that can be balanced: coordinates of the joints that move, then of the motors (on the joints'
/// side of their gears).
class RobotStatics {
public:
    explicit RobotStatics(const RobotScene& scene) : m_scene(scene), m_q(scene.robot.joints.size()) {
        const RobotMechanism start(scene);
        m_columns = start.columns();
        const MatrixXd inertia = start.inertia();
        const auto joints = inertia.rows();
        m_motors.assign(scene.robot.elements.size(), -1);
        Eigen::Index size = joints;
        for (std::size_t e = 0; e < scene.robot.elements.size(); ++e) {
            if (scene.robot.elements[e].drive) m_motors[e] = static_cast<int>(size++);
        }
        m_lower.setConstant(size, -std::numeric_limits<double>::infinity());
        m_upper.setConstant(size, std::numeric_limits<double>::infinity());
        m_inertia.resize(size);
        m_inertia.head(joints) = inertia.diagonal();
        m_start.resize(size);
        for (std::size_t i = 0; i < m_q.size(); ++i) {
            m_q[i] = startOfJoint(scene, i);
            if (m_columns[i] < 0) continue;
            m_start[m_columns[i]] = m_q[i];
            setLimits(i, m_columns[i]);
        }
        for (std::size_t e = 0; e < m_motors.size(); ++e) {
            if (m_motors[e] < 0) continue;
            const RobotElement& element = scene.robot.elements[e];
            m_inertia[m_motors[e]] = element.drive->inertia * element.drive->ratio * element.drive->ratio;
            m_start[m_motors[e]] = m_q[static_cast<std::size_t>(element.joint)];
        }
    }

    const VectorXd& start() const { return m_start; }
    const VectorXd& lower() const { return m_lower; }
    const VectorXd& upper() const { return m_upper; }
    const VectorXd& inertia() const { return m_inertia; }
    int motor(std::size_t element) const { return m_motors[element]; }
    const std::vector<int>& columns() const { return m_columns; }
    bool isOfMotor(Eigen::Index coordinate) const {
        return std::find(m_motors.begin(), m_motors.end(), static_cast<int>(coordinate)) != m_motors.end();
    }
    /// The joint that moves with a coordinate, or whose motor does.
    const RobotJoint& jointOf(Eigen::Index coordinate) const {
        for (std::size_t e = 0; e < m_motors.size(); ++e) {
            if (m_motors[e] == coordinate) {
                return m_scene.robot.joints[static_cast<std::size_t>(m_scene.robot.elements[e].joint)];
            }
        }
        const auto found = std::find(m_columns.begin(), m_columns.end(), static_cast<int>(coordinate));
        return m_scene.robot.joints[static_cast<std::size_t>(found - m_columns.begin())];
    }

    std::vector<double> joints(const VectorXd& x) const {
        std::vector<double> q = m_q;
        for (std::size_t i = 0; i < q.size(); ++i) {
            if (m_columns[i] >= 0) q[i] = x[m_columns[i]];
        }
        return q;
    }

    /// Of an element: s_rel or phi_rel, and its rate by that of each coordinate.
    double coordinateOf(std::size_t index, const RobotMechanism& mechanism, const VectorXd& x, VectorXd& rate) const {
        const RobotElement& element = m_scene.robot.elements[index];
        rate.setZero(x.size());
        if (element.span) {
            double length = 0;
            const VectorXd ofJoints = mechanism.stretching(*element.span, length);
            rate.head(ofJoints.size()) = ofJoints;
            return length;
        }
        const int column = m_columns[static_cast<std::size_t>(element.joint)];
        rate[column] = element.isUpper ? -1 : 1;
        if (m_motors[index] >= 0) rate[m_motors[index]] = -1;
        return rate.dot(x);
    }

    /// Forces on all coordinates. @param scale where not null: sums of their sizes, of weights the most they can be
    VectorXd forces(const VectorXd& x, BacklashLaw backlash, VectorXd* scale = nullptr) const {
        const RobotMechanism mechanism(m_scene, joints(x));
        VectorXd sum = VectorXd::Zero(x.size());
        const VectorXd gravity = mechanism.gravity();
        sum.head(gravity.size()) = gravity;
        VectorXd absolute = VectorXd::Zero(x.size());
        absolute.head(gravity.size()) = mechanism.mostGravity();
        const auto add = [&](const VectorXd& force) {
            sum += force;
            absolute += force.cwiseAbs();
        };
        VectorXd rate;
        for (std::size_t e = 0; e < m_scene.robot.elements.size(); ++e) {
            const double s = coordinateOf(e, mechanism, x, rate);
            const StaticForce force = staticForce(m_scene.robot.elements[e].law, s, backlash);
            if (force.f != 0) add(-force.f * rate);
            // Coordinates are rounded.
            absolute += 1e-5 * force.slope * (rate.cwiseAbs().array() * (1 + x.cwiseAbs().array())).matrix();
        }
        addGears(x, sum, absolute);
        for (const RobotLoad& load : m_scene.loads) {
            const auto [place, ratio] = driven(load.joint);
            add(ratio * load.value.at(0) * VectorXd::Unit(x.size(), place));
        }
        for (const RobotServo& servo : m_scene.servos) {
            const Eigen::Index place = driven(servo.joint).first;
            const int column = m_columns[static_cast<std::size_t>(servo.joint)];
            add(effortOf(servo, x[place], -gravity[column]) * VectorXd::Unit(x.size(), place));
        }
        if (scale != nullptr) *scale = absolute;
        return sum;
    }

private:
    /// Joints that follow others are held to them by springs, as stiff as makes the inertias swing at 1 kHz: statics
    /// has no forces that follow from a relation.
    void addGears(const VectorXd& x, VectorXd& sum, VectorXd& absolute) const {
        constexpr double kAngularFrequency = 2 * 3.141592653589793 * 1000;
        VectorXd rate;
        for (std::size_t i = 0; i < m_q.size(); ++i) {
            const std::optional<RobotMimic>& mimic = m_scene.robot.joints[i].mimic;
            if (!mimic) continue;
            const int own = m_columns[i], leader = m_columns[static_cast<std::size_t>(mimic->leader)];
            rate.setZero(x.size());
            rate[own] = 1;
            rate[leader] = -mimic->multiplier;
            const double inverse = 1 / m_inertia[own] + mimic->multiplier * mimic->multiplier / m_inertia[leader];
            const double c = kAngularFrequency * kAngularFrequency / inverse;
            const VectorXd force = -c * (rate.dot(x) - mimic->offset) * rate;
            sum += force;
            absolute += force.cwiseAbs();
            absolute += 1e-5 * c * (rate.cwiseAbs().array() * (1 + x.cwiseAbs().array())).matrix();
        }
    }

    void setLimits(std::size_t index, int column) {
        const RobotJoint& joint = m_scene.robot.joints[index];
        if (!joint.isScalar() || joint.mimic) return;
        const RobotRange range = heldRange(m_scene.robot, static_cast<int>(index));
        m_lower[column] = range.lower;
        m_upper[column] = range.upper;
    }

    /// The coordinate that loads and servos of a joint act on: its motor's, if it has one. Torques of a motor are
    /// stated on its own side of the gear.
    std::pair<Eigen::Index, double> driven(int joint) const {
        for (std::size_t e = 0; e < m_motors.size(); ++e) {
            const RobotElement& element = m_scene.robot.elements[e];
            if (m_motors[e] >= 0 && element.joint == joint) return {m_motors[e], element.drive->ratio};
        }
        return {m_columns[static_cast<std::size_t>(joint)], 1};
    }

    /// As RobotServo says, with rate 0. @param y what it reads @param holding what holds the joint against gravity
    static double effortOf(const RobotServo& servo, double y, double holding) {
        const double w = servo.target.at(0);
        double u = w;
        if (servo.mode == RobotServo::Mode::Position) u = servo.stiffness * (w - y);
        if (servo.mode == RobotServo::Mode::Velocity) u = servo.damping * w;
        u += servo.feedforward.at(0);
        if (std::isfinite(servo.maxVelocity) && servo.mode != RobotServo::Mode::Effort && servo.damping > 0) {
            const double most = servo.damping * servo.maxVelocity;
            u = std::clamp(u, -most, most);
        }
        if (servo.gravity) u += holding;
        return std::clamp(u, -servo.maxEffort, servo.maxEffort);
    }

    const RobotScene& m_scene;
    std::vector<double> m_q;
    std::vector<int> m_columns;
    std::vector<int> m_motors;  ///< by element: coordinate of its motor; -1: it has none
    VectorXd m_start, m_lower, m_upper, m_inertia;
};

class Search {
public:
    explicit Search(const RobotScene& scene) : m_statics(scene), m_x(m_statics.start()) {
        m_x = m_x.cwiseMax(m_statics.lower()).cwiseMin(m_statics.upper());
    }

    const RobotStatics& statics() const { return m_statics; }
    const VectorXd& x() const { return m_x; }
    int iterations() const { return m_iterations; }

    /// What is left on the coordinates that no limit holds.
    VectorXd left(BacklashLaw backlash, VectorXd* scale = nullptr) const {
        VectorXd force = m_statics.forces(m_x, backlash, scale);
        for (Eigen::Index k = 0; k < force.size(); ++k) {
            if (isHeld(k, m_x, force)) force[k] = 0;
        }
        return force;
    }

    /// Share of the forces that is not balanced.
    double imbalance(BacklashLaw backlash) const {
        VectorXd scale;
        const VectorXd force = left(backlash, &scale);
        return force.isZero(0) ? 0
                               : (force.array() / m_statics.inertia().array().sqrt()).matrix().norm() /
                                     (scale.array() / m_statics.inertia().array().sqrt()).matrix().norm();
    }

    Eigen::Index farthest() const {
        Eigen::Index place = 0;
        if (m_x.size() > 0) (m_x - m_statics.start()).cwiseAbs().maxCoeff(&place);
        return place;
    }
    double way() const { return m_x.size() > 0 ? (m_x - m_statics.start()).lpNorm<Eigen::Infinity>() : 0; }

    /// Goes on until nothing is left, nothing gets better, or a coordinate is far away.
    void run(BacklashLaw backlash) {
        double viscosity = kFirstRate;
        while (m_iterations < kMaxIterations && imbalance(backlash) > kBalanced && way() < kFarAway) {
            ++m_iterations;
            if (!step(backlash, viscosity)) return;
        }
    }

private:
    bool isHeld(Eigen::Index k, const VectorXd& x, const VectorXd& force) const {
        return (x[k] <= m_statics.lower()[k] && force[k] <= 0) || (x[k] >= m_statics.upper()[k] && force[k] >= 0);
    }

    MatrixXd stiffness(const std::vector<Eigen::Index>& free, BacklashLaw backlash) const {
        const auto count = static_cast<Eigen::Index>(free.size());
        MatrixXd result(count, count);
        for (Eigen::Index j = 0; j < count; ++j) {
            VectorXd before = m_x, after = m_x;
            before[free[static_cast<std::size_t>(j)]] -= kDifference;
            after[free[static_cast<std::size_t>(j)]] += kDifference;
            result.col(j) =
                (m_statics.forces(before, backlash) - m_statics.forces(after, backlash))(free) / (2 * kDifference);
        }
        return 0.5 * (result + result.transpose());
    }

    /// One accepted step of the coordinates that no limit holds. False if there is none that helps.
    bool step(BacklashLaw backlash, double& viscosity) {
        const VectorXd force = m_statics.forces(m_x, backlash);
        std::vector<Eigen::Index> free;
        for (Eigen::Index k = 0; k < force.size(); ++k) {
            if (!isHeld(k, m_x, force)) free.push_back(k);
        }
        if (free.empty()) return false;
        const VectorXd pull = force(free), inertia = m_statics.inertia()(free);
        const MatrixXd K = stiffness(free, backlash);
        const VectorXd scale = inertia.array().rsqrt();
        const double before = pull.cwiseProduct(scale).norm();
        const double least = std::max(1e-14 * (scale.asDiagonal() * K * scale.asDiagonal()).cwiseAbs().maxCoeff(),
                                      std::numeric_limits<double>::min());
        for (viscosity = std::max(viscosity, least); std::isfinite(viscosity); viscosity *= kHarder) {
            MatrixXd matrix = K;
            matrix.diagonal() += viscosity * inertia;
            const Eigen::LLT<MatrixXd> factor(matrix);
            if (factor.info() != Eigen::Success) continue;
            const VectorXd way = factor.solve(pull);
            const double longest = way.lpNorm<Eigen::Infinity>();
            if (longest > kLargestStep) continue;
            if (longest <= 1e-17) return false;
            VectorXd next = m_x;
            next(free) += way;
            next = next.cwiseMax(m_statics.lower()).cwiseMin(m_statics.upper());
            const VectorXd there = m_statics.forces(next, backlash)(free);
            const bool isBetter = there.cwiseProduct(scale).norm() < before;
            // Past the rest the forces point back. A little is no harm, the next step returns; but steps as small as
            // the rounding of the coordinates must lessen the forces, or they would go on for ever.
            const bool isOnTheWay = there.dot(way) >= -0.5 * pull.dot(way) && longest > 1e-12;
            if (!isBetter && !isOnTheWay) continue;
            m_x = next;
            viscosity *= kSofter;
            return true;
        }
        return false;
    }

    RobotStatics m_statics;
    VectorXd m_x;
    int m_iterations = 0;
};

/// The sentence for a robot that cannot rest: about what went away, or else what is pushed most.
std::string reasonOf(const Search& search) {
    const VectorXd force = search.left(BacklashLaw::Actual);
    const bool isGone = search.way() >= kFarAway;
    Eigen::Index worst = search.farthest();
    if (!isGone) (force.array() / search.statics().inertia().array()).abs().matrix().maxCoeff(&worst);
    const RobotJoint& joint = search.statics().jointOf(worst);
    const bool slides = joint.type == RobotJoint::Type::Prismatic;
    return fmt::format("no resting start: nothing balances a {} of {:.4g} {} on {}joint '{}'{}",
                       slides ? "force" : "torque", force[worst], slides ? "N" : "N.m",
                       search.statics().isOfMotor(worst) ? "the motor of " : "", joint.name,
                       isGone ? fmt::format("; it goes on for more than {:.3g} {}", search.way(), slides ? "m" : "rad")
                              : std::string());
}

RobotScene atRest(RobotScene scene, const Search& search, const std::vector<double>& s) {
    scene.q = search.statics().joints(search.x());
    scene.v.assign(scene.q.size(), 0);
    for (std::size_t e = 0; e < scene.robot.elements.size(); ++e) {
        RobotElement& element = scene.robot.elements[e];
        if (element.drive) element.drive->start = s[e];
        const auto* series = std::get_if<SpringDamperSeriesLaw>(&element.law);
        if (series == nullptr) continue;
        SpringDamperSeriesParameters parameters = series->parameters();
        parameters.s_damper_start = s[e] - parameters.s_unstretched;
        element.law = SpringDamperSeriesLaw(parameters);
    }
    return scene;
}

}  // namespace

RobotEquilibrium findRobotEquilibrium(const RobotScene& scene) {
    requireRestable(scene);
    Search search(scene);
    search.run(BacklashLaw::Initial);
    search.run(BacklashLaw::Actual);
    RobotEquilibrium result;
    result.iterations = search.iterations();
    result.found = search.imbalance(BacklashLaw::Actual) <= kGoodEnough;
    if (!result.found) {
        result.reason = reasonOf(search);
        return result;
    }
    const VectorXd left = search.left(BacklashLaw::Actual);
    result.unbalanced = left.size() > 0 ? left.lpNorm<Eigen::Infinity>() : 0;
    const std::vector<double> q = search.statics().joints(search.x());
    const RobotMechanism mechanism(scene, q);
    VectorXd rate;
    for (std::size_t e = 0; e < scene.robot.elements.size(); ++e) {
        result.s.push_back(search.statics().coordinateOf(e, mechanism, search.x(), rate));
        result.f.push_back(staticForce(scene.robot.elements[e].law, result.s.back(), BacklashLaw::Actual).f);
    }
    result.scene = atRest(scene, search, result.s);
    return result;
}

}  // namespace elasto::tools
