#include "contact/soft_contact_entry.h"

#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "contact/contact_frame.h"
#include "contact/tuning.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace elasto::flow {

namespace {

/// A contact's spring while it is compressed.
struct Entry {
    std::size_t contact = 0;
    double from = 0;  // depths that compress the spring [m]
    double to = 0;
    double depth = 0;  // reached
};

class Entries {
public:
    explicit Entries(const FlowNetwork& network) : m_network(network) {
        for (std::size_t i = 0; i < network.contacts.size(); ++i) {
            const FlowContact& contact = network.contacts[i];
            if (!std::isfinite(contact.stiffness) || !(contact.entered > 0)) continue;
            const double measured =
                measureContact(contact, motionOf(network, contact.a), motionOf(network, contact.b)).gap;
            const double depth = -(measured + contact.slack);
            if (!(depth > 0)) continue;
            const double from = std::max(depth - contact.entered, 0.);
            m_all.push_back({i, from, depth, from});
        }
    }

    const std::vector<Entry>& all() const { return m_all; }
    const std::vector<Vector6>& velocities() const { return m_velocities; }
    /// Work of bodies that nothing moves.
    double driven() const { return m_driven; }

    void run(std::vector<ContactTick>& contacts) {
        const ContactFrame frame(m_network, BodyKinematics::of(m_network));
        readVelocities(m_network, m_velocities);
        std::map<std::size_t, std::vector<Entry*>> patches;
        for (Entry& entry : m_all) patches[frame.patchOf(entry.contact)].push_back(&entry);
        for (int part = 1; part <= kParts; ++part) {
            for (auto& [patch, entries] : patches) {
                compress(frame, entries, static_cast<double>(part) / kParts, contacts);
            }
        }
    }

private:
    // A patch's springs push together, each as hard as it is compressed: energy of motion turns into theirs.
    void compress(const ContactFrame& frame, const std::vector<Entry*>& entries, double share,
                  std::vector<ContactTick>& contacts) {
        std::vector<double> forces(entries.size(), 0), aims(entries.size());
        std::vector<Vector6> response(m_velocities.size(), Vector6::Zero());
        double power = 0, energy = 0;
        for (std::size_t k = 0; k < entries.size(); ++k) {
            const Entry& entry = *entries[k];
            const BlockRow& row = frame.row(frame.normalOf(entry.contact));
            const double stiffness = m_network.contacts[entry.contact].stiffness;
            const double approach = -rateOf(row, m_velocities);
            aims[k] = entry.from + (entry.to - entry.from) * share;
            if (!(approach > 0)) continue;
            forces[k] = stiffness * (aims[k] + entry.depth) / 2;
            power += forces[k] * approach;
            energy += forces[k] * (aims[k] - entry.depth);
            frame.push(row, forces[k], response);
        }
        double slowed = 0;
        for (std::size_t k = 0; k < entries.size(); ++k) {
            slowed += forces[k] * rateOf(frame.row(frame.normalOf(entries[k]->contact)), response);
        }
        if (!(power > 0) || !(slowed > 0)) return;
        // Half of slowed times the square, less power times the time, is what motion loses.
        const double left = power * power - 2 * slowed * energy;
        const double time = (power - std::sqrt(std::max(left, 0.))) / slowed;
        const double reached = left > 0 ? 1 : power * power / (2 * slowed * energy);
        for (std::size_t k = 0; k < entries.size(); ++k) {
            if (forces[k] == 0) continue;
            Entry& entry = *entries[k];
            const BlockRow& row = frame.row(frame.normalOf(entry.contact));
            entry.depth = std::sqrt(entry.depth * entry.depth * (1 - reached) + aims[k] * aims[k] * reached);
            m_driven -= time * forces[k] * drivenRateOf(m_network, row, m_velocities);
            frame.push(row, time * forces[k], m_velocities);
            contacts[entry.contact].impulse += time * forces[k];
        }
    }

    const FlowNetwork& m_network;
    std::vector<Entry> m_all;
    std::vector<Vector6> m_velocities;
    double m_driven = 0;
};

}  // namespace

double resistEntries(FlowNetwork& network, std::vector<ContactTick>& contacts) {
    Entries entries(network);
    if (entries.all().empty()) return 0;
    entries.run(contacts);
    const double before = kineticEnergy(network);
    for (const Entry& entry : entries.all()) network.contacts[entry.contact].slack += entry.to - entry.depth;
    for (std::size_t b = 0; b < network.bodies.size(); ++b) {
        network.bodies[b].velocity = entries.velocities()[b].head<3>();
        network.bodies[b].angularVelocity = entries.velocities()[b].tail<3>();
    }
    return before - kineticEnergy(network) + entries.driven();
}

}  // namespace elasto::flow
