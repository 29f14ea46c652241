// Arms, drives and gears under elements, against equations written out by hand.

#include "tree_oracle.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

constexpr double kGravity = 9.80665;

// A bar along its x that turns about z and hangs on a pivot.
TreeLink bar(int parent, const Vector3d& pivot, double m, double length) {
    TreeLink link;
    link.parent = parent;
    link.pivot = pivot;
    link.centerOfMass = {length / 2, 0, 0};
    link.mass = m;
    const double I = m * length * length / 12;
    link.inertia = Vector3d(1e-4, I, I).asDiagonal();
    link.force.constant = {0, -m * kGravity, 0};
    return link;
}

// A wheel about z, without weight.
TreeLink wheel(double I) {
    TreeLink link;
    link.mass = 1;
    link.inertia = Vector3d(I, I, I).asDiagonal();
    return link;
}

using Torque = double (*)(double t);

struct Course {
    TreeNetwork network;
    std::vector<TreeTerm> shown;
    TreeWorkspace workspace{};
    TreeTickResult tick{};
    double time = 0;

    // The torques go to all rotors, or to the first link where there is none.
    template <int N>
    std::vector<OracleVector<N>> run(double h, int ticks, const std::vector<Torque>& torques) {
        std::vector<OracleVector<N>> course;
        for (int i = 0; i < ticks; ++i) {
            for (std::size_t k = 0; k < torques.size(); ++k) {
                FlowTree& tree = network.trees[0];
                QuadraticTorque& target = tree.rotors.empty() ? tree.links[k].torque : tree.rotors[k].torque;
                target = QuadraticTorque::through(torques[k](time), torques[k](time + h / 2), torques[k](time + h), h);
            }
            solveTreeTick(network, h, {}, workspace, tick);
            network.adopt(tick);
            time += h;
            OracleVector<N> y;
            for (int k = 0; k < N; ++k) {
                const TreeTerm& term = shown[static_cast<std::size_t>(k)];
                const FlowTree& tree = network.trees[static_cast<std::size_t>(term.tree)];
                const auto index = static_cast<std::size_t>(term.index);
                const bool isRotor = term.kind == TreeTerm::Kind::Rotor;
                y[k] = isRotor ? tree.rotors[index].phi : tree.links[index].q;
                y[N + k] = isRotor ? tree.rotors[index].w : tree.links[index].qd;
            }
            course.push_back(y);
        }
        return course;
    }
};

double force(const Law& law, double s, double v) {
    return evaluate(law, s, v, 0).f;
}

struct Limits {
    double at60, at240;
    double of(int rate) const { return rate == 60 ? at60 : at240; }
};

}  // namespace

TEST_CASE("a bar that swings freely meets its equation", "[tree]") {
    const int rate = GENERATE(60, 240);
    Course course;
    FlowTree& tree = course.network.trees.emplace_back();
    tree.links.push_back(bar(kTreeBase, Vector3d::Zero(), 1, 1));
    course.shown = {TreeTerm::joint(0, 0)};
    const auto reference =
        treeCourse<1>(OracleVector<1>::Zero(), 1.0 / rate, 2 * rate, 1e-5, [](double, const OracleVector<1>& y) {
            return Eigen::Matrix<double, 1, 1>(-0.5 * kGravity * std::cos(y[0]) * 3);
        });
    const double error = worstNrmse<1>(reference, course.run<1>(1.0 / rate, 2 * rate, {}));
    CAPTURE(rate, error);
    CHECK(error < 1e-6);
    CHECK(course.tick.method == FlowMethod::Free);
}

TEST_CASE("a bar on an end stop meets its equation", "[tree][slow]") {
    const int rate = GENERATE(60, 240);
    const double c = GENERATE(1e3, 1e4, 1e5, 1e6);
    const double d = GENERATE(0., 50.);
    const Limits limits{2e-4, 2e-5};
    const Law stop = ElastoGapLaw({.c = c, .d = d, .s_rel0 = -0.8});
    Course course;
    FlowTree& tree = course.network.trees.emplace_back();
    tree.links.push_back(bar(kTreeBase, Vector3d::Zero(), 1, 1));
    TreeElement element{stop};
    element.terms = {TreeTerm::joint(0, 0)};
    course.network.elements.push_back(element);
    course.shown = element.terms;
    const auto reference =
        treeCourse<1>(OracleVector<1>::Zero(), 1.0 / rate, 2 * rate, 1e-6, [&](double, const OracleVector<1>& y) {
            return Eigen::Matrix<double, 1, 1>((-0.5 * kGravity * std::cos(y[0]) - force(stop, y[0], y[1])) * 3);
        });
    const double error = worstNrmse<1>(reference, course.run<1>(1.0 / rate, 2 * rate, {}));
    CAPTURE(rate, c, d, error);
    CHECK(error < limits.of(rate));
}

