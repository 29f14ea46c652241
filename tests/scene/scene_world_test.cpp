// A Bullet world built from a scene; compiled for each of Bullet's precisions.

#include "complete_scene.h"

#include <elasto/check.h>
#include <elasto/errors.h>
#include <elasto/scene/scene_world.h>
#include <elasto/scene/start.h>

#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>

#include <catch2/catch.hpp>

#include <cmath>

using namespace elasto;
using Catch::Contains;
using nlohmann::json;
using Vector = Eigen::Vector3d;

namespace {

const bool kIsDouble = sizeof(btScalar) == sizeof(double);
/// What placing and reading back rounds away, relative to numbers of order 10.
const double kRounding = kIsDouble ? 1e-14 : 1e-5;

Scene scene(const json& document) {
    return parseScene(document.dump());
}

Scene asset(const std::string& name) {
    return loadScene(ELASTO_SOURCE_DIR "/assets/scenes/" + name + ".json");
}

Vector toEigen(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

void run(SceneWorld& world, double time) {
    while (world.time() < time - world.tickLength() / 2) world.step();
}

json freeBody() {
    return json::parse(R"({"elasto": 1, "name": "free", "gravity": [0, 0, 0],
        "bodies": [{"name": "ball", "mass": 2, "inertia": [1, 1, 1]}]})");
}

}  // namespace

TEST_CASE("bodies stand where the scene places their frames") {
    const Scene description = scene(completeScene());
    SceneWorld world(description);
    REQUIRE(world.bodies() == description.bodies.size());
    const SceneSample sample = world.sample();
    for (std::size_t i = 0; i < world.bodies(); ++i) {
        const SceneBody& body = description.bodies[i];
        INFO(body.name);
        const BodyState frame = frameState(body, sample.bodies[i]);
        CHECK((frame.position - body.position).norm() < kRounding);
        CHECK(frame.orientation.angularDistance(body.orientation) < kRounding);
        if (body.motion == BodyMotion::Kinematic) continue;
        CHECK((frame.velocity - body.velocity).norm() < kRounding);
        CHECK((frame.angularVelocity - body.angularVelocity).norm() < kRounding);
    }
}

TEST_CASE("an element has the temperature and the guard of its scene") {
    SceneWorld world(scene(completeScene()));
    CHECK(world.element("bumper").TheatPort() == 300);
    CHECK(world.element("bumper").s_small() == 1e-9);
    CHECK(world.element("mesh").TheatPort() == 293.15);
}

TEST_CASE("Bullet's own origin of a body is the centre of mass") {
    json document = freeBody();
    document["bodies"][0].update({{"centreOfMass", {0, 3, 0}},
                                  {"position", {1, 1, 1}},
                                  {"orientation", {0, 0, 0.6, 0.8}},
                                  {"angularVelocity", {0, 0, 2}}});
    SceneWorld world(scene(document));
    const btRigidBody& body = world.body("ball");
    // (0, 3, 0) turned by 2 atan(3/4): sin = 0.96, cos = 0.28.
    CHECK((toEigen(body.getWorldTransform().getOrigin()) - Vector(1 - 3 * 0.96, 1 + 3 * 0.28, 1)).norm() < kRounding);
    CHECK((toEigen(body.getLinearVelocity()) - Vector(-2 * 3 * 0.28, -2 * 3 * 0.96, 0)).norm() < kRounding);
}

