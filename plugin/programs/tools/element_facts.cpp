#include "element_facts.h"

#include <elasto/errors.h>
#include <elasto/flow.h>
#include <elasto/parameter_forms.h>
#include <elasto/scene/start.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "statics.h"

namespace elasto::tools {

namespace {

constexpr double kPi = 3.141592653589793;
constexpr double kUsualSpeed = 1;  // [m/s] an impact where nothing in the scene drives bodies together

const FlowBody* movable(const FlowNetwork& network, int body) {
    if (body == kWorld) return nullptr;
    const FlowBody& candidate = network.bodies[static_cast<std::size_t>(body)];
    return candidate.isImmovable() ? nullptr : &candidate;
}

/// Acceleration of s per force along it, and by all loads: what the element's ends do as free bodies.
struct Response {
    double inverseMass = 0;
    double acceleration = 0;
};

Response responseOf(const FlowNetwork& network, const FlowElement& element, Measure m) {
    Response response;
    const auto add = [&](int index, const Eigen::Vector3d& point, double sign) {
        const FlowBody* body = movable(network, index);
        if (body == nullptr) return;
        const Eigen::Matrix3d turn = body->orientation.toRotationMatrix();
        const Eigen::Vector3d factor = body->angularFactor.cwiseSqrt();
        const Eigen::Matrix3d inverseInertia =
            factor.asDiagonal() * turn * body->inverseInertia.asDiagonal() * turn.transpose() * factor.asDiagonal();
        Eigen::Vector3d arm = m.direction;
        if (element.geometry != Geometry::AboutAxis) {
            const Eigen::Vector3d along = body->linearFactor.cwiseProduct(m.direction) * body->inverseMass;
            response.inverseMass += m.direction.dot(along);
            response.acceleration += sign * along.dot(body->force.constant);
            arm = (point - body->position).cross(m.direction);
        }
        response.inverseMass += arm.dot(inverseInertia * arm);
        response.acceleration += sign * arm.dot(inverseInertia * body->torque.constant);
    };
    add(element.b, m.pointB, 1);
    if (!element.isGeared()) {
        add(element.a, element.geometry == Geometry::AlongLine ? m.pointA : m.pointB, -1);
        return response;
    }
    // The carrier feels both wheels.
    const Measure wheels = m;
    m.direction = -element.geared.ratio * wheels.gearedDirection;
    add(element.geared.b, m.pointB, 1);
    m.direction = wheels.direction - element.geared.ratio * wheels.gearedDirection;
    add(element.a, m.pointB, -1);
    return response;
}

/// A law that lifts off: on which side it is hit, and where.
struct Stop {
    double at = 0;        ///< s at which contact begins
    double outwards = 1;  ///< +1: contact is below `at`, -1: above
};

std::optional<Stop> stopOf(const Law& law, double s) {
    const ReducedLaw form = reduced(law);
    if (form.kind != ReducedLaw::Kind::Contact) return std::nullopt;
    if (form.above && (!form.below || s >= unstretched(law))) return Stop{form.edgeHigh, -1};
    return Stop{form.edgeLow, 1};
}

/// Speed at which the bodies arrive at the stop with what drives them at the start.
double arrivalSpeed(const Stop& stop, const ElementPlace& place) {
    const double distance = std::max(0.0, stop.outwards * (place.s - stop.at));
    const double towards = -stop.outwards * place.v;
    const double square = std::copysign(towards * towards, towards) - 2 * stop.outwards * place.acceleration * distance;
    return square > 0 ? std::sqrt(square) : kUsualSpeed;
}

GapCharacteristic asGap(BacklashCharacteristic characteristic) {
    switch (characteristic) {
        case BacklashCharacteristic::BoundedDamper:
            return GapCharacteristic::BoundedDamper;
        case BacklashCharacteristic::NoPull:
            return GapCharacteristic::NoPull;
        case BacklashCharacteristic::Linear:
            return GapCharacteristic::Linear;
    }
    return GapCharacteristic::Linear;
}

/// Contact time of a lone mass that hits the gap; empty if it does not part within ten half periods, or if these are
/// too short or too long for a number.
std::optional<double> contactTimeByFlow(const ElastoGapParameters& gap, double mass, double speed, double omega) {
    const double period = kPi / omega;
    const bool isInRange =
        std::isfinite(10 * period) && period > 0 && std::isfinite(speed * period) && 1 / mass <= kLargestParameter;
    if (!isInRange) return std::nullopt;
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(mass, Eigen::Vector3d::Constant(mass)));
    network.bodies[0].position = {gap.s_rel0 + 0.1 * period * speed, 0, 0};
    network.bodies[0].velocity = {-speed, 0, 0};
    FlowElement element{ElastoGapLaw(gap)};
    element.b = 0;
    network.elements.push_back(element);
    const TickResult tick = solveTick(network, 10 * period);
    if (tick.events.size() < 2) return std::nullopt;
    return tick.events[1].time - tick.events[0].time;
}

/// Slope of the power law at the deepest point of an undamped impact.
double slopeAtDeepest(const ElastoGapParameters& gap, double mass, double speed) {
    if (gap.n == 1 || gap.c == 0) return gap.c;
    const double energy = 0.5 * mass * speed * speed;
    const double depth = std::pow((gap.n + 1) * energy / (gap.c * gap.s_ref * gap.s_ref), 1 / (gap.n + 1));
    return gap.n * gap.c * std::pow(depth, gap.n - 1);
}

void describeGap(const ElastoGapParameters& gap, double speed, ElementFacts& facts) {
    if (gap.c == 0) return;
    facts.stiffness = slopeAtDeepest(gap, facts.effectiveMass, speed);
    if (gap.n == 1 && gap.characteristic != GapCharacteristic::LankaraniNikravesh) {
        const double time = impactOf({gap.c, gap.d}, facts.effectiveMass, gap.characteristic).penetrationTime;
        if (std::isfinite(time)) facts.contactTime = time;
        return;
    }
    facts.speed = speed;
    facts.contactTime =
        contactTimeByFlow(gap, facts.effectiveMass, speed, std::sqrt(facts.stiffness / facts.effectiveMass));
}

/// Elements that share movable bodies with one another, as a network of their own, loads over the tick included.
FlowNetwork componentOf(const FlowNetwork& whole, std::size_t element, std::size_t& inComponent) {
    std::vector<bool> bodies(whole.bodies.size(), false);
    std::vector<bool> elements(whole.elements.size(), false);
    elements[element] = true;
    for (bool grown = true; grown;) {
        grown = false;
        for (std::size_t e = 0; e < whole.elements.size(); ++e) {
            const FlowElement& link = whole.elements[e];
            for (const int body : {link.a, link.b, link.isGeared() ? link.geared.b : kWorld}) {
                if (movable(whole, body) == nullptr) continue;
                const std::size_t b = static_cast<std::size_t>(body);
                if (bodies[b] == elements[e]) continue;
                bodies[b] = true;
                elements[e] = true;
                grown = true;
            }
        }
    }
    // Bodies stay where they are in the list; those of other components stand still, which costs nothing.
    FlowNetwork part;
    part.bodies = whole.bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (!bodies[b] && !whole.bodies[b].isImmovable()) part.bodies[b] = FlowBody();
    }
    for (std::size_t e = 0; e < whole.elements.size(); ++e) {
        if (e == element) inComponent = part.elements.size();
        if (elements[e]) part.elements.push_back(whole.elements[e]);
    }
    return part;
}

