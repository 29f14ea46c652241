#include "passive_arrival.h"

#include "free_motion.h"
#include "held_rows.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// Rounds in which rows and end pose of a step are made to agree.
constexpr int kRounds = 5;
constexpr double kAgreed = 1e-9;
/// By how much a step may overrun a limit [m, rad].
constexpr double kOverrun = 1e-9;
/// Limits that are farther away than so many times what their rates lead to in a step are looked at only in its end.
constexpr double kFarAway = 2;
/// Speed below which rates are not told apart [m/s, rad/s].
constexpr double kSlowest = 1e-6;

/// Greatest change of a body's velocities, as a share of the fastest.
double changeOf(const FlowNetwork& before, const FlowNetwork& after) {
    double change = 0;
    double fastest = kSlowest;
    for (std::size_t i = 0; i < after.bodies.size(); ++i) {
        const FlowBody& body = after.bodies[i];
        change = std::max({change, (body.velocity - before.bodies[i].velocity).norm(),
                           (body.angularVelocity - before.bodies[i].angularVelocity).norm()});
        fastest = std::max({fastest, body.velocity.norm(), body.angularVelocity.norm()});
    }
    return change / fastest;
}

}  // namespace

PassiveArrival::PassiveArrival(const FlowNetwork& start, const std::vector<RowLaw>& laws, double dt, int freeSteps)
    : m_start(start),
      m_laws(laws),
      m_dt(dt),
      m_freeSteps(freeSteps),
      m_jointValues(jointValues(start)),
      m_count(static_cast<Eigen::Index>(start.elements.size())) {
    m_rowNetwork.laws = laws;
}

Arrival PassiveArrival::find() {
    Arrival arrival{m_start, Eigen::VectorXd::Zero(m_count)};
    begin(arrival);
    do {
        for (int round = 0; round < kRounds; ++round) {
            if (improve(arrival)) break;
        }
    } while (addOverrun(arrival.network));
    hold(arrival);
    settle(arrival);
    return arrival;
}

void PassiveArrival::begin(Arrival& arrival) {
    FlowNetwork& end = arrival.network;
    for (FlowBody& body : end.bodies) static_cast<BodyState&>(body) = freeMotion(body, m_dt, m_freeSteps);
    m_free = end;
    m_pushed.assign(end.bodies.size(), false);
    for (const HeldRow& row : end.joints) markEnds(row);
    for (const BoundedRow& row : end.bounded) markEnds(row);
    m_inPlay = boundedThatMayBeReached();
    m_held.rows.bind(end);
    m_drivenWork = 0;
}

/// @return true if the end agrees with the one before
bool PassiveArrival::improve(Arrival& arrival) {
    FlowNetwork& end = arrival.network;
    countTurns(end);
    const std::vector<Row> rows = rowsInPlay(end);
    m_responses.findHere(end, rows, m_held, m_inPlay);
    const Eigen::MatrixXd W = m_responses.inverseMass();
    m_rowNetwork.W.assign(W);
    FlowNetwork next = withoutElements(end);
    const double speed = readRates(next, rows);
    const BackwardEuler euler(m_rowNetwork, m_dt, speed, m_bounds);
    const Eigen::VectorXd impulses = euler.impulses(m_s, m_z, m_freeRate);
    const Eigen::VectorXd rates = (m_freeRate - W * impulses).tail(m_freeRate.size() - m_count);
    arrival.impulses = impulses.head(m_count);
    m_boundedImpulses = impulses.tail(rates.size());
    m_responses.apply(next, impulses);
    bookBounded(rates, rows.data() + m_count, arrival);
    findHeld(euler, rates, arrival);
    bookDriven(rows, arrival);
    move(next, arrival);
    const bool doAgree = changeOf(end, next) <= kAgreed;
    end = std::move(next);
    return doAgree;
}

std::vector<Row> PassiveArrival::rowsInPlay(const FlowNetwork& end) const {
    std::vector<Row> rows = rowsOf(end);
    for (const std::size_t k : m_inPlay) rows.push_back(boundedRowOf(end, k));
    return rows;
}

/// The velocities that loads and joints alone lead to, at the pose of the end.
FlowNetwork PassiveArrival::withoutElements(const FlowNetwork& end) {
    FlowNetwork next = end;
    takeVelocities(m_free, next);
    holdVelocitiesBound(next, m_held);
    return next;
}

/// Sets m_s, m_z, m_freeRate and m_bounds. @return the fastest rate
double PassiveArrival::readRates(const FlowNetwork& next, const std::vector<Row>& rows) {
    const auto size = static_cast<Eigen::Index>(rows.size());
    for (Eigen::VectorXd* values : {&m_s, &m_z, &m_freeRate}) values->setZero(size);
    m_bounds.resize(m_inPlay.size());
    const auto elements = static_cast<std::size_t>(m_count);
    double speed = kSlowest;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto row = static_cast<Eigen::Index>(k);
        m_s[row] = rows[k].s - m_dt * rows[k].v;
        if (k < elements) {
            m_z[row] = m_start.elements[k].s_damper;
            m_freeRate[row] = rowOf(next, k).v;
        } else {
            const std::size_t i = k - elements;
            m_freeRate[row] = boundedRowOf(next, m_inPlay[i]).v;
            m_bounds[i] = boundOf(m_inPlay[i], m_responses.isBlocked(k));
        }
        speed = std::max(speed, std::abs(m_freeRate[row]));
    }
    return speed;
}

