#include "car_scenes.h"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>

#include <cmath>

namespace elasto::bench {

namespace {

btRigidBody& road(CoupledWorld& world) {
    btRigidBody& ground = world.box(0, vec(100, 0.5, 20), vec(0, -0.5, 0));
    ground.setFriction(1);
    return ground;
}

/// Drives on four wheels, the rear ones driven, towards a wall with a bumper.
/// @param isSprung on Bullet's springs, with bump stops, and with a little play in all four steerings
void car(CoupledWorld& world, bool isSprung) {
    road(world);
    btRigidBody& chassis = world.box(200, vec(1, 0.15, 0.5), vec(0, 0.6, 0));
    const btVector3 up = vec(0, 1, 0), axle = vec(0, 0, 1);
    constexpr double kSpeed = 20, kTorque = 200, kPlay = 0.01;  // rad/s, N m, rad
    for (int i = 0; i < 4; ++i) {
        const bool isDriven = i % 2 == 0;
        const btVector3 place = vec(isDriven ? -0.7 : 0.7, 0.3, i < 2 ? -0.6 : 0.6);
        const btVector3 mount = vec(double(place.x()), -0.3, double(place.z()));
        btRigidBody& wheel = world.wheel(10, 0.3, 0.1, place);
        wheel.setFriction(btScalar(1.2));
        if (!isSprung) {
            auto& hinge = world.join<btHingeConstraint>(chassis, wheel, mount, vec(0, 0, 0), axle, axle);
            if (isDriven) hinge.enableAngularMotor(true, btScalar(kSpeed), btScalar(kTorque * kTick));
            continue;
        }
        btVector3 anchor = place, steering = up, turning = axle;
        auto& hinge = world.join<btHinge2Constraint>(chassis, wheel, anchor, steering, turning);
        hinge.setLowerLimit(btScalar(-kPlay));
        hinge.setUpperLimit(btScalar(kPlay));
        hinge.setLinearLowerLimit(vec(0, 0, -0.1));
        hinge.setLinearUpperLimit(vec(0, 0, 0.1));
        if (isDriven) {
            hinge.enableMotor(3, true);
            hinge.setTargetVelocity(3, btScalar(-kSpeed));
            hinge.setMaxMotorForce(3, btScalar(kTorque));
        }
        world.element<ElastoGap>(Placement::alongAxis(chassis, wheel, upwards(mount), upwards(vec(0, 0, 0))),
                                 ElastoGapParameters{.c = 1e5, .d = 500, .s_rel0 = -0.08});
    }
    world.element<ElastoGap>(chassis, btTransform::getIdentity(),
                             btTransform(btQuaternion::getIdentity(), vec(-60, 0.6, 0)),
                             ElastoGapParameters{.c = 1e5, .d = 500, .s_rel0 = 1});
}

/// Over a ground with kerbs, none within the first two metres.
class Kerbs : public btHeightfieldTerrainShape {
public:
    static std::unique_ptr<btCollisionShape> make() {
        constexpr double kCell = 0.1, kHeight = 0.06, kApart = 2.5, kWide = 0.3;  // m
        std::vector<btScalar> heights;  // what PHY_FLOAT means in either precision
        for (int z = 0; z < kRows; ++z) {
            for (int i = 0; i < kColumns; ++i) {
                const double x = kCell * (i - kColumns / 2);
                const bool isKerb = std::abs(x) > 2 && std::fmod(std::abs(x), kApart) < kWide;
                heights.push_back(isKerb ? btScalar(kHeight) : 0);
            }
        }
        auto shape = std::unique_ptr<Kerbs>(new Kerbs(std::move(heights)));
        shape->setLocalScaling(vec(kCell, 1, 1));
        return shape;
    }

private:
    static constexpr int kColumns = 1001, kRows = 11;

    // The data's place stays what it is when the vector moves.
    explicit Kerbs(std::vector<btScalar> heights)
        : btHeightfieldTerrainShape(kColumns, kRows, heights.data(), 1, -1, 1, 1, PHY_FLOAT, false),
          m_heights(std::move(heights)) {}

    std::vector<btScalar> m_heights;
};

/// Wheels are balls on struts with bump stops.
/// @param speed that motors seek [rad/s]
void strutCar(CoupledWorld& world, const btVector3& from, double speed) {
    btRigidBody& chassis = world.box(200, vec(1, 0.15, 0.25), from + vec(0, 0.65, 0));
    const btVector3 axle = vec(0, 0, 1);
    for (int i = 0; i < 4; ++i) {
        const bool isDriven = i % 2 == 0;
        const btVector3 place = vec(isDriven ? -0.7 : 0.7, 0.3, i < 2 ? -0.6 : 0.6);
        const btVector3 mount = place - vec(0, 0.65, 0);
        btRigidBody& hub = world.box(3, vec(0.05, 0.05, 0.05), from + place);
        hub.getBroadphaseHandle()->m_collisionFilterMask = 0;
        auto& strut = world.join<btSliderConstraint>(chassis, hub, upwards(mount), upwards(vec(0, 0, 0)), true);
        strut.setLowerAngLimit(0);
        strut.setUpperAngLimit(0);
        strut.setLowerLinLimit(world.hasElements() ? btScalar(1) : 0);  // free beside elements, else held
        strut.setUpperLinLimit(world.hasElements() ? btScalar(-1) : 0);
        btRigidBody& wheel = world.ball(10, 0.3, from + place);
        wheel.setFriction(btScalar(1.2));
        auto& hinge = world.join<btHingeConstraint>(hub, wheel, vec(0, 0, 0), vec(0, 0, 0), axle, axle);
        if (isDriven) hinge.enableAngularMotor(true, btScalar(speed), btScalar(200 * kTick));
        const Placement along = Placement::alongAxis(chassis, hub, upwards(mount), upwards(vec(0, 0, 0)));
        world.element<SpringDamperParallel>(along, SpringDamperParameters{.c = 2e4, .d = 1500, .s_rel0 = 0.03});
        world.element<ElastoGap>(along, ElastoGapParameters{.c = 1e5, .d = 500, .s_rel0 = -0.08});
    }
}

constexpr double kDriving = -20;  // rad/s

void carsOnStruts(CoupledWorld& world, CarKind kind) {
    if (kind == CarKind::StrutsOverKerbs) {
        world.ground(Kerbs::make()).setFriction(1);
    } else {
        road(world);
    }
    const int cars = kind == CarKind::EightOnStruts ? 8 : 1;
    for (int i = 0; i < cars; ++i) {
        // Those behind are faster.
        const double faster = 1 + 0.1 * (i / 2);
        strutCar(world, vec(2.2 * (i / 2), 0, 1.6 * (i % 2)), kind == CarKind::Parked ? 0 : kDriving * faster);
    }
}

}  // namespace

std::function<void(CoupledWorld& world, int variant)> carOn(CarKind kind) {
    return [kind](CoupledWorld& world, int) {
        if (kind == CarKind::Hinges || kind == CarKind::Springs) {
            car(world, kind == CarKind::Springs);
        } else {
            carsOnStruts(world, kind);
        }
    };
}

}  // namespace elasto::bench
