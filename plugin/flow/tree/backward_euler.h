#pragma once
// One step of backward Euler on a row network. It is passive for every step size: springs are convex and dampers, taken
// at the end of the step, never give energy.

#include "straight/row_network.h"

#include <vector>

namespace elasto::flow {

class BackwardEuler {
public:
    /// A motor or limit among the rows. Its impulse, like an element's, lowers its rate where it is positive.
    struct Bound {
        bool isLimit = false;
        double target = 0;  ///< motor: rate at the step's end
        double most = 0;    ///< motor: largest impulse, 0 for a row that does nothing
        double bound = 0;   ///< limit: of the coordinate at the step's end
        int side = 1;       ///< limit: +1 for coordinates not below the bound
    };

    /// @param step [s] > 0
    /// @param speed scale of the network's speeds [m/s] > 0: the equations are solved to 1e-12 of it
    /// @param bounds of the rows after the network's elements: W has these rows, too. They give way by a millionth, so
    ///        that there is one solution
    BackwardEuler(const RowNetwork& network, double step, double speed, std::vector<Bound> bounds = {})
        : m_network(network), m_W(network.W.dense()), m_bounds(std::move(bounds)), m_step(step), m_speed(speed) {}

    /// Impulses x with x = step f(s + step v1, v1), v1 = freeVelocity - W x. s, z: at the step's start;
    /// freeVelocity: at the end of the step without the elements. Forces that would pull although the law belongs to a
    /// contact count as zero, and discontinuous damper forces grow over the first micrometres of the contact: each
    /// force then grows with its element's speed, so that there is exactly one solution.
    Eigen::VectorXd impulses(const Eigen::VectorXd& s, const Eigen::VectorXd& z,
                             const Eigen::VectorXd& freeVelocity) const;

private:
    struct Response {
        Eigen::VectorXd impulse;  ///< of every element at a given speed at the end
        Eigen::VectorXd slope;    ///< its derivative by that speed, >= 0
    };
    struct Start {
        const Eigen::VectorXd& s;
        const Eigen::VectorXd& z;
    };

    Response respond(const Start& start, const Eigen::VectorXd& v) const;
    Eigen::VectorXd newtonStep(const Eigen::VectorXd& residual, const Eigen::VectorXd& slope) const;
    double stepShare(const Start& start, const Eigen::VectorXd& x, const Eigen::VectorXd& v, const Eigen::VectorXd& dx,
                     const Eigen::VectorXd& residual) const;
    bool isSolved(const Eigen::VectorXd& residual) const;

    const RowNetwork& m_network;
    const Eigen::MatrixXd m_W;
    std::vector<Bound> m_bounds;
    double m_step;
    double m_speed;
};

}  // namespace elasto::flow
