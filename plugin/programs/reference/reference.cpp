#include <elasto/reference/reference.h>
#include <elasto/reference/tree_reference.h>

#include "group_integrator.h"
#include "mechanics.h"
#include "rigid_body.h"
#include "tree_mechanics.h"

#include <elasto/errors.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace elasto {

namespace {

constexpr const char* kOwner = "solveReference";

void check(std::span<const double> times, const ReferenceOptions& options) {
    const auto checkTolerance = [](const char* name, double value) {
        if (!(value > 1e-14 && value <= 1e-3))
            throw InvalidParameter(kOwner, name, value, "above 1e-14 and at most 1e-3");
    };
    checkTolerance("rtol", options.rtol);
    checkTolerance("rtolStiff", options.rtolStiff);
    if (!(options.floor > 0 && options.floor <= 1))
        throw InvalidParameter(kOwner, "floor", options.floor, "above 0 and at most 1");
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (!(std::isfinite(times[k]) && times[k] >= (k == 0 ? 0 : times[k - 1])))
            throw InvalidParameter(kOwner, "times", times[k], "finite, >= 0 and not before the previous time");
    }
}

void check(const ReferenceProblem& problem) {
    const auto bodyCount = static_cast<int>(problem.network.bodies.size());
    if (!problem.drives.empty() && problem.drives.size() != problem.network.bodies.size())
        throw InvalidParameter(kOwner, "drives must be empty or one per body");
    for (const BodyDrive& drive : problem.drives) {
        if (!(drive.linearDamping >= 0 && drive.linearDamping < 1))
            throw InvalidParameter(kOwner, "linearDamping", drive.linearDamping, ">= 0 and < 1");
        if (!(drive.angularDamping >= 0 && drive.angularDamping < 1))
            throw InvalidParameter(kOwner, "angularDamping", drive.angularDamping, ">= 0 and < 1");
    }
    const auto checkEnds = [&](int a, int b, const char* thing) {
        bool movable = false;
        for (int end : {a, b}) {
            if (end == kWorld) continue;
            if (end < 0 || end >= bodyCount) throw InvalidParameter(kOwner, "body index", end, "that of a body");
            movable = movable || !problem.network.bodies[static_cast<std::size_t>(end)].isImmovable();
        }
        if (!movable) throw InvalidParameter(kOwner, std::string(thing) + " has no body that it can move");
    };
    const auto refuse = [](bool isGiven, const char* what) {
        if (isGiven) throw InvalidParameter(kOwner, std::string(what) + " are not part of the reference");
    };
    refuse(!problem.network.contacts.empty(), "contacts of shapes");
    refuse(!problem.network.bounded.empty(), "limits and motors as rows of the flow");
    refuse(!problem.network.changes.empty(), "changes of loads inside a tick");
    for (const FlowElement& element : problem.network.elements) {
        checkEnds(element.a, element.b, "an element");
        const bool isKnown = element.geometry == Geometry::AlongAxis || element.geometry == Geometry::AlongLine ||
                             element.geometry == Geometry::AboutAxis;
        refuse(!isKnown, "elements about Euler angles and swings");
        if (!element.isGeared()) continue;
        refuse(frictionOf(element.law) != nullptr, "gear pairs with the law of dry friction");
        refuse(element.geared.carried != 0, "rotors that ride on bodies of the flow");
        if (element.geometry != Geometry::AboutAxis || element.geared.geometry != Geometry::AboutAxis) {
            throw InvalidParameter(kOwner, "both coordinates of a gear pair must be angles");
        }
        checkEnds(element.geared.a, element.geared.b, "a gear pair");
    }
    for (const HeldRow& row : problem.network.joints) checkEnds(row.a, row.b, "a joint");
    for (const ReferenceMotor& motor : problem.motors) {
        checkEnds(motor.a, motor.b, "a motor");
        if (!std::isfinite(motor.velocity))
            throw InvalidParameter(kOwner, "motor's velocity", motor.velocity, "finite");
        if (!(motor.maxForce >= 0)) throw InvalidParameter(kOwner, "motor's maxForce", motor.maxForce, ">= 0");
    }
    for (const ReferenceLimit& limit : problem.limits) {
        checkEnds(limit.a, limit.b, "a limit");
        if (!(limit.upper >= limit.lower))
            throw InvalidParameter(kOwner, "limit's upper", limit.upper, ">= its lower end");
        if (!(limit.restitution >= 0 && limit.restitution <= 1))
            throw InvalidParameter(kOwner, "limit's restitution", limit.restitution, "0 .. 1");
    }
}

using reference::Group;