TEST_CASE("properties of bodies reach Bullet") {
    SceneWorld world(scene(completeScene()));
    const btRigidBody& box = world.body("box");
    CHECK(static_cast<double>(box.getInvMass()) == 0.5);
    CHECK((toEigen(box.getInvInertiaDiagLocal()) - Vector(10, 5, 1 / 0.3)).norm() < 1e-5);
    CHECK(toEigen(box.getLinearFactor()) == Vector(1, 0.5, 1));
    CHECK(toEigen(box.getAngularFactor()) == Vector(0.25, 1, 1));
    CHECK(static_cast<double>(box.getLinearDamping()) == 0.125);
    CHECK(static_cast<double>(box.getAngularDamping()) == 0.25);
    CHECK(static_cast<double>(box.getFriction()) == 0.75);
    CHECK(static_cast<double>(box.getRestitution()) == 0.5);
    CHECK(box.getFlags() == 0);
    CHECK(box.getActivationState() == ACTIVE_TAG);
    CHECK(world.body("ball").getFlags() == BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
    CHECK(world.body("ball").getActivationState() == DISABLE_DEACTIVATION);
    CHECK(world.body("pill").getInvInertiaDiagLocal() == btVector3(0, 0, 0));
    CHECK(world.body("floor").isStaticObject());
    CHECK(world.body("lift").isKinematicObject());
    CHECK(world.body("box").getCollisionShape()->getShapeType() == BOX_SHAPE_PROXYTYPE);
    CHECK(world.body("ball").getCollisionShape()->getShapeType() == SPHERE_SHAPE_PROXYTYPE);
    CHECK(world.body("can").getCollisionShape()->getShapeType() == CYLINDER_SHAPE_PROXYTYPE);
    CHECK(world.body("pill").getCollisionShape()->getShapeType() == CAPSULE_SHAPE_PROXYTYPE);
    CHECK(world.body("floor").getCollisionShape()->getShapeType() == STATIC_PLANE_PROXYTYPE);
    CHECK(toEigen(world.world().getGravity()) == Vector(0.5, -9, 0.25));
    CHECK(world.world().getSolverInfo().m_numIterations == 20);
    CHECK(world.rate() == 120);
}

TEST_CASE("shapes have the sizes of the scene") {
    SceneWorld world(scene(completeScene()));
    const auto extent = [&](const char* name) {
        btVector3 low;
        btVector3 high;
        world.body(name).getCollisionShape()->getAabb(btTransform::getIdentity(), low, high);
        return toEigen(high - low);
    };
    const double margin = 0.05;  // Bullet grows boxes of shapes a little
    const auto isNear = [&](const Vector& a, const Vector& b) { return ((a - b).array().abs() <= 2.1 * margin).all(); };
    CHECK(isNear(extent("box"), {0.1, 0.2, 0.3}));
    CHECK(isNear(extent("ball"), {0.4, 0.4, 0.4}));
    CHECK(isNear(extent("can"), {0.4, 0.6, 0.6}));
    CHECK(isNear(extent("pill"), {0.6, 0.6, 1.0}));
}

TEST_CASE("elements are those of the scene and measure what it says") {
    const Scene description = scene(completeScene());
    SceneWorld world(description);
    const FlowNetwork network = startNetwork(description);
    const std::vector<std::string> types = {"ElastoGap",
                                            "ElastoGap",
                                            "ElastoBacklash",
                                            "ElastoBacklash",
                                            "SpringDamperSeries",
                                            "Spring",
                                            "Damper",
                                            "SpringDamperParallel",
                                            "SpringDamperParallel",
                                            "RotationalSpringDamper",
                                            "Bushing",
                                            "RotationalBushing",
                                            "BumpStop",
                                            "SupportFriction",
                                            "BearingFriction",
                                            "BearingFriction",
                                            "ElastoBacklash",
                                            "Rope",
                                            "ElastoGap"};
    REQUIRE(world.elements() == description.elements.size());
    REQUIRE(world.elements() == types.size());
    for (std::size_t i = 0; i < world.elements(); ++i) {
        const ForceElement& element = world.element(i);
        INFO(description.elements[i].name);
        CHECK(element.name() == description.elements[i].name);
        CHECK(element.typeName() == types[i]);
        CHECK(element.geometry() == description.elements[i].geometry);
        const Measure expected = measure(network, network.elements[i]);
        CHECK(element.s_rel() == Approx(expected.s).margin(kRounding));
        CHECK(element.v_rel() == Approx(expected.v).margin(10 * kRounding));
        CHECK(element.f() == Approx(evaluate(network.elements[i].law, expected.s, expected.v, element.s_damper()).f)
                                 .margin(1000 * kRounding));
    }
    CHECK(world.element("lash").phi_rel() == Approx(7).epsilon(kRounding));  // more than one turn
    CHECK(world.element("series").s_damper() == 0.2);
    CHECK(world.element("gap").heatPort() == world.heatPort("port"));
    CHECK(world.element("series").heatPort() == world.heatPort(0));
    CHECK(world.element("bumper").heatPort() == nullptr);
    CHECK(world.heatPort("port")->conductance() == 10);
    CHECK(world.heatPort("port")->ambientTemperature() == 300);
}

TEST_CASE("a ready-made scene has nothing that check() objects to") {
    for (const char* name : {"elasto_gap", "heat_losses_3d", "backlash", "suspension"}) {
        INFO(name);
        SceneWorld world(asset(name));
        const std::vector<Problem> problems = check(world.world());
        CHECK(problems.empty());
    }
}

TEST_CASE("names that the scene does not have are refused") {
    SceneWorld world(scene(freeBody()));
    CHECK_THROWS_WITH(world.body("bull"), Contains("no body 'bull'"));
    CHECK_THROWS_WITH(world.element("x"), Contains("no element 'x'"));
    CHECK_THROWS_WITH(world.heatPort("x"), Contains("no heat port 'x'"));
    CHECK_THROWS_AS(world.body(1), std::out_of_range);
}

TEST_CASE("one step is one tick, whatever the rate") {
    json document = freeBody();
    document["bodies"][0]["velocity"] = {1, 0, 0};
    document["duration"] = 2;
    for (const double rate : {30.0, 60.0, 59.94, 240.0, 1000.0}) {
        INFO(rate);
        SceneWorld world(scene(document), rate);
        CHECK(world.ticksToEnd() == std::lround(2 * rate));
        for (int i = 0; i < 50; ++i) world.step();
        CHECK(world.ticks() == 50);
        CHECK(world.time() == Approx(50 / rate).epsilon(kIsDouble ? 1e-15 : 1e-7));
        CHECK(world.time() == Approx(world.plugin().time()).epsilon(1e-13));
        CHECK(static_cast<double>(world.body("ball").getWorldTransform().getOrigin().x()) ==
              Approx(50 / rate).epsilon(kIsDouble ? 1e-13 : 1e-5));
    }
    CHECK(SceneWorld(scene(document), 240.0).tickLength() == 1.0 / 240);
}

TEST_CASE("a rate that no tick can have is refused") {
    for (const double rate : {0.0, -1.0, 1.1e6, std::nan(""), std::numeric_limits<double>::infinity()}) {
        CHECK_THROWS_WITH(SceneWorld(scene(freeBody()), rate), Contains("rate"));
    }
}

TEST_CASE("a value that Bullet's precision cannot hold is refused") {
    for (const char* field : {"position", "velocity", "angularVelocity"}) {
        json document = freeBody();
        document["bodies"][0][field] = {0, 1e60, 0};
        INFO(field);
        if (kIsDouble) {
            CHECK_NOTHROW(SceneWorld(scene(document)));
        } else {
            CHECK_THROWS_WITH(SceneWorld(scene(document)),
                              Contains("body 'ball'") && Contains(field) && Contains("single"));
        }
    }
    Scene light = scene(freeBody());
    light.bodies[0].mass = 1e-320;  // its inverse is not finite
    CHECK_THROWS_WITH(SceneWorld(light), Contains("body 'ball'") && Contains("mass"));
    Scene thin = scene(freeBody());
    thin.bodies[0].inertia = {1, 1e-320, 1};
    CHECK_THROWS_WITH(SceneWorld(thin), Contains("body 'ball'") && Contains("inertia"));
    Scene heavy = scene(freeBody());
    heavy.gravity = {0, -1e60, 0};
    if (!kIsDouble) CHECK_THROWS_WITH(SceneWorld(heavy), Contains("gravity = -1e+60") && Contains("single"));
}

TEST_CASE("a duration is at least one tick, and not more ticks than can be counted") {
    Scene description = scene(freeBody());
    description.rate = 240;
    for (const double duration : {1e-9, 0.6 / 240, 1e300}) {
        description.duration = duration;
        CHECK_THROWS_WITH(SceneWorld(description).ticksToEnd(),
                          Contains("duration = ") && Contains("at least one tick, 0.00416667 s, and at most 1e+15"));
    }
    description.duration = 0.00416667;
    CHECK(SceneWorld(description).ticksToEnd() == 1);
    description.duration = 1.4 / 240;
    CHECK(SceneWorld(description).ticksToEnd() == 1);
    description.duration = 1;
    CHECK_THROWS_WITH(SceneWorld(description, 0.5).ticksToEnd(), Contains("at least one tick, 2 s"));
}

TEST_CASE("a kinematic body follows its path tick by tick") {
    json document = freeBody();
    document["bodies"].push_back(json::parse(R"({"name": "lift", "motion": "kinematic", "path": [
        {"time": 0, "position": [0, 0, 5]}, {"time": 1, "position": [0, 2, 5], "orientation": [0, 0.6, 0, 0.8]},
        {"time": 1.5, "position": [0, 2, 5], "orientation": [0, 0.6, 0, 0.8]}]})"));
    const Scene description = scene(document);
    SceneWorld world(description);
    for (const double time : {0.25, 0.75, 1.0, 1.25}) {
        run(world, time);
        INFO(time);
        const BodyState expected = pathState(description.bodies[1], world.time());
        const BodyState now = world.sample().bodies[1];
        CHECK((now.position - expected.position).norm() < kRounding);
        CHECK(now.orientation.angularDistance(expected.orientation) < (kIsDouble ? 1e-7 : 1e-3));
        const Vector velocity = time <= 1 ? Vector(0, 2, 0) : Vector(0, 0, 0);
        CHECK((now.velocity - velocity).norm() < (kIsDouble ? 1e-11 : 1e-3));
    }
}