void PassiveArrival::findHeld(const BackwardEuler& euler, const Eigen::VectorXd& rates, Arrival& arrival) const {
    arrival.held.clear();
    for (std::size_t i = 0; i < m_inPlay.size(); ++i) {
        const auto k = static_cast<Eigen::Index>(i);
        if (m_bounds[i].isLimit ? m_boundedImpulses[k] != 0 : euler.isAtTarget(i, rates[k])) {
            arrival.held.push_back(static_cast<int>(m_inPlay[i]));
        }
    }
}

/// Work of motors, and of driven bodies through them; what limits take. Impulses as elements have them.
void PassiveArrival::bookBounded(const Eigen::VectorXd& rates, const Row* rows, Arrival& arrival) const {
    arrival.work = arrival.driveWork = arrival.limitLoss = 0;
    arrival.boundedImpulses.setZero(static_cast<Eigen::Index>(m_start.bounded.size()));
    for (std::size_t i = 0; i < m_inPlay.size(); ++i) {
        const auto k = static_cast<Eigen::Index>(i);
        const double impulse = m_boundedImpulses[k];
        const BoundedRow& row = m_start.bounded[m_inPlay[i]];
        const double power = -impulse * rates[k];
        (row.kind == BoundedRow::Kind::Motor ? arrival.driveWork : arrival.limitLoss) +=
            row.kind == BoundedRow::Kind::Motor ? power : -power;
        arrival.work += power + impulse * drivenRate(m_start, row, rows[i]);
        arrival.boundedImpulses[static_cast<Eigen::Index>(m_inPlay[i])] = -impulse;
    }
}

void PassiveArrival::bookDriven(const std::vector<Row>& rows, const Arrival& arrival) {
    const FlowNetwork& end = arrival.network;
    m_drivenWork = 0;
    for (std::size_t e = 0; e < end.elements.size(); ++e) {
        const double impulse = arrival.impulses[static_cast<Eigen::Index>(e)];
        m_drivenWork += impulse * drivenRate(end, end.elements[e], rows[e]);
    }
}

void PassiveArrival::move(FlowNetwork& next, const Arrival& arrival) {
    for (std::size_t e = 0; e < next.elements.size(); ++e) {
        if (arrival.impulses[static_cast<Eigen::Index>(e)] != 0) markEnds(next.elements[e]);
    }
    for (std::size_t i = 0; i < next.bodies.size(); ++i) {
        FlowBody& body = next.bodies[i];
        // A body that flies keeps its exact path; one that is pushed moves with its end velocity, without which
        // a load would not balance a spring.
        if (!m_pushed[i] || body.isImmovable()) continue;
        body.position = m_start.bodies[i].position + m_dt * body.velocity;
        body.orientation = turned(m_start.bodies[i].orientation, m_dt * body.angularVelocity);
    }
}

/// Motors, and limits that the step may reach.
std::vector<std::size_t> PassiveArrival::boundedThatMayBeReached() const {
    std::vector<std::size_t> reached;
    for (std::size_t k = 0; k < m_start.bounded.size(); ++k) {
        const BoundedRow& row = m_start.bounded[k];
        if (row.kind == BoundedRow::Kind::Limit) {
            const Row start = boundedRowOf(m_start, k);
            const double rate = std::max(std::abs(start.v), std::abs(boundedRowOf(m_free, k).v));
            if (row.side * (start.s - row.bound) > kFarAway * m_dt * rate + kOverrun) continue;
        }
        reached.push_back(k);
    }
    return reached;
}

/// Puts limits into play that the step has overrun without looking at them. @return true if there are any
bool PassiveArrival::addOverrun(const FlowNetwork& end) {
    const std::size_t before = m_inPlay.size();
    for (std::size_t k = 0; k < m_start.bounded.size(); ++k) {
        const auto place = std::lower_bound(m_inPlay.begin(), m_inPlay.end(), k);
        if ((place == m_inPlay.end() || *place != k) && overrunOf(k, end) > kOverrun) m_inPlay.insert(place, k);
    }
    return m_inPlay.size() > before;
}

/// By how much a limit is farther beyond its bound in the end than at the start.
double PassiveArrival::overrunOf(std::size_t k, const FlowNetwork& end) const {
    const BackwardEuler::Bound bound = boundOf(k, false);
    return bound.isLimit ? bound.side * (bound.bound - boundedRowOf(end, k).s) : 0;
}

BackwardEuler::Bound PassiveArrival::boundOf(std::size_t k, bool isBlocked) const {
    const BoundedRow& row = m_start.bounded[k];
    BackwardEuler::Bound bound;
    bound.isLimit = row.kind == BoundedRow::Kind::Limit;
    bound.target = row.targetRate;
    bound.side = row.side;
    // What is beyond its bound already is not pushed back, only kept from going further.
    const double start = boundedRowOf(m_start, k).s;
    bound.bound = row.side > 0 ? std::min(row.bound, start) : std::max(row.bound, start);
    bound.most = isBlocked ? 0 : bound.isLimit ? 1 : m_dt * row.maxForce;
    return bound;
}

