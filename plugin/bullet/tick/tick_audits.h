#pragma once
// Which networks of a tick are audited, and what that makes of their grades.

#include <elasto/audit.h>
#include <elasto/audit_settings.h>
#include <elasto/statistics.h>
#include <elasto/threads.h>

#include <memory>
#include <vector>

#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class TickAudits {
public:
    /// Of a tick whose networks are solved: audits those that are due, and writes into all grades what is known of
    /// their errors. @param jobs null: one after the other
    void audit(const std::vector<std::shared_ptr<SolvedNetwork>>& networks, const AuditSettings& settings,
               const JobRunner& jobs, TickStatistics& counts);

private:
    /// For one audit.
    struct Space {
        AuditSpace bodies;
        TreeAuditSpace trees;
        TickAudit found;
    };

    void solveAgain(const JobRunner& jobs);

    std::vector<SolvedNetwork*> m_due;
    std::vector<std::unique_ptr<Space>> m_spaces;  // as many as were ever due in a tick
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
