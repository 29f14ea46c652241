#include "baseline_world.h"

#include "host/conversion.h"

#include <elasto/placement.h>
#include <elasto/scene/start.h>

#include <cmath>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Beyond this nobody looks for a body any more [m].
constexpr double kFarAway = 1e6;

Scene withoutElements(Scene scene) {
    scene.flight = Scene::Flight::Bullet;
    scene.elements.clear();
    // They name elements.
    scene.record.clear();
    return scene;
}

/// A frame's origin from the centre of mass of its body, in the body [m].
Eigen::Vector3d armOf(const SceneFrame& frame, const Scene& scene) {
    if (frame.body == kWorld) return frame.position;
    return frame.position - scene.bodies[static_cast<std::size_t>(frame.body)].centreOfMass;
}

void ignoreEachOther(btRigidBody& a, btRigidBody& b) {
    if (&a == &Placement::world() || &b == &Placement::world()) return;
    a.setIgnoreCollisionCheck(&b, true);
    b.setIgnoreCollisionCheck(&a, true);
}

}  // namespace

BaselineWorld::BaselineWorld(const Scene& scene, BaselineKind kind, std::optional<double> rate)
    : m_world(std::make_unique<SceneWorld>(withoutElements(scene), rate)), m_network(startNetwork(scene)) {
    const auto endOf = [this](int body) -> btRigidBody& {
        return body == kWorld ? Placement::world() : m_world->body(static_cast<std::size_t>(body));
    };
    for (std::size_t i = 0; i < scene.elements.size(); ++i) {
        FlowElement placed = m_network.elements[i];
        if (placed.geometry == Geometry::AboutAxis) {
            // Elasto does not ask where such an element is. Bullet reckons with the arms to the centres of mass.
            placed.pointA = armOf(scene.elements[i].frame_a, scene);
            placed.pointB = armOf(scene.elements[i].frame_b, scene);
        }
        const int points = isContactKind(kind) ? contactPointsOf(scene, i) : 0;
        m_elements.push_back(std::make_unique<BaselineElement>(kind, placed, endOf(placed.a), endOf(placed.b),
                                                               m_world->tickLength(), points));
        if (btTypedConstraint* constraint = m_elements.back()->constraint()) {
            m_world->world().addConstraint(constraint, true);
        } else if (points == 0) {
            if (kind != BaselineKind::ExplicitForce) m_fallbacks.push_back(scene.elements[i].name);
            // Elasto's elements leave their bodies alone, too.
            ignoreEachOther(endOf(placed.a), endOf(placed.b));
        }
    }
}

BaselineWorld::~BaselineWorld() = default;

void BaselineWorld::moveNetwork() {
    for (std::size_t i = 0; i < m_network.bodies.size(); ++i) {
        const btRigidBody& from = m_world->body(i);
        BodyState& to = m_network.bodies[i];
        const btQuaternion turn = from.getCenterOfMassTransform().getRotation();
        to.position = toEigen(from.getCenterOfMassPosition());
        to.orientation = Eigen::Quaterniond(static_cast<double>(turn.w()), static_cast<double>(turn.x()),
                                            static_cast<double>(turn.y()), static_cast<double>(turn.z()));
        to.velocity = toEigen(from.getLinearVelocity());
        to.angularVelocity = toEigen(from.getAngularVelocity());
    }
}

void BaselineWorld::step() {
    moveNetwork();
    for (const auto& element : m_elements) element->beforeTick(m_network);
    m_world->step();
}

SceneSample BaselineWorld::sample() {
    SceneSample sample = m_world->sample();
    moveNetwork();
    for (const auto& element : m_elements) {
        sample.elements.push_back(element->sample(m_network, *m_world->world().getDispatcher()));
    }
    return sample;
}

bool BaselineWorld::isLost() const {
    for (std::size_t i = 0; i < m_world->bodies(); ++i) {
        const double distance = static_cast<double>(m_world->body(i).getCenterOfMassPosition().length());
        if (!std::isfinite(distance) || distance > kFarAway) return true;
    }
    return false;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
