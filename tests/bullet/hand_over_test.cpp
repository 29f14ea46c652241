// Stacks that change hands between Bullet and the flow.

#include <catch2/catch.hpp>

#include "contact_scenes.h"

using namespace elasto;
using namespace elasto::test;

namespace {

enum class Kind { Even, Crooked, Dropped, HeavyOnLight };

double speedOf(const btVector3& velocity, const btVector3& angularVelocity) {
    return std::max(static_cast<double>(velocity.length()), 0.5 * static_cast<double>(angularVelocity.length()));
}

// Crates that stand on each other, and a press above them that is there or not.
class PressedStack {
public:
    explicit PressedStack(bool withPlugin) : world(withPlugin) { addFloor(world); }

    void add(Kind kind, double z = 0) {
        constexpr double kPlaces[5][3] = {{-0.022, 0.021, 0.05},
                                          {-0.015, -0.001, -0.01},
                                          {0.009, 0.017, -0.08},
                                          {-0.028, 0.02, 0.01},
                                          {0.016, -0.03, 0}};
        if (kind == Kind::HeavyOnLight) {
            addBox(1, 0, 0.5, z, 0);
            addBox(100, 0.01, 1.5, z, 0);
            return;
        }
        for (int i = 0; i < 5; ++i) {
            const double* place = kPlaces[i];
            const double share = kind == Kind::Even ? 0 : 1;
            const double height = kind == Kind::Dropped ? 0.51 + 1.01 * i : 0.5 + i;
            addBox(1, share * place[0], height, z + share * place[1], share * place[2]);
        }
    }

    /// One that is let go by 6 cm only, on an axis of the box: it acts 4 m from the box's middle.
    void addPressOnAxis(std::size_t box) {
        const btVector3& place = boxes[box]->getWorldTransform().getOrigin();
        const Eigen::Vector3d above(static_cast<double>(place.x()), static_cast<double>(place.y()) + 4,
                                    static_cast<double>(place.z()));
        press = &world.add<ElastoGap>(Placement::alongAxis(*boxes[box], Placement::world(), Eigen::Vector3d::Zero(),
                                                           above, Eigen::Vector3d::UnitY()),
                                      ElastoGapParameters{.c = 1e6, .d = 0, .s_rel0 = 3.94});
        m_letGo = 0.06;
    }

    void addPress(std::size_t box) {
        const btVector3& place = boxes[box]->getWorldTransform().getOrigin();
        const Eigen::Vector3d above(static_cast<double>(place.x()), static_cast<double>(place.y()) + 2,
                                    static_cast<double>(place.z()));
        press = &world.add<ElastoGap>(Placement::alongAxis(Placement::world(), *boxes[box], above,
                                                           Eigen::Vector3d::Zero(), -Eigen::Vector3d::UnitY()),
                                      ElastoGapParameters{.c = 1e6, .d = 0});
        m_letGo = 2;
    }

    /// With 100 N where the stack stands now; else let go.
    void engage(bool isEngaged) {
        ElastoGapParameters parameters = press->parameters();
        parameters.s_rel0 = isEngaged ? press->s_rel() + 1e-4 : press->s_rel() - m_letGo;
        press->setParameters(parameters);
    }

    /// @return true if the tick was Bullet's
    bool tick(double rate) {
        std::vector<btVector3> before;
        for (const btRigidBody* box : boxes) {
            before.push_back(box->getLinearVelocity());
            before.push_back(box->getAngularVelocity());
        }
        world.tick(1, rate);
        lastSpeed = speed;
        speed = change = 0;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const btVector3 v = boxes[i]->getLinearVelocity();
            const btVector3 w = boxes[i]->getAngularVelocity();
            speed = std::max(speed, speedOf(v, w));
            change = std::max(change, speedOf(v - before[2 * i], w - before[2 * i + 1]));
        }
        return !world.plugin || world.plugin->statistics().coupled == 0;
    }

    TestWorld world;
    std::vector<btRigidBody*> boxes;
    ElastoGap* press = nullptr;
    double speed = 0;      // largest after the last tick
    double lastSpeed = 0;  // and before it
    double change = 0;     // in it

private:
    double m_letGo = 0;  // [m]

