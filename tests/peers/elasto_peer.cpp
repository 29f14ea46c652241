#include "cases.h"

#include <elasto/scene/scene_world.h>

#include <algorithm>
#include <cmath>

namespace elasto::peers {

namespace {

/// Forces below this share of the weight count as none; see plan.json.
constexpr double kNoForce = 1e-6;
/// Instants of a contact that are looked at within a tick, for its peak and its end.
constexpr int kInstants = 256;

class ElastoMotion : public Motion {
public:
    ElastoMotion(CaseKind kind, const Scene& scene, double rate, bool watches)
        : m_kind(kind), m_world(scene, rate), m_watches(watches) {
        if (!m_watches) return;
        m_weight = scene.bodies[0].mass * scene.gravity.norm();
        m_gravity = scene.gravity.norm();
        m_world.element(0).onContactBegin([this](ForceElement&, const ContactInfo& info) {
            if (!m_begin) m_begin = m_tickStart + info.time;
        });
    }

    void advance(double time) override {
        const long ticks = std::lround(time * m_world.rate());
        while (m_world.ticks() < ticks) {
            m_tickStart = m_world.time();
            m_world.step();
            if (m_watches && m_begin && !m_isOver) watch(m_tickStart);
        }
    }

    std::vector<double> coordinates() override { return coordinatesOf(m_kind, m_world.sample().bodies); }
    double speed() override { return static_cast<double>(m_world.body(0).getLinearVelocity().y()); }
    std::optional<ContactReport> contact() const override { return m_isOver ? std::optional(m_report) : std::nullopt; }

private:
    double pushAt(double t) const { return -m_world.element(0).solutionAt(t).force.f; }

    /// Looks at the part of the tick in which there was contact.
    void watch(double start) {
        m_report.begin = *m_begin;
        const double h = m_world.element(0).tickLength();
        const double first = std::max(0., *m_begin - start);
        double last = -1;
        for (int i = 0; i <= kInstants; ++i) {
            const double t = std::min(h, first + (h - first) * i / kInstants);
            if (pushAt(t) > kNoForce * m_weight) last = t;
        }
        if (last < 0) {
            // Shorter than the instants are apart: closer ones, around the start.
            double width = (h - first) / kInstants;
            for (int halvings = 0; halvings < 40 && last < 0; ++halvings) {
                width /= 2;
                if (pushAt(first + width) > kNoForce * m_weight) last = first + width;
            }
            if (last < 0) return;
        }
        double end = std::min(h, last + (h - first) / kInstants);
        if (pushAt(end) > kNoForce * m_weight) {
            end = h;
        } else {
            for (int i = 0; i < 60; ++i) {
                const double middle = (last + end) / 2;
                (pushAt(middle) > kNoForce * m_weight ? last : end) = middle;
            }
        }
        for (int i = 0; i <= kInstants; ++i) {
            m_report.peakForce = std::max(m_report.peakForce, pushAt(first + (end - first) * i / kInstants));
        }
        // Where the damper's force jumps, contact begins with the peak.
        for (double after = (end - first) / kInstants; after > 1e-9 * (end - first); after /= 2) {
            m_report.peakForce = std::max(m_report.peakForce, pushAt(first + after));
        }
        if (end >= h && pushAt(h) > kNoForce * m_weight) return;
        m_isOver = true;
        m_report.end = start + end;
        const Readout readout = m_world.element(0).solutionAt(end);
        m_report.top = readout.s_rel + readout.v_rel * std::max(0., readout.v_rel) / (2 * m_gravity);
    }

    CaseKind m_kind;
    SceneWorld m_world;
    bool m_watches;
    double m_weight = 0;
    double m_gravity = 0;
    double m_tickStart = 0;  // [s]
    std::optional<double> m_begin;
    bool m_isOver = false;
    ContactReport m_report;
};

class ElastoPeer : public Peer {
public:
    std::string name() const override { return "Elasto"; }
    std::string version() const override { return std::string("Elasto ") + elasto::version(); }
    std::unique_ptr<Motion> begin(CaseKind kind, const Scene& scene, double setting, bool watches) const override {
        return std::make_unique<ElastoMotion>(kind, scene, setting, watches);
    }
};

}  // namespace

void addElasto(Peers& peers) {
    peers.push_back(std::make_unique<ElastoPeer>());
}

}  // namespace elasto::peers
