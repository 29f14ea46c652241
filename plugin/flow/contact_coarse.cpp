#include "contact_coarse.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

constexpr int kSteps = 4;
constexpr int kSweeps = 100;
/// Change of velocity in a sweep, relative to the largest speed, at which no more are needed.
constexpr double kSettled = 1e-10;
/// Bisections for the impulse of an element over a step.
constexpr int kBisections = 60;

/// Friction at a point: two directions, and what their impulses do to their rates.
struct Point {
    BlockRow normal, first, second;
    double normalResponse, frictionResponse;
    double room;  // the gap at the step's start
    double friction;
    double impulse = 0;
    Eigen::Vector2d tangential = Eigen::Vector2d::Zero();
    Eigen::Vector2d surface = Eigen::Vector2d::Zero();  // rates of b's surface
};

class CoarseStep {
public:
    CoarseStep(const ContactProblem& problem, double dt, ContactState& state)
        : m_problem(problem), m_frame(problem.frame()), m_dt(dt), m_state(state) {
        const std::vector<Vector6> load = problem.load(state.t + dt / 2, 0);
        for (std::size_t i = 0; i < load.size(); ++i) state.u[i] += dt * load[i];
        readPoints();
        m_element.assign(problem.laws().size(), 0);
        m_joint.assign(m_frame.jointCount(), 0);
    }

    void run() {
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            const std::vector<Vector6> before = m_state.u;
            pushJoints();
            for (std::size_t e = 0; e < m_element.size(); ++e) pushElement(e);
            for (Point& point : m_points) pushPoint(point);
            double change = 0;
            for (std::size_t i = 0; i < before.size(); ++i) {
                change = std::max(change, (m_state.u[i] - before[i]).lpNorm<Eigen::Infinity>());
            }
            if (change <= kSettled * m_problem.speed(m_dt, m_state)) break;
        }
        finish();
    }

