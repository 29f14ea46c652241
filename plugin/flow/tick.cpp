#include <elasto/errors.h>
#include <elasto/flow.h>

#include "balance/load_changes.h"
#include "constraints/friction_rows.h"
#include "contact/contact_tick.h"
#include "numerics/cost_model.h"
#include "rigid/rigid_tick.h"
#include "validation.h"
#include "workspace.h"

#include <algorithm>
#include <cmath>

namespace elasto {
namespace flow {
namespace {

using OfPart = FlowWorkspace::Storage::OfPart;

/// As new, but with its storage.
void clear(TickResult& result) {
    TickResult fresh;
    std::swap(fresh.bodies, result.bodies);
    std::swap(fresh.elements, result.elements);
    std::swap(fresh.bounded, result.bounded);
    std::swap(fresh.reactions, result.reactions);
    std::swap(fresh.contacts, result.contacts);
    std::swap(fresh.events, result.events);
    fresh.bodies.clear();
    fresh.elements.clear();
    fresh.bounded.clear();
    fresh.reactions.clear();
    fresh.contacts.clear();
    fresh.events.clear();
    fresh.events.reserve(8);  // so that the first tick with several does not grow it
    result = std::move(fresh);
}

void solveStraight(const FlowNetwork& network, double h, const FlowSettings& settings, OfPart& space,
                   TickResult& result) {
    clear(result);
    RowState& state = space.state;
    space.frame.write(space.rows);
    space.frame.start(space.rows, state);
    if (!network.elements.empty()) {
        RowOutcome& outcome = space.outcome;
        space.solver.solve(space.rows, state, h, settings, outcome);
        result.method = outcome.method;
        result.steps = outcome.log.steps;
        result.overBudget = outcome.overBudget;
        if (outcome.isUnbalanced) result.grade += TickGrade::of(GradeCause::Unbalanced);
        result.energyHandedOut = outcome.energyHandedOut;
        result.energyRepaired = outcome.energyRepaired;
        result.balance = outcome.balance;
        result.events.assign(outcome.log.events.begin(), outcome.log.events.end());
    }
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        result.bodies.push_back(space.frame.endOf(static_cast<int>(i), h, state.P, state.sigma));
    }
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        result.elements.push_back(
            elementTick(network.elements[e].law, state.s[k], state.v[k], state.z[k], state.P[k], state.heat[k]));
    }
}

// A line that shrinks to nothing turns round: its coordinate is no longer a straight one.
bool passedThroughZero(const FlowNetwork& network, const TickResult& tick) {
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        if (element.geometry == Geometry::AlongLine && tick.elements[e].s < element.s_small) {
            return true;
        }
    }
    return false;
}

/// Costs of a step, in steps of one element that moves straight.
constexpr double kTurningStepCost = 6;  // per body, element and row
/// Where little touches the exact method may follow the bodies with more than the budget of steps, which are dearer:
/// with more than twelve bodies and points by as much more. Of ten piles would take more than 10 ms ("most ticks of
/// piles that tumble fit into the budget"), without it rovers would not be exact ("wheels that slip").
/// Else it may take a share of it, more of it for machines and soft contacts; where bodies are many no more than the
/// implicit step would take: where much touches the exact method seldom comes through, and is no better then.
constexpr int kMachinesShare = 3, kRigidShare = 7;
/// Machines on joints, whose implicit ticks are wrong by millimetres, may take four times as much: legged ones land
/// with a dozen changes of what touches and stops. With half of it "a box on what tilts under it keeps its corners"
/// fails at 60 Hz, with twice as much no more of the quadruped's ticks are exact.
constexpr double kFollowedShare = 1.5, kFollowedMachine = 6, kFollowedParts = 12;
int contactSteps(const FlowNetwork& network, int maxSteps) {
    const auto isRigid = [](const FlowContact& contact) { return std::isinf(contact.stiffness); };
    const bool areRigid = std::all_of(network.contacts.begin(), network.contacts.end(), isRigid);
    const bool isMachine = !network.joints.empty() || !network.bounded.empty() || !areRigid;
    if (followsBodies(network)) {
        const double parts = std::max(static_cast<double>(price::partsOf(network)) / kFollowedParts, 1.);
        return static_cast<int>((network.joints.empty() ? kFollowedShare : kFollowedMachine) * parts * maxSteps);
    }
    long steps = maxSteps / (isMachine ? kMachinesShare : kRigidShare);
    if (network.bodies.size() > kFewBodies) {
        steps = std::min(steps, price::implicitTick(network, FlowSettings().fewestSubsteps) / price::kStep);
    }
    return std::max(static_cast<int>(steps), 1);
}
/// Of an element whose closed form counts them, beside those of the budget.
constexpr double kMostEvents = 2001;
double straightStepCost(const FlowNetwork& network) {
    return std::max(static_cast<double>(network.elements.size()), 1.);
}
double turningStepCost(const FlowNetwork& network) {
    return kTurningStepCost * static_cast<double>(network.bodies.size() + network.elements.size() +
                                                  network.joints.size() + network.bounded.size());
}

