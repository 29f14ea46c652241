#pragma once
/// @file urdfdom_model.h
/// urdfdom, with what it has to say as text instead of on the console.

#include <urdf_model/model.h>

#include <memory>
#include <string>
#include <vector>

namespace elasto::robot {

struct UrdfdomModel {
    std::shared_ptr<urdf::ModelInterface> model;  ///< null: refused
    std::vector<std::string> errors;              ///< one line each
};

/// Parses. One call at a time: urdfdom's messages have one receiver per process, which is put back afterwards.
UrdfdomModel parseByUrdfdom(const std::string& text);

}  // namespace elasto::robot
