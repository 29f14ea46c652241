#include "equilibrium.h"

#include <elasto/errors.h>
#include <elasto/scene/start.h>
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "held_joints.h"
#include "statics.h"

namespace elasto::tools {

namespace {

constexpr int kMaxIterations = 2000;
constexpr double kLargestTurn = 0.3;  // [rad] per step: a linearised rotation beyond that means little
constexpr double kFarAway = 1e5;      // sizes of the scene: who got so far has nothing that stops him
constexpr double kBalanced = 1e-13;   // of the forces that act (Statics::forces): as good as numbers allow
constexpr double kGoodEnough = 1e-7;  // of the same: stiff stops far from the origin allow no better
constexpr double kClosed = 1e-9;      // sizes of the scene: joints are as near as numbers allow
constexpr double kSofter = 0.25;
constexpr double kHarder = 4;

/// Sum of loads and gravity at t = 0 with all bodies at rest.
FlowNetwork restingNetwork(const Scene& scene) {
    FlowNetwork network = startNetwork(scene);
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        FlowBody& body = network.bodies[i];
        if (body.isImmovable() && !(body.velocity.isZero(0) && body.angularVelocity.isZero(0))) {
            throw InvalidParameter(
                "body '" + scene.bodies[i].name + "'",
                "its path moves it at t = 0, so that nothing can rest; let the path begin with a stop");
        }
        body.velocity.setZero();
        body.angularVelocity.setZero();
    }
    for (const SceneLoad& load : scene.loads) {
        const auto index = static_cast<std::size_t>(load.body);
        FlowBody& body = network.bodies[index];
        const bool turns =
            load.resolveInFrame == SceneLoad::Axes::Body || !loadArm(scene.bodies[index], load).isZero(0);
        if (turns && !loadValue(load, 0).isZero(0) && !body.angularFactor.isZero(0)) {
            throw InvalidParameter("load '" + load.name + "'",
                                   "loads that turn with their body are not part of the search for a rest; take a "
                                   "force at the centre of mass or a torque, resolved in world");
        }
        (load.quantity == SceneLoad::Quantity::Force ? body.force : body.torque).constant += loadValue(load, 0);
    }
    return network;
}

/// The way to a rest begins with the forces at the start.
void requireFiniteForces(const Scene& scene, const FlowNetwork& network) {
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        const double f = staticForce(element.law, measure(network, element).s, BacklashLaw::Initial).f;
        if (std::isfinite(f)) continue;
        throw InvalidParameter(fmt::format("{} '{}'", elementTypeName(scene.elements[e].type), scene.elements[e].name),
                               "f", f, "finite at the start; move the bodies closer to a rest");
    }
}

bool isMovable(const FlowNetwork& network, int body) {
    return body != kWorld && !network.bodies[static_cast<std::size_t>(body)].isImmovable();
}

/// Turns bodies that hang on one backlash alone to where its initial characteristic carries their load: with a stiff
/// one and a large load that is far from the start, and its inverse is known.
void turnIntoBacklashes(FlowNetwork& network) {
    for (FlowElement& element : network.elements) {
        const auto* law = std::get_if<ElastoBacklashLaw>(&element.law);
        if (law == nullptr || element.isGeared() || isMovable(network, element.a) == isMovable(network, element.b))
            continue;
        const int body = isMovable(network, element.b) ? element.b : element.a;
        const auto uses = std::count_if(network.elements.begin(), network.elements.end(),
                                        [&](const FlowElement& other) { return other.a == body || other.b == body; });
        if (uses != 1) continue;
        const double sign = body == element.b ? 1 : -1;
        const Measure now = measure(network, element);
        FlowBody& turned = network.bodies[static_cast<std::size_t>(body)];
        const double tau = sign * now.direction.dot(turned.torque.constant);
        const double target = law->initialAngle(tau);
        turned.orientation = Eigen::AngleAxisd(sign * (target - now.s), now.direction) * turned.orientation;
        turned.orientation.normalize();
        element.phi = target;
    }
}

class Search {
public:
    Search(const Scene& scene, FlowNetwork start)
        : m_statics(std::move(start)), m_joints(scene, m_statics.network()), m_start(m_statics.network()) {
        m_size = 1e-3;
        for (const FlowBody& body : m_start.bodies) m_size = std::max(m_size, body.position.norm());
        for (const FlowElement& element : m_start.elements) {
            m_size = std::max({m_size, element.pointA.norm(), element.pointB.norm()});
        }
        m_joints.close(m_statics);
    }