private:
    void readPoints() {
        const std::vector<FlowContact>& contacts = m_problem.network().contacts;
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            const Tangents tangents(m_frame.measure(i).normal);
            Point point{m_frame.rowAlong(i, m_frame.measure(i).normal),
                        m_frame.rowAlong(i, tangents.first),
                        m_frame.rowAlong(i, tangents.second),
                        0,
                        0,
                        std::max(m_problem.gap(i, m_state.way), 0.),
                        contacts[i].friction};
            point.normalResponse = m_frame.responseOf(point.normal);
            point.frictionResponse = std::max(m_frame.responseOf(point.first), m_frame.responseOf(point.second));
            point.surface = {tangents.first.dot(contacts[i].surfaceVelocity),
                             tangents.second.dot(contacts[i].surfaceVelocity)};
            m_points.push_back(point);
        }
    }

    void pushJoints() {
        for (std::size_t k = 0; k < m_joint.size(); ++k) {
            const BlockRow& row = m_frame.row(k);
            const double response = m_frame.responseOf(row);
            if (response > 0) apply(row, -rateOf(row, m_state.u) / response, m_joint[k]);
        }
    }

    // p = dt f(s + dt v(p)): f falls as p grows, so there is one answer.
    void pushElement(std::size_t e) {
        const auto k = static_cast<Eigen::Index>(e);
        const RowLaw& law = m_problem.laws()[e];
        std::vector<Vector6> unit(m_state.u.size(), Vector6::Zero());
        m_problem.addElement(e, 1, unit);
        const double response = -m_problem.elementRate(e, unit);
        const double present = m_problem.elementRate(e, m_state.u) + response * m_element[e];
        const auto missing = [&](double p) { return p - m_dt * forceAt(law, k, present - response * p); };
        double low = 0, high = m_dt * forceAt(law, k, present);
        if (low > high) std::swap(low, high);
        for (int i = 0; i < kBisections && high > low; ++i) {
            const double middle = 0.5 * (low + high);
            (missing(middle) > 0 ? high : low) = middle;
        }
        const double p = 0.5 * (low + high);
        m_problem.addElement(e, p - m_element[e], m_state.u);
        m_element[e] = p;
    }

    double forceAt(const RowLaw& law, Eigen::Index k, double v) const {
        const double s = m_state.s[k] + m_dt * v;
        const double f = forceInPhase(law, classify(law, s, v, 0), s, v, m_state.z[k]);
        return law.kind == RowLaw::Kind::Series && law.d > 0 ? f / (1 + law.c * m_dt / law.d) : f;
    }

    void pushPoint(Point& point) {
        if (point.normalResponse <= 0) return;
        const double rate = rateOf(point.normal, m_state.u) + point.room / m_dt;
        const double impulse = std::max(0., point.impulse - rate / point.normalResponse);
        apply(point.normal, impulse - point.impulse, point.impulse);
        if (point.friction == 0 || point.frictionResponse <= 0) return;
        const Eigen::Vector2d slip(rateOf(point.first, m_state.u) - point.surface[0],
                                   rateOf(point.second, m_state.u) - point.surface[1]);
        Eigen::Vector2d tangential = point.tangential - slip / point.frictionResponse;
        const double most = point.friction * point.impulse;
        if (tangential.norm() > most) tangential *= most / tangential.norm();
        apply(point.first, tangential[0] - point.tangential[0], point.tangential[0]);
        apply(point.second, tangential[1] - point.tangential[1], point.tangential[1]);
    }

    void apply(const BlockRow& row, double impulse, double& sum) {
        if (impulse == 0) return;
        m_frame.push(row, impulse, m_state.u);
        sum += impulse;
    }

    void finish() {
        for (std::size_t k = 0; k < m_joint.size(); ++k) m_problem.countPush(m_frame.row(k), m_joint[k], m_state);
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            const Point& point = m_points[i];
            m_problem.countPush(point.normal, point.impulse, m_state);
            m_problem.countPush(point.first, point.tangential[0], m_state);
            m_problem.countPush(point.second, point.tangential[1], m_state);
            m_state.contacts[i].impulse += point.impulse;
            m_state.contacts[i].frictionImpulse += point.tangential[0] * point.first.gradientA.head<3>() +
                                                   point.tangential[1] * point.second.gradientA.head<3>();
        }
        std::vector<Vector6> way = m_state.u;
        for (Vector6& w : way) w *= m_dt;
        for (std::size_t e = 0; e < m_element.size(); ++e) {
            const auto k = static_cast<Eigen::Index>(e);
            const RowLaw& law = m_problem.laws()[e];
            const double v = m_problem.elementRate(e, m_state.u);
            const Phase before = classify(law, m_state.s[k], v, 0);
            const double stored = energyInPhase(law, before, m_state.s[k], m_state.z[k]);
            m_state.s[k] += m_dt * v;
            if (law.kind == RowLaw::Kind::Series) {
                m_state.z[k] = settledDamper(law, m_state.s[k], m_state.z[k] + damperRate(law, m_element[e]));
            }
            const Phase after = classify(law, m_state.s[k], v, 0);
            const double gained = energyInPhase(law, after, m_state.s[k], m_state.z[k]) - stored;
            m_state.heat[k] += std::max(0., m_element[e] * v - gained);
            m_problem.countElement(e, m_element[e], m_state);
            if (law.kind == RowLaw::Kind::Contact && before.inContact() != after.inContact()) {
                m_state.events.push_back({static_cast<int>(e), after.inContact(), m_state.t + m_dt, std::abs(v)});
            }
        }
        m_problem.move(way, m_dt, m_state);
    }

    const ContactProblem& m_problem;
    const ContactFrame& m_frame;
    const double m_dt;
    ContactState& m_state;
    std::vector<Point> m_points;
    std::vector<double> m_element, m_joint;
};

}  // namespace

int finishCoarsely(const ContactProblem& problem, double h, ContactState& state) {
    const double dt = (h - state.t) / kSteps;
    for (int step = 0; step < kSteps; ++step) CoarseStep(problem, dt, state).run();
    state.t = h;
    return kSteps;
}

}  // namespace elasto::flow
