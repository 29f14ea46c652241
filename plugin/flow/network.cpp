#include <elasto/errors.h>
#include <elasto/flow.h>

#include "balance/network_state.h"
#include "law/hybrid_law.h"
#include "validation.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace elasto {

Reaction& Reaction::operator+=(const Reaction& other) {
    linear += other.linear;
    angularA += other.angularA;
    angularB += other.angularB;
    return *this;
}

TickBalance& TickBalance::operator+=(const TickBalance& other) {
    energy += other.energy;
    inPlay += other.inPlay;
    momentum = std::max(momentum, other.momentum);
    joints = std::max(joints, other.joints);
    return *this;
}

FlowBody FlowBody::sphere(double m, double r) {
    return rigid(m, Eigen::Vector3d::Constant(0.4 * m * r * r));
}

FlowBody FlowBody::rigid(double m, const Eigen::Vector3d& inertia) {
    if (!(m > 0) || !std::isfinite(m)) {
        throw InvalidParameter("FlowBody", "m", m, "finite and > 0");
    }
    for (int i = 0; i < 3; ++i) {
        if (!(inertia[i] > 0) || !std::isfinite(inertia[i])) {
            throw InvalidParameter("FlowBody", "I", inertia[i], "finite and > 0");
        }
    }
    FlowBody body;
    body.inverseMass = 1 / m;
    body.inverseInertia = inertia.cwiseInverse();
    return body;
}

void FlowNetwork::adopt(const TickResult& tick) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        static_cast<BodyState&>(bodies[i]) = tick.bodies[i];
    }
    for (std::size_t e = 0; e < elements.size(); ++e) {
        elements[e].s_damper = tick.elements[e].s_damper;
        FlowElement& element = elements[e];
        const ElementTick& end = tick.elements[e];
        flow::Turns{end.s + element.geared.ratio * end.geared, end.geared}.keepIn(element);
        element.pause = end.pause;
    }
    for (std::size_t k = 0; k < bounded.size(); ++k) {
        const BoundedTick& end = tick.bounded[k];
        flow::Turns{end.coordinate + bounded[k].geared.ratio * end.geared, end.geared}.keepIn(bounded[k]);
    }
    for (std::size_t i = 0; i < tick.contacts.size(); ++i) {
        contacts[i].entered = 0;
        contacts[i].slack = tick.contacts[i].slack;
        contacts[i].creep = tick.contacts[i].creep;
        contacts[i].impulse = std::max(tick.contacts[i].impulse, 0.);
    }
}

namespace {

LoadPiece pieceOf(double start, const QuadraticLoad& force, const QuadraticLoad& torque) {
    LoadPiece piece;
    piece.start = start;
    piece.constant << force.constant, torque.constant;
    piece.linear << force.linear, torque.linear;
    piece.quadratic << force.quadratic, torque.quadratic;
    return piece;
}

}  // namespace

LoadValue FlowNetwork::load(std::size_t body, double t) const {
    LoadPiece piece = pieceOf(0, bodies[body].force, bodies[body].torque);
    for (const LoadChange& change : changes) {
        if (static_cast<std::size_t>(change.body) == body && change.time <= t) {
            piece = pieceOf(change.time, change.force, change.torque);
        }
    }
    return piece.value(t);
}

LoadValue FlowNetwork::loadImpulse(std::size_t body, double h) const {
    LoadPiece piece = pieceOf(0, bodies[body].force, bodies[body].torque);
    LoadValue sum = LoadValue::Zero();
    for (const LoadChange& change : changes) {
        if (static_cast<std::size_t>(change.body) != body || change.time >= h) continue;
        sum += piece.impulse(change.time);
        piece = pieceOf(change.time, change.force, change.torque);
    }
    return sum + piece.impulse(h);
}

