#include "friction_rows.h"

#include "numerics/elementary.h"

#include <algorithm>
#include <cmath>

namespace elasto {

double QuadraticShare::at(double t) const {
    return std::max(0., constant + t * (linear + t * quadratic));
}

QuadraticShare QuadraticShare::from(double t) const {
    return {constant + t * (linear + t * quadratic), linear + 2 * t * quadratic, quadratic};
}

double DryFriction::sliding(double speed) const {
    return slow + bySpeed * speed + (stribeck > 0 ? stribeck * flow::elementary::expm1(-decay * speed) : 0);
}

namespace flow {

namespace {

const FrictionLaw* frictionOf(const FlowElement& element) {
    return std::get_if<FrictionLaw>(&element.law);
}

/// Of an element, at a time inside the tick.
double shareAt(const FlowNetwork& network, std::size_t element, double t) {
    double from = 0;
    const QuadraticShare* share = &network.elements[element].f_normalized;
    for (const LoadChange& change : network.changes) {
        if (change.element != static_cast<int>(element) || change.time > t) continue;
        from = change.time;
        share = &change.share;
    }
    return share->at(t - from);
}

BoundedRow rowOf(const FlowNetwork& network, int index, double h) {
    const FlowElement& element = network.elements[static_cast<std::size_t>(index)];
    const FrictionLaw& law = *frictionOf(element);
    const FrictionParameters& parameters = law.parameters();
    BoundedRow row;
    row.kind = BoundedRow::Kind::Motor;
    row.geometry = element.geometry;
    row.a = element.a;
    row.b = element.b;
    row.pointA = element.pointA;
    row.pointB = element.pointB;
    row.axis = element.axis;
    row.frameA = element.frameA;
    row.frameB = element.frameB;
    row.turns = element.turns;
    row.phi = element.phi;
    row.friction = {.element = index,
                    .slow = parameters.F_Coulomb + parameters.F_Stribeck,
                    .peak = parameters.peak,
                    .bySpeed = parameters.F_prop,
                    .stribeck = parameters.F_Stribeck,
                    .decay = parameters.fexp,
                    .share = element.f_normalized};
    const double share = shareAt(network, static_cast<std::size_t>(index), h / 2);
    row.maxForce = share * row.friction.sliding(std::abs(measure(network, element).v));
    return row;
}

/// A hard stop of the same coordinate.
BoundedRow stopOf(BoundedRow row, int side, double bound) {
    row.kind = BoundedRow::Kind::Limit;
    row.side = -side;
    row.bound = bound;
    row.friction = {};
    row.maxForce = 0;
    return row;
}

}  // namespace

bool hasFriction(const FlowNetwork& network) {
    return std::any_of(network.elements.begin(), network.elements.end(),
                       [](const FlowElement& element) { return frictionOf(element) != nullptr; });
}

void addFrictionRows(const FlowNetwork& network, double h, FlowNetwork& withRows) {
    withRows = network;
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FrictionLaw* law = frictionOf(network.elements[e]);
        if (law == nullptr) continue;
        const BoundedRow row = rowOf(network, static_cast<int>(e), h);
        withRows.bounded.push_back(row);
        if (law->hasStop(-1)) withRows.bounded.push_back(stopOf(row, -1, law->parameters().s_min));
        if (law->hasStop(+1)) withRows.bounded.push_back(stopOf(row, +1, law->parameters().s_max));
    }
}

void takeFrictionRows(const FlowNetwork& network, double h, TickResult& result) {
    std::size_t k = network.bounded.size();
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FrictionLaw* law = frictionOf(network.elements[e]);
        if (law == nullptr) continue;
        const BoundedTick& row = result.bounded[k++];
        double impulse = row.impulse, force = row.force;
        bool isHeld = row.isHeld;
        for (const int side : {-1, +1}) {
            if (!law->hasStop(side)) continue;
            const BoundedTick& stop = result.bounded[k++];
            impulse += stop.impulse;
            force += stop.force;
            isHeld |= stop.isHeld;
        }
        // A row pushes b along the coordinate, an element's force pulls it back.
        ElementTick& element = result.elements[e];
        element.impulse = -impulse;
        element.heat = -row.work;
        result.energyHandedOut += row.work;  // a row's work is a load's, an element's is its own
        element.s_damper =
            isHeld ? law->sticking(-force) : std::copysign(FrictionLaw::kSlides + shareAt(network, e, h), element.v);
        element.force = law->evaluate(element.s, element.v, element.s_damper);
    }
    result.bounded.resize(network.bounded.size());
}

}  // namespace flow
}  // namespace elasto
