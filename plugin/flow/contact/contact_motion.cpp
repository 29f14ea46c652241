#include "contact/contact_motion.h"

#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "constraints/held_rows.h"
#include "contact/tuning.h"
#include "numerics/cost_model.h"
#include "numerics/elementary.h"
#include "numerics/largest.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

namespace {

constexpr Eigen::Index kContactSums = 7, kReactionSums = 9;

Eigen::Vector3d rotationBetween(const Eigen::Quaterniond& from, const Eigen::Quaterniond& to) {
    const Eigen::AngleAxisd turn(to * from.conjugate());
    return turn.angle() * turn.axis();
}

}  // namespace

void ContactMotion::begin(ContactProblem& problem, const ContactModes& modes, SlowSlip& slow, double largestForce,
                          const ContactState& start, double h, const FlowSettings& settings, long work) {
    m_problem = &problem;
    m_modes = &modes;
    m_slow = &slow;
    m_settings = settings;
    m_h = h;
    m_work = 0;
    m_mostWork = work;
    m_workBefore = rowWork();
    m_isOver = false;
    m_events.clear();
    m_at = -1;
    m_energy = energy(network()) + loadEnergy(network(), h);
    m_reactions = reactionCount(network());
    const std::size_t laws = problem.laws().size();
    m_carried.clear();
    for (std::size_t e = 0; e < network().elements.size(); ++e) {
        if (problem.isCarried(e)) m_carried.push_back(e);
    }
    m_rotors = spinningRotors(network());
    startBodies(start);
    for (std::size_t k = 0; k < m_carried.size(); ++k) {
        const FlowElement& element = network().elements[m_carried[k]];
        m_start[carrierIndex(k)] = carrierTurn(element.geared, flow::motionOf(network(), element.a), element.axis);
    }
    m_phases.resize(laws);
    std::vector<Vector6>& free = m_free;
    problem.freeWithElements(start, free);
    for (std::size_t e = 0; e < laws; ++e) {
        m_start[zIndex(e)] = start.z[static_cast<Eigen::Index>(e)];
        m_phases[e] = problem.phaseOf(e, start, problem.elementRate(e, free));
    }
    const ContactFrame& frame = problem.frame();
    const std::vector<Patch>& patches = frame.patches();
    m_rolls.assign(patches.size(), Eigen::Vector3d::Zero());
    m_slow->noteDirections(frame);
    for (std::size_t p = 0; p < patches.size() && frame.resistsTurning(); ++p) m_rolls[p] = frame.rollDirection(p);
    m_rest = std::max(kRest * problem.speed(h, start), kLeastRest);
    m_weights.assign(network().contacts.size(), 0);
    const long before = rowWork();
    goTo(0, m_start);
    findForces();
    m_rowWork = rowWork() - before;
    noteSpeeds();
    double response = 0;
    for (std::size_t i = 0; i < modes.bears.size(); ++i) {
        if (modes.bears[i]) response = std::max(response, responseOf(frame.normalOf(i)));
    }
    m_responses.clear();
    for (std::size_t e = 0; e < laws && !m_trees.empty(); ++e) {
        const ElementRow& row = problem.elementRow(e);
        m_responses.push_back(m_reduced.response(row.own) + (row.isGeared ? m_reduced.response(row.second) : 0));
    }
    m_nothing =
        kNoEndForce * std::max(largestForce, largestOf(m_rowForces)) + (response > 0 ? m_rest / (h * response) : 0);
    noteWeights();
    m_parts.clear();
    for (const FlowContact& contact : network().contacts) {
        m_parts.push_back(contact.isRoundOnBox() ? nearestPart(contact, m_bodies.at(contact.a), m_bodies.at(contact.b))
                                                 : BoxPart());
    }
    findEnds();
    for (Ending& end : m_ends) {
        if (!isGap(end) && end.kind != Ending::Kind::Exit) end.floor = std::min(rawValue(end), 0.);
    }
}