    void addBox(double mass, double x, double y, double z, double yaw) {
        boxes.push_back(&world.body(mass, new btBoxShape(vec(0.5, 0.5, 0.5)),
                                    btTransform(btQuaternion(vec(0, 1, 0), btScalar(yaw)), vec(x, y, z))));
    }
};

/// Three millimetres away from a body.
void addPressOn(TestWorld& world, btRigidBody& body) {
    const btVector3& place = body.getWorldTransform().getOrigin();
    const Eigen::Vector3d above(static_cast<double>(place.x()), static_cast<double>(place.y()) + 0.003,
                                static_cast<double>(place.z()));
    world.add<ElastoGap>(
        Placement::alongAxis(Placement::world(), body, above, Eigen::Vector3d::Zero(), -Eigen::Vector3d::UnitY()),
        ElastoGapParameters{.c = 1e4, .d = 50});
}

bool areSame(const btRigidBody& x, const btRigidBody& y) {
    return x.getWorldTransform() == y.getWorldTransform() && x.getLinearVelocity() == y.getLinearVelocity() &&
           x.getAngularVelocity() == y.getAngularVelocity();
}

// What a hundred engagements did.
struct Engagements {
    int toFlow = 0;
    int toBullet = 0;
    double kick = 0;        // largest gain of speed in a tick of the flow
    double flowSpeed = 0;   // largest speed after one
    double backChange = 0;  // largest change of a velocity in the first tick of Bullet's
    double ownSpeed = 0;    // of the same stack without elements, in all ticks
    double ownChange = 0;
};

Engagements engage(PressedStack& stack, PressedStack& alone, double rate, int count) {
    Engagements result;
    const auto tickAlone = [&] {
        alone.tick(rate);
        result.ownSpeed = std::max(result.ownSpeed, alone.speed);
        result.ownChange = std::max(result.ownChange, alone.change);
    };
    bool wasBullets = true;
    for (int i = 0; i < count; ++i) {
        // Time to come to rest where it jumped when the flow got it, and to be given back.
        const int ticks = static_cast<int>(0.7 * rate);
        for (int k = 0; k < ticks; ++k) {
            if (k == 0 || k == 2 * ticks / 7) stack.engage(k == 0);
            const bool isBullets = stack.tick(rate);
            tickAlone();
            if (!isBullets) {
                result.kick = std::max(result.kick, stack.speed - stack.lastSpeed);
                result.flowSpeed = std::max(result.flowSpeed, stack.speed);
            }
            if (isBullets && !wasBullets) result.backChange = std::max(result.backChange, stack.change);
            result.toFlow += wasBullets && !isBullets ? 1 : 0;
            result.toBullet += !wasBullets && isBullets ? 1 : 0;
            wasBullets = isBullets;
        }
    }
    // Its largest jump is the larger the longer one waits.
    for (int i = 0; i < 10 * count * static_cast<int>(rate); ++i) tickAlone();
    return result;
}

}  // namespace

TEST_CASE("a press on a stack that comes and goes thirty times kicks nothing", "[slow]") {
    const double rate = GENERATE(60., 240.);
    const Kind kind = GENERATE(Kind::Even, Kind::Crooked, Kind::Dropped, Kind::HeavyOnLight);
    if (kind == Kind::HeavyOnLight && rate == 60) return;  // Bullet's own stack falls over
    PressedStack stack(true);
    PressedStack alone(false);
    for (PressedStack* each : {&stack, &alone}) {
        each->add(kind);
        for (int i = 0; i < 2 * static_cast<int>(rate); ++i) each->tick(rate);  // both are Bullet's
    }
    for (std::size_t b = 0; b < stack.boxes.size(); ++b) REQUIRE(areSame(*stack.boxes[b], *alone.boxes[b]));
    stack.addPress(stack.boxes.size() - 1);
    const Engagements found = engage(stack, alone, rate, longRun(30));
    CAPTURE(rate, static_cast<int>(kind), found.kick, found.flowSpeed, found.ownSpeed, found.backChange,
            found.ownChange);
    // Crooked stacks do not rest in Bullet: the flow gets some while they jump.
    const bool rests = kind == Kind::Even || kind == Kind::HeavyOnLight;
    if (rests) CHECK(found.kick < 1e-6);
    CHECK(found.flowSpeed < (rests ? 1e-6 : found.ownSpeed + 1e-6));
    CHECK(found.backChange < found.ownChange + 1e-6);
    CHECK(found.toFlow >= longRun(30));
    CHECK(found.toBullet >= longRun(30));
}

