// What bears, sticks, slips, and which motors and limits act: the search against trying every set there is.

#include "contact/contact_active_set.h"
#include "contact_scenes.h"
#include "random_numbers.h"

#include <catch2/catch.hpp>

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace elasto;
using namespace elasto::flow;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using elasto::test::RandomNumbers;
using elasto::test::solidBox;

namespace {

constexpr double kTolerance = 1e-9;

VectorXd stacked(const std::vector<Vector6>& parts) {
    VectorXd all(6 * static_cast<Eigen::Index>(parts.size()));
    for (std::size_t i = 0; i < parts.size(); ++i) all.segment<6>(6 * static_cast<Eigen::Index>(i)) = parts[i];
    return all;
}

/// Rows and masses as full matrices: rates = J u, u changes by inverseMass J^T impulse.
struct Dense {
    MatrixXd J, inverseMass;

    explicit Dense(const ContactFrame& frame) {
        const auto n = static_cast<Eigen::Index>(6 * frame.network().bodies.size());
        J = MatrixXd::Zero(static_cast<Eigen::Index>(frame.rowCount()), n);
        inverseMass = MatrixXd::Zero(n, n);
        for (Eigen::Index r = 0; r < J.rows(); ++r) {
            const BlockRow& row = frame.row(static_cast<std::size_t>(r));
            if (row.a >= 0) J.block<1, 6>(r, 6 * row.a) += row.gradientA.transpose();
            if (row.b >= 0) J.block<1, 6>(r, 6 * row.b) += row.gradientB.transpose();
        }
        for (std::size_t i = 0; i < frame.network().bodies.size(); ++i) {
            const FlowBody& body = frame.network().bodies[i];
            const auto at = static_cast<Eigen::Index>(6 * i);
            const Eigen::Matrix3d R = body.orientation.toRotationMatrix();
            inverseMass.block<3, 3>(at, at) = Eigen::Matrix3d::Identity() * body.inverseMass;
            inverseMass.block<3, 3>(at + 3, at + 3) = R * body.inverseInertia.asDiagonal() * R.transpose();
        }
    }
};

/// One of the sets: impulses of all rows, and the change of the velocities.
struct Candidate {
    VectorXd impulses, change;
};

/// Rows `held` get no rate, by impulses along J^T + what rides on them; `fixed` impulses act besides.
/// @return false if no impulses do that
bool solveSet(const Dense& dense, const VectorXd& free, const std::vector<Eigen::Index>& held, const MatrixXd& pushes,
              const VectorXd& fixed, Candidate& candidate) {
    candidate.impulses = fixed;
    candidate.change = dense.inverseMass * (dense.J.transpose() * fixed);
    if (held.empty()) return true;
    const MatrixXd Q = dense.J(held, Eigen::all);
    const MatrixXd A = Q * dense.inverseMass * pushes;
    const VectorXd wanted = -(Q * (free + candidate.change));
    const VectorXd lambda = A.completeOrthogonalDecomposition().solve(wanted);
    if ((A * lambda - wanted).norm() > 1e-8 * (1 + wanted.norm())) return false;
    candidate.change += dense.inverseMass * pushes * lambda;
    for (std::size_t k = 0; k < held.size(); ++k) candidate.impulses[held[k]] = lambda[static_cast<Eigen::Index>(k)];
    return true;
}

ContactTask taskOf(const ContactFrame& frame, std::vector<Vector6> free) {
    ContactTask task;
    task.free = std::move(free);
    task.wanted.assign(frame.rowCount(), 0);
    task.isClosed.assign(frame.network().contacts.size(), true);
    task.mustSlip.assign(frame.patches().size(), false);
    task.mayHold.assign(frame.network().bounded.size(), true);
    task.tolerance = kTolerance;
    return task;
}

ContactModes firstModes(const ContactFrame& frame) {
    ContactModes modes;
    modes.bears.assign(frame.network().contacts.size(), true);
    for (const Patch& patch : frame.patches()) {
        modes.friction.push_back(patch.friction > 0 ? Friction::Sticks : Friction::None);
    }
    modes.bounded.assign(frame.network().bounded.size(), BoundedPhase::Held);
    return modes;
}

// Boxes of which the second stands on the first, touching at some points, with motors and limits.
FlowNetwork standingProblem(RandomNumbers& numbers, double friction, int fewest, int most) {
    const auto between = [&](double low, double high) { return numbers.uniform(low, high); };
    FlowNetwork network;
    for (int i = 0; i < 2; ++i) {
        const Vector3d half(between(0.2, 1), between(0.2, 1), between(0.2, 1));
        network.bodies.push_back(solidBox(numbers.logarithmic(-1, 1), half, {between(-0.2, 0.2), i + 0.5, 0}));
        const int points = fewest + numbers.below(most - fewest + 1);
        for (int k = 0; k < points; ++k) {
            FlowContact contact;
            contact.a = i;
            contact.b = i - 1;
            contact.vertex = {between(-1, 1) * half.x(), -0.5, between(-1, 1) * half.z()};
            contact.planePoint = {0, i == 0 ? 0 : 0.5, 0};
            contact.friction = friction;
            network.contacts.push_back(contact);
        }
    }
    const int rows = numbers.below(3);
    for (int k = 0; k < rows; ++k) {
        BoundedRow row;
        row.kind = numbers.chance(0.5) ? BoundedRow::Kind::Motor : BoundedRow::Kind::Limit;
        row.b = numbers.below(2);
        row.a = row.b == 1 && numbers.chance(0.5) ? 0 : kWorld;
        row.axis = Vector3d(between(-1, 1), between(-1, 1), between(-1, 1)).normalized();
        row.pointB = {between(-0.5, 0.5), between(-0.5, 0.5), between(-0.5, 0.5)};
        row.maxForce = between(0, 5);
        row.side = numbers.chance(0.5) ? 1 : -1;
        network.bounded.push_back(row);
    }
    return network;
}

std::vector<Vector6> randomAccelerations(RandomNumbers& numbers, std::size_t bodies) {
    std::vector<Vector6> free(bodies);
    for (Vector6& a : free) {
        for (double& value : a) value = numbers.uniform(-4, 4);
        a[1] -= 5;
    }
    return free;
}

/// All that satisfy the conditions, by trying every set of bearing points, reached limits and motors' states. Points
/// slip where the frame has them slip.
std::vector<Candidate> standingAnswers(const ContactFrame& frame, const Dense& dense, const VectorXd& free) {
    const FlowNetwork& network = frame.network();
    const std::size_t points = network.contacts.size(), bounded = network.bounded.size();
    std::size_t count = std::size_t{1} << points;
    for (std::size_t k = 0; k < bounded; ++k) count *= 3;
    std::vector<Candidate> answers;
    for (std::size_t set = 0; set < count; ++set) {
        std::vector<Eigen::Index> held;
        VectorXd fixed = VectorXd::Zero(dense.J.rows());
        std::vector<int> states(bounded);
        std::size_t rest = set >> points;
        bool isRepeated = false;
        for (std::size_t k = 0; k < bounded; ++k, rest /= 3) {
            states[k] = static_cast<int>(rest % 3);
            const auto row = static_cast<Eigen::Index>(frame.boundedOf(k));
            const bool isMotor = network.bounded[k].kind == BoundedRow::Kind::Motor;
            if (states[k] == 0) held.push_back(row);
            if (isMotor && states[k] > 0) fixed[row] = (states[k] == 1 ? 1 : -1) * network.bounded[k].maxForce;
            isRepeated = isRepeated || (!isMotor && states[k] == 2);
        }
        if (isRepeated) continue;
        for (std::size_t i = 0; i < points; ++i) {
            if (set >> i & 1) held.push_back(static_cast<Eigen::Index>(frame.normalOf(i)));
        }
        Candidate candidate;
        MatrixXd pushes = held.empty() ? MatrixXd() : MatrixXd(dense.J(held, Eigen::all).transpose());
        for (std::size_t i = 0; i < points; ++i) {
            const auto at = std::find(held.begin(), held.end(), static_cast<Eigen::Index>(frame.normalOf(i)));
            if (at == held.end()) continue;
            const auto slip = static_cast<Eigen::Index>(frame.slipOf(i));
            pushes.col(at - held.begin()) -= network.contacts[i].friction * dense.J.row(slip).transpose();
        }
        if (!solveSet(dense, free, held, pushes, fixed, candidate)) continue;
        const VectorXd rates = dense.J * (free + candidate.change);
        bool isAnswer = true;
        for (std::size_t i = 0; i < points; ++i) {
            const auto row = static_cast<Eigen::Index>(frame.normalOf(i));
            isAnswer = isAnswer && candidate.impulses[row] > -1e-8 && rates[row] > -1e-8;
        }
        for (std::size_t k = 0; k < bounded; ++k) {
            const auto row = static_cast<Eigen::Index>(frame.boundedOf(k));
            const BoundedRow& limit = network.bounded[k];
            const double force = candidate.impulses[row];
            if (limit.kind == BoundedRow::Kind::Limit) {
                isAnswer = isAnswer && limit.side * force > -1e-8 && limit.side * rates[row] > -1e-8;
            } else {
                isAnswer = isAnswer && std::abs(force) < limit.maxForce + 1e-8;
                if (states[k] == 1) isAnswer = isAnswer && rates[row] < 1e-8;
                if (states[k] == 2) isAnswer = isAnswer && rates[row] > -1e-8;
            }
        }
        if (isAnswer) answers.push_back(candidate);
    }
    return answers;
}

/// With what motors do at the end of their force, which is not in the answer's change.
VectorXd changeOf(const ContactFrame& frame, const ContactModes& modes, const ContactAnswer& answer) {
    std::vector<Vector6> pushed = answer.change;
    addPushes(frame, modes, pushed);
    return stacked(pushed);
}

}  // namespace

