// Joints against equations of one degree of freedom, written by hand.

#include <elasto/errors.h>
#include <elasto/reference/reference.h>
#include <elasto/scene/load_scene.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "problems.h"

namespace joints_test {

using namespace elasto;
using namespace elasto::test;
using Catch::Contains;
using Catch::WithinAbs;
using Eigen::Vector3d;

namespace {

constexpr double kGravity = 9.80665;
constexpr double kAgrees = 1e-9;

/// q'' = acceleration(q, q', inContact), smooth but where gap(q) changes its sign; Runge-Kutta steps of order 4 that
/// end there.
class OneDegree {
public:
    using Acceleration = std::function<double(double q, double w, bool inContact)>;
    OneDegree(double q, double w, Acceleration acceleration, std::function<double(double)> gap)
        : m_q(q), m_w(w), m_acceleration(std::move(acceleration)), m_gap(std::move(gap)) {
        m_inContact = m_gap(q) < 0;
    }

    void advance(double time) {
        constexpr double kStep = 5e-6;  // a hundredth of a radian of the stiffest stop
        const double end = m_time + time;
        while (end - m_time > 1e-13) {
            double h = std::min(kStep, end - m_time);
            auto [q, w] = step(h);
            if ((m_gap(q) < 0) != m_inContact) {
                double good = 0;
                while (h - good > 1e-16) {
                    const double middle = good + (h - good) / 2;
                    if (middle <= good || middle >= h) break;
                    ((m_gap(step(middle).first) < 0) != m_inContact ? h : good) = middle;
                }
                std::tie(q, w) = step(h);
                m_inContact = !m_inContact;
            }
            m_q = q;
            m_w = w;
            m_time += h;
        }
        m_time = end;
    }
    double q() const { return m_q; }
    double w() const { return m_w; }

private:
    std::pair<double, double> step(double h) const {
        const auto a = [&](double q, double w) { return m_acceleration(q, w, m_inContact); };
        const double w1 = m_w, a1 = a(m_q, w1);
        const double w2 = m_w + h / 2 * a1, a2 = a(m_q + h / 2 * w1, w2);
        const double w3 = m_w + h / 2 * a2, a3 = a(m_q + h / 2 * w2, w3);
        const double w4 = m_w + h * a3, a4 = a(m_q + h * w3, w4);
        return {m_q + h / 6 * (w1 + 2 * w2 + 2 * w3 + w4), m_w + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)};
    }

    double m_q, m_w, m_time = 0;
    Acceleration m_acceleration;
    std::function<double(double)> m_gap;
    bool m_inContact = false;
};

std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

std::string vector(double x, double y) {
    return "[" + number(x) + ", " + number(y) + ", 0]";
}

/// The quaternion of a rotation about z.
std::string turned(double angle) {
    return "[0, 0, " + number(std::sin(angle / 2)) + ", " + number(std::cos(angle / 2)) + "]";
}

/// A slender bar of mass m from a point along its own x axis; its frame is its centre.
std::string bar(const char* name, double m, double length, double x, double y, double angle) {
    const std::string inertia = number(m * length * length / 12);
    return R"({"name": ")" + std::string(name) + R"(", "mass": )" + number(m) + R"(, "inertia": [)" + inertia + ", " +
           inertia + ", " + inertia + R"(], "position": )" +
           vector(x + length / 2 * std::cos(angle), y + length / 2 * std::sin(angle)) + R"(, "orientation": )" +
           turned(angle) + "}";
}

std::string hinge(const char* name, const std::string& a, double xA, double yA, const std::string& b, double xB,
                  double yB, const std::string& more = "") {
    return R"({"name": ")" + std::string(name) + R"(", "type": "hinge", "frame_a": {"body": ")" + a +
           R"(", "position": )" + vector(xA, yA) + R"(}, "frame_b": {"body": ")" + b + R"(", "position": )" +
           vector(xB, yB) + "}" + more + "}";
}

Scene scene(const std::string& bodies, const std::string& joints, const std::string& elements) {
    return parseScene(R"({"elasto": 1, "name": "joints", "bodies": [)" + bodies + R"(], "joints": [)" + joints +
                      R"(], "elements": [)" + elements + "]}");
}

}  // namespace

