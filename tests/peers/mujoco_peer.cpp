#include "peer.h"

#ifdef ELASTO_HAS_MUJOCO
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstring>
#include <stdexcept>
#endif

namespace elasto::peers {

#ifdef ELASTO_HAS_MUJOCO

namespace {

enum class Way { RungeKutta, Implicit, Documented };

/// Direct stiffness and damping with the smallest impedance that MuJoCo takes: the row's force is then
/// -(c x + d v) to a part in 10^4, whatever the tick. MuJoCo counts both per inverse mass of the row.
std::string limitOf(Way way, const StiffnessAndDamping& law, double inverseMass) {
    if (way == Way::Documented) return "";
    return fmt::format(R"( solreflimit="{:.17g} {:.17g}" solimplimit="0.0001 0.0001 0.001 0.5 2")",
                       -law.c * inverseMass, -law.d * inverseMass);
}

std::string bodyOf(const std::string& joint, double mass, double inertia, const std::string& inside = "",
                   double arm = 0) {
    return fmt::format(R"(<body>{}<inertial pos="{:.17g} 0 0" mass="{:.17g}" diaginertia="{:.17g} {:.17g} {:.17g}"/>{})"
                       "</body>",
                       joint, arm, mass, inertia, inertia, inertia, inside);
}

std::string worldOf(CaseKind kind, const Scene& scene, Way way) {
    const StiffnessAndDamping law = numbersOf(scene, 0);
    const SceneBody& body = scene.bodies[0];
    switch (kind) {
        case CaseKind::DroppedMass:
            return "<worldbody>" +
                   bodyOf(R"(<joint type="slide" axis="0 0 1" limited="true" range="0 1000")" +
                              limitOf(way, law, 1 / body.mass) + "/>",
                          body.mass, body.inertia.x()) +
                   "</worldbody>";
        case CaseKind::Backlash: {
            const double rotor = scene.bodies[0].inertia.z();
            const double load = scene.bodies[1].inertia.z();
            const double half = std::get<ElastoBacklashLaw>(scene.elements[0].law).parameters().b / 2;
            const std::string inner =
                bodyOf(fmt::format(R"(<joint type="hinge" axis="0 0 1" limited="true" range="{:.17g} {:.17g}"{}/>)",
                                   -half, half, limitOf(way, law, 1 / rotor + 1 / load)),
                       1, load);
            return "<worldbody>" + bodyOf(R"(<joint type="hinge" axis="0 0 1"/>)", 1, rotor, inner) + "</worldbody>";
        }
        case CaseKind::Cradle: {
            std::string bodies;
            std::string tendons;
            for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
                bodies += bodyOf(fmt::format(R"(<joint name="x{}" type="slide" axis="1 0 0"/>)", i), body.mass,
                                 scene.bodies[i].inertia.x());
                if (i == 0) continue;
                tendons += fmt::format(R"(<fixed limited="true" range="{:.17g} 1000"{}><joint joint="x{}" coef="1"/>)"
                                       R"(<joint joint="x{}" coef="-1"/></fixed>)",
                                       std::get<ElastoGapLaw>(scene.elements[0].law).parameters().s_rel0,
                                       limitOf(way, law, 2 / body.mass), i, i - 1);
            }
            return "<worldbody>" + bodies + "</worldbody><tendon>" + tendons + "</tendon>";
        }
        case CaseKind::HingeStop: {
            const double arm = body.centreOfMass.x();
            const double inertia = body.inertia.z() + body.mass * arm * arm;
            // The stop is 1 m from the hinge, so that its numbers are those of the angle.
            return "<worldbody>" +
                   bodyOf(R"(<joint type="hinge" axis="0 -1 0" limited="true" range="0 3")" +
                              limitOf(way, law, 1 / inertia) + "/>",
                          body.mass, body.inertia.z(), "", arm) +
                   "</worldbody>";
        }
        case CaseKind::SlidingBox: {
            const SceneBody& box = scene.bodies.back();
            return R"(<worldbody><geom type="plane" size="50 50 1" friction="0.5 0 0"/>)" +
                   bodyOf(R"(<joint type="slide" axis="1 0 0" limited="true" range="-100 1")" +
                              limitOf(way, law, 1 / box.mass) +
                              R"(/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 1 0"/>)",
                          box.mass, box.inertia.x(), R"(<geom type="box" size="0.5 0.5 0.5" friction="0.5 0 0"/>)") +
                   "</worldbody>";
        }
    }
    return {};
}

