// Impulses that change the rates of rows, block by block, against dense matrices.

#include "constraints/block_factor.h"
#include "constraints/contact_geometry.h"
#include "constraints/held_rows.h"
#include "random_numbers.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace elasto;
using namespace elasto::flow;
using elasto::test::RandomNumbers;

namespace {

Eigen::Vector3d randomVector(RandomNumbers& random) {
    return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// Bodies and rows, and their dense matrices.
struct Problem {
    std::vector<InverseMassRoot> roots;
    std::vector<BlockRow> rows;

    int addBody(const FlowBody& body) {
        roots.push_back(InverseMassRoot::of(body, body.orientation));
        return static_cast<int>(roots.size()) - 1;
    }
    Eigen::Index size() const { return static_cast<Eigen::Index>(6 * roots.size()); }
    Eigen::MatrixXd inverseMass() const {
        Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size(), size());
        for (std::size_t i = 0; i < roots.size(); ++i) {
            const auto at = static_cast<Eigen::Index>(6 * i);
            matrix.block<3, 3>(at, at) = roots[i].linear.cwiseAbs2().asDiagonal();
            matrix.block<3, 3>(at + 3, at + 3) = roots[i].angular * roots[i].angular.transpose();
        }
        return matrix;
    }
    Eigen::MatrixXd gradients() const {
        Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto k = static_cast<Eigen::Index>(i);
            if (rows[i].a >= 0) matrix.block<1, 6>(k, 6 * rows[i].a) += rows[i].gradientA.transpose();
            if (rows[i].b >= 0) matrix.block<1, 6>(k, 6 * rows[i].b) += rows[i].gradientB.transpose();
        }
        return matrix;
    }
};

struct Answer {
    Eigen::VectorXd impulses, change;
    double missing = 0;
};

Answer answerOf(BlockFactor& factor, const Problem& problem, const Eigen::VectorXd& wanted) {
    const std::vector<double> b(wanted.begin(), wanted.end());
    std::vector<double> impulses(b.size(), 1e9);
    std::vector<Vector6> change(problem.roots.size(), Vector6::Constant(1e9));
    Answer answer;
    answer.missing = factor.solve(b, impulses, change);
    answer.impulses = Eigen::Map<Eigen::VectorXd>(impulses.data(), static_cast<Eigen::Index>(impulses.size()));
    answer.change = Eigen::Map<Eigen::VectorXd>(change[0].data(), problem.size());
    return answer;
}

/// All rows held: the change is M^-1 G^T l with the smallest l that meets G change = wanted.
void checkHeld(const Problem& problem, RandomNumbers& random, double accuracy) {
    const Eigen::MatrixXd inverse = problem.inverseMass();
    const Eigen::MatrixXd G = problem.gradients();
    Eigen::VectorXd u(problem.size());
    for (double& value : u) value = random.uniform(-1, 1);
    const Eigen::VectorXd wanted = G * u;

    BlockFactor factor;
    factor.setBodies(problem.roots);
    factor.setRows(problem.rows);
    REQUIRE(factor.factor());
    const Answer answer = answerOf(factor, problem, wanted);
    const double scale = wanted.lpNorm<Eigen::Infinity>();
    CHECK(answer.missing <= accuracy * scale);
    CHECK((G * answer.change - wanted).lpNorm<Eigen::Infinity>() <= accuracy * scale);
    const Eigen::VectorXd moved = inverse * G.transpose() * answer.impulses;
    // Large impulses may cancel on a light body.
    const Eigen::VectorXd summed = (inverse * G.transpose()).cwiseAbs() * answer.impulses.cwiseAbs();
    CHECK(((answer.change - moved).array().abs() <= accuracy * (summed.array() + scale)).all());
    const double size = answer.change.lpNorm<Eigen::Infinity>();

    // Scaled to equal diagonals, or light bodies vanish in the rounding of heavy ones.
    const Eigen::MatrixXd matrix = G * inverse * G.transpose();
    const Eigen::VectorXd unit = matrix.diagonal().cwiseSqrt().cwiseInverse();
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> dense;
    dense.setThreshold(1e-11);
    dense.compute(unit.asDiagonal() * matrix * unit.asDiagonal());
    const Eigen::VectorXd least = unit.asDiagonal() * dense.solve(unit.cwiseProduct(wanted));
    const Eigen::VectorXd expected = inverse * G.transpose() * least;
    CHECK((answer.change - expected).lpNorm<Eigen::Infinity>() <= 1e-7 * size);
    CHECK(answer.impulses.cwiseQuotient(unit).norm() <= (1 + 1e-5) * least.cwiseQuotient(unit).norm());
}

