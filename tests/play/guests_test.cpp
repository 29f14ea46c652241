// Robots as guests: their links are pulled, their elements plotted and edited, as those of the scene are.

#include "play_scenes.h"

#include <elasto/errors.h>
#include <elasto/robot/load_robot.h>
#include <elasto/robot/robot_scene.h>

#include <play/recording.h>
#include <play/robot_guest.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <cmath>

using namespace elasto;
using namespace elasto::play;
using Catch::Contains;

namespace {

void addArm(SceneWorld& world) {
    static const RobotScene kArm = loadRobotScene(ELASTO_SOURCE_DIR "/assets/robots/arm6_swinging.json");
    // URDF has z upwards, the scene y.
    const RobotPose upright{.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(-M_PI / 2, Eigen::Vector3d::UnitX()))};
    world.add(std::make_unique<RobotGuest>(world, kArm, upright));
}

SessionOptions withArm() {
    SessionOptions options = withBalls(2);
    options.prepare = addArm;
    options.takesMultiBodies = true;
    options.preparedBy = "arm";
    return options;
}

Scene floorOfArm() {
    return asset("gallery/six_axis_arm");
}

const RobotGuest& armOf(const Session& session) {
    return dynamic_cast<const RobotGuest&>(*session.world().guests().front());
}

int elementNamed(const Session& session, const std::string& name) {
    for (std::size_t i = 0; i < session.elements().size(); ++i) {
        if (session.elements()[i].name == name) return static_cast<int>(i);
    }
    FAIL("no element " << name);
    return -1;
}

int bodyNamed(const Session& session, const std::string& name) {
    for (std::size_t i = 0; i < session.bodies(); ++i) {
        if (session.bodyName(static_cast<int>(i)) == name) return static_cast<int>(i);
    }
    FAIL("no body " << name);
    return -1;
}

}  // namespace

TEST_CASE("links and elements of a guest come after those of the scene, and are recorded") {
    Session session(floorOfArm(), withArm());
    const RobotGuest& arm = armOf(session);
    const std::size_t first = session.scene().elements.size();
    REQUIRE(session.elements().size() == first + arm.robot().description().elements.size());
    REQUIRE(session.bodies() == session.world().bodies() + arm.robot().description().links.size());
    const int elbow = elementNamed(session, "elbow.backlash");
    const PlayedElement& described = session.elements()[static_cast<std::size_t>(elbow)];
    CHECK(described.place == PlayedElement::Place::Drive);
    CHECK(described.geometry == Geometry::AboutAxis);
    CHECK(described.type == ElementType::ElastoBacklash);
    CHECK(described.ratio == 100);
    CHECK(described.body == bodyNamed(session, "forearm"));
    CHECK(session.bodyName(described.body) == "forearm");
    CHECK(session.isMovedByForces(described.body));
    CHECK_FALSE(session.isMovedByForces(bodyNamed(session, "base")));
    CHECK_FALSE(session.isBall(session.bodies() - 1));
    CHECK(session.isBall(session.world().bodies() - 1));

    run(session, 120);
    const int joint = arm.robot().description().jointIndex("elbow");
    const MultiBodyElement& motor = *arm.robot().motorOf(joint);
    const auto value = [&](Quantity quantity) {
        return session.history().value(120, static_cast<std::size_t>(elbow), quantity);
    };
    CHECK(value(Quantity::S) == motor.phi_rel());
    CHECK(value(Quantity::Force) == motor.tau());
    CHECK(value(Quantity::MeanForce) == motor.meanForce());
    CHECK(value(Quantity::FlangeA) == motor.motorAngle() / 100);
    CHECK(value(Quantity::FlangeB) == Approx(arm.robot().q(joint)).margin(byPrecision(1e-12, 1e-6)));
    // The forearm's centre of mass, 0.2 m along URDF's z.
    const RobotPose frame = arm.robot().linkPose(arm.robot().description().linkIndex("forearm"));
    const Eigen::Vector3d centre = frame.position + frame.orientation * Eigen::Vector3d(0, 0, 0.2);
    CHECK((session.sample().bodies[static_cast<std::size_t>(described.body)].position - centre).norm() <
          byPrecision(1e-12, 1e-6));
    // What the joints do inside the tick goes from its start to its end.
    const ElementSample inside = session.inside(session.tickLength() / 2).elements[static_cast<std::size_t>(elbow)];
    const double before = session.history().value(119, static_cast<std::size_t>(elbow), Quantity::S);
    CHECK(inside.s == Approx((before + motor.phi_rel()) / 2));
}