/// Movable bodies that elements, joints, motors or limits connect, each group with these, in the order of their first
/// bodies.
std::vector<Group> independentGroups(const ReferenceProblem& problem) {
    const FlowNetwork& network = problem.network;
    const auto bodyCount = network.bodies.size();
    std::vector<std::size_t> root(bodyCount);
    std::iota(root.begin(), root.end(), std::size_t{0});
    const auto find = [&](std::size_t body) {
        while (root[body] != body) body = root[body] = root[root[body]];
        return body;
    };
    const auto movable = [&](int body) {
        return body != kWorld && !network.bodies[static_cast<std::size_t>(body)].isImmovable();
    };
    const auto join = [&](int one, int other) {
        if (!movable(one) || !movable(other)) return;
        const std::size_t a = find(static_cast<std::size_t>(one));
        const std::size_t b = find(static_cast<std::size_t>(other));
        root[std::max(a, b)] = std::min(a, b);
    };
    const auto connect = [&](const auto& things) {
        for (const auto& thing : things) join(thing.a, thing.b);
    };
    connect(network.elements);
    for (const FlowElement& element : network.elements) {
        if (!element.isGeared()) continue;
        const int first = movable(element.b) ? element.b : element.a;
        for (const int end : {element.a, element.geared.a, element.geared.b}) join(first, end);
    }
    connect(network.joints);
    connect(problem.motors);
    connect(problem.limits);
    std::vector<Group> groups;
    std::vector<std::size_t> groupOf(bodyCount, 0);
    for (std::size_t body = 0; body < bodyCount; ++body) {
        if (!movable(static_cast<int>(body))) continue;
        if (find(body) == body) {
            groupOf[body] = groups.size();
            groups.emplace_back();
        } else {
            groupOf[body] = groupOf[find(body)];
        }
        groups[groupOf[body]].bodies.push_back(static_cast<int>(body));
    }
    const auto distribute = [&](const auto& things, std::vector<int> Group::*list) {
        for (std::size_t k = 0; k < things.size(); ++k) {
            const int body = movable(things[k].a) ? things[k].a : things[k].b;
            (groups[groupOf[static_cast<std::size_t>(body)]].*list).push_back(static_cast<int>(k));
        }
    };
    distribute(network.elements, &Group::elements);
    distribute(network.joints, &Group::joints);
    distribute(problem.motors, &Group::motors);
    distribute(problem.limits, &Group::limits);
    return groups;
}

void reportImmovable(const ReferenceProblem& problem, ReferenceState& state) {
    for (std::size_t k = 0; k < problem.network.bodies.size(); ++k) {
        if (!problem.network.bodies[k].isImmovable()) continue;
        const bool driven = k < problem.drives.size() && problem.drives[k].motion;
        state.bodies[k] =
            driven ? problem.drives[k].motion(state.time) : reference::drift(problem.network.bodies[k], state.time);
    }
}

std::vector<double> sortedBreaks(const std::vector<double>& given) {
    std::vector<double> breaks;
    std::copy_if(given.begin(), given.end(), std::back_inserter(breaks),
                 [](double time) { return time > 0 && std::isfinite(time); });
    std::sort(breaks.begin(), breaks.end());
    breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
    return breaks;
}

void sortEvents(ReferenceSolution& solution) {
    std::stable_sort(solution.events.begin(), solution.events.end(),
                     [](const ReferenceEvent& first, const ReferenceEvent& second) {
                         return std::tie(first.time, first.element) < std::tie(second.time, second.element);
                     });
}

// What the flow itself would refuse is not looked for again.
void check(const TreeReferenceProblem& problem) {
    const TreeNetwork& network = problem.network;
    if (network.trees.empty()) throw InvalidParameter(kOwner, "trees: there must be one at least");
    if (!network.bounded.empty()) throw InvalidParameter(kOwner, "bounded: motors and limits are not solved here");
    const auto has = [&](int tree, int index, bool isRotor) {
        if (tree < 0 || tree >= static_cast<int>(network.trees.size()) || index < 0) return false;
        const FlowTree& owner = network.trees[static_cast<std::size_t>(tree)];
        const auto i = static_cast<std::size_t>(index);
        if (isRotor) return i < owner.rotors.size();
        return i < owner.links.size() &&
               (owner.links[i].joint == TreeJoint::Revolute || owner.links[i].joint == TreeJoint::Prismatic);
    };
    for (const TreeElement& element : network.elements) {
        for (const TreeTerm& term : element.terms) {
            if (!has(term.tree, term.index, term.kind == TreeTerm::Kind::Rotor))
                throw InvalidParameter(kOwner, "index of a term", term.index,
                                       "that of a rotor, or of a revolute or prismatic joint");
        }
    }
    for (const auto& [at, torque] : problem.jointTorques) {
        if (!has(at.first, at.second, false))
            throw InvalidParameter(kOwner, "link of a torque", at.second, "one with a revolute or prismatic joint");
    }
    for (const auto& [at, torque] : problem.rotorTorques) {
        if (!has(at.first, at.second, true))
            throw InvalidParameter(kOwner, "rotor of a torque", at.second, "that of a rotor");
    }
}

}  // namespace

ReferenceSolution solveReference(const ReferenceProblem& problem, std::span<const double> times,
                                 const ReferenceOptions& options) {
    check(times, options);
    check(problem);
    ReferenceSolution solution;
    solution.states.resize(times.size());
    for (std::size_t k = 0; k < times.size(); ++k) {
        ReferenceState& state = solution.states[k];
        state.time = times[k];
        state.bodies.resize(problem.network.bodies.size());
        state.elements.resize(problem.network.elements.size());
        reportImmovable(problem, state);
    }
    const std::vector<double> breaks = sortedBreaks(problem.breaks);
    for (Group& group : independentGroups(problem)) {
        reference::Mechanics motion(problem, std::move(group));
        reference::GroupIntegrator(motion, times, options).run(breaks, solution);
        ++solution.statistics.groups;
    }
    sortEvents(solution);
    return solution;
}

ReferenceSolution solveReference(const TreeReferenceProblem& problem, std::span<const double> times,
                                 const ReferenceOptions& options) {
    check(times, options);
    check(problem);
    ReferenceSolution solution;
    solution.states.resize(times.size());
    for (std::size_t k = 0; k < times.size(); ++k) {
        solution.states[k].time = times[k];
        solution.states[k].elements.resize(problem.network.elements.size());
    }
    reference::TreeMechanics motion(problem);
    reference::GroupIntegrator(motion, times, options).run(sortedBreaks(problem.breaks), solution);
    solution.statistics.groups = 1;
    sortEvents(solution);
    return solution;
}

}  // namespace elasto