    const Statics& statics() const { return m_statics; }
    const HeldJoints& joints() const { return m_joints; }
    /// Accelerations that are left, with all that is held.
    Eigen::VectorXd accelerations() const {
        const Eigen::VectorXd force = m_statics.forces(BacklashLaw::Actual);
        const Eigen::MatrixXd free = m_joints.hold(m_statics, force).free;
        return free * (free.transpose() * force);
    }
    int iterations() const { return m_iterations; }
    double size() const { return m_size; }

    /// Share of the forces that is not balanced, in the directions in which bodies can move.
    double imbalance(BacklashLaw backlash) const {
        Eigen::VectorXd scale;
        const Eigen::VectorXd force = m_statics.forces(backlash, &scale);
        const double left = (m_joints.hold(m_statics, force).free.transpose() * force).norm();
        const double all = (m_statics.mobilityRoot().cwiseAbs().transpose() * scale).norm();
        return left == 0 ? 0 : left / all;
    }

    double farthest() const { return distance(farthestBody()); }
    std::size_t farthestBody() const {
        std::size_t farthest = 0;
        for (std::size_t i = 1; i < m_start.bodies.size(); ++i) {
            if (distance(i) > distance(farthest)) farthest = i;
        }
        return farthest;
    }

    /// Goes on until nothing is left, nothing gets better, or a body is far away.
    void run(BacklashLaw backlash) {
        double viscosity = -1;
        while (m_iterations < kMaxIterations && imbalance(backlash) > kBalanced && farthest() < kFarAway * m_size) {
            ++m_iterations;
            const Eigen::VectorXd force = m_statics.forces(backlash);
            const HeldJoints::Hold hold = m_joints.letGo(m_statics, force);
            if (hold.free.cols() == 0) return;
            const Eigen::VectorXd reduced = hold.free.transpose() * force;
            Eigen::MatrixXd all = m_statics.stiffness(backlash);
            if (!m_joints.isEmpty()) all += m_joints.stiffness(m_statics, hold.forces);
            const Eigen::MatrixXd stiffness = hold.free.transpose() * all * hold.free;
            const double least = std::max(1e-14 * stiffness.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
            if (viscosity < 0) viscosity = (hold.free * reduced).cwiseAbs().maxCoeff() / (0.01 * m_size);
            if (!step(backlash, hold.free, reduced, stiffness, least, viscosity)) return;
        }
    }

private:
    double distance(std::size_t body) const {
        if (body >= m_start.bodies.size()) return 0;
        return (m_statics.network().bodies[body].position - m_start.bodies[body].position).norm();
    }

    /// One accepted step. False if there is none that helps.
    bool step(BacklashLaw backlash, const Eigen::MatrixXd& free, const Eigen::VectorXd& reduced,
              const Eigen::MatrixXd& stiffness, double least, double& viscosity) {
        const double longest = m_size + farthest();
        for (viscosity = std::max(viscosity, least); std::isfinite(viscosity); viscosity *= kHarder) {
            Eigen::MatrixXd matrix = stiffness;
            matrix.diagonal().array() += viscosity;
            const Eigen::LLT<Eigen::MatrixXd> factors(matrix);
            if (factors.info() != Eigen::Success) continue;
            const Eigen::VectorXd forward = factors.solve(reduced), way = free * forward;
            if (isTooLong(way, longest)) continue;
            if (way.cwiseAbs().maxCoeff() <= 1e-17 * m_size) return false;
            Statics next = m_statics;
            HeldJoints joints = m_joints;
            next.move(way);
            joints.close(next);
            const Eigen::VectorXd there = next.forces(backlash);
            const HeldJoints::Hold held = joints.hold(next, there);
            const bool better = (held.free.transpose() * there).norm() < reduced.norm();
            // Past the rest the forces point back. A little is no harm, the next step returns.
            const bool onTheWay = held.left.dot(way) >= -0.5 * reduced.dot(forward) && farFromRounding(way);
            if (!better && !onTheWay) continue;
            m_statics = next;
            m_joints = joints;
            viscosity *= kSofter;
            return true;
        }
        return false;
    }

    static bool isTooLong(const Eigen::VectorXd& way, double longest) {
        for (Eigen::Index i = 0; i < way.size(); i += 6) {
            if (way.segment<3>(i).norm() > longest || way.segment<3>(i + 3).norm() > kLargestTurn) return true;
        }
        return false;
    }

    // Steps as small as the rounding of the poses must lessen the forces, or they would go on for ever.
    bool farFromRounding(const Eigen::VectorXd& way) const { return way.cwiseAbs().maxCoeff() > 1e-12 * m_size; }

    Statics m_statics;
    HeldJoints m_joints;
    FlowNetwork m_start;
    double m_size = 0;
    int m_iterations = 0;
};

/// The sentence for a scene that cannot rest: about the body that went away, or else the one that is pushed most.
std::string reasonOf(const Scene& scene, const Search& search) {
    const Statics& statics = search.statics();
    const Eigen::VectorXd force = statics.forces(BacklashLaw::Actual);
    const bool gone = search.farthest() > search.size();
    const Eigen::VectorXd acceleration = search.accelerations();
    Eigen::Index worst = 6 * static_cast<Eigen::Index>(search.farthestBody());
    if (!gone) acceleration.cwiseAbs().maxCoeff(&worst);
    const Eigen::Index body = worst / 6;
    const bool turns = worst % 6 >= 3;
    const Eigen::Vector3d left = force.segment<3>(6 * body + (turns ? 3 : 0));
    return fmt::format("no resting start: nothing balances a {} of ({:.4g}, {:.4g}, {:.4g}) {} on body '{}'{}",
                       turns ? "torque" : "force", left.x(), left.y(), left.z(), turns ? "N.m" : "N",
                       scene.bodies[static_cast<std::size_t>(body)].name,
                       gone ? fmt::format("; it goes on for more than {:.3g} m", search.farthest()) : std::string());
}

/// The scene with its bodies in the given poses, at rest.
Scene withPoses(Scene scene, const FlowNetwork& network) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        SceneBody& body = scene.bodies[i];
        if (body.motion != BodyMotion::Dynamic) continue;
        const BodyState frame = frameState(body, network.bodies[i]);
        body.position = frame.position;
        body.orientation = frame.orientation;
        body.velocity.setZero();
        body.angularVelocity.setZero();
    }
    for (std::size_t e = 0; e < scene.elements.size(); ++e) {
        SceneElement& element = scene.elements[e];
        const double s = measure(network, network.elements[e]).s;
        element.start = {};
        if (const auto* series = std::get_if<SpringDamperSeriesLaw>(&element.law)) {
            SpringDamperSeriesParameters parameters = series->parameters();
            parameters.s_damper_start = s - parameters.s_unstretched;
            element.law = SpringDamperSeriesLaw(parameters);
        }
        // An orientation does not tell whole turns.
        if (element.geometry == Geometry::AboutAxis && std::abs(s) > 3) element.start.s = s;
    }
    return scene;
}

}  // namespace