TEST_CASE("an element follows the kinematic body it hangs on") {
    // A stiff, strongly damped spring pulled up with 1 m/s: after a while the mass moves with it.
    const json document = json::parse(R"({"elasto": 1, "name": "lift", "gravity": [0, 0, 0], "bodies": [
        {"name": "lift", "motion": "kinematic", "path": [{"time": 0, "position": [0, 0, 0]}, {"time": 2, "position": [0, 2, 0]}]},
        {"name": "mass", "mass": 1, "angularFactor": [0, 0, 0]}], "elements": [
        {"name": "s", "type": "SpringDamper", "axis": [0, 1, 0], "frame_a": {"body": "lift"}, "frame_b": {"body": "mass"}, "c": 1000, "d": 60}]})");
    SceneWorld world(scene(document));
    run(world, 1.5);
    CHECK(world.sample().bodies[1].position[1] == Approx(1.5).epsilon(1e-5));
    CHECK(world.element("s").v_rel() == Approx(0).margin(1e-3));
}

TEST_CASE("loads act as the scene says") {
    json document = freeBody();
    document["loads"] = json::parse(R"([{"name": "push", "body": "ball", "type": "constant", "force": [4, 0, 0]},
        {"name": "twist", "body": "ball", "type": "constant", "torque": [0, 3, 0]},
        {"name": "shake", "body": "ball", "type": "sine", "force": [0, 2, 0], "frequency": 1}])");
    document["elements"] = json::parse(
        R"([{"name": "free", "type": "Spring", "c": 0, "frame_a": {"body": "world"}, "frame_b": {"body": "ball"}}])");
    SceneWorld world(scene(document));
    run(world, 0.5);
    const BodyState now = world.sample().bodies[0];
    CHECK(now.velocity[0] == Approx(2 * 0.5).epsilon(1e-5));
    CHECK(now.position[0] == Approx(0.25).epsilon(1e-5));
    CHECK(now.angularVelocity[1] == Approx(3 * 0.5).epsilon(1e-5));
    // Integral of sin(2 pi t) over half a period: 1 / pi.
    CHECK(now.velocity[1] == Approx(1 / 3.14159265358979).epsilon(1e-5));
}

