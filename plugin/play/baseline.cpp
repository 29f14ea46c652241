#include "baseline.h"

#include <algorithm>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

Baseline::Baseline(const Session& session, BaselineKind kind) : m_kind(kind) {
    begin(session);
}

Baseline::~Baseline() = default;

void Baseline::begin(const Session& session) {
    m_failedAt = -1;
    m_run = session.run();
    const Scene& scene = session.scene();
    m_balls = scene.bodies.size();
    m_controls = Controls::of(scene);
    m_world = std::make_unique<BaselineWorld>(withBalls(scene, static_cast<int>(session.balls()), session.ballSize()),
                                              m_kind, session.rate());
    SceneWorld& world = m_world->world();
    for (std::size_t i = m_balls; i < world.bodies(); ++i) park(world.body(i));
    m_history = std::make_unique<History>(world.bodies(), scene.elements.size());
    addRow();
}

void Baseline::follow(const Session& session) {
    if (m_run != session.run()) {
        const bool isUntouched = session.isSameUpTo(m_run, m_history->lastTick());
        if (isUntouched) {
            m_run = session.run();
        } else {
            begin(session);
        }
    }
    while (m_failedAt < 0 && m_history->lastTick() < session.tick()) step(session);
    m_history->forgetBefore(std::min(session.history().firstTick(), m_history->lastTick()));
}

void Baseline::perform(const Action& action) {
    if (const auto* edit = std::get_if<ParameterEdit>(&action)) {
        BaselineElement& element = m_world->element(static_cast<std::size_t>(edit->element));
        // The session has refused what the law refuses.
        element.setLaw(withParameter(element.law(), edit->parameter, edit->value, "element"));
    } else if (const auto* change = std::get_if<ElementSwitch>(&action)) {
        m_world->element(static_cast<std::size_t>(change->element))
            .setEnabled(change->enabled, m_world->world().world());
    } else {
        play::perform(action, m_world->world(), m_balls);
    }
    m_controls.take(action);
}

void Baseline::step(const Session& session) {
    const long tick = m_history->lastTick();
    const Inputs& inputs = session.inputs();
    auto input = std::lower_bound(inputs.begin(), inputs.end(), tick,
                                  [](const Input& one, long wanted) { return one.tick < wanted; });
    for (; input != inputs.end() && input->tick == tick; ++input) perform(input->action);
    pull(m_controls, m_world->world());
    m_world->step();
    if (m_world->isLost()) {
        m_failedAt = tick + 1;
        return;
    }
    addRow();
}

void Baseline::addRow() {
    const SceneSample sample = m_world->sample();
    EnergyBook book;
    for (const ElementSample& element : sample.elements) book.stored += element.storedEnergy;
    m_history->add(sample, book);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
