#include <elasto/reference/reference.h>
#include <elasto/scene/sample.h>
#include <elasto/scene/start.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace elasto {

namespace {

void addLoad(const Scene& scene, const SceneLoad& load, ReferenceProblem& problem) {
    auto& total = problem.drives[static_cast<std::size_t>(load.body)].wrench;
    total = [earlier = total, body = scene.bodies[static_cast<std::size_t>(load.body)], load](
                double t, const Eigen::Quaterniond& orientation) -> LoadValue {
        const LoadValue value = loadWrench(body, load, orientation, t);
        return earlier ? value + earlier(t, orientation) : value;
    };
    for (double t = load.nextBreak(0); std::isfinite(t); t = load.nextBreak(t)) problem.breaks.push_back(t);
}

/// Where the share of a friction's force has a kink because less than nothing is nothing.
void addZeros(const TimeCourse& course, double end, std::vector<double>& breaks) {
    if (course.type != TimeCourse::Type::Sine || !(course.frequency > 0) || !(std::abs(course.offset) <= 1)) return;
    constexpr double kPi = std::numbers::pi;
    const double angle = std::asin(-course.offset);
    for (const double base : {angle, kPi - angle}) {
        // sin(2 pi frequency (t - startTime) + phase) = -offset
        const auto timeOf = [&](double turn) {
            return course.startTime + (base + 2 * kPi * turn - course.phase) / (2 * kPi * course.frequency);
        };
        const double first = std::ceil(-(base - course.phase) / (2 * kPi) - course.startTime * course.frequency);
        for (double turn = first; timeOf(turn) < end; ++turn) {
            if (timeOf(turn) > std::max(0., course.startTime)) breaks.push_back(timeOf(turn));
        }
    }
}

void addStrengths(const Scene& scene, ReferenceProblem& problem) {
    problem.f_normalized.resize(scene.elements.size());
    for (std::size_t k = 0; k < scene.elements.size(); ++k) {
        const std::optional<TimeCourse>& course = scene.elements[k].f_normalized;
        if (!course) continue;
        problem.f_normalized[k] = [course = *course](double t) { return course.factor(t); };
        for (double t = course->nextBreak(0); std::isfinite(t); t = course->nextBreak(t)) problem.breaks.push_back(t);
        addZeros(*course, scene.duration, problem.breaks);
    }
}

ReferenceCoordinate coordinateOf(const Scene& scene, const SceneJoint& joint) {
    const auto point = [&](const SceneFrame& frame) -> Eigen::Vector3d {
        if (frame.body == kWorld) return frame.position;
        return frame.position - scene.bodies[static_cast<std::size_t>(frame.body)].centreOfMass;
    };
    ReferenceCoordinate coordinate;
    coordinate.name = joint.name;
    coordinate.a = joint.frame_a.body;
    coordinate.b = joint.frame_b.body;
    coordinate.turns = joint.type == SceneJoint::Type::Hinge;
    coordinate.pointA = point(joint.frame_a);
    coordinate.pointB = point(joint.frame_b);
    coordinate.axis = joint.axis;
    const Eigen::Vector3d across = (joint.frame_a.orientation.conjugate() * joint.axis).unitOrthogonal();
    coordinate.acrossA = joint.frame_a.orientation * across;
    coordinate.acrossB = joint.frame_b.orientation * across;
    return coordinate;
}

/// Between the points of its path a body's frame moves straight and turns steadily, its centre of mass round the frame.
BodyAcceleration pathAcceleration(const SceneBody& body, double t) {
    const BodyState state = pathState(body, t);
    const Eigen::Vector3d arm = state.orientation * body.centreOfMass;
    return {.linear = state.angularVelocity.cross(state.angularVelocity.cross(arm)), .angular = {0, 0, 0}};
}

void fill(const Scene& scene, const ReferenceState& state, const ReferenceState* previous, SceneSample& sample) {
    sample.time = state.time;
    sample.bodies = state.bodies;
    sample.elements.resize(state.elements.size());
    const double interval = previous ? state.time - previous->time : 0;
    for (std::size_t k = 0; k < state.elements.size(); ++k) {
        const ReferenceElementState& from = state.elements[k];
        ElementSample& to = sample.elements[k];
        to.s = from.s;
        to.v = from.v;
        to.force = from.force;
        to.meanForce = interval > 0 ? (from.impulse - previous->elements[k].impulse) / interval : from.force.f;
        to.lossPower = from.lossPower;
        to.dissipatedPower = from.dissipatedPower;
        to.heat = from.heat;
        to.storedEnergy = from.storedEnergy;
        to.s_damper = from.s_damper;
        to.pointA = from.pointA;
        to.pointB = from.pointB;
    }
    sumHeatPorts(scene, sample);
}

}  // namespace

ReferenceProblem referenceProblem(const Scene& scene) {
    ReferenceProblem problem;
    problem.network = startNetwork(scene);
    problem.drives.resize(scene.bodies.size());
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
        const SceneBody& body = scene.bodies[k];
        problem.drives[k].linearDamping = body.linearDamping;
        problem.drives[k].angularDamping = body.angularDamping;
        if (body.motion != BodyMotion::Kinematic) continue;
        problem.drives[k].motion = [body](double t) { return pathState(body, t); };
        problem.drives[k].acceleration = [body](double t) { return pathAcceleration(body, t); };
        for (const ScenePathPoint& point : body.path) problem.breaks.push_back(point.time);
    }
    for (const SceneLoad& load : scene.loads) addLoad(scene, load, problem);
    addStrengths(scene, problem);
    for (const SceneJoint& joint : scene.joints) {
        const bool isFree = joint.type == SceneJoint::Type::Hinge || joint.type == SceneJoint::Type::Slider;
        if (!isFree) continue;
        const ReferenceCoordinate coordinate = coordinateOf(scene, joint);
        if (joint.motor) problem.motors.push_back({coordinate, joint.motor->velocity, joint.motor->maxForce});
        if (!joint.limits) continue;
        problem.limits.push_back({coordinate, joint.limits->lower, joint.limits->upper, joint.limits->restitution});
    }
    return problem;
}

Trajectory solveReference(const Scene& scene, std::span<const double> times, const ReferenceOptions& options,
                          ReferenceStatistics* statistics) {
    const ReferenceSolution solution = solveReference(referenceProblem(scene), times, options);
    if (statistics) *statistics = solution.statistics;

    const std::vector<Signal> signals = availableSignals(scene);
    Trajectory out;
    out.time.assign(times.begin(), times.end());
    out.columns.resize(signals.size());
    for (const Signal& signal : signals) out.signals.push_back(signal.name);
    SceneSample sample;
    const ReferenceState* previous = nullptr;
    for (const ReferenceState& state : solution.states) {
        fill(scene, state, previous, sample);
        for (std::size_t k = 0; k < signals.size(); ++k)
            out.columns[k].push_back(signalValue(scene, sample, signals[k]));
        previous = &state;
    }
    return out;
}

Trajectory recordedColumns(const Scene& scene, const Trajectory& trajectory) {
    Trajectory out;
    out.time = trajectory.time;
    for (const Signal& signal : recordedSignals(scene)) {
        out.signals.push_back(signal.column);
        out.columns.push_back(trajectory.at(signal.name));
    }
    return out;
}

std::vector<SignalError> referenceSelfDifference(const Scene& scene, std::span<const double> times,
                                                 const ReferenceOptions& options, double looser) {
    ReferenceOptions second = options;
    second.rtol *= looser;
    second.rtolStiff *= looser;
    return compareSignals(solveReference(scene, times, options), solveReference(scene, times, second));
}

}  // namespace elasto
