#pragma once
// What a WorldRecording keeps.

#include <string>

#include "recording/chunk_list.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A tick: what the program did before it, and what came of it.
struct RecordedTick {
    double h = 0;   ///< [s]
    Bytes changes;  ///< from the end of the tick before (goOnToNextTick) to its begin; of the first: from the start
    Bytes answers;  ///< of the program's functions (CallTape), as the difference to those of the tick before
    std::uint64_t hash = 0;  ///< of the state at its end

    std::size_t size() const { return sizeof *this + changes.size() + answers.size(); }
};

struct RecordedRun {
    std::string version;
    std::vector<std::string> notes;
    double startTime = 0;
    ChunkList start;
    std::vector<RecordedTick> ticks;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
