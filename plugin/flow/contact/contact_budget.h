#pragma once
// What a tick of a network with contacts may take, and what it has taken.

#include "contact/contact_trial.h"

namespace elasto::flow {

/// What the tick may take in all is known before it is solved: what finding out takes, the exact attempt, an implicit
/// tick with many iterations, one more that loses energy, and recovery. Where the settings give less, the exact attempt
/// has less, then there are fewer sub-steps. One sub-step is the least, whatever the settings say.
class ContactBudget {
public:
    /// @param network whose numbers of bodies, rows and contacts count; must outlast it
    ContactBudget(const FlowNetwork& network, double h, const FlowSettings& settings);

    /// @param exact [ns] that the exact attempt may take @param result gets leastCost, mostCost and overBudget
    void plan(long exact, TickResult& result);
    /// All attempts share the budget.
    void count(const Trial& trial);
    void countRecovery(long work) { m_spent += static_cast<double>(work); }
    /// What the dearest attempt has cost tells what another one would. @param least share of the tick that counts [s]
    void noteExact(const Trial& trial, double least);

    long work() const { return m_work; }  ///< [ns] that the exact attempt may still take
    bool hasWork() const { return m_work > 0; }
    /// Whether there is enough to follow another time [s] more accurately.
    bool hasWorkFor(double time) const;
    /// Whether there is room for sub-steps that are so many times shorter. Tells the result what budget that takes.
    bool takesFiner(int times, TickResult& result) const;
    double finerOf(int times) const { return lossyOf(times * m_substeps / 2); }  ///< that they take [ns]
    int substeps() const { return m_substeps; }                                  ///< of the implicit step, at first
    double left() const { return m_bound - m_spent; }                            ///< [ns] before recovery

    /// Of the try that loses energy, with shorter sub-steps than the first one [ns].
    double lossyOf(int substeps) const;
    double cost() const;  ///< in units of TickResult::cost

private:
    double usualOf(int substeps) const;
    double mostOf(int substeps) const;
    double leastOf(int substeps) const;

    const FlowNetwork& m_network;
    const FlowSettings& m_settings;
    int m_substeps;
    long m_work = 0;
    double m_bound = 0;  // [ns] on what is spent before recovery
    double m_atEnd = 0;  // [ns] that recovery and the balance may take
    double m_spent;      // [ns]
    double m_workPerTime = 0;
};

}  // namespace elasto::flow
