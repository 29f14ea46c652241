#include "cases.h"

#include <LinearMath/btScalar.h>
#include <baseline_world.h>
#include <elasto/parameter_forms.h>

#include <cmath>

namespace elasto::peers {

namespace {

/// Bullet's default of 10 leaves rows of a chain apart.
constexpr int kIterations = 50;

/// Bullet's limits along an axis take the speed of the centres of mass for that of the point that hits the stop. At the
/// hinge, as a limit of its angle, the stop is at its best.
Scene withStopAtHinge(Scene scene) {
    SceneElement& stop = scene.elements[0];
    const StiffnessAndDamping numbers = numbersOf(scene, 0);
    stop.type = ElementType::ElastoBacklash;
    stop.geometry = Geometry::AboutAxis;
    stop.axis = Eigen::Vector3d::UnitZ();
    stop.frame_b.position.setZero();
    stop.law = ElastoBacklashLaw(
        {.c = numbers.c, .d = numbers.d, .b = 3, .phi_rel0 = 1.5, .characteristic = BacklashCharacteristic::NoPull});
    return scene;
}

class BulletMotion : public Motion {
public:
    BulletMotion(CaseKind kind, const Scene& scene, BaselineKind way, double rate)
        : m_kind(kind),
          m_world(kind == CaseKind::HingeStop && way != BaselineKind::ExplicitForce ? withStopAtHinge(scene) : scene,
                  way, rate) {
        m_world.world().world().getSolverInfo().m_numIterations = kIterations;
        if (kind != CaseKind::HingeStop || way != BaselineKind::Restitution) return;
        // The rebound is that of the bar about its hinge, which the row does not know.
        const SceneBody& bar = scene.bodies[0];
        const double mass = bar.inertia.z() + bar.mass * bar.centreOfMass.squaredNorm();
        const StiffnessAndDamping law = numbersOf(scene, 0);
        const double restitution = impactOf({law.c, law.d}, mass, GapCharacteristic::NoPull).restitution;
        auto* limit = dynamic_cast<btGeneric6DofSpring2Constraint*>(m_world.element(0).constraint());
        limit->setBounce(3, restitution);
    }
    void advance(double time) override {
        const long ticks = std::lround(time * m_world.world().rate());
        while (m_world.world().ticks() < ticks) m_world.step();
    }
    std::vector<double> coordinates() override { return coordinatesOf(m_kind, m_world.world().sample().bodies); }
    double speed() override { return static_cast<double>(m_world.world().body(0).getLinearVelocity().y()); }

private:
    CaseKind m_kind;
    BaselineWorld m_world;
};

class BulletPeer : public Peer {
public:
    BulletPeer(BaselineKind way, const char* name) : m_way(way), m_name(name) {}
    std::string name() const override { return m_name; }
    std::string version() const override {
        return "Bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
    }
    std::unique_ptr<Motion> begin(CaseKind kind, const Scene& scene, double setting, bool) const override {
        return std::make_unique<BulletMotion>(kind, scene, m_way, setting);
    }

private:
    BaselineKind m_way;
    const char* m_name;
};

}  // namespace

void addBullet(Peers& peers) {
    peers.push_back(std::make_unique<BulletPeer>(BaselineKind::ExplicitForce, "Bullet, explicit law"));
    peers.push_back(std::make_unique<BulletPeer>(BaselineKind::SoftLimit, "Bullet, 6-dof spring 2"));
    peers.push_back(std::make_unique<BulletPeer>(BaselineKind::Restitution, "Bullet, restitution"));
}

}  // namespace elasto::peers
