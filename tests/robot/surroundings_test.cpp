// Robots among bodies of the scene, and several robots in one world.

#include <elasto/robot/robot_world.h>
#include <elasto/world_recording.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <sstream>
#include <string>

using namespace elasto;

namespace {

constexpr bool kInDouble = sizeof(btScalar) == 8;
constexpr double kStandardGravity = 9.80665;

/// A cart on a rail along x: a box of 0.2 m.
RobotDescription cart(double mass) {
    const std::string m = std::to_string(mass);
    return parseRobot(R"(<robot name="cart"><link name="rail"/><link name="cart"><inertial><mass value=")" + m +
                      R"("/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial>
<collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-9" upper="9" effort="99" velocity="99"/></joint></robot>)");
}

/// A box of 0.2 m at x that moves along x and z and does not turn.
SceneBody box(const std::string& name, double mass, double x, double z = 0) {
    SceneBody body;
    body.name = name;
    body.mass = mass;
    body.inertia.setConstant(0.01);
    body.position = {x, 0, z};
    body.linearFactor = {1, 0, 1};
    body.angularFactor.setZero();
    body.shape.type = SceneShape::Type::Box;
    body.shape.size.setConstant(0.2);
    return body;
}

SceneElement spring(const std::string& name, int a, int b, double c, double s_rel0) {
    SceneElement element;
    element.name = name;
    element.type = ElementType::SpringDamperParallel;
    element.geometry = Geometry::AlongAxis;
    element.frame_a.body = a;
    element.frame_b.body = b;
    element.law = SpringDamperLaw({.c = c, .d = 0, .s_rel0 = s_rel0});
    return element;
}

double signalOf(const RobotWorld& world, const std::string& name) {
    for (const RobotSignal& signal : availableRobotSignals(world.scene())) {
        if (signal.name == name) return world.value(signal);
    }
    FAIL("no signal " << name);
    return 0;
}

void runToEnd(RobotWorld& world) {
    while (world.ticks() < world.ticksToEnd()) world.step();
    CHECK(world.plugin().totals().failedTicks == 0);
}

/// A free ball of 1 kg and 0.1 m.
RobotDescription ball() {
    return parseRobot(R"(<robot name="ball"><link name="ball"><inertial><mass value="1"/>
<inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/></inertial>
<collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>)");
}

constexpr double kSlope = 0.2;  // rise along x

/// Ground that rises along x, as a field of heights.
SceneBody slopeOfHeights() {
    SceneBody ground;
    ground.name = "slope";
    ground.motion = BodyMotion::Fixed;
    ground.shape.type = SceneShape::Type::HeightField;
    ground.shape.axis = 2;
    ground.shape.columns = 9;
    ground.shape.spacing = {0.5, 1};
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 9; ++column) ground.shape.heights.push_back(kSlope * 0.5 * (column - 4));
    }
    return ground;
}

/// The same as a mesh of eight triangles.
SceneBody slopeOfTriangles() {
    SceneBody ground;
    ground.name = "slope";
    ground.motion = BodyMotion::Fixed;
    ground.shape.type = SceneShape::Type::Mesh;
    for (int column = 0; column < 5; ++column) {
        for (const double y : {-1., 1.}) ground.shape.points.push_back({column - 2., y, kSlope * (column - 2)});
    }
    for (int k = 0; k < 8; k += 2) {
        ground.shape.triangles.push_back({k, k + 2, k + 1});
        ground.shape.triangles.push_back({k + 1, k + 2, k + 3});
    }
    return ground;
}

}  // namespace

