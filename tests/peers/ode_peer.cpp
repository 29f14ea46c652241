#include "peer.h"

#ifdef ELASTO_HAS_ODE
#include <ode/ode.h>

#include <cmath>
#endif

namespace elasto::peers {

#ifdef ELASTO_HAS_ODE

namespace {

/// What ODE's manual gives for a spring and damper in a row: implicit Euler of them.
struct Softness {
    double erp = 0;
    double cfm = 0;
};
Softness softnessOf(const StiffnessAndDamping& law, double h) {
    const double hardness = h * law.c + law.d;
    return {h * law.c / hardness, 1 / hardness};
}

class OdeMotion : public Motion {
public:
    OdeMotion(CaseKind kind, const Scene& scene, double rate)
        : m_kind(kind), m_scene(scene), m_rate(rate), m_law(numbersOf(scene, 0)), m_soft(softnessOf(m_law, 1 / rate)) {
        m_world = dWorldCreate();
        m_contacts = dJointGroupCreate(0);
        dWorldSetGravity(m_world, scene.gravity.x(), scene.gravity.y(), scene.gravity.z());
        for (const SceneBody& from : scene.bodies) {
            if (from.motion == BodyMotion::Dynamic) addBody(from);
        }
        if (kind == CaseKind::Backlash) addPlay();
        if (kind == CaseKind::HingeStop) addHinge();
        if (kind == CaseKind::SlidingBox) {
            m_space = dSimpleSpaceCreate(nullptr);
            m_floor = dCreatePlane(m_space, 0, 1, 0, 0);
            m_box = dCreateBox(m_space, 1, 1, 1);
            dGeomSetBody(m_box, m_bodies[0]);
        }
    }
    ~OdeMotion() override {
        if (m_space != nullptr) dSpaceDestroy(m_space);
        dJointGroupDestroy(m_contacts);
        dWorldDestroy(m_world);
    }

    void advance(double time) override {
        for (const long ticks = std::lround(time * m_rate); m_ticks < ticks; ++m_ticks) tick();
    }

    std::vector<double> coordinates() override {
        switch (m_kind) {
            case CaseKind::DroppedMass:
                return {place(0)[1]};
            case CaseKind::Backlash:
                return {turn(1) - turn(0), turn(1)};
            case CaseKind::Cradle: {
                std::vector<double> places;
                for (std::size_t i = 0; i < m_bodies.size(); ++i) places.push_back(place(i)[0]);
                return places;
            }
            case CaseKind::HingeStop:
                return {turn(0)};
            case CaseKind::SlidingBox:
                return {place(0)[0]};
        }
        return {};
    }
    double speed() override { return dBodyGetLinearVel(m_bodies[0])[1]; }

private:
    void addBody(const SceneBody& from) {
        const dBodyID body = dBodyCreate(m_world);
        dMass mass;
        dMassSetParameters(&mass, from.mass, 0, 0, 0, from.inertia.x(), from.inertia.y(), from.inertia.z(), 0, 0, 0);
        dBodySetMass(body, &mass);
        const Eigen::Vector3d centre = from.position + from.orientation * from.centreOfMass;
        dBodySetPosition(body, centre.x(), centre.y(), centre.z());
        const dQuaternion turned = {from.orientation.w(), from.orientation.x(), from.orientation.y(),
                                    from.orientation.z()};
        dBodySetQuaternion(body, turned);
        dBodySetLinearVel(body, from.velocity.x(), from.velocity.y(), from.velocity.z());
        m_bodies.push_back(body);
    }

    void addPlay() {
        const double half = std::get<ElastoBacklashLaw>(m_scene.elements[0].law).parameters().b / 2;
        const dJointID bearing = dJointCreateHinge(m_world, nullptr);
        dJointAttach(bearing, m_bodies[0], nullptr);
        dJointSetHingeAxis(bearing, 0, 0, 1);
        const dJointID play = dJointCreateHinge(m_world, nullptr);
        dJointAttach(play, m_bodies[1], m_bodies[0]);
        dJointSetHingeAxis(play, 0, 0, 1);
        dJointSetHingeParam(play, dParamLoStop, -half);
        dJointSetHingeParam(play, dParamHiStop, half);
        dJointSetHingeParam(play, dParamStopERP, m_soft.erp);
        dJointSetHingeParam(play, dParamStopCFM, m_soft.cfm);
    }