TEST_CASE("points, limits and motors without friction: the one answer there is", "[flow][contact modes][slow]") {
    int slow = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        RandomNumbers numbers(seed);
        const FlowNetwork network = standingProblem(numbers, 0, 2, 4);
        ContactFrame frame(network, BodyKinematics::of(network));
        const Dense dense(frame);
        const std::vector<Vector6> free = randomAccelerations(numbers, network.bodies.size());
        const std::vector<Candidate> answers = standingAnswers(frame, dense, stacked(free));
        REQUIRE_FALSE(answers.empty());
        for (const Candidate& other : answers) {  // forces may differ, what the bodies do may not
            REQUIRE((other.change - answers[0].change).norm() < 1e-6 * (1 + answers[0].change.norm()));
        }
        ContactTask task = taskOf(frame, free);
        ContactModes modes = firstModes(frame);
        ModesSpace space;
        const ContactAnswer* const found = findModes(frame, task, modes, space);
        slow += task.trials > 12 ? 1 : 0;
        REQUIRE(found);
        const VectorXd change = changeOf(frame, modes, *found);
        CHECK((change - answers[0].change).norm() < 1e-7 * (1 + answers[0].change.norm()));
        const VectorXd impulses = Eigen::Map<const VectorXd>(found->impulses.data(), dense.J.rows());
        CHECK((dense.inverseMass * dense.J.transpose() * impulses - change).norm() < 1e-7 * (1 + change.norm()));
    }
    CHECK(slow <= 4);
}