TEST_CASE("a robot pushes a box with a spring of the scene behind it") {
    // 2 kg at 3 m/s take 1 kg along at 2 m/s, half a swing of sqrt(c / 3 kg), and come back alone at 2 m/s.
    for (const double rate : {60., 240., 1000.}) {
        INFO(rate);
        RobotScene scene = sceneOfRobot(cart(2));
        scene.gravity.setZero();
        scene.q = {-0.5};
        scene.v = {3};
        scene.duration = 1;
        scene.around.bodies = {box("box", 1, 0)};
        scene.around.elements = {spring("behind", 0, kWorld, 300, 1)};
        scene.around.elements[0].frame_b.position = {1, 0, 0};
        RobotWorld world(scene, rate);
        double most = 0;
        while (world.ticks() < world.ticksToEnd()) {
            world.step();
            most = std::max(most, signalOf(world, "behind.f_mean") < 0 ? -signalOf(world, "behind.f_mean") : 0);
        }
        const double touched = 0.3 / 3, parted = touched + M_PI / std::sqrt(300. / 3);
        const double error = kInDouble ? 1e-6 : 1e-4;
        CHECK(world.robot().v(0) == Approx(-2).margin(error));
        CHECK(world.robot().q(0) == Approx(-0.2 - 2 * (1 - parted)).margin(error));
        // The box swings on alone, from x = 0 at 2 m/s backwards.
        const double left = std::sqrt(300.) * (1 - parted);
        CHECK(signalOf(world, "box.r_0[1]") == Approx(-2 / std::sqrt(300.) * std::sin(left)).margin(error));
        CHECK(most > 300 * 2 / std::sqrt(100.) * 0.9);
        CHECK(world.plugin().energy().kinetic + world.plugin().energy().stored == Approx(6).epsilon(1e-5));
    }
}

TEST_CASE("two robots push each other over a box on the ground") {
    // 60 N against 30 N and the friction of 4 kg with mu = 0.5 x 0.5: a = (30 - 0.25 4 g) / 7.
    const double friction = 0.25 * 4 * kStandardGravity, a = (30 - friction) / 7;
    for (const double rate : {60., 240., 1000.}) {
        INFO(rate);
        RobotScene scene = sceneOfRobot(cart(1));
        scene.prefix = "left.";
        scene.q = {-0.2};
        scene.pose.position = {0, 0, 0.1};
        scene.loads = {{0, {}}};
        scene.loads[0].value.value = 60;
        SceneRobot& right = scene.others.emplace_back(sceneOfRobot(cart(2)));
        right.prefix = "right.";
        right.q = {0.2};
        right.pose.position = {0, 0, 0.1};
        right.loads = {{0, {}}};
        right.loads[0].value.value = -30;
        scene.ground = true;
        scene.duration = 0.5;
        scene.around.bodies = {box("box", 4, 0, 0.1)};
        // The carts are guided 1 mm above the ground, and do not rub up or down on the box.
        for (SceneRobot* robot : {static_cast<SceneRobot*>(&scene), &right}) {
            robot->pose.position.z() += 1e-3;
            robot->robot.links[1].surface.friction = 0;
        }
        RobotWorld world(scene, rate);
        runToEnd(world);
        const double error = kInDouble ? 1e-4 : 1e-3;
        CHECK(world.robot(0).v(0) == Approx(a * 0.5).epsilon(error));
        CHECK(world.robot(1).v(0) == Approx(a * 0.5).epsilon(error));
        CHECK(signalOf(world, "box.r_0[1]") == Approx(a * 0.125).epsilon(5 * error));
        CHECK(signalOf(world, "left.cart.contact.f_n") == Approx(60 - a).epsilon(error));
        CHECK(signalOf(world, "right.cart.contact.f_n") == Approx(30 + 2 * a).epsilon(error));
        CHECK(signalOf(world, "left.slide.s") == world.robot(0).q(0));
    }
}

TEST_CASE("a ball rolls down a height field and a mesh as down a plane") {
    const bool isField = GENERATE(true, false);
    const double rate = GENERATE(60., 240., 1000.);
    CAPTURE(isField, rate);
    RobotScene scene = sceneOfRobot(ball());
    const double angle = std::atan(kSlope);
    scene.pose.position = {1, 0, kSlope + 0.1 / std::cos(angle)};
    scene.friction = 1;
    scene.duration = 1;
    scene.around.bodies = {isField ? slopeOfHeights() : slopeOfTriangles()};
    scene.around.bodies[0].friction = 1;
    RobotWorld world(scene, rate);
    runToEnd(world);
    // I = 2/5 m r^2.
    const double way = 5. / 7 * kStandardGravity * std::sin(angle) / 2;
    const Eigen::Vector3d at = world.robot().linkPose(0).position;
    CHECK(1 - at.x() == Approx(way * std::cos(angle)).epsilon(1e-3));
    CHECK(at.z() == Approx(kSlope * at.x() + 0.1 / std::cos(angle)).margin(1e-4));
    CHECK(std::abs(at.y()) < 1e-4);
}

