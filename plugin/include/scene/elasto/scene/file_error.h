#pragma once
/// @file file_error.h
/// What the system refuses.

#include <elasto/export.h>

#include <stdexcept>

namespace elasto {

/// A file that cannot be read or written. what() names the file and the reason: `run.csv: cannot be written: No space
/// left on device`.
class ELASTO_API FileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace elasto
