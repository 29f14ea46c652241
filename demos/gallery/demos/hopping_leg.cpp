// A leg of a quadruped on a vertical guide: hip and knee of a btMultiBody, springs as elements on its joints.

#include "gallery/demo.h"

#include <elasto/joint_load.h>
#include <elasto/multibody_element.h>

#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace elasto::gallery {

namespace {

constexpr double kBone = 0.3;    // length of thigh and shank [m]
constexpr double kFoot = 0.04;   // radius [m]
constexpr double kStart = 0.75;  // height of the hip at the start [m]
constexpr int kHip = 0;
constexpr int kThigh = 1;
constexpr int kShank = 2;

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

        addElement("hip", JointCoordinate{&m_body, kThigh, M_PI / 4}, SpringDamperLaw({.c = 150, .d = 3}));
        addElement("knee", JointCoordinate{&m_body, kShank, -M_PI / 2}, SpringDamperLaw({.c = 80, .d = 0}));
        addElement("series", JointCoordinate{&m_body, kShank, -M_PI / 2}, SpringDamperSeriesLaw({.c = 300, .d = 6}));
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

    void draw(const GuestView& view, view::Picture& picture) const override {
        const auto at = [&](int link, double y) -> Eigen::Vector3d {
            return view.pose(m_body, link) * Eigen::Vector3d(0, y, 0);
        };
        const Eigen::Vector3d hip = at(kHip, 0);
        const Eigen::Vector3d knee = at(kThigh, -kBone / 2);
        const Eigen::Vector3d foot = at(kShank, -kBone / 2);
        const auto surface = [&](int link, int red, int green, int blue) {
            return view.linkSurface(m_body, link, view::Color::bytes(red, green, blue));
        };
        const auto rod = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b, double diameter,
                             const view::Surface& look) {
            picture.capsules.push_back({.a = a.cast<float>(),
                                        .b = b.cast<float>(),
                                        .diameter = static_cast<float>(diameter),
                                        .surface = look});
        };
        const auto pin = [&](const Eigen::Vector3d& center, double diameter, double halfWidth,
                             const view::Surface& look) {
            const Eigen::Vector3d half(0, 0, halfWidth);
            picture.cylinders.push_back({.a = (center - half).cast<float>(),
                                         .b = (center + half).cast<float>(),
                                         .diameter = static_cast<float>(diameter),
                                         .surface = look});
        };
        rod(hip, knee, 0.06, surface(kThigh, 226, 148, 76));
        rod(knee, foot, 0.05, surface(kShank, 88, 134, 198));
        pin(hip, 0.1, 0.05, surface(kHip, 96, 102, 110));
        pin(knee, 0.085, 0.045, surface(kShank, 96, 102, 110));
        picture.spheres.push_back({.pose = {.position = foot.cast<float>()},
                                   .radius = static_cast<float>(kFoot),
                                   .surface = surface(kShank, 106, 172, 124)});
        // The trunk, on a guide behind the leg.
        const Eigen::Vector3d behind(0, 0, -0.13);
        const Eigen::Vector3d trunk = hip + Eigen::Vector3d(0, 0.1, -0.02);
        picture.boxes.push_back({.pose = {.position = trunk.cast<float>()},
                                 .halfExtents = {0.16F, 0.06F, 0.06F},
                                 .surface = surface(kHip, 178, 116, 164)});
        picture.boxes.push_back(
            {.pose = {.position = (trunk + behind / 2 + Eigen::Vector3d(0, 0, -0.02)).cast<float>()},
             .halfExtents = {0.05F, 0.05F, 0.07F},
             .surface = surface(kHip, 138, 144, 152)});
        const Eigen::Vector3f foothold(0, 0, -0.15F);
        if (!view.isGhost()) {
            picture.cylinders.push_back({.a = foothold,
                                         .b = foothold + Eigen::Vector3f(0, 1.2F, 0),
                                         .diameter = 0.03F,
                                         .surface = {.color = view::Color::bytes(138, 144, 152)}});
        }
        drawSeries(view, at(kThigh, 0.03), at(kShank, -0.03), picture);
    }

private:
    /// The series element of the knee, before it, from one bone to the other: a damper, then its spring.
    void drawSeries(const GuestView& view, const Eigen::Vector3d& onThigh, const Eigen::Vector3d& onShank,
                    view::Picture& picture) const {
        const MultiBodyElement& series = *m_elements.back();
        const Eigen::Vector3d beside(0, 0, 0.07);
        const Eigen::Vector3d a = onThigh + beside;
        const Eigen::Vector3d b = onShank + beside;
        const ElementMoment* moment = view.moment(series);
        constexpr double kArm = 0.1;  // of the element about the knee [m]
        const double share = 0.4 + (moment == nullptr ? 0 : kArm * moment->sample.s_damper / (b - a).norm());
        const Eigen::Vector3d middle = a + std::clamp(share, 0.1, 0.9) * (b - a);
        const auto cylinder = [&](const Eigen::Vector3d& from, const Eigen::Vector3d& to, double diameter, int gray) {
            picture.cylinders.push_back({.a = from.cast<float>(),
                                         .b = to.cast<float>(),
                                         .diameter = static_cast<float>(diameter),
                                         .surface = view.elementSurface(series, view::Color::bytes(gray, gray, gray))});
        };
        cylinder(a, a + 0.22 * (b - a), 0.04, 110);
        cylinder(a, middle, 0.022, 190);
        for (const Eigen::Vector3d& end : {a, b}) cylinder(end - beside, end + 0.2 * beside, 0.02, 96);
        picture.springs.push_back({.a = middle.cast<float>(),
                                   .b = b.cast<float>(),
                                   .width = 0.05F,
                                   .coilWidth = 0.008F,
                                   .numberOfWindings = 6,
                                   .surface = view.elementSurface(series, view::Color::bytes(60, 160, 250))});
    }

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

    void addElement(const std::string& name, const JointCoordinate& joint, const Law& law) {
        m_elements.push_back(std::make_unique<MultiBodyElement>(joint, law));
        m_elements.back()->setName(name);
        m_world.addMultiBodyConstraint(m_elements.back().get());
    }

    btMultiBodyDynamicsWorld& m_world;
    btMultiBody m_body;
    btCapsuleShape m_shape;  ///< of the shank; its lower end is the foot
    std::unique_ptr<btMultiBodyLinkCollider> m_collider;
    std::vector<std::unique_ptr<MultiBodyElement>> m_elements;
};

}  // namespace

const Registration kHoppingLeg({
    .name = "hopping_leg",
    .title = "Leg with a series element in its knee",
    .look =
        "The knee gives way when the foot lands, and the damper of its series element takes what the hop had too much.",
    .press = "Pull the trunk down and let go, or slide d of the series element while it hops.",
    .scene = "gallery/hopping_leg",
    .guests = [](SceneWorld& world) { world.add(std::make_unique<Leg>(world)); },
    .group = "Machines and toys",
    .place = 127,
    .selected = "series",
    .azimuth = 0.3,
    .elevation = 0.12,
    .pictureFrames = 50,
});

}  // namespace elasto::gallery
