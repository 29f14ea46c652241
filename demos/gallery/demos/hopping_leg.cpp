// A leg of a quadruped on a vertical guide: hip and knee of a btMultiBody, springs as elements on its joints.

#include "gallery/demo.h"

#include <elasto/joint_load.h>
#include <elasto/multibody_element.h>

#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <cmath>

namespace elasto::gallery {

namespace {

constexpr double kBone = 0.3;    // length of thigh and shank [m]
constexpr double kFoot = 0.04;   // radius [m]
constexpr double kStart = 0.75;  // height of the hip at the start [m]
constexpr int kHip = 0;
constexpr int kThigh = 1;
constexpr int kShank = 2;

Eigen::Vector3d toEigen(const btVector3& v) {
    return {v.x(), v.y(), v.z()};
}

class Leg final : public Guest {
public:
    explicit Leg(SceneWorld& world)
        : m_world(*world.multiBodyWorld()), m_body(3, 0, btVector3(1, 1, 1), true, false), m_shape(kFoot, kBone) {
        m_body.setLinearDamping(0);
        m_body.setAngularDamping(0);
        m_body.setHasSelfCollision(false);
        const btQuaternion straight = btQuaternion::getIdentity();
        const btVector3 axis(0, 0, 1);
        m_body.setupPrismatic(kHip, 6, btVector3(0.05, 0.05, 0.05), -1, straight, btVector3(0, 1, 0),
                              btVector3(0, 0, 0), btVector3(0, 0, 0), true);
        m_body.setupRevolute(kThigh, 0.8, btVector3(0.006, 0.0006, 0.006), kHip, straight, axis, btVector3(0, 0, 0),
                             btVector3(0, -kBone / 2, 0), true);
        m_body.setupRevolute(kShank, 0.5, btVector3(0.004, 0.0004, 0.004), kThigh, straight, axis,
                             btVector3(0, -kBone / 2, 0), btVector3(0, -kBone / 2, 0), true);
        m_body.finalizeMultiDof();
        m_body.setJointPos(kHip, kStart);
        m_body.setJointPos(kThigh, M_PI / 4);
        m_body.setJointPos(kShank, -M_PI / 2);
        addFoot();
        m_world.addMultiBody(&m_body);

        addElement(JointCoordinate{&m_body, kThigh, M_PI / 4}, SpringDamperLaw({.c = 150, .d = 3}));
        addElement(JointCoordinate{&m_body, kShank, -M_PI / 2}, SpringDamperLaw({.c = 80, .d = 0}));
        addElement(JointCoordinate{&m_body, kShank, -M_PI / 2}, SpringDamperSeriesLaw({.c = 300, .d = 6}));
        // The muscle: it stretches the knee once in 0.8 s.
        world.plugin().addJointLoad(JointLoad(
            m_body, kShank, [](double t) { return 90 * std::pow(std::max(0.0, std::sin(2.5 * M_PI * t)), 5); }));
    }
    ~Leg() override {
        for (const auto& element : m_elements) m_world.removeMultiBodyConstraint(element.get());
        m_world.removeMultiBody(&m_body);
        m_world.removeCollisionObject(m_collider.get());
    }

    void beginTick(double /*t*/, double /*h*/) override {}

    void draw(view::Picture& picture) const override {
        const Eigen::Vector3d hip = at(kHip, 0);
        const Eigen::Vector3d knee = at(kThigh, -kBone / 2);
        const Eigen::Vector3d foot = at(kShank, -kBone / 2);
        const auto rod = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b, double diameter, view::Color color) {
            picture.capsules.push_back({.a = a.cast<float>(),
                                        .b = b.cast<float>(),
                                        .diameter = static_cast<float>(diameter),
                                        .surface = {.color = color}});
        };
        rod(hip, knee, 0.06, view::Color::bytes(226, 148, 76));
        rod(knee, foot, 0.05, view::Color::bytes(88, 134, 198));
        picture.spheres.push_back({.pose = {.position = foot.cast<float>()},
                                   .radius = static_cast<float>(kFoot),
                                   .surface = {.color = view::Color::bytes(106, 172, 124)}});
        picture.boxes.push_back({.pose = {.position = hip.cast<float>()},
                                 .halfExtents = {0.11F, 0.06F, 0.09F},
                                 .surface = {.color = view::Color::bytes(178, 116, 164)}});
        const Eigen::Vector3f guide(0, 0, -0.13F);
        picture.cylinders.push_back({.a = guide,
                                     .b = guide + Eigen::Vector3f(0, 1.1F, 0),
                                     .diameter = 0.03F,
                                     .surface = {.color = view::Color::bytes(138, 144, 152)}});
        // The spring of the knee, before it and outside, so that it is seen.
        const Eigen::Vector3d beside(0, 0, 0.06);
        const Eigen::Vector3d above = at(kThigh, 0.05) + beside;
        const Eigen::Vector3d below = at(kShank, -0.05) + beside;
        picture.springs.push_back({.a = above.cast<float>(),
                                   .b = below.cast<float>(),
                                   .width = 0.05F,
                                   .coilWidth = 0.007F,
                                   .numberOfWindings = 7,
                                   .surface = {.color = view::Color::bytes(60, 160, 250)}});
    }

private:
    void addFoot() {
        m_collider = std::make_unique<btMultiBodyLinkCollider>(&m_body, kShank);
        m_collider->setCollisionShape(&m_shape);
        m_collider->setActivationState(DISABLE_DEACTIVATION);
        m_collider->setFriction(1);
        m_body.getLink(kShank).m_collider = m_collider.get();
        btAlignedObjectArray<btQuaternion> turns;
        btAlignedObjectArray<btVector3> origins;
        m_body.forwardKinematics(turns, origins);
        m_body.updateCollisionObjectWorldTransforms(turns, origins);
        m_world.addCollisionObject(m_collider.get(), btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
    }

    void addElement(const JointCoordinate& joint, const Law& law) {
        m_elements.push_back(std::make_unique<MultiBodyElement>(joint, law));
        m_world.addMultiBodyConstraint(m_elements.back().get());
    }

    /// A point on the y axis of a link's frame, in the world [m].
    Eigen::Vector3d at(int link, double y) const { return toEigen(m_body.localPosToWorld(link, btVector3(0, y, 0))); }

    btMultiBodyDynamicsWorld& m_world;
    btMultiBody m_body;
    btCapsuleShape m_shape;  ///< of the shank; its lower end is the foot
    std::unique_ptr<btMultiBodyLinkCollider> m_collider;
    std::vector<std::unique_ptr<MultiBodyElement>> m_elements;
};

}  // namespace

const Registration kDemo({
    .name = "hopping_leg",
    .title = "Leg with a series element in its knee",
    .look =
        "The knee gives way when the foot lands, and the damper of its series element takes what the hop had too much.",
    .press = "Step through a landing with the arrow keys, back and forth: contact, springs and damper go back too.",
    .scene = "gallery/hopping_leg",
    .guest = [](SceneWorld& world) -> std::unique_ptr<Guest> { return std::make_unique<Leg>(world); },
    .group = "Machines and toys",
    .place = 127,
    .azimuth = 0.3,
    .elevation = 0.12,
    .pictureFrames = 50,
});

}  // namespace elasto::gallery
