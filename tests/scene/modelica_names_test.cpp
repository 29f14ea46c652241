// What is recorded under a name of Modelica's is what Modelica's code computes under that name, in every tick of a run.

#include <elasto/scene/load_scene.h>
#include <elasto/scene/scene_world.h>
#include <elasto/scene/signals.h>
#include <elasto/scene/start.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace elasto;
using Eigen::Vector3d;

namespace {

/// The values of all signals now, by name.
class Values {
public:
    Values(const Scene& scene, const SceneSample& sample) {
        for (const Signal& signal : availableSignals(scene)) m_values[signal.name] = signalValue(scene, sample, signal);
    }
    double operator()(const std::string& name) const { return m_values.at(name); }
    Vector3d vector(const std::string& name) const {
        return {(*this)(name + "[1]"), (*this)(name + "[2]"), (*this)(name + "[3]")};
    }

private:
    std::map<std::string, double> m_values;
};

/// Numbers of order 1e4 at most, computed from signals that Bullet's precision rounds.
const double kNameRounding = sizeof(btScalar) == sizeof(double) ? 1e-9 : 1e-2;

Approx about(double value) {
    return Approx(value).epsilon(kNameRounding).margin(kNameRounding);
}

/// Modelica.Mechanics.Translational.Components.ElastoGap (version 4.0, s_ref = 1).
void checkGap(const Values& value, const std::string& name, const ElastoGapParameters& p) {
    const double s_rel = value(name + ".s_rel"), v_rel = value(name + ".v_rel");
    const bool contact = s_rel < p.s_rel0;
    const double f_c = contact ? -p.c * std::pow(std::abs(s_rel - p.s_rel0), p.n) : 0;
    const double f_d2 = contact ? p.d * v_rel : 0;
    const double f_d = !contact ? 0 : f_d2 < f_c ? f_c : f_d2 > -f_c ? -f_c : f_d2;
    CHECK(value(name + ".contact") == (contact ? 1 : 0));
    CHECK(value(name + ".f_c") == about(f_c));
    CHECK(value(name + ".f_d2") == about(f_d2));
    if (p.characteristic != GapCharacteristic::BoundedDamper) return;
    CHECK(value(name + ".f_d") == about(f_d));
    CHECK(value(name + ".f") == about(f_c + f_d));
    CHECK(value(name + ".lossPower") == about(f_d * v_rel));
}

/// Modelica.Mechanics.Rotational.Components.ElastoBacklash and ElastoBacklash2 (version 4.0).
void checkBacklash(const Values& value, const std::string& name, const ElastoBacklashParameters& p) {
    const double phi_diff = value(name + ".phi_rel") - p.phi_rel0, w_rel = value(name + ".w_rel");
    const double bMax = p.b / 2;
    const double tau_c = std::abs(phi_diff) <= bMax ? 0
                         : phi_diff > bMax          ? p.c * (phi_diff - bMax)
                                                    : p.c * (phi_diff + bMax);
    const double tau_d = p.d * w_rel;
    const bool is2 = p.characteristic == BacklashCharacteristic::NoPull;
    double tau = 0, lossPower = 0;
    if (phi_diff > bMax && tau_c + tau_d > 0) {
        const double share = is2 ? tau_d : std::min(tau_c, tau_d);
        tau = tau_c + share;
        lossPower = share * w_rel;
    } else if (phi_diff < -bMax && tau_c + tau_d < 0) {
        const double share = is2 ? tau_d : std::max(tau_c, tau_d);
        tau = tau_c + share;
        lossPower = share * w_rel;
    }
    CHECK(value(name + ".tau_c") == about(tau_c));
    CHECK(value(name + ".tau_d") == about(tau_d));
    CHECK(value(name + ".tau") == about(tau));
    CHECK(value(name + ".lossPower") == about(lossPower));
    const double phi_contact = phi_diff > bMax ? phi_diff - bMax : phi_diff < -bMax ? phi_diff + bMax : 0;
    CHECK(value(name + ".phi_contact") == about(phi_contact));
    CHECK(value(name + ".tau_c") + value(name + ".tau_d_limited") == about(tau));
}

/// Springs and dampers in parallel, of Translational, Rotational and MultiBody.Forces.
void checkSpringDamper(const Values& value, const SceneElement& element, const SpringDamperParameters& p) {
    const std::string& name = element.name;
    const bool turns = element.geometry == Geometry::AboutAxis, isLine = element.geometry == Geometry::AlongLine;
    const double s = value(name + (turns ? ".phi_rel" : isLine ? ".s" : ".s_rel"));
    const double v = value(name + (turns ? ".w_rel" : isLine ? ".v" : ".v_rel"));
    const std::string f = turns ? ".tau" : ".f";
    CHECK(value(name + f + "_c") == about(p.c * (s - p.s_rel0)));
    CHECK(value(name + (turns ? ".tau_d" : ".f_d")) == about(p.d * v));
    CHECK(value(name + f) == about(p.c * (s - p.s_rel0) + p.d * v));
    CHECK(value(name + ".lossPower") == about(p.d * v * v));
}

/// MultiBody.Forces.SpringDamperSeries.
void checkSeries(const Values& value, const SceneElement& element, const SpringDamperSeriesParameters& p) {
    const double s = value(element.name + (element.geometry == Geometry::AlongLine ? ".s" : ".s_rel"));
    const double f = value(element.name + ".f");
    CHECK(f == about(p.c * (s - p.s_unstretched - value(element.name + ".s_damper"))));
    if (p.d > 0) CHECK(value(element.name + ".lossPower") == about(f * f / p.d));  // f der(s_damper)
}

/// Interfaces.PartialTwoFlanges and PartialCompliant.
void checkFlanges(const Values& value, const SceneElement& element) {
    const std::string& name = element.name;
    const bool turns = element.geometry == Geometry::AboutAxis;
    const std::string f = turns ? ".tau" : ".f", s = turns ? ".phi" : ".s";
    CHECK(value(name + ".flange_b" + f) == about(value(name + f)));
    CHECK(value(name + ".flange_a" + f) == about(-value(name + f)));
    if (element.gear) return;
    CHECK(value(name + ".flange_b" + s) - value(name + ".flange_a" + s) == about(value(name + s + "_rel")));
}

/// MultiBody.Interfaces.PartialLineForce: cut forces, resolved in the frames, and their balance.
void checkFrames(const Scene& scene, const SceneSample& sample, const Values& value, const SceneElement& element) {
    const std::string& name = element.name;
    const auto end = [&](const SceneFrame& frame) -> std::pair<Eigen::Quaterniond, Vector3d> {
        if (frame.body == kWorld) return {frame.orientation, frame.position};
        const auto i = static_cast<std::size_t>(frame.body);
        const BodyState state = frameState(scene.bodies[i], sample.bodies[i]);
        return {state.orientation * frame.orientation, state.position + state.orientation * frame.position};
    };
    const auto [turnA, a] = end(element.frame_a);
    const auto [turnB, b] = end(element.frame_b);
    const Vector3d torqueA = turnA * value.vector(name + ".frame_a.t");
    const Vector3d torqueB = turnB * value.vector(name + ".frame_b.t");
    if (element.geometry == Geometry::AboutAxis) {
        if (element.gear) return;  // its carrier holds the rest
        CHECK((torqueA + torqueB).norm() < kNameRounding * (1 + torqueA.norm()));
        CHECK(torqueB.norm() == about(std::abs(value(name + ".tau"))));
        return;
    }
    const Vector3d forceA = turnA * value.vector(name + ".frame_a.f");
    const Vector3d forceB = turnB * value.vector(name + ".frame_b.f");
    const double size = 1 + forceA.norm() * (1 + (b - a).norm());
    CHECK((forceA + forceB).norm() < kNameRounding * size);
    CHECK((torqueA + torqueB + (b - a).cross(forceB)).norm() < kNameRounding * size);
    if (element.geometry != Geometry::AlongLine) return;
    CHECK(torqueB.norm() == 0);
    CHECK((forceB - value(name + ".f") * value.vector(name + ".e_rel_0")).norm() < kNameRounding * size);
    CHECK((value.vector(name + ".r_rel_0") - (b - a)).norm() < kNameRounding);
    CHECK((turnA * value.vector(name + ".r_rel_a") - (b - a)).norm() < kNameRounding);
    CHECK((turnA * value.vector(name + ".e_a") - value.vector(name + ".e_rel_0")).norm() < kNameRounding);
    CHECK(value(name + ".length") == about((b - a).norm()));
}

void checkLaw(const Values& value, const SceneElement& element) {
    if (const auto* gap = std::get_if<ElastoGapLaw>(&element.law)) {
        if (element.geometry == Geometry::AlongAxis && gap->parameters().s_ref == 1)
            checkGap(value, element.name, gap->parameters());
    } else if (const auto* backlash = std::get_if<ElastoBacklashLaw>(&element.law)) {
        if (!backlash->isPlainSpringDamper()) checkBacklash(value, element.name, backlash->parameters());
    } else if (const auto* series = std::get_if<SpringDamperSeriesLaw>(&element.law)) {
        checkSeries(value, element, series->parameters());
    } else if (const auto* parallel = std::get_if<SpringDamperLaw>(&element.law)) {
        checkSpringDamper(value, element, parallel->parameters());
    }
}

}  // namespace

