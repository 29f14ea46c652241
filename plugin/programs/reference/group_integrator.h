#pragma once
// Integrates one independent group of bodies and elements through all its changes of branch.

#include "branch_watch.h"
#include "cvode_session.h"
#include "motion.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace elasto::reference {

class GroupIntegrator {
public:
    /// All references must outlive the object.
    GroupIntegrator(Motion& motion, std::span<const double> times, const ReferenceOptions& options);
    GroupIntegrator(const GroupIntegrator&) = delete;
    GroupIntegrator& operator=(const GroupIntegrator&) = delete;

    /// Fills the group's share of the states (one per time), appends its events and adds to the statistics.
    /// @param breaks rising, > 0
    void run(std::span<const double> breaks, ReferenceSolution& solution);

private:
    void begin(double stop, ReferenceSolution& solution);
    void runSegment(double stop, ReferenceSolution& solution);
    CvodeSession& restart(ReferenceMethod method, double stop, ReferenceStatistics& statistics);
    double floor() const;
    ReferenceMethod suitableMethod(double stop) const;
    void report(double until, const CvodeSession& source, ReferenceSolution& solution);
    void checkProgress(double reached);
    void change(const std::vector<int>& boundaries, ReferenceSolution& solution);

    Motion& m_motion;
    std::span<const double> m_times;
    const ReferenceOptions& m_options;
    Motion::Vector m_scales;
    CvodeSession::System m_system;
    std::optional<BranchWatch> m_watch;
    std::unique_ptr<CvodeSession> m_adams;
    std::unique_ptr<CvodeSession> m_bdf;

    double m_time = 0;
    Motion::Vector m_y;
    Motion::Branches m_branches;
    std::size_t m_reported = 0;
    double m_lastChange = -1;
    int m_changesInPlace = 0;
    int m_stepsInPlace = 0;
    Motion::Vector m_interpolated;
};

}  // namespace elasto::reference
