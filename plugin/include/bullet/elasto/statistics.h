#pragma once
/// @file statistics.h
/// What a tick cost and where its energy went.

#include <elasto/export.h>
#include <elasto/flow.h>
#include <elasto/precision.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Counts of one tick, or their sums since the start.
struct ELASTO_API TickStatistics {
    std::int64_t ticks = 0;     ///< 1 for one tick
    std::int64_t networks = 0;  ///< networks solved
    std::int64_t elements = 0;  ///< elements solved; those of sleeping networks are not
    std::int64_t flying = 0;    ///< bodies that fly, and what they meet (Plugin::setFreeFlight)
    std::array<std::int64_t, kFlowMethods> elementsPerMethod{};  ///< index: FlowMethod
    std::int64_t events = 0;                                     ///< contacts that began or ended
    std::int64_t steps = 0;                                      ///< integration steps
    double cost = 0;                                             ///< of all networks, in units of TickResult::cost
    double mostCost = 0;         ///< bound on it that was known before they were solved: single elements on free bodies
                                 ///< are not in it, multibodies with what they cost
    std::int64_t fallbacks = 0;  ///< networks whose budget did not suffice (TickResult::overBudget)
    std::int64_t implicit = 0;   ///< networks solved by the implicit step, whether their budget ended or not
    std::int64_t substeps = 0;   ///< of it
    std::int64_t firstOrder = 0;  ///< of the implicit: networks whose rebounds lost energy (TickResult::isFirstOrder)
    /// Networks that were approximate (GradeCause::None: exact) or failed, by why they were no better; those without
    /// elements too. The index is a GradeCause.
    std::array<std::int64_t, kGradeCauses> networksPerCause{};
    std::int64_t approximateTicks = 0;  ///< 1 for one tick with an approximate network, and none that failed
    std::int64_t failedTicks = 0;       ///< 1 for one tick with a network that failed
    double error = 0;      ///< the largest estimate of what such a tick got wrong [m, rad] (TickGrade::error)
    std::string errorAt;   ///< label of that network's first element, or "a body that flies"
    double errorTime = 0;  ///< [s] Plugin::time at the start of that tick
    /// [s] Plugin::time at the start of the first tick that was not exact; infinity: there is none.
    double inexactFrom = std::numeric_limits<double>::infinity();
    std::int64_t audits = 0;  ///< ticks of networks that were solved again to see how far off they were
    double auditCost = 0;     ///< of that, in units of TickResult::cost; `cost` does not hold it
    std::int64_t failed = 0;  ///< networks whose end is no solution: nothing could be trusted (Grade::Failed)
    std::int64_t outOfBudget =
        0;                       ///< of the fallbacks: networks for which the world's budget left less than they wanted
    std::int64_t repairs = 0;    ///< networks whose energy was taken back
    std::int64_t uncoupled = 0;  ///< elements solved without their bodies' joints and contacts
    std::int64_t coupled = 0;    ///< networks solved together with their contacts
    std::int64_t idle = 0;       ///< networks with contacts left to Bullet because no element could act
    std::int64_t missed = 0;  ///< of the idle ones: an element was reached all the same, and the solution was not ours
    std::int64_t setChanges = 0;  ///< how often contacts closed, opened, stuck or slipped within networks
    std::int64_t remembered = 0;  ///< contact points that Bullet had dropped or not found, and that were added
    std::int64_t cutBack = 0;     ///< networks in which continuous collision detection stopped a body
    std::int64_t worstSteps = 0;  ///< steps of the dearest network
    std::string worstNetwork;     ///< label of that network's first element

    /// Of one tick: the worst of its networks, with the largest estimate.
    TickGrade grade() const;

    /// Adds the counts of a tick; of worstSteps and worstNetwork the larger one stays.
    TickStatistics& operator+=(const TickStatistics& tick);
};

/// Energy of all enabled elements in the world and their bodies, and where it went since the start [J]. It closes up
/// to rounding as long as the same bodies and elements take part:
///
///     kinetic + stored - (the same at the start)
///         = work + pushed - dissipated - damping - contacts - exchanged + numerical
struct EnergyBook {
    double kinetic = 0;     ///< of the elements' bodies now, of those that joints tie to them since a tick, and of
                            ///< those that fly
    double stored = 0;      ///< in the springs now
    double work = 0;        ///< done by gravity, applied forces, loads, kinematic bodies and joints' motors
    double pushed = 0;      ///< by the user between ticks: changed velocities, moved bodies, changed parameters
    double dissipated = 0;  ///< heat of the elements
    double damping = 0;     ///< taken by the damping that Bullet applies to velocities, and by falling asleep
    double contacts = 0;    ///< taken by friction and impacts in networks that are solved with their contacts
    double exchanged = 0;   ///< given to joints and contacts by uncoupled networks, to joints that had come apart, and
                            ///< to limits of joints that were hit; what
                            ///< bodies have when joints or contacts tie them to a network, or when they begin to fly,
                            ///< counts as taken
    double carried = 0;     ///< of that: only carried, by bodies that left (> 0) or joined (< 0), and into and out of
                            ///< the springs of joints; so kinetic + stored - work - pushed + carried rises only where
                            ///< joints, contacts or rounding make energy
    double numerical = 0;   ///< gained (> 0) or lost by the numerical error of the solutions, after repairs
    double repaired = 0;    ///< of that gain: taken back by a damping impulse in the same tick (not in the sum above)
    double handedOut = 0;   ///< the most that the elements of one network gave out of nothing in one tick: 0 up to
                            ///< rounding; uncoupled networks may overdraw a little and pay it back
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
