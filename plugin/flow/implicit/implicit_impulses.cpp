// What a kick has given: impulses, heat, work and events of its rows.

#include "implicit/implicit_tick.h"
#include "implicit/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow::implicit {

void ImplicitStep::takeClamps(const Span& kick) {
    for (ContactHistory& history : m_histories) history.turning.setZero();
    for (std::size_t i = 0; i < m_clampSources.size(); ++i) {
        const KickClamp& row = m_kick.clamps[i];
        const Source& source = m_clampSources[i];
        const WorldEnds& ends = source.ends;
        m_result->work -= row.p * drivenRate(ends);
        const auto addReaction = [&](int reaction) {
            if (reaction < 0) return;
            Reaction& sum = m_result->reactions[static_cast<std::size_t>(reaction)];
            sum.linear += row.p * source.row.gradientB.head<3>();
            sum.angularA += row.p * source.row.gradientA.tail<3>();
            sum.angularB += row.p * source.row.gradientB.tail<3>();
        };
        switch (source.kind) {
            case Source::Kind::Joint:
                m_jointForce[source.index] = row.p / kick.length();
                m_result->putRight += std::max(row.p * source.closing, 0.);
                m_result->jointLoss -= row.p * (workingRate(ends, row.u, kick) - source.closing);
                addReaction(m_network->joints[source.index].reaction);
                break;
            case Source::Kind::Bounded:
                m_boundedForce[source.index] = row.p / kick.length();
                addReaction(m_network->bounded[source.index].reaction);
                takeBounded(source.index, row.p, workingRate(ends, row.u, kick));
                break;
            case Source::Kind::Turning: {
                const Eigen::Vector3d torque = row.p * source.row.gradientA.tail<3>();
                m_histories[source.index].turning += torque / kick.length();
                m_result->contacts[source.index].frictionTorque += torque;
                break;
            }
        }
    }
}

// Half of a kick's impulse works in the drift behind, half in the one ahead, as that of elements and loads: their work
// and the bodies' energy then agree.
double ImplicitStep::workingRate(const WorldEnds& ends, double after, const Span& kick) const {
    return workingRate<double>(rateNow(ends), after, kick);
}

void ImplicitStep::takeBounded(std::size_t index, double impulse, double rate) {
    m_result->bounded[index] += impulse;
    if (m_network->bounded[index].kind == BoundedRow::Kind::Motor) {
        m_result->work += impulse * rate;
        m_result->driveWork += impulse * rate;
    } else {
        m_result->limitLoss += std::max(-impulse * rate, 0.);
    }
}

// Of a contact on its bodies, beyond what moves by itself.
double ImplicitStep::workOf(const KickPoint& point, const PointSource& source, const Span& kick) const {
    const FlowContact& contact = m_network->contacts[source.contact];
    const Motion &a = at(m_now, contact.a), &b = at(m_now, contact.b);
    const Eigen::Vector3d slip = a.v + a.w.cross(source.armA) - b.v - b.w.cross(source.armB) - contact.surfaceVelocity;
    const Eigen::Vector3d before(source.normal.dot(slip + contact.surfaceVelocity), source.first.dot(slip),
                                 source.second.dot(slip));
    return point.p.dot(workingRate(before, point.u, kick));
}

// What bears is behind by the displacement that it gave, at most by what its compliance stands for; what slips, by what
// friction at its bound does.
Eigen::Vector3d ImplicitStep::creepAfter(const KickPoint& point, const PointSource& source, double drift) const {
    const Eigen::Vector3d& before = m_histories[source.contact].creep;
    const double depth = -source.normal.dot(before) - drift * point.u[0];
    const double deepest = (1 - kRemembered) * point.p[0] * point.Rn * drift / kTakenBack;
    const Eigen::Vector2d slide(source.first.dot(before) + drift * point.u[1],
                                source.second.dot(before) + drift * point.u[2]);
    const double longest = point.bound * point.Rt * drift / kTakenBack, length = slide.norm();
    const double share = length > longest ? longest / length : 1;
    return -std::clamp(depth, 0., point.presses ? deepest : 0.) * source.normal +
           share * (slide[0] * source.first + slide[1] * source.second);
}

void ImplicitStep::takePoints(const Span& kick) {
    for (ContactHistory& history : m_histories) {
        history.forceBefore = history.force;
        history.force = 0;
        history.friction.setZero();
        history.bears = false;
    }
    for (std::size_t i = 0; i < m_pointSources.size(); ++i) {
        const PointSource& source = m_pointSources[i];
        const KickPoint& point = m_kick.points[i];
        const FlowContact& contact = m_network->contacts[source.contact];
        ContactHistory& history = m_histories[source.contact];
        ContactTick& sum = m_result->contacts[source.contact];
        const Eigen::Vector3d friction = point.p[1] * source.first + point.p[2] * source.second;
        const Eigen::Vector3d impulse = point.p[0] * source.normal + friction;
        sum.impulse += point.p[0];
        sum.frictionImpulse += friction;
        WorldEnds ends;
        ends.add(contact.a, impulse, source.armA.cross(impulse));
        ends.add(contact.b, -impulse, -source.armB.cross(impulse));
        m_result->work += friction.dot(contact.surfaceVelocity) - drivenRate(ends);
        m_result->putRight += std::max(workOf(point, source, kick), 0.);
        history.force = point.p[0] / kick.length();
        history.friction = friction / kick.length();
        history.bears = point.p[0] > 0;
        if (kick.drift == 0) continue;
        history.creep = creepAfter(point, source, kick.drift);
    }
}

void ImplicitStep::takeElements(const Span& kick) {
    const std::size_t count = m_network->elements.size();
    for (std::size_t i = 0; i < m_elementSources.size(); ++i) {
        const ElementSource& source = m_elementSources[i];
        const KickElement& row = m_kick.elements[i];
        const auto k = static_cast<Eigen::Index>(source.law);
        const Push push = row.drift.at(row.u);
        const double impulse = push.before + push.after;
        m_result->P[k] += impulse;
        m_result->heat[k] += push.heat;
        m_result->work += impulse * drivenRate(source.ends);
        for (const WorldEnds::End& end : source.ends.all()) {
            m_behind[static_cast<std::size_t>(end.body)] -= push.after * end.gradient;
        }
        if (source.law >= count) {
            const std::size_t contact = m_softs[source.law - count];
            m_result->contacts[contact].impulse -= impulse;
            m_histories[contact].force = std::max(-impulse, 0.) / kick.drift;
            m_histories[contact].bears = impulse < 0;
            continue;
        }
        const HybridLaw& law = m_laws[source.law];
        const double slipped = law.isLimited() ? m_z[source.law] : 0;
        m_z[source.law] = push.z;
        if (law.kind != HybridLaw::Kind::Contact) continue;
        for (const int side : {-1, 1}) {
            if (!law.actsOn(side)) continue;
            const double from = law.penetration(source.s - slipped, side);
            const double to = from + side * kick.drift * row.u;
            if ((from > 0) == (to > 0)) continue;
            const double share = from / (from - to);
            const double start = keepsEnergy() ? kick.end - kick.drift / 2 : kick.begin;
            m_result->events.push_back(
                {static_cast<int>(source.law), to > 0, start + share * kick.drift, std::abs(row.u)});
        }
    }
}

}  // namespace elasto::flow::implicit