TEST_CASE("every name of Modelica's has the value that Modelica's code gives it") {
    std::set<ElementType> seen;
    for (const char* name : {"elasto_gap", "gap_laws", "backlash", "heat_losses_3d", "suspension", "preload", "creep",
                             "gallery/gear_train", "armature_stopper", "gear_backlash"}) {
        SceneWorld world(loadScene(std::string(ELASTO_SOURCE_DIR "/assets/scenes/") + name + ".json"));
        const Scene& scene = world.scene();
        for (int tick = 0; tick < 200; ++tick) {
            world.step();
            const SceneSample sample = world.sample();
            const Values value(scene, sample);
            for (const SceneElement& element : scene.elements) {
                INFO(name << ", " << element.name << ", tick " << tick);
                seen.insert(element.type);
                checkLaw(value, element);
                if (element.geometry != Geometry::AlongLine) checkFlanges(value, element);
                checkFrames(scene, sample, value, element);
            }
        }
    }
    for (const ElementType type : {ElementType::ElastoGap, ElementType::ElastoBacklash, ElementType::ElastoBacklash2,
                                   ElementType::SpringDamperSeries, ElementType::Spring, ElementType::Damper,
                                   ElementType::SpringDamper, ElementType::RotationalSpringDamper}) {
        CAPTURE(elementTypeName(type));
        CHECK(seen.count(type) == 1);
    }
}