// Friction of what slips may make the points press the less the more a motor pushes, and whatever does not fit alone
// goes round in circles.
TEST_CASE("points that slip, limits and motors: one of the answers there are", "[flow][contact modes][slow]") {
    const double friction = GENERATE(0.5, 1.5);
    int none = 0, missed = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed, friction);
        RandomNumbers numbers(seed);
        const FlowNetwork network = standingProblem(numbers, friction, 1, 1);
        ContactFrame frame(network, BodyKinematics::of(network));
        for (std::size_t i = 0; i < network.contacts.size(); ++i) {
            const double angle = numbers.uniform(0, 6);
            frame.setSlipDirection(i, {std::cos(angle), 0, std::sin(angle)});
        }
        const Dense dense(frame);
        const std::vector<Vector6> free = randomAccelerations(numbers, network.bodies.size());
        const std::vector<Candidate> answers = standingAnswers(frame, dense, stacked(free));
        ContactTask task = taskOf(frame, free);
        task.mustSlip.assign(frame.patches().size(), true);
        task.mostTrials = 120;
        ContactModes modes = firstModes(frame);
        for (Friction& state : modes.friction) state = Friction::Slips;
        ModesSpace space;
        const ContactAnswer* const found = findModes(frame, task, modes, space);
        none += answers.empty() ? 1 : 0;
        missed += !found && !answers.empty() ? 1 : 0;
        printf("seed %d trials %d answers %zu bounded %zu contacts %zu\n", (int)seed, task.trials, answers.size(),
               network.bounded.size(), network.contacts.size());
        if (!found) continue;
        const VectorXd change = changeOf(frame, modes, *found);
        double nearest = std::numeric_limits<double>::infinity();
        for (const Candidate& answer : answers) nearest = std::min(nearest, (answer.change - change).norm());
        CHECK(nearest < 1e-7 * (1 + change.norm()));
    }
    CAPTURE(none, missed);
    CHECK(none < 60);
    CHECK(missed == 0);
}

