#include "robots_wheels.h"

#include <elasto/elasto_backlash.h>
#include <elasto/load.h>

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>

#include "robots_bed.h"

namespace elasto::tools {

namespace {

/// A train whose wheels are on axes of their own.
class WheelsInBullet {
public:
    explicit WheelsInBullet(const RobotModel& model) : m_bed(model.gravity) {
        const FlowTree& tree = model.problem.network.trees.front();
        for (const TreeLink& link : tree.links) addWheel(link);
        for (const TreeElement& element : model.problem.network.elements) addPair(tree, element);
        for (const auto& [at, torque] : model.problem.jointTorques) {
            const btVector3 axis = toBullet(tree.links[static_cast<std::size_t>(at.second)].axis);
            m_bed.plugin().addLoad(Load(wheel(at.second), Load::Kind::Torque,
                                        [axis, torque = torque](double t) { return btScalar(torque(t)) * axis; }));
        }
    }
    ~WheelsInBullet() {
        for (const auto& pair : m_pairs) m_bed.world().removeConstraint(pair.get());
        for (const auto& hinge : m_hinges) m_bed.world().removeConstraint(hinge.get());
    }
    WheelsInBullet(const WheelsInBullet&) = delete;
    WheelsInBullet& operator=(const WheelsInBullet&) = delete;

    RobotBed& bed() { return m_bed; }
    /// Of all wheels, counting turns [rad].
    std::vector<double> angles() const {
        std::vector<double> values;
        for (const auto& pair : m_pairs) values.push_back(pair->saveState().phi);
        values.push_back(m_pairs.back()->saveState().phi2);
        return values;
    }

private:
    btRigidBody& wheel(int link) { return *m_wheels[static_cast<std::size_t>(link)]; }

    void addWheel(const TreeLink& link) {
        btRigidBody& body =
            m_bed.addBody(link.mass, std::make_unique<btSphereShape>(btScalar(0.1)), toBullet(link.pivot));
        body.setMassProps(btScalar(link.mass), toBullet(Eigen::Vector3d(link.inertia.diagonal())));
        body.updateInertiaTensor();
        m_wheels.push_back(&body);
        m_hinges.push_back(std::make_unique<btHingeConstraint>(body, btVector3(0, 0, 0), toBullet(link.axis)));
        m_bed.world().addConstraint(m_hinges.back().get());
    }
    void addPair(const FlowTree& tree, const TreeElement& element) {
        const int first = element.terms[0].index;
        const int second = element.terms[1].index;
        const auto axisOf = [&](int link) { return toBullet(tree.links[static_cast<std::size_t>(link)].axis); };
        const Placement placement = Placement::gearPair(wheel(first), wheel(second), axisOf(first), axisOf(second),
                                                        -element.terms[1].coefficient);
        m_pairs.push_back(
            std::make_unique<ElastoBacklash>(placement, std::get<ElastoBacklashLaw>(element.law).parameters()));
        m_bed.world().addConstraint(m_pairs.back().get());
    }

    RobotBed m_bed;
    std::vector<btRigidBody*> m_wheels;
    std::vector<std::unique_ptr<btHingeConstraint>> m_hinges;
    std::vector<std::unique_ptr<ElastoBacklash>> m_pairs;
};

}  // namespace

RobotOutcome measureWheels(const RobotModel& model, bool untilDivergence, double rate, const Continue& proceed) {
    WheelsInBullet wheels(model);
    return measureCoordinates(
        model, untilDivergence, wheels.bed(), [&] { return wheels.angles(); }, rate, proceed);
}

}  // namespace elasto::tools
