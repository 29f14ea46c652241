#include <elasto/scene/start.h>

#include <elasto/flow.h>

#include "joint_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace elasto {

namespace {

BodyState atCentreOfMass(const SceneBody& body, BodyState frame) {
    const Eigen::Vector3d offset = frame.orientation * body.centreOfMass;
    frame.position += offset;
    frame.velocity += frame.angularVelocity.cross(offset);
    return frame;
}

/// Rotation vector of the shortest way from one orientation to another.
Eigen::Vector3d rotationBetween(const Eigen::Quaterniond& from, const Eigen::Quaterniond& to) {
    Eigen::Quaterniond turn = to * from.conjugate();
    if (turn.w() < 0) turn.coeffs() *= -1;
    const double sine = turn.vec().norm();
    if (sine == 0) return Eigen::Vector3d::Zero();
    return turn.vec() * (2 * std::atan2(sine, turn.w()) / sine);
}

FlowBody flowBody(const SceneBody& body, const Eigen::Vector3d& gravity) {
    FlowBody result;
    static_cast<BodyState&>(result) = centreOfMassState(body);
    result.gyroscopic = body.gyroscopic;
    if (body.motion != BodyMotion::Dynamic) return result;
    result.inverseMass = 1 / body.mass;
    for (int k = 0; k < 3; ++k) result.inverseInertia[k] = body.inertia[k] > 0 ? 1 / body.inertia[k] : 0;
    result.linearFactor = body.linearFactor;
    result.angularFactor = body.angularFactor;
    result.force.constant = body.mass * gravity;
    return result;
}

}  // namespace

BodyState centreOfMassState(const SceneBody& body) {
    if (body.motion == BodyMotion::Kinematic) return pathState(body, 0);
    BodyState frame;
    frame.position = body.position;
    frame.orientation = body.orientation;
    frame.velocity = body.velocity;
    frame.angularVelocity = body.angularVelocity;
    return atCentreOfMass(body, frame);
}

BodyState pathState(const SceneBody& body, double time) {
    if (body.motion != BodyMotion::Kinematic) return centreOfMassState(body);
    const auto& path = body.path;
    const auto after =
        std::find_if(path.begin(), path.end(), [time](const ScenePathPoint& point) { return point.time > time; });
    BodyState frame;
    if (after == path.begin() || after == path.end()) {
        const ScenePathPoint& rest = after == path.begin() ? path.front() : path.back();
        frame.position = rest.position;
        frame.orientation = rest.orientation;
        return atCentreOfMass(body, frame);
    }
    const ScenePathPoint& from = *(after - 1);
    const double length = after->time - from.time;
    const double share = (time - from.time) / length;
    frame.velocity = (after->position - from.position) / length;
    frame.position = from.position + share * (after->position - from.position);
    const Eigen::Vector3d turn = rotationBetween(from.orientation, after->orientation);
    frame.angularVelocity = turn / length;
    const double angle = turn.norm();
    frame.orientation = from.orientation;
    if (angle > 0) frame.orientation = Eigen::AngleAxisd(share * angle, turn / angle) * from.orientation;
    return atCentreOfMass(body, frame);
}

BodyState frameState(const SceneBody& body, const BodyState& centreOfMass) {
    BodyState frame = centreOfMass;
    const Eigen::Vector3d offset = centreOfMass.orientation * body.centreOfMass;
    frame.position -= offset;
    frame.velocity -= centreOfMass.angularVelocity.cross(offset);
    return frame;
}

Eigen::Vector3d loadValue(const SceneLoad& load, double t) {
    return load.factor(t) * load.vector;
}

Eigen::Vector3d loadArm(const SceneBody& body, const SceneLoad& load) {
    if (!load.point) return Eigen::Vector3d::Zero();
    return *load.point - body.centreOfMass;
}

LoadValue loadWrench(const SceneBody& body, const SceneLoad& load, const Eigen::Quaterniond& orientation, double t) {
    Eigen::Vector3d vector = loadValue(load, t);
    if (load.resolveInFrame == SceneLoad::Axes::Body) vector = orientation * vector;
    LoadValue value = LoadValue::Zero();
    if (load.quantity == SceneLoad::Quantity::Force) {
        value << vector, (orientation * loadArm(body, load)).cross(vector);
    } else {
        value.tail<3>() = vector;
    }
    return value;
}

namespace {

// Angles are 0 as the bodies start, about axes that are the z of each frame.
void placeGear(const SceneElement& element, const FlowNetwork& network, FlowElement& result) {
    const auto turnOf = [&](int body) {
        return body == kWorld ? Eigen::Quaterniond::Identity()
                              : network.bodies[static_cast<std::size_t>(body)].orientation;
    };
    const SceneGear& gear = *element.gear;
    const int wheelA = element.frame_a.body;
    const int wheelB = element.frame_b.body;
    const Eigen::Vector3d axisA = turnOf(wheelA) * element.axis;
    const Eigen::Vector3d axisB = gear.axis_b ? Eigen::Vector3d(turnOf(wheelB) * *gear.axis_b) : axisA;
    const auto place = [&](int wheel, const Eigen::Vector3d& axis, auto& coordinate) {
        const Eigen::Quaterniond frame = frameAlong(axis);
        coordinate.a = gear.carrier;
        coordinate.b = wheel;
        coordinate.frameA = turnOf(gear.carrier).conjugate() * frame;
        coordinate.frameB = turnOf(wheel).conjugate() * frame;
        coordinate.axis = coordinate.frameA * Eigen::Vector3d::UnitZ();
        coordinate.pointA = coordinate.pointB = Eigen::Vector3d::Zero();
    };
    place(wheelB, axisB, result);
    place(wheelA, axisA, result.geared);
    result.geared.ratio = gear.ratio;
}

}  // namespace

FlowNetwork startNetwork(const Scene& scene) {
    FlowNetwork network;
    for (const SceneBody& body : scene.bodies) network.bodies.push_back(flowBody(body, scene.gravity));
    const auto point = [&](const SceneFrame& frame) -> Eigen::Vector3d {
        if (frame.body == kWorld) return frame.position;
        return frame.position - scene.bodies[static_cast<std::size_t>(frame.body)].centreOfMass;
    };
    for (const SceneElement& element : scene.elements) {
        FlowElement result{element.law};
        result.geometry = element.geometry;
        result.a = element.frame_a.body;
        result.b = element.frame_b.body;
        result.pointA = point(element.frame_a);
        result.pointB = point(element.frame_b);
        result.axis = element.axis;
        result.frameA = element.frame_a.orientation;
        result.frameB = element.frame_b.orientation;
        result.s_damper = innerStart(element.law);
        result.s_small = element.s_small;
        if (element.gear) placeGear(element, network, result);
        if (element.geometry == Geometry::AboutAxis) {
            result.phi = element.start.s.value_or(0);
            result.phi = measure(network, result).s;
        }
        network.elements.push_back(result);
    }
    for (const SceneJoint& joint : scene.joints) {
        const std::vector<HeldRow> rows = scene::jointRows(scene, joint);
        network.joints.insert(network.joints.end(), rows.begin(), rows.end());
    }
    return network;
}

}  // namespace elasto
