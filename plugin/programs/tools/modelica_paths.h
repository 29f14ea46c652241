#pragma once
/// @file modelica_paths.h
/// Bodies on paths: coordinates that are tables of time, and the sources that move flanges by them.

#include <elasto/scene/description.h>

#include <array>
#include <string>
#include <vector>

#include "modelica_text.h"

namespace elasto::tools {

/// A path as coordinates along the world's axes and one turn about an axis that stays.
struct PathMotion {
    std::vector<double> times;                        ///< [s]
    std::array<std::vector<double>, 3> positions;     ///< of the frame's origin, by world axis [m]
    std::vector<double> angles;                       ///< from the first orientation [rad]
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< in the world
    Eigen::Quaterniond orientation;                   ///< the first one

    bool slides(int axis) const;
    bool turns() const;
    /// Whether a speed jumps at 0 < t < duration.
    bool hasJumps(double duration) const;
};

/// @throws InputError for a path that turns about more than one axis, naming the body
PathMotion motionOf(const SceneBody& body);

/// What is lost where friction meets a path whose speed jumps: Modelica's friction sees no jumps.
void loseJumps(ModelicaModel& model, const Scene& scene, const SceneElement& element);

/// A table and the source that moves a flange by it. @return the flange
std::string addMotion(ModelicaModel& model, const std::string& name, const std::vector<double>& times,
                      const std::vector<double>& values, bool turns);

}  // namespace elasto::tools