TEST_CASE("a mass on a spring moves as its cosine") {
    const json document = json::parse(R"({"elasto": 1, "name": "oscillator", "gravity": [0, 0, 0], "bodies": [
        {"name": "mass", "mass": 2, "angularFactor": [0, 0, 0], "position": [1.5, 0, 0]}], "elements": [
        {"name": "s", "type": "SpringDamper", "frame_a": {"body": "world"}, "frame_b": {"body": "mass"}, "c": 800, "d": 0, "s_rel0": 1}]})");
    SceneWorld world(scene(document), 60);
    for (int i = 0; i < 120; ++i) {
        world.step();
        INFO(world.time());
        CHECK(world.sample().bodies[0].position[0] ==
              Approx(1 + 0.5 * std::cos(20 * world.time())).margin(kIsDouble ? 1e-9 : 1e-5));
    }
}

TEST_CASE("an undamped ball comes back to where it fell from") {
    for (const char* name : {"drop_c1e3_d0", "drop_c1e6_d0", "drop_c1e9_d0", "drop_hertz_d0"}) {
        INFO(name);
        SceneWorld world(asset(name), 60);
        run(world, 2);
        const BodyState now = world.sample().bodies[0];
        const double energy = 0.2 * (now.velocity.squaredNorm() / 2 + 9.80665 * (now.position[1] - 0.05)) +
                              world.element("gap").storedEnergy();
        CHECK(energy == Approx(0.2 * 9.80665 * 0.3).epsilon(kIsDouble ? 1e-5 : 1e-4));
    }
}