TEST_CASE("parameters of a guest's element are edited, refused, taken back and brought again") {
    Session session(floorOfArm(), withArm());
    const int elbow = elementNamed(session, "elbow.backlash");
    run(session, 60);
    session.setParameter(elbow, "b", 0.2);
    session.setParameter(elbow, "c", 4e4);
    CHECK(session.parameter(elbow, "b") == 0.2);
    CHECK(session.startParameter(elbow, "b") == 0.06);
    CHECK_THROWS_WITH(session.setParameter(elbow, "c", -1), Contains("elbow.backlash") && Contains("c"));
    CHECK_THROWS_AS(session.setParameter(elbow, "s_rel0", 1), std::out_of_range);
    CHECK_THROWS_AS(session.setParameter(1000, "c", 1), std::out_of_range);
    CHECK(session.parameter(elbow, "c") == 4e4);
    session.undo();
    CHECK(session.parameter(elbow, "c") == 2e4);
    session.redo();
    run(session, 60);
    double widest = 0;
    for (long tick = 61; tick <= 120; ++tick) {
        widest =
            std::max(widest, std::abs(session.history().value(tick, static_cast<std::size_t>(elbow), Quantity::S)));
    }
    CHECK(widest > 0.05);  // more than half the play that it had at the start
    session.setEnabled(elbow, false);
    CHECK_FALSE(session.isEnabled(elbow));
    run(session, 20);
    CHECK(session.history().value(140, static_cast<std::size_t>(elbow), Quantity::Force) == 0);
    session.setEnabled(elbow, true);
    session.resetParameter(elbow, "b");
    run(session, 20);
    checkSeeks(session);
    session.seek(90);
    CHECK(session.parameter(elbow, "b") == 0.2);
    session.seek(30);
    CHECK(session.parameter(elbow, "b") == 0.06);
    // Parameters and switches stand after a restart, and are the robot's own again after a reset.
    session.seek(100);
    session.restart();
    CHECK(session.parameter(elbow, "b") == 0.2);
    session.reset();
    CHECK(session.parameter(elbow, "b") == 0.06);
}

TEST_CASE("a guest's link is pulled through its joints, and let go", "[slow]") {
    Session session(floorOfArm(), withArm());
    const int hand = bodyNamed(session, "hand");
    const auto handAt = [&] { return session.sample().bodies[static_cast<std::size_t>(hand)].position; };
    Session untouched(floorOfArm(), withArm());
    run(session, 30);
    const Eigen::Vector3d start = handAt();
    session.beginDrag(hand, {0, 0, 0}, start);
    session.moveDrag(start + Eigen::Vector3d(0, 1, 0));
    REQUIRE(session.drag().has_value());
    CHECK(session.drag()->point == start);
    CHECK(session.drag()->force.y() > 20);
    run(session, 60);
    run(untouched, 90);
    const Eigen::Vector3d pulled = handAt();
    CHECK(pulled.y() > untouched.sample().bodies[static_cast<std::size_t>(hand)].position.y() + 0.02);
    session.endDrag();
    CHECK_FALSE(session.drag().has_value());
    run(session, 240);
    session.beginTurn(hand);
    session.moveTurn(Eigen::Quaterniond(Eigen::AngleAxisd(1, Eigen::Vector3d::UnitX())));
    run(session, 20);
    session.endTurn();
    run(session, 10);
    CHECK(session.messages().empty());
    CHECK(session.snapshots().refusal.empty());
    checkSeeks(session);
    CHECK_THROWS_WITH(session.beginDrag(bodyNamed(session, "base"), {0, 0, 0}, {0, 0, 0}), Contains("'base'"));
    CHECK_THROWS_AS(session.beginDrag(1000, {0, 0, 0}, {0, 0, 0}), std::out_of_range);
    // The past is another branch then, and both have the robot's rows.
    session.seek(20);
    session.setParameter(elementNamed(session, "lift.backlash"), "b", 0);
    run(session, 10);
    REQUIRE(session.ghosts().size() == 1);
    CHECK(session.ghosts()[0].history.bodies() == session.bodies());
    CHECK(session.ghosts()[0].history.elements() == session.elements().size());
}