TEST_CASE("a bar on a hinge falls on a stop as its one equation says") {
    const double start = 0.3;
    const double c = GENERATE(0.0, 1e4, 1e6);
    const double s_rel0 = c > 0 ? 0 : -99;
    const Scene hinged = scene(bar("bar", 1, 1, 0, 0, start), hinge("hinge", "world", 0, 0, "bar", -0.5, 0),
                               R"({"name": "stop", "type": "ElastoGap", "frame_a": {"body": "world"},
                  "frame_b": {"body": "bar", "position": [0.5, 0, 0]}, "axis": [0, 1, 0], "d": 0, "c": )" +
                                   number(c) + R"(, "s_rel0": )" + number(s_rel0) + "}");
    OneDegree oracle(
        start, 0,
        [&](double q, double, bool inContact) {
            const double f = inContact ? c * std::sin(q) : 0;
            return (-kGravity / 2 - f) * std::cos(q) * 3;
        },
        [&](double q) { return std::sin(q) - s_rel0; });
    const std::vector<double> times = evenTimes(2, 40);
    const Trajectory found = solveReference(hinged, times);
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (k > 0) oracle.advance(times[k] - times[k - 1]);
        INFO("c = " << c << ", t = " << times[k]);
        CHECK_THAT(std::remainder(found.at("hinge.phi_rel")[k] - oracle.q(), 2 * std::numbers::pi),
                   WithinAbs(0, kAgrees));
        CHECK_THAT(found.at("hinge.w_rel")[k] - oracle.w(), WithinAbs(0, 1e2 * kAgrees));
    }
}

TEST_CASE("a parallelogram of four hinges, whose rows depend on each other", "[slow]") {
    const double r = 0.5, length = 1, q0 = 1, c = 1e5;
    const double coupler = 2;
    const Scene fourBar =
        scene(bar("left", 1, r, 0, 0, q0) + "," + bar("right", 1, r, length, 0, q0) + "," +
                  bar("coupler", coupler, length, r * std::cos(q0), r * std::sin(q0), 0),
              hinge("a", "world", 0, 0, "left", -r / 2, 0) + "," + hinge("b", "world", length, 0, "right", -r / 2, 0) +
                  "," + hinge("c", "left", r / 2, 0, "coupler", -length / 2, 0) + "," +
                  hinge("d", "right", r / 2, 0, "coupler", length / 2, 0),
              R"({"name": "stop", "type": "ElastoGap", "frame_a": {"body": "world"}, "frame_b": {"body": "coupler"},
            "axis": [0, 1, 0], "d": 0, "s_rel0": 0.1, "c": )" +
                  number(c) + "}");
    const double inertia = 2 * (r * r / 3) + coupler * r * r;
    OneDegree oracle(
        q0, 0,
        [&](double q, double, bool inContact) {
            const double f = inContact ? c * (r * std::sin(q) - 0.1) : 0;
            return (-(2 * kGravity * r / 2 + coupler * kGravity * r) - f * r) * std::cos(q) / inertia;
        },
        [&](double q) { return r * std::sin(q) - 0.1; });
    const std::vector<double> times = evenTimes(2, 40);
    const Trajectory found = solveReference(fourBar, times);
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (k > 0) oracle.advance(times[k] - times[k - 1]);
        INFO("t = " << times[k]);
        CHECK_THAT(found.at("a.phi_rel")[k] - oracle.q(), WithinAbs(0, kAgrees));
        CHECK_THAT(found.at("b.phi_rel")[k] - oracle.q(), WithinAbs(0, kAgrees));
        CHECK_THAT(found.at("coupler.r_0[2]")[k] - r * std::sin(oracle.q()), WithinAbs(0, kAgrees));
    }
}

namespace {

/// A slider-crank in the plane: crank of length r from the origin, rod of length l, slider on the x axis.
struct SliderCrank {
    double r = 0.4, l = 1, crank = 1, rod = 2, slider = 3;

