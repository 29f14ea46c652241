#pragma once
// The motion of a piecewise linear network as power series in time, while no element changes its mode. Elements go in
// blocks of four, which are computed at once; each block has its series about a time of its own, so that where little
// happens little is computed.

#include "numerics/polynomial_crossing.h"
#include "straight/row_network.h"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace elasto::flow {

inline constexpr std::size_t kLanes = 4;
/// Terms of speeds that loads alone make.
inline constexpr std::size_t kLoadTerms = 4;
/// One value of each element of a block; element i is in block i / 4.
using Lanes = Eigen::Array<double, kLanes, 1>;
/// Powers 0 ... 14 of a time.
using Powers = std::array<double, kOrder + 1>;
/// What a series' terms count at the end of a time t.
struct Weights {
    Powers power{};  ///< t^k
    Powers once{};   ///< t^k/k, from k = 1: of their integrals

    static Weights of(double t);
    double time() const { return power[1]; }
};
/// 1/k, from k = 1.
inline constexpr std::array<double, kOrder + 5> kInverse = [] {
    std::array<double, kOrder + 5> inverse{};
    for (std::size_t k = 1; k < inverse.size(); ++k) inverse[k] = 1 / static_cast<double>(k);
    return inverse;
}();

/// Its storage only grows.
class TaylorSeries {
public:
    /// Takes the state over until end(). The network must outlast the other calls.
    void begin(const RowNetwork& network, const RowState& state);
    /// Gives the state back, without its time; moveTo must have brought all blocks to one time.
    void end(RowState& state) const;

    std::size_t blocks() const { return m_base.size(); }
    static std::size_t blockOf(std::size_t element) { return element / kLanes; }

    /// Moves a block's part of the state from the time of its series to t.
    void moveTo(std::size_t block, double t);

    /// Order of series that serve for a time to about this share of what moves.
    std::size_t orderFor(double duration, double share) const;

    /// New series of an order <= kOrder about t, to which moveTo has brought them, of these blocks. What acts on them
    /// from others goes on as its own series says.
    void expand(const std::vector<std::size_t>& blocks, double t, std::size_t order);

    /// Time over which the last two terms of these blocks' series stay below the error [m/s], at most that whose
    /// powers are given.
    double reach(const std::vector<std::size_t>& blocks, double error, const Weights& most) const;

    /// True if the block's series end by themselves: nothing that acts moves it.
    bool isExact(std::size_t block) const { return m_isExact[block] != 0; }
    /// True if series of the block that are found now would not.
    bool isDriven(std::size_t block) const;

    /// Where an element leaves its mode within a time.
    struct Leaving {
        double share = std::numeric_limits<double>::infinity();  ///< of that time
        Exit exit{};
    };
    /// Of a block's elements, the first one each within the time, from that of the series on, whose powers are given.
    std::array<Leaving, kLanes> leavings(std::size_t block, const Weights& duration) const;

    void setPhase(std::size_t element, Phase phase);
    void setLength(std::size_t element, double s) { at(m_s, element) = s; }
    void stop(std::size_t element) { rates(blockOf(element))[0][laneOf(element)] = 0; }  ///< ends its speed

    Phase phase(std::size_t element) const { return m_phases[element]; }
    double length(std::size_t element) const { return at(m_s, element); }
    double speed(std::size_t element) const { return rates(blockOf(element))[0][laneOf(element)]; }
    /// Slopes of the element's force in its mode.
    double byLength(std::size_t element) const { return at(m_byS, element); }
    double bySpeed(std::size_t element) const { return at(m_byV, element); }
    /// Bound of the element's speed from the time of its series to t.
    double speedBound(std::size_t element, double t) const;

private:
    static constexpr std::size_t kTerms = kOrder + 1;

    struct ExitFunction {  // of each element of a block
        Lanes byS = Lanes::Zero();
        Lanes byV = Lanes::Zero();
        Lanes edge = Lanes::Zero();
        std::array<Exit, kLanes> exits{};
        std::array<bool, kLanes> are{};
    };
    struct Neighbours {  // of a block's elements, in their order: who is next to whom in most networks
        Lanes own = Lanes::Zero();
        Lanes before = Lanes::Zero();
        Lanes after = Lanes::Zero();
        std::size_t placeBefore = 0;  ///< in m_f, where the forces of those beside the block are during an expansion
        std::size_t placeAfter = 0;
    };
    struct Link {  // to each element of a block, from one that moves it and is not next to it
        Lanes W = Lanes::Zero();
        std::array<std::size_t, kLanes> from{};
    };