TEST_CASE("a leg with a spring hops on a height field and a mesh as on the ground") {
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="hopper" xmlns:elasto="urn:elasto"><link name="rail"/>
<link name="trunk"><inertial><mass value="5"/><inertia ixx="0.05" ixy="0" ixz="0" iyy="0.05" iyz="0" izz="0.05"/></inertial></link>
<joint name="lift" type="prismatic"><parent link="rail"/><child link="trunk"/><axis xyz="0 0 1"/>
<limit lower="-9" upper="9" effort="9" velocity="99"/></joint>
<link name="foot"><inertial><mass value="0.3"/><inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial>
<collision><geometry><sphere radius="0.03"/></geometry></collision></link>
<joint name="leg" type="prismatic"><parent link="trunk"/><child link="foot"/><origin xyz="0 0 -0.4"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="9" velocity="99"/></joint>
<elasto:spring joint="leg" c="8000" d="2"/></robot>)"));
    scene.q = {0.9, 0};
    scene.duration = 1;
    const auto endOn = [&](const SceneBody& ground, double rate) {
        RobotScene on = scene;
        on.around.bodies = {ground};
        // On the slope the foot touches beside its lowest point.
        on.pose.position = {0.3, 0.1, 0.3 * kSlope + 0.03 / std::cos(std::atan(kSlope)) - 0.03};
        on.friction = 0;
        RobotWorld world(on, rate);
        runToEnd(world);
        return world.robot().q(0);
    };
    scene.ground = false;
    const double error = kInDouble ? 1e-5 : 1e-3;
    const double fine = endOn(slopeOfTriangles(), 1000);
    CHECK(fine > 0.3);
    for (const double rate : {60., 240., 1000.}) {
        INFO(rate);
        CHECK(endOn(slopeOfTriangles(), rate) == Approx(fine).margin(error));
        CHECK(endOn(slopeOfHeights(), rate) == Approx(fine).margin(error));
    }
}

TEST_CASE("a spring between a body of the scene and a link swings both") {
    // 2 kg and 1 kg on 200 N/m: x_rel - 0.3 is 0.1 cos(sqrt(c / mu) t), mu = 2/3 kg.
    for (const Geometry geometry : {Geometry::AlongAxis, Geometry::AlongLine}) {
        for (const double rate : {60., 1000.}) {
            RobotScene scene = sceneOfRobot(cart(2));
            scene.gravity.setZero();
            scene.duration = 1;
            scene.around.bodies = {box("box", 1, 0.4)};
            SceneBody standIn;
            standIn.name = "cart";
            standIn.inertia.setOnes();
            scene.around.bodies.push_back(standIn);
            scene.links = {{0, 1}};
            scene.around.elements = {spring("between", 1, 0, 200, 0.3)};
            scene.around.elements[0].geometry = geometry;
            CHECK(scene.bodies() == 1);
            RobotWorld world(scene, rate);
            const bool onLine = geometry == Geometry::AlongLine;
            const std::string s = onLine ? "between.s" : "between.s_rel";
            CHECK(signalOf(world, s) == Approx(0.4));
            CHECK(signalOf(world, "between.f") == Approx(20).epsilon(1e-5));
            runToEnd(world);
            const double error = kInDouble ? 1e-9 : 2e-5;
            const double now = 0.3 + 0.1 * std::cos(std::sqrt(200 / (2. / 3)));
            CHECK(signalOf(world, s) == Approx(now).margin(error));
            CHECK(signalOf(world, "between.frame_b.f[1]") == Approx(200 * (now - 0.3)).margin(300 * error));
            CHECK(signalOf(world, "box.r_0[1]") - world.robot().q(0) == Approx(now).margin(error));
            CHECK(2 * world.robot().v(0) + signalOf(world, "box.v_0[1]") == Approx(0).margin(error));
            CHECK(world.tie("between").f() == Approx(signalOf(world, "between.f")));
        }
    }
}

TEST_CASE("a torsion spring between the world and a link counts from where it is stated") {
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="wheel"><link name="base"/><link name="wheel"><inertial>
<origin rpy="0.3 0 0"/><mass value="2"/><inertia ixx="0.03" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
<joint name="axle" type="continuous"><parent link="base"/><child link="wheel"/><axis xyz="0 1 0"/></joint></robot>)"));
    scene.q = {0.5};
    scene.duration = 1;
    SceneBody standIn;
    standIn.name = "wheel";
    standIn.inertia.setOnes();
    standIn.orientation = Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitY());
    scene.around.bodies = {standIn};
    scene.links = {{0, 1}};
    SceneElement element = spring("torsion", kWorld, 0, 2, 0.1);
    element.type = ElementType::RotationalSpringDamper;
    element.geometry = Geometry::AboutAxis;
    element.axis = Eigen::Vector3d::UnitY();
    // Turned frames in both: phi_rel is still the joint's angle.
    element.frame_a.orientation = element.frame_b.orientation =
        Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitX()));
    scene.around.elements = {element};
    for (const double rate : {60., 1000.}) {
        RobotWorld world(scene, rate);
        CHECK(signalOf(world, "torsion.phi_rel") == Approx(0.5));
        runToEnd(world);
        // The inertia about y is that of the turned tensor.
        const double inertia = 0.02;
        CHECK(world.robot().q(0) ==
              Approx(0.1 + 0.4 * std::cos(std::sqrt(2 / inertia))).margin(kInDouble ? 1e-6 : 1e-4));
    }
}

