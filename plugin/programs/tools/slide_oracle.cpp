#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coupled_oracle.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

/// The motion from one change of the friction's direction to the next.
class Slide {
public:
    Slide(const Scene& scene, const std::string& name, double friction) : m_problem(referenceProblem(scene)) {
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
            if (scene.bodies[i].name == name) m_body = i;
        }
        m_start = m_problem.network.bodies.at(m_body);
        m_direction = m_start.velocity.normalized();
        if (!(m_start.velocity.norm() > 0))
            throw InputError(fmt::format("body '{}' does not slide at the start", name));
        m_friction = friction;
    }

    std::vector<ReferenceState> solve(std::span<const double> times) {
        std::vector<ReferenceState> found;
        while (found.size() < times.size()) {
            const double direction = nextDirection();
            if (direction == 0) {
                const ReferenceState still = stateAt(0, 0);
                for (std::size_t k = found.size(); k < times.size(); ++k) append(still, times[k], found);
                break;
            }
            std::vector<double> left;
            for (std::size_t k = found.size(); k < times.size(); ++k) left.push_back(times[k] - m_time);
            const std::vector<ReferenceState> states = solveFrom(direction, left).states;
            const auto reversed = [&](const ReferenceState& state) { return direction * speed(state) < 0; };
            const auto after = std::find_if(states.begin(), states.end(), reversed);
            const std::size_t before = found.size();
            for (auto state = states.begin(); state != after; ++state) append(*state, times[found.size()], found);
            if (after == states.end()) break;
            const std::size_t k = static_cast<std::size_t>(after - states.begin());
            turnRound(direction, found.size() > before ? left[k - 1] : 0, left[k]);
        }
        return found;
    }

private:
    static void append(ReferenceState state, double time, std::vector<ReferenceState>& found) {
        state.time = time;
        found.push_back(std::move(state));
    }

    double speed(const ReferenceState& state) const { return m_direction.dot(state.bodies[m_body].velocity); }

    ReferenceSolution solveFrom(double direction, const std::vector<double>& times) const {
        ReferenceProblem problem = m_problem;
        FlowBody& body = problem.network.bodies[m_body];
        static_cast<BodyState&>(body) = m_start;
        body.force.constant -= direction * m_friction * m_direction;
        return solveReference(problem, times);
    }
    ReferenceState stateAt(double direction, double time) const { return solveFrom(direction, {time}).states.front(); }

    /// +1, -1, or 0 where it sticks.
    double nextDirection() const {
        const double now = m_direction.dot(m_start.velocity);
        if (now != 0) return now > 0 ? 1 : -1;
        // From rest: what acts on it without friction.
        constexpr double kInstant = 1e-9;
        const FlowBody& body = m_problem.network.bodies[m_body];
        const double force = speed(stateAt(0, kInstant)) / kInstant / body.inverseMass;
        if (std::abs(force) <= m_friction) return 0;
        return force > 0 ? 1 : -1;
    }

    /// Goes on from where it comes to rest, between two times of this part of the motion.
    void turnRound(double direction, double good, double bad) {
        while (bad - good > 1e-15) {
            const double middle = good + (bad - good) / 2;
            if (middle <= good || middle >= bad) break;
            (direction * speed(stateAt(direction, middle)) < 0 ? bad : good) = middle;
        }
        m_start = stateAt(direction, bad).bodies[m_body];
        m_start.velocity.setZero();
        m_time += bad;
    }

    ReferenceProblem m_problem;
    std::size_t m_body = 0;
    BodyState m_start;
    Eigen::Vector3d m_direction;
    double m_friction = 0;
    double m_time = 0;  // where m_start is
};

}  // namespace

std::vector<ReferenceState> solveSlide(const Scene& scene, const std::string& body, double friction,
                                       std::span<const double> times) {
    return Slide(scene, body, friction).solve(times);
}

}  // namespace elasto::tools
