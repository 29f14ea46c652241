#pragma once
// Random bodies on a line with elements of every kind between them, redundant ones included (W is then singular).

#include "random_numbers.h"
#include "row_fixture.h"

#include <algorithm>
#include <cmath>

namespace elasto::test {

struct RandomNetwork {
    RowProblem problem;
    double frequency = 0;  ///< bound of all angular frequencies
    double speed = 0;      ///< scale of its speeds
    double energy = 0;     ///< scale of its energies
};

struct RandomNetworkRange {
    int mostElements = 6;
    double mostStiff = 6;    ///< exponent of 10 of c
    double mostDamped = 20;  ///< h d W at most
    bool changingLoads = false;
};

inline Law randomLaw(RandomNumbers& random, double c, double d, double s, double reach) {
    const double edge = s + random.uniform(-1, 0.5) * reach;
    const double play = reach * random.uniform(0.01, 1);
    switch (random.below(8)) {
        case 0:
            return SpringDamperLaw({.c = c, .d = d, .s_rel0 = edge});
        case 1:
            return SpringDamperSeriesLaw({.c = c, .d = d, .s_unstretched = edge});
        case 2:
            return ElastoGapLaw({.c = c, .d = d, .s_rel0 = edge, .characteristic = GapCharacteristic::NoPull});
        case 3:
            return ElastoGapLaw({.c = c, .d = d, .s_rel0 = edge, .characteristic = GapCharacteristic::Linear});
        case 4:
            return ElastoBacklashLaw({.c = c, .d = d, .b = play, .phi_rel0 = edge + play / 2});
        case 5:
            return ElastoBacklashLaw({.c = c,
                                      .d = d,
                                      .b = play,
                                      .phi_rel0 = edge + play / 2,
                                      .characteristic = BacklashCharacteristic::NoPull});
        default:
            return ElastoGapLaw({.c = c, .d = d, .s_rel0 = edge});
    }
}

inline RandomNetwork randomNetwork(RandomNumbers& random, const RandomNetworkRange& range) {
    const Eigen::Index bodies = 1 + random.below(4);
    const Eigen::Index elements = 1 + random.below(range.mostElements);
    RandomNetwork result;
    RowProblem& problem = result.problem;
    problem.h = 1 / random.uniform(30, 500);
    result.speed = random.logarithmic(-2, 1);

    Eigen::VectorXd inverseMass(bodies);
    Eigen::MatrixXd motion(bodies, 2);
    Eigen::MatrixXd load = Eigen::MatrixXd::Zero(bodies, 3);
    for (Eigen::Index i = 0; i < bodies; ++i) {
        inverseMass(i) = random.logarithmic(-1, 2);
        motion.row(i) << random.uniform(-1, 1), result.speed * random.uniform(-1, 1);
        load(i, 0) = random.chance(0.3) ? 0 : random.uniform(-20, 20);
        if (!range.changingLoads) continue;
        load(i, 1) = random.uniform(-20, 20) / problem.h;
        load(i, 2) = random.uniform(-20, 20) / (problem.h * problem.h);
    }
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(elements, bodies);
    for (Eigen::Index e = 0; e < elements; ++e) {
        const Eigen::Index b = random.below(static_cast<int>(bodies));
        const Eigen::Index a = random.below(static_cast<int>(bodies) + 1);
        J(e, b) = 1;
        if (a < bodies && a != b) J(e, a) = -1;
    }
    problem.network.W = J * inverseMass.asDiagonal() * J.transpose();
    problem.network.a = J * load;
    problem.start = OracleState(elements);
    problem.start.y.row(OracleState::kS) = (J * motion.col(0)).transpose();
    problem.start.y.row(OracleState::kV) = (J * motion.col(1)).transpose();

    double frequencySquared = 0;
    result.energy = 0.5 * (motion.col(1).cwiseAbs2().array() / inverseMass.array()).sum();
    const double reach = result.speed * problem.h;
    for (Eigen::Index e = 0; e < elements; ++e) {
        const double W = problem.network.W(e, e);
        const double c = random.logarithmic(1, range.mostStiff);
        const double limit = range.mostDamped / (problem.h * W);
        const double d = random.chance(0.25) ? 0 : std::min(random.logarithmic(-3, 0.5) * 2 * std::sqrt(c / W), limit);
        const double s = problem.start(OracleState::kS, e);
        Law law = randomLaw(random, c, d, s, reach);
        if (std::holds_alternative<SpringDamperSeriesLaw>(law)) {
            const double slow = problem.h * c / range.mostDamped;  // the relaxation's c/d is limited the same way
            law = SpringDamperSeriesLaw({.c = c, .d = std::max(d, slow), .s_unstretched = s});
        }
        problem.network.laws.push_back(law);
        frequencySquared += 2 * c * W;
        result.energy += storedEnergy(law, s, 0);
    }
    result.frequency = std::sqrt(frequencySquared);
    result.speed += problem.h * problem.network.a.col(0).cwiseAbs().maxCoeff();
    return result;
}

}  // namespace elasto::test
