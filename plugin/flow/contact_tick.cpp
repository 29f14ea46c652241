#include "contact_tick.h"

#include "contact_course.h"
#include "heat_balance.h"
#include "network_state.h"
#include "turning_system.h"

#include <algorithm>
#include <optional>

namespace elasto::flow {

namespace {

/// Rotation over the tick up to which directions count as fixed [rad].
constexpr double kTurn = 1e-3;

double largestTurn(const FlowNetwork& network, const std::vector<Vector6>& ways) {
    double turn = 0;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        if (!network.bodies[i].isImmovable()) turn = std::max(turn, ways[i].tail<3>().norm());
    }
    return turn;
}

BodiesNow moved(const FlowNetwork& network, const std::vector<Vector6>& ways, double share) {
    FlowNetwork there = network;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        there.bodies[i].position += share * ways[i].head<3>();
        there.bodies[i].orientation = turned(there.bodies[i].orientation, share * ways[i].tail<3>());
    }
    return BodiesNow::of(there);
}

}  // namespace

TickResult solveContacts(const FlowNetwork& network, double h, const FlowSettings& settings) {
    TickResult result;
    result.method = FlowMethod::Contacts;
    BodiesNow middle = BodiesNow::of(network);
    std::optional<ContactCourse> course_;
    bool isWhole = true;
    for (int pass = 0; pass < 2; ++pass) {
        course_.emplace(network, middle, h, settings);
        isWhole = course_->run();
        if (!isWhole || largestTurn(network, course_->ways()) < kTurn) break;
        middle = moved(network, course_->ways(), 0.5);
    }
    const ContactCourse& course = *course_;
    result.overBudget = !isWhole;
    FlowNetwork end = network;
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        FlowBody& body = end.bodies[i];
        const Vector6& way = course.ways()[i];
        body.position += way.head<3>();
        body.orientation = turned(body.orientation, way.tail<3>());
        body.velocity = course.velocities()[i].head<3>();
        body.angularVelocity = course.velocities()[i].tail<3>();
        BodyTick tick;
        static_cast<BodyState&>(tick) = body;
        if (!body.isImmovable()) {
            const BodyState free = freeMotion(network.bodies[i], h);
            tick.elementVelocity = tick.velocity - free.velocity;
            tick.elementAngularVelocity = tick.angularVelocity - free.angularVelocity;
        }
        result.bodies.push_back(tick);
    }
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        const FlowElement& element = network.elements[e];
        const Row row = rowOf(end, e);
        ElementTick tick;
        tick.s = row.s;
        tick.v = row.v;
        tick.s_damper = course.damperLengths()[k];
        tick.force = evaluate(element.law, row.s, row.v, tick.s_damper);
        tick.impulse = course.elementImpulses()[k];
        tick.heat = course.heat()[k];
        tick.storedEnergy = elasto::storedEnergy(element.law, row.s, tick.s_damper);
        result.elements.push_back(tick);
    }
    const ContactFrame& frame = course.frame();
    for (std::size_t i = 0; i < network.contacts.size(); ++i) {
        ContactTick tick;
        tick.impulse = course.impulses()[frame.normalOf(i)];
        tick.gap = course.gap(i);
        tick.isClosed = course.modes().bears[i] != 0;
        result.contacts.push_back(tick);
    }
    result.events = course.events();
    result.steps = course.steps();
    result.setChanges = course.setChanges();
    return result;
}

}  // namespace elasto::flow
