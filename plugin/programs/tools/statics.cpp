#include "statics.h"

#include <cmath>
#include <variant>

namespace elasto::tools {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

}  // namespace

StaticForce staticForce(const Law& law, double s, BacklashLaw backlash) {
    const ReducedLaw form = reduced(law);
    if (const auto* lash = std::get_if<ElastoBacklashLaw>(&law);
        lash != nullptr && !lash->isPlainSpringDamper() && backlash == BacklashLaw::Initial) {
        const ElastoBacklashParameters& p = lash->parameters();
        return {lash->initialTorque(s), std::abs(s - p.phi_rel0) > 0.75 * p.b ? p.c : p.c / 3};
    }
    const double z = innerStart(law);
    const ForceTerms terms = evaluate(law, s, 0, z);
    switch (form.kind) {
        case ReducedLaw::Kind::SpringDamper:
            return {terms.f, form.c};
        case ReducedLaw::Kind::Slip: {
            const bool sticks = form.c_slip * std::abs(s - form.edgeHigh - z) < form.f_slip;
            return {terms.f, form.c - (sticks ? 0 : form.c_slip)};
        }
        case ReducedLaw::Kind::Series:
            // A damper in series gives way until there is no force left, so at rest there is none.
            return {};
        case ReducedLaw::Kind::Friction:
            // It holds any place; what is looked for is where it has nothing to hold.
            return {};
        case ReducedLaw::Kind::Contact:
            break;
    }
    if (!terms.contact) return {};
    if (terms.f >= form.f_max) return {terms.f, 0};  // it slips
    const double upper = s - form.edgeHigh - (form.f_max < kLargestParameter ? z : 0);
    const double y = form.above && upper > 0 ? upper : form.edgeLow - s;
    return {terms.f, form.n * form.c * std::pow(y / form.s_ref, form.n - 1)};
}

void moveBody(BodyState& body, const Vector6& step) {
    body.position += step.head<3>();
    const double angle = step.tail<3>().norm();
    if (angle > 0) {
        body.orientation = Eigen::AngleAxisd(angle, step.tail<3>() / angle) * body.orientation;
        body.orientation.normalize();
    }
}

void Statics::move(const Eigen::VectorXd& step) {
    for (std::size_t i = 0; i < m_network.bodies.size(); ++i) {
        moveBody(m_network.bodies[i], step.segment<6>(6 * static_cast<Eigen::Index>(i)));
    }
    for (FlowElement& element : m_network.elements) {
        if (element.geometry != Geometry::AboutAxis) continue;
        const Measure now = measure(m_network, element);
        element.phi = now.s + element.geared.ratio * now.geared;
        element.geared.phi = now.geared;
    }
}

Eigen::VectorXd Statics::gradient(const FlowNetwork& network, const FlowElement& element) const {
    const Measure m = measure(network, element);
    Eigen::VectorXd ds = Eigen::VectorXd::Zero(size());
    const auto add = [&](int body, const Eigen::Vector3d& point, double sign) {
        if (body == kWorld) return;
        auto entry = ds.segment<6>(6 * static_cast<Eigen::Index>(body));
        if (element.geometry == Geometry::AboutAxis) {
            entry.tail<3>() += sign * m.direction;
        } else {
            const Eigen::Vector3d arm = point - network.bodies[static_cast<std::size_t>(body)].position;
            entry.head<3>() += sign * m.direction;
            entry.tail<3>() += sign * arm.cross(m.direction);
        }
    };
    add(element.b, m.pointB, 1);
    // Along an axis the force acts on both bodies through the point of b.
    add(element.a, element.geometry == Geometry::AlongLine ? m.pointA : m.pointB, -1);
    if (element.isGeared()) {
        const auto turn = [&](int body, double share) {
            if (body != kWorld) ds.segment<3>(6 * static_cast<Eigen::Index>(body) + 3) += share * m.gearedDirection;
        };
        turn(element.geared.b, -element.geared.ratio);
        turn(element.geared.a, element.geared.ratio);
    }
    return ds;
}

Eigen::VectorXd Statics::forces(BacklashLaw backlash, Eigen::VectorXd* scale) const {
    Eigen::VectorXd sum(size());
    for (std::size_t i = 0; i < m_network.bodies.size(); ++i) {
        const FlowBody& body = m_network.bodies[i];
        sum.segment<6>(6 * static_cast<Eigen::Index>(i)) << body.force.constant, body.torque.constant;
    }
    Eigen::VectorXd absolute = sum.cwiseAbs();
    for (const FlowElement& element : m_network.elements) {
        const Measure m = measure(m_network, element);
        const StaticForce force = staticForce(element.law, m.s, backlash);
        if (force.f == 0 && force.slope == 0) continue;
        const Eigen::VectorXd ds = gradient(m_network, element);
        sum -= force.f * ds;
        const double reach =
            element.geometry == Geometry::AboutAxis ? 1 + std::abs(m.s) : 1e-3 + m.pointA.norm() + m.pointB.norm();
        absolute += (std::abs(force.f) + 1e-5 * force.slope * reach) * ds.cwiseAbs();
    }
    if (scale != nullptr) *scale = absolute;
    return sum;
}

Eigen::MatrixXd Statics::stiffness(BacklashLaw backlash) const {
    // Directions change smoothly with the poses, so differences of this size are right to 1e-9 of a direction.
    constexpr double kDifference = 1e-6;
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(size(), size());
    for (const FlowElement& element : m_network.elements) {
        const StaticForce force = staticForce(element.law, measure(m_network, element).s, backlash);
        if (force.f == 0 && force.slope == 0) continue;
        const Eigen::VectorXd ds = gradient(m_network, element);
        result += force.slope * ds * ds.transpose();
        for (const int body : {element.a, element.b, element.isGeared() ? element.geared.b : kWorld}) {
            if (body == kWorld || force.f == 0) continue;
            for (int k = 0; k < 6; ++k) {
                const Eigen::Index column = 6 * static_cast<Eigen::Index>(body) + k;
                FlowNetwork moved = m_network;
                moveBody(moved.bodies[static_cast<std::size_t>(body)], kDifference * Vector6::Unit(k));
                Eigen::VectorXd change = gradient(moved, element);
                moved = m_network;
                moveBody(moved.bodies[static_cast<std::size_t>(body)], -kDifference * Vector6::Unit(k));
                change -= gradient(moved, element);
                result.col(column) += force.f * change / (2 * kDifference);
            }
        }
    }
    return 0.5 * (result + result.transpose());
}

Eigen::MatrixXd Statics::mobilityRoot() const {
    Eigen::MatrixXd root = Eigen::MatrixXd::Zero(size(), size());
    for (std::size_t i = 0; i < m_network.bodies.size(); ++i) {
        const FlowBody& body = m_network.bodies[i];
        const Eigen::Index k = 6 * static_cast<Eigen::Index>(i);
        root.block<3, 3>(k, k) = (body.linearFactor * body.inverseMass).cwiseSqrt().asDiagonal();
        root.block<3, 3>(k + 3, k + 3) = body.angularFactor.cwiseSqrt().asDiagonal() *
                                         body.orientation.toRotationMatrix() *
                                         body.inverseInertia.cwiseSqrt().asDiagonal();
    }
    return root;
}

}  // namespace elasto::tools