/// With the steps that the budget still has.
FlowSettings within(const FlowSettings& settings, double spent, double stepCost) {
    FlowSettings limited = settings;
    limited.maxSteps = static_cast<int>(std::clamp((settings.maxCost - spent) / stepCost, 1., 1. * settings.maxSteps));
    return limited;
}

/// Least FlowSettings::maxCost that would have done.
/// @param limited the settings that it was solved with @param steps of them that it needed
double leastCost(const FlowSettings& settings, const FlowSettings& limited, int steps, double spent, double stepCost) {
    const bool isLimit = steps >= limited.maxSteps && limited.maxSteps < settings.maxSteps;
    return isLimit ? settings.maxCost : std::min(settings.maxCost, spent + stepCost * (steps + 1.));
}

/// Where bodies go straight or turn, and nothing touches.
void solveApart(const FlowNetwork& network, double h, const FlowSettings& settings, OfPart& space, TickResult& result) {
    double before = 0;
    double leastBefore = 0, mostBefore = 0;
    const double turningCost = turningStepCost(network);
    if (network.joints.empty() && network.bounded.empty()) {
        space.frame.look(network);
        if (space.frame.isStraight(h)) {
            const double stepCost = straightStepCost(network);
            const FlowSettings limited = within(settings, 0, stepCost);
            solveStraight(network, h, limited, space, result);
            result.cost = stepCost * result.steps;
            const int steps = result.overBudget ? limited.maxSteps : result.steps;
            result.leastCost = leastCost(settings, limited, steps, 0, stepCost);
            mostBefore = stepCost * (limited.maxSteps + kMostEvents * static_cast<double>(network.elements.size()));
            result.mostCost = mostBefore;
            if (result.overBudget || !passedThroughZero(network, result)) return;
            before = result.cost;
            leastBefore = result.leastCost;
        }
    }
    clear(result);
    const FlowSettings limited = within(settings, before, turningCost);
    const int steps = solveRigid(network, h, limited, space.turning, result);
    result.cost = before + turningCost * result.steps;
    result.leastCost = std::max(leastBefore, leastCost(settings, limited, steps, before, turningCost));
    result.mostCost = mostBefore + turningCost * limited.maxSteps;
}

void solvePart(const FlowNetwork& network, double h, const FlowSettings& settings, double spent, OfPart& space,
               TickResult& result) {
    Pause pause(network);
    FlowSettings rest = settings;
    rest.maxCost = std::max(settings.maxCost - spent, 0.);
    if (!network.contacts.empty() || pause.isOn()) {
        clear(result);
        rest.maxSteps = contactSteps(network, settings.maxSteps);
        solveContacts(network, h, rest, pause, space.contacts, result);
        result.leastCost = std::min(result.leastCost + spent, settings.maxCost);
        return;
    }
    // The implicit step has a place in the budget, should it be needed.
    const double reserve = static_cast<double>(price::implicitTick(network, 1)) / price::kCost;
    rest.maxCost = std::max(rest.maxCost - reserve, 0.);
    solveApart(network, h, rest, space, result);
    result.leastCost = std::min(result.leastCost + spent + reserve, settings.maxCost);
    result.mostCost += reserve;
    if (!result.overBudget) {
        pause.note(true, h);
        for (ElementTick& element : result.elements) element.pause = pause.now();
        return;
    }
    const double cost = result.cost, least = result.leastCost, most = result.mostCost;
    const int steps = result.steps;
    clear(result);
    rest.maxCost = std::max(settings.maxCost - spent - cost, 0.);
    solveImplicitly(network, h, rest, pause, space.contacts, result);
    result.leastCost = std::min(std::max(least, spent + cost + result.leastCost), settings.maxCost);
    result.mostCost = most - reserve + result.mostCost;
    result.cost += cost;
    result.steps += steps;
}