namespace {

double slowMotor(double t) {
    return 0.06 * std::sin(2 * M_PI * 1.5 * t);
}
double fastMotor(double t) {
    return 0.03 * std::sin(2 * M_PI * 2.3 * t);
}
double reversing(double t) {
    return 0.05 * std::sin(2 * M_PI * 2 * t);
}

constexpr double kRatio = 100;
constexpr double kRotor = 1e-4;

void addDrive(TreeNetwork& network, int link, const Law& law) {
    TreeRotor& rotor = network.trees[0].rotors.emplace_back();
    rotor.inertia = kRotor;
    rotor.phi = kRatio * network.trees[0].links[static_cast<std::size_t>(link)].q;
    TreeElement element{law};
    const int index = static_cast<int>(network.trees[0].rotors.size()) - 1;
    element.terms = {TreeTerm::rotor(0, index, 1 / kRatio), TreeTerm::joint(0, link, -1)};
    network.elements.push_back(element);
}

// q1, q2, phi1, phi2 of two bars of 1 kg and 0.5 m, with gravity, behind rotors with play.
struct Arm {
    Law law;
    Eigen::Vector4d operator()(double t, const OracleVector<4>& y) const {
        constexpr double l = 0.5, m = 1, I = m * l * l / 12, r = l / 2;
        const double q1 = y[0], q2 = y[1], w1 = y[4], w2 = y[5];
        const double f1 = force(law, y[2] / kRatio - q1, y[6] / kRatio - w1);
        const double f2 = force(law, y[3] / kRatio - q2, y[7] / kRatio - w2);
        const double c2 = std::cos(q2), s2 = std::sin(q2);
        const double h11 = 2 * I + m * r * r + m * (l * l + r * r + 2 * l * r * c2);
        const double h12 = I + m * (r * r + l * r * c2);
        const double h22 = I + m * r * r;
        const double g2 = m * kGravity * r * std::cos(q1 + q2);
        const double g1 = m * kGravity * (r + l) * std::cos(q1) + g2;
        const double k = m * l * r * s2;
        const double t1 = f1 - g1 + k * (2 * w1 * w2 + w2 * w2);
        const double t2 = f2 - g2 - k * w1 * w1;
        const double det = h11 * h22 - h12 * h12;
        return {(h22 * t1 - h12 * t2) / det, (h11 * t2 - h12 * t1) / det, (slowMotor(t) - f1 / kRatio) / kRotor,
                (fastMotor(t) - f2 / kRatio) / kRotor};
    }
};

Course armCourse(const Law& law, double q1) {
    Course course;
    FlowTree& tree = course.network.trees.emplace_back();
    tree.links.push_back(bar(kTreeBase, Vector3d::Zero(), 1, 0.5));
    tree.links.push_back(bar(0, {0.5, 0, 0}, 1, 0.5));
    tree.links[0].q = q1;
    addDrive(course.network, 0, law);
    addDrive(course.network, 1, law);
    course.shown = {TreeTerm::joint(0, 0), TreeTerm::joint(0, 1), TreeTerm::rotor(0, 0), TreeTerm::rotor(0, 1)};
    return course;
}

}  // namespace

TEST_CASE("a two-link arm behind drives with play meets its equations", "[tree][slow]") {
    struct Case {
        double c, d, start, horizon;
        Limits limits;
    };
    // Until two references 1e-9 rad apart have come 1e-7 rad apart.
    const Case one = GENERATE(Case{1e4, 1, -M_PI / 2, 0.55, {3e-3, 2e-4}}, Case{1e5, 1, -M_PI / 2, 0.4, {3e-3, 2e-4}},
                              Case{1e4, 20, -M_PI / 2, 2, {1e-4, 1e-5}}, Case{1e5, 20, -M_PI / 2, 2, {1e-4, 1e-5}},
                              Case{1e4, 1, 0, 0.33, {3e-3, 2e-4}}, Case{1e5, 2000, -M_PI / 2, 2, {3e-4, 2e-5}},
                              Case{1e4, 2000, 0, 2, {3e-4, 2e-5}});
    const int rate = GENERATE(60, 240);
    const Law law = ElastoBacklashLaw({.c = one.c, .d = one.d, .b = 0.01});
    Course course = armCourse(law, one.start);
    OracleVector<4> start = OracleVector<4>::Zero();
    start[0] = one.start;
    start[2] = kRatio * one.start;
    const int ticks = static_cast<int>(one.horizon * rate);
    const auto reference = treeCourse<4>(start, 1.0 / rate, ticks, 1e-6, Arm{law});
    const double error = worstNrmse<4>(reference, course.run<4>(1.0 / rate, ticks, {slowMotor, fastMotor}));
    CAPTURE(rate, one.c, one.d, one.start, error);
    CHECK(error < one.limits.of(rate));
}

