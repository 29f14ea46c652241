#include "tick_cache.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

namespace elasto::flow {

namespace {

/// Writes words one after the other, over what was there.
class Writing {
public:
    explicit Writing(std::vector<std::uint64_t>& words) : m_words(words) { reach(0, m_words.capacity()); }
    ~Writing() { m_words.resize(used()); }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

    template <std::size_t count>
    void put(const std::array<std::uint64_t, count>& words) {
        if (static_cast<std::size_t>(m_end - m_to) < count) reach(used(), 2 * used() + 64);
        std::copy_n(words.data(), count, m_to);
        m_to += count;
    }
    static bool goesOn() { return true; }

private:
    std::size_t used() const { return static_cast<std::size_t>(m_to - m_words.data()); }
    void reach(std::size_t from, std::size_t size) {
        m_words.resize(size);
        m_to = m_words.data() + from;
        m_end = m_words.data() + size;
    }

    std::vector<std::uint64_t>& m_words;
    std::uint64_t *m_to = nullptr, *m_end = nullptr;
};

/// Compares words with others. As long as they are the same there are as many of both, for all numbers of parts are
/// among them.
class Comparing {
public:
    explicit Comparing(const std::vector<std::uint64_t>& words)
        : m_with(words.data()), m_end(words.data() + words.size()) {}

    template <std::size_t count>
    void put(const std::array<std::uint64_t, count>& words) {
        if (static_cast<std::size_t>(m_end - m_with) < count) {
            m_differ = 1;
            return;
        }
        for (std::size_t i = 0; i < count; ++i) m_differ |= words[i] ^ m_with[i];
        m_with += count;
    }
    bool goesOn() const { return m_differ == 0; }

private:
    const std::uint64_t *m_with, *m_end;
    std::uint64_t m_differ = 0;
};

/// Visits all that a tick depends on, as bits.
template <class Visit>
class Words {
public:
    explicit Words(Visit& visit) : m_visit(visit) {}