/// The method of a tick in which the element acts.
std::string methodInContact(const FlowNetwork& whole, std::size_t index, const std::optional<Stop>& stop, double depth,
                            double h) {
    std::size_t own = 0;
    FlowNetwork part = componentOf(whole, index, own);
    FlowElement& element = part.elements[own];
    if (stop) {
        const Measure m = measure(part, element);
        const bool moveB = movable(part, element.b) != nullptr;
        const double way = (moveB ? 1 : -1) * (stop->at - stop->outwards * depth - m.s);
        Eigen::Matrix<double, 6, 1> step = Eigen::Matrix<double, 6, 1>::Zero();
        (element.geometry == Geometry::AboutAxis ? step.tail<3>() : step.head<3>()) = way * m.direction;
        moveBody(part.bodies[static_cast<std::size_t>(moveB ? element.b : element.a)], step);
        if (element.geometry == Geometry::AboutAxis && !element.isGeared()) element.phi = m.s;
    }
    return methodName(solveTick(part, h).method);
}

ElementFacts factsOf(const Scene& scene, const FlowNetwork& network, std::size_t e, double h) {
    const FlowElement& element = network.elements[e];
    const ElementPlace place = elementPlace(network, element);
    ElementFacts facts = tools::factsOf(element.law, place, h);
    facts.name = scene.elements[e].name;
    facts.type = elementTypeName(scene.elements[e].type);
    const std::optional<Stop> stop = stopOf(element.law, place.s);
    const double k = facts.stiffness * place.inverseMass;
    const double speed = stop ? arrivalSpeed(*stop, place) : 0;
    facts.method = methodInContact(network, e, stop, k > 0 ? 0.5 * speed / std::sqrt(k) : 0, h);
    return facts;
}

