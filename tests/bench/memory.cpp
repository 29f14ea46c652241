// Counts what is allocated.

#include <malloc.h>

#include "element_costs.h"

namespace elasto::bench {

namespace {

/// In use by this program, as the allocator counts it [bytes].
double inUse() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

double after(const FieldOptions& options) {
    const double before = inUse();
    Field field(options);
    for (int i = 0; i < 10; ++i) field.step();
    return inUse() - before;
}

}  // namespace

double memoryPerElement(int elements) {
    const double with = after({.bodies = elements, .course = Course::Impact});
    const double without = after({.bodies = elements, .push = Push::None, .course = Course::Impact});
    return (with - without) / elements;
}

}  // namespace elasto::bench
