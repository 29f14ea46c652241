// Removing things at any time. Run with sanitizers these tests prove what they say.

#include <catch2/catch.hpp>

#include <algorithm>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// Masses in a row over stops of their own, all hitting in the same tick.
struct Row {
    TestWorld world;
    std::vector<btRigidBody*> masses;
    std::vector<ElastoGap*> stops;

    explicit Row(int count) {
        for (int i = 0; i < count; ++i) {
            masses.push_back(&world.ball(0.2, i, 0.01 + 0.001 * i, 0));
            masses.back()->setLinearVelocity(vec(0, -2, 0));
            stops.push_back(&world.add<ElastoGap>(*masses.back(), upwards(), upwards(i, 0, 0),
                                                  ElastoGapParameters{.c = 1e6, .d = 1}));
        }
    }

    void remove(ForceElement& element) {
        world.world->removeConstraint(&element);
        std::erase_if(world.elements, [&](const auto& owned) { return owned.get() == &element; });
        std::erase(stops, &element);
    }
    void remove(btRigidBody& body) {
        world.world->removeRigidBody(&body);
        std::erase_if(world.bodies, [&](const auto& owned) { return owned.get() == &body; });
        std::erase(masses, &body);
    }
};

}  // namespace

TEST_CASE("contact callbacks tell time and speed in the order of time") {
    Row row(3);
    struct Event {
        ForceElement* element;
        bool begins;
        ContactInfo info;
    };
    std::vector<Event> events;
    for (ElastoGap* stop : row.stops) {
        stop->onContactBegin([&](ForceElement& e, const ContactInfo& info) { events.push_back({&e, true, info}); });
        stop->onContactEnd([&](ForceElement& e, const ContactInfo& info) { events.push_back({&e, false, info}); });
    }
    row.world.tick();
    REQUIRE(events.size() == 6);
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
        CHECK(events[i].info.time <= events[i + 1].info.time);
    }
    CHECK(events[0].element == row.stops[0]);
    CHECK(events[0].begins);
    const double g = TestWorld::kGravity;
    const double v = std::sqrt(4 + 2 * g * 0.01);
    CHECK(events[0].info.speed == Approx(v).epsilon(1e-5));
    CHECK(events[0].info.time == Approx((v - 2) / g).epsilon(1e-4));
    const auto end = std::find_if(events.begin(), events.end(),
                                  [&](const Event& e) { return !e.begins && e.element == row.stops[0]; });
    CHECK(end->info.speed < v);
    CHECK(row.world.plugin->statistics().events == 6);
}

TEST_CASE("an element removes itself, others and their bodies in a callback") {
    Row row(4);
    int calls = 0;
    for (ElastoGap* stop : row.stops) {
        stop->onContactBegin([&](ForceElement& self, const ContactInfo&) {
            ++calls;
            // The first that hits removes all the others and, at last, itself with its body.
            while (row.stops.size() > 1) {
                ElastoGap* other = row.stops.front() == &self ? row.stops.back() : row.stops.front();
                btRigidBody& body = other->getRigidBodyB();
                row.remove(*other);
                row.remove(body);
            }
            btRigidBody& body = self.getRigidBodyB();
            row.remove(self);
            row.remove(body);
        });
    }
    row.world.tick();
    CHECK(calls == 1);  // the removed ones are not called any more
    CHECK(row.world.bodies.empty());
    row.world.tick(5);
}

TEST_CASE("deferred functions run at the end of the tick, in order, and may defer more") {
    Row row(1);
    std::vector<int> order;
    row.world.plugin->defer([&] {
        order.push_back(1);
        row.world.plugin->defer([&] { order.push_back(3); });
    });
    row.world.plugin->defer([&] { order.push_back(2); });
    CHECK(order.empty());
    row.world.tick();
    CHECK(order == std::vector<int>{1, 2});
    row.world.tick();
    CHECK(order == std::vector<int>{1, 2, 3});
}

TEST_CASE("deferred functions behind one that throws run after the next tick") {
    Row row(1);
    int ran = 0;
    row.world.plugin->defer([] { throw std::runtime_error("deferred"); });
    row.world.plugin->defer([&] { ++ran; });
    CHECK_THROWS_WITH(row.world.tick(), "deferred");
    CHECK(ran == 0);
    row.world.tick(2);
    CHECK(ran == 1);
}

TEST_CASE("a load may take itself out and add another one") {
    const bool hasElement = GENERATE(true, false);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& ball = world.ball(1, 0, 1, 0);
    btRigidBody& other = hasElement ? ball : world.ball(1, 5, 1, 0);
    world.add<ElastoGap>(other, upwards(), upwards(0, -9, 0), ElastoGapParameters{.c = 1e4, .d = 1});
    std::shared_ptr<const Load> first;
    int asked = 0;
    first = world.plugin->addLoad(Load(ball, Load::Kind::Force, [&](double) {
        ++asked;
        world.plugin->removeLoad(first);
        if (asked == 1) {
            for (int i = 0; i < 10; ++i) world.plugin->addLoad(Load::constant(ball, Load::Kind::Force, vec(0, 0, 1)));
        }
        return vec(0, 0, 60);
    }));
    world.tick();
    CHECK(static_cast<double>(ball.getLinearVelocity().z()) == Approx(1));
    const int before = asked;
    world.tick(6);
    CHECK(asked == before);
    CHECK(static_cast<double>(ball.getLinearVelocity().z()) == Approx(2));
}