namespace {

// In the plane: bodies move in x and y and turn about z.
FlowNetwork planarProblem(RandomNumbers& numbers, double friction) {
    const auto between = [&](double low, double high) { return numbers.uniform(low, high); };
    FlowNetwork network;
    const int bodies = 1 + numbers.below(2);
    for (int i = 0; i < bodies; ++i) {
        const Vector3d half(between(0.3, 1), 0.5, between(0.3, 1));
        FlowBody box = solidBox(numbers.logarithmic(-0.5, 0.5), half, {between(-0.2, 0.2), i + 0.5, 0});
        box.linearFactor = {1, 1, 0};
        box.angularFactor = {0, 0, 1};
        network.bodies.push_back(box);
        for (const int side : {-1, 1}) {
            FlowContact contact;
            contact.a = i;
            contact.b = i - 1;
            contact.vertex = {side * half.x(), -0.5, 0};
            contact.planePoint = {0, i == 0 ? 0 : 0.5, 0};
            contact.friction = friction;
            network.contacts.push_back(contact);
        }
    }
    return network;
}

/// Dense masses of planar bodies.
Dense planar(const ContactFrame& frame) {
    Dense dense(frame);
    for (Eigen::Index i = 0; i < dense.inverseMass.rows(); ++i) {
        const Eigen::Index k = i % 6;
        if (k == 0 || k == 1 || k == 5) continue;
        dense.inverseMass.row(i).setZero();
        dense.inverseMass.col(i).setZero();
    }
    return dense;
}

/// Every set of bearing points, with each patch stuck or slipping to either side.
std::vector<Candidate> planarAnswers(const ContactFrame& frame, const Dense& dense, const VectorXd& free,
                                     double friction) {
    const std::size_t points = frame.network().contacts.size(), patches = frame.patches().size();
    std::size_t count = std::size_t{1} << points;
    for (std::size_t p = 0; p < patches; ++p) count *= 3;
    std::vector<Candidate> answers;
    for (std::size_t set = 0; set < count; ++set) {
        std::vector<Eigen::Index> held;
        std::vector<VectorXd> pushes;
        std::vector<int> states(patches);
        std::vector<VectorXd> sliding(points);
        std::size_t rest = set >> points;
        bool isAnswer = true;
        for (std::size_t p = 0; p < patches; ++p, rest /= 3) {
            states[p] = static_cast<int>(rest % 3) - 1;  // 0 sticks, else slips that way
            const Patch& patch = frame.patches()[p];
            bool bears = false;
            for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
                const BlockRow tangent = frame.rowAlong(i, Vector3d::UnitX());
                sliding[i] = VectorXd::Zero(dense.J.cols());
                if (tangent.a >= 0) sliding[i].segment<6>(6 * tangent.a) += tangent.gradientA;
                if (tangent.b >= 0) sliding[i].segment<6>(6 * tangent.b) += tangent.gradientB;
                if (!(set >> i & 1)) continue;
                bears = true;
                const auto row = static_cast<Eigen::Index>(frame.normalOf(i));
                held.push_back(row);
                pushes.emplace_back(dense.J.row(row).transpose() - friction * states[p] * sliding[i]);
            }
            if (!bears && states[p] != 0) isAnswer = false;  // tried with 0
            if (!bears || states[p] != 0) continue;
            for (const std::size_t row : {frame.tangentOf(p), frame.tangentOf(p) + 1}) {
                held.push_back(static_cast<Eigen::Index>(row));
                pushes.emplace_back(dense.J.row(held.back()).transpose());
            }
        }
        if (!isAnswer) continue;
        MatrixXd P(dense.J.cols(), static_cast<Eigen::Index>(pushes.size()));
        for (std::size_t k = 0; k < pushes.size(); ++k) P.col(static_cast<Eigen::Index>(k)) = pushes[k];
        Candidate candidate;
        if (!solveSet(dense, free, held, P, VectorXd::Zero(dense.J.rows()), candidate)) continue;
        const VectorXd motion = free + candidate.change;
        for (std::size_t p = 0; p < patches && isAnswer; ++p) {
            const Patch& patch = frame.patches()[p];
            double normal = 0, power = 0;
            for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
                const auto row = static_cast<Eigen::Index>(frame.normalOf(i));
                const double pressure = candidate.impulses[row];
                isAnswer = isAnswer && pressure > -1e-8 && dense.J.row(row).dot(motion) > -1e-8;
                normal += pressure;
                power += pressure * states[p] * sliding[i].dot(motion);
            }
            const double x = candidate.impulses[static_cast<Eigen::Index>(frame.tangentOf(p))];
            const double z = candidate.impulses[static_cast<Eigen::Index>(frame.tangentOf(p)) + 1];
            if (states[p] == 0) isAnswer = isAnswer && std::hypot(x, z) <= friction * normal + 1e-8;
            if (states[p] != 0) isAnswer = isAnswer && power > -1e-8;
        }
        if (isAnswer) answers.push_back(candidate);
    }
    return answers;
}

}  // namespace

