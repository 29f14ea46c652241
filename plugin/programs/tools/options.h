#pragma once
/// @file options.h
/// Option values that are checked with one kind of message.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>

namespace elasto::tools {

/// Accepts finite numbers above a limit; "-5 is not allowed; it must be a number > 0".
CLI::Validator numberAbove(double limit);
/// Accepts finite numbers that are at least a limit.
CLI::Validator numberAtLeast(double limit);
/// Accepts whole numbers from 1 to a limit.
CLI::Validator countUpTo(int limit);
/// Accepts tick rates [Hz]: above 0 and at most kHighestRate, as in a scene.
CLI::Validator tickRate();
/// Accepts what may name a file: any text but an empty one, which would count as not given.
CLI::Validator fileName();
/// Accepts file names that end with .svg or .png.
CLI::Validator pictureFile();

}  // namespace elasto::tools
