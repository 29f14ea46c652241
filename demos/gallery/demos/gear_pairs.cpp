// Three wheels, and no teeth for the physics: two gear pairs with backlash on the joints of a btMultiBody.

#include "gallery/demo.h"

#include <elasto/joint_load.h>
#include <elasto/multibody_element.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>
#include <array>
#include <string>

namespace elasto::gallery {

namespace {

constexpr int kWheels = 3;
constexpr double kModule = 0.03;  // pitch diameter per tooth [m]
constexpr double kWidth = 0.09;   // [m]
constexpr double kPlay = 0.02;    // between the teeth of a pair, along the pitch circle [m]
constexpr double kHeight = 0.55;  // of the axes [m]

struct Wheel {
    int teeth;
    double mass;  // [kg]
    std::array<int, 3> color;

    double radius() const { return kModule * teeth / 2; }
};
constexpr std::array<Wheel, kWheels> kWheelData = {
    {{18, 8, {226, 148, 76}}, {30, 20, {88, 134, 198}}, {12, 4, {106, 172, 124}}}};

class GearPairs final : public Guest {
public:
    explicit GearPairs(SceneWorld& world)
        : m_world(*world.multiBodyWorld()), m_body(kWheels, 0, btVector3(1, 1, 1), true, false) {
        m_body.setLinearDamping(0);
        m_body.setAngularDamping(0);
        double x = -kWheelData[1].radius() - kWheelData[0].radius();
        for (int i = 0; i < kWheels; ++i) {
            const Wheel& wheel = kWheelData[static_cast<std::size_t>(i)];
            const double about = wheel.mass * wheel.radius() * wheel.radius() / 2;
            m_body.setupRevolute(i, wheel.mass, btVector3(about / 2, about / 2, about), -1, btQuaternion::getIdentity(),
                                 btVector3(0, 0, 1), btVector3(x, kHeight, 0), btVector3(0, 0, 0), true);
            m_x[static_cast<std::size_t>(i)] = x;
            if (i + 1 < kWheels) x += wheel.radius() + kWheelData[static_cast<std::size_t>(i + 1)].radius();
        }
        m_body.finalizeMultiDof();
        m_world.addMultiBody(&m_body);
        for (int i = 0; i + 1 < kWheels; ++i) addPair(i);
        add(std::make_unique<MultiBodyElement>(JointCoordinate{&m_body, kWheels - 1},
                                               SpringDamperLaw({.c = 0, .d = 0.4})),
            "bearing");
        world.plugin().addJointLoad(JointLoad(m_body, 0, [](double t) { return 4 * std::sin(M_PI * t); }));
    }
    ~GearPairs() override {
        for (const auto& element : m_elements) m_world.removeMultiBodyConstraint(element.get());
        m_world.removeMultiBody(&m_body);
    }

    void beginTick(double /*t*/, double /*h*/) override {}

    void draw(const GuestView& view, view::Picture& picture) const override {
        for (int i = 0; i < kWheels; ++i) {
            const auto index = static_cast<std::size_t>(i);
            const Wheel& wheel = kWheelData[index];
            const BodyPose& pose = view.pose(m_body, i);
            // A tooth of the first and the last wheel meets a gap of the middle one.
            const double gap = i == 1 ? M_PI / wheel.teeth : 0;
            const Eigen::Quaterniond turn = pose.orientation * Eigen::AngleAxisd(gap, Eigen::Vector3d::UnitZ());
            const auto& [red, green, blue] = wheel.color;
            picture.gears.push_back(
                {.pose = {.position = pose.position.cast<float>(), .orientation = turn.cast<float>()},
                 .pitchRadius = static_cast<float>(wheel.radius()),
                 .width = static_cast<float>(kWidth),
                 .teeth = wheel.teeth,
                 .toothPlayAngle = static_cast<float>(kPlay / 2 / wheel.radius()),
                 .surface = view.linkSurface(m_body, i, view::Color::bytes(red, green, blue))});
            const Eigen::Vector3d back(0, 0, -0.1);  // as far as the wall
            const Eigen::Vector3d front(0, 0, 0.75 * kWidth);
            picture.cylinders.push_back({.a = (pose.position + back).cast<float>(),
                                         .b = (pose.position + front).cast<float>(),
                                         .diameter = 0.07F,
                                         .side = (turn * Eigen::Vector3d::UnitX()).cast<float>(),
                                         .surface = view.linkSurface(m_body, i, view::Color::bytes(96, 102, 110))});
        }
        for (int i = 0; i + 1 < kWheels; ++i) drawPush(i, view, picture);
    }

private:
    void add(std::unique_ptr<MultiBodyElement> element, const std::string& name) {
        element->setName(name);
        m_world.addMultiBodyConstraint(element.get());
        m_elements.push_back(std::move(element));
    }

    /// What a wheel's teeth do to those of the next one: an arrow where they meet, along the pitch circle.
    void drawPush(int first, const GuestView& view, view::Picture& picture) const {
        const MultiBodyElement& pair = *m_elements[static_cast<std::size_t>(first)];
        const ElementMoment* moment = view.moment(pair);
        if (moment == nullptr) return;
        const double radius = kWheelData[static_cast<std::size_t>(first)].radius();
        const double force = moment->shownForce / radius;
        constexpr double kLengthPerForce = 0.012;  // [m/N]
        const double length = std::clamp(kLengthPerForce * force, -0.3, 0.3);
        if (std::abs(length) < 0.01) return;
        const Eigen::Vector3d from(m_x[static_cast<std::size_t>(first)] + radius, kHeight, 0.65 * kWidth);
        picture.arrows.push_back({.from = from.cast<float>(),
                                  .vector = Eigen::Vector3d(0, length, 0).cast<float>(),
                                  .diameter = 0.02F,
                                  .surface = view.elementSurface(pair, view::Color::bytes(232, 70, 60))});
    }

    /// Between a wheel and the next one.
    void addPair(int first) {
        const double r1 = kWheelData[static_cast<std::size_t>(first)].radius();
        const double r2 = kWheelData[static_cast<std::size_t>(first + 1)].radius();
        constexpr double kStiffness = 1e5;  // of the teeth, along the pitch circle [N/m]
        constexpr double kDamping = 200;    // [N.s/m]
        const ElastoBacklashLaw teeth({.c = kStiffness * r1 * r1, .d = kDamping * r1 * r1, .b = kPlay / r1});
        add(std::make_unique<MultiBodyElement>(GearPair{{&m_body, first}, {&m_body, first + 1}, -r2 / r1}, teeth),
            "teeth" + std::to_string(first + 1));
    }

    btMultiBodyDynamicsWorld& m_world;
    btMultiBody m_body;
    std::array<double, kWheels> m_x{};
    std::vector<std::unique_ptr<MultiBodyElement>> m_elements;
};

}  // namespace

const Registration kGearPairs({
    .name = "gear_pairs",
    .title = "Gear pairs with visible play",
    .look = "The motor of the left wheel swings to and fro: its teeth run free, meet and take the next wheel along.",
    .press = "Pull at a wheel, or slide b of the teeth to 0: the knocks are gone. Loop shows the lost motion.",
    .scene = "gallery/gear_pairs",
    .guests = [](SceneWorld& world) { world.add(std::make_unique<GearPairs>(world)); },
    .group = "Machines and toys",
    .place = 112,
    .selected = "teeth1",
    .azimuth = 0.15,
    .elevation = 0.1,
    .zoom = 1.25,
    .pictureFrames = 17,
});

}  // namespace elasto::gallery