void solve(const FlowNetwork& network, double h, const FlowSettings& settings, FlowWorkspace::Storage& space,
           TickResult& total) {
    space.parts.find(network);
    const std::size_t count = space.parts.isOne() ? 1 : space.parts.size();
    while (space.ofParts.size() < count) space.ofParts.push_back(std::make_unique<OfPart>());
    if (space.parts.isOne()) {
        solvePart(network, h, settings, 0, *space.ofParts[0], total);
        return;
    }
    clear(total);
    total.bodies.resize(network.bodies.size());
    total.elements.resize(network.elements.size());
    total.contacts.resize(network.contacts.size());
    total.bounded.resize(network.bounded.size());
    for (std::size_t i = 0; i < count; ++i) {
        OfPart& ofPart = *space.ofParts[i];
        extract(network, space.parts[i], ofPart.network);
        solvePart(ofPart.network, h, settings, total.cost, ofPart, ofPart.result);
        merge(space.parts[i], ofPart.result, total);
    }
}

/// By time, then by element; few are out of place, and std::stable_sort allocates.
void sort(std::vector<ContactEvent>& events) {
    const auto isEarlier = [](const ContactEvent& x, const ContactEvent& y) {
        return x.time < y.time || (x.time == y.time && x.element < y.element);
    };
    for (auto event = events.begin(); event != events.end(); ++event) {
        std::rotate(std::upper_bound(events.begin(), event, *event, isEarlier), event, event + 1);
    }
}

}  // namespace
}  // namespace flow

FlowWorkspace::FlowWorkspace() : m_storage(std::make_unique<Storage>()) {}
FlowWorkspace::FlowWorkspace(FlowWorkspace&&) noexcept = default;
FlowWorkspace& FlowWorkspace::operator=(FlowWorkspace&&) noexcept = default;
FlowWorkspace::~FlowWorkspace() = default;

namespace flow {
namespace {

void solveWithRows(const FlowNetwork& network, double h, const FlowSettings& settings, FlowWorkspace::Storage& space,
                   TickResult& result) {
    TickCache& steady = space.steady;
    const bool mayStand = !network.contacts.empty() && network.changes.empty();
    if (mayStand && steady.recall(network, h, settings, result)) return;
    flow::validate(network, h);
    solveInPieces(network, h, settings, space.moving, space.piece, result,
                  [&](const FlowNetwork& now, double length, const FlowSettings& rest, TickResult& piece) {
                      solve(now, length, rest, space, piece);
                  });
    sort(result.events);
    if (mayStand) steady.note(network, h, settings, result);
}

}  // namespace
}  // namespace flow

void solveTick(const FlowNetwork& network, double h, const FlowSettings& settings, FlowWorkspace& workspace,
               TickResult& result) {
    FlowWorkspace::Storage& space = *workspace.m_storage;
    if (!flow::hasFriction(network)) return flow::solveWithRows(network, h, settings, space, result);
    flow::validate(network, h);
    flow::addFrictionRows(network, h, space.withRows);
    flow::solveWithRows(space.withRows, h, settings, space, result);
    flow::takeFrictionRows(network, h, result);
}

TickResult solveTick(const FlowNetwork& network, double h, const FlowSettings& settings) {
    FlowWorkspace workspace;
    TickResult result;
    solveTick(network, h, settings, workspace, result);
    return result;
}

}  // namespace elasto
