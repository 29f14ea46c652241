#include "tick/tick_audits.h"

#include <elasto/errors.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>

#include "host/borrowed_rounding.h"
#include "network/element_access.h"
#include "tick/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

AuditState& stateOf(const SolvedNetwork& solved) {
    return ElementAccess::audit(solved.element(0));
}

/// Uncoupled ticks are Bullet's, and of what flies without elements no audit would be remembered.
bool hasAudits(const SolvedNetwork& solved) {
    return !solved.isUncoupled && solved.elementCount() > 0;
}

bool isDue(const SolvedNetwork& solved, const AuditSettings& settings, AuditState& state) {
    const TickResult& result = solved.result;
    const auto contacts = static_cast<int>(result.contacts.size());
    const bool isOther = result.grade.cause != state.cause;
    const bool isNew = isOther || result.method != state.method || contacts != state.contacts;
    state.method = result.method;
    state.cause = result.grade.cause;
    state.contacts = contacts;
    state.isUnsettled = state.isUnsettled || isNew;
    state.ticks += 1;
    if (settings.every == 0) return false;
    if (settings.every == 1) return true;
    state.credit += settings.share * result.cost;
    // Of an approximation what the ticks before erred by tells nothing.
    if (isOther && result.grade.grade == Grade::Approximate) return true;
    const bool isWanted = state.isUnsettled || state.ticks >= settings.every;
    return isWanted && (state.taken < kFreeAudits || state.credit > 0);
}

constexpr double kUnknown = -1;

/// What the halves tell of the error of the whole; kUnknown where they end nowhere.
double errorOf(const TickResult& result, double difference) {
    if (!std::isfinite(difference)) return kUnknown;
    const bool isFirstOrder = result.isFirstOrder || result.method == FlowMethod::BackwardEuler;
    const double byOrder = isFirstOrder ? 2 : result.method == FlowMethod::Implicit ? 4. / 3 : 1;
    return kAuditMargin * byOrder * difference;
}

/// What errs by less is exact.
double exactError(const SolvedNetwork& solved) {
    return kExactError * solved.settings.accuracy.looseness();
}

void note(double error, double cost, double exact, AuditState& state) {
    const double most = std::max(error, state.error), least = std::min(error, state.error);
    const bool agrees = least >= 0 && (most <= exact || most <= kAuditMargin * least);
    state.isUnsettled = !agrees;
    state.before = state.error;
    state.error = error;
    state.credit -= cost;
    state.ticks = 0;
    state.taken = std::min(state.taken + 1, kFreeAudits);
}

/// Whether what was done as an approximation may be as good as exact: audits do not see what was put right.
bool mayBeExact(const TickGrade& grade) {
    return grade.grade == Grade::Approximate && grade.cause <= GradeCause::FirstOrder;
}

/// @param isFresh the state's estimate is of this tick
void grade(const AuditState& state, bool isFresh, SolvedNetwork& solved) {
    TickGrade& grade = solved.result.grade;
    if (grade.grade == Grade::Exact) {
        if (!isFresh || !(state.error > exactError(solved))) return;
        grade = TickGrade::of(GradeCause::Audit);
        grade.error = state.error;
        return;
    }
    // Nothing is known: all of the motion may be wrong.
    const double found = grade.error;
    const double known = isFresh ? state.error : kAuditMargin * std::max(state.error, state.before);
    grade.error = state.error >= 0 ? known : solved.h * solved.fastest();
    // Both halves begin with bodies inside each other that the tick does.
    grade.error = std::max({grade.error, solved.result.recovery, found});
    if (mayBeExact(grade) && grade.error <= exactError(solved)) grade = {};
}

}  // namespace

void TickAudits::audit(const std::vector<std::shared_ptr<SolvedNetwork>>& networks, const AuditSettings& settings,
                       const JobRunner& jobs, TickStatistics& counts) {
    m_due.clear();
    for (const std::shared_ptr<SolvedNetwork>& solved : networks) {
        if (hasAudits(*solved) && isDue(*solved, settings, stateOf(*solved))) m_due.push_back(solved.get());
    }
    solveAgain(jobs);
    std::size_t due = 0;
    for (const std::shared_ptr<SolvedNetwork>& solved : networks) {
        if (!hasAudits(*solved)) {
            if (!solved->isUncoupled) grade(AuditState(), false, *solved);
            continue;
        }
        AuditState& state = stateOf(*solved);
        const bool isAudited = due < m_due.size() && m_due[due] == solved.get();
        if (isAudited) {
            const TickAudit& found = m_spaces[due]->found;
            note(errorOf(solved->result, found.difference), found.cost, exactError(*solved), state);
            counts.audits += 1;
            counts.auditCost += found.cost;
            ++due;
        }
        grade(state, isAudited, *solved);
    }
}

void TickAudits::solveAgain(const JobRunner& jobs) {
    while (m_spaces.size() < m_due.size()) m_spaces.push_back(std::make_unique<Space>());
    std::fenv_t rounding;
    std::fegetenv(&rounding);
    const auto job = [&](int number) {
        const BorrowedRounding borrowed(rounding);
        const SolvedNetwork& solved = *m_due[static_cast<std::size_t>(number)];
        Space& space = *m_spaces[static_cast<std::size_t>(number)];
        space.found = {};
        try {
            space.found =
                solved.multi.isTree
                    ? auditTick(solved.multi.trees, solved.h, solved.settings, solved.multi.result, space.trees)
                    : auditTick(solved.network, solved.h, solved.settings, solved.result, space.bodies);
        } catch (const InvalidParameter&) {  // the halves end where nothing is finite
            space.found.difference = std::numeric_limits<double>::infinity();
        }
    };
    const auto count = static_cast<int>(m_due.size());
    if (jobs && count > 1) {
        const JobRunner runner = jobs;  // the user's may replace itself
        runner(count, std::ref(job));
        return;
    }
    for (int i = 0; i < count; ++i) job(i);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