TEST_CASE("restitution and friction of links are those of their surfaces") {
    RobotScene scene = sceneOfRobot(ball());
    scene.ground = true;
    scene.restitution = 1;
    scene.robot.links[0].surface.restitution = 0.8;
    scene.pose.position = {0, 0, 0.6};
    const double fall = std::sqrt(2 * 0.5 / kStandardGravity), speed = kStandardGravity * fall;
    scene.duration = fall + 0.8 * speed / kStandardGravity;  // at the apex
    for (const double rate : {60., 240.}) {
        RobotWorld world(scene, rate);
        runToEnd(world);
        CHECK(world.robot().linkPose(0).position.z() == Approx(0.1 + 0.64 * 0.5).epsilon(2e-3));
    }
}

TEST_CASE("a platform is on its path while controllers divide the ticks of two robots") {
    RobotScene scene = sceneOfRobot(cart(2));
    scene.prefix = "a.";
    scene.gravity.setZero();
    scene.duration = 0.5;
    RobotServo servo;
    servo.target.value = 0.3;
    servo.stiffness = 400;
    servo.damping = 20;
    servo.control.rate = 500;
    scene.servos = {servo};
    SceneRobot& other = scene.others.emplace_back(sceneOfRobot(cart(1)));
    other.prefix = "b.";
    other.pose.position = {0, 1, 0};
    servo.control.rate = 300;
    other.servos = {servo};
    SceneBody platform;
    platform.name = "platform";
    platform.motion = BodyMotion::Kinematic;
    platform.path = {{0, {0, 5, 0}, Eigen::Quaterniond::Identity()}, {1, {2, 5, 0}, Eigen::Quaterniond::Identity()}};
    scene.around.bodies = {platform};
    const auto ends = [&](double rate) {
        RobotWorld world(scene, rate);
        runToEnd(world);
        CHECK(signalOf(world, "platform.r_0[1]") == Approx(1));
        return std::array<double, 2>{world.robot(0).q(0), world.robot(1).q(0)};
    };
    const std::array<double, 2> fine = ends(1500);
    for (const double rate : {60., 240., 1000.}) {
        INFO(rate);
        for (std::size_t k = 0; k < 2; ++k) CHECK(ends(rate)[k] == Approx(fine[k]).margin(kInDouble ? 1e-8 : 1e-5));
    }
}

TEST_CASE("messages name links and elements of several robots with the robots' names") {
    RobotScene scene = sceneOfRobot(ball());
    scene.prefix = "low.";
    scene.pose.position = {0, 0, 0.05};  // half of it in the ground
    scene.ground = true;
    SceneRobot& other = scene.others.emplace_back(sceneOfRobot(ball()));
    other.prefix = "high.";
    other.pose.position = {1, 0, 0.5};
    RobotWorld world(scene, 60);
    std::string said;
    world.plugin().setMessageHandler([&](const std::string& text) { said += text; });
    for (int i = 0; i < 5; ++i) world.step();
    CHECK_THAT(said, Catch::Contains("link 'low.ball' was found") && !Catch::Contains("high"));
}

TEST_CASE("a scene with bodies begins anew with the same bits") {
    RobotScene scene = sceneOfRobot(ball());
    scene.pose.position = {0.5, 0, 0.5};
    scene.friction = 0.8;
    scene.around.bodies = {slopeOfHeights(), box("box", 1, -0.3, 0.2)};
    RobotWorld world(scene, 120);
    const auto end = [&] {
        for (int i = 0; i < 120; ++i) world.step();
        return std::array{signalOf(world, "ball.r_0[1]"), signalOf(world, "box.r_0[3]"),
                          world.plugin().energy().kinetic};
    };
    const auto first = end();
    world.restart();
    CHECK(world.time() == 0);
    CHECK(signalOf(world, "box.r_0[3]") == Approx(0.2));
    CHECK(end() == first);
}