FlowBody randomBody(RandomNumbers& random, double mass) {
    FlowBody body = FlowBody::rigid(
        mass, mass * Eigen::Vector3d(random.uniform(0.05, 0.1), random.uniform(0.05, 0.1), random.uniform(0.05, 0.1)));
    body.orientation =
        Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))
            .normalized();
    return body;
}

/// The rows of a joint at a place of the world: three of a ball joint, or five of a hinge about z.
void addJoint(Problem& problem, int a, int b, const Eigen::Vector3d& fromA, const Eigen::Vector3d& fromB,
              bool isHinge) {
    const auto add = [&](const Eigen::Vector3d& linear, const Eigen::Vector3d& angularA,
                         const Eigen::Vector3d& angularB) {
        BlockRow row;
        row.a = a;
        row.b = b;
        row.gradientA << -linear, angularA;
        row.gradientB << linear, angularB;
        problem.rows.push_back(row);
    };
    for (int k = 0; k < 3; ++k) {
        const Eigen::Vector3d axis = Eigen::Vector3d::Unit(k);
        add(axis, -fromA.cross(axis), fromB.cross(axis));
    }
    for (int k = 0; k < 2 && isHinge; ++k) {
        add(Eigen::Vector3d::Zero(), -Eigen::Vector3d::Unit(k), Eigen::Vector3d::Unit(k));
    }
}

Problem chain(RandomNumbers& random, int links, double ratio, bool isHinged) {
    Problem problem;
    for (int i = 0; i < links; ++i) problem.addBody(randomBody(random, i % 2 == 0 ? 1 : ratio));
    for (int i = 0; i < links; ++i) {
        addJoint(problem, i - 1, i, {0.5, random.uniform(-0.2, 0.2), 0}, {-0.5, 0, random.uniform(-0.2, 0.2)},
                 isHinged);
    }
    return problem;
}

/// Contact of the box b on the box (or ground) a at the corners of a square: a pressure and two tangents each.
void addCorners(Problem& problem, int a, int b, double half) {
    for (int corner = 0; corner < 4; ++corner) {
        const Eigen::Vector3d at(corner % 2 == 0 ? half : -half, 0, corner / 2 == 0 ? half : -half);
        for (const int k : {1, 0, 2}) {
            const Eigen::Vector3d axis = Eigen::Vector3d::Unit(k);
            const Eigen::Vector3d onA = at + Eigen::Vector3d(0, half, 0);
            const Eigen::Vector3d onB = at - Eigen::Vector3d(0, half, 0);
            BlockRow row;
            row.a = a;
            row.b = b;
            row.gradientA << -axis, -onA.cross(axis);
            row.gradientB << axis, onB.cross(axis);
            problem.rows.push_back(row);
        }
    }
}

Problem stack(int boxes, double ratio) {
    Problem problem;
    double mass = 1;
    for (int i = 0; i < boxes; ++i, mass *= ratio) {
        problem.addBody(FlowBody::rigid(mass, mass / 6 * Eigen::Vector3d::Ones()));
        addCorners(problem, i - 1, i, 0.5);
    }
    return problem;
}

}  // namespace

TEST_CASE("rows of a chain are held", "[flow][blocks]") {
    RandomNumbers random(1);
    const int links = GENERATE(1, 2, 3, 10, 60);
    const bool isHinged = GENERATE(false, true);
    checkHeld(chain(random, links, 1, isHinged), random, 1e-13);
}

TEST_CASE("a chain of light and heavy links is held", "[flow][blocks]") {
    RandomNumbers random(2);
    const double ratio = GENERATE(1e-4, 1e-2, 1e2, 1e4);
    checkHeld(chain(random, 8, ratio, true), random, 1e-12);
}