/// Where the bodies start, and which of them joints give coordinates to.
void ContactMotion::startBodies(const ContactState& start) {
    m_trees.find(network());
    if (m_trees.apart() > kTreeApart) m_trees.clear();
    m_movable = 0;
    m_slots.clear();
    double spin = 0;
    for (std::size_t i = 0; i < network().bodies.size(); ++i) {
        const bool isMovable = !network().bodies[i].isImmovable();
        m_slots.push_back(isMovable && !m_trees.has(static_cast<int>(i)) ? m_movable++ : -1);
        if (isMovable) spin = std::max(spin, start.u[i].tail<3>().norm());
    }
    m_longestStep = spin * m_h > kSeenTurn ? kSeenTurn / spin : std::numeric_limits<double>::infinity();
    m_u = start.u;
    m_start.setZero(size());
    m_trees.start(start.u, m_start.data());
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] < 0) continue;
        const FlowBody& body = network().bodies[i];
        const Eigen::Index at = bodyIndex(m_slots[i]);
        m_start.segment<3>(at) = body.position;
        m_start.segment<4>(at + 3) = body.orientation.coeffs();
        m_start.segment<6>(at + 7) = start.u[i];
    }
}

double ContactMotion::responseOf(std::size_t row) const {
    ContactFrame& frame = m_problem->frame();
    return m_trees.empty() ? frame.factor().response(row) : m_reduced.response(row);
}

long ContactMotion::stepWork() const {
    return kEvaluations * (m_rowWork + 2 * price::kFollow * price::partsOf(network()));
}

Eigen::Index ContactMotion::sumCount() const {
    const FlowNetwork& all = network();
    return 2 * count(m_problem->laws()) + 2 + kContactSums * count(all.contacts) + count(all.bounded) +
           kReactionSums * static_cast<Eigen::Index>(m_reactions);
}

/// Places the problem where a state has its bodies.
void ContactMotion::goTo(double t, const Eigen::VectorXd& y) const {
    const auto state = y.head(eventStateSize());
    if (m_at == t && m_there.size() == state.size() && m_there == state) return;
    m_at = t;
    m_there = state;
    m_hasForces = false;
    m_work += price::kFollow * price::partsOf(network());
    const std::vector<FlowBody>& bodies = network().bodies;
    m_bodies.resize(bodies.size());
    m_trees.place(y.data(), m_bodies, m_u);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (m_trees.has(static_cast<int>(i))) continue;
        Motion motion;
        if (m_slots[i] < 0) {
            motion = Motion::of(bodies[i]);
            motion.x += t * motion.v;
            motion.q = turned(motion.q, t * motion.w);
        } else {
            const Eigen::Index at = bodyIndex(m_slots[i]);
            motion.x = y.segment<3>(at);
            motion.q.coeffs() = y.segment<4>(at + 3).normalized();
            motion.v = y.segment<3>(at + 7);
            motion.w = y.segment<3>(at + 10);
            m_u[i] << motion.v, motion.w;
        }
        m_bodies.set(bodies[i], i, motion);
    }
    m_carriers.resize(m_carried.size());
    for (std::size_t k = 0; k < m_carried.size(); ++k) m_carriers[k] = y[carrierIndex(k)];
    m_spins.clear();
    for (const FlowBody& body : bodies) m_spins.push_back(body.spinMomentum);
    spinCarriers(
        m_rotors, [&](std::size_t body) -> const Eigen::Vector3d& { return m_bodies.motions[body].w; },
        [&](std::size_t body) -> Eigen::Vector3d& { return m_spins[body]; });
    m_problem->follow(m_bodies, t, m_spins, m_carriers, m_trees.empty() ? nullptr : &m_trees);
    turnFriction();
}

/// All bodies and rows for themselves where the problem stands.
void ContactMotion::leaveTrees(double t) {
    if (m_trees.empty()) return;
    for (std::size_t i = 0; i < network().bodies.size(); ++i) {
        if (m_trees.has(static_cast<int>(i))) m_bodies.turn(network().bodies[i], i);
    }
    m_problem->follow(m_bodies, t, m_spins, m_carriers);
    turnFriction();
    rowModes(m_problem->frame(), *m_modes, m_rows);
    m_isLost = m_isLost || !m_problem->frame().factor().factor(m_rows);
    m_at = -1;
}