TEST_CASE("flanges of a body that turns about its axis have its angle, and that of a body that slides its place") {
    const auto last = [](const std::string& file, const std::string& name, int ticks) {
        SceneWorld world(loadScene(ELASTO_SOURCE_DIR "/assets/scenes/" + file + ".json"));
        for (int i = 0; i < ticks; ++i) world.step();
        return Values(world.scene(), world.sample())(name);
    };
    // mass2's gap at the right hangs between mass2 and the world at 2 m.
    CHECK(last("elasto_gap", "elastoGap2.flange_b.s", 30) == about(2));
    CHECK(last("elasto_gap", "elastoGap2.flange_a.s", 30) == about(last("elasto_gap", "mass2.r_0[1]", 30)));
    CHECK(last("backlash", "elastoBacklash.flange_a.phi", 30) == 0);
    CHECK(last("backlash", "elastoBacklash.flange_b.phi", 30) == about(last("backlash", "elastoBacklash.phi_rel", 30)));
    const double motor = last("gallery/gear_train", "coupling1.flange_a.phi", 20);
    CHECK(std::abs(motor) > 1e-3);
    CHECK(last("gallery/gear_train", "coupling1.flange_b.phi", 20) ==
          about(motor + last("gallery/gear_train", "coupling1.phi_rel", 20)));
}