TEST_CASE("a stack that jumps in Bullet is not taken for one that reaches its press", "[slow]") {
    PressedStack stack(true);
    stack.add(Kind::Crooked);
    stack.addPressOnAxis(4);
    const double rate = 60;
    int bullets = 0;
    double fastest = 0;
    const int ticks = longRun(1200);
    for (int i = 0; i < ticks; ++i) {
        bullets += stack.tick(rate) ? 1 : 0;
        fastest = std::max(fastest, stack.speed);
    }
    CHECK(bullets > 0.8 * ticks);
    CHECK(fastest > 0.02);
    CHECK(stack.world.plugin->totals().missed == 0);
    // Given back for a moment only, it goes on as gently.
    PressedStack alone(false);
    alone.add(Kind::Crooked);
    const Engagements found = engage(stack, alone, rate, longRun(100));
    CHECK(found.toBullet >= longRun(100));
    CHECK(found.flowSpeed < found.ownSpeed + 1e-6);
    CHECK(found.backChange < found.ownChange + 1e-6);
}

TEST_CASE("a stack on which something has fallen is not thrown up when Bullet has it back") {
    const double mass = GENERATE(10., 100., 500.);
    const double shift = GENERATE(0.01, -0.015);
    TestWorld world;
    addFloor(world);
    constexpr int kBoxes = 10;  // more than the flow follows unasked
    std::vector<btRigidBody*> boxes;
    for (int i = 0; i < kBoxes; ++i) {
        boxes.push_back(&world.body(1, new btBoxShape(vec(0.1, 0.1, 0.1)),
                                    btTransform(btQuaternion(vec(0, 1, 0), btScalar(0.1 * (i % 3 - 1))),
                                                vec(shift * (i % 2), 0.1 + 0.2 * i, -shift * (i % 3)))));
    }
    addPressOn(world, *boxes.back());
    const auto energy = [&] {
        double sum = 0;
        for (const btRigidBody* box : boxes) {
            const double m = 1 / static_cast<double>(box->getInvMass());
            const btVector3 w = box->getAngularVelocity() * box->getWorldTransform().getBasis();
            const btVector3 inertia = vec(1, 1, 1) / box->getInvInertiaDiagLocal();
            sum += m * (0.5 * static_cast<double>(box->getLinearVelocity().length2()) +
                        TestWorld::kGravity * static_cast<double>(box->getWorldTransform().getOrigin().y()));
            sum += 0.5 * static_cast<double>((inertia * w).dot(w));
        }
        return sum;
    };
    world.tick(60);
    constexpr double kHeight = 0.05;
    btRigidBody& heavy = world.body(mass, new btBoxShape(vec(0.3, 0.3, 0.3)), at(0, 0.2 * kBoxes + 0.3 + kHeight, 0));
    boxes.push_back(&heavy);
    double rise = 0;
    for (int i = 0; i < 15; ++i) {
        const double before = energy();
        world.tick();
        rise = std::max(rise, energy() - before);
    }
    CAPTURE(mass, shift);
    CHECK(rise < 0.2 * mass * TestWorld::kGravity * kHeight);  // Bullet moves apart what it finds inside each other
    CHECK(static_cast<double>(heavy.getLinearVelocity().y()) < 0.1);
}

