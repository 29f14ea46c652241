#include "tree/tree_system.h"

#include "law/hybrid_law.h"
#include "tree/tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {
void TreeSystem::begin(const TreeNetwork& network, const FlowSettings& settings, double h) {
    m_network = &network;
    m_settings = settings;
    m_h = h;
    m_tolerance = settings.stepTolerance();
    placeTrees(network);
    placeElements(network);
    readStart(network);
    m_forces.resize(m_n);
    m_column.resize(m_n);
    m_inverseMasses.clear();
    m_needsScale = true;
    m_events.clear();
    m_evaluations = 0;
    m_steps.begin();
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        m_trees[i].place(m_start.data() + m_treePlaces[i]);
        m_trees[i].factorInertia();
    }
    choosePhases();
    m_bounded.begin(network.bounded, h);
    m_hold.rows.clear();
}

void TreeSystem::placeTrees(const TreeNetwork& network) {
    m_trees.resize(network.trees.size());
    m_treePlaces.clear();
    m_momentumPlaces.clear();
    m_n = 0;
    m_hasRest = false;
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        TreeModel& tree = m_trees[i];
        tree.bind(network.trees[i]);
        m_treePlaces.push_back(m_n);
        m_n += tree.size();
        m_hasRest |= !tree.hasSimpleLoads() || tree.hasFreeBase();
    }
}

/// Laws and coordinates of the elements, scales of the rotors, and the size of the state.
void TreeSystem::placeElements(const TreeNetwork& network) {
    m_laws.clear();
    m_coordinates.resize(network.elements.size());
    m_scales.setOnes(m_n);
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        const TreeModel& tree = m_trees[i];
        m_scales.segment(m_treePlaces[i] + tree.jointSize(), tree.size() - tree.jointSize()).setZero();
    }
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        m_laws.push_back(HybridLaw::from(network.elements[e].law));
        placeCoordinate(network.elements[e], m_coordinates[e]);
        // A rotor's speed counts by what it does to the joints behind its gear, whatever else acts on it alone.
        if (m_coordinates[e].terms.size() == 1) continue;
        double largest = 0;
        for (const PlacedTerm& term : m_coordinates[e].terms) largest = std::max(largest, std::abs(term.coefficient));
        for (const PlacedTerm& term : m_coordinates[e].terms) {
            m_scales[term.place] = std::max(m_scales[term.place], std::abs(term.coefficient) / largest);
        }
    }
    m_scales = (m_scales.array() == 0).select(1, m_scales);
    m_size = workPlace() + 2 + 2 * static_cast<Eigen::Index>(network.bounded.size());
    for (const TreeModel& tree : m_trees) {
        m_momentumPlaces.push_back(m_size);
        if (tree.hasFreeBase()) m_size += 9;
    }
}

void TreeSystem::readStart(const TreeNetwork& network) {
    m_start.setZero(m_size);
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        m_trees[i].readStart(m_start.data() + m_treePlaces[i], m_start.data() + m_n + m_treePlaces[i]);
    }
    m_speed = m_settings.velocityFloor;
    noteSpeed(m_start);
    for (std::size_t e = 0; e < elementCount(); ++e) {
        m_start[2 * m_n + static_cast<Eigen::Index>(e)] = network.elements[e].s_damper;
    }
}

/// Phases of the elements at the start.
void TreeSystem::choosePhases() {
    m_phases.resize(elementCount());
    m_seen.resize(elementCount());
    m_hasActed = false;
    bool hasAccelerations = false;
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const double position = s(e, m_start);
        const double rate = v(e, m_start);
        double a = 0;
        const double slipped = m_laws[e].isLimited() ? damperLength(e, m_start) : 0;
        const bool isOnEdge = position == m_laws[e].edgeLow || position == m_laws[e].edgeHigh + slipped;
        if (m_laws[e].kind == HybridLaw::Kind::Contact && isOnEdge && rate == 0) {
            // Whether it touches or leaves: the acceleration without the elements decides.
            if (!hasAccelerations) {
                m_forces.setZero();
                accelerate(0, m_start, m_forces.data(), m_column.data(), nullptr);
            }
            hasAccelerations = true;
            a = m_coordinates[e].rate(m_column.data());
        }
        m_phases[e] = classify(m_laws[e], position, rate, a, damperLength(e, m_start));
        m_hasActed |= m_phases[e].inContact() && !m_laws[e].neverActs();
        m_seen[e] = m_laws[e].neverActs()
                        ? Seen::Neither
                        : seenOf(m_network->elements[e].law, position, rate, damperLength(e, m_start));
        // On its edge it is seen apart, and goes in from there.
        if (m_seen[e] == Seen::Apart && m_phases[e].inContact()) {
            m_events.push_back({static_cast<int>(e), true, 0, std::abs(rate)});
        }
    }
    startPhases();
}