    struct Geometry {
        double phi, phi1, phi2;     // the rod's angle and its derivatives by the crank's
        double x, x1, x2;           // of the slider
        double cx1, cx2, cy1, cy2;  // of the rod's centre
    };
    Geometry at(double q) const {
        Geometry g{};
        const double s = std::sin(q), c = std::cos(q);
        g.phi = std::asin(-r * s / l);
        g.phi1 = -r * c / (l * std::cos(g.phi));
        g.phi2 = (r * s + l * std::sin(g.phi) * g.phi1 * g.phi1) / (l * std::cos(g.phi));
        g.x = r * c + l * std::cos(g.phi);
        g.x1 = -r * s - l * std::sin(g.phi) * g.phi1;
        g.x2 = -r * c - l * std::cos(g.phi) * g.phi1 * g.phi1 - l * std::sin(g.phi) * g.phi2;
        g.cx1 = (-r * s + g.x1) / 2;
        g.cx2 = (-r * c + g.x2) / 2;
        g.cy1 = r * c / 2;
        g.cy2 = -r * s / 2;
        return g;
    }
    /// Lagrange's equation.
    double acceleration(double q, double w) const {
        const Geometry g = at(q);
        const double mass = crank * r * r / 3 + rod * (g.cx1 * g.cx1 + g.cy1 * g.cy1) +
                            rod * l * l / 12 * g.phi1 * g.phi1 + slider * g.x1 * g.x1;
        const double change =
            rod * (g.cx1 * g.cx2 + g.cy1 * g.cy2) + rod * l * l / 12 * g.phi1 * g.phi2 + slider * g.x1 * g.x2;
        const double pull = kGravity * (crank * r / 2 * std::cos(q) + rod * g.cy1);
        return (-change * w * w - pull) / mass;
    }
    Scene scene(double q, double w, const std::string& motor) const {
        const Geometry g = at(q);
        const auto moving = [&](std::string body, double vx, double vy, double turning) {
            body.back() = ',';
            return body + R"( "velocity": )" + vector(vx, vy) + R"(, "angularVelocity": [0, 0, )" + number(turning) +
                   "]}";
        };
        const double s = std::sin(q), c = std::cos(q);
        const std::string bodies = moving(bar("crank", crank, r, 0, 0, q), -r / 2 * s * w, r / 2 * c * w, w) + "," +
                                   moving(bar("rod", rod, l, r * c, r * s, g.phi), g.cx1 * w, g.cy1 * w, g.phi1 * w) +
                                   R"(, {"name": "slider", "inertia": [0.1, 0.1, 0.1], "mass": )" + number(slider) +
                                   R"(, "position": )" + vector(g.x, 0) + R"(, "velocity": )" + vector(g.x1 * w, 0) +
                                   "}";
        const std::string joints = hinge("drive", "world", 0, 0, "crank", -r / 2, 0, motor) + "," +
                                   hinge("pin", "crank", r / 2, 0, "rod", -l / 2, 0) + "," +
                                   hinge("eye", "rod", l / 2, 0, "slider", 0, 0) +
                                   R"(, {"name": "guide", "type": "slider", "frame_a": {"body": "world"},
                                         "frame_b": {"body": "slider"}})";
        return joints_test::scene(bodies, joints, "");
    }
};

}  // namespace

TEST_CASE("a slider-crank swings as Lagrange's equation says") {
    const SliderCrank mechanism;
    const Scene swinging = mechanism.scene(0.8, 2, "");
    OneDegree oracle(
        0.8, 2, [&](double q, double w, bool) { return mechanism.acceleration(q, w); }, [](double) { return 1; });
    const std::vector<double> times = evenTimes(2, 40);
    const Trajectory found = solveReference(swinging, times);
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (k > 0) oracle.advance(times[k] - times[k - 1]);
        INFO("t = " << times[k]);
        CHECK_THAT(std::remainder(found.at("drive.phi_rel")[k] - oracle.q(), 2 * std::numbers::pi),
                   WithinAbs(0, kAgrees));
        CHECK_THAT(found.at("guide.s_rel")[k] - mechanism.at(oracle.q()).x, WithinAbs(0, kAgrees));
    }
}

TEST_CASE("a motor that holds its speed prescribes the coordinate") {
    const SliderCrank mechanism;
    const double speed = 7;
    const auto withTorque = [&](const char* torque) {
        return mechanism.scene(0.8, speed, R"(, "motor": {"velocity": 7, "maxTorque": )" + std::string(torque) + "}");
    };
    const std::vector<double> times = evenTimes(2, 40);
    const Trajectory found = solveReference(withTorque("1e4"), times);
    for (std::size_t k = 0; k < times.size(); ++k) {
        const double q = 0.8 + speed * times[k];
        INFO("t = " << times[k]);
        CHECK_THAT(std::remainder(found.at("drive.phi_rel")[k] - q, 2 * std::numbers::pi), WithinAbs(0, kAgrees));
        CHECK_THAT(found.at("guide.s_rel")[k] - mechanism.at(q).x, WithinAbs(0, kAgrees));
        CHECK_THAT(found.at("guide.v_rel")[k] - mechanism.at(q).x1 * speed, WithinAbs(0, kAgrees));
    }
}

