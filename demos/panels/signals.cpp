#include "signals.h"

#include <algorithm>
#include <cmath>

namespace elasto::panels {

namespace {

const Curve kEmpty;

/// @param last row that is added at most
void extend(Curve& curve, const play::History& history, double tickLength, int element, play::Quantity quantity,
            long last) {
    const auto index = static_cast<std::size_t>(element);
    for (long tick = history.firstTick() + static_cast<long>(curve.size()); tick <= last; ++tick) {
        curve.append(static_cast<double>(tick) * tickLength, history.value(tick, index, quantity));
    }
}

}  // namespace

void Signals::cut(std::size_t count) {
    for (auto& [key, curve] : m_curves) curve.truncate(count);
    for (auto& [port, curve] : m_temperatures) curve.truncate(count);
    for (auto& [joint, curve] : m_joints) curve.truncate(count);
    m_energy.truncate(count);
}

void Signals::update(const play::Session& session) {
    const play::History& history = session.history();
    const bool isSame = m_session == &session && m_tickLength == session.tickLength() && m_first == history.firstTick();
    if (!isSame) {
        m_session = &session;
        m_tickLength = session.tickLength();
        m_first = history.firstTick();
        m_curves.clear();
        m_ghosts.clear();
        m_temperatures.clear();
        m_joints.clear();
        m_energy.truncate(0);
    } else if (m_run != session.run()) {
        // Two runs that have parted stay apart: the last common tick is found by halving.
        long low = m_first;
        long high = m_last + 1;
        while (low < high) {
            const long middle = low + (high - low) / 2;
            if (session.isSameUpTo(m_run, middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // The last common state may have been read with other parameters.
        cut(static_cast<std::size_t>(std::max(low - 1 - m_first, 0L)));
    }
    m_run = session.run();
    m_last = history.lastTick();

    std::erase_if(m_ghosts, [&](const auto& kept) {
        return std::none_of(session.ghosts().begin(), session.ghosts().end(),
                            [&](const play::Ghost& ghost) { return ghost.id == kept.first; });
    });
}

const Curve& Signals::curve(const play::Session& session, int element, play::Quantity quantity) {
    Curve& curve = m_curves[{element, quantity}];
    extend(curve, session.history(), m_tickLength, element, quantity, m_last);
    return curve;
}

const Curve& Signals::ghost(const play::Session& session, int id, int element, play::Quantity quantity) {
    for (const play::Ghost& ghost : session.ghosts()) {
        if (ghost.id != id) continue;
        Curve& curve = m_ghosts[id][{element, quantity}];
        extend(curve, ghost.history, m_tickLength, element, quantity, ghost.history.lastTick());
        return curve;
    }
    return kEmpty;
}

const Curve& Signals::joint(const play::Session& session, int joint, JointQuantity quantity) {
    const play::History& history = session.history();
    Curve& curve = m_joints[{joint, quantity}];
    for (long tick = history.firstTick() + static_cast<long>(curve.size()); tick <= m_last; ++tick) {
        const play::JointSample& sample = history.joint(tick, static_cast<std::size_t>(joint));
        const double value = quantity == JointQuantity::Position ? sample.q
                             : quantity == JointQuantity::Rate   ? sample.v
                                                                 : sample.target;
        curve.append(static_cast<double>(tick) * m_tickLength, value);
    }
    return curve;
}

const Curve& Signals::temperature(const play::Session& session, int port) {
    const play::History& history = session.history();
    const Scene& scene = session.scene();
    const SceneHeatPort& place = scene.heatPorts[static_cast<std::size_t>(port)];
    Curve& curve = m_temperatures[port];
    for (long tick = history.firstTick() + static_cast<long>(curve.size()); tick <= m_last; ++tick) {
        double power = 0;
        for (std::size_t i = 0; i < scene.elements.size(); ++i) {
            if (scene.elements[i].heatPort == port) power += history.value(tick, i, play::Quantity::DissipatedPower);
        }
        curve.append(static_cast<double>(tick) * m_tickLength, place.ambientTemperature + power / place.conductance);
    }
    return curve;
}

const EnergyCurves& Signals::energy(const play::Session& session) {
    const play::History& history = session.history();
    for (long tick = history.firstTick() + static_cast<long>(m_energy.gauge.size()); tick <= m_last; ++tick) {
        const double time = static_cast<double>(tick) * m_tickLength;
        const EnergyBook& book = history.energy(tick);
        const double gauge = history.energyGauge(tick);
        double size = m_energy.size.empty() ? 0 : m_energy.size.y(m_energy.size.size() - 1);
        for (const double part : {book.kinetic, book.stored, book.dissipated, book.work, book.pushed, gauge}) {
            size = std::max(size, std::abs(part));
        }
        m_energy.gauge.append(time, gauge);
        m_energy.own.append(time, gauge + book.exchanged - book.carried);
        m_energy.size.append(time, size);
    }
    return m_energy;
}

void EnergyCurves::truncate(std::size_t count) {
    for (Curve* curve : {&gauge, &own, &size}) curve->truncate(count);
}

}  // namespace elasto::panels
