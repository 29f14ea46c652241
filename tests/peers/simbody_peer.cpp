#include "peer.h"

#include <Simbody.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace elasto::peers {

namespace {

/// Forces below this share of the weight count as none; see plan.json.
constexpr double kNoForce = 1e-6;

/// Generalised forces of coordinates q and speeds u at a time.
using Law = std::function<void(double t, const double* q, const double* u, double* force)>;

/// The law of the case on the mobilities of its bodies, one each.
class LawForce : public SimTK::Force::Custom::Implementation {
public:
    LawForce(const SimTK::SimbodyMatterSubsystem& matter, Law law) : m_matter(matter), m_law(std::move(law)) {}
    void calcForce(const SimTK::State& state, SimTK::Vector_<SimTK::SpatialVec>&, SimTK::Vector_<SimTK::Vec3>&,
                   SimTK::Vector& forces) const override {
        double pushes[kMost] = {};
        m_law(state.getTime(), &state.getQ()[0], &state.getU()[0], pushes);
        for (int i = 0; i < forces.size(); ++i) forces[i] += pushes[i];
    }
    SimTK::Real calcPotentialEnergy(const SimTK::State&) const override { return 0; }

private:
    static constexpr int kMost = 8;
    const SimTK::SimbodyMatterSubsystem& m_matter;
    Law m_law;
};

class SimbodyMotion : public Motion {
public:
    SimbodyMotion(CaseKind kind, const Scene& scene, bool stiff, double accuracy, bool watches)
        : m_kind(kind),
          m_scene(scene),
          m_watches(watches),
          m_law(numbersOf(scene, 0)),
          m_matter(m_system),
          m_forces(m_system) {
        build(accuracy);
        SimTK::State state = m_system.realizeTopology();
        place(state);
        if (stiff) {
            m_integrator = std::make_unique<SimTK::CPodesIntegrator>(m_system);
        } else {
            m_integrator = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(m_system);
        }
        m_integrator->setAccuracy(accuracy);
        m_integrator->setReturnEveryInternalStep(watches);
        m_integrator->initialize(state);
        m_before = sampleNow();
    }

    void advance(double time) override {
        while (m_integrator->getTime() < time) {
            m_integrator->stepTo(time, time);
            if (m_watches) watch();
        }
    }
    std::vector<double> coordinates() override {
        const SimTK::Vector& q = m_integrator->getState().getQ();
        if (m_kind == CaseKind::Backlash) return {q[1], q[0] + q[1]};
        std::vector<double> all;
        for (int i = 0; i < q.size(); ++i) all.push_back(q[i]);
        return all;
    }
    double speed() override { return m_integrator->getState().getU()[0]; }
    std::optional<ContactReport> contact() const override { return m_isOver ? std::optional(m_report) : std::nullopt; }

private:
    struct Sample {
        double t = 0;
        double z = 0;
        double v = 0;
    };
    Sample sampleNow() const {
        const SimTK::State& state = m_integrator->getState();
        return {state.getTime(), state.getQ()[0], state.getU()[0]};
    }

    /// Looks at a step of the integrator; between its ends a straight line.
    void watch() {
        const Sample now = sampleNow();
        const double weight = m_scene.bodies[0].mass * m_scene.gravity.norm();
        const double push = pushOf(m_law, -now.z, now.v * -1);
        if (!m_hasBegun && now.z < 0) {
            m_hasBegun = true;
            const double share = m_before.z > now.z ? m_before.z / (m_before.z - now.z) : 0;
            m_report.begin = m_before.t + share * (now.t - m_before.t);
        }
        m_report.peakForce = std::max(m_report.peakForce, push);
        if (m_hasBegun && !m_isOver && now.t > m_report.begin && push <= kNoForce * weight && now.v > 0) {
            m_isOver = true;
            m_report.end = now.t;
            m_report.top = now.z + now.v * now.v / (2 * m_scene.gravity.norm());
        }
        m_before = now;
    }

    void addSlider(double mass) {
        const SimTK::Body::Rigid body(SimTK::MassProperties(mass, SimTK::Vec3(0), SimTK::Inertia(1)));
        m_bodies.push_back(
            SimTK::MobilizedBody::Slider(m_matter.Ground(), SimTK::Transform(), body, SimTK::Transform()));
    }