TEST_CASE("loops of joints whose rows follow from one another are held", "[flow][blocks]") {
    RandomNumbers random(3);
    Problem problem;  // a parallelogram of hinges: 20 rows of rank 17
    for (int i = 0; i < 3; ++i) problem.addBody(FlowBody::rigid(1 + i, Eigen::Vector3d(0.1, 0.2, 0.2)));
    const Eigen::Vector3d up(0.1, 0.5, 0);
    const Eigen::Vector3d along(0.7, 0, 0);
    addJoint(problem, kWorld, 0, {0, 0, 0}, -up, true);
    addJoint(problem, 0, 1, up, -along, true);
    addJoint(problem, 1, 2, along, up, true);
    addJoint(problem, 2, kWorld, -up, {1.4, 0, 0}, true);
    checkHeld(problem, random, 1e-12);
}

TEST_CASE("a net of joints fills in", "[flow][blocks]") {
    RandomNumbers random(4);
    constexpr int kSide = 5;
    Problem problem;
    for (int i = 0; i < kSide * kSide; ++i) problem.addBody(randomBody(random, random.logarithmic(-1, 1)));
    for (int i = 0; i < kSide * kSide; ++i) {
        const auto join = [&](int other) {
            const Eigen::Vector3d from = 0.5 * randomVector(random);
            addJoint(problem, i, other, from, 0.5 * randomVector(random), false);
        };
        if (i % kSide + 1 < kSide) join(i + 1);
        if (i + kSide < kSide * kSide) join(i + kSide);
    }
    checkHeld(problem, random, 1e-12);
}

TEST_CASE("boxes held at four corners share the pressure", "[flow][blocks]") {
    RandomNumbers random(5);
    const double ratio = GENERATE(1.0, 10.0, 0.1);
    const Problem problem = stack(5, ratio);
    checkHeld(problem, random, 1e-12);

    // At rest under gravity, g h = 1: each corner carries a quarter of what is above it.
    Eigen::VectorXd wanted = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(problem.rows.size()));
    for (Eigen::Index k = 0; k < 12; k += 3) wanted[k] = 1;
    BlockFactor factor;
    factor.setBodies(problem.roots);
    factor.setRows(problem.rows);
    REQUIRE(factor.factor());
    const Answer answer = answerOf(factor, problem, wanted);
    double above = 0;
    for (int box = 4; box >= 0; --box) {
        above += std::pow(ratio, box);
        for (int corner = 0; corner < 4; ++corner) {
            CHECK(answer.impulses[12 * box + 3 * corner] == Approx(above / 4).epsilon(1e-6));
        }
    }
}

TEST_CASE("axes that nothing moves take no part", "[flow][blocks]") {
    RandomNumbers random(6);
    Problem problem;
    for (int i = 0; i < 6; ++i) {
        FlowBody body = randomBody(random, 1);
        if (i % 3 == 0) body.inverseInertia.setZero();
        if (i % 3 == 1) body.linearFactor = {1, 0, 2};
        if (i == 2) body.angularFactor = {0, 1, 0.5};
        if (i == 5) body.inverseInertia[1] = 0;
        problem.addBody(body);
        addJoint(problem, i - 1, i, {0.5, 0.1, 0}, {-0.5, 0, 0.2}, false);
    }
    const int still = problem.addBody(FlowBody());
    addJoint(problem, 5, still, {0.5, 0, 0}, {0, 0, 0}, false);
    // Wanted changes that the bodies cannot make are not asked for here: G M^-1 G^T u.
    const Eigen::MatrixXd G = problem.gradients();
    const Eigen::MatrixXd inverse = problem.inverseMass();
    Eigen::VectorXd pull(problem.size());
    for (double& value : pull) value = random.uniform(-1, 1);
    const Eigen::VectorXd wanted = G * inverse * pull;
    BlockFactor factor;
    factor.setBodies(problem.roots);
    factor.setRows(problem.rows);
    REQUIRE(factor.factor());
    const Answer answer = answerOf(factor, problem, wanted);
    CHECK(answer.missing <= 1e-12);
    CHECK((G * answer.change - wanted).lpNorm<Eigen::Infinity>() <= 1e-12);
    CHECK((answer.change - inverse * G.transpose() * answer.impulses).lpNorm<Eigen::Infinity>() <= 1e-12);
    CHECK(answer.change.tail<6>().isZero(0));
}

