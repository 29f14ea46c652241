// Forces along rows against dense matrices: chains in any order, loops, and rows that follow from one another.

#include "constraints/row_factor.h"
#include "random_numbers.h"

#include <Eigen/QR>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

using elasto::flow::RowFactor;
using elasto::test::RandomNumbers;

namespace {

/// Rows of random gradients on the bodies they act on, and G M^-1 G^T with M = 1.
struct Rows {
    std::vector<std::vector<int>> ofBody;
    Eigen::MatrixXd gradients;

    /// @param joints each the bodies it joins, of the rows that follow
    Rows(RandomNumbers& random, int bodies, const std::vector<std::vector<int>>& joints, int rowsEach)
        : ofBody(static_cast<std::size_t>(bodies)) {
        gradients = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(joints.size()) * rowsEach, 6 * bodies);
        int row = 0;
        for (const std::vector<int>& joint : joints) {
            for (int k = 0; k < rowsEach; ++k, ++row) {
                for (const int body : joint) {
                    ofBody[static_cast<std::size_t>(body)].push_back(row);
                    for (int i = 0; i < 6; ++i) gradients(row, 6 * body + i) = random.uniform(-1, 1);
                }
            }
        }
    }

    void enter(RowFactor& factor) const {
        enter(factor, std::vector<int>(static_cast<std::size_t>(gradients.rows()), -1));
    }

    /// @param ballOf see RowFactor::setBodies
    void enter(RowFactor& factor, const std::vector<int>& ballOf) const {
        std::vector<int> structure;
        for (const std::vector<int>& rows : ofBody) {
            structure.push_back(static_cast<int>(rows.size()));
            structure.insert(structure.end(), rows.begin(), rows.end());
        }
        factor.setBodies(structure, ballOf);
        for (std::size_t body = 0; body < ofBody.size(); ++body) {
            const auto at = static_cast<Eigen::Index>(6 * body);
            const std::vector<int>& rows = ofBody[body];
            for (std::size_t i = 0; i < rows.size(); ++i) {
                for (std::size_t k = 0; k <= i; ++k) {
                    const Eigen::VectorXd one = gradients.row(rows[i]).segment<6>(at);
                    factor.add(rows[i], rows[k], one.dot(gradients.row(rows[k]).segment<6>(at)));
                }
            }
        }
        factor.factor();
    }
};

void check(const Rows& rows, RandomNumbers& random) {
    const Eigen::MatrixXd matrix = rows.gradients * rows.gradients.transpose();
    Eigen::VectorXd some(matrix.rows());
    for (double& value : some) value = random.uniform(-1, 1);
    const Eigen::VectorXd wanted = matrix * some;
    RowFactor factor;
    rows.enter(factor);
    Eigen::VectorXd exact = wanted;
    factor.solveExactly(exact);
    const double size = wanted.lpNorm<Eigen::Infinity>();
    CHECK((matrix * exact - wanted).lpNorm<Eigen::Infinity>() <= 1e-14 * size * std::sqrt(double(matrix.rows())));
    Eigen::VectorXd nearly = wanted;
    factor.solve(nearly);
    CHECK((matrix * nearly - wanted).lpNorm<Eigen::Infinity>() <= 1e-9 * size);
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> dense;
    dense.setThreshold(1e-10);
    const Eigen::VectorXd least = dense.compute(matrix).solve(wanted);
    const Eigen::VectorXd moved = rows.gradients.transpose() * exact;
    CHECK((moved - rows.gradients.transpose() * least).norm() <= 1e-9 * moved.norm());
}

}  // namespace

