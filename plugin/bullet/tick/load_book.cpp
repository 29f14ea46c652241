#include "tick/load_book.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <elasto/errors.h>

#include <algorithm>
#include <cmath>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void LoadBook::begin(const TickTime& time) {
    m_asks = true;
    m_ofTick.begin(asked(), askedOfJoints(), time);
    findLoadedBodies();
}

namespace {

void requireFiniteLoads(const LoadTable& table) {
    for (const LoadTable::OfBody& load : table.bodies()) {
        for (const double part : load.impulse) {
            if (!std::isfinite(part)) throw InvalidParameter("Load", "value", part, "finite");
        }
    }
}

}  // namespace

void LoadBook::requireFinite() const {
    requireFiniteLoads(m_ofTick);
}

void LoadBook::takeOutRefused(const TickTime& time) {
    m_ofTick = {};
    m_asks = false;
    const auto isRefused = [&](std::span<const std::shared_ptr<const Load>> ofBody,
                               std::span<const std::shared_ptr<const JointLoad>> ofJoint) {
        try {
            LoadTable alone;
            alone.begin(ofBody, ofJoint, time);
            requireFiniteLoads(alone);
            return false;
        } catch (const std::exception&) {
            return true;
        }
    };
    std::erase_if(loads, [&](const auto& load) { return isRefused({&load, 1}, {}); });
    std::erase_if(jointLoads, [&](const auto& load) { return isRefused({}, {&load, 1}); });
}

const std::vector<std::shared_ptr<const Load>>& LoadBook::asked() {
    if (!tape) return loads;
    m_noted.clear();
    for (const auto& load : loads) m_noted.push_back(std::make_shared<const Load>(noting(*load, *tape)));
    return m_noted;
}

const std::vector<std::shared_ptr<const JointLoad>>& LoadBook::askedOfJoints() {
    if (!tape) return jointLoads;
    m_notedOfJoints.clear();
    for (const auto& load : jointLoads) {
        m_notedOfJoints.push_back(std::make_shared<const JointLoad>(noting(*load, *tape)));
    }
    return m_notedOfJoints;
}

void LoadBook::change(std::function<void()> change) {
    m_changes.push_back(std::move(change));
    if (!m_asks) makeChanges();
}

void LoadBook::makeChanges() {
    m_asks = false;
    for (const auto& change : m_changes) change();
    m_changes.clear();
}

void LoadBook::findLoadedBodies() {
    m_isLoaded.clear();
    for (const LoadTable::OfBody& load : m_ofTick.bodies()) {
        const int place = load.body->getWorldArrayIndex();
        if (place < 0) continue;
        m_isLoaded.resize(std::max(m_isLoaded.size(), static_cast<std::size_t>(place) + 1));
        m_isLoaded[static_cast<std::size_t>(place)] = 1;
    }
}

bool LoadBook::isLoaded(const btRigidBody& body) const {
    const auto place = static_cast<std::size_t>(body.getWorldArrayIndex());
    return place < m_isLoaded.size() && m_isLoaded[place] != 0;
}

// Asked for itself, as the user may change what loads depend on before the next tick.
void LoadBook::wakeForNext(double t, double h) {
    const std::vector<std::shared_ptr<const Load>>& all = asked();
    m_ofNext.begin(all, {}, {t, h, 0});
    for (const auto& load : all) {
        const LoadTable::OfBody* next = m_ofNext.find(load->body());
        // A load that steps with the next tick's end is constant in that one and in the next.
        const bool steps = next != nullptr && load->value(t + h).distance2(load->value(t)) > 0;
        if (next != nullptr && (steps || !next->isConstant())) load->body().activate();
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
