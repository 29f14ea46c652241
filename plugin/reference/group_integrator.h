#pragma once
// Integrates one independent group through all its changes of branch.

#include "cvode_session.h"
#include "mechanics.h"

#include <optional>
#include <span>
#include <vector>

namespace elasto::reference {

class GroupIntegrator {
public:
    /// All references must outlive the object.
    /// @param breaks rising, between the start and the last time
    GroupIntegrator(const Mechanics& mechanics, std::span<const double> times, const ReferenceOptions& options);

    /// Fills the group's share of the states (one per time) and appends its events.
    void run(Mechanics& mechanics, std::span<const double> breaks, ReferenceSolution& solution);

private:
    struct Violation {
        double time = 0;
        std::vector<int> boundaries;
    };

    void runSegment(double stop, ReferenceSolution& solution);
    CvodeSession& session(ReferenceMethod method);
    ReferenceMethod methodFor(double stop) const;
    void report(double until, const CvodeSession& source, ReferenceSolution& solution);
    void reportStart(ReferenceSolution& solution);
    std::optional<Violation> findViolation(double from, double to, const CvodeSession& source);
    std::vector<int> negativeBoundaries(double t, const Mechanics::Vector& y);
    void change(const std::vector<int>& boundaries, ReferenceSolution& solution);

    const Mechanics& m_mechanics;
    std::span<const double> m_times;
    const ReferenceOptions& m_options;
    Mechanics::Vector m_scales;
    Mechanics::Vector m_atol;
    CvodeSession::System m_system;
    std::unique_ptr<CvodeSession> m_adams;
    std::unique_ptr<CvodeSession> m_bdf;

    double m_time = 0;
    Mechanics::Vector m_y;
    Mechanics::Branches m_branches;
    std::size_t m_reported = 0;
    int m_changesInPlace = 0;   // without any progress in time
    Mechanics::Vector m_interpolated;
    std::vector<double> m_values;
    std::vector<double> m_noise;
};

} // namespace elasto::reference