TEST_CASE("friction rides on the pressure while it slips", "[flow][blocks]") {
    RandomNumbers random(7);
    const double friction = GENERATE(0.1, 0.5, 0.9);
    const Problem problem = stack(4, 0.5);
    std::vector<RowMode> modes(problem.rows.size());
    std::vector<Eigen::Index> held;
    const auto m = static_cast<Eigen::Index>(problem.rows.size());
    Eigen::MatrixXd share = Eigen::MatrixXd::Identity(m, m);  // of the row's impulse in those of others
    for (std::size_t i = 0; i < modes.size(); ++i) {
        const bool slips = i / 12 == 1 || i / 12 == 3;
        const auto pressure = static_cast<int>(i - i % 3);
        if (i % 3 == 0 || !slips) {
            modes[i] = RowMode::held();
            held.push_back(static_cast<Eigen::Index>(i));
        } else if (i % 3 == 1) {
            modes[i] = RowMode::riding(pressure, i / 12 == 1 ? friction : -friction);
            share(static_cast<Eigen::Index>(i), pressure) = modes[i].share;
        }
    }
    const Eigen::MatrixXd G = problem.gradients();
    const Eigen::MatrixXd inverse = problem.inverseMass();
    const Eigen::MatrixXd Q = G(held, Eigen::all);
    const Eigen::MatrixXd P = (share.transpose() * G)(held, Eigen::all);
    Eigen::VectorXd some(P.rows());
    for (double& value : some) value = random.uniform(-1, 1);
    const Eigen::VectorXd expected = inverse * P.transpose() * some;
    const Eigen::VectorXd wanted = G * expected;
    BlockFactor factor;
    factor.setBodies(problem.roots);
    factor.setRows(problem.rows);
    REQUIRE(factor.factor(modes));
    const Answer answer = answerOf(factor, problem, wanted);
    CHECK((Q * (answer.change - expected)).lpNorm<Eigen::Infinity>() <= 1e-12);
    // The pressures' redundancy leaves no freedom here: what differs in impulses does not in motion.
    CHECK((answer.change - expected).lpNorm<Eigen::Infinity>() <= 1e-9);
    CHECK((answer.change - inverse * G.transpose() * answer.impulses).lpNorm<Eigen::Infinity>() <= 1e-12);
    for (std::size_t i = 0; i < modes.size(); ++i) {
        const auto k = static_cast<Eigen::Index>(i);
        if (modes[i].rides >= 0) CHECK(answer.impulses[k] == modes[i].share * answer.impulses[modes[i].rides]);
        if (!modes[i].isHeld && modes[i].rides < 0) CHECK(answer.impulses[k] == 0);
    }
}

TEST_CASE("rows of four bodies are held among others", "[flow][blocks]") {
    RandomNumbers random(8);
    const bool hasOwnPushes = GENERATE(false, true);
    for (int round = 0; round < 20; ++round) {
        Problem problem;
        for (int i = 0; i < 6; ++i) problem.addBody(FlowBody::rigid(random.uniform(0.5, 2), {0.1, 0.2, 0.25}));
        const auto randomRow = [&](int a, int b) {
            BlockRow row{a, b};
            row.gradientA << randomVector(random), randomVector(random);
            row.gradientB << randomVector(random), randomVector(random);
            return row;
        };
        problem.rows = {randomRow(0, 1), randomRow(1, 2), randomRow(3, 4), randomRow(kWorld, 5), randomRow(4, 2)};
        const std::vector<GearedRow> geared = {{1, randomRow(4, 5)}, {3, randomRow(kWorld, 0)}};
        std::vector<BlockRow> pushes = problem.rows;
        std::vector<GearedRow> gearedPushes = geared;
        const auto shift = [&](BlockRow& row) {
            row.gradientA += 0.1 * (Vector6() << randomVector(random), randomVector(random)).finished();
            row.gradientB += 0.1 * (Vector6() << randomVector(random), randomVector(random)).finished();
        };
        for (BlockRow& row : pushes) {
            if (hasOwnPushes) shift(row);
        }
        for (GearedRow& row : gearedPushes) {
            if (hasOwnPushes) shift(row.others);
        }
        const auto dense = [&](const std::vector<BlockRow>& rows, const std::vector<GearedRow>& others) {
            Problem whole = problem;
            whole.rows = rows;
            Eigen::MatrixXd G = whole.gradients();
            for (const GearedRow& extra : others) {
                whole.rows.assign(1, extra.others);
                G.row(static_cast<Eigen::Index>(extra.row)) += whole.gradients();
            }
            return G;
        };
        const Eigen::MatrixXd G = dense(problem.rows, geared), P = dense(pushes, gearedPushes);
        Eigen::VectorXd wanted(G.rows());
        for (double& value : wanted) value = random.uniform(-1, 1);
        const Eigen::MatrixXd response = problem.inverseMass() * P.transpose();
        const Eigen::VectorXd impulses = (G * response).fullPivLu().solve(wanted);
        BlockFactor factor;
        factor.setBodies(problem.roots);
        hasOwnPushes ? factor.setRows(problem.rows, pushes, geared, gearedPushes)
                     : factor.setRows(problem.rows, geared);
        REQUIRE(factor.factor());
        const Answer answer = answerOf(factor, problem, wanted);
        CHECK((answer.impulses - impulses).norm() < 1e-6 * impulses.norm());
        CHECK((answer.change - response * impulses).norm() < 1e-6 * impulses.norm());
        CHECK((G * answer.change - wanted).norm() < 1e-10);
    }
}

