// What a motor pushes against: the link that carries its rotor, in joint coordinates and among bodies.

#include <catch2/catch.hpp>

#include "multibody_momentum.h"
#include "multibody_world.h"

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

constexpr double kRotor = 2e-3;  // [kg.m^2]

/// A body that floats, with two wheels on axes of their own, each behind its gear.
class Satellite {
public:
    explicit Satellite(double ratio) : body(world.multiBody(2, false, 5, vec(0.1, 0.15, 0.12))) {
        world.world->setGravity(vec(0, 0, 0));
        body.setupRevolute(0, 1, vec(0.004, 0.004, 0.006), -1, btQuaternion::getIdentity(), vec(0, 0, 1),
                           vec(0.1, 0, 0), vec(0, 0, 0), true);
        body.setupRevolute(1, 1, vec(0.006, 0.004, 0.004), -1, btQuaternion::getIdentity(), vec(1, 0, 0),
                           vec(0, 0.1, 0.1), vec(0, 0, 0), true);
        for (const int link : {0, 1}) {
            drives.push_back(
                &world.element(Drive{.body = &body, .link = link, .inertia = kRotor / std::abs(ratio), .ratio = ratio},
                               ElastoBacklashLaw({.c = 300, .d = 1, .b = 0})));
        }
    }

    Eigen::Quaterniond orientation() const {
        const btQuaternion turn = body.getWorldToBaseRot().inverse();
        return Eigen::Quaterniond(turn.w(), turn.x(), turn.y(), turn.z()).normalized();
    }
    /// Moment of momentum about the world's origin, rotors included.
    Vector3d moment() {
        Vector3d sum = momentumOf(body).angular;
        for (const MultiBodyElement* drive : drives) {
            const Drive& placed = std::get<Drive>(drive->placing());
            const Vector3d axis = orientation() * eigen(body.getLink(placed.link).getAxisTop(0));
            sum += placed.inertia * (axis.dot(eigen(body.getBaseOmega())) + drive->motorSpeed()) * axis;
        }
        return sum;
    }

    MultiBodyWorld world;
    btMultiBody& body;
    std::vector<MultiBodyElement*> drives;
};

/// Keeps it from being solved in joint coordinates alone.
void keepAmongBodies(Satellite& one) {
    one.world.element(
        LinkPlacement::alongAxis(Flange::world(), Flange(one.body, 0), at(0, -100, 0), btTransform::getIdentity()),
        ElastoGapLaw({.c = 1e3, .d = 0, .s_rel0 = -1000}));
}

/// The first wheel is sped up, the second swings.
void drive(Satellite& one, double ratio) {
    one.drives[0]->setMotorTorque(0.2 / ratio);
    one.drives[1]->setMotorTorque([=](double t) { return 0.3 / ratio * std::sin(5 * t); });
}

Vector3d momentOf(const btRigidBody& body) {
    const btMatrix3x3& R = body.getCenterOfMassTransform().getBasis();
    const btVector3 local = R.transpose() * body.getAngularVelocity();
    const btVector3& inverse = body.getInvInertiaDiagLocal();
    const Vector3d own =
        eigen(R * btVector3(local.x() / inverse.x(), local.y() / inverse.y(), local.z() / inverse.z()));
    const Vector3d p = eigen(body.getLinearVelocity()) / double(body.getInvMass());
    return eigen(body.getCenterOfMassPosition()).cross(p) + own;
}

}  // namespace

