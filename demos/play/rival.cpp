#include "rival.h"

#include <elasto/placement.h>
#include <elasto/scene/start.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "rival_contact.h"
#include "rival_element.h"

namespace elasto::play {

const char* rivalName(RivalKind kind, const Scene& scene) {
    static constexpr std::array<const char*, kRivalKinds> names = {"explicit force", "6-dof limit with ERP and CFM",
                                                                   "6-dof limit with restitution",
                                                                   "contact with c and d", "hard contact"};
    const auto isLimit = [](const SceneElement& element) {
        return std::holds_alternative<ElastoGapLaw>(element.law) ||
               std::holds_alternative<ElastoBacklashLaw>(element.law);
    };
    if (kind == RivalKind::SoftLimit && std::none_of(scene.elements.begin(), scene.elements.end(), isLimit)) {
        return "6-dof spring";
    }
    return names[static_cast<std::size_t>(kind)];
}

inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Beyond this nobody looks for a body any more [m].
constexpr double kFarAway = 1e6;

Scene withoutElements(Scene scene) {
    scene.elements.clear();
    return scene;
}

/// A frame's origin from the centre of mass of its body, in the body [m].
Eigen::Vector3d armOf(const SceneFrame& frame, const Scene& scene) {
    if (frame.body == kWorld) return frame.position;
    return frame.position - scene.bodies[static_cast<std::size_t>(frame.body)].centreOfMass;
}

bool isContactKind(RivalKind kind) {
    return kind == RivalKind::SoftContact || kind == RivalKind::HardContact;
}

}  // namespace

Rival::Rival(const Session& session, RivalKind kind) : m_kind(kind) {
    begin(session);
}

Rival::~Rival() = default;

bool Rival::suits(RivalKind kind, const Scene& scene) {
    if (!isContactKind(kind)) return true;
    for (std::size_t i = 0; i < scene.elements.size(); ++i) {
        if (contactPointsOf(scene, i) > 0) return true;
    }
    return false;
}

void Rival::begin(const Session& session) {
    m_elements.clear();  // before the bodies that they refer to
    m_fallbacks.clear();
    m_failedAt = -1;
    m_run = session.run();
    m_balls = session.scene().bodies.size();
    m_controls = Controls::of(session.scene());
    const Scene& scene = session.scene();
    m_world = std::make_unique<SceneWorld>(
        withoutElements(withBalls(scene, static_cast<int>(session.balls()), session.ballSize())), session.rate());
    for (std::size_t i = m_balls; i < m_world->bodies(); ++i) park(m_world->body(i));
    m_network = startNetwork(scene);
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
        const int points = isContactKind(m_kind) ? contactPointsOf(scene, i) : 0;
        m_elements.push_back(std::make_unique<RivalElement>(m_kind, scene.elements[i], placed, endOf(placed.a),
                                                            endOf(placed.b), m_world->tickLength(), points));
        if (btTypedConstraint* constraint = m_elements.back()->constraint()) {
            m_world->world().addConstraint(constraint, true);
        } else if (points == 0) {
            if (m_kind != RivalKind::ExplicitForce) m_fallbacks.push_back(scene.elements[i].name);
            // Elasto's elements leave their bodies alone, too.
            ignoreEachOther(endOf(placed.a), endOf(placed.b));
        }
    }
    m_history = std::make_unique<History>(m_world->bodies(), scene.elements.size());
    addRow();
}

void Rival::ignoreEachOther(btRigidBody& a, btRigidBody& b) {
    if (&a == &Placement::world() || &b == &Placement::world()) return;
    a.setIgnoreCollisionCheck(&b, true);
    b.setIgnoreCollisionCheck(&a, true);
}

void Rival::follow(const Session& session) {
    if (m_run != session.run()) {
        const bool isUntouched = session.isSameUpTo(m_run, m_history->lastTick());
        if (isUntouched) {
            m_run = session.run();
        } else {
            begin(session);
        }
    }
    while (m_failedAt < 0 && m_history->lastTick() < session.tick()) step(session);
}

void Rival::perform(const Action& action) {
    if (const auto* edit = std::get_if<ParameterEdit>(&action)) {
        m_elements[static_cast<std::size_t>(edit->element)]->setParameter(edit->parameter, edit->value);
    } else if (const auto* change = std::get_if<ElementSwitch>(&action)) {
        m_elements[static_cast<std::size_t>(change->element)]->setEnabled(change->enabled, m_world->world());
    } else {
        play::perform(action, *m_world, m_balls);
    }
    m_controls.take(action);
}

void Rival::step(const Session& session) {
    const long tick = m_history->lastTick();
    const Inputs& inputs = session.inputs();
    auto input = std::lower_bound(inputs.begin(), inputs.end(), tick,
                                  [](const Input& one, long wanted) { return one.tick < wanted; });
    for (; input != inputs.end() && input->tick == tick; ++input) perform(input->action);
    pull(m_controls, *m_world);
    for (const auto& element : m_elements) element->beforeTick(m_network);
    m_world->step();
    for (std::size_t i = 0; i < m_world->bodies(); ++i) {
        const btVector3& place = m_world->body(i).getCenterOfMassPosition();
        const double distance = static_cast<double>(place.length());
        if (std::isfinite(distance) && distance < kFarAway) continue;
        m_failedAt = tick + 1;
        return;
    }
    addRow();
}

void Rival::addRow() {
    SceneSample sample = m_world->sample();
    for (std::size_t i = 0; i < m_network.bodies.size(); ++i) {
        static_cast<BodyState&>(m_network.bodies[i]) = sample.bodies[i];
    }
    EnergyBook book;
    for (const auto& element : m_elements) {
        sample.elements.push_back(element->sample(m_network, *m_world->world().getDispatcher()));
        book.stored += sample.elements.back().storedEnergy;
    }
    m_history->add(sample, book);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