TEST_CASE("friction in the plane: one of the answers there are", "[flow][contact modes]") {
    const double friction = GENERATE(0.2, 0.6, 1.);
    int missed = 0, several = 0, none = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed, friction);
        RandomNumbers numbers(seed);
        const FlowNetwork network = planarProblem(numbers, friction);
        ContactFrame frame(network, BodyKinematics::of(network));
        const Dense dense = planar(frame);
        std::vector<Vector6> free = randomAccelerations(numbers, network.bodies.size());
        for (Vector6& a : free) a[2] = a[3] = a[4] = 0;
        const std::vector<Candidate> answers = planarAnswers(frame, dense, stacked(free), friction);
        ContactTask task = taskOf(frame, free);
        ContactModes modes = firstModes(frame);
        ModesSpace space;
        const ContactAnswer* const found = findModes(frame, task, modes, space);
        if (answers.empty()) {
            ++none;
            CHECK_FALSE(found);
            continue;
        }
        const auto isFar = [&](const Candidate& x) {
            return (x.change - answers[0].change).norm() > 1e-6 * (1 + x.change.norm());
        };
        several += std::any_of(answers.begin(), answers.end(), isFar) ? 1 : 0;
        if (!found) {
            ++missed;
            continue;
        }
        double nearest = std::numeric_limits<double>::infinity();
        const VectorXd change = stacked(found->change);
        for (const Candidate& answer : answers) nearest = std::min(nearest, (answer.change - change).norm());
        CHECK(nearest < 1e-7 * (1 + change.norm()));
    }
    CAPTURE(friction, missed, several, none);
    CHECK(missed == 0);
}

TEST_CASE("friction that slips where rounding pulls does not begin to stick", "[flow][contact modes]") {
    // A box that slides along a wall, which it touches anew ever so slowly; it rises from the floor no faster than
    // rounding makes it, so that the floor's points pull less than counts as a pull.
    const double approach = GENERATE(1e-7, 1e-6, 1e-5);
    const double rise = GENERATE(-1.5e-9, 0., 1.5e-9, 3e-9) * approach;
    constexpr double kSpeed = 2;
    const Vector3d half(0.2, 0.2, 0.2);
    FlowNetwork network;
    network.bodies.push_back(solidBox(3, half, {0, 0.2, 0}));
    elasto::test::addCorners(network, 0, half, kWorld, 0, 0.5);
    for (const double x : {-0.2, 0.2}) {
        FlowContact wall;
        wall.a = 0;
        wall.vertex = {x, 0, 0.2};
        wall.planePoint = {0, 0, 0.2};
        wall.normal = {0, 0, -1};
        network.contacts.push_back(wall);
    }
    ContactFrame frame(network, BodyKinematics::of(network));
    Vector6 velocity = Vector6::Zero();
    velocity.head<3>() = Vector3d(kSpeed, rise, approach);
    ContactTask task = taskOf(frame, {velocity});
    task.isImpact = true;
    task.tolerance = kTolerance * kSpeed;
    ContactModes modes = firstModes(frame);
    const std::size_t floor = frame.patchOf(0);
    modes.friction[floor] = Friction::Slips;
    for (std::size_t i = 0; i < 4; ++i) frame.setSlipDirection(i, Vector3d::UnitX());
    ModesSpace space;
    const ContactAnswer* const found = findModes(frame, task, modes, space);
    CAPTURE(approach, rise, task.trials);
    REQUIRE(found);
    CHECK(modes.friction[floor] == Friction::Slips);
    CHECK(task.trials <= 8);
    CHECK((found->change[0] + Vector6::Unit(2) * approach).norm() < 1e-6 * approach);
}