std::string modelOf(CaseKind kind, const Scene& scene, Way way, double h) {
    const double gravity = kind == CaseKind::Backlash || kind == CaseKind::Cradle ? 0 : -scene.gravity.norm();
    return fmt::format(R"(<mujoco><compiler angle="radian" inertiafromgeom="false"/><option timestep="{:.17g}" )"
                       R"(gravity="0 0 {:.17g}" integrator="{}" cone="elliptic" solver="Newton" iterations="100" )"
                       R"(tolerance="1e-12" impratio="10"/>{}</mujoco>)",
                       h, gravity, way == Way::RungeKutta ? "RK4" : "implicit", worldOf(kind, scene, way));
}

struct ModelEnd {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct DataEnd {
    void operator()(mjData* data) const { mj_deleteData(data); }
};

/// Scene whose torque the callback of MuJoCo's stages applies.
const Scene* torqueScene = nullptr;
void applyTorque(const mjModel*, mjData* data) {
    data->qfrc_applied[0] = torqueAt(*torqueScene, data->time);
}

mjModel* compile(const std::string& text) {
    static mjVFS files;
    mj_defaultVFS(&files);
    const int size = static_cast<int>(text.size()) + 1;
    if (mj_makeEmptyFileVFS(&files, "model.xml", size) != 0) throw std::runtime_error("MuJoCo takes no file");
    std::memcpy(files.filedata[0], text.c_str(), text.size() + 1);
    char error[1000] = "";
    mjModel* model = mj_loadXML("model.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (model == nullptr) throw std::runtime_error(std::string("MuJoCo refuses the model: ") + error);
    return model;
}

class MujocoMotion : public Motion {
public:
    MujocoMotion(CaseKind kind, const Scene& scene, Way way, double rate)
        : m_kind(kind), m_scene(scene), m_way(way), m_rate(rate) {
        m_model.reset(compile(modelOf(kind, scene, way, 1 / rate)));
        m_data.reset(mj_makeData(m_model.get()));
        double* q = m_data->qpos;
        double* v = m_data->qvel;
        if (kind == CaseKind::DroppedMass) q[0] = scene.bodies[0].position.y();
        if (kind == CaseKind::HingeStop) q[0] = 0.3;
        if (kind == CaseKind::SlidingBox) {
            q[1] = 0.5;
            v[0] = scene.bodies.back().velocity.x();
        }
        for (std::size_t i = 0; kind == CaseKind::Cradle && i < scene.bodies.size(); ++i) {
            q[i] = scene.bodies[i].position.x();
            v[i] = scene.bodies[i].velocity.x();
        }
    }

    void advance(double time) override {
        const bool isDriven = m_kind == CaseKind::Backlash;
        const bool inStages = isDriven && m_way == Way::RungeKutta;
        torqueScene = &m_scene;
        mjcb_control = inStages ? applyTorque : nullptr;
        for (const long ticks = std::lround(time * m_rate); m_ticks < ticks; ++m_ticks) {
            const double start = static_cast<double>(m_ticks) / m_rate;
            if (isDriven && !inStages) m_data->qfrc_applied[0] = meanTorque(m_scene, start, start + 1 / m_rate);
            mj_step(m_model.get(), m_data.get());
        }
    }

    std::vector<double> coordinates() override {
        const double* q = m_data->qpos;
        if (m_kind == CaseKind::Backlash) return {q[1], q[0] + q[1]};
        if (m_kind == CaseKind::Cradle) return std::vector<double>(q, q + m_scene.bodies.size());
        return {q[0]};
    }
    double speed() override { return m_data->qvel[0]; }

private:
    CaseKind m_kind;
    Scene m_scene;
    Way m_way;
    double m_rate;
    long m_ticks = 0;
    std::unique_ptr<mjModel, ModelEnd> m_model;
    std::unique_ptr<mjData, DataEnd> m_data;
};

class MujocoPeer : public Peer {
public:
    MujocoPeer(Way way, const char* name) : m_way(way), m_name(name) {
        // A run that explodes is seen by its numbers; MuJoCo writes a log file about it otherwise.
        mju_user_warning = [](const char*) {};
    }
    std::string name() const override { return m_name; }
    std::string version() const override { return std::string("MuJoCo ") + mj_versionString(); }
    std::unique_ptr<Motion> begin(CaseKind kind, const Scene& scene, double setting, bool) const override {
        return std::make_unique<MujocoMotion>(kind, scene, m_way, setting);
    }

private:
    Way m_way;
    const char* m_name;
};

}  // namespace

void addMujoco(Peers& peers) {
    peers.push_back(std::make_unique<MujocoPeer>(Way::RungeKutta, "MuJoCo, RK4"));
    peers.push_back(std::make_unique<MujocoPeer>(Way::Implicit, "MuJoCo, implicit"));
    peers.push_back(std::make_unique<MujocoPeer>(Way::Documented, "MuJoCo, as documented"));
}

#else

void addMujoco(Peers&) {}

#endif

}  // namespace elasto::peers