TEST_CASE("bodies without a shape meet nothing") {
    json document = freeBody();
    document["bodies"][0]["velocity"] = {1, 0, 0};
    document["bodies"].push_back({{"name", "wall"},
                                  {"motion", "fixed"},
                                  {"position", {0.5, 0, 0}},
                                  {"shape", {{"type", "box"}, {"size", {0.2, 1, 1}}}}});
    SceneWorld through(scene(document));
    run(through, 1);
    CHECK(through.sample().bodies[0].position[0] == Approx(1).epsilon(1e-4));
    // With one it stops.
    document["bodies"][0]["shape"] = {{"type", "sphere"}, {"radius", 0.1}};
    SceneWorld stopped(scene(document));
    run(stopped, 1);
    CHECK(stopped.sample().bodies[0].position[0] < 0.35);
}

TEST_CASE("heat ports hold what their elements lose") {
    SceneWorld world(asset("heat_losses_3d"));
    run(world, 1);
    double heat = 0;
    double power = 0;
    for (std::size_t i = 0; i < world.elements(); ++i) {
        heat += world.element(i).heat();
        power += world.element(i).dissipatedPower();
    }
    const HeatPort& port = *world.heatPort("convection");
    CHECK(heat > 1);
    CHECK(port.energy() == Approx(heat).epsilon(1e-12));
    CHECK(port.power() == Approx(power).epsilon(kIsDouble ? 1e-9 : 1e-3));
    CHECK(world.sample().heatPorts[0].temperature == Approx(298.15 + port.power() / 20));
}

TEST_CASE("before the first tick the sample is already whole") {
    SceneWorld world(asset("heat_losses_3d"));
    const SceneSample sample = world.sample();
    CHECK(sample.time == 0);
    CHECK(sample.elements[0].force.f == Approx(3).epsilon(1e-6));
    CHECK(sample.elements[0].meanForce == sample.elements[0].force.f);
    CHECK(sample.heatPorts[0].power == Approx(4.5).epsilon(1e-6));  // the series element: f^2 / d
    CHECK(sample.heatPorts[0].energy == 0);
}

TEST_CASE("two worlds of one scene run bit for bit alike") {
    for (const char* name : {"heat_losses_3d", "tumbling_box", "suspension"}) {
        INFO(name);
        SceneWorld first(asset(name));
        SceneWorld second(asset(name));
        for (int i = 0; i < 240; ++i) {
            first.step();
            second.step();
        }
        for (std::size_t i = 0; i < first.bodies(); ++i) {
            CHECK(first.body(i).getWorldTransform() == second.body(i).getWorldTransform());
            CHECK(first.body(i).getLinearVelocity() == second.body(i).getLinearVelocity());
        }
    }
}

TEST_CASE("joints reach Bullet with the scene's signs") {
    json document = json::parse(R"({"elasto": 1, "name": "jointed", "gravity": [0, 0, 0],
        "bodies": [{"name": "arm", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0.5, 0, 0],
                    "angularVelocity": [0, 0, 2], "velocity": [0, 1, 0]},
                   {"name": "block", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0.25, 2, 0],
                    "velocity": [0.5, 0, 0]}],
        "joints": [{"name": "shoulder", "type": "hinge", "frame_a": {"body": "world", "orientation": [0, 0, 0.6, 0.8]},
                    "frame_b": {"body": "arm", "position": [-0.5, 0, 0]}},
                   {"name": "guide", "type": "slider", "frame_a": {"body": "world", "position": [0, 2, 0]},
                    "frame_b": {"body": "block"}}]})");
    SceneWorld world(scene(document));
    REQUIRE(world.joints() == 2);
    auto& hinge = dynamic_cast<btHingeConstraint&>(world.joint("shoulder"));
    auto& slider = dynamic_cast<btSliderConstraint&>(world.joint("guide"));
    const auto value = [&](const char* name) {
        for (const Signal& signal : availableSignals(world.scene())) {
            if (signal.name == name) return signalValue(world.scene(), world.sample(), signal);
        }
        throw std::out_of_range(name);
    };
    const double start = -2 * std::atan2(0.6, 0.8);
    CHECK(value("shoulder.phi_rel") == Approx(start));
    CHECK(value("guide.s_rel") == Approx(0.25));
    for (int tick = 0; tick < 60; ++tick) world.step();
    CHECK(value("shoulder.w_rel") == Approx(2).epsilon(0.02));
    CHECK(value("guide.v_rel") == Approx(0.5));
    CHECK(value("shoulder.phi_rel") == Approx(start + 0.5).epsilon(0.02));
    CHECK(static_cast<double>(hinge.getHingeAngle()) == Approx(value("shoulder.phi_rel")));
    CHECK(value("guide.s_rel") == Approx(0.25 + 0.125));
    // Bullet's own is that of the last tick's start.
    CHECK(static_cast<double>(slider.getLinearPos()) == Approx(value("guide.s_rel") - 0.5 / 240));
    CHECK_FALSE(slider.getPoweredLinMotor());
    CHECK_THROWS_WITH(world.joint("knee"), "SceneWorld: no joint 'knee'");
}