void ContactMotion::turnFriction() const {
    ContactFrame& frame = m_problem->frame();
    m_slow->turn(frame, *m_modes, m_u);
    for (std::size_t p = 0; p < frame.patches().size(); ++p) {
        const Patch& patch = frame.patches()[p];
        if (!frame.resistsTurning() || !patch.resistsTurning() || m_modes->rolling[p] != Friction::Slips) continue;
        const Eigen::Vector3d along = m_rolls[p] - patch.normal * patch.normal.dot(m_rolls[p]);
        const Eigen::Vector3d last = along.isZero(0) ? along : Eigen::Vector3d(along.normalized());
        frame.setRollDirection(p, SlowSlip::directionOf(frame.rollVelocity(p, m_u), last, m_rest));
    }
}

/// Where the problem stands.
class ContactMotion::InModes final : public ForcesInModes {
public:
    explicit InModes(const ContactMotion& motion) : m_motion(motion) {}
    bool solve(ContactModes& modes) override {
        m_motion.findForces(modes);
        return !m_motion.m_isLost;
    }
    const std::vector<double>& forces() const override { return m_motion.m_rowForces; }
    double acceleration(std::size_t row) const override { return m_motion.acceleration(row); }

private:
    const ContactMotion& m_motion;
};

/// Finds where what hardly slips is driven. @return whether friction acts elsewhere then
bool ContactMotion::driveSlow(double t, const Eigen::VectorXd& y) {
    if (!m_slow->isAny()) return false;
    goTo(t, y);
    InModes in(*this);
    m_slow->drive(m_problem->frame(), *m_modes, in);
    m_at = -1;
    return true;
}

double ContactMotion::elementForce(std::size_t e) const {
    return forceInPhase(m_problem->laws()[e], m_phases[e], m_problem->elementCoordinate(e),
                        m_problem->elementRate(e, m_u), m_there[zIndex(e)]);
}

/// Accelerations, and the forces of the rows, where the problem stands.
void ContactMotion::findForces() const {
    if (m_hasForces) return;
    m_hasForces = true;
    findForces(*m_modes);
}

/// The same in other modes.
void ContactMotion::findForces(const ContactModes& modes) const {
    m_work += price::kFollow * price::partsOf(network());
    ContactFrame& frame = m_problem->frame();
    m_problem->load(0, 0, m_free);
    m_soft.assign(frame.rowCount(), 0);
    m_elementForces.clear();
    for (std::size_t e = 0; e < m_problem->laws().size(); ++e) {
        const double force = elementForce(e);
        m_elementForces.push_back(force);
        if (force != 0) m_problem->addElement(e, force, m_free);
        if (m_problem->contactOf(e) < 0) continue;
        const auto contact = static_cast<std::size_t>(m_problem->contactOf(e));
        const double pressure = m_phases[e].inContact() ? std::max(0., -force) : 0;
        m_soft[frame.normalOf(contact)] = pressure;
        if (pressure > 0) addSoftFriction(frame, modes, contact, pressure, m_free, m_soft);
    }
    addPushes(frame, modes, m_free);
    if (!m_trees.empty()) m_reduced.drive(frame, network(), m_trees, m_at, m_free);
    rowModes(frame, modes, m_rows);
    m_isLost = !(m_trees.empty() ? frame.factor().factor(m_rows) : m_reduced.factor(m_rows));
    m_rowForces.assign(frame.rowCount(), 0);
    m_change.assign(m_u.size(), Vector6::Zero());
    if (m_isLost) return;
    frame.gammas(m_u, m_gammas);
    if (m_trees.empty()) {
        m_wanted.clear();
        for (std::size_t r = 0; r < m_gammas.size(); ++r) m_wanted.push_back(-(m_gammas[r] + frame.rate(r, m_free)));
        frame.factor().solve(m_wanted, m_rowForces, m_change);
    } else {
        m_reduced.solve(m_gammas, m_rowForces, m_change);
    }
    for (std::size_t k = 0; k < modes.bounded.size(); ++k) {
        m_rowForces[frame.boundedOf(k)] += pushOf(network().bounded[k], modes.bounded[k]);
    }
    for (std::size_t r = 0; r < m_soft.size(); ++r) m_rowForces[r] += m_soft[r];
}