    void addHinge() {
        const dJointID hinge = dJointCreateHinge(m_world, nullptr);
        dJointAttach(hinge, m_bodies[0], nullptr);
        dJointSetHingeAnchor(hinge, 0, 0, 0);
        dJointSetHingeAxis(hinge, 0, 0, 1);
    }

    /// A frictionless contact with the law of the element.
    void push(dBodyID body, dBodyID other, const dVector3 at, double normalX, double normalY, double depth) {
        if (!(depth > 0)) return;
        dContact contact = {};
        contact.surface.mode = dContactSoftERP | dContactSoftCFM;
        contact.surface.mu = 0;
        contact.surface.soft_erp = m_soft.erp;
        contact.surface.soft_cfm = m_soft.cfm;
        for (int i = 0; i < 3; ++i) contact.geom.pos[i] = at[i];
        contact.geom.normal[0] = normalX;
        contact.geom.normal[1] = normalY;
        contact.geom.depth = depth;
        dJointAttach(dJointCreateContact(m_world, m_contacts, &contact), body, other);
    }

    void standOnFloor() {
        dContactGeom points[8];
        const int number = dCollide(m_box, m_floor, 8, points, sizeof(dContactGeom));
        for (int i = 0; i < number; ++i) {
            dContact contact = {};
            contact.surface.mode = dContactApprox1;
            contact.surface.mu = 0.5;
            contact.geom = points[i];
            dJointAttach(dJointCreateContact(m_world, m_contacts, &contact), m_bodies[0], nullptr);
        }
    }

    void tick() {
        const double h = 1 / m_rate;
        const double start = static_cast<double>(m_ticks) / m_rate;
        if (m_kind == CaseKind::DroppedMass) push(m_bodies[0], nullptr, place(0), 0, 1, -place(0)[1]);
        if (m_kind == CaseKind::Backlash) dBodyAddTorque(m_bodies[0], 0, 0, meanTorque(m_scene, start, start + h));
        if (m_kind == CaseKind::Cradle) {
            const double width = std::get<ElastoGapLaw>(m_scene.elements[0].law).parameters().s_rel0;
            for (std::size_t i = 1; i < m_bodies.size(); ++i) {
                push(m_bodies[i], m_bodies[i - 1], place(i), 1, 0, width - (place(i)[0] - place(i - 1)[0]));
            }
        }
        if (m_kind == CaseKind::HingeStop) {
            dVector3 tip;
            dBodyGetRelPointPos(m_bodies[0], 0.5, 0, 0, tip);
            push(m_bodies[0], nullptr, tip, 0, 1, -tip[1]);
        }
        if (m_kind == CaseKind::SlidingBox) {
            push(m_bodies[0], nullptr, place(0), -1, 0, place(0)[0] - 1);
            standOnFloor();
        }
        dWorldStep(m_world, h);
        dJointGroupEmpty(m_contacts);
    }

    const dReal* place(std::size_t body) const { return dBodyGetPosition(m_bodies[body]); }
    double turn(std::size_t body) const {
        const dReal* turned = dBodyGetQuaternion(m_bodies[body]);
        return 2 * std::atan2(turned[3], turned[0]);
    }

    CaseKind m_kind;
    Scene m_scene;
    double m_rate;
    StiffnessAndDamping m_law;
    Softness m_soft;
    long m_ticks = 0;
    dWorldID m_world = nullptr;
    dJointGroupID m_contacts = nullptr;
    dSpaceID m_space = nullptr;
    dGeomID m_floor = nullptr;
    dGeomID m_box = nullptr;
    std::vector<dBodyID> m_bodies;
};

class OdePeer : public Peer {
public:
    OdePeer() {
        dInitODE2(0);
        // A run that explodes is seen by its numbers.
        dSetMessageHandler([](int, const char*, va_list) {});
    }
    ~OdePeer() override { dCloseODE(); }
    std::string name() const override { return "ODE, erp and cfm"; }
    std::string version() const override { return "ODE " dODE_VERSION; }
    std::unique_ptr<Motion> begin(CaseKind kind, const Scene& scene, double setting, bool) const override {
        return std::make_unique<OdeMotion>(kind, scene, setting);
    }
};

}  // namespace

void addOde(Peers& peers) {
    peers.push_back(std::make_unique<OdePeer>());
}

#else

void addOde(Peers&) {}

#endif

}  // namespace elasto::peers