TEST_CASE("bodies without elements fly exactly, unless the scene asks for Bullet's way") {
    const json document = json::parse(R"({"elasto": 1, "name": "thrown", "gravity": [0, -10, 0], "rate": 60,
        "bodies": [{"name": "ball", "mass": 2, "inertia": [1, 1, 1], "centreOfMass": [0.1, 0, 0],
                    "velocity": [3, 4, 0], "shape": {"type": "sphere", "radius": 0.1}}],
        "loads": [{"name": "push", "body": "ball", "type": "constant", "force": [0, 0, 4], "startTime": 0.5025}]})");
    json plain = document;
    plain["flight"] = "bullet";
    SceneWorld exact(scene(document)), bullet(scene(plain));
    CHECK(exact.plugin().freeFlight());
    CHECK_FALSE(bullet.plugin().freeFlight());
    run(exact, 1);
    run(bullet, 1);
    const Vector place(3 + 0.1, 4 - 5, 2 * 0.4975 * 0.4975 / 2);
    const double precision = kIsDouble ? 1e-12 : 1e-5;
    CHECK((toEigen(exact.body("ball").getWorldTransform().getOrigin()) - place).norm() < precision);
    const Vector fallen = toEigen(bullet.body("ball").getWorldTransform().getOrigin());
    CHECK(fallen.y() == Approx(-1 - 10. / 60 / 2).epsilon(kIsDouble ? 1e-12 : 1e-5));
}

TEST_CASE("motors and limits act on a joint's coordinate") {
    json document =
        json::parse(R"({"elasto": 1, "name": "driven", "gravity": [0, 0, 0], "rate": 60, "solverIterations": 50,
        "bodies": [{"name": "arm", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0.5, 0, 0]},
                   {"name": "block", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0, 2, 0]}],
        "joints": [{"name": "shoulder", "type": "hinge", "frame_a": {"body": "world"},
                    "frame_b": {"body": "arm", "position": [-0.5, 0, 0]}, "limits": {"lower": -2, "upper": 1},
                    "motor": {"velocity": -1.5, "maxTorque": 2}},
                   {"name": "guide", "type": "slider", "frame_a": {"body": "world", "position": [0, 2, 0]},
                    "frame_b": {"body": "block"}, "limits": {"lower": -1, "upper": 0.25},
                    "motor": {"velocity": 0.5, "maxForce": 3}}]})");
    SceneWorld world(scene(document));
    world.step();
    // 2 N.m turn 0.35 kg.m2, 3 N push 1 kg, for 1/60 s.
    CHECK(static_cast<double>(world.body("arm").getAngularVelocity().z()) == Approx(-2 / 0.35 / 60).epsilon(0.02));
    CHECK(static_cast<double>(world.body("block").getLinearVelocity().x()) == Approx(3.0 / 60).epsilon(1e-4));
    for (int tick = 0; tick < 25; ++tick) world.step();
    CHECK(static_cast<double>(world.body("arm").getAngularVelocity().z()) == Approx(-1.5).epsilon(0.02));
    CHECK(static_cast<double>(world.body("block").getLinearVelocity().x()) == Approx(0.5).epsilon(1e-4));
    for (int tick = 0; tick < 120; ++tick) world.step();
    auto& hinge = dynamic_cast<btHingeConstraint&>(world.joint("shoulder"));
    auto& slider = dynamic_cast<btSliderConstraint&>(world.joint("guide"));
    CHECK(static_cast<double>(hinge.getHingeAngle()) == Approx(-2).margin(0.02));
    CHECK(static_cast<double>(slider.getLinearPos()) == Approx(0.25).margin(0.02));
}