TEST_CASE("rows that are not held do nothing", "[flow][blocks]") {
    RandomNumbers random(8);
    const Problem all = chain(random, 10, 1, true);
    Problem some = all;
    std::vector<RowMode> modes(all.rows.size());
    some.rows.clear();
    Eigen::VectorXd wanted(static_cast<Eigen::Index>(all.rows.size()));
    std::vector<double> wantedOfSome;
    for (std::size_t i = 0; i < modes.size(); ++i) {
        wanted[static_cast<Eigen::Index>(i)] = random.uniform(-1, 1);
        if (random.chance(0.3)) continue;
        modes[i] = RowMode::held();
        some.rows.push_back(all.rows[i]);
        wantedOfSome.push_back(wanted[static_cast<Eigen::Index>(i)]);
    }
    BlockFactor one, other;
    one.setBodies(all.roots);
    one.setRows(all.rows);
    REQUIRE(one.factor(modes, BlockFactor::kFirmWeight));
    other.setBodies(some.roots);
    other.setRows(some.rows);
    REQUIRE(other.factor());
    const Eigen::Map<Eigen::VectorXd> right(wantedOfSome.data(), static_cast<Eigen::Index>(wantedOfSome.size()));
    CHECK((answerOf(one, all, wanted).change - answerOf(other, some, right).change).lpNorm<Eigen::Infinity>() <= 1e-11);
}

TEST_CASE("rates at the end of a tick are met by impulses along the rows in its middle", "[flow][blocks]") {
    RandomNumbers random(9);
    const Problem problem = chain(random, 7, 3, true);
    std::vector<BlockRow> middle = problem.rows;
    for (BlockRow& row : middle) {
        for (int k = 0; k < 6; ++k) {
            row.gradientA[k] += random.uniform(-0.02, 0.02);
            row.gradientB[k] += random.uniform(-0.02, 0.02);
        }
    }
    Problem pushing = problem;
    pushing.rows = middle;
    BlockFactor factor;
    factor.setBodies(problem.roots);
    factor.setRows(problem.rows, middle);
    REQUIRE(factor.factor());
    const Eigen::MatrixXd G = problem.gradients();
    Eigen::VectorXd wanted(G.rows());
    for (double& value : wanted) value = random.uniform(-1, 1);
    const Answer answer = answerOf(factor, problem, wanted);
    CHECK((G * answer.change - wanted).lpNorm<Eigen::Infinity>() <= 1e-12);
    const Eigen::VectorXd moved = problem.inverseMass() * pushing.gradients().transpose() * answer.impulses;
    CHECK((answer.change - moved).lpNorm<Eigen::Infinity>() <= 1e-11 * answer.change.lpNorm<Eigen::Infinity>());
}

TEST_CASE("friction that wedges pulls where it should push", "[flow][blocks]") {
    // A leaning rod whose end is pushed into the ground: with enough friction a pressure turns the end downwards.
    Problem problem;
    problem.addBody(FlowBody::rigid(1, Eigen::Vector3d(0.01, 0.01, 0.01)));
    const Eigen::Vector3d end(0.3, -0.4, 0);
    for (const int k : {1, 0}) {
        BlockRow row;
        row.b = 0;
        row.gradientB << Eigen::Vector3d::Unit(k), end.cross(Eigen::Vector3d::Unit(k));
        problem.rows.push_back(row);
    }
    const auto pressure = [&](double friction) {
        BlockFactor factor;
        factor.setBodies(problem.roots);
        factor.setRows(problem.rows);
        REQUIRE(factor.factor(std::vector<RowMode>{RowMode::held(), RowMode::riding(0, friction)}));
        std::vector<double> impulses(2);
        std::vector<Vector6> change(1);
        factor.solve(std::vector<double>{1, 0}, impulses, change);
        return impulses[0];
    };
    // Response 1 + 0.3^2 / 0.01 to the pressure itself, 0.3 0.4 / 0.01 to its friction.
    CHECK(pressure(0.9) == Approx(1 / (10 + 0.9 * 12)).epsilon(1e-9));
    CHECK(pressure(-0.8) == Approx(1 / (10 - 0.8 * 12)).epsilon(1e-9));
    CHECK(pressure(-0.9) == Approx(1 / (10 - 0.9 * 12)).epsilon(1e-9));
}

