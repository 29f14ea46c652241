#include "history.h"

#include <array>
#include <iterator>
#include <stdexcept>
#include <string>

namespace elasto::play {

namespace {

struct QuantityWords {
    const char* name;
    const char* rotational;  ///< name about an axis
    const char* unit;
    const char* rotationalUnit;
};

constexpr std::array<QuantityWords, kQuantities> kWords = {{
    {"s_rel", "phi_rel", "m", "rad"},
    {"v_rel", "w_rel", "m/s", "rad/s"},
    {"f", "tau", "N", "N.m"},
    {"f_c", "tau_c", "N", "N.m"},
    {"f_d", "tau_d_limited", "N", "N.m"},
    {"f_d2", "tau_d", "N", "N.m"},
    {"f_mean", "tau_mean", "N", "N.m"},
    {"lossPower", "lossPower", "W", "W"},
    {"dissipatedPower", "dissipatedPower", "W", "W"},
    {"heat", "heat", "J", "J"},
    {"storedEnergy", "storedEnergy", "J", "J"},
    {"s_damper", "s_damper", "m", "rad"},
    {"contact", "contact", "", ""},
    {"flange_a.s", "flange_a.phi", "m", "rad"},
    {"flange_b.s", "flange_b.phi", "m", "rad"},
}};

/// Takes the items from `count` on out of a vector.
template <typename Item>
std::vector<Item> cut(std::vector<Item>& items, std::size_t count) {
    const auto from = items.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<Item> tail(std::make_move_iterator(from), std::make_move_iterator(items.end()));
    items.erase(from, items.end());
    return tail;
}

Pose poseOf(const BodyState& state) {
    return {state.position.cast<float>(), state.orientation.cast<float>()};
}

}  // namespace

const char* quantityName(Quantity quantity, Geometry geometry) {
    if (geometry == Geometry::AlongLine && quantity == Quantity::S) return "s";
    if (geometry == Geometry::AlongLine && quantity == Quantity::V) return "v";
    const QuantityWords& words = kWords[static_cast<std::size_t>(quantity)];
    return isRotational(geometry) ? words.rotational : words.name;
}

const char* quantityUnit(Quantity quantity, Geometry geometry) {
    const QuantityWords& words = kWords[static_cast<std::size_t>(quantity)];
    return isRotational(geometry) ? words.rotationalUnit : words.unit;
}

double valueOf(const ElementSample& sample, Quantity quantity) {
    switch (quantity) {
        case Quantity::S:
            return sample.s;
        case Quantity::V:
            return sample.v;
        case Quantity::Force:
            return sample.force.f;
        case Quantity::SpringForce:
            return sample.force.f_c;
        case Quantity::DamperForce:
            return sample.force.f_d;
        case Quantity::UnlimitedDamperForce:
            return sample.force.f_d2;
        case Quantity::MeanForce:
            return sample.meanForce;
        case Quantity::LossPower:
            return sample.lossPower;
        case Quantity::DissipatedPower:
            return sample.dissipatedPower;
        case Quantity::Heat:
            return sample.heat;
        case Quantity::StoredEnergy:
            return sample.storedEnergy;
        case Quantity::DamperLength:
            return sample.s_damper;
        case Quantity::FlangeA:
            return sample.flange_a;
        case Quantity::FlangeB:
            return sample.flange_b;
        case Quantity::Contact:
            break;
    }
    return sample.force.contact ? 1 : 0;
}

inline namespace ELASTO_BULLET_NAMESPACE {

History::History(std::size_t bodies, std::size_t elements, std::size_t joints, long firstTick)
    : m_bodies(bodies), m_elements(elements), m_joints(joints), m_first(firstTick) {}

std::size_t History::bytes() const {
    return m_poses.size() * sizeof(Pose) + m_samples.size() * sizeof(ElementSample) +
           m_jointSamples.size() * sizeof(JointSample) + m_energy.size() * (sizeof(EnergyBook) + sizeof(TickGrade));
}

std::size_t History::rowOf(long tick) const {
    if (!has(tick)) {
        throw std::out_of_range("History: no row of tick " + std::to_string(tick) + "; there are " +
                                std::to_string(firstTick()) + " to " + std::to_string(lastTick()));
    }
    return static_cast<std::size_t>(tick - m_first);
}

const Pose& History::pose(long tick, std::size_t body) const {
    if (body >= m_bodies) throw std::out_of_range("History: no body " + std::to_string(body));
    return m_poses[rowOf(tick) * m_bodies + body];
}

const ElementSample& History::element(long tick, std::size_t element) const {
    if (element >= m_elements) throw std::out_of_range("History: no element " + std::to_string(element));
    return m_samples[rowOf(tick) * m_elements + element];
}

const JointSample& History::joint(long tick, std::size_t joint) const {
    if (joint >= m_joints) throw std::out_of_range("History: no joint " + std::to_string(joint));
    return m_jointSamples[rowOf(tick) * m_joints + joint];
}

double History::value(long tick, std::size_t index, Quantity quantity) const {
    return valueOf(element(tick, index), quantity);
}

const EnergyBook& History::energy(long tick) const {
    return m_energy[rowOf(tick)];
}

double History::energyGauge(long tick) const {
    const EnergyBook& book = energy(tick);
    return book.kinetic + book.stored - book.work - book.pushed + book.carried;
}

std::vector<double> History::column(std::size_t index, Quantity quantity, long from, long to) const {
    std::vector<double> values;
    for (long tick = from; tick <= to; ++tick) values.push_back(value(tick, index, quantity));
    return values;
}

const TickGrade& History::grade(long tick) const {
    return m_grades[rowOf(tick)];
}

std::optional<long> History::worstTick() const {
    const auto isWorse = [](const TickGrade& one, const TickGrade& other) {
        return one.grade != other.grade ? one.grade > other.grade : one.error > other.error;
    };
    std::optional<long> worst;
    for (const GradeSpan& span : m_inexact) {
        for (long tick = span.first; tick <= span.last; ++tick) {
            if (!worst || isWorse(grade(tick), grade(*worst))) worst = tick;
        }
    }
    return worst;
}

/// Adds the grade of a row to the spans, the rows before it being there already.
void History::noteGrade(long tick) {
    const Grade now = grade(tick).grade;
    if (now == Grade::Exact) return;
    if (!m_inexact.empty() && m_inexact.back().last == tick - 1 && m_inexact.back().grade == now) {
        m_inexact.back().last = tick;
    } else {
        m_inexact.push_back({tick, tick, now});
    }
}

/// The spans of all rows, after rows were taken out.
void History::findInexact() {
    m_inexact.clear();
    for (long tick = m_first; tick <= lastTick(); ++tick) noteGrade(tick);
}

void History::add(const SceneSample& sample, const EnergyBook& energy, const TickGrade& grade,
                  const std::vector<JointSample>& joints) {
    if (joints.size() != m_joints) {
        throw std::out_of_range("History: " + std::to_string(joints.size()) + " joints; there are " +
                                std::to_string(m_joints));
    }
    m_jointSamples.insert(m_jointSamples.end(), joints.begin(), joints.end());
    for (std::size_t i = 0; i < m_bodies; ++i) m_poses.push_back(poseOf(sample.bodies[i]));
    m_samples.insert(m_samples.end(), sample.elements.begin(), sample.elements.end());
    m_energy.push_back(energy);
    m_grades.push_back(grade);
    const long last = lastTick();
    noteGrade(last);
    for (auto& [tick, joined] : m_switched) {
        if (tick >= last) break;
        if (!joined && tick == last - 1 && has(tick)) joined = energyGauge(last) - energyGauge(tick);
        m_energy.back().carried -= joined.value_or(0);
    }
}

void History::noteSwitch(long tick) {
    m_switched.try_emplace(tick);
}

History History::cutAfter(long tick) {
    if (tick < m_first - 1) {
        // Those up to the tick are forgotten already: nothing stays here.
        History tail = std::move(*this);
        *this = History(tail.m_bodies, tail.m_elements, tail.m_joints, tick + 1);
        return tail;
    }
    m_switched.erase(m_switched.upper_bound(tick), m_switched.end());
    if (const auto now = m_switched.find(tick); now != m_switched.end()) now->second.reset();
    History tail(m_bodies, m_elements, m_joints, tick + 1);
    if (tick >= lastTick()) return tail;
    const auto rows = static_cast<std::size_t>(tick + 1 - m_first);
    tail.m_poses = cut(m_poses, rows * m_bodies);
    tail.m_samples = cut(m_samples, rows * m_elements);
    tail.m_jointSamples = cut(m_jointSamples, rows * m_joints);
    tail.m_energy = cut(m_energy, rows);
    tail.m_grades = cut(m_grades, rows);
    tail.findInexact();
    findInexact();
    return tail;
}

void History::forgetBefore(long tick) {
    if (tick <= m_first) return;
    const auto rows = static_cast<std::size_t>(std::min(tick, lastTick() + 1) - m_first);
    m_poses = cut(m_poses, rows * m_bodies);
    m_samples = cut(m_samples, rows * m_elements);
    m_jointSamples = cut(m_jointSamples, rows * m_joints);
    m_energy = cut(m_energy, rows);
    m_grades = cut(m_grades, rows);
    m_first += static_cast<long>(rows);
    findInexact();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