TEST_CASE("the energy of a guest's elements and links does not rise") {
    Session session(floorOfArm(), withArm());
    const int hand = bodyNamed(session, "hand");
    run(session, 60);
    session.beginDrag(hand, {0, 0, 0}, {0.5, 1.2, -0.5});
    run(session, 60);
    session.endDrag();
    session.setParameter(elementNamed(session, "bend.backlash"), "c", 1e4);
    run(session, 120);
    double highest = -1e300;
    for (long tick = 0; tick <= session.lastTick(); ++tick) {
        highest = std::max(highest, session.history().energyGauge(tick));
    }
    const double start = session.history().energyGauge(0);
    CHECK(highest - start < byPrecision(1e-6, 2e-2));
    CHECK(session.history().energyGauge(session.lastTick()) < start);
}

TEST_CASE("a recording with a robot runs again with what prepared it, and is refused without") {
    Session session(floorOfArm(), withArm());
    run(session, 20);
    session.beginDrag(bodyNamed(session, "hand"), {0, 0, 0}, {0.5, 1.2, -0.5});
    run(session, 40);
    session.endDrag();
    session.setParameter(elementNamed(session, "elbow.backlash"), "b", 0.1);
    run(session, 40);
    const Recording recording = parseRecording(writeRecording(recordingOf(session)));
    CHECK(recording.links == session.bodies() - session.world().bodies());
    CHECK(recording.guestElements == session.elements().size());
    Replay replay(recording, addArm);
    while (!replay.isDone()) replay.step();
    CHECK_FALSE(replay.difference());
    CHECK(replay.tick() == 100);
    CHECK_THROWS_WITH(Replay(recording), Contains("'arm'") && Contains("elasto-gallery"));

    Session again(recording.scene, optionsOf(recording, addArm));
    again.takeOver(recording.inputs, recording.marks);
    again.seek(100);
    CHECK(again.bitsAreThoseOfTheFirstPass());
    CHECK_FALSE(again.recordingCheck()->difference);
    // One that refers to a link or element that no robot had is damaged.
    Recording strange = recording;
    strange.links = 1;
    CHECK_THROWS_WITH(parseRecording(writeRecording(strange)), Contains("/inputs/0/body"));
    strange = recording;
    strange.guestElements = 0;
    CHECK_THROWS_WITH(parseRecording(writeRecording(strange)), Contains("element"));
}

TEST_CASE("how a link answers to forces is that of its whole multibody") {
    // A rod of mass m and length L on a hinge: at its end 3 / m, and nothing along itself or about other axes.
    constexpr btScalar kMass = 2;
    constexpr btScalar kLength = btScalar(0.8);
    constexpr btScalar kInertia = kMass * kLength * kLength / 12;
    btMultiBody body(1, 0, btVector3(1, 1, 1), true, false);
    body.setupRevolute(0, kMass, btVector3(kInertia, kInertia, btScalar(1e-6)), -1, btQuaternion::getIdentity(),
                       btVector3(0, 1, 0), btVector3(0, 0, 0), btVector3(0, 0, -kLength / 2), true);
    body.finalizeMultiDof();
    body.setJointPos(0, btScalar(0.4));
    body.setJointVel(0, btScalar(2));
    SceneWorld world(floorOfArm(), std::nullopt, true);
    world.multiBodyWorld()->addMultiBody(&body);
    const Movable rod(world, world.bodies() + 1);
    const double close = byPrecision(1e-12, 1e-5);
    CHECK(rod.mobility({0, 0, -kLength / 2}) == Approx(3 / kMass).epsilon(close));
    CHECK(rod.mobility({0, 0, kLength / 2}) < close);
    CHECK(rod.rotationalMobility() == Approx(3 / (kMass * kLength * kLength)).epsilon(close));
    const Eigen::Vector3d end = rod.toWorld({0, 0, -kLength / 2});
    CHECK((end - Eigen::Vector3d(-kLength * std::sin(0.4), 0, -kLength * std::cos(0.4))).norm() < close);
    CHECK((rod.velocityAt(end) - Eigen::Vector3d(0, 2, 0).cross(end)).norm() < 10 * close);
    CHECK_FALSE(Movable(world, world.bodies()).isMovedByForces());
    CHECK_THROWS_AS(Movable(world, world.bodies() + 2), std::out_of_range);
    world.multiBodyWorld()->removeMultiBody(&body);
}

TEST_CASE("a guest is one robot with nothing around it") {
    RobotScene two = loadRobotScene(ELASTO_SOURCE_DIR "/assets/robots/arm6_swinging.json");
    two.others.push_back(two);
    SceneWorld world(floorOfArm(), std::nullopt, true);
    CHECK_THROWS_WITH(RobotGuest(world, two, {}),
                      Contains("several robots or bodies around them are not allowed here"));
}