Equilibrium findEquilibrium(const Scene& scene) {
    FlowNetwork network = restingNetwork(scene);
    requireFiniteForces(scene, network);
    turnIntoBacklashes(network);
    Search search(scene, std::move(network));
    search.run(BacklashLaw::Initial);
    search.run(BacklashLaw::Actual);

    Equilibrium result;
    result.iterations = search.iterations();
    const Statics& statics = search.statics();
    if (search.imbalance(BacklashLaw::Actual) > kGoodEnough) {
        result.reason = reasonOf(scene, search);
    } else if (!(search.joints().opening(statics) <= kClosed * search.size())) {
        result.reason = "no resting start: the joints cannot all be closed there";
    } else {
        result.reason = search.joints().weakMotor(statics, statics.forces(BacklashLaw::Actual));
    }
    result.found = result.reason.empty();
    if (!result.found) return result;
    const Eigen::VectorXd left = search.accelerations();
    result.unbalanced = left.size() == 0 ? 0 : left.cwiseAbs().maxCoeff();
    result.scene = withPoses(scene, statics.network());
    for (const FlowElement& element : statics.network().elements) {
        result.s.push_back(measure(statics.network(), element).s);
        result.f.push_back(staticForce(element.law, result.s.back(), BacklashLaw::Actual).f);
    }
    return result;
}

}  // namespace elasto::tools
