#pragma once
/// @file suggestion.h
/// What to say about a name that does not exist.

#include <string>
#include <vector>

namespace elasto::tools {

/// `; did you mean 'x'?` where one of the names is much like the given one, else `; it has a, b, c, ...` with the first
/// of them. The names come from files: they are made printable.
std::string suggestion(const std::string& name, const std::vector<std::string>& names);

/// "'x' is not allowed; did you mean 'y'?", or with all names where none is much like it.
std::string notOneOf(const std::string& name, const std::vector<std::string>& names);

}  // namespace elasto::tools
