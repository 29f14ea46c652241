#pragma once
// One kick of the implicit step: a strictly convex minimisation over the bodies' velocities.
//
// With a root S of the bodies' inverse mass, S S^T = M^-1, and velocities w = w_free + S y:
//     min over y of |y|^2 / 2 + sum over rows phi(J w),      impulse of a row p(u) = -phi'(u), not increasing
//     gradient  y - sum S^T J^T p         Hessian  1 + sum k (S^T J^T) (S^T J^T)^T,      k = -dp/du >= 0
// Source of the form: Castro, Permenter, Han, An Unconstrained Convex Formulation of Compliant Contact (SAP), 2022.
// Solved by Newton's method with a line search on block-sparse Cholesky factors: one minimum, always found.

#include "constraints/block_matrix.h"
#include "numerics/infinity.h"
#include "implicit/element_push.h"

#include <array>
#include <span>
#include <vector>

namespace elasto::flow::implicit {

/// A row in y: of up to four bodies.
struct KickEnds {
    struct End {
        int body;
        Vector6 push;  ///< S^T J^T
    };
    std::array<End, 4> ends;
    int count = 0;

    void add(int body, const Vector6& push) { ends[static_cast<std::size_t>(count++)] = {body, push}; }
    std::span<const End> all() const { return {ends.data(), static_cast<std::size_t>(count)}; }
    double rate(std::span<const Vector6> y) const;
    void addTo(std::span<Vector6> y, double impulse) const;
    /// What a unit impulse changes the row's rate by.
    double response() const;
};

/// What all scalar rows have.
struct KickRow {
    KickEnds ends;
    double free = 0;  ///< rate of w_free
    double u = 0;     ///< rate
    double size = 0;  ///< what it is the small difference of, besides: it is rounded by its last digit
    double p = 0;     ///< impulse
    double k = 0;     ///< -dp/du
    double du = 0;    ///< along the step of Newton's method
    double kLast = 0;
    double kUsed = 0;  ///< in the Hessian
    int flips = 0;     ///< times that it has gone over a kink
};

/// Joints, limits, motors, friction that is one number: p = lag + (target - u) / R within bounds.
struct KickClamp : KickRow {
    double target = 0;
    double R = 1;    ///< > 0
    double lag = 0;  ///< impulse that meets the target
    double low = -kInfinity, high = kInfinity;

    void evaluate();
};

struct KickElement : KickRow {
    explicit KickElement(const ElementDrift& its) : drift(its) {}
    ElementDrift drift;

    void evaluate();
};

/// A contact's point: p_n = max(0, lag + (target - u_n) / R_n), and friction (u_t + slip) / R_t within a disc.
struct KickPoint {
    using Columns = Eigen::Matrix<double, 6, 3>;
    int a = -1, b = -1;                  ///< bodies, or -1
    Columns A = Columns::Zero(), B = A;  ///< S^T J^T of the normal and of two tangents
    Eigen::Vector3d free = Eigen::Vector3d::Zero();
    Eigen::Vector3d u = Eigen::Vector3d::Zero(), p = u, du = u;
    bool presses = true;  ///< false: the normal is another row's
    double target = 0, Rn = 1, lag = 0;
    double bound = 0, Rt = 1;                        ///< of friction
    Eigen::Vector2d slip = Eigen::Vector2d::Zero();  ///< [m/s]
    double kn = 0, k11 = 0, k12 = 0, k22 = 0;        ///< -dp/du
    double knLast = 0, knUsed = 0;
    bool slips = false, slipped = false, staysStuck = false;
    int flips = 0, slipFlips = 0;

    void evaluate();
};

/// What solving took.
struct KickWork {
    int iterations = 0;
    bool isSolved = true;
};

class Kick {
public:
    std::vector<KickClamp> clamps;
    std::vector<KickElement> elements;
    std::vector<KickPoint> points;

    void clear();
    /// @param edges pairs of bodies that may share a row
    void setPattern(int bodies, std::span<const EliminationOrder::Edge> edges) { m_matrix.make(bodies, edges); }
    /// Forgets the factors, which are kept from kick to kick while they serve.
    void forget() { m_hasFactor = false; }
    /// Finds y from where it is. Rows have their rates and impulses then.
    /// @param scale by body: impulses in S^-1 that are in play besides
    /// @param most iterations; what is not solved then gives bodies other rates than rows ask for, momentum is kept
    KickWork solve(std::vector<Vector6>& y, std::span<const Vector6> scale, int most);

private:
    template <class F>
    void forEachRow(const F& f) {
        for (KickClamp& row : clamps) f(row);
        for (KickElement& row : elements) f(row);
    }
    void setRates(std::span<const Vector6> y);
    void setSteps(std::span<const Vector6> step);
    void evaluate();
    void findGradient(std::span<const Vector6> y);
    void noteKinks(int iteration);
    double rounding() const;
    void factor();
    void findStep();
    double slopeAt(double alpha, double y, double step);
    double curvature(double step);
    double search(int iteration, std::span<const Vector6> y);
    Block6* beside(int one, int other, bool& isOneLater);

    BlockMatrix m_matrix;
    bool m_hasFactor = false;
    std::vector<Vector6> m_gradient, m_step, m_byPlace;
    std::vector<double> m_start;            // rates of the rows where the search begins
    std::vector<Eigen::Vector3d> m_points;  // of the points
    KickWork m_work;
};

}  // namespace elasto::flow::implicit
