#pragma once
// The rounds of the method of multipliers: each makes good what the one before it left of what is wanted.

#include "constraints/tuning.h"

#include <span>

namespace elasto::flow {

class Multipliers {
public:
    /// Share of what is wanted that may be missing.
    static constexpr double kExact = 1e-13;

    /// @param largest of what is wanted
    explicit Multipliers(double largest) : m_enough(kExact * largest), m_left(largest) {}

    bool goOn() const { return m_round < kRounds && m_left > m_enough && m_stuck < kStuckRounds; }
    /// @param left largest of what is missing after a round
    void note(double left) {
        m_stuck = m_round > 0 && !(left < kNoGain * m_left) ? m_stuck + 1 : 0;
        ++m_round;
        m_left = left;
    }
    /// Largest of what is missing.
    double left() const { return m_left; }

    /// What is missing in the end cannot be had: rows that follow from one another, or nearly so, contradict each
    /// other. Each round has added impulses along them that do next to nothing, and the last one shows them alone.
    bool isContradictory() const { return m_stuck > 0; }
    /// How much of the last round's impulses is in all of them: without it they are the smallest that do the same.
    /// @param norm by row a factor by which squares of impulses can be compared @param isWeak by row whether it should
    /// be asked for little: where there are such rows among those that contradict each other, theirs are the smallest
    template <class Norm, class IsWeak>
    static double share(std::span<const double> impulses, std::span<const double> last, const Norm& norm,
                        const IsWeak& isWeak) {
        double both = 0, own = 0, weakBoth = 0, weakOwn = 0;
        for (std::size_t k = 0; k < impulses.size(); ++k) {
            const double rowBoth = norm(k) * impulses[k] * last[k], rowOwn = norm(k) * last[k] * last[k];
            both += rowBoth;
            own += rowOwn;
            weakBoth += isWeak(k) ? rowBoth : 0;
            weakOwn += isWeak(k) ? rowOwn : 0;
        }
        if (weakOwn > kNoShare * own) return weakBoth / weakOwn;
        return own > 0 ? both / own : 0;
    }

private:
    static constexpr double kNoShare = 1e-8;  // that is rounding

    const double m_enough;
    double m_left;
    int m_round = 0;
    int m_stuck = 0;  // rounds that left more than they should, one after the other
};

}  // namespace elasto::flow
