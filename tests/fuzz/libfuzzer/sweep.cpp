#include "target.h"

elasto::fuzz::FileKind elasto::fuzz::targetKind() {
    return FileKind::Sweep;
}
