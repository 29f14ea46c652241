#pragma once
// Networks of piecewise linear elements, event by event. Where one element changes its mode, series are found anew only
// as far as that can be felt before the step ends.

#include "numerics/tournament.h"
#include "numerics/zeno_guard.h"
#include "straight/taylor_series.h"

#include <vector>

namespace elasto::flow {

/// Solves one network after another; its storage only grows.
class TaylorSolver {
public:
    /// See solveTaylor.
    void solve(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings, RowLog& log);

private:
    struct Felt {           // by an element, of a force elsewhere
        double change = 0;  ///< bound of its speed's change by the end of the step [m/s]
        int order = 0;      ///< power of time with which that begins
        bool isWorth = false;
    };

    void begin(const RowNetwork& network, const RowState& state, double h, const FlowSettings& settings);
    void startStep();
    void renew();
    void change(std::size_t element, double t, RowLog& log);
    void findFelt(std::size_t element, double force, int order, double duration);
    void feelNeighbours(std::size_t element, double force, int order, double duration);
    void renewLater(std::size_t block);

    const RowNetwork* m_network = nullptr;
    TaylorSeries m_series;
    Tournament m_earliest;  ///< exits of the elements
    ZenoGuard m_chatter;
    double m_h = 0;
    double m_tolerance = 0;
    double m_error = 0;  ///< per step [m/s]
    double m_now = 0;
    double m_stepEnd = 0;    ///< until then series serve that are not exact
    std::size_t m_work = 0;  ///< blocks whose series were found

    std::vector<Exit> m_exits;           ///< the next one of each element
    std::vector<std::size_t> m_renewed;  ///< blocks whose series are found anew
    std::vector<char> m_isRenewed;
    std::vector<Felt> m_felt;
    std::vector<std::size_t> m_worth;  ///< elements that feel an event, ring after ring
    std::vector<std::size_t> m_touched;
};

}  // namespace elasto::flow