TEST_CASE("forces of a chain's rows, in any order of its joints", "[flow][rows]") {
    RandomNumbers random(1);
    const int links = GENERATE(1, 2, 3, 4, 20, 60);
    std::vector<std::vector<int>> joints{{0}};
    for (int i = 1; i < links; ++i) joints.push_back({i - 1, i});
    for (std::size_t i = joints.size(); i > 1; --i) {
        std::swap(joints[i - 1], joints[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    }
    check(Rows(random, links, joints, GENERATE(1, 3, 5)), random);
}

TEST_CASE("forces of loops, trees and separate parts", "[flow][rows]") {
    RandomNumbers random(2);
    std::vector<std::vector<int>> joints;
    const int kind = GENERATE(0, 1, 2);
    for (int i = 1; i < 16; ++i) joints.push_back({kind == 0 ? i - 1 : kind == 1 ? (i - 1) / 2 : i - i % 3, i});
    if (kind == 0) joints.push_back({15, 0});
    for (std::vector<int>& joint : joints) {
        if (joint[0] == joint[1]) joint.pop_back();
    }
    check(Rows(random, 16, joints, 5), random);
}

TEST_CASE("rows that follow from one another share the force", "[flow][rows]") {
    RandomNumbers random(3);
    std::vector<std::vector<int>> joints{{0}};
    for (int i = 1; i < 6; ++i) joints.push_back({i - 1, i});
    Rows rows(random, 6, joints, 5);
    const int copies = GENERATE(1, 3);
    for (int k = 0; k < copies; ++k) rows.gradients.row(5 * k + 6) = rows.gradients.row(5 * k + 5);
    check(rows, random);
    RowFactor factor;
    rows.enter(factor);
    Eigen::VectorXd forces = rows.gradients * rows.gradients.transpose() * Eigen::VectorXd::Ones(30);
    factor.solveExactly(forces);
    for (int k = 0; k < copies; ++k) CHECK(forces[5 * k + 6] == Approx(forces[5 * k + 5]).epsilon(1e-3));
}

TEST_CASE("a row that moves nothing has no force", "[flow][rows]") {
    RandomNumbers random(4);
    Rows rows(random, 2, {{0}, {0, 1}}, 3);
    rows.gradients.row(2).setZero();
    RowFactor factor;
    rows.enter(factor);
    Eigen::VectorXd forces = Eigen::VectorXd::Ones(6);
    forces[2] = 0;
    factor.solveExactly(forces);
    CHECK(forces[2] == 0);
    CHECK(forces.allFinite());
}

// A body held to two that move apart: forces that pull without end would do nothing but count as work.
TEST_CASE("rows that contradict one another have no more force than what they bring about", "[flow][rows]") {
    RandomNumbers random(5);
    Rows rows(random, 3, {{0}, {0, 1}, {1, 2}}, 5);
    rows.gradients.row(6) = rows.gradients.row(5);
    const bool isUnmoved = GENERATE(false, true);
    if (isUnmoved) rows.gradients.row(6).setZero();
    RowFactor factor;
    rows.enter(factor);
    const Eigen::MatrixXd matrix = rows.gradients * rows.gradients.transpose();
    const Eigen::VectorXd agreed = matrix * Eigen::VectorXd::Ones(15);
    Eigen::VectorXd wanted = agreed;
    wanted[6] += 1;
    if (!isUnmoved) wanted[5] -= 1;
    Eigen::VectorXd forces = wanted;
    factor.solveExactly(forces);
    CHECK((matrix * forces - agreed).lpNorm<Eigen::Infinity>() <= 1e-9);
    CHECK(forces.lpNorm<Eigen::Infinity>() < 3);
    Eigen::VectorXd nearly = wanted;
    factor.solveNearly(nearly);
    CHECK((matrix * nearly - agreed).lpNorm<Eigen::Infinity>() <= 1e-9);
    CHECK(nearly.lpNorm<Eigen::Infinity>() < 3);
}

// Bullet knows joints one by one: five rows of a hinge and five of another one between the same bodies.
TEST_CASE("the rows of a ball stay together, whatever comes before them", "[flow][rows]") {
    RandomNumbers random(6);
    const int before = GENERATE(range(0, 8));
    const int between = GENERATE(range(0, 4));
    const int count = before + 3 + between + 3;
    const Rows rows(random, 2, std::vector<std::vector<int>>(static_cast<std::size_t>(count), {0, 1}), 1);
    std::vector<int> ballOf(static_cast<std::size_t>(count), -1);
    std::fill_n(ballOf.begin() + before, 3, 0);
    std::fill_n(ballOf.begin() + before + 3 + between, 3, 1);
    RowFactor factor;
    rows.enter(factor, ballOf);
    const auto steps = [&](int row, int ball) {
        const auto at = [&](int k) { return static_cast<std::ptrdiff_t>(factor.entryOf(row, ball + k)); };
        return std::pair(at(1) - at(0), at(2) - at(1));
    };
    for (int row = 0; row < count; ++row) {
        for (const int ball : {before, before + 3 + between}) {
            if (row >= ball && row < ball + 3) continue;
            const auto [one, other] = steps(row, ball);
            CHECK(one == other);
        }
    }
}