TEST_CASE("heat ports take what elements of robots, on links and between bodies dissipate") {
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="cart" xmlns:elasto="urn:elasto"><link name="rail"/>
<link name="cart"><inertial><mass value="2"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-9" upper="9" effort="99" velocity="99"/></joint>
<elasto:spring joint="slide" c="0" d="4"/></robot>)"));
    scene.v = {3};
    scene.gravity.setZero();
    scene.duration = 1;
    scene.around.heatPorts = {{.name = "oil", .conductance = 5, .ambientTemperature = 300}};
    scene.heat = {{0, 0}};
    RobotWorld world(scene, 60);
    CHECK(signalOf(world, "oil.power") == Approx(4 * 9).epsilon(1e-6));
    CHECK(signalOf(world, "oil.T") == Approx(300 + 36 / 5.).epsilon(1e-6));
    CHECK(signalOf(world, "oil.energy") == 0);
    runToEnd(world);
    // It slows down by exp(-d t / m).
    const double v = 3 * std::exp(-2.);
    const double close = kInDouble ? 1e-8 : 1e-4;
    CHECK(signalOf(world, "oil.power") == Approx(4 * v * v).epsilon(close));
    CHECK(signalOf(world, "oil.T") == Approx(300 + 4 * v * v / 5).epsilon(close));
    CHECK(signalOf(world, "slide.spring.TheatPort") == signalOf(world, "oil.T"));
    CHECK(signalOf(world, "oil.energy") == Approx(9 - v * v).epsilon(close));
    CHECK(signalOf(world, "oil.energy") == Approx(signalOf(world, "totalHeat")).epsilon(1e-12));
    world.restart();
    CHECK(signalOf(world, "oil.energy") == 0);
    CHECK(signalOf(world, "oil.power") == Approx(36).epsilon(1e-6));
    runToEnd(world);
    CHECK(signalOf(world, "oil.energy") == Approx(9 - v * v).epsilon(close));
}

namespace {

void checkRecording(const RobotScene& scene, double rate, int ticks) {
    RobotWorld world(scene, rate);
    world.plugin().setMessageHandler(nullptr);
    world.plugin().record(64);
    for (int tick = 0; tick < ticks; ++tick) world.step();
    std::stringstream bytes;
    world.plugin().recording().write(bytes);
    WorldReplay replay(WorldRecording::read(bytes, "test"));
    while (!replay.isDone()) replay.step();
    CAPTURE(replay.tick());
    CHECK_FALSE(replay.differs());
    CHECK(replay.tick() >= ticks);
    // A snapshot brings all of it back, too.
    const WorldSnapshot saved = world.plugin().saveWorld();
    const std::vector<RobotDrivesState> drives = world.drivesStates();
    const long there = world.ticks();
    const auto run = [&] {
        for (int tick = 0; tick < ticks / 4; ++tick) world.step();
        return world.plugin().saveWorld().hash();
    };
    const std::uint64_t first = run();
    world.plugin().restoreWorld(saved);
    world.setTicks(there, drives);
    CHECK(run() == first);
}

}  // namespace

TEST_CASE("robots among bodies, with elements and heat ports, are recorded and run again to the bit") {
    RobotScene scene = loadRobotScene(ELASTO_SOURCE_DIR "/assets/robots/pushers.json");
    scene.around.heatPorts = {{.name = "oil"}};
    for (SceneElement& element : scene.around.elements) element.heatPort = 0;
    scene.heat = {{0, 0}};
    scene.others[0].servos[0].control.rate = 70;  // ticks in parts
    scene.others[0].servos[0].control.delay = 0.01;
    SceneBody ball;
    ball.name = "ball";
    ball.mass = 2;
    ball.inertia.setConstant(0.01);
    ball.position = {0, 0.02, 1};
    ball.shape.type = SceneShape::Type::Sphere;
    ball.shape.radius = 0.1;
    scene.around.bodies.insert(scene.around.bodies.begin() + 1, ball);  // before the bodies that stand for links
    for (SceneElement& element : scene.around.elements) {
        for (SceneFrame* frame : {&element.frame_a, &element.frame_b}) {
            if (frame->body > 0) ++frame->body;
        }
    }
    checkRecording(scene, 60, 120);
    checkRecording(scene, 240, 240);
}