    void tick(const FlowNetwork& network, double h, const FlowSettings& settings) {
        add(h, settings.maxSteps, settings.tolerance, settings.velocityFloor, settings.strongDamping, settings.accuracy,
            settings.fewestSubsteps, settings.mostSubsteps, settings.substep);
        add(network.bodies.size(), network.elements.size(), network.joints.size(), network.bounded.size(),
            network.contacts.size());
        addAll(network.bodies);
        addAll(network.elements);
        addAll(network.contacts);
        addAll(network.joints);
        addAll(network.bounded);
    }

private:
    template <class... Values>
    void add(const Values&... values) {
        (write(values), ...);
    }
    template <class Part>
    void addAll(const std::vector<Part>& parts) {
        for (std::size_t i = 0; i < parts.size() && m_visit.goesOn(); ++i) write(parts[i]);
    }
    void write(double value) { m_visit.put(std::array{std::bit_cast<std::uint64_t>(value)}); }
    template <class Whole>
    requires(std::is_integral_v<Whole> || std::is_enum_v<Whole>) void write(Whole value) {
        m_visit.put(std::array{static_cast<std::uint64_t>(value)});
    }
    template <int size>
    void write(const Eigen::Matrix<double, size, 1>& vector) {
        std::array<std::uint64_t, size> words;
        std::memcpy(words.data(), vector.data(), sizeof(words));
        m_visit.put(words);
    }
    void write(const Eigen::Quaterniond& turn) { write(turn.coeffs()); }
    void write(const QuadraticLoad& load) { add(load.constant, load.linear, load.quadratic); }
    void write(const FlowBody& body) {
        add(body.position, body.orientation, body.velocity, body.angularVelocity, body.inverseMass, body.inverseInertia,
            body.linearFactor, body.angularFactor, body.gyroscopic, body.force, body.torque);
    }
    void write(const SpringDamperLaw& law) {
        const SpringDamperParameters& with = law.parameters();
        add(with.c, with.d, with.s_rel0);
    }
    void write(const ElastoGapLaw& law) {
        const ElastoGapParameters& with = law.parameters();
        add(with.c, with.d, with.s_rel0, with.n, with.s_ref, with.characteristic);
    }
    void write(const ElastoBacklashLaw& law) {
        const ElastoBacklashParameters& with = law.parameters();
        add(with.c, with.d, with.b, with.phi_rel0, with.characteristic);
    }
    void write(const SpringDamperSeriesLaw& law) {
        const SpringDamperSeriesParameters& with = law.parameters();
        add(with.c, with.d, with.s_unstretched, with.s_damper_start);
    }
    void write(const Law& law) {
        add(law.index());
        std::visit([&](const auto& its) { write(its); }, law);
    }
    void write(const EulerTurns& turns) { add(turns.first, turns.last, turns.about); }
    void write(const GearedCoordinate& geared) {
        add(geared.ratio, geared.geometry, geared.a, geared.b, geared.pointA, geared.pointB, geared.axis, geared.frameA,
            geared.frameB, geared.phi);
    }
    void write(const FlowElement& element) {
        add(element.law, element.geometry, element.a, element.b, element.pointA, element.pointB, element.axis,
            element.frameA, element.frameB, element.turns, element.spans, element.s_small, element.s_damper,
            element.phi, element.pause.length, element.pause.left);
        element.isGeared() ? add(element.geared) : add(element.geared.ratio);
    }
    void write(const HeldRow& row) {
        add(row.kind, row.a, row.b, row.pointA, row.pointB, row.axisA, row.axisB, row.offset, row.ratio, row.reaction);
    }
    void write(const BoundedRow& row) {
        add(row.kind, row.geometry, row.a, row.b, row.pointA, row.pointB, row.axis, row.frameA, row.frameB, row.turns,
            row.spans, row.targetRate, row.maxForce, row.bound, row.side, row.restitution, row.reaction, row.phi);
    }
    void write(const FlowContact& contact) {
        add(contact.a, contact.b, contact.isVertexOnA, contact.hasStuck, contact.vertex, contact.planePoint,
            contact.normal, contact.surfaceVelocity, contact.creep);
        write(Eigen::Matrix<double, 13, 1>{contact.radius, contact.offset, contact.friction, contact.rollingFriction,
                                           contact.spinningFriction, contact.restitution, contact.restitutionVelocity,
                                           contact.restSpeed, contact.stiffness, contact.damping, contact.entered,
                                           contact.slack, contact.impulse});
    }

    Visit& m_visit;
};

/// To the last bit, velocities included.
bool isSame(const BodyState& one, const BodyState& other) {
    return one.position == other.position && one.orientation.coeffs() == other.orientation.coeffs() &&
           one.velocity == other.velocity && one.angularVelocity == other.angularVelocity;
}

bool stoodStill(const FlowNetwork& network, const TickResult& result) {
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        if (!isSame(network.bodies[i], result.bodies[i])) return false;
    }
    return true;
}

}  // namespace

void readWords(const FlowNetwork& network, double h, const FlowSettings& settings, std::vector<std::uint64_t>& words) {
    Writing writing(words);
    Words(writing).tick(network, h, settings);
}

bool TickCache::recall(const FlowNetwork& network, double h, const FlowSettings& settings, TickResult& result) const {
    // Mostly it is the bodies that are somewhere else.
    if (!m_isKnown || network.bodies.size() != m_result.bodies.size() || !stoodStill(network, m_result)) return false;
    // What other networks leave of the world's budget is another amount in each tick.
    const bool isEnough = m_result.leastCost < m_maxCost && m_result.leastCost <= settings.maxCost;
    if (settings.maxCost != m_maxCost && !isEnough) return false;
    Comparing comparing(m_words);
    Words(comparing).tick(network, h, settings);
    if (!comparing.goesOn()) return false;
    result = m_result;
    return true;
}

void TickCache::note(const FlowNetwork& network, double h, const FlowSettings& settings, const TickResult& result) {
    m_isKnown = stoodStill(network, result);
    if (!m_isKnown) return;
    readWords(network, h, settings, m_words);
    m_result = result;
    m_maxCost = settings.maxCost;
}

}  // namespace elasto::flow
