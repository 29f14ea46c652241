#pragma once
// What everything costs, side by side in one run.

namespace elasto::bench {

/// Prints it. @param mostBodies larger numbers are left out
void printCostTable(int mostBodies);

}  // namespace elasto::bench