TEST_CASE("a weak motor drives a slider-crank as far as its torque reaches") {
    // From 2 rad/s with 20 N.m to 7 rad/s, which it cannot hold where the load is largest: Lagrange's equation with the
    // motor's torque, at its bound until the speed is reached or as the speed needs it, by solve_ivp (DOP853, 1e-13)
    // with the changes as events.
    const SliderCrank mechanism;
    const Scene driven = mechanism.scene(0.8, 2, R"(, "motor": {"velocity": 7, "maxTorque": 20})");
    const std::vector<double> times = {0.5, 1, 1.5, 2};
    const std::vector<double> angles = {3.63131972439, 7.09086718734, 10.54482986431, 13.95834000422};
    const Trajectory found = solveReference(driven, times);
    for (std::size_t k = 0; k < times.size(); ++k) {
        INFO("t = " << times[k]);
        CHECK_THAT(std::remainder(found.at("drive.phi_rel")[k] - angles[k], 2 * std::numbers::pi), WithinAbs(0, 1e-8));
    }
}

TEST_CASE("bodies that some axes hold still swing on joints as planar ones do") {
    // A bar of 1 m, in the plane by its factors, or by the hinge; q'' = -3/2 g sin q.
    const char* factors = GENERATE("", R"("linearFactor": [1, 1, 0], "angularFactor": [0, 0, 1],)");
    const Scene swinging = parseScene(std::string(R"({"elasto": 1, "name": "planar", "bodies": [{"name": "bar", )") +
                                      factors + R"("mass": 3, "inertia": [0.25, 0.01, 0.25], "position": [0.5, 0, 0],
            "orientation": [0, 0, 0.707106781186547524, 0.707106781186547524]}], "elements": [],
         "joints": [{"name": "tip", "type": "ball", "frame_a": {"body": "world"},
           "frame_b": {"body": "bar", "position": [0, 0.5, 0]}}]})");
    OneDegree oracle(
        std::numbers::pi / 2, 0, [](double q, double, bool) { return -1.5 * kGravity * std::sin(q); },
        [](double) { return 1; });
    const std::vector<double> times = evenTimes(2, 10);
    const Trajectory found = solveReference(swinging, times);
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (k > 0) oracle.advance(times[k] - times[k - 1]);
        INFO("t = " << times[k]);
        CHECK_THAT(found.at("bar.r_0[1]")[k] - std::sin(oracle.q()) / 2, WithinAbs(0, kAgrees));
    }
}

TEST_CASE("a chain of ball joints in space keeps its energy and its turning about the vertical") {
    ReferenceProblem problem;
    for (int i = 0; i < 3; ++i) {
        FlowBody link = FlowBody::rigid(1, {0.02, 0.03, 0.04});
        link.position = {0.25 + 0.5 * i, 0, 0};
        link.force.constant = {0, -kGravity, 0};
        // All turn about the vertical through the first joint.
        link.angularVelocity = {0, 3, 0};
        link.velocity = link.angularVelocity.cross(link.position);
        problem.network.bodies.push_back(link);
        for (int axis = 0; axis < 3; ++axis) {
            HeldRow row;
            row.a = i == 0 ? kWorld : i - 1;
            row.b = i;
            row.pointA = {i == 0 ? 0 : 0.25, 0, 0};
            row.pointB = {-0.25, 0, 0};
            row.axisA = Vector3d::Unit(axis);
            problem.network.joints.push_back(row);
        }
    }
    const auto energy = [&](const ReferenceState& state) {
        double sum = 0;
        for (std::size_t i = 0; i < 3; ++i)
            sum += kineticEnergy(problem.network.bodies[i], state.bodies[i]) + kGravity * state.bodies[i].position.y();
        return sum;
    };
    const auto turning = [&](const ReferenceState& state) {
        double sum = 0;
        for (std::size_t i = 0; i < 3; ++i) sum += angularMomentum(problem.network.bodies[i], state.bodies[i]).y();
        return sum;
    };
    const ReferenceSolution solution = solveReference(problem, evenTimes(2, 20));
    const ReferenceState& start = solution.states.front();
    double lowest = 0;
    for (const ReferenceState& state : solution.states) {
        INFO("t = " << state.time);
        CHECK_THAT(energy(state) - energy(start), WithinAbs(0, kAgrees));
        CHECK_THAT(turning(state) - turning(start), WithinAbs(0, kAgrees));
        const Vector3d end = state.bodies[0].position + state.bodies[0].orientation * Vector3d(0.25, 0, 0);
        CHECK((state.bodies[1].position + state.bodies[1].orientation * Vector3d(-0.25, 0, 0) - end).norm() < 1e-12);
        lowest = std::min(lowest, state.bodies[2].position.y());
    }
    CHECK(lowest < -0.8);
}

