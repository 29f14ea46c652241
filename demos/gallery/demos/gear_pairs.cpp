// Three wheels, and no teeth for the physics: two gear pairs with backlash on the joints of a btMultiBody.

#include "gallery/demo.h"

#include <elasto/joint_load.h>
#include <elasto/multibody_element.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <array>

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
                                               SpringDamperLaw({.c = 0, .d = 0.4})));
        world.plugin().addJointLoad(JointLoad(m_body, 0, [](double t) { return 4 * std::sin(M_PI * t); }));
    }
    ~GearPairs() override {
        for (const auto& element : m_elements) m_world.removeMultiBodyConstraint(element.get());
        m_world.removeMultiBody(&m_body);
    }

    void beginTick(double /*t*/, double /*h*/) override {}

    void draw(view::Picture& picture) const override {
        for (int i = 0; i < kWheels; ++i) {
            const auto index = static_cast<std::size_t>(i);
            const Wheel& wheel = kWheelData[index];
            // A tooth of the first and the last wheel meets a gap of the middle one.
            const double gap = i == 1 ? M_PI / wheel.teeth : 0;
            const double angle = static_cast<double>(m_body.getJointPos(i)) + gap;
            const Eigen::Vector3d center(m_x[index], kHeight, 0);
            const Eigen::Quaterniond turn(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()));
            const auto& [red, green, blue] = wheel.color;
            picture.gears.push_back({.pose = {.position = center.cast<float>(), .orientation = turn.cast<float>()},
                                     .pitchRadius = static_cast<float>(wheel.radius()),
                                     .width = static_cast<float>(kWidth),
                                     .teeth = wheel.teeth,
                                     .toothPlayAngle = static_cast<float>(kPlay / 2 / wheel.radius()),
                                     .surface = {.color = view::Color::bytes(red, green, blue)}});
            const Eigen::Vector3d back(0, 0, -0.1);  // as far as the wall
            const Eigen::Vector3d front(0, 0, 0.75 * kWidth);
            picture.cylinders.push_back({.a = (center + back).cast<float>(),
                                         .b = (center + front).cast<float>(),
                                         .diameter = 0.07F,
                                         .side = (turn * Eigen::Vector3d::UnitX()).cast<float>(),
                                         .surface = {.color = view::Color::bytes(96, 102, 110)}});
        }
    }

private:
    void add(std::unique_ptr<MultiBodyElement> element) {
        m_world.addMultiBodyConstraint(element.get());
        m_elements.push_back(std::move(element));
    }

    /// Between a wheel and the next one.
    void addPair(int first) {
        const double r1 = kWheelData[static_cast<std::size_t>(first)].radius();
        const double r2 = kWheelData[static_cast<std::size_t>(first + 1)].radius();
        constexpr double kStiffness = 1e5;  // of the teeth, along the pitch circle [N/m]
        constexpr double kDamping = 200;    // [N.s/m]
        const ElastoBacklashLaw teeth({.c = kStiffness * r1 * r1, .d = kDamping * r1 * r1, .b = kPlay / r1});
        add(std::make_unique<MultiBodyElement>(GearPair{{&m_body, first}, {&m_body, first + 1}, -r2 / r1}, teeth));
    }

    btMultiBodyDynamicsWorld& m_world;
    btMultiBody m_body;
    std::array<double, kWheels> m_x{};
    std::vector<std::unique_ptr<MultiBodyElement>> m_elements;
};

}  // namespace

const Registration kDemo({
    .name = "gear_pairs",
    .title = "Gear pairs with visible play",
    .look = "The motor of the left wheel swings to and fro: its teeth run free, meet and take the next wheel along.",
    .press = "Slow down to 1/10 and go back in time: the teeth meet at the same instant again.",
    .scene = "gallery/gear_pairs",
    .guest = [](SceneWorld& world) -> std::unique_ptr<Guest> { return std::make_unique<GearPairs>(world); },
    .group = "Machines and toys",
    .place = 112,
    .azimuth = 0.25,
    .elevation = 0.15,
    .pictureFrames = 90,
});

}  // namespace elasto::gallery
