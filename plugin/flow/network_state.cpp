#include "network_state.h"

#include "held_rows.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// Newton steps on the joints' values: each squares the error.
constexpr int kPoseRounds = 3;

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
    const Responses responses(network, rows);
    const double A = rates.dot(responses.inverseMass() * rates);
    const double root = B * B - 2 * A * wanted;
    const double theta = root >= 0 ? 2 * wanted / (B + std::sqrt(root)) : B / A;
    const double before = kineticEnergy(network);
    responses.apply(network, theta * rates);
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

Responses::Responses(const FlowNetwork& network, const std::vector<Row>& rows) {
    const BodiesNow bodies = BodiesNow::of(network);
    HeldRows held(network);
    if (!held.empty()) held.place(bodies);
    const std::vector<Vector6> none(network.bodies.size(), Vector6::Zero());
    for (std::size_t e = 0; e < rows.size(); ++e) {
        m_gradients.push_back(none);
        m_responses.push_back(none);
        forEachEnd(network, e, rows[e], [&](int index, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
            const auto i = static_cast<std::size_t>(index);
            m_gradients[e][i] << linear, angular;
            m_responses[e][i] << linearResponse(network.bodies[i], linear), bodies.inverses[i] * angular;
        });
        if (!held.empty()) held.hold(m_responses[e]);
    }
}

Eigen::MatrixXd Responses::inverseMass() const {
    const auto m = static_cast<Eigen::Index>(m_responses.size());
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(m, m);
    for (std::size_t e = 0; e < m_responses.size(); ++e) {
        for (std::size_t f = 0; f < m_responses.size(); ++f) {
            for (std::size_t i = 0; i < m_gradients[f].size(); ++i) {
                W(static_cast<Eigen::Index>(f), static_cast<Eigen::Index>(e)) +=
                    m_gradients[f][i].dot(m_responses[e][i]);
            }
        }
    }
    return 0.5 * (W + W.transpose()).eval();
}

void Responses::apply(FlowNetwork& network, const Eigen::VectorXd& impulses) const {
    for (std::size_t e = 0; e < m_responses.size(); ++e) {
        const double P = impulses[static_cast<Eigen::Index>(e)];
        if (P == 0) continue;
        for (std::size_t i = 0; i < network.bodies.size(); ++i) {
            network.bodies[i].velocity -= P * m_responses[e][i].head<3>();
            network.bodies[i].angularVelocity -= P * m_responses[e][i].tail<3>();
        }
    }
}

void holdVelocities(FlowNetwork& network) {
    HeldRows held(network);
    if (held.empty()) return;
    held.place(BodiesNow::of(network));
    std::vector<Vector6> change(network.bodies.size(), Vector6::Zero());
    held.respond(held.forces(-held.rates()), change);
    for (std::size_t i = 0; i < change.size(); ++i) {
        network.bodies[i].velocity += change[i].head<3>();
        network.bodies[i].angularVelocity += change[i].tail<3>();
    }
}

void holdPoses(FlowNetwork& network, const Eigen::VectorXd& values) {
    HeldRows held(network);
    if (held.empty()) return;
    for (int i = 0; i < kPoseRounds; ++i) {
        held.place(BodiesNow::of(network));
        std::vector<Vector6> shift(network.bodies.size(), Vector6::Zero());
        held.respond(held.forces(values - held.values()), shift);
        for (std::size_t k = 0; k < shift.size(); ++k) {
            FlowBody& body = network.bodies[k];
            body.position += shift[k].head<3>();
            body.orientation = turned(body.orientation, shift[k].tail<3>());
        }
    }
}

Eigen::VectorXd jointValues(const FlowNetwork& network) {
    HeldRows held(network);
    if (held.empty()) return {};
    held.place(BodiesNow::of(network));
    return held.values();
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