TEST_CASE("a satellite turns by its wheels' motors alike in joint coordinates and among bodies") {
    const double ratio = GENERATE(1., 9., 100., -30.);
    const double rate = GENERATE(60., 240.);
    const double tumbling = GENERATE(0., 1.);
    Satellite tree(ratio), bodies(ratio);
    for (Satellite* one : {&tree, &bodies}) {
        one->world.add(one->body);
        one->body.setBaseOmega(vec(0.5 * tumbling, tumbling, -0.2 * tumbling));
        drive(*one, ratio);
    }
    keepAmongBodies(bodies);
    const Vector3d moment = tree.moment();
    const double scale = moment.norm() + 0.2;
    double lostInTree = 0, lostAmongBodies = 0, apart = 0;
    for (int i = 0; i < rate; ++i) {
        tree.world.tick(1, rate);
        bodies.world.tick(1, rate);
        lostInTree = std::max(lostInTree, (tree.moment() - moment).norm());
        lostAmongBodies = std::max(lostAmongBodies, (bodies.moment() - moment).norm());
        for (const std::size_t k : {0u, 1u}) {
            const MultiBodyElement &one = *tree.drives[k], &other = *bodies.drives[k];
            apart = std::max({apart, std::abs(one.linkAngle() - other.linkAngle()),
                              std::abs((one.motorAngle() - other.motorAngle()) / ratio)});
        }
    }
    CAPTURE(ratio, rate, tumbling);
    CHECK(lostInTree < byPrecision(1e-12, 1e-6) * scale);
    // Among bodies the axes' tilt within a tick is taken at its middle: of second order.
    const double share = rate < 100 ? 5e-5 : 1e-5;
    CHECK(lostAmongBodies < byPrecision(share, 10 * share) * scale);
    CHECK(apart < byPrecision(share, 10 * share));
    CHECK(tree.orientation().angularDistance(bodies.orientation()) < byPrecision(share, 10 * share));
    CHECK(tree.drives[0]->linkAngle() > 0.4);
    CHECK(bodies.world.messages.empty());
}

TEST_CASE("a spinning rotor makes its carrier feel the gyroscopic moment, among bodies too") {
    const double rate = GENERATE(60., 240.);
    const double w = GENERATE(100., 1000.);
    Satellite tree(1), bodies(1);
    for (Satellite* one : {&tree, &bodies}) {
        one->world.add(one->body);
        one->body.setBaseOmega(vec(0.2, 0.1, 0));
        one->drives[0]->setMotor(0, w);
        one->body.setJointVel(0, btScalar(w));
        one->drives[1]->setMotorTorque(0.2);
    }
    keepAmongBodies(bodies);
    const Vector3d moment = tree.moment();
    const Eigen::Quaterniond start = tree.orientation();
    for (int i = 0; i < rate; ++i) {
        tree.world.tick(1, rate);
        bodies.world.tick(1, rate);
    }
    CAPTURE(rate, w);
    CHECK((tree.moment() - moment).norm() < byPrecision(1e-12, 2e-6) * moment.norm());
    CHECK((bodies.moment() - moment).norm() < byPrecision(1e-5, 2e-5) * moment.norm());
    CHECK(tree.orientation().angularDistance(bodies.orientation()) < byPrecision(2e-5, 2e-4));
    // Without the spin of wheel and rotor the second motor turns it by 0.8 rad.
    CHECK(tree.orientation().angularDistance(start) < 0.3);
}

TEST_CASE("what stands on a satellite turns with it when a motor pushes") {
    const double ratio = GENERATE(1., 9., -30.);
    const double rate = GENERATE(60., 240.);
    Satellite satellite(ratio);
    btMultiBody& body = satellite.body;
    satellite.world.collider(body, -1, new btBoxShape(vec(0.3, 0.3, 0.05)));
    btRigidBody& box = satellite.world.rigid(1, new btBoxShape(vec(0.1, 0.1, 0.05)), at(0.15, 0, 0.1));
    // A spring within presses both together; friction carries the box along.
    satellite.world.element(LinkPlacement::alongLine(Flange(body, -1), Flange(box), vec(0, 0, 0), vec(0, 0, 0)),
                            SpringDamperLaw({.c = 200, .d = 1, .s_rel0 = 0}));
    satellite.world.add(body);
    drive(satellite, ratio);
    double lost = 0;
    for (int i = 0; i < rate; ++i) {
        satellite.world.tick(1, rate);
        lost = std::max(lost, (satellite.moment() + momentOf(box)).norm());
    }
    CAPTURE(ratio, rate);
    // Of what the first motor makes in a second. Friction and edges that turn cost more of it than joints do.
    CHECK(lost < (rate < 100 ? 1e-3 : 1e-4) * 0.2);
    CHECK(double(body.getBaseOmega().z()) < -0.05);
    CHECK((box.getAngularVelocity() - body.getBaseOmega()).length() < 1e-3);
}