/// Of a row that is not held, under those forces.
double ContactMotion::acceleration(std::size_t row) const {
    const ContactFrame& frame = m_problem->frame();
    const double own = m_trees.empty() ? frame.rate(row, m_free) + frame.rate(row, m_change)
                                       : m_reduced.acceleration(frame.row(row), m_change);
    return own + m_gammas[row];
}

void ContactMotion::derivative(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) {
    // Where the work has ended no step is good any more, and none is looked at.
    const bool hasEnded = isSpent();
    if (!hasEnded) {
        goTo(t, y);
        findForces();
    }
    dydt.setZero(size());
    if (hasEnded || m_isLost) {
        dydt.setConstant(std::numeric_limits<double>::quiet_NaN());
        return;
    }
    ContactState& sums = m_sums;
    const auto laws = count(m_problem->laws());
    sums.u = m_u;
    sums.P.setZero(laws);
    sums.heat.setZero(laws);
    sums.contacts.assign(network().contacts.size(), {});
    sums.bounded.assign(network().bounded.size(), 0);
    sums.reactions.assign(m_reactions, {});
    sums.work = sums.driveWork = 0;
    m_trees.rates(dydt.data());
    if (!m_trees.empty()) dydt.segment(m_trees.coordinates(), m_trees.coordinates()) = m_reduced.accelerations();
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        const FlowBody& body = network().bodies[i];
        if (body.isImmovable()) continue;
        const Motion& motion = m_bodies.motions[i];
        const Eigen::Vector3d& w = motion.w;
        if (m_slots[i] >= 0) {
            const Eigen::Index at = bodyIndex(m_slots[i]);
            dydt.segment<3>(at) = motion.v;
            dydt.segment<4>(at + 3) = 0.5 * (Eigen::Quaterniond(0, w[0], w[1], w[2]) * motion.q).coeffs();
            dydt.segment<6>(at + 7) = m_free[i] + m_change[i];
        }
        const Eigen::Vector3d force = body.force.value(t), torque = body.torque.value(t);
        for (int k = 0; k < 3; ++k) {
            const bool isCounted = !body.force.isConstant() && body.inverseMass * body.linearFactor[k] > 0;
            sums.work += isCounted ? force[k] * motion.v[k] : 0;
            sums.work += body.angularFactor[k] > 0 ? torque[k] * w[k] : 0;
        }
        sums.work += lockingPower(body, m_bodies.turns[i], w);
    }
    for (std::size_t e = 0; e < m_problem->laws().size(); ++e) {
        const HybridLaw& law = m_problem->laws()[e];
        const double f = m_elementForces[e];
        const double v = m_problem->elementRate(e, m_u);
        m_problem->countElement(e, f, sums);
        double& heat = sums.heat[static_cast<Eigen::Index>(e)];
        if (law.kind == HybridLaw::Kind::Series) {
            dydt[zIndex(e)] = damperRate(law, f);
            heat = f * dydt[zIndex(e)];
        } else {
            heat = (f - springForceInPhase(law, m_phases[e], m_problem->elementCoordinate(e))) * v;
        }
    }
    for (std::size_t k = 0; k < m_carried.size(); ++k) {
        const FlowElement& element = network().elements[m_carried[k]];
        const Motion& carrier = m_bodies.at(element.a);
        dydt[carrierIndex(k)] = carrier.w.dot(carrier.q * element.axis);
    }
    m_problem->countRows(m_rowForces, sums);
    countTreeReactions(sums);
    for (std::size_t k = 0; k < m_modes->bounded.size(); ++k) {
        const BoundedRow& row = network().bounded[k];
        if (!isMotor(row)) continue;
        const std::size_t index = m_problem->frame().boundedOf(k);
        m_problem->countMotor(m_rowForces[index] * m_problem->frame().rate(index, m_u), sums);
    }
    packSums(sums, dydt.tail(sumCount()));
    noteEnds();
}