TEST_CASE("a drive with play and a reversing motor meets its equations", "[tree][slow]") {
    const double c = GENERATE(1e4, 1e6);
    const double d = GENERATE(0., 1., 50.);
    const int rate = GENERATE(60, 240);
    const Limits limits{1e-3, 5e-5};
    const Law law = ElastoBacklashLaw({.c = c, .d = d, .b = 0.01});
    Course course;
    course.network.trees.emplace_back().links.push_back(wheel(1));
    addDrive(course.network, 0, law);
    course.shown = {TreeTerm::joint(0, 0), TreeTerm::rotor(0, 0)};
    const auto reference =
        treeCourse<2>(OracleVector<2>::Zero(), 1.0 / rate, 2 * rate, 5e-7, [&](double t, const OracleVector<2>& y) {
            const double f = force(law, y[1] / kRatio - y[0], y[3] / kRatio - y[2]);
            return Eigen::Vector2d(f, (reversing(t) - f / kRatio) / kRotor);
        });
    const double error = worstNrmse<2>(reference, course.run<2>(1.0 / rate, 2 * rate, {reversing}));
    CAPTURE(rate, c, d, error);
    CHECK(error < limits.of(rate));
}

namespace {

double wheelTorque(double t) {
    return 0.5 * std::sin(2 * M_PI * 2 * t);
}
double trainTorque(double t) {
    return 0.3 * std::sin(2 * M_PI * t);
}

void addGear(TreeNetwork& network, int first, int second, double ratio, const Law& law) {
    TreeElement element{law};
    element.terms = {TreeTerm::joint(0, first), TreeTerm::joint(0, second, -ratio)};
    network.elements.push_back(element);
}

}  // namespace

TEST_CASE("two wheels with play between them meet their equations", "[tree][slow]") {
    struct Case {
        double c, d, horizon;
    };
    const Case one = GENERATE(Case{1e3, 0.1, 0.45}, Case{1e4, 1, 2}, Case{1e5, 5, 2});
    const int rate = GENERATE(60, 240);
    const Limits limits{5e-4, 5e-5};
    const Law law = ElastoBacklashLaw({.c = one.c, .d = one.d, .b = 0.01});
    Course course;
    course.network.trees.emplace_back().links = {wheel(0.01), wheel(0.05)};
    addGear(course.network, 0, 1, -2.5, law);
    course.shown = {TreeTerm::joint(0, 0), TreeTerm::joint(0, 1)};
    const int ticks = static_cast<int>(one.horizon * rate);
    const auto reference =
        treeCourse<2>(OracleVector<2>::Zero(), 1.0 / rate, ticks, 1e-6, [&](double t, const OracleVector<2>& y) {
            const double f = force(law, y[0] + 2.5 * y[1], y[2] + 2.5 * y[3]);
            return Eigen::Vector2d((wheelTorque(t) - f) / 0.01, -2.5 * f / 0.05);
        });
    const double error = worstNrmse<2>(reference, course.run<2>(1.0 / rate, ticks, {wheelTorque}));
    CAPTURE(rate, one.c, one.d, error);
    CHECK(error < limits.of(rate));
}

TEST_CASE("a gear train of three stages meets its equations from rest", "[tree][slow]") {
    struct Case {
        double c, d, horizon;
    };
    const Case one = GENERATE(Case{1e3, 0.5, 0.8}, Case{1e4, 2, 2});
    const int rate = GENERATE(60, 240);
    const Limits limits{5e-4, 5e-5};
    const Law law = ElastoBacklashLaw({.c = one.c, .d = one.d, .b = 0.01});
    const Eigen::Vector4d I(0.01, 0.03, 0.05, 0.1);
    const Eigen::Vector3d ratios(-2.5, -2, -3);
    const int ticks = static_cast<int>(one.horizon * rate);
    Course course;
    FlowTree& tree = course.network.trees.emplace_back();
    for (int i = 0; i < 4; ++i) tree.links.push_back(wheel(I[i]));
    for (int i = 0; i < 3; ++i) addGear(course.network, i, i + 1, ratios[i], law);
    for (int i = 0; i < 4; ++i) course.shown.push_back(TreeTerm::joint(0, i));
    const auto reference =
        treeCourse<4>(OracleVector<4>::Zero(), 1.0 / rate, ticks, 1e-6, [&](double t, const OracleVector<4>& y) {
            Eigen::Vector4d torque(trainTorque(t), 0, 0, 0);
            for (int i = 0; i < 3; ++i) {
                const double f = force(law, y[i] - ratios[i] * y[i + 1], y[4 + i] - ratios[i] * y[5 + i]);
                torque[i] -= f;
                torque[i + 1] += ratios[i] * f;
            }
            return Eigen::Vector4d(torque.cwiseQuotient(I));
        });
    const double error = worstNrmse<4>(reference, course.run<4>(1.0 / rate, ticks, {trainTorque}));
    CAPTURE(rate, one.c, one.d, error);
    CHECK(error < limits.of(rate));
}