    static Eigen::Index laneOf(std::size_t element) { return static_cast<Eigen::Index>(element % kLanes); }
    static double at(const std::vector<Lanes>& values, std::size_t element) {
        return values[blockOf(element)][laneOf(element)];
    }
    static double& at(std::vector<Lanes>& values, std::size_t element) {
        return values[blockOf(element)][laneOf(element)];
    }
    Lanes* rates(std::size_t block) { return &m_v[block * kTerms]; }
    const Lanes* rates(std::size_t block) const { return &m_v[block * kTerms]; }
    Lanes* forces(std::size_t block) { return &m_f[block * kOrder]; }
    const Lanes* forces(std::size_t block) const { return &m_f[block * kOrder]; }
    /// Of an element's force, term after term kLanes apart.
    static std::size_t forcePlace(std::size_t element) { return blockOf(element) * kOrder * kLanes + element % kLanes; }
    bool acts(std::size_t element) const {
        return byLength(element) != 0 || bySpeed(element) != 0 || m_offset[blockOf(element)][laneOf(element)] != 0;
    }

    // What acts on whom: straight/taylor_links.cpp.
    void takeLaws(const std::vector<Phase>& phases);
    void findLinks();
    void findRate();
    void placeLinks(const std::vector<std::size_t>& blocks, double t, std::size_t order);
    std::size_t shiftedForce(std::size_t element, double t, std::size_t order);
    template <bool isDamped, bool isSeries>
    void advance(std::size_t k);
    void advance(std::size_t k);

    void startLoads(std::size_t block, double t);
    const Weights& weightsOf(double duration);
    Lanes margin(std::size_t block, const ExitFunction& exit, const Weights& duration) const;
    void addImpulses(std::size_t block, double t, const Weights& weights);
    void addHeat(std::size_t block, const Lanes& sAfter, double duration);
    double springHeat(std::size_t element, double sAfter) const;
    UnitPolynomial exitFunction(std::size_t element, const ExitFunction& exit, const Weights& duration) const;

    const RowNetwork* m_network = nullptr;
    std::uint64_t m_number = 0;  ///< of the network
    std::size_t m_size = 0;
    bool m_hasConstantLoad = true;
    bool m_hasSeries = false;
    bool m_hasSliders = false;
    bool m_hasDamping = false;

    std::vector<Lanes> m_load;  ///< constant part of the acceleration by the loads

    // The state, of each block at the time of its series; unused lanes are zero.
    std::vector<double> m_base;
    std::vector<Lanes> m_s, m_z, m_P, m_sigma, m_sigmaT, m_sigmaTT, m_heat;
    std::vector<Phase> m_phases;

    // What the elements do in their modes.
    std::vector<Lanes> m_byS, m_byV, m_edge;  ///< f = byS (s - edge - z) + byV v + offset, z of series only
    std::vector<Lanes> m_offset;              ///< of what slides, else 0
    std::vector<Lanes> m_relaxation;          ///< of series: c/d, else 0
    std::vector<std::array<ExitFunction, kMostExits>> m_exits;

    std::vector<Lanes> m_v;            ///< term k of block b at b (kOrder + 1) + k; those of s are v_(k-1)/k
    std::vector<Lanes> m_f;            ///< at b kOrder + k; after all blocks those that are shifted
    std::vector<std::size_t> m_order;  ///< of v
    std::vector<char> m_isExact;
    Weights m_weights;  ///< of the last duration that was asked for

    double m_rate = 0;                     ///< bound of how fast anything can go on by itself [1/s]
    std::vector<Neighbours> m_neighbours;  ///< of each block
    std::vector<Link> m_links;             ///< by block
    std::vector<std::size_t> m_firstLink;  ///< of each block, and the end
    std::vector<std::array<std::size_t, kLanes>> m_linkPlaces;  ///< in m_f, where the forces are during an expansion
    std::vector<unsigned> m_expanding;                          ///< of each block: the last expansion it was part of
    unsigned m_expansion = 0;
    std::size_t m_shiftedCount = 0;
    std::vector<std::size_t> m_driven;  ///< blocks of an expansion that something acts on
};

}  // namespace elasto::flow
