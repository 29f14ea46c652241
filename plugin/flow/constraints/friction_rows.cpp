#include "constraints/friction_rows.h"

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

/// Of an element, at a time inside the tick.
template <class Network>
double shareAt(const Network& network, std::size_t element, double t) {
    double from = 0;
    const QuadraticShare* share = &network.elements[element].f_normalized;
    for (const auto& change : network.changes) {
        if (change.element != static_cast<int>(element) || change.time > t) continue;
        from = change.time;
        share = &change.share;
    }
    return share->at(t - from);
}

/// A row on the element's coordinate that does nothing yet.
BoundedRow rowOn(const FlowElement& element) {
    BoundedRow row;
    row.geometry = element.geometry;
    row.a = element.a;
    row.b = element.b;
    row.pointA = element.pointA;
    row.pointB = element.pointB;
    row.axis = element.axis;
    row.frameA = element.frameA;
    row.frameB = element.frameB;
    row.turns = element.turns;
    row.geared = element.geared;
    row.phi = element.phi;
    return row;
}

TreeBounded rowOn(const TreeElement& element) {
    TreeBounded row;
    static_cast<TreeCoordinate&>(row) = element;
    return row;
}

double rateOf(const FlowNetwork& network, const FlowElement& element) {
    return measure(network, element).v;
}

double rateOf(const TreeNetwork& network, const TreeElement& element) {
    double rate = 0;
    for (const TreeTerm& term : element.terms) {
        const FlowTree& tree = network.trees[static_cast<std::size_t>(term.tree)];
        const auto i = static_cast<std::size_t>(term.index);
        rate += term.coefficient * (term.kind == TreeTerm::Kind::Joint ? tree.links[i].qd : tree.rotors[i].w);
    }
    return rate;
}

template <class Network>
auto frictionRow(const Network& network, std::size_t index, double h) {
    const auto& element = network.elements[index];
    const FrictionParameters& parameters = frictionOf(element.law)->parameters();
    auto row = rowOn(element);
    row.kind = BoundedRow::Kind::Motor;
    row.friction = {.element = static_cast<int>(index),
                    .slow = parameters.F_Coulomb + parameters.F_Stribeck,
                    .peak = parameters.peak,
                    .bySpeed = parameters.F_prop,
                    .stribeck = parameters.F_Stribeck,
                    .decay = parameters.fexp,
                    .share = element.f_normalized};
    const double share = shareAt(network, index, h / 2);
    row.maxForce = share * row.friction.sliding(std::abs(rateOf(network, element)));
    return row;
}

/// A hard stop of the same coordinate.
template <class Row>
Row stopOf(Row row, int side, double bound) {
    row.kind = BoundedRow::Kind::Limit;
    row.side = -side;
    row.bound = bound;
    row.friction = {};
    row.maxForce = 0;
    return row;
}

template <class Network>
bool hasAny(const Network& network) {
    return std::any_of(network.elements.begin(), network.elements.end(),
                       [](const auto& element) { return frictionOf(element.law) != nullptr; });
}

template <class Network>
void addRows(const Network& network, double h, Network& withRows) {
    withRows = network;
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FrictionLaw* law = frictionOf(network.elements[e].law);
        if (law == nullptr) continue;
        const auto row = frictionRow(network, e, h);
        withRows.bounded.push_back(row);
        if (law->hasStop(-1)) withRows.bounded.push_back(stopOf(row, -1, law->parameters().s_min));
        if (law->hasStop(+1)) withRows.bounded.push_back(stopOf(row, +1, law->parameters().s_max));
    }
}

template <class Network, class Result>
void takeRows(const Network& network, double h, Result& result) {
    std::size_t k = network.bounded.size();
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FrictionLaw* law = frictionOf(network.elements[e].law);
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
        // What has all its force and is at rest beside others that hold, too, pulls as it does.
        const double direction = std::abs(element.v) > FrictionLaw::kRest ? element.v : -force;
        element.s_damper =
            isHeld ? law->sticking(-force) : std::copysign(FrictionLaw::kSlides + shareAt(network, e, h), direction);
        element.force = law->evaluate(element.s, element.v, element.s_damper);
    }
    result.bounded.resize(network.bounded.size());
}

}  // namespace

bool hasFriction(const FlowNetwork& network) {
    return hasAny(network);
}

bool hasFriction(const TreeNetwork& network) {
    return hasAny(network);
}

void addFrictionRows(const FlowNetwork& network, double h, FlowNetwork& withRows) {
    addRows(network, h, withRows);
}

void addFrictionRows(const TreeNetwork& network, double h, TreeNetwork& withRows) {
    addRows(network, h, withRows);
}

void takeFrictionRows(const FlowNetwork& network, double h, TickResult& result) {
    takeRows(network, h, result);
}

void takeFrictionRows(const TreeNetwork& network, double h, TreeTickResult& result) {
    takeRows(network, h, result);
}

}  // namespace flow
}  // namespace elasto