/// Those of joints whose rows nobody holds.
void ContactMotion::countTreeReactions(ContactState& sums) const {
    if (m_trees.empty() || sums.reactions.empty()) return;
    ContactFrame& frame = m_problem->frame();
    std::vector<Vector6>& pushes = m_pushes;
    pushes = m_free;
    for (std::size_t r = 0; r < m_rows.size(); ++r) {
        // Pushes of motors, and friction on soft contacts, are among the others.
        if (m_rows[r].isHeld || m_rows[r].rides >= 0) frame.push(r, m_rowForces[r] - m_soft[r], pushes);
    }
    m_trees.countReactions(m_at, m_reduced.accelerations().data(), pushes, sums.reactions);
}

void ContactMotion::packSums(const ContactState& sums, Eigen::Ref<Eigen::VectorXd> to) const {
    const auto laws = count(m_problem->laws());
    to.head(laws) = sums.P;
    to.segment(laws, laws) = sums.heat;
    Eigen::Index at = 2 * laws;
    to[at++] = sums.work;
    to[at++] = sums.driveWork;
    for (const ContactTick& contact : sums.contacts) {
        to[at] = contact.impulse;
        to.segment<3>(at + 1) = contact.frictionImpulse;
        to.segment<3>(at + 4) = contact.frictionTorque;
        at += kContactSums;
    }
    for (const double impulse : sums.bounded) to[at++] = impulse;
    for (const Reaction& reaction : sums.reactions) {
        to.segment<3>(at) = reaction.linear;
        to.segment<3>(at + 3) = reaction.angularA;
        to.segment<3>(at + 6) = reaction.angularB;
        at += kReactionSums;
    }
}

void ContactMotion::unpackSums(Eigen::Ref<const Eigen::VectorXd> from, ContactState& sums) const {
    const auto laws = count(m_problem->laws());
    sums.P += from.head(laws);
    sums.heat += from.segment(laws, laws);
    Eigen::Index at = 2 * laws;
    sums.work += from[at++];
    sums.driveWork += from[at++];
    for (ContactTick& contact : sums.contacts) {
        contact.impulse += from[at];
        contact.frictionImpulse += from.segment<3>(at + 1);
        contact.frictionTorque += from.segment<3>(at + 4);
        at += kContactSums;
    }
    for (double& impulse : sums.bounded) impulse += from[at++];
    for (Reaction& reaction : sums.reactions) {
        reaction.linear += from.segment<3>(at);
        reaction.angularA += from.segment<3>(at + 3);
        reaction.angularB += from.segment<3>(at + 6);
        at += kReactionSums;
    }
}

/// What held rows ask for, as a change of the bodies' poses or velocities.
/// @return false if it is larger than what they have done, and out of proportion
bool ContactMotion::findChange(const std::vector<double>& wanted, double done) {
    double missing = 0;
    for (std::size_t r = 0; r < wanted.size(); ++r) {
        if (m_rows[r].isHeld) missing = std::max(missing, std::abs(wanted[r]));
    }
    m_soft.assign(wanted.size(), 0);
    m_problem->frame().factor().solve(wanted, m_soft, m_change);
    return largestOf(m_change) <= std::max(done, kMostLever * missing);
}

/// Rotors are where poses tell what was followed: their own turn is counted from nowhere.
void ContactMotion::turnCarriedRotors(FlowNetwork& end) const {
    std::vector<int>& turned = m_turned;
    turned.clear();
    for (std::size_t k = 0; k < m_carried.size(); ++k) {
        const FlowElement& element = end.elements[m_carried[k]];
        const int body = element.geared.b;
        if (body == kWorld || std::find(turned.begin(), turned.end(), body) != turned.end()) continue;
        turned.push_back(body);
        const double told = carrierTurn(element.geared, flow::motionOf(end, element.a), element.axis);
        FlowBody& rotor = end.bodies[static_cast<std::size_t>(body)];
        const double ahead = element.geared.carried * (told - m_carriers[k]);
        if (element.geared.geometry == Geometry::AboutAxis) {
            rotor.orientation = flow::turned(rotor.orientation, ahead * element.geared.axis);
        } else {
            rotor.position += ahead * element.geared.axis;
        }
    }
}