    void build(double accuracy) {
        const double g = m_scene.gravity.norm();
        const StiffnessAndDamping law = m_law;
        Law force;
        switch (m_kind) {
            case CaseKind::DroppedMass: {
                const double weight = m_scene.bodies[0].mass * g;
                addSlider(m_scene.bodies[0].mass);
                force = [law, weight](double, const double* q, const double* u, double* f) {
                    f[0] = pushOf(law, -q[0], -u[0]) - weight;
                };
                break;
            }
            case CaseKind::Backlash: {
                const auto wheel = [](double inertia) {
                    return SimTK::Body::Rigid(SimTK::MassProperties(1, SimTK::Vec3(0), SimTK::Inertia(inertia)));
                };
                const SimTK::MobilizedBody::Pin rotor(m_matter.Ground(), SimTK::Transform(),
                                                      wheel(m_scene.bodies[0].inertia.z()), SimTK::Transform());
                SimTK::MobilizedBody parent = rotor;
                const SimTK::MobilizedBody::Pin load(parent, SimTK::Transform(), wheel(m_scene.bodies[1].inertia.z()),
                                                     SimTK::Transform());
                const double half = std::get<ElastoBacklashLaw>(m_scene.elements[0].law).parameters().b / 2;
                force = [law, half, this](double t, const double* q, const double* u, double* f) {
                    f[0] = torqueAt(m_scene, t);
                    f[1] = pushOf(law, -half - q[1], -u[1]) - pushOf(law, q[1] - half, u[1]);
                };
                break;
            }
            case CaseKind::Cradle: {
                for (const SceneBody& body : m_scene.bodies) addSlider(body.mass);
                const double width = std::get<ElastoGapLaw>(m_scene.elements[0].law).parameters().s_rel0;
                const std::size_t balls = m_scene.bodies.size();
                force = [law, width, balls](double, const double* q, const double* u, double* f) {
                    for (std::size_t i = 1; i < balls; ++i) {
                        const double push = pushOf(law, width - (q[i] - q[i - 1]), u[i - 1] - u[i]);
                        f[i] += push;
                        f[i - 1] -= push;
                    }
                };
                break;
            }
            case CaseKind::HingeStop: {
                const SceneBody& bar = m_scene.bodies[0];
                const double arm = bar.centreOfMass.x();
                const double weight = bar.mass * g;
                const double inertia = bar.inertia.z() + bar.mass * arm * arm;
                const SimTK::Body::Rigid body(SimTK::MassProperties(bar.mass, SimTK::Vec3(arm, 0, 0),
                                                                    SimTK::Inertia(bar.inertia.x(), inertia, inertia)));
                m_bodies.push_back(
                    SimTK::MobilizedBody::Pin(m_matter.Ground(), SimTK::Transform(), body, SimTK::Transform()));
                force = [law, arm, weight](double, const double* q, const double* u, double* f) {
                    f[0] = (pushOf(law, -std::sin(q[0]), -u[0] * std::cos(q[0])) - weight * arm) * std::cos(q[0]);
                };
                break;
            }
            case CaseKind::SlidingBox: {
                const SceneBody& box = m_scene.bodies.back();
                const double friction = 0.5 * box.mass * g;
                // Coulomb's jump has no derivative; the smaller the accuracy that is asked for, the steeper it is.
                const double steep = 1e-3 * box.velocity.x() * std::pow(accuracy, 0.2);
                addSlider(box.mass);
                force = [law, friction, steep](double, const double* q, const double* u, double* f) {
                    f[0] = -pushOf(law, q[0] - 1, u[0]) - friction * std::clamp(u[0] / steep, -1., 1.);
                };
                break;
            }
        }
        SimTK::Force::Custom(m_forces, new LawForce(m_matter, std::move(force)));
    }

    void place(SimTK::State& state) const {
        SimTK::Vector& q = state.updQ();
        SimTK::Vector& u = state.updU();
        if (m_kind == CaseKind::DroppedMass) q[0] = m_scene.bodies[0].position.y();
        if (m_kind == CaseKind::HingeStop) q[0] = 0.3;
        if (m_kind == CaseKind::SlidingBox) u[0] = m_scene.bodies.back().velocity.x();
        for (int i = 0; m_kind == CaseKind::Cradle && i < q.size(); ++i) {
            q[i] = m_scene.bodies[static_cast<std::size_t>(i)].position.x();
            u[i] = m_scene.bodies[static_cast<std::size_t>(i)].velocity.x();
        }
    }

    CaseKind m_kind;
    Scene m_scene;
    bool m_watches;
    StiffnessAndDamping m_law;
    SimTK::MultibodySystem m_system;
    SimTK::SimbodyMatterSubsystem m_matter;
    SimTK::GeneralForceSubsystem m_forces;
    std::vector<SimTK::MobilizedBody> m_bodies;
    std::unique_ptr<SimTK::Integrator> m_integrator;
    Sample m_before;
    bool m_hasBegun = false;
    bool m_isOver = false;
    ContactReport m_report;
};

class SimbodyPeer : public Peer {
public:
    SimbodyPeer(bool stiff, const char* name) : m_stiff(stiff), m_name(name) {}
    std::string name() const override { return m_name; }
    std::string version() const override {
        int major = 0;
        int minor = 0;
        int build = 0;
        SimTK_version_simbody(&major, &minor, &build);
        return "Simbody " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
    }
    bool hasAccuracy() const override { return true; }
    std::unique_ptr<Motion> begin(CaseKind kind, const Scene& scene, double setting, bool watches) const override {
        return std::make_unique<SimbodyMotion>(kind, scene, m_stiff, setting, watches);
    }

private:
    bool m_stiff;
    const char* m_name;
};

}  // namespace

}  // namespace elasto::peers

// Called by simbody_module.cpp.
extern "C" __attribute__((visibility("default"))) void elasto_peers_add(elasto::peers::Peers& peers) {
    using elasto::peers::SimbodyPeer;
    peers.push_back(std::make_unique<SimbodyPeer>(false, "Simbody, Runge-Kutta-Merson"));
    peers.push_back(std::make_unique<SimbodyPeer>(true, "Simbody, CPodes"));
}