void TreeSystem::placeCoordinate(const TreeCoordinate& coordinate, PlacedCoordinate& placed) const {
    placed.offset = coordinate.offset;
    placed.terms.clear();
    for (const TreeTerm& term : coordinate.terms) {
        const auto tree = static_cast<std::size_t>(term.tree);
        const Eigen::Index place = term.kind == TreeTerm::Kind::Rotor
                                       ? rotorPlace(tree, static_cast<std::size_t>(term.index))
                                       : m_treePlaces[tree] + m_trees[tree].coordinateOf(term.index);
        placed.terms.push_back({place, term.coefficient});
    }
}

void TreeSystem::noteSpeed(const Eigen::VectorXd& y) {
    const double* velocity = y.data() + m_n;
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        // How fast a free base flies says nothing about the tree.
        const Eigen::Index first = m_treePlaces[i] + (m_trees[i].hasFreeBase() ? 3 : 0);
        const Eigen::Index end = m_treePlaces[i] + m_trees[i].size();
        for (Eigen::Index k = first; k < end; ++k) m_speed = std::max(m_speed, m_scales[k] * std::abs(velocity[k]));
    }
}

/// Accelerations under given generalised forces besides the loads. @param rest where not null: rates of the quadratures
/// that belong to the loads, from workPlace() on
void TreeSystem::accelerate(double t, const Eigen::VectorXd& y, const double* forces, double* acceleration,
                            double* rest) {
    ++m_evaluations;
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        TreeModel& tree = m_trees[i];
        const Eigen::Index at = m_treePlaces[i];
        tree.place(y.data() + at);
        tree.factorInertia();
        moveTree(i, t, y, forces, acceleration, rest);
    }
}

void TreeSystem::moveTree(std::size_t i, double t, const Eigen::VectorXd& y, const double* forces, double* acceleration,
                          double* rest) {
    TreeModel& tree = m_trees[i];
    const Eigen::Index at = m_treePlaces[i];
    tree.move(y.data() + m_n + at);
    TreeLoadRates rates;
    const bool needsRates = rest != nullptr && (tree.hasFreeBase() || !tree.hasSimpleLoads());
    tree.drive(t, acceleration + at, needsRates ? &rates : nullptr);
    for (Eigen::Index k = at; k < at + tree.size(); ++k) acceleration[k] += forces[k];
    tree.solve(acceleration + at);
    if (!needsRates) return;
    rest[0] += rates.work;
    if (!tree.hasFreeBase()) return;
    const Eigen::Index place = m_momentumPlaces[i] - workPlace();
    Eigen::Map<Eigen::Vector3d>(rest + place) = rates.force.eigen();
    Eigen::Map<Eigen::Vector3d>(rest + place + 3) = rates.moment.eigen();
    Eigen::Map<Eigen::Vector3d>(rest + place + 6) = y.segment<3>(m_momentumPlaces[i]) / tree.mass();
}

void TreeSystem::positionRates(const Eigen::VectorXd& y, Eigen::VectorXd& dydt) const {
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        const Eigen::Index at = m_treePlaces[i];
        m_trees[i].rates(y.data() + at, y.data() + m_n + at, dydt.data() + at);
    }
}

void TreeSystem::evaluate(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) {
    dydt.resize(m_size);
    m_forces.setZero();
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const double f = elementRates(e, y, dydt);
        if (f != 0) m_coordinates[e].addForce(-f, m_forces.data());
    }
    double* rest = dydt.data() + workPlace();
    std::fill(rest, dydt.data() + m_size, 0);
    addPushes(t, y, m_forces.data());
    accelerate(t, y, m_forces.data(), dydt.data() + m_n, m_hasRest ? rest : nullptr);
    if (!m_bounded.held().empty()) keepHeld(dydt.data() + m_n);
    addBoundedRates(t, y, rest);
    positionRates(y, dydt);
    if (m_needsScale) {
        // What is at rest still has a speed to be measured by: a share of what the tick gives it.
        constexpr double kShare = 0.1;
        m_needsScale = false;
        for (std::size_t i = 0; i < m_trees.size(); ++i) {
            const Eigen::Index first = m_treePlaces[i] + (m_trees[i].hasFreeBase() ? 3 : 0);
            const Eigen::Index end = m_treePlaces[i] + m_trees[i].jointSize();
            for (Eigen::Index k = first; k < end; ++k) {
                m_speed = std::max(m_speed, kShare * m_h * std::abs(dydt[m_n + k]));
            }
        }
    }
}

double TreeSystem::kineticEnergy(const Eigen::VectorXd& y) {
    double sum = 0;
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        TreeModel& tree = m_trees[i];
        tree.place(y.data() + m_treePlaces[i]);
        tree.move(y.data() + m_n + m_treePlaces[i]);
        sum += tree.kineticEnergy();
    }
    return sum;
}

