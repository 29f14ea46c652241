#pragma once
// What bodies do under loads and rows where some of them have the coordinates of trees: the rows' forces from one small
// dense matrix, and only of rows that no tree implies.
//
// With the coordinates' accelerations a_0 where no row pushes, J the rows' gradients in the coordinates, H the inertia
// and P^T what rows push (J^T, but for friction that rides on a pressure), forces f that give held rows the rates b are
//     A f = b - J a_0,   A = J H^-1 P^T.
// Rows that follow from one another make A singular: A + D is not, D a small share of what each row's own force does to
// bodies in no tree. Repeating it with what is missing (method of multipliers) meets b and shares the forces as
// BlockFactor does, which has the same weights.

#include "constraints/block_factor.h"
#include "contact/contact_frame.h"
#include "contact/joint_trees.h"

#include <span>
#include <vector>

namespace elasto::flow {

class ReducedRows {
public:
    /// What bodies do where no row pushes.
    /// @param frame, trees where the bodies are @param pushes by body: of trees force and moment about the centre of
    /// mass besides the network's loads; of others the acceleration
    void drive(const ContactFrame& frame, const FlowNetwork& network, JointTrees& trees, double t,
               std::span<const Vector6> pushes);
    /// Factors the matrix of rows that are held, and of what rides on them. After drive().
    /// @return false if there is no answer, as BlockFactor::factor
    bool factor(std::span<const RowMode> modes);
    /// Forces that keep what is held. @param gammas of the rows, see ContactFrame::gammas
    /// @param forces of all rows; others than held and riding ones become 0
    /// @param changes of the accelerations of bodies that are in no tree; others are not written
    void solve(std::span<const double> gammas, std::span<double> forces, std::span<Vector6> changes);
    /// Of the trees' coordinates: with the rows' forces once these are solved for.
    const Eigen::VectorXd& accelerations() const { return m_accelerations; }
    /// How much a unit force of a row changes its rate.
    double response(const BlockRow& row);
    /// Acceleration along a row once the rows' forces are solved for, but for its gamma.
    /// @param changes as solve() gave them
    double acceleration(const BlockRow& row, std::span<const Vector6> changes);
    double response(std::size_t row);
    /// What it took since the object was made [ns].
    long work() const { return m_work; }

private:
    /// A row's gradient by a body of no tree, and what the body does when it pushes.
    struct Loose {
        std::size_t body;
        Vector6 gradient, push, response;
    };
    struct Held {
        std::size_t row;
        double bias;  ///< acceleration while the trees' coordinates move evenly
        std::vector<Loose> loose;
        double scale;  ///< 1 / root of what its own force does where its bodies are in no tree
    };

    void addEnd(int body, const Vector6& gradient, double* rates) const;
    double evenly(int body, const Vector6& gradient) const;
    template <class ForEachPart>
    double responseOf(const ForEachPart& forEachPart);
    void readRow(std::size_t row, Eigen::Index column);
    void addRiding(std::size_t row, double share, Eigen::Index column);
    void respond(double* forces) const;
    double entry(std::size_t row, std::size_t column) const;
    bool eliminate();
    void substitute(double* x) const;

    const ContactFrame* m_frame = nullptr;
    const FlowNetwork* m_network = nullptr;
    JointTrees* m_trees = nullptr;
    std::vector<Vector6> m_free;  // of bodies that are in no tree
    Eigen::VectorXd m_drive;      // accelerations where no row pushes
    Eigen::VectorXd m_accelerations;
    std::vector<Held> m_held;  // at least as many
    std::size_t m_count = 0;
    std::vector<RowMode> m_modes;
    std::vector<int> m_placeOf;                      // by row, among the held
    Eigen::MatrixXd m_rates, m_pushes, m_responses;  // by columns of held rows
    Eigen::MatrixXd m_matrix, m_factor;              // scaled, the second with D
    MultiplierRows m_rounds;
    Eigen::VectorXd m_probe, m_answer;
    long m_work = 0;
};

}  // namespace elasto::flow
