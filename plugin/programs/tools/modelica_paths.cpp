#include "modelica_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "modelica_classes.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

/// Turns about less are what the digits of a file leave of none [rad].
constexpr double kNoTurn = 1e-9;
/// Axes that differ by less are one: files give quaternions with six digits and more.
constexpr double kSameAxis = 1e-5;

bool varies(const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [&](double value) { return value != values[0]; });
}

/// Rates between the points of a table; before it and behind it there is none.
double rateBehind(const std::vector<double>& times, const std::vector<double>& values, std::size_t point) {
    return point + 1 == times.size() ? 0 : (values[point + 1] - values[point]) / (times[point + 1] - times[point]);
}

bool jumps(const std::vector<double>& times, const std::vector<double>& values, double duration) {
    double before = 0;
    for (std::size_t k = 0; k < times.size(); ++k) {
        const double behind = rateBehind(times, values, k);
        const bool isSame = std::abs(behind - before) <= 1e-9 * (std::abs(behind) + std::abs(before));
        if (!isSame && times[k] > 0 && times[k] < duration) return true;
        before = behind;
    }
    return false;
}

}  // namespace

bool PathMotion::slides(int along) const {
    return varies(positions[static_cast<std::size_t>(along)]);
}

bool PathMotion::turns() const {
    return varies(angles);
}

bool PathMotion::hasJumps(double duration) const {
    return jumps(times, angles, duration) ||
           std::any_of(positions.begin(), positions.end(),
                       [&](const std::vector<double>& values) { return jumps(times, values, duration); });
}

PathMotion motionOf(const SceneBody& body) {
    PathMotion motion;
    motion.orientation = body.path[0].orientation;
    double angle = 0;
    bool hasAxis = false;
    for (std::size_t k = 0; k < body.path.size(); ++k) {
        const ScenePathPoint& point = body.path[k];
        if (k > 0) {
            Eigen::Quaterniond step = point.orientation * body.path[k - 1].orientation.conjugate();
            if (step.w() < 0) step.coeffs() = -step.coeffs();  // the shorter way, as the body turns
            const double sine = step.vec().norm();
            double turn = 2 * std::atan2(sine, step.w());
            if (turn > kNoTurn) {
                const Eigen::Vector3d axis = step.vec() / sine;
                // The way in which it points does not hang on the first turn.
                Eigen::Index largest = 0;
                axis.cwiseAbs().maxCoeff(&largest);
                if (!hasAxis) motion.axis = axis[largest] < 0 ? -axis : axis;
                hasAxis = true;
                if (axis.cross(motion.axis).norm() > kSameAxis) {
                    throw InputError(fmt::format(
                        "{} turns about more than one axis along its path, which is not exported", body.name));
                }
                angle += axis.dot(motion.axis) > 0 ? turn : -turn;
            }
        }
        motion.times.push_back(point.time);
        motion.angles.push_back(angle);
        for (int axis = 0; axis < 3; ++axis) {
            motion.positions[static_cast<std::size_t>(axis)].push_back(point.position[axis]);
        }
    }
    return motion;
}

void loseJumps(ModelicaModel& model, const Scene& scene, const SceneElement& element) {
    if (!std::holds_alternative<FrictionLaw>(element.law)) return;
    for (const SceneFrame* frame : {&element.frame_a, &element.frame_b}) {
        if (frame->body == kWorld) continue;
        const SceneBody& body = scene.bodies[static_cast<std::size_t>(frame->body)];
        if (body.motion != BodyMotion::Kinematic || !motionOf(body).hasJumps(scene.duration)) continue;
        model.lose(fmt::format("{} rubs on {}, whose speed jumps along its path; Modelica's friction does not see that",
                               element.name, body.name));
    }
}

std::string addMotion(ModelicaModel& model, const std::string& name, const std::vector<double>& times,
                      const std::vector<double>& values, bool turns) {
    // Two rows at each point: the speed jumps there. The source needs the derivatives, which tables have not.
    std::vector<std::vector<double>> rows;
    double before = 0;
    for (std::size_t k = 0; k < times.size(); ++k) {
        const double behind = rateBehind(times, values, k);
        if (times[k] > 0 && before != behind) rows.push_back({times[k], values[k], before, 0});
        rows.push_back({times[k], values[k], behind, 0});
        before = behind;
    }
    const std::string path = model.freshName(name + "_path");
    model.declare(
        ModelicaComponent("Modelica.Blocks.Sources.CombiTimeTable", path,
                          turns ? "Angle, its rate, and that of the rate" : "Place, its rate, and that of the rate")
            .setText("table", modelicaTable(rows))
            .setText("smoothness", "Modelica.Blocks.Types.Smoothness.LinearSegments")
            .setText("extrapolation", "Modelica.Blocks.Types.Extrapolation.HoldLastPoint"));
    model.declare(ModelicaComponent(
        fmt::format("Modelica.Mechanics.{}.Sources.Move", turns ? "Rotational" : "Translational"), name));
    model.connect(path + ".y", name + ".u");
    return name + ".flange";
}

}  // namespace elasto::tools