TEST_CASE("the plugin may be destroyed by whom it warns") {
    TestWorld world;
    btRigidBody& a = world.ball(1, 0, 1, 0);
    btRigidBody& b = world.ball(1, 1, 1, 0);
    btPoint2PointConstraint& soft = world.add<btPoint2PointConstraint>(a, b, vec(0.5, 0, 0), vec(-0.5, 0, 0));
    soft.setParam(BT_CONSTRAINT_CFM, btScalar(0.1), -1);
    world.add<ElastoGap>(a, upwards(), upwards(), ElastoGapParameters{.c = 1e4, .d = 1});
    int calls = 0;
    world.plugin->setMessageHandler([&](const std::string&) {
        ++calls;
        world.plugin->setMessageHandler(nullptr);
        world.plugin.reset();
    });
    world.tick();
    CHECK(calls == 1);
    CHECK(world.plugin == nullptr);
    world.world->removeConstraint(world.elements.back().get());
    world.tick(2);
}

TEST_CASE("an element that is another world's now is not called back by the one before") {
    Row row(2);
    int calls = 0;
    for (ElastoGap* stop : row.stops) {
        stop->onContactBegin([&](ForceElement&, const ContactInfo&) {
            ++calls;
            throw std::runtime_error("from the callback");
        });
    }
    CHECK_THROWS_WITH(row.world.tick(), "from the callback");
    {
        TestWorld other;
        row.world.world->removeConstraint(row.stops[1]);
        row.world.world->removeRigidBody(row.masses[1]);
        other.world->addRigidBody(row.masses[1]);
        other.world->addConstraint(row.stops[1]);
        row.masses[1]->setWorldTransform(at(1, 5, 0));
        other.tick();
        other.world->removeConstraint(row.stops[1]);
        other.world->removeRigidBody(row.masses[1]);
        row.world.world->addRigidBody(row.masses[1]);
        row.remove(*row.stops[1]);
    }
    row.world.tick();
    CHECK(calls == 1);
}

TEST_CASE("new bodies and elements may be added in a callback") {
    Row row(1);
    row.stops[0]->onContactBegin([&](ForceElement&, const ContactInfo&) {
        btRigidBody& fresh = row.world.ball(1, 5, 1, 0);
        row.world.add<Spring>(fresh, vec(0, 0, 0), vec(5, 2, 0), 10, 1);
    });
    row.world.tick(2);
    CHECK(row.world.plugin->statistics().elements == 2);
}

TEST_CASE("a callback that throws leaves a world that goes on") {
    Row row(2);
    row.stops[0]->onContactBegin(
        [](ForceElement&, const ContactInfo&) { throw std::runtime_error("from the callback"); });
    CHECK_THROWS_WITH(row.world.tick(), "from the callback");
    const double height = heightOf(*row.masses[0]);
    CHECK(height > 0);  // the tick was complete
    row.stops[0]->onContactBegin(nullptr);
    row.world.tick(10);
    CHECK(heightOf(*row.masses[0]) != height);
}

TEST_CASE("the plugin may be destroyed in its own callback") {
    Row row(2);
    row.stops[0]->onContactBegin([&](ForceElement&, const ContactInfo&) {
        row.world.plugin.reset();
        row.remove(*row.stops[1]);
    });
    row.world.tick();
    CHECK(row.world.plugin == nullptr);
    CHECK(row.world.world->getConstraintSolver() == row.world.solver.get());
    row.remove(*row.stops[0]);
    row.world.tick(3);
}

TEST_CASE("elements and bodies may be removed and added between ticks") {
    Row row(5);
    row.world.tick(3);
    row.remove(*row.stops[2]);
    row.remove(*row.masses[2]);
    row.world.tick(3);
    CHECK(row.world.plugin->statistics().elements == 4);
    btRigidBody& fresh = row.world.ball(1, 7, 1, 0);
    row.world.add<Spring>(fresh, vec(0, 0, 0), vec(7, 2, 0), 10, 1);
    row.world.tick();
    CHECK(row.world.plugin->statistics().elements == 5);
}

TEST_CASE("an element whose body was taken out of the world is an error with its name") {
    TestWorld world;
    btRigidBody& a = world.ball(1, 0, 0, 0);
    btRigidBody& b = world.ball(1, 1, 0, 0);
    auto& spring = world.add<Spring>(a, b, vec(0, 0, 0), vec(0, 0, 0), 10, 1);
    spring.setName("left behind");
    world.tick();
    world.world->removeRigidBody(&b);
    CHECK_THROWS_WITH(world.tick(), Catch::Contains("Spring 'left behind'") && Catch::Contains("not in the world"));
}