TEST_CASE("a gear pair of a scene turns its wheels against each other") {
    const json document = json::parse(R"({"elasto": 1, "name": "gears", "gravity": [0, 0, 0], "rate": 240,
        "bodies": [{"name": "frame", "mass": 50, "inertia": [5, 5, 5]},
                   {"name": "small", "mass": 1, "inertia": [0.01, 0.01, 0.01]},
                   {"name": "large", "mass": 2, "inertia": [0.05, 0.05, 0.05], "position": [0.2, 0, 0],
                    "orientation": [0, 0, 0.6, 0.8]}],
        "joints": [{"name": "one", "type": "hinge", "frame_a": {"body": "frame"}, "frame_b": {"body": "small"}},
                   {"name": "two", "type": "hinge", "frame_a": {"body": "frame", "position": [0.2, 0, 0]},
                    "frame_b": {"body": "large"}}],
        "elements": [{"name": "mesh", "type": "ElastoBacklash", "frame_a": {"body": "large"},
                      "frame_b": {"body": "small"}, "c": 1e4, "d": 5, "b": 0.01,
                      "gear": {"ratio": -2.5, "carrier": "frame"}}],
        "loads": [{"name": "motor", "body": "small", "type": "constant", "torque": [0, 0, 0.1]}]})");
    const Scene description = scene(document);
    const Scene again = parseScene(writeScene(description));
    REQUIRE(again.elements[0].gear);
    CHECK(again.elements[0].gear->ratio == -2.5);
    CHECK(again.elements[0].gear->carrier == 0);
    SceneWorld world(description);
    CHECK(check(world.world()).empty());
    run(world, 1);
    const ElementState state = world.element("mesh").saveState();
    CHECK(state.phi == Approx(0.5 * 0.1 / (0.01 + 0.05 / (2.5 * 2.5))).margin(0.02));
    CHECK(state.phi == Approx(-2.5 * state.phi2).margin(0.02));
    const SceneSample sample = world.sample();
    const auto spin = [&](std::size_t body) { return sample.bodies[body].angularVelocity.z(); };
    CHECK(0.01 * spin(1) + 0.05 * spin(2) < -0.05);
    // The frame takes what the wheels do not; a few per cent are in the way of the wheel on its side.
    CHECK(5 * spin(0) + 0.01 * spin(1) + 0.05 * spin(2) == Approx(0.1).epsilon(0.05));
    CHECK_FALSE(world.element("mesh").uncoupled());

    json wrong = document;
    wrong["elements"][0]["gear"]["ratio"] = 0;
    CHECK_THROWS_WITH(scene(wrong), Contains("/elements/0/gear/ratio"));
    wrong = document;
    wrong["elements"][0]["gear"]["carrier"] = "small";
    CHECK_THROWS_WITH(scene(wrong), Contains("it is one of the wheels"));
    wrong = document;
    wrong["elements"][0]["frame_a"]["body"] = "world";
    CHECK_THROWS_WITH(scene(wrong), Contains("a wheel of a gear pair is a body"));
    wrong = document;
    wrong["elements"][0]["start"]["phi_rel"] = 1;
    CHECK_THROWS_WITH(scene(wrong), Contains("/elements/0/start"));
}

TEST_CASE("a hinge gives back at its limit what its restitution says") {
    const double restitution = GENERATE(0.25, 0.5, 0.9, 1.);
    const double rate = GENERATE(60., 240.);
    json document = freeBody();
    document["rate"] = rate;
    document["bodies"][0]["angularVelocity"] = {0, 0, 2};
    document["joints"] = json::parse(R"([{"name": "axle", "type": "hinge", "frame_a": {"body": "world"},
        "frame_b": {"body": "ball"}, "limits": {"lower": -1, "upper": 1}}])");
    document["joints"][0]["limits"]["restitution"] = restitution;
    SceneWorld world(scene(document));
    run(world, 1);
    CHECK(world.sample().bodies[0].angularVelocity.z() == Approx(-2 * restitution).epsilon(1e-4));
}