/// What the flow has refused, with the name of the scene's body in the place of its index.
std::string withName(const Scene& scene, const InvalidParameter& refused) {
    const auto* network = dynamic_cast<const InvalidNetwork*>(&refused);
    if (network == nullptr) return refused.what();
    if (network->part() == InvalidNetwork::Part::Element) return refused.problem();
    return fmt::format("body '{}': {}", scene.bodies[static_cast<std::size_t>(network->index())].name,
                       refused.problem());
}

}  // namespace

double explicitRate(double k, double b) {
    return (b + std::sqrt(b * b + 4 * k)) / 4;
}

FlowNetwork loadedNetwork(const Scene& scene, double h) {
    FlowNetwork network = startNetwork(scene);
    for (const SceneLoad& load : scene.loads) {
        FlowBody& body = network.bodies[static_cast<std::size_t>(load.body)];
        const auto wrench = [&](double t) {
            return loadWrench(scene.bodies[static_cast<std::size_t>(load.body)], load, body.orientation, t);
        };
        const LoadValue start = wrench(0);
        const LoadValue middle = wrench(h / 2);
        const LoadValue end = wrench(h);
        body.force += QuadraticLoad::through(start.head<3>(), middle.head<3>(), end.head<3>(), h);
        body.torque += QuadraticLoad::through(start.tail<3>(), middle.tail<3>(), end.tail<3>(), h);
    }
    return network;
}

ElementPlace elementPlace(const FlowNetwork& network, const FlowElement& element) {
    const Measure m = measure(network, element);
    const Response response = responseOf(network, element, m);
    return {response.inverseMass, m.s, m.v, response.acceleration};
}

ElementFacts factsOf(const Law& law, const ElementPlace& place, double h) {
    ElementFacts facts;
    facts.effectiveMass = 1 / place.inverseMass;
    const std::optional<Stop> stop = stopOf(law, place.s);
    const double speed = stop ? arrivalSpeed(*stop, place) : 0;
    double decay = 0;  // b in x'' = -k x - b x'
    const ReducedLaw form = reduced(law);
    if (const auto* gap = std::get_if<ElastoGapLaw>(&law)) {
        describeGap(gap->parameters(), speed, facts);
        decay = gap->parameters().d * place.inverseMass;
    } else if (const auto* lash = std::get_if<ElastoBacklashLaw>(&law)) {
        const ElastoBacklashParameters& p = lash->parameters();
        facts.stiffness = p.c;
        decay = p.d * place.inverseMass;
        if (stop) describeGap({.c = p.c, .d = p.d, .characteristic = asGap(p.characteristic)}, speed, facts);
    } else if (const auto* rope = std::get_if<RopeLaw>(&law)) {
        const RopeParameters& p = rope->parameters();
        describeGap({.c = p.c, .d = p.d, .n = p.n, .s_ref = p.s_ref}, speed, facts);  // its mirror image
        decay = p.d * place.inverseMass;
    } else if (form.kind == ReducedLaw::Kind::Series) {
        // In series the force itself decays at the rate c/d, and obeys the same equation. Without a damper none is
        // left.
        facts.stiffness = form.d > 0 ? form.c : 0;
        decay = form.d > 0 ? form.c / form.d : 0;
    } else {
        facts.stiffness = form.c;
        decay = (form.hasRebound ? std::max(form.d, form.d_rebound) : form.d) * place.inverseMass;
    }
    const double k = facts.stiffness * place.inverseMass;
    if (k > 0) {
        facts.frequency = std::sqrt(k) / (2 * kPi);
        facts.dampingRatio = decay / (2 * std::sqrt(k));
    }
    if (k > 0 || decay > 0) facts.explicitRate = explicitRate(k, decay);
    if (facts.contactTime) facts.contactTicks = *facts.contactTime / h;
    return facts;
}

std::vector<ElementFacts> explainElements(const Scene& scene, double rate) {
    const FlowNetwork network = loadedNetwork(scene, 1 / rate);
    std::vector<ElementFacts> all;
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        try {
            all.push_back(factsOf(scene, network, e, 1 / rate));
        } catch (const InvalidParameter& refused) {
            throw InvalidParameter(
                fmt::format("{} '{}'", elementTypeName(scene.elements[e].type), scene.elements[e].name),
                fmt::format("cannot be explained: {}", withName(scene, refused)));
        }
    }
    return all;
}

}  // namespace elasto::tools
