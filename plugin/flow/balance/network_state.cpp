#include "balance/network_state.h"

#include "law/hybrid_law.h"

#include <algorithm>

namespace elasto::flow {

BodyTick bodyTick(const FlowBody& start, const BodyState& end, const BodyState& free) {
    BodyTick tick;
    static_cast<BodyState&>(tick) = end;
    if (start.isImmovable()) return tick;
    tick.elementVelocity = end.velocity - free.velocity;
    tick.elementAngularVelocity = end.angularVelocity - free.angularVelocity;
    return tick;
}

ElementTick elementTick(const Law& law, double s, double v, double s_damper, double impulse, double heat) {
    ElementTick tick;
    tick.s = s;
    tick.v = v;
    tick.s_damper = s_damper;
    tick.force = evaluate(law, s, v, s_damper);
    tick.impulse = impulse;
    tick.heat = heat;
    tick.storedEnergy = elasto::storedEnergy(law, s, s_damper);
    return tick;
}

Motion motionOf(const FlowNetwork& network, int body) {
    return body == kWorld ? Motion() : Motion::of(bodyAt(network, body));
}

Row rowOf(const FlowNetwork& network, std::size_t e) {
    const FlowElement& element = network.elements[e];
    return measureRow(
        element, [&](int body) { return motionOf(network, body); }, Turns::of(element));
}

void readRows(const FlowNetwork& network, std::vector<Row>& rows) {
    rows.clear();
    for (std::size_t e = 0; e < network.elements.size(); ++e) rows.push_back(rowOf(network, e));
}

std::vector<Row> rowsOf(const FlowNetwork& network) {
    std::vector<Row> rows;
    readRows(network, rows);
    return rows;
}

Row boundedRowOf(const FlowNetwork& network, std::size_t k) {
    const BoundedRow& row = network.bounded[k];
    return measureRow(
        row, [&](int body) { return motionOf(network, body); }, Turns::of(row));
}

std::size_t reactionCount(const FlowNetwork& network) {
    int count = 0;
    for (const HeldRow& row : network.joints) count = std::max(count, row.reaction + 1);
    for (const BoundedRow& row : network.bounded) count = std::max(count, row.reaction + 1);
    return static_cast<std::size_t>(count);
}

double overrun(const FlowNetwork& network, std::size_t k, double least) {
    const BoundedRow& row = network.bounded[k];
    if (row.kind != BoundedRow::Kind::Limit) return 0;
    const double value = boundedRowOf(network, k).s - row.bound;
    return row.side * value < -least ? value : 0;
}

std::vector<CarriedRotor> carriedRotors(const FlowNetwork& network) {
    std::vector<CarriedRotor> rotors;
    for (const FlowElement& element : network.elements) {
        const GearedCoordinate& geared = element.geared;
        if (geared.carried == 0 || geared.geometry != Geometry::AboutAxis || geared.a != kWorld) continue;
        if (element.a == kWorld || geared.b <= element.a) continue;
        const FlowBody& body = bodyAt(network, geared.b);
        const double inverse = geared.axis.dot(inverseInertiaWorld(body, body.orientation) * geared.axis);
        if (!(inverse > 0)) continue;
        rotors.push_back({static_cast<std::size_t>(geared.b), static_cast<std::size_t>(element.a), element.axis,
                          geared.axis, 1 / inverse, geared.carried});
    }
    return rotors;
}

std::vector<CarriedRotor> spinningRotors(const FlowNetwork& network) {
    std::vector<CarriedRotor> rotors = carriedRotors(network);
    std::erase_if(rotors,
                  [&](const CarriedRotor& rotor) { return network.bodies[rotor.carrier].spinMomentum.isZero(0); });
    return rotors;
}

bool isFloating(const FlowNetwork& network) {
    const std::vector<CarriedRotor> rotors = carriedRotors(network);
    const auto isRotor = [&](int index) {
        return index != kWorld && std::any_of(rotors.begin(), rotors.end(), [&](const CarriedRotor& rotor) {
                   return rotor.body == static_cast<std::size_t>(index);
               });
    };
    const auto isFree = [&](const auto& link) {
        if constexpr (GearedLink<std::decay_t<decltype(link)>>) {
            // What rubs between a rotor and the body that carries it.
            if (link.a == kWorld && isRotor(link.b) && link.isGeared()) return isMovable(network, link.geared.b);
        }
        bool areAll = true;
        forEachBody(link, [&](int body) { areAll = areAll && isMovable(network, body); });
        return areAll;
    };
    const auto isFreeElement = [&](const FlowElement& element) {
        if (isRotor(element.geared.b)) return isMovable(network, element.a) && isMovable(network, element.b);
        return isFree(element) || HybridLaw::from(element.law).neverActs();
    };
    return std::all_of(network.elements.begin(), network.elements.end(), isFreeElement) &&
           std::all_of(network.joints.begin(), network.joints.end(), isFree) &&
           std::all_of(network.bounded.begin(), network.bounded.end(), isFree) &&
           std::all_of(network.contacts.begin(), network.contacts.end(), isFree) &&
           std::all_of(network.bodies.begin(), network.bodies.end(), [&](const FlowBody& body) {
               return body.isImmovable() || (body.inverseMass > 0 && body.linearFactor == Eigen::Vector3d::Ones()) ||
                      isRotor(static_cast<int>(&body - network.bodies.data()));
           });
}

Eigen::Vector3d restVelocity(const FlowNetwork& network) {
    if (isFloating(network)) {
        const double mass = massOf(network);
        return mass > 0 ? Eigen::Vector3d(momentum(network) / mass) : Eigen::Vector3d::Zero();
    }
    Eigen::Vector3d first = Eigen::Vector3d::Zero();
    bool isFound = false;
    bool isOne = true;
    const auto visit = [&](int body) {
        if (isMovable(network, body)) return;
        const Eigen::Vector3d v =
            body == kWorld ? Eigen::Vector3d(Eigen::Vector3d::Zero()) : bodyAt(network, body).velocity;
        if (!isFound) first = v;
        isFound = true;
        isOne &= v == first;
    };
    const auto visitEnds = [&](const auto& link) { forEachBody(link, visit); };
    std::for_each(network.elements.begin(), network.elements.end(), visitEnds);
    std::for_each(network.joints.begin(), network.joints.end(), visitEnds);
    std::for_each(network.bounded.begin(), network.bounded.end(), visitEnds);
    return isOne ? first : Eigen::Vector3d::Zero();
}

double massOf(const FlowNetwork& network) {
    double mass = 0;
    for (const FlowBody& body : network.bodies) mass += body.inverseMass > 0 ? 1 / body.inverseMass : 0;
    return mass;
}

Eigen::Vector3d momentum(const FlowNetwork& network) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const FlowBody& body : network.bodies) {
        for (int k = 0; k < 3; ++k) {
            const double inverse = body.inverseMass * body.linearFactor[k];
            sum[k] += inverse > 0 ? body.velocity[k] / inverse : 0;
        }
    }
    return sum;
}

void shiftLoads(FlowNetwork& network, double t) {
    for (FlowBody& body : network.bodies) {
        for (QuadraticLoad* load : {&body.force, &body.torque}) *load = load->from(t);
    }
    shiftStrengths(network, t);
}

Eigen::Vector3d secondIntegralOf(const QuadraticLoad& load, double h) {
    return h * h * (load.constant / 2 + h * (load.linear / 6 + h / 12 * load.quadratic));
}

bool isDrivenThroughJoints(const FlowNetwork& network) {
    const auto isDriven = [](const FlowBody& body) { return !carriedMotion(body).isZero(0); };
    return !network.joints.empty() && std::any_of(network.bodies.begin(), network.bodies.end(), isDriven);
}

void takeVelocities(const FlowNetwork& from, FlowNetwork& to) {
    for (std::size_t i = 0; i < to.bodies.size(); ++i) {
        to.bodies[i].velocity = from.bodies[i].velocity;
        to.bodies[i].angularVelocity = from.bodies[i].angularVelocity;
    }
}

}  // namespace elasto::flow