/// Takes out of the arrival what joints, and motors and limits that act, do not allow.
void PassiveArrival::hold(Arrival& arrival) const {
    FlowNetwork& end = arrival.network;
    std::vector<bool> isHeldOrBlocked(m_start.bounded.size(), false);
    for (std::size_t i = 0; i < m_inPlay.size(); ++i) isHeldOrBlocked[m_inPlay[i]] = m_bounds[i].most == 0;
    for (const int k : arrival.held) isHeldOrBlocked[static_cast<std::size_t>(k)] = true;
    // Rows turn within the step: a limit that the step did not see may be overrun all the same.
    for (bool isNew = true; isNew;) {
        Eigen::VectorXd values(m_jointValues.size() + static_cast<Eigen::Index>(arrival.held.size()));
        values.head(m_jointValues.size()) = m_jointValues;
        for (std::size_t j = 0; j < arrival.held.size(); ++j) {
            const auto k = static_cast<std::size_t>(arrival.held[j]);
            const BackwardEuler::Bound bound = boundOf(k, false);
            values[m_jointValues.size() + static_cast<Eigen::Index>(j)] =
                bound.isLimit ? bound.bound - end.bounded[k].bound : 0;
        }
        arrival.isHeld = holdPoses(end, values, arrival.held);
        isNew = false;
        for (std::size_t k = 0; k < isHeldOrBlocked.size() && arrival.isHeld; ++k) {
            if (isHeldOrBlocked[k] || !(overrunOf(k, end) > kOverrun)) continue;
            arrival.held.push_back(static_cast<int>(k));
            isHeldOrBlocked[k] = isNew = true;
        }
    }
    const double before = kineticEnergy(end);
    holdVelocities(end, arrival.held);
    if (arrival.held.empty()) return;
    // The millionth by which they gave way.
    const double gained = kineticEnergy(end) - before;
    arrival.work += gained;
    arrival.driveWork += gained;
}

/// Dampers in series, and the work of all that is not an element.
void PassiveArrival::settle(Arrival& arrival) const {
    FlowNetwork& end = arrival.network;
    countTurns(end);
    for (std::size_t e = 0; e < end.elements.size(); ++e) {
        if (m_laws[e].kind != RowLaw::Kind::Series) continue;
        double& s_damper = end.elements[e].s_damper;
        const double rate = damperRate(m_laws[e], arrival.impulses[static_cast<Eigen::Index>(e)]);
        s_damper = settledDamper(m_laws[e], rowOf(end, e).s, s_damper + rate);
    }
    // Limits take and never give: what they push back by, as rows turn, is an error of the step.
    arrival.work += std::min(arrival.limitLoss, 0.0);
    arrival.limitLoss = std::max(arrival.limitLoss, 0.0);
    arrival.work += m_drivenWork;
    for (std::size_t i = 0; i < end.bodies.size(); ++i) {
        arrival.work += loadWork(m_start.bodies[i], end.bodies[i], m_pushed[i]);
    }
}

/// A body may turn more than once in a step: the angle to look for is the one that its rate leads to.
void PassiveArrival::countTurns(FlowNetwork& end) const {
    for (std::size_t e = 0; e < end.elements.size(); ++e) {
        if (!countsTurns(end.elements[e])) continue;
        const FlowElement& start = m_start.elements[e];
        const Row row = rowOf(end, e);
        const double ownRate = start.isGeared() ? row.v + start.geared.ratio * row.gearedRate : row.v;
        Turns{start.phi + m_dt * ownRate, start.geared.phi + m_dt * row.gearedRate}.keepIn(end.elements[e]);
    }
    for (std::size_t k = 0; k < end.bounded.size(); ++k) {
        if (!countsTurns(end.bounded[k].geometry)) continue;
        end.bounded[k].phi = m_start.bounded[k].phi + m_dt * boundedRowOf(end, k).v;
    }
}

double PassiveArrival::loadWork(const FlowBody& start, const FlowBody& end, bool isPushed) const {
    if (start.isImmovable()) return 0;
    if (!isPushed) return kineticEnergy(end, Motion::of(end)) - kineticEnergy(start, Motion::of(start));
    const Eigen::Vector3d force = start.force.impulse(m_dt);
    const Eigen::Vector3d torque = start.torque.impulse(m_dt);
    const Eigen::Vector3d path = end.position - start.position;
    double work = 0;
    for (int k = 0; k < 3; ++k) {
        work += start.inverseMass * start.linearFactor[k] > 0 ? force[k] * path[k] / m_dt : 0;
        work += start.angularFactor[k] > 0 ? torque[k] * end.angularVelocity[k] : 0;
    }
    return work;
}

template <class Link>
void PassiveArrival::markEnds(const Link& link) {
    forEachBody(link, [&](int body) {
        if (body != kWorld) m_pushed[static_cast<std::size_t>(body)] = true;
    });
}

}  // namespace elasto::flow