bool ContactMotion::readEnd(double t, const Eigen::VectorXd& y, ContactState& state, FlowNetwork& end) {
    const FlowNetwork& start = network();
    goTo(t, y);
    findForces();
    leaveTrees(t);
    ContactFrame& frame = m_problem->frame();
    std::vector<double>& wanted = m_wanted;
    wanted.assign(frame.rowCount(), 0);
    for (std::size_t k = 0; k < start.joints.size(); ++k) {
        if (m_trees.holds(k)) continue;  // trees have closed them
        const HeldRow& joint = start.joints[k];
        wanted[k] = measureHeld(joint, flow::motionOf(start, joint.a), flow::motionOf(start, joint.b)).value -
                    measureHeld(joint, m_bodies.at(joint.a), m_bodies.at(joint.b)).value;
    }
    for (std::size_t k = 0; k < m_modes->bounded.size(); ++k) {
        if (m_modes->bounded[k] != BoundedPhase::Held || isMotor(start.bounded[k])) continue;
        wanted[frame.boundedOf(k)] = boundedRowOf(start, k).s - frame.coordinate(k);
    }
    for (std::size_t i = 0; i < start.contacts.size(); ++i) {
        if (!m_modes->bears[i] || frame.isSoft(i)) continue;
        wanted[frame.normalOf(i)] = m_problem->gap(i, state.displacement) - frame.measure(i).gap;
    }
    end = start;
    for (std::size_t i = 0; i < end.bodies.size(); ++i) {
        FlowBody& body = end.bodies[i];
        body.position = m_bodies.motions[i].x;
        body.orientation = m_bodies.motions[i].q;
    }
    if (!m_isLost) {
        double way = 0;
        for (std::size_t i = 0; i < end.bodies.size(); ++i) {
            way = std::max(way, (end.bodies[i].position - start.bodies[i].position).norm());
        }
        if (!findChange(wanted, way)) return false;
        moveBodies(end, m_change, 1);
        frame.rates(m_u, true, wanted);
        for (double& w : wanted) w = -w;
        if (!findChange(wanted, largestOf(m_u))) return false;
        for (std::size_t i = 0; i < m_u.size(); ++i) m_u[i] += m_change[i];
    }
    turnCarriedRotors(end);
    state.u = m_u;
    state.t = t;
    for (std::size_t i = 0; i < end.bodies.size(); ++i) {
        FlowBody& body = end.bodies[i];
        body.velocity = m_u[i].head<3>();
        body.angularVelocity = m_u[i].tail<3>();
        state.displacement[i] << body.position - start.bodies[i].position,
            rotationBetween(start.bodies[i].orientation, body.orientation);
        if (body.isImmovable() || !body.force.isConstant()) continue;
        state.work += forceWork(body, body.position - start.bodies[i].position);
    }
    unpackSums(y.tail(sumCount()), state);
    state.events = m_events;
    for (std::size_t e = 0; e < start.elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        FlowElement& element = end.elements[e];
        m_problem->turns(e).keepIn(element);
        state.s[k] = m_problem->elementCoordinate(e);
        state.z[k] = element.s_damper = innerState(m_problem->laws()[e], m_phases[e], state.s[k], y[zIndex(e)]);
        state.heat[k] = std::max(state.heat[k], 0.);  // no law gives any back: less than none is an error of steps
    }
    for (std::size_t k = 0; k < start.bounded.size(); ++k) frame.turns(k).keepIn(end.bounded[k]);
    return true;
}