TEST_CASE("a gap of an angle throws a lever back as one of a distance throws a mass") {
    SceneWorld world(scene(json::parse(R"({
  "elasto": 1, "name": "gaps", "rate": 60,
  "bodies": [
    {"name": "lever", "mass": 1, "inertia": [2, 2, 2], "linearFactor": [0, 0, 0], "angularVelocity": [0, 0, -3]},
    {"name": "mass", "mass": 2, "inertia": [1, 1, 1], "position": [5, 0, 0], "linearFactor": [1, 0, 0],
     "velocity": [-3, 0, 0]}
  ],
  "elements": [
    {"name": "angle", "type": "RotationalElastoGap", "frame_a": {"body": "world"}, "frame_b": {"body": "lever"},
     "c": 500, "d": 5, "phi_rel0": -0.3, "n": 1.5, "phi_ref": 0.1},
    {"name": "distance", "type": "ElastoGap", "frame_a": {"body": "world", "position": [5, 0, 0]},
     "frame_b": {"body": "mass"}, "c": 500, "d": 5, "s_rel0": -0.3, "n": 1.5, "s_ref": 0.1}
  ]
})")));
    const ForceElement& angle = world.element("angle");
    const ForceElement& distance = world.element("distance");
    CHECK(isRotational(angle.geometry()));
    double least = 0;
    for (int tick = 0; tick < 60; ++tick) {
        world.step();
        CHECK(angle.phi_rel() == Approx(distance.s_rel()).margin(kIsDouble ? 1e-6 : 1e-4));
        least = std::min(least, angle.phi_rel());
    }
    CHECK(least < -0.4);         // it was hit
    CHECK(angle.phi_rel() > 0);  // and threw back
    CHECK(angle.heat() > 0.1);
    CHECK(angle.heat() == Approx(distance.heat()).epsilon(1e-4));
}

TEST_CASE("a height field has its heights where its rows and columns say") {
    const int axis = GENERATE(0, 1, 2);
    CAPTURE(axis);
    SceneBody ground;
    ground.name = "ground";
    ground.motion = BodyMotion::Fixed;
    ground.position = {0.1, -0.2, 0.3};
    ground.shape.type = SceneShape::Type::HeightField;
    ground.shape.axis = axis;
    ground.shape.columns = 4;
    ground.shape.spacing = {0.5, 0.25};
    for (int i = 0; i < 12; ++i) ground.shape.heights.push_back(0.05 * i * i - 1);
    Scene description;
    description.bodies = {ground};
    SceneWorld world(description);
    const int along = axis == 0 ? 1 : 0, across = axis == 2 ? 1 : 2;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            // A little inside the field: rays on its rim miss it.
            Vector from = ground.position;
            from[along] += 0.5 * (column - 1.5) * 0.999;
            from[across] += 0.25 * (row - 1) * 0.999;
            Vector to = from;
            from[axis] += 20;
            to[axis] -= 20;
            const auto vec = [](const Vector& v) {
                return btVector3(static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()),
                                 static_cast<btScalar>(v.z()));
            };
            btCollisionWorld::ClosestRayResultCallback hit(vec(from), vec(to));
            world.world().rayTest(vec(from), vec(to), hit);
            REQUIRE(hit.hasHit());
            const double height = toEigen(hit.m_hitPointWorld)[axis] - ground.position[axis];
            CHECK(height == Approx(ground.shape.heights[static_cast<std::size_t>(4 * row + column)]).margin(0.01));
        }
    }
}

TEST_CASE("a ball rests on a mesh and a height field with its lowest point") {
    const bool isMesh = GENERATE(true, false);
    json document = freeBody();
    document["gravity"] = {0, -10, 0};
    document["bodies"][0]["position"] = {0.1, 0.3, 0.2};
    document["bodies"][0]["shape"] = {{"type", "sphere"}, {"radius", 0.25}};
    json skin = {{"type", "heightField"}, {"spacing", {2, 2}}, {"heights", {{0, 0}, {0, 0}}}};
    if (isMesh) {
        skin = {{"type", "mesh"}, {"points", {{-1, 0, -1}, {1, 0, -1}, {0, 0, 2}}}, {"triangles", {{0, 2, 1}}}};
    }
    document["bodies"].push_back({{"name", "ground"}, {"motion", "fixed"}, {"shape", skin}});
    SceneWorld world(scene(document), 60);
    run(world, 1);
    CHECK(static_cast<double>(world.body(0).getWorldTransform().getOrigin().y()) == Approx(0.25).margin(1e-3));
}