TEST_CASE("contradicting rows meet halfway, without large impulses", "[flow][blocks]") {
    Problem problem;
    problem.addBody(FlowBody::sphere(1, 0.1));
    BlockRow row;
    row.b = 0;
    row.gradientB << 1, 0, 0, 0, 0, 0;
    problem.rows = {row, row};
    BlockFactor factor;
    factor.setBodies(problem.roots);
    factor.setRows(problem.rows);
    REQUIRE(factor.factor());
    const Answer answer = answerOf(factor, problem, Eigen::Vector2d(1, 2));
    CHECK(answer.change[0] == Approx(1.5).epsilon(1e-6));
    CHECK(answer.impulses.lpNorm<Eigen::Infinity>() < 1);
    CHECK(answer.missing == Approx(0.5).epsilon(1e-6));
}

TEST_CASE("what rows nearly contradict each other in is given up, but for motors, which may let go", "[flow][blocks]") {
    const double apart = GENERATE(0., 1e-6, 1e-5, 5e-5, 1e-4);
    const bool isMotor = GENERATE(false, true);
    CAPTURE(apart, isMotor);
    Problem problem;
    problem.addBody(FlowBody::sphere(1, 0.1));
    BlockRow row;
    row.b = 0;
    row.gradientB << 1, 0, 0, 0, 0, 0;
    BlockRow other = row;
    other.gradientB << 1, apart, 0, 0, 0, 0;
    problem.rows = {row, other};
    BlockFactor factor;
    factor.setBodies(problem.roots);
    factor.setRows(problem.rows);
    const RowMode mode = isMotor ? RowMode::ofMotor() : RowMode::held();
    REQUIRE(factor.factor(std::vector<RowMode>{mode, mode}));
    const double contradiction = 1e-7;
    const Answer answer = answerOf(factor, problem, Eigen::Vector2d(1, 1 + contradiction));
    if (!isMotor || apart < 1e-5) {
        CHECK(answer.change[0] == Approx(1).epsilon(1e-4));
        CHECK(answer.impulses.sum() == Approx(1).epsilon(1e-4));
        if (apart > 1e-6) CHECK(std::abs(answer.change[1]) < contradiction / apart / 2);
        if (apart < 1e-5) CHECK((answer.impulses.array() - 0.5).abs().maxCoeff() < 0.05);
    } else {
        CHECK(answer.change[0] == Approx(1).epsilon(1e-8));
        CHECK(answer.change[1] == Approx(contradiction / apart).epsilon(1e-4));
        CHECK(answer.missing < 1e-10);
    }
}

TEST_CASE("the same problem gives the same bits, whatever was solved before", "[flow][blocks]") {
    RandomNumbers random(10);
    const Problem first = chain(random, 6, 1, true);
    const Problem second = stack(3, 2);
    const Eigen::VectorXd wanted = Eigen::VectorXd::LinSpaced(static_cast<Eigen::Index>(first.rows.size()), -1, 1);
    const auto solve = [&](BlockFactor& factor) {
        factor.setBodies(first.roots);
        factor.setRows(first.rows);
        REQUIRE(factor.factor());
        return answerOf(factor, first, wanted);
    };
    BlockFactor fresh, used;
    used.setBodies(second.roots);
    used.setRows(second.rows);
    std::vector<RowMode> modes(second.rows.size(), RowMode::held());
    modes[1] = RowMode::riding(0, 0.5);
    REQUIRE(used.factor(modes));
    answerOf(used, second, Eigen::VectorXd::Ones(static_cast<Eigen::Index>(second.rows.size())));
    const Answer one = solve(fresh);
    const Answer other = solve(used);
    CHECK(one.change == other.change);
    CHECK(one.impulses == other.impulses);
}