double ContactMotion::errorNorm(const Eigen::VectorXd& error, const Eigen::VectorXd& y, double /*dt*/) const {
    double speed = std::max(m_settings.velocityFloor, m_treeSpeed);
    double spin = std::max(m_settings.velocityFloor, m_treeSpin);
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] < 0) continue;
        const Eigen::Index at = bodyIndex(m_slots[i]);
        const FlowBody& body = network().bodies[i];
        speed = std::max({speed, y.segment<3>(at + 7).norm(),
                          kLoadedShare * m_h * linearResponse(body, body.force.constant).norm()});
        spin = std::max(spin, y.segment<3>(at + 10).norm());
    }
    const double tolerance = kMotionLooseness * m_settings.stepTolerance();
    double largest = treeError(error, speed, spin, tolerance);
    for (const Eigen::Index slot : m_slots) {
        if (slot < 0) continue;
        const Eigen::Index at = bodyIndex(slot);
        largest = std::max({largest, error.segment<3>(at + 7).norm() / (tolerance * speed),
                            error.segment<3>(at + 10).norm() / (tolerance * spin),
                            error.segment<3>(at).norm() / (tolerance * speed * m_h),
                            error.segment<4>(at + 3).norm() / (tolerance * std::min(1., spin * m_h))});
    }
    const Eigen::Index laws = count(m_problem->laws()), sums = eventStateSize();
    const double inPlay = std::max(m_energy, energyAt(network(), m_settings.velocityFloor));
    for (std::size_t k = 0; k < m_carried.size(); ++k) {
        largest = std::max(largest, std::abs(error[carrierIndex(k)]) / (tolerance * std::min(1., spin * m_h)));
    }
    for (Eigen::Index e = 0; e < laws; ++e) {
        largest = std::max({largest, std::abs(error[zIndex(0) + e]) / (tolerance * speed * m_h),
                            std::abs(error[sums + laws + e]) / (tolerance * inPlay)});
    }
    return std::isfinite(error.sum()) ? largest : std::numeric_limits<double>::quiet_NaN();
}

/// Of the trees' coordinates, as errorNorm.
double ContactMotion::treeError(const Eigen::VectorXd& error, double speed, double spin, double tolerance) const {
    double largest = 0;
    const Eigen::Index n = m_trees.coordinates();
    for (Eigen::Index k = 0; k < n; ++k) {
        const double ofSpeed = m_trees.isLength(k) ? speed : spin;
        const double ofPlace = m_trees.isLength(k) ? speed * m_h : std::min(1., spin * m_h);
        largest = std::max(
            {largest, std::abs(error[n + k]) / (tolerance * ofSpeed), std::abs(error[k]) / (tolerance * ofPlace)});
    }
    return largest;
}

/// Of bodies in trees: scales of their errors.
void ContactMotion::noteSpeeds() {
    m_treeSpeed = m_treeSpin = 0;
    for (std::size_t i = 0; i < m_u.size(); ++i) {
        if (!m_trees.has(static_cast<int>(i))) continue;
        const FlowBody& body = network().bodies[i];
        const double loaded = kLoadedShare * m_h * linearResponse(body, body.force.constant).norm();
        m_treeSpeed = std::max({m_treeSpeed, m_u[i].head<3>().norm(), loaded});
        m_treeSpin = std::max(m_treeSpin, m_u[i].tail<3>().norm());
    }
}

double ContactMotion::firstStep(double t, const Eigen::VectorXd& /*y*/) const {
    double fastest = 0;
    for (std::size_t e = 0; e < m_phases.size(); ++e) {
        if (!m_phases[e].inContact()) continue;
        const double response = m_trees.empty() ? m_problem->elementResponse(e) : m_responses[e];
        const double s = m_problem->elementCoordinate(e);
        fastest = std::max(fastest, m_problem->changeRate(e, m_phases[e], s, response));
    }
    double turning = 0;
    for (std::size_t i = 0; i < m_slots.size() && i < m_change.size(); ++i) {
        if (network().bodies[i].isImmovable()) continue;
        turning = std::max(turning, m_u[i].tail<3>().squaredNorm());
        if (m_slots[i] >= 0) turning = std::max(turning, (m_free[i] + m_change[i]).tail<3>().norm());
    }
    for (Eigen::Index k = 0; k < m_trees.coordinates(); ++k) {
        if (!m_trees.isLength(k)) turning = std::max(turning, std::abs(m_reduced.accelerations()[k]));
    }
    double dt = m_h - t;
    if (fastest > 0) dt = std::min(dt, kFirstPhase / fastest);
    if (turning > 0) {
        const double tolerance = kMotionLooseness * m_settings.stepTolerance();
        dt = std::min(dt, kFirstTurn * elementary::pow(tolerance, 1. / 8) / std::sqrt(turning));
    }
    return dt;
}

}  // namespace elasto::flow
