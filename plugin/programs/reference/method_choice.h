#pragma once
// Adams or BDF, from the eigenvalues of the linearised motion.

#include "motion.h"

namespace elasto::reference {

/// The cheaper family for the time that is left: Adams must resolve the fastest mode all the time, BDF only while the
/// mode has not died out, but with more and dearer steps.
ReferenceMethod chooseMethod(const Motion& motion, double t, const Motion::Vector& y, const Motion::Branches& branches,
                             const Motion::Vector& scales, double timeLeft);

}  // namespace elasto::reference
