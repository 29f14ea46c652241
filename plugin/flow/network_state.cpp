#include "network_state.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

const FlowBody& bodyAt(const FlowNetwork& network, int body) {
    return network.bodies[static_cast<std::size_t>(body)];
}

bool isMovable(const FlowNetwork& network, int body) {
    return body != kWorld && !bodyAt(network, body).isImmovable();
}

/// Calls visit(body, linear, angular) for each end of an element that can move: the row's gradient there.
template <class Visit>
void forEachEnd(const FlowNetwork& network, std::size_t e, const Row& row, const Visit& visit) {
    const FlowElement& element = network.elements[e];
    if (isMovable(network, element.a)) visit(element.a, Eigen::Vector3d(-row.linear), row.angularA);
    if (isMovable(network, element.b)) visit(element.b, row.linear, row.angularB);
}

/// By a damping impulse: E(theta) = E - theta B + theta^2 A / 2 for the impulse theta r, r the rates.
double dampElements(FlowNetwork& network, double wanted, Eigen::VectorXd& impulses) {
    const std::vector<Row> rows = rowsOf(network);
    Eigen::VectorXd rates = Eigen::VectorXd::Zero(impulses.size());
    for (Eigen::Index e = 0; e < rates.size(); ++e) {
        if (impulses[e] != 0) rates[e] = rows[static_cast<std::size_t>(e)].v;
    }
    const double B = rates.squaredNorm();
    if (!(B > 0) || !std::isfinite(B)) return 0;
    const double A = rates.dot(inverseMass(network, rows) * rates);
    const double root = B * B - 2 * A * wanted;
    const double theta = root >= 0 ? 2 * wanted / (B + std::sqrt(root)) : B / A;
    const double before = kineticEnergy(network);
    applyImpulses(network, rows, theta * rates);
    impulses += theta * rates;
    return before - kineticEnergy(network);
}

}  // namespace

Motion motionOf(const FlowNetwork& network, int body) {
    return body == kWorld ? Motion() : Motion::of(bodyAt(network, body));
}

Row rowOf(const FlowNetwork& network, std::size_t e) {
    const FlowElement& element = network.elements[e];
    return measureRow(element, motionOf(network, element.a), motionOf(network, element.b), element.phi);
}

std::vector<Row> rowsOf(const FlowNetwork& network) {
    std::vector<Row> rows;
    for (std::size_t e = 0; e < network.elements.size(); ++e) rows.push_back(rowOf(network, e));
    return rows;
}

double kineticEnergy(const FlowNetwork& network) {
    double energy = 0;
    for (const FlowBody& body : network.bodies) {
        if (!body.isImmovable()) energy += kineticEnergy(body, Motion::of(body));
    }
    return energy;
}

double storedEnergy(const FlowNetwork& network) {
    double energy = 0;
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        energy += storedEnergy(element.law, rowOf(network, e).s, element.s_damper);
    }
    return energy;
}

Eigen::MatrixXd inverseMass(const FlowNetwork& network, const std::vector<Row>& rows) {
    struct End {
        Eigen::Index element;
        Eigen::Vector3d linear, angular;
    };
    std::vector<std::vector<End>> ends(network.bodies.size());
    for (std::size_t e = 0; e < rows.size(); ++e) {
        forEachEnd(network, e, rows[e], [&](int body, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
            ends[static_cast<std::size_t>(body)].push_back({static_cast<Eigen::Index>(e), linear, angular});
        });
    }
    const auto m = static_cast<Eigen::Index>(rows.size());
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(m, m);
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const FlowBody& body = network.bodies[i];
        const Eigen::Matrix3d inverse = inverseInertiaWorld(body, body.orientation);
        for (const End& one : ends[i]) {
            const Eigen::Vector3d linear = linearResponse(body, one.linear);
            const Eigen::Vector3d angular = inverse * one.angular;
            for (const End& other : ends[i]) {
                W(other.element, one.element) += other.linear.dot(linear) + other.angular.dot(angular);
            }
        }
    }
    return 0.5 * (W + W.transpose()).eval();
}

void applyImpulses(FlowNetwork& network, const std::vector<Row>& rows, const Eigen::VectorXd& impulses) {
    for (std::size_t e = 0; e < rows.size(); ++e) {
        const double P = impulses[static_cast<Eigen::Index>(e)];
        if (P == 0) continue;
        forEachEnd(network, e, rows[e], [&](int i, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
            FlowBody& body = network.bodies[static_cast<std::size_t>(i)];
            body.velocity -= P * linearResponse(body, linear);
            body.angularVelocity -= P * (inverseInertiaWorld(body, body.orientation) * angular);
        });
    }
}

double takeEnergy(FlowNetwork& network, double wanted, double largestShare, Eigen::VectorXd& impulses) {
    double taken = dampElements(network, wanted, impulses);
    const double rest = wanted - taken;
    const double kinetic = kineticEnergy(network);
    if (rest > 0 && rest <= largestShare * kinetic) {
        const double factor = std::sqrt(1 - rest / kinetic);
        for (FlowBody& body : network.bodies) {
            if (body.isImmovable()) continue;
            body.velocity *= factor;
            body.angularVelocity *= factor;
        }
        taken += kinetic - kineticEnergy(network);
    }
    return taken;
}

QuadraticLoad startingAt(const QuadraticLoad& load, double t) {
    return {load.value(t), load.linear + 2 * t * load.quadratic, load.quadratic};
}

Eigen::Vector3d impulseOf(const QuadraticLoad& load, double h) {
    return h * (load.constant + h * (load.linear / 2 + h / 3 * load.quadratic));
}

Eigen::Vector3d secondIntegralOf(const QuadraticLoad& load, double h) {
    return h * h * (load.constant / 2 + h * (load.linear / 6 + h / 12 * load.quadratic));
}

}  // namespace elasto::flow