TEST_CASE("a pressed stack falls asleep, and wakes when its press moves") {
    TestWorld world;
    addFloor(world);
    for (int i = 0; i < 3; ++i) addCrate(world, 0.01 * i, 0.5 + i, 0).forceActivationState(ACTIVE_TAG);
    btRigidBody& plunger = world.body(0, new btSphereShape(btScalar(0.1)), at(0, 6, 0));
    plunger.setCollisionFlags(plunger.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT |
                              btCollisionObject::CF_NO_CONTACT_RESPONSE);
    btRigidBody& top = *world.bodies[3];
    auto& press = world.add<ElastoGap>(
        Placement::alongAxis(plunger, top, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), -Eigen::Vector3d::UnitY()),
        ElastoGapParameters{.c = 1e5, .d = 10, .s_rel0 = 3.501});
    const auto speed = [&] {
        double fastest = 0;
        for (int b = 1; b <= 3; ++b) {
            const btRigidBody& body = *world.bodies[static_cast<std::size_t>(b)];
            fastest = std::max(fastest, speedOf(body.getLinearVelocity(), body.getAngularVelocity()));
        }
        return fastest;
    };
    const auto sleep = [&] {
        for (int i = 0; i < 600 && top.isActive(); ++i) world.tick();
        return top.getActivationState() == ISLAND_SLEEPING;
    };
    REQUIRE(sleep());
    const btTransform asleep = top.getWorldTransform();
    CHECK(press.f() == Approx(-100).epsilon(byPrecision(1e-9, 1e-2)));
    world.tick(50);
    CHECK(world.plugin->statistics().elements == 0);
    CHECK(top.getWorldTransform() == asleep);
    // Pressed harder, let go, and pressed again: nothing moves while it is the flow's.
    double fastest = 0;
    for (const double lower : {1e-3, -0.5, 2e-3}) {
        plunger.setWorldTransform(at(0, 6 - lower, 0));
        world.tick();
        world.tick();
        CAPTURE(lower);
        CHECK(top.isActive());
        CHECK((lower < 0 ? press.f() == 0 : press.f() < -50));
        for (int i = 0; i < 5; ++i) {
            world.tick();
            fastest = std::max(fastest, speed());
        }
        REQUIRE(sleep());
    }
    CHECK(fastest < byPrecision(1e-9, 1e-6));
    CHECK((top.getWorldTransform().getOrigin() - asleep.getOrigin()).length() < btScalar(0.01));
}

// It stands on its four corners to the last bit, and Bullet finds points at those that rounding has put lower.
TEST_CASE("a crate that has slid to rest is not left on corners that Bullet drops") {
    const double rate = GENERATE(60., 240.);
    double fastest = 0;
    std::int64_t idle = 0;
    for (int i = 0; i < 10; ++i) {
        TestWorld world;
        addFloor(world);
        btRigidBody& crate = addCrate(world, 0, 0.5, 0);
        crate.setLinearVelocity(vec(0.2 + 0.1 * i, 0, 0));
        world.add<ElastoGap>(Placement::alongAxis(crate, Placement::world(), Eigen::Vector3d::Zero(),
                                                  Eigen::Vector3d(10, 0.5, 0), Eigen::Vector3d::UnitX()),
                             ElastoGapParameters{.c = 1e5, .d = 0});
        bool isResting = false;
        for (int tick = 0; tick < static_cast<int>(1.5 * rate); ++tick) {
            world.tick(1, rate);
            const double speed = speedOf(crate.getLinearVelocity(), crate.getAngularVelocity());
            isResting = isResting || speed < 1e-5;
            if (!isResting) continue;
            fastest = std::max(fastest, speed);
            idle += world.plugin->statistics().idle;
        }
    }
    CAPTURE(rate, fastest, idle);
    CHECK(fastest < 1e-3);  // Bullet's own jitter
    CHECK(idle > 100);
}

TEST_CASE("a pile beside one that is pressed stays Bullet's, to the last bit") {
    PressedStack stack(true);
    PressedStack alone(false);
    for (PressedStack* each : {&stack, &alone}) {
        each->add(Kind::Crooked, 3);
        each->add(Kind::Crooked, 0);
    }
    stack.addPress(9);
    for (int k = 0; k < longRun(600); ++k) {
        if (k % 40 == 0) stack.engage(k % 80 == 0);
        stack.tick(60);
        alone.tick(60);
        for (std::size_t b = 0; b < 5; ++b) REQUIRE(areSame(*stack.boxes[b], *alone.boxes[b]));
    }
    CHECK(stack.world.plugin->totals().coupled > 0);
}
