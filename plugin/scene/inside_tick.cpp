#include <elasto/scene/inside_tick.h>

#include <elasto/errors.h>
#include <elasto/scene/start.h>
#include <elasto/tick_moment.h>

#include <algorithm>
#include <string>
#include <utility>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

double mix(double a, double b, double share) {
    return a + share * (b - a);
}

BodyState mix(const BodyState& a, const BodyState& b, double share) {
    BodyState state;
    state.position = a.position + share * (b.position - a.position);
    state.orientation = a.orientation.slerp(share, b.orientation);
    state.velocity = a.velocity + share * (b.velocity - a.velocity);
    state.angularVelocity = a.angularVelocity + share * (b.angularVelocity - a.angularVelocity);
    return state;
}

ElementSample mix(const ElementSample& a, const ElementSample& b, double share) {
    ElementSample sample = share < 1 ? a : b;  // flags
    sample.s = mix(a.s, b.s, share);
    sample.v = mix(a.v, b.v, share);
    sample.force.f = mix(a.force.f, b.force.f, share);
    sample.force.f_c = mix(a.force.f_c, b.force.f_c, share);
    sample.force.f_d = mix(a.force.f_d, b.force.f_d, share);
    sample.force.f_d2 = mix(a.force.f_d2, b.force.f_d2, share);
    sample.meanForce = b.meanForce;
    sample.lossPower = mix(a.lossPower, b.lossPower, share);
    sample.dissipatedPower = mix(a.dissipatedPower, b.dissipatedPower, share);
    sample.heat = mix(a.heat, b.heat, share);
    sample.storedEnergy = mix(a.storedEnergy, b.storedEnergy, share);
    sample.s_damper = mix(a.s_damper, b.s_damper, share);
    sample.flange_a = mix(a.flange_a, b.flange_a, share);
    sample.flange_b = mix(a.flange_b, b.flange_b, share);
    return sample;
}

void put(const Readout& readout, ElementSample& sample) {
    sample.s = readout.s_rel;
    sample.v = readout.v_rel;
    sample.force = readout.force;
    sample.lossPower = readout.lossPower;
    sample.dissipatedPower = readout.dissipatedPower;
    sample.storedEnergy = readout.storedEnergy;
    sample.s_damper = readout.s_damper;
}

}  // namespace

SceneSample sampleInside(const SceneWorld& world, FlowNetwork places, const SceneSample& start, const SceneSample& end,
                         double t) {
    const double h = world.tickLength();
    if (!(t >= 0 && t <= h)) throw InvalidParameter("sampleInside", "t", t, "from 0 to " + std::to_string(h) + " s");
    const Scene& scene = world.scene();
    const double share = t / h;
    SceneSample sample;
    sample.time = mix(start.time, end.time, share);
    const TickMoment moment = world.plugin().insideTick(t);
    for (std::size_t i = 0; i < end.bodies.size(); ++i) {
        const bool isOfScene = i < scene.bodies.size();
        const std::optional<BodyState> solved = i < world.bodies() ? moment.body(world.body(i)) : std::nullopt;
        if (isOfScene && scene.bodies[i].motion == BodyMotion::Kinematic) {
            sample.bodies.push_back(pathState(scene.bodies[i], sample.time));
        } else {
            sample.bodies.push_back(solved ? *solved : mix(start.bodies[i], end.bodies[i], share));
        }
        if (isOfScene && i < places.bodies.size()) static_cast<BodyState&>(places.bodies[i]) = sample.bodies[i];
    }
    for (std::size_t i = 0; i < end.elements.size(); ++i) {
        ElementSample element = mix(start.elements[i], end.elements[i], share);
        // Nobody keeps the solution of multibodies inside a tick.
        if (i < world.elements()) {
            if (const auto solved = moment.element(world.element(i))) put(*solved, element);
            const Measure measured = measure(places, places.elements[i]);
            element.pointA = measured.pointA;
            element.pointB = measured.pointB;
        }
        sample.elements.push_back(element);
    }
    for (std::size_t i = 0; i < end.heatPorts.size(); ++i) {
        const HeatPortSample& a = start.heatPorts[i];
        const HeatPortSample& b = end.heatPorts[i];
        sample.heatPorts.push_back(
            {mix(a.power, b.power, share), mix(a.energy, b.energy, share), mix(a.temperature, b.temperature, share)});
    }
    return sample;
}

ContactTimes::ContactTimes(SceneWorld& world) {
    const auto note = [this](auto&, const ContactInfo& info) { m_times.push_back(info.time); };
    for (std::size_t i = 0; i < world.elements(); ++i) {
        world.element(i).onContactBegin(note);
        world.element(i).onContactEnd(note);
    }
}

std::vector<double> ContactTimes::take() {
    std::vector<double> times = std::exchange(m_times, {});
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
