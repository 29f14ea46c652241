#pragma once
// What libFuzzer calls, for one kind of file.

#include <file_kinds.h>

namespace elasto::fuzz {

/// Each target's own.
FileKind targetKind();

}  // namespace elasto::fuzz
