#include <elasto/scene/sample.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "coupled_oracle.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

using Eigen::Vector3d;

/// Two boxes that touch in a face, moving as one body in the plane.
class Pair {
public:
    Pair(const Scene& scene, const std::string& joint) : m_scene(scene) {
        const auto found = std::find_if(scene.joints.begin(), scene.joints.end(),
                                        [&](const SceneJoint& one) { return one.name == joint; });
        if (found == scene.joints.end() || found->type != SceneJoint::Type::Fixed || scene.elements.size() != 1) {
            throw InputError(
                fmt::format("joint '{}': there must be a fixed joint of that name, and one element", joint));
        }
        m_lower = static_cast<std::size_t>(found->frame_a.body);
        m_upper = static_cast<std::size_t>(found->frame_b.body);
        // The face in which they touch, along x, from the upper box's middle.
        const double halfUpper = scene.bodies[m_upper].shape.size.x() / 2;
        const double halfLower = scene.bodies[m_lower].shape.size.x() / 2;
        const double offset = found->frame_a.position.x();  // of the upper box's middle, from the lower one's
        m_left = std::max(-halfUpper, -halfLower - offset);
        m_right = std::min(halfUpper, halfLower - offset);
        m_height = scene.bodies[m_upper].shape.size.y() / 2;
        m_lowerHeight = scene.bodies[m_lower].shape.size.y() / 2;
    }

    /// How much the pressure is inside the face: the smaller of the pressing force's moments about both edges [N.m].
    double pressure(const ReferenceState& state) const {
        const SceneBody& lower = m_scene.bodies[m_lower];
        const SceneBody& upper = m_scene.bodies[m_upper];
        const BodyState& a = state.bodies[m_lower];
        const BodyState& b = state.bodies[m_upper];
        const double mass = lower.mass + upper.mass;
        const Vector3d centre = (lower.mass * a.position + upper.mass * b.position) / mass;
        const Vector3d towards = b.position - centre;
        const double inertia = lower.inertia.z() + upper.inertia.z() +
                               lower.mass * (a.position - centre).squaredNorm() + upper.mass * towards.squaredNorm();
        // f > 0 pulls the ends together: -f along the axis acts on b, the lower box.
        const ReferenceElementState& element = state.elements.front();
        const Vector3d push = -element.force.f * m_scene.elements.front().axis;
        const double turning = (element.pointB - centre).cross(push).z() / inertia;
        const double w = b.angularVelocity.z();
        // What the upper box needs, beyond its weight.
        const Vector3d needed =
            upper.mass * (push / mass + Vector3d::UnitZ().cross(towards) * turning - w * w * towards);
        const double normal = needed.dot(b.orientation * Vector3d::UnitY());
        const double along = needed.dot(b.orientation * Vector3d::UnitX());
        const double moment = upper.inertia.z() * turning - m_height * along;  // of the pressing force about the middle
        return std::min(moment - m_left * normal, m_right * normal - moment);
    }

    /// Distance of the faces at the upper box's middle [m].
    double gap(const ReferenceState& state) const {
        const BodyState& a = state.bodies[m_lower];
        const BodyState& b = state.bodies[m_upper];
        const Vector3d up = a.orientation * Vector3d::UnitY();
        return up.dot(b.position - a.position) - m_height - m_lowerHeight;
    }

private:
    const Scene& m_scene;
    std::size_t m_lower = 0;
    std::size_t m_upper = 0;
    double m_left = 0;
    double m_right = 0;
    double m_height = 0;
    double m_lowerHeight = 0;
};

constexpr double kPressed = 1e-6;  // [N.m] of rounding while both fall

}  // namespace

std::vector<ReferenceState> solveParting(const Scene& scene, const std::string& joint, std::span<const double> times) {
    const Pair pair(scene, joint);
    const ReferenceProblem together = referenceProblem(scene);
    const ReferenceSolution joined = solveReference(together, times);
    // They part while the element still pushes, or never.
    double parting = std::numeric_limits<double>::infinity();
    double begin = 0;
    for (const ReferenceEvent& event : joined.events) {
        if (event.begin) begin = event.time;
        if (event.begin || std::isfinite(parting)) continue;
        constexpr int kSamples = 2000;
        std::vector<double> samples;
        for (int k = 0; k <= kSamples; ++k) samples.push_back(begin + (event.time - begin) * k / kSamples);
        const std::vector<ReferenceState> states = solveReference(together, samples).states;
        const auto parted = std::find_if(states.begin(), states.end(),
                                         [&](const ReferenceState& state) { return pair.pressure(state) < -kPressed; });
        if (parted == states.end()) continue;
        double good = (parted == states.begin() ? parted : parted - 1)->time;
        double bad = parted->time;
        while (bad - good > 1e-14) {
            const double middle = good + (bad - good) / 2;
            if (middle <= good || middle >= bad) break;
            const std::vector<double> at = {middle};
            const bool isPressed = pair.pressure(solveReference(together, at).states.front()) >= -kPressed;
            (isPressed ? good : bad) = middle;
        }
        parting = bad;
    }

    std::vector<ReferenceState> found;
    std::vector<double> later;
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (times[k] <= parting) {
            found.push_back(joined.states[k]);
        } else {
            later.push_back(times[k] - parting);
        }
    }
    if (later.empty()) return found;
    const std::vector<double> at = {parting};
    const ReferenceState start = solveReference(together, at).states.front();
    ReferenceProblem apart = together;
    apart.network.joints.clear();
    for (std::size_t i = 0; i < start.bodies.size(); ++i) {
        static_cast<BodyState&>(apart.network.bodies[i]) = start.bodies[i];
    }
    for (ReferenceState& state : solveReference(apart, later).states) {
        constexpr double kTouching = 1e-6;  // [m]
        state.time += parting;
        if (pair.gap(state) < -kTouching) {
            throw InputError(fmt::format("joint '{}': the boxes meet again at {:.6g} s; what is true then is not known",
                                         joint, state.time));
        }
        found.push_back(std::move(state));
    }
    return found;
}

Trajectory signalsOf(const Scene& scene, const std::vector<ReferenceState>& states,
                     const std::vector<std::string>& signals) {
    Trajectory out;
    for (const ReferenceState& state : states) out.time.push_back(state.time);
    const std::vector<Signal> known = availableSignals(scene);
    for (const std::string& name : signals) {
        const auto signal =
            std::find_if(known.begin(), known.end(), [&](const Signal& one) { return one.name == name; });
        if (signal == known.end()) throw InputError(fmt::format("'{}' is no signal of scene '{}'", name, scene.name));
        out.signals.push_back(name);
        std::vector<double>& column = out.columns.emplace_back();
        for (const ReferenceState& state : states) {
            SceneSample sample;
            sample.time = state.time;
            sample.bodies = state.bodies;
            for (const ReferenceElementState& element : state.elements) {
                ElementSample values;
                values.s = element.s;
                values.v = element.v;
                values.force = element.force;
                sample.elements.push_back(values);
            }
            column.push_back(signalValue(scene, sample, *signal));
        }
    }
    return out;
}

}  // namespace elasto::tools