double TreeSystem::energy(const Eigen::VectorXd& y) {
    double sum = kineticEnergy(y);
    for (std::size_t e = 0; e < elementCount(); ++e) {
        sum += storedEnergy(m_network->elements[e].law, s(e, y), innerStateOf(e, y));
    }
    return sum;
}

/// How readily forces along the elements move them. Configurations change little within a tick.
void TreeSystem::findInverseMasses() {
    if (!m_inverseMasses.empty()) return;
    for (const PlacedCoordinate& coordinate : m_coordinates) {
        respond(coordinate, m_column.data());
        m_inverseMasses.push_back(coordinate.rate(m_column.data()));
    }
}

/// Accelerations by a unit force along a coordinate.
void TreeSystem::respond(const PlacedCoordinate& coordinate, double* acceleration) const {
    std::fill(acceleration, acceleration + m_n, 0);
    coordinate.addForce(1, acceleration);
    for (std::size_t i = 0; i < m_trees.size(); ++i) m_trees[i].solve(acceleration + m_treePlaces[i]);
}

bool TreeSystem::isStiff() {
    for (std::size_t e = 0; e < elementCount(); ++e) {
        if (!m_phases[e].inContact()) continue;
        findInverseMasses();
        const double W = m_inverseMasses[e];
        if (isStronglyDamped(m_laws[e], m_phases[e], W, m_h, m_settings.strongDamping)) return true;
        if (m_h * std::sqrt(m_laws[e].c * W) > kExplicitReach * m_settings.maxSteps) return true;
    }
    return false;
}

double TreeSystem::errorNorm(const Eigen::VectorXd& error, const Eigen::VectorXd& /*y*/, double /*dt*/) const {
    double speed = 0;
    double displacement = 0;
    for (Eigen::Index k = 0; k < m_n; ++k) {
        displacement = std::max(displacement, m_scales[k] * std::abs(error[k]));
        speed = std::max(speed, m_scales[k] * std::abs(error[m_n + k]));
    }
    for (std::size_t e = 0; e < elementCount(); ++e) {
        displacement = std::max(displacement, std::abs(error[2 * m_n + static_cast<Eigen::Index>(e)]));
    }
    const double norm = std::max(speed, displacement / m_h) / (m_tolerance * m_speed);
    return std::isfinite(error.sum()) ? norm : std::numeric_limits<double>::quiet_NaN();
}

double TreeSystem::firstStep(double t, const Eigen::VectorXd& /*y*/) const {
    double fastest = 0;  // squared angular frequency
    for (std::size_t e = 0; e < m_inverseMasses.size(); ++e) {
        if (!m_phases[e].inContact()) continue;
        const double W = m_inverseMasses[e];
        const double rate = m_laws[e].damping(m_phases[e].side) * W;
        fastest = std::max({fastest, m_laws[e].c * W, m_steps.isImplicit() ? 0 : rate * rate});
    }
    if (m_steps.isImplicit()) return t > 0 && fastest > 0 ? 1 / std::sqrt(fastest) : kFirstImplicit * m_h;
    return fastest > 0 ? 0.1 / std::sqrt(fastest) : std::numeric_limits<double>::infinity();
}

void TreeSystem::crossEvent(int i, double t, Eigen::VectorXd& y) {
    const auto own = static_cast<std::size_t>(i);
    if (own >= m_exits.size()) {
        m_bounded.cross(*this, own - m_exits.size(), t, y);
        m_steps.begun([&] { return isStiff(); });
        return;
    }
    m_bounded.forgetForces();
    const PendingExit pending = m_exits[static_cast<std::size_t>(i)];
    Phase& phase = m_phases[pending.element];
    const bool was = phase.inContact();
    phase = entered(m_laws[pending.element], phase, pending.exit.next, s(pending.element, y));
    if (phase.inContact() != was) {
        m_events.push_back({static_cast<int>(pending.element), phase.inContact(), t, std::abs(v(pending.element, y))});
        m_hasActed = true;
        findInverseMasses();  // firstStep() wants them
        m_steps.begun([&] { return phase.inContact() && isStiff(); });
    }
    startPhases();
}

bool TreeSystem::stepAccepted(double /*t*/, Eigen::VectorXd& y) {
    noteSpeed(y);
    m_bounded.stepAccepted();
    bool hasChanged = false;
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        const Eigen::Index at = m_treePlaces[i];
        const auto isLarge = [&](Eigen::Index place) { return y.segment<3>(at + place).norm() > kTreeLargestTurn; };
        const auto& rotations = m_trees[i].rotations();
        if (!std::any_of(rotations.begin(), rotations.end(), isLarge)) continue;
        m_trees[i].restartRotations(y.data() + at);
        hasChanged = true;
    }
    return hasChanged;
}

}  // namespace elasto::flow
