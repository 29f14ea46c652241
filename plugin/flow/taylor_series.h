#pragma once
// Power series in time of a piecewise linear network, while no element changes its mode.

#include "polynomial_fall.h"
#include "row_network.h"

#include <vector>

namespace elasto::flow {

class TaylorSeries {
public:
    /// Begins with a network, which must stay as it is until the next one.
    void begin(const RowNetwork& network);

    /// Computes the coefficients about the state, with its phases.
    void expand(const RowState& state);

    /// Longest step whose last two terms stay below the error [m/s]; infinite where the series ends by itself.
    double stepLength(double error) const;

    /// The function of an exit over the next `duration` seconds, on the unit interval.
    UnitPolynomial exitFunction(Eigen::Index element, const LinearExit& exit, double duration) const;

    /// Moves the state that was expanded on by `duration`, all but its time and phases.
    void advance(RowState& state, double duration) const;

private:
    struct Acting {
        std::size_t element;
        double byS;  ///< slopes of its force
        double byV;
        double relaxation;  ///< series: c/d, else 0
    };
    struct Entry {
        std::size_t row;
        double W;
    };

    void collectActing(const RowState& state);
    void expandLoads(double t);
    void addForces(const RowState& state, std::size_t order);
    double largest(const std::vector<double>& coefficients, std::size_t order) const;
    double sum(const std::vector<double>& coefficients, std::size_t element, double duration) const;
    void advanceImpulses(RowState& state, const Acting& acting, double duration) const;
    double heatOf(const RowState& before, std::size_t element, double sAfter, double duration) const;
    /// Integral over `duration` of the square of an element's series with `terms` coefficients.
    double integrateSquare(const std::vector<double>& coefficients, std::size_t element, std::size_t terms,
                           double duration) const;

    const RowNetwork* m_network = nullptr;
    std::size_t m_size = 0;
    bool m_constantLoad = false;
    std::vector<std::size_t> m_columnStart;  ///< W by columns without its zeros
    std::vector<Entry> m_entries;

    std::vector<Acting> m_acting;
    std::vector<double> m_s;  ///< coefficient k of element i at [k m + i], k = 0 ... 14
    std::vector<double> m_v;
    std::vector<double> m_f;  ///< k = 0 ... 13; of acting elements only, else undefined
};

/// What solveTaylor keeps from tick to tick.
struct TaylorSpace {
    TaylorSeries series;
    std::vector<int> counts;  ///< of an element's chatter
};

}  // namespace elasto::flow
