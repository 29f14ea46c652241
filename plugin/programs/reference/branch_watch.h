#pragma once
// Finds changes of branch within a step that signs at its ends do not show. CVODE compares just those: it does not see
// a function that falls and rises again within one step (two carts that pass through each other between two steps of a
// free flight), and ignores one that starts at zero until it has been away from zero at the end of a step.

#include "cvode_session.h"
#include "motion.h"

#include <optional>
#include <vector>

namespace elasto::reference {

class BranchWatch {
public:
    struct Violation {
        double time = 0;
        std::vector<int> boundaries;  ///< that are below zero there
    };

    /// @param errors of the state's components, which are no violation
    BranchWatch(const Motion& motion, Motion::Vector errors);

    /// Boundaries of the branches that are violated by more than errors explain.
    std::vector<int> violated(double t, const Motion::Vector& y, const Motion::Branches& branches) const;
    /// The first violation within the last step of `source`, from < time <= to.
    /// @param toIsRoot the step ended at a root, so that a violation at its very end is known
    std::optional<Violation> first(double from, double to, bool toIsRoot, const Motion::Branches& branches,
                                   const CvodeSession& source);

private:
    struct Sample {
        double time = 0;
        std::vector<double> boundaries;
        std::vector<double> noise;
        std::vector<double> speeds;
        std::vector<int> violated;
    };

    Sample sample(double t, const Motion::Vector& y, const Motion::Branches& branches) const;
    Sample sampleAt(double t, const Motion::Branches& branches, const CvodeSession& source);
    bool mayDip(const Sample& left, const Sample& right, const Motion::Branches& branches) const;
    std::optional<Violation> search(const Sample& left, const Sample& right, int depth,
                                    const Motion::Branches& branches, const CvodeSession& source);
    std::optional<Violation> searchBottom(const Sample& left, const Sample& middle, const Sample& right,
                                          const Motion::Branches& branches, const CvodeSession& source);
    Violation bisect(double good, const Sample& bad, const Motion::Branches& branches, const CvodeSession& source);

    const Motion& m_motion;
    Motion::Vector m_errors;
    Motion::Vector m_y;
};

}  // namespace elasto::reference
