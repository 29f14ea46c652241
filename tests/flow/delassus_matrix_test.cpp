#include "straight/delassus_matrix.h"
#include "numerics/tournament.h"
#include "random_numbers.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace elasto;
using namespace elasto::test;

namespace {

/// Links of a chain, and one that all of them move.
Eigen::MatrixXd sparse(Eigen::Index m) {
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(m, m);
    for (Eigen::Index i = 0; i < m; ++i) {
        W(i, i) = 2 + static_cast<double>(i);
        if (i > 0) W(i, i - 1) = W(i - 1, i) = -1;
        W(i, 2) = W(2, i) = 5 + static_cast<double>(i);
    }
    return W;
}

}  // namespace

TEST_CASE("an inverse mass is its matrix without the zeros") {
    const Eigen::MatrixXd dense = sparse(7);
    flow::DelassusMatrix W;
    W.assign(sparse(3));  // what it was before does not matter
    W.assign(dense);
    CHECK(W.size() == 7);
    CHECK(W.isSymmetric());
    CHECK(W.dense() == dense);
    CHECK(W.row(6).size() == 3);
    CHECK(W(6, 2) == 11);
    CHECK(W(6, 0) == 0);
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(7, -1, 2);
    CHECK((W.times(x) - dense * x).norm() < 1e-14);
}

TEST_CASE("a zero has a place where its mirror image is none") {
    Eigen::MatrixXd dense = sparse(4);
    dense(0, 3) = 1;
    flow::DelassusMatrix W;
    W.assign(dense);
    CHECK_FALSE(W.isSymmetric());
    CHECK(W.row(3).front().column == 0);
    CHECK(W(3, 0) == 0);
    W.symmetrise();
    CHECK(W.isSymmetric());
    CHECK(W(3, 0) == 0.5);
    CHECK(W(0, 3) == 0.5);
}

TEST_CASE("a part of an inverse mass has the part's rows and columns") {
    const Eigen::MatrixXd dense = sparse(7);
    flow::DelassusMatrix W, part;
    W.assign(dense);
    const std::vector<Eigen::Index> indices = {1, 2, 5, 6};
    const std::vector<Eigen::Index> placeOf = {0, 0, 1, 1, 2, 2, 3};  // of the others in their own parts
    part.extract(W, indices, placeOf);
    CHECK(part.dense() == Eigen::MatrixXd(dense(indices, indices)));
}

TEST_CASE("the earliest of many times, and the first of equal ones") {
    RandomNumbers random(31);
    flow::Tournament earliest;
    for (const std::size_t count : {1U, 2U, 5U, 64U, 100U}) {
        earliest.reset(count);
        CHECK(earliest.time() == flow::kNever);
        std::vector<double> times(count, flow::kNever);
        for (int i = 0; i < 300; ++i) {
            const auto k = static_cast<std::size_t>(random.below(static_cast<int>(count)));
            times[k] = random.chance(0.2) ? flow::kNever : random.below(10);
            earliest.set(k, times[k]);
            const auto first = std::min_element(times.begin(), times.end());
            REQUIRE(earliest.time() == *first);
            REQUIRE(earliest.index() == static_cast<std::size_t>(first - times.begin()));
        }
    }
}