TEST_CASE("joints that cannot be solved are refused") {
    ReferenceProblem problem;
    problem.network.bodies = {ball(1, {1, 0, 0})};
    HeldRow row;
    row.b = 0;
    row.offset = 1;
    problem.network.joints = {row};
    const std::vector<double> times = {0, 0.1};
    CHECK(solveReference(problem, times).states.size() == 2);
    SECTION("open") {
        problem.network.joints[0].offset = 0.5;
        CHECK_THROWS_WITH(solveReference(problem, times), Contains("opening of a joint") && Contains("0.5"));
    }
    SECTION("moving apart") {
        problem.network.bodies[0].velocity = {2, 0, 0};
        CHECK_THROWS_WITH(solveReference(problem, times), Contains("velocity against a joint") && Contains("2"));
    }
    SECTION("on a path") {
        problem.network.bodies.emplace_back();
        problem.network.joints[0].a = 1;
        problem.drives.resize(2);
        problem.drives[1].motion = [](double) { return BodyState(); };
        CHECK_THROWS_WITH(solveReference(problem, times), Contains("needs the path's acceleration"));
    }
    SECTION("with no body to move") {
        problem.network.joints[0].b = kWorld;
        CHECK_THROWS_AS(solveReference(problem, times), InvalidParameter);
    }
}

TEST_CASE("a wheel that spins fast on a ball joint keeps its axis", "[reference][joints]") {
    // Its axis goes through the joint, so nothing moves but the wheel. The arm may turn a little.
    const Scene scene = parseScene(R"({"elasto": 1, "name": "top", "gravity": [0, 0, 0],
        "bodies": [{"name": "arm", "mass": 1.7, "inertia": [0.018, 0.028, 0.035]},
                   {"name": "wheel", "mass": 1.4, "inertia": [0.016, 0.016, 0.028], 
                    "position": [-0.2, 0.1747985262886576, 0.24381442780794058],
                    "orientation": [-0.30601081732530144, 0, 0, 0.9520280351333678],
                    "angularVelocity": [0, 255.20584838144012, 355.96906459959325]}],
        "joints": [{"name": "elbow", "type": "hinge", "axis": [0, 1, 0],
                    "frame_a": {"body": "world", "position": [0.3, 0, 0]},
                    "frame_b": {"body": "arm", "position": [0.3, 0, 0]}},
                   {"name": "foot", "type": "ball", "frame_a": {"body": "arm", "position": [-0.2, 0, 0]},
                    "frame_b": {"body": "wheel", "position": [0, 0, -0.3]}}],
        "elements": [{"name": "twist", "type": "ElastoBacklash", "geometry": "rotation", "axis": [0, 1, 0],
                      "frame_a": {"body": "world"}, "frame_b": {"body": "arm"}, "c": 60, "d": 0, "b": 0.1}]})");
    const Trajectory rows = solveReference(scene, std::vector<double>{0, 0.5, 1});
    for (const char* signal : {"wheel.w_a[1]", "wheel.w_a[2]", "elbow.w_rel"}) {
        const auto at = std::find(rows.signals.begin(), rows.signals.end(), signal);
        REQUIRE(at != rows.signals.end());
        CHECK(std::abs(rows.columns[static_cast<std::size_t>(at - rows.signals.begin())].back()) < 1e-8);
    }
}

}  // namespace joints_test
