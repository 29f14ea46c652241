#pragma once
/// @file modelica_helpers.h
/// Classes of our own that exported packages contain, for what Modelica's library does not have.

#include <string>
#include <string_view>
#include <vector>

namespace elasto::tools {

/// Names of all of them.
std::vector<std::string_view> modelicaHelperNames();
/// The text of one, indented as in its package.
std::string modelicaHelper(std::string_view name);

}  // namespace elasto::tools