const char* methodName(FlowMethod method) {
    switch (method) {
        case FlowMethod::Free:
            return "free";
        case FlowMethod::ClosedForm:
            return "closed form";
        case FlowMethod::Taylor:
            return "Taylor";
        case FlowMethod::Dop853:
            return "DOP853";
        case FlowMethod::Rodas4:
            return "RODAS4";
        case FlowMethod::Ros34Pw2:
            return "ROS34PW2";
        case FlowMethod::Contacts:
            return "contacts";
        case FlowMethod::Implicit:
            return "implicit";
        case FlowMethod::BackwardEuler:
            return "backward Euler";
    }
    return "";
}

Measure measure(const FlowNetwork& network, const FlowElement& element) {
    const auto motionAt = [&](int body) { return flow::motionOf(network, body); };
    const flow::Row row = flow::measureRow(element, motionAt, flow::Turns::of(element));
    return {row.s, row.v, row.pointA, row.pointB, row.direction, row.geared, row.gearedDirection};
}

namespace flow {
namespace {

/// Reactions are kept in a dense list.
constexpr int kMostReactions = 1 << 20;

/// The body or element of the network that is looked at.
struct Owner {
    InvalidNetwork::Part part;
    int index;
};

[[noreturn, gnu::noinline]] void refuse(const Owner& owner, const char* field, double value, const char* allowed) {
    throw InvalidNetwork(owner.part, owner.index, field, value, allowed);
}

// Called dozens of times for each part of a network in each tick.
inline void require(bool condition, const Owner& owner, const char* field, double value, const char* allowed) {
    if (!condition) refuse(owner, field, value, allowed);
}

template <class Vector>
void requireFinite(const Vector& values, const Owner& owner, const char* field) {
    for (const double value : values) {
        require(std::isfinite(value), owner, field, value, "finite");
    }
}

void validate(const QuadraticLoad& load, const Owner& owner, const char* field) {
    requireFinite(load.constant, owner, field);
    requireFinite(load.linear, owner, field);
    requireFinite(load.quadratic, owner, field);
}

void validate(const FlowBody& body, const Owner& owner) {
    requireFinite(body.position, owner, "position");
    requireFinite(body.orientation.coeffs(), owner, "orientation");
    const double norm = body.orientation.norm();
    require(std::fabs(norm - 1) < 1e-6, owner, "orientation", norm, "a quaternion of length 1");
    requireFinite(body.velocity, owner, "velocity");
    requireFinite(body.angularVelocity, owner, "angularVelocity");
    require(body.inverseMass >= 0 && body.inverseMass <= kLargestParameter, owner, "inverseMass", body.inverseMass,
            ">= 0 and <= 1e60");
    const std::pair<const char*, const Eigen::Vector3d*> vectors[] = {{"inverseInertia", &body.inverseInertia},
                                                                      {"linearFactor", &body.linearFactor},
                                                                      {"angularFactor", &body.angularFactor}};
    for (const auto& [field, vector] : vectors) {
        for (const double value : *vector) {
            require(value >= 0 && value <= kLargestParameter, owner, field, value, ">= 0 and <= 1e60");
        }
    }
    validate(body.force, owner, "force");
    validate(body.torque, owner, "torque");
}

void requireFinite(const QuadraticShare& share, const Owner& owner) {
    for (const double value : {share.constant, share.linear, share.quadratic}) {
        require(std::isfinite(value), owner, "f_normalized", value, "finite");
    }
}

void validate(const std::vector<LoadChange>& changes, const FlowNetwork& network) {
    double last = 0;
    for (const LoadChange& change : changes) {
        const auto count = static_cast<int>(network.bodies.size());
        const auto elements = static_cast<int>(network.elements.size());
        const bool isOfElement = change.element >= 0;
        if (!isOfElement && (change.body < 0 || change.body >= count)) {
            throw InvalidParameter("LoadChange", "body", change.body, "the index of a body");
        }
        if (change.element >= elements) {
            throw InvalidParameter("LoadChange", "element", change.element, "the index of an element");
        }
        const Owner owner{isOfElement ? InvalidNetwork::Part::Element : InvalidNetwork::Part::Body,
                          isOfElement ? change.element : change.body};
        requireFinite(change.share, owner);
        require(change.time > 0 && std::isfinite(change.time), owner, "time of a LoadChange", change.time, "> 0");
        require(change.time >= last, owner, "time of a LoadChange", change.time, "in the order of time");
        validate(change.force, owner, "force");
        validate(change.torque, owner, "torque");
        last = change.time;
    }
}

void requireBodies(const auto& link, const Owner& owner, const FlowNetwork& network) {
    const auto count = static_cast<int>(network.bodies.size());
    require(link.a >= kWorld && link.a < count, owner, "a", link.a, "kWorld or the index of a body");
    require(link.b >= kWorld && link.b < count, owner, "b", link.b, "kWorld or the index of a body");
}

/// True if no end is on a body that can move.
bool areFixed(const auto& link, const FlowNetwork& network) {
    const auto isFixed = [&](int body) {
        return body == kWorld || network.bodies[static_cast<std::size_t>(body)].isImmovable();
    };
    bool areAll = true;
    forEachBody(link, [&](int body) { areAll = areAll && isFixed(body); });
    return areAll;
}

void validateFrames(const auto& row, const Owner& owner) {
    for (const auto& [field, frame] : {std::pair("frameA", &row.frameA), std::pair("frameB", &row.frameB)}) {
        const double norm = frame->norm();
        require(std::fabs(norm - 1) < 1e-6, owner, field, norm, "a quaternion of length 1");
    }
    require(std::isfinite(row.phi), owner, "phi", row.phi, "finite");
}

void validate(const EulerTurns& turns, const Owner& owner) {
    const auto isAxis = [](int axis) { return axis >= 0 && axis < 3; };
    require(isAxis(turns.first), owner, "turns.first", turns.first, "0, 1 or 2");
    require(isAxis(turns.last) && turns.last != turns.first, owner, "turns.last", turns.last,
            "0, 1 or 2, and not turns.first");
    require(isAxis(turns.about), owner, "turns.about", turns.about, "0, 1 or 2");
}

void validateSpans(const Eigen::Vector2d& spans, const Owner& owner) {
    for (const double span : spans) require(span > 0 && span < kLargestParameter, owner, "spans", span, "> 0");
}

void validateGeared(const auto& link, const Owner& owner, const FlowNetwork& network) {
    const GearedCoordinate& geared = link.geared;
    const auto isOne = [](Geometry geometry) {
        return geometry == Geometry::AlongAxis || geometry == Geometry::AboutAxis;
    };
    require(std::isfinite(geared.ratio), owner, "geared.ratio", geared.ratio, "finite");
    require(isOne(link.geometry), owner, "geometry", static_cast<double>(link.geometry),
            "AlongAxis or AboutAxis of what is geared");
    require(isOne(geared.geometry), owner, "geared.geometry", static_cast<double>(geared.geometry),
            "AlongAxis or AboutAxis");
    requireBodies(geared, owner, network);
    if (geared.a == geared.b) {
        throw InvalidNetwork(owner.part, owner.index,
                             "geared.a and geared.b are the same; a coordinate needs two different ends");
    }
    require(std::isfinite(geared.carried), owner, "geared.carried", geared.carried, "finite");
    require(geared.carried == 0 || link.a != kWorld, owner, "geared.carried", geared.carried,
            "0 where body a is the world, which does not turn");
    const double frame = geared.carrierFrame.norm();
    require(std::fabs(frame - 1) < 1e-6, owner, "geared.carrierFrame", frame, "a quaternion of length 1");
    requireFinite(geared.pointA, owner, "geared.pointA");
    requireFinite(geared.pointB, owner, "geared.pointB");
    require(std::fabs(geared.axis.norm() - 1) < 1e-6, owner, "geared.axis", geared.axis.norm(), "of length 1");
    validateFrames(geared, owner);
}

void validate(const FlowElement& element, const Owner& owner, const FlowNetwork& network) {
    requireBodies(element, owner, network);
    if (element.a == element.b && element.a != kWorld) {
        throw InvalidNetwork(owner.part, owner.index, "a and b are the same body; an element needs two different ends");
    }
    if (element.isGeared()) validateGeared(element, owner, network);
    if (areFixed(element, network)) {
        throw InvalidNetwork(owner.part, owner.index,
                             "both ends are immovable; at least one end must be on a body that can move");
    }
    requireFinite(element.pointA, owner, "pointA");
    requireFinite(element.pointB, owner, "pointB");
    if (element.geometry == Geometry::AlongAxis || element.geometry == Geometry::AboutAxis) {
        const double length = element.axis.norm();
        require(std::fabs(length - 1) < 1e-6, owner, "axis", length, "of length 1");
    }
    require(element.geometry != Geometry::SwingCone, owner, "geometry", static_cast<double>(element.geometry),
            "AlongAxis, AlongLine, AboutAxis, EulerAngle or SwingClearance");
    if (isRotational(element.geometry)) validateFrames(element, owner);
    if (frictionOf(element.law) != nullptr) {
        requireFinite(element.f_normalized, owner);
        require(element.geometry != Geometry::AlongLine, owner, "geometry", static_cast<double>(element.geometry),
                "one of a joint for friction: not AlongLine");
    }
    validateSpans(element.spans, owner);
    if (element.geometry == Geometry::EulerAngle) validate(element.turns, owner);
    require(element.s_small > 0 && std::isfinite(element.s_small), owner, "s_small", element.s_small, "finite and > 0");
    require(std::isfinite(element.s_damper), owner, "s_damper", element.s_damper, "finite");
}

void validateEnds(const auto& row, const Owner& owner, const FlowNetwork& network) {
    requireBodies(row, owner, network);
    if (row.a == row.b || areFixed(row, network)) {
        throw InvalidNetwork(owner.part, owner.index,
                             "a joint needs two different ends, at least one on a body that can move");
    }
    requireFinite(row.pointA, owner, "pointA");
    requireFinite(row.pointB, owner, "pointB");
    require(row.reaction >= -1 && row.reaction <= kMostReactions, owner, "reaction", row.reaction, "-1 or an index");
}

void validate(const HeldRow& row, const Owner& owner, const FlowNetwork& network) {
    validateEnds(row, owner, network);
    require(std::fabs(row.axisA.norm() - 1) < 1e-6, owner, "axisA", row.axisA.norm(), "of length 1");
    if (row.kind != HeldRow::Kind::AlongAxis) {
        require(std::fabs(row.axisB.norm() - 1) < 1e-6, owner, "axisB", row.axisB.norm(), "of length 1");
    }
    require(std::isfinite(row.offset), owner, "offset", row.offset, "finite");
    require(std::isfinite(row.ratio), owner, "ratio", row.ratio, "finite");
}

void validate(const BoundedRow& row, const Owner& owner, const FlowNetwork& network) {
    validateEnds(row, owner, network);
    if (row.isGeared()) validateGeared(row, owner, network);
    const bool isCone = row.geometry == Geometry::SwingCone;
    require(row.geometry != Geometry::AlongLine && !(isCone && row.kind == BoundedRow::Kind::Motor), owner, "geometry",
            static_cast<double>(row.geometry),
            "AlongAxis, AboutAxis, EulerAngle, SwingClearance, or SwingCone of a limit");
    if (row.geometry == Geometry::EulerAngle) validate(row.turns, owner);
    validateSpans(row.spans, owner);
    require(std::fabs(row.axis.norm() - 1) < 1e-6, owner, "axis", row.axis.norm(), "of length 1");
    validateFrames(row, owner);
    require(std::isfinite(row.targetRate), owner, "targetRate", row.targetRate, "finite");
    require(row.maxForce >= 0, owner, "maxForce", row.maxForce, ">= 0");
    require(std::isfinite(row.bound), owner, "bound", row.bound, "finite");
    require(row.side == 1 || row.side == -1, owner, "side", row.side, "1 or -1");
    require(row.restitution >= 0 && row.restitution <= 1, owner, "restitution", row.restitution, ">= 0 and <= 1");
}

void validate(const FlowContact& contact, const Owner& owner, const FlowNetwork& network) {
    requireBodies(contact, owner, network);
    if (contact.a == contact.b || areFixed(contact, network)) {
        throw InvalidNetwork(owner.part, owner.index,
                             "a contact needs two different bodies, at least one of which can move");
    }
    requireFinite(contact.vertex, owner, "vertex");
    requireFinite(contact.planePoint, owner, "planePoint");
    requireFinite(contact.ownerAxis, owner, "ownerAxis");
    for (const ContactBox* box : {&contact.ownerBox, &contact.vertexBox}) {
        const char* name = box == &contact.ownerBox ? "ownerBox" : "vertexBox";
        requireFinite(box->centre, owner, name);
        for (Eigen::Index k = 0; k < 3; ++k) requireFinite(Eigen::Vector3d(box->half.col(k)), owner, name);
        require(box->rounding >= 0 && box->rounding <= kLargestParameter, owner, name, box->rounding,
                "of a rounding >= 0 and <= 1e60");
        const bool hasVolume = (box->half.colwise().norm().array() > 0).all();
        require(hasVolume || !box->isKnown(), owner, name, 0, "of half sizes > 0, or all 0");
    }
    requireFinite(contact.surfaceVelocity, owner, "surfaceVelocity");
    requireFinite(contact.creep, owner, "creep");
    require(std::fabs(contact.normal.norm() - 1) < 1e-6, owner, "normal", contact.normal.norm(), "of length 1");
    require(std::isfinite(contact.offset), owner, "offset", contact.offset, "finite");
    const std::pair<const char*, double> amounts[] = {{"radius", contact.radius},
                                                      {"ownerRadius", contact.ownerRadius},
                                                      {"friction", contact.friction},
                                                      {"rollingFriction", contact.rollingFriction},
                                                      {"spinningFriction", contact.spinningFriction},
                                                      {"restitutionVelocity", contact.restitutionVelocity},
                                                      {"restSpeed", contact.restSpeed},
                                                      {"damping", contact.damping},
                                                      {"entered", contact.entered},
                                                      {"slack", contact.slack},
                                                      {"impulse", contact.impulse}};
    for (const auto& [field, value] : amounts) {
        require(value >= 0 && value <= kLargestParameter, owner, field, value, ">= 0 and <= 1e60");
    }
    require(contact.restitution >= 0 && contact.restitution <= 1, owner, "restitution", contact.restitution, "0 ... 1");
    require(contact.stiffness > 0, owner, "stiffness", contact.stiffness, "> 0");
}

}  // namespace

void validate(const FlowNetwork& network, double h) {
    if (!(h > 0) || !std::isfinite(h)) {
        throw InvalidParameter("solveTick", "h", h, "finite and > 0");
    }
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        validate(network.bodies[i], {InvalidNetwork::Part::Body, static_cast<int>(i)});
    }
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        validate(network.elements[e], {InvalidNetwork::Part::Element, static_cast<int>(e)}, network);
    }
    for (std::size_t k = 0; k < network.joints.size(); ++k) {
        validate(network.joints[k], {InvalidNetwork::Part::Joint, static_cast<int>(k)}, network);
    }
    for (std::size_t k = 0; k < network.bounded.size(); ++k) {
        validate(network.bounded[k], {InvalidNetwork::Part::Bounded, static_cast<int>(k)}, network);
    }
    for (std::size_t k = 0; k < network.contacts.size(); ++k) {
        validate(network.contacts[k], {InvalidNetwork::Part::Contact, static_cast<int>(k)}, network);
    }
    validate(network.changes, network);
}

}  // namespace flow
}  // namespace elasto
