#pragma once
// Impulses along rows that change the rates of rows by wanted amounts, for networks of many bodies: joints, motors,
// limits and contacts in one factorisation whose cost grows with the number of bodies, not with its square or cube.
//
// Unknown are not the impulses but the bodies. With a square root S of the bodies' inverse mass, S S^T = M^-1, all
// motion that impulses can cause is u = S y. Rows q (their rates) and p (what their impulses push along, p = q but for
// slipping friction) become S^T q, S^T p in y, and
//     K = 1 + sum over held rows of w (S^T p) (S^T q)^T
// has 6 x 6 blocks only for the bodies and for pairs that share a row. w is so large that K y = sum w b (S^T p) meets
// the wanted rates b nearly; repeating it with what is still missing (method of multipliers) meets them to rounding
// after two or three rounds. Rows that follow from one another, in loops of joints or at the corners of a box, are
// harmless: they share the impulse. M itself is never needed, so bodies may have axes that nothing moves.

#include "constraints/block_matrix.h"
#include "constraints/multipliers.h"

#include <span>
#include <vector>

namespace elasto::flow {

/// A square root of a body's inverse mass: diagonal for translations, in the world frame; any for rotations.
struct InverseMassRoot {
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();
    Eigen::Matrix3d angular = Eigen::Matrix3d::Zero();

    /// @param q the body's orientation; factors are in the root. An immovable body has a root of zeros.
    static InverseMassRoot of(const FlowBody& body, const Eigen::Quaterniond& q);
    /// Of a body whose "accelerations" are the forces on it.
    static InverseMassRoot ofForces() { return {Eigen::Vector3d::Ones(), Eigen::Matrix3d::Identity()}; }
    Vector6 times(const Vector6& y) const;
    Vector6 transposedTimes(const Vector6& gradient) const;
};

/// A relation between the velocities u (linear, angular) of two bodies: rate = gradientA . u_a + gradientB . u_b. An
/// impulse of the row pushes the bodies along the gradients.
struct BlockRow {
    int a = kWorld;  ///< index of a body, or kWorld
    int b = kWorld;
    Vector6 gradientA = Vector6::Zero();  ///< not read for kWorld
    Vector6 gradientB = Vector6::Zero();
};

/// Of a row with more than two bodies: the others, which the row itself has not.
struct GearedRow {
    std::size_t row;
    BlockRow others;
};

/// What becomes of a row: held, left alone, or riding on another one, as slipping friction does on a pressure.
struct RowMode {
    bool isHeld = false;
    int rides = -1;        ///< index of a held row between the same bodies a and b, or -1
    double share = 0;      ///< impulse = share x that of the row it rides on
    bool isMotor = false;  ///< of a row that is held: a motor's, or friction's in a joint, see solveByMultipliers

    static RowMode held() { return {true}; }
    static RowMode ofMotor() { return {.isHeld = true, .isMotor = true}; }
    static RowMode riding(int row, double share) { return {false, row, share}; }
};

/// Use: setBodies, setRows, factor, then solve as often as needed. All may be repeated on the same object; storage only
/// grows, so that a repeated sequence of the same sizes allocates nothing. Indices are not checked.
class BlockFactor {
public:
    /// Weight of a row relative to the response to its own impulse. A larger one needs fewer rounds in long chains; a
    /// smaller one leaves less rounding, weight x 1e-16, in impulses that cancel each other.
    static constexpr double kFirmWeight = 1e10;
    static constexpr double kWeight = 1e8;

    void setBodies(std::span<const InverseMassRoot> roots);
    /// Takes the rows' gradients, after setBodies. The order of elimination is kept while the rows join the same bodies
    /// in the same order.
    /// @param geared by rising row
    void setRows(std::span<const BlockRow> rows, std::span<const GearedRow> geared = {});
    /// The same for rows whose impulses push along other gradients than those of their rates: pushes[i] has the bodies
    /// of rates[i].
    void setRows(std::span<const BlockRow> rates, std::span<const BlockRow> pushes,
                 std::span<const GearedRow> gearedRates = {}, std::span<const GearedRow> gearedPushes = {});
    /// Replaces one of the rows, none that is geared, by another between the same bodies; factor() must follow.
    void setRow(std::size_t index, const BlockRow& row);

    /// What an impulse of 1 of a row alone changes its rate by, where it pushes along its own gradients.
    double response(std::size_t row) const { return m_rows[row].ownResponse; }

    /// Factors K for a set of rows, all of them held or one mode per row.
    /// @return false if the set has no answer, on the verge of friction that wedges. solve() must not be called then.
    ///         Beyond it pressure pulls what it should push: impulses have the wrong sign.
    bool factor(double weight = kFirmWeight);
    bool factor(std::span<const RowMode> modes, double weight = kWeight);

    /// @param wanted change of each row's rate; only held rows' are read
    /// @param impulses of each row: held and riding ones, 0 for others. Of all that do the same, nearly the smallest
    /// @param change of each body's velocity by the impulses
    /// @return largest amount by which the rate of a held row differs from what is wanted: rounding, unless rows that
    ///         follow from one another contradict each other
    double solve(std::span<const double> wanted, std::span<double> impulses, std::span<Vector6> change);

    /// What all this took since the object was made, in nanoseconds as WorkPrices has them.
    long work() const { return m_work; }

private:
    struct Ends {
        Vector6 a, b;
    };
    struct Row {
        int a, b;            // places in the order, -1 for none
        int entry = -1;      // of the pair a, b
        bool isALater;       // of the two
        double ownResponse;  // to an impulse of 1
    };
    /// The further ends of a row.
    struct Others {
        std::size_t row;
        int c, d;         // places, -1 for none
        Ends rate, push;  // of c and d
    };
    /// What solving needs of a held row, one after the other in memory.
    struct Held {
        int a, b;  // places
        double weight;
        Ends rate;
        int others = -1;  // place in m_others
    };

    Ends reduced(const BlockRow& row) const;
    void list(std::span<const BlockRow> rows, std::span<const GearedRow> geared);
    void assembleOthers(const Held& held, const Ends& push);
    bool factorHeld(double weight);
    void assemble();
    void begin(std::span<const double> wanted);
    void push(std::size_t held, double impulse, std::vector<Vector6>& to) const;
    double rateOf(const Held& held, const std::vector<Vector6>& of) const;

    std::vector<InverseMassRoot> m_roots;
    std::vector<EliminationOrder::Edge> m_edges;
    BlockMatrix m_matrix;
    std::vector<Row> m_rows;
    std::vector<Others> m_others;            // by rising row
    std::vector<Ends> m_rates, m_ownPushes;  // S^T q, S^T p
    bool m_hasOwnPushes = false;
    bool m_isSymmetric = true;
    long m_work = 0;
    std::vector<RowMode> m_modes;
    std::vector<std::size_t> m_held;         // rows
    std::vector<std::size_t> m_placeOfHeld;  // in that list, by row
    std::vector<Held> m_heldRows;
    std::vector<Ends> m_heldPushes;               // where they differ from the rates: with riding rows'
    MultiplierRows m_rounds;                      // by held row
    std::vector<Vector6> m_right, m_step, m_sum;  // y, by place
};

}  // namespace elasto::flow
