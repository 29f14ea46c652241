#include "machine_scenes.h"

#include <array>
#include <cmath>

namespace elasto::bench {

namespace {

btTransform at(const btVector3& place) {
    return btTransform(btQuaternion::getIdentity(), place);
}

btRigidBody& floor(CoupledWorld& world) {
    return world.box(0, vec(50, 0.5, 50), vec(0, -0.5, 0));
}

/// Hinge and cone at a place in the world.
btHingeConstraint& hingeAt(CoupledWorld& world, btRigidBody& a, btRigidBody& b, const btVector3& place,
                           const btVector3& axis) {
    const btTransform &ofA = a.getWorldTransform(), &ofB = b.getWorldTransform();
    btVector3 axisA = axis * ofA.getBasis(), axisB = axis * ofB.getBasis();
    return world.join<btHingeConstraint>(a, b, ofA.invXform(place), ofB.invXform(place), axisA, axisB);
}

void coneAt(CoupledWorld& world, btRigidBody& a, btRigidBody& b, const btVector3& place, const btVector3& along,
            double swing, double twist) {
    btVector3 y, z;
    btPlaneSpace1(along, y, z);
    const btTransform frame(btMatrix3x3(along.x(), y.x(), z.x(), along.y(), y.y(), z.y(), along.z(), y.z(), z.z()),
                            place);
    auto& cone = world.join<btConeTwistConstraint>(a, b, a.getWorldTransform().inverse() * frame,
                                                   b.getWorldTransform().inverse() * frame);
    cone.setLimit(btScalar(swing), btScalar(swing), btScalar(twist));
}

/// A knee or elbow: elastic stops where there are elements.
void bend(CoupledWorld& world, btHingeConstraint& hinge) {
    hinge.setLimit(0, btScalar(1.6));
    if (!world.hasElements()) return;
    StopPair stops = ElastoGap::fromHingeLimit(hinge, 200, 2);
    world.add(std::move(stops.lower));
    world.add(std::move(stops.upper));
}

struct Ragdoll {
    btRigidBody* pelvis;
    btRigidBody* hand;
};

/// Eleven limbs, lying along x, with limits in all joints, those of knees and elbows elastic.
Ragdoll ragdoll(CoupledWorld& world, const btVector3& place) {
    const auto limb = [&](double mass, double x, double z, double halfX, double halfY, double halfZ) -> btRigidBody& {
        btRigidBody& body = world.box(mass, vec(halfX, halfY, halfZ), place + vec(x, 0, z));
        body.setFriction(btScalar(0.6));
        return body;
    };
    btRigidBody& pelvis = limb(11, 0, 0, 0.11, 0.09, 0.14);
    btRigidBody& chest = limb(16, 0.33, 0, 0.2, 0.1, 0.16);
    btRigidBody& head = limb(5, 0.66, 0, 0.11, 0.1, 0.09);
    const btVector3 x = vec(1, 0, 0), z = vec(0, 0, 1), y = vec(0, 1, 0);
    coneAt(world, pelvis, chest, place + vec(0.12, 0, 0), x, 0.4, 0.3);
    coneAt(world, chest, head, place + vec(0.54, 0, 0), x, 0.5, 0.6);
    btRigidBody* hand = nullptr;
    for (const double side : {-1., 1.}) {
        btRigidBody& thigh = limb(7, -0.33, 0.1 * side, 0.2, 0.07, 0.06);
        btRigidBody& shin = limb(4, -0.75, 0.1 * side, 0.2, 0.05, 0.05);
        coneAt(world, pelvis, thigh, place + vec(-0.12, 0, 0.1 * side), -x, 0.7, 0.3);
        bend(world, hingeAt(world, thigh, shin, place + vec(-0.54, 0, 0.1 * side), z));
        btRigidBody& arm = limb(2.5, 0.45, 0.33 * side, 0.05, 0.05, 0.15);
        btRigidBody& lower = limb(1.5, 0.45, 0.64 * side, 0.04, 0.04, 0.14);
        coneAt(world, chest, arm, place + vec(0.45, 0, 0.17 * side), side * z, 0.9, 0.4);
        bend(world, hingeAt(world, arm, lower, place + vec(0.45, 0, 0.49 * side), side * y));
        hand = &lower;
    }
    world.element<ElastoGap>(pelvis, upwards(vec(0, 0, 0)), upwards(place * vec(1, 0, 1)),
                             ElastoGapParameters{.c = 1e4, .d = 50, .s_rel0 = 0.1});
    return {&pelvis, hand};
}

void ragdollOnStairs(CoupledWorld& world) {
    floor(world);
    for (int i = 0; i < 6; ++i) {
        world.box(0, vec(0.2, 0.09 * (6 - i), 1.5), vec(0.4 * i, 0.09 * (6 - i), 0));
    }
    btRigidBody& pelvis = *ragdoll(world, vec(0.1, 1.5, 0)).pelvis;
    pelvis.setLinearVelocity(vec(2, 0, 0));
}

void ragdollDragged(CoupledWorld& world) {
    floor(world);
    btRigidBody& hand = *ragdoll(world, vec(0, 0.2, 0)).hand;
    auto& grip = world.join<btPoint2PointConstraint>(hand, vec(0, 0, 0.14));
    grip.m_setting.m_impulseClamp = btScalar(10);  // [N s]: 600 N
    grip.m_setting.m_tau = btScalar(0.1);
    const btVector3 from = hand.getWorldTransform() * vec(0, 0, 0.14);
    world.onTick = [&grip, from](double t) {
        grip.setPivotB(from + vec(0.8 * std::sin(1.6 * t), 0.5 + 0.4 * std::sin(2.2 * t), 0.7 * std::sin(1.1 * t)));
    };
}

void heapOfRagdolls(CoupledWorld& world) {
    floor(world);
    for (int i = 0; i < 8; ++i) ragdoll(world, vec(0.15 * (i % 2), 0.3 + 0.45 * i, 0.1 * (i % 3)));
}

/// Shoes on hinges around two sprockets, of which one is driven, over a floor that they stand on.
void track(CoupledWorld& world) {
    floor(world).setFriction(1);
    constexpr int kShoes = 28;
    constexpr double kRadius = 0.3, kPitch = 0.14;
    const double straight = (kShoes * kPitch - 2 * M_PI * kRadius) / 2;
    btRigidBody& hull = world.box(60, vec(0.5 * straight, 0.1, 0.1), vec(0, kRadius + 0.05, 0));
    hull.setAngularFactor(vec(0, 0, 1));
    hull.setLinearFactor(vec(1, 1, 0));
    hull.getBroadphaseHandle()->m_collisionFilterMask = 0;
    for (const double side : {-1., 1.}) {
        const btVector3 axle = vec(side * straight / 2, kRadius + 0.05, 0);
        btRigidBody& sprocket = world.wheel(10, kRadius - 0.03, 0.1, axle);
        sprocket.setFriction(btScalar(1.5));
        auto& hinge = hingeAt(world, hull, sprocket, axle, vec(0, 0, 1));
        if (side > 0) hinge.enableAngularMotor(true, btScalar(-3), btScalar(80. / 60));
        world.element<SpringDamperParallel>(
            Placement::alongAxis(hull, upwards(vec(side * straight / 2, 0, 0)), upwards(axle * vec(1, 0, 1))),
            SpringDamperParameters{.c = 2e3, .d = 50, .s_rel0 = kRadius + 0.05});
    }
    std::vector<btRigidBody*> shoes;
    const double length = kShoes * kPitch;
    const auto placeAt = [&](double s) {  // along the band
        s = std::fmod(s + length, length);
        const double arc = M_PI * kRadius;
        double angle = 0;
        btVector3 place;
        if (s < straight) {
            place = vec(-straight / 2 + s, 0, 0);
        } else if (s < straight + arc) {
            angle = (s - straight) / kRadius;
            place = vec(straight / 2 + kRadius * std::sin(angle), kRadius * (1 - std::cos(angle)), 0);
        } else if (s < 2 * straight + arc) {
            angle = M_PI;
            place = vec(straight / 2 - (s - straight - arc), 2 * kRadius, 0);
        } else {
            angle = M_PI + (s - 2 * straight - arc) / kRadius;
            place = vec(-straight / 2 + kRadius * std::sin(angle), kRadius * (1 - std::cos(angle)), 0);
        }
        return btTransform(btQuaternion(vec(0, 0, 1), btScalar(angle)), place + vec(0, 0.05, 0));
    };
    for (int i = 0; i < kShoes; ++i) {
        const btTransform pose = placeAt(kPitch * i);
        btRigidBody& shoe = world.box(1, vec(0.05, 0.02, 0.12), pose.getOrigin(), pose.getRotation());
        shoe.setFriction(1);
        shoes.push_back(&shoe);
    }
    for (int i = 0; i < kShoes; ++i) {
        btRigidBody &a = *shoes[std::size_t(i)], &b = *shoes[std::size_t((i + 1) % kShoes)];
        world.join<btHingeConstraint>(a, b, vec(kPitch / 2, 0, 0), vec(-kPitch / 2, 0, 0), vec(0, 0, 1), vec(0, 0, 1));
    }
}

/// Crates go along rollers that turn by motors; one of them is held by springs.
void conveyor(CoupledWorld& world) {
    for (int i = 0; i < 10; ++i) {
        const bool isSprung = i == 5;
        const btVector3 place = vec(0.3 * i, 0.5, 0);
        btRigidBody& roller = world.wheel(3, 0.1, 0.4, place);
        roller.setFriction(btScalar(0.8));
        btVector3 axis = vec(0, 0, 1);
        if (!isSprung || !world.hasElements()) {
            world.join<btHingeConstraint>(roller, vec(0, 0, 0), axis).enableAngularMotor(true, btScalar(-8), 1);
            continue;
        }
        btRigidBody& yoke = world.box(2, vec(0.05, 0.05, 0.45), place);
        yoke.getBroadphaseHandle()->m_collisionFilterMask = 0;
        yoke.setAngularFactor(0);
        yoke.setLinearFactor(vec(0, 1, 0));
        world.join<btHingeConstraint>(yoke, roller, vec(0, 0, 0), vec(0, 0, 0), axis, axis)
            .enableAngularMotor(true, btScalar(-8), 1);
        world.element<SpringDamperParallel>(Placement::alongAxis(yoke, upwards(vec(0, 0, 0)), upwards(vec(1.5, 0, 0))),
                                            SpringDamperParameters{.c = 2e4, .d = 50, .s_rel0 = 0.5});
    }
    for (int i = 0; i < 3; ++i)
        world.box(4, vec(0.3, 0.1, 0.2), vec(0.3 + 0.7 * i, 0.72, 0)).setFriction(btScalar(0.6));
}

void wall(CoupledWorld& world, bool isHit) {
    floor(world);
    btRigidBody* pressed = nullptr;
    for (int row = 0; row < 6; ++row) {
        for (int i = 0; i < 5; ++i) {
            const btVector3 place = vec(0.41 * i + (row % 2 == 0 ? 0 : 0.1), 0.1 + 0.2 * row, 0);
            btRigidBody& brick = world.box(2, vec(0.2, 0.1, 0.1), place);
            if (row == 5 && i == 2) pressed = &brick;
        }
    }
    const btVector3 place = pressed->getWorldTransform().getOrigin();
    if (!isHit) {
        const btTransform down(btQuaternion(vec(0, 0, 1), -SIMD_HALF_PI), place * vec(1, 0, 1) + vec(0, 3, 0));
        const btTransform onTop(btQuaternion(vec(0, 0, 1), -SIMD_HALF_PI), vec(0, 0, 0));
        world.element<ElastoGap>(*pressed, onTop, down,
                                 ElastoGapParameters{.c = 1e6, .d = 0, .s_rel0 = 3 - double(place.y()) + 2e-4});
        return;
    }
    btRigidBody& ball = world.ball(8, 0.15, vec(0.8, 0.8, 1.8));
    ball.setLinearVelocity(vec(0, 0, -4));
    world.element<SpringDamperParallel>(Placement::alongLine(ball, vec(0, 0, 0), vec(0.8, 3, 0)),
                                        SpringDamperParameters{.c = 400, .d = 1, .s_rel0 = 2});
}

void tower(CoupledWorld& world, bool isHit) {
    floor(world);
    for (int i = 0; i < 20; ++i) {
        btRigidBody& box = world.box(1, vec(0.25, 0.25, 0.25), vec(0, 0.25 + 0.5 * i, 0));
        if (i > 0) continue;
        world.element<ElastoGap>(box, upwards(vec(0, 0, 0)), upwards(vec(0, 0, 0)),
                                 ElastoGapParameters{.c = 1e5, .d = 0, .s_rel0 = 0.2505});
    }
    if (!isHit) return;
    btRigidBody& ball = world.ball(10, 0.3, vec(0, 5, 3));
    ball.setLinearVelocity(vec(0, 0, -5));
    world.element<SpringDamperParallel>(Placement::alongLine(ball, vec(0, 0, 0), vec(0, 12, 0)),
                                        SpringDamperParameters{.c = 500, .d = 1, .s_rel0 = 7});
}

void cratesOnPlate(CoupledWorld& world) {
    btRigidBody& plate = world.box(world.hasElements() ? 5 : 0, vec(1, 0.05, 1), vec(0, 1, 0));
    for (int i = 0; i < 4; ++i) {
        const btVector3 corner = vec(i % 2 == 0 ? -0.9 : 0.9, 0, i < 2 ? -0.9 : 0.9);
        for (const btQuaternion& turn : {btQuaternion(vec(0, 0, 1), SIMD_HALF_PI), btQuaternion::getIdentity(),
                                         btQuaternion(vec(0, 1, 0), -SIMD_HALF_PI)}) {
            const btTransform onPlate(turn, corner);
            const btVector3 along = quatRotate(turn, vec(1, 0, 0));
            const btTransform onGround(turn, corner + vec(0, 1, 0) - along);
            world.element<SpringDamperParallel>(Placement::alongAxis(plate, onPlate, onGround),
                                                SpringDamperParameters{.c = 2e3, .d = 0, .s_rel0 = 1});
        }
    }
    for (int i = 0; i < 6; ++i) {
        const btQuaternion turn(vec(0.3, 0.2 * i, 0.5).normalized(), btScalar(0.3 * i));
        btRigidBody& crate = world.box(1 + 0.3 * i, vec(0.15, 0.15, 0.15),
                                       vec(-0.5 + 0.5 * (i % 3), 1.6 + 0.4 * (i / 3), i < 3 ? 0.2 : -0.1), turn);
        crate.setLinearVelocity(vec(0.2 * i - 0.5, -2, 0.3));
    }
}

/// Two fingers on sliders close on a box and lift it.
void gripper(CoupledWorld& world) {
    floor(world);
    btRigidBody& palm = world.box(2, vec(0.3, 0.05, 0.1), vec(0, 0.8, 0));
    const auto slides = [](btSliderConstraint& slider, double way, double force) {
        slider.setLowerLinLimit(btScalar(-way));
        slider.setUpperLinLimit(btScalar(way));
        slider.setLowerAngLimit(0);
        slider.setUpperAngLimit(0);
        slider.setPoweredLinMotor(true);
        slider.setMaxLinMotorForce(btScalar(force));
    };
    auto& lift = world.join<btSliderConstraint>(palm, upwards(vec(0, 0, 0)), true);
    slides(lift, 5, 500);
    for (const double side : {-1., 1.}) {
        btRigidBody& finger = world.box(0.5, vec(0.03, 0.2, 0.08), vec(0.2 * side, 0.54, 0));
        finger.setFriction(1);
        auto& slider =
            world.join<btSliderConstraint>(palm, finger, at(vec(0.2 * side, -0.06, 0)), at(vec(0, 0.2, 0)), true);
        slides(slider, 0.15, 60);
        slider.setTargetLinMotorVelocity(btScalar(-0.3 * side));
        if (side > 0) continue;
        world.element<ElastoGap>(finger, at(vec(0, 0, 0)), at(vec(-1, 0.5, 0)),
                                 ElastoGapParameters{.c = 1e5, .d = 10, .s_rel0 = 0.7});
    }
    world.box(1, vec(0.08, 0.08, 0.08), vec(0.01, 0.45, 0)).setFriction(1);
    world.box(0, vec(0.05, 0.18, 0.1), vec(0, 0.19, 0));
    world.onTick = [&lift](double t) {
        lift.setTargetLinMotorVelocity(btScalar(t < 1 ? 0 : t < 2 ? 0.3 : t < 3 ? -0.2 : 0.3 * std::sin(4 * t)));
    };
}

auto only(void (*build)(CoupledWorld&)) {
    return [build](CoupledWorld& world, int) { build(world); };
}

}  // namespace

void ropeBridge(CoupledWorld& world, double stiffness, int crates) {
    btRigidBody* last = nullptr;
    constexpr int kPlanks = 10;
    for (int i = 0; i < kPlanks; ++i) {
        btRigidBody& plank = world.box(2, vec(0.17, 0.03, 0.4), vec(0.4 * i, 1, 0));
        for (const double z : {-0.3, 0.3}) {
            if (last != nullptr) {
                world.join<btPoint2PointConstraint>(*last, plank, vec(0.2, 0, z), vec(-0.2, 0, z));
            }
            const SpringDamperParameters rope{.c = stiffness, .d = 20, .s_rel0 = 0.45};
            if (i == 0) {
                world.element<SpringDamperParallel>(Placement::alongLine(plank, vec(-0.2, 0, z), vec(-0.6, 1.2, z)),
                                                    rope);
            }
            if (i == kPlanks - 1) {
                world.element<SpringDamperParallel>(
                    Placement::alongLine(plank, vec(0.2, 0, z), vec(0.4 * kPlanks + 0.2, 1.2, z)), rope);
            }
            if (i > 0 && i < kPlanks - 1) continue;
            // Plain Bullet has joints to posts instead.
            if (!world.hasElements()) {
                const double side = i == 0 ? -1 : 1;
                world.join<btPoint2PointConstraint>(plank, vec(0.2 * side, 0, z));
            }
        }
        last = &plank;
    }
    for (int i = 0; i < crates; ++i) {
        world.box(5, vec(0.15, 0.15, 0.15), vec(1.2 + 0.6 * i, 1.3 + 0.1 * i, 0.05)).setFriction(btScalar(0.8));
    }
}

const std::vector<CoupledScene>& machineScenes() {
    static const std::vector<CoupledScene> scenes = {
        {"ragdoll, stairs", only(ragdollOnStairs), 240, 5, 1, true},
        {"ragdoll dragged", only(ragdollDragged), 240, 6, 1, true},
        {"heap of ragdolls", only(heapOfRagdolls), 180, 5, 1, true},
        {"track of 28", only(track), 180, 8, 1, true},
        {"rope bridge", [](CoupledWorld& world, int) { ropeBridge(world, 5e3, 3); }, 240, 7, 1, true},
        {"conveyor", only(conveyor), 240, 8, 1, true},
        {"wall of 30", [](CoupledWorld& world, int) { wall(world, false); }, 180, 8, 1, true},
        {"wall, hit", [](CoupledWorld& world, int) { wall(world, true); }, 180, 4, 1, true},
        {"tower of 20", [](CoupledWorld& world, int) { tower(world, false); }, 180, 1.7, 1, true},
        {"tower, hit", [](CoupledWorld& world, int) { tower(world, true); }, 180, 4, 1, true},
        {"crates on plate", only(cratesOnPlate), 240, 12, 1, true},
        {"gripper", only(gripper), 300, 7, 1, true},
    };
    return scenes;
}

}  // namespace elasto::bench
