#include "tick/debug_draw.h"

#include <elasto/force_element.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <LinearMath/btIDebugDraw.h>

#include <cmath>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr int kWindings = 6;
constexpr int kPointsPerWinding = 8;
constexpr int kCircle = 12;

btVector3 colorOf(const ForceElement& element) {
    if (!element.isEnabled()) {
        return {btScalar(0.5), btScalar(0.5), btScalar(0.5)};
    }
    if (element.uncoupled()) {
        return {1, 0, 0};
    }
    return methodColor(element.method());
}

// Draws in the frame of an element: x along its axis or line.
class Pen {
public:
    Pen(const ForceElement& element, btIDebugDraw& drawer)
        : m_drawer(drawer),
          m_origin(element.placement().isGearPair() ? element.pointB() : element.pointA()),
          m_x(element.axis()),
          m_size(const_cast<ForceElement&>(element).getDbgDrawSize()),
          m_color(colorOf(element)) {
        btPlaneSpace1(m_x, m_y, m_z);
    }

    btScalar size() const { return m_size; }

    btVector3 at(btScalar along, btScalar radius, btScalar angle) const {
        return m_origin + along * m_x + radius * (btCos(angle) * m_y + btSin(angle) * m_z);
    }
    void line(const btVector3& from, const btVector3& to) const { m_drawer.drawLine(from, to, m_color); }

    void circle(btScalar along, btScalar radius) const {
        for (int i = 0; i < kCircle; ++i) {
            line(at(along, radius, SIMD_2_PI * btScalar(i) / kCircle),
                 at(along, radius, SIMD_2_PI * btScalar(i + 1) / kCircle));
        }
    }
    void cylinder(btScalar from, btScalar to, btScalar radius) const {
        circle(from, radius);
        circle(to, radius);
        for (int i = 0; i < 4; ++i) {
            line(at(from, radius, SIMD_HALF_PI * btScalar(i)), at(to, radius, SIMD_HALF_PI * btScalar(i)));
        }
    }
    void coil(btScalar from, btScalar to, btScalar radius) const {
        constexpr int kPoints = kWindings * kPointsPerWinding;
        btVector3 last = at(from, radius, 0);
        for (int i = 1; i <= kPoints; ++i) {
            const btVector3 next =
                at(from + (to - from) * btScalar(i) / kPoints, radius, SIMD_2_PI * btScalar(i) / kPointsPerWinding);
            line(last, next);
            last = next;
        }
    }
    void damper(btScalar from, btScalar to, btScalar radius) const {
        const btScalar middle = from + (to - from) * btScalar(0.6);
        cylinder(from, middle, radius);
        line(at(middle, 0, 0), at(to, 0, 0));
    }
    // A stop: its face, hatched by two crossing lines.
    void face(btScalar along, btScalar radius) const {
        circle(along, radius);
        line(at(along, radius, 0), at(along, radius, SIMD_PI));
        line(at(along, radius, SIMD_HALF_PI), at(along, radius, -SIMD_HALF_PI));
    }
    void arc(btScalar from, btScalar to, btScalar radius) const {
        for (int i = 0; i < kCircle; ++i) {
            line(at(0, radius, from + (to - from) * btScalar(i) / kCircle),
                 at(0, radius, from + (to - from) * btScalar(i + 1) / kCircle));
        }
    }

private:
    btIDebugDraw& m_drawer;
    btVector3 m_origin;
    btVector3 m_x;
    btVector3 m_y;
    btVector3 m_z;
    btScalar m_size;
    btVector3 m_color;
};

void drawBody(const ForceElement& element, const Pen& pen, btScalar s) {
    const btScalar radius = pen.size() / 2;
    const ReducedLaw law = reduced(element.law());
    if (law.kind == ReducedLaw::Kind::Contact && law.below && !law.above) {
        const auto stop = static_cast<btScalar>(law.edgeLow);
        const btScalar end = btMin(s, stop);  // the spring ends at its unstretched length where B has lifted off
        pen.face(end, radius);
        pen.coil(0, end, radius / 2);
    } else if (law.kind == ReducedLaw::Kind::Series) {
        const auto joint = static_cast<btScalar>(element.s_damper());
        pen.damper(0, joint, radius);
        pen.coil(joint, s, radius / 2);
    } else if (law.kind == ReducedLaw::Kind::SpringDamper) {
        if (law.c > 0) pen.coil(0, s, radius / 2);
        if (law.d > 0) pen.damper(0, s, radius);
    } else if (law.kind == ReducedLaw::Kind::Contact && !law.below) {
        pen.line(pen.at(0, 0, 0), pen.at(s, 0, 0));
    } else {
        pen.coil(0, s, radius / 2);
    }
}

void drawForce(const ForceElement& element, const Pen& pen, btIDebugDraw& drawer) {
    const double f = element.f();
    const double mass = std::max(static_cast<double>(element.getRigidBodyA().getMass()),
                                 static_cast<double>(element.getRigidBodyB().getMass()));
    constexpr double kStandardGravity = 9.80665;
    const double weight = kStandardGravity * mass;
    const auto length = static_cast<btScalar>(-f / (std::fabs(f) + weight)) * 4 * pen.size();
    const btVector3 from = element.pointB();
    const btVector3 to = from + length * element.axis();
    const btVector3 color(1, 1, 0);
    drawer.drawLine(from, to, color);
    drawer.drawSphere(to, pen.size() / 10, color);
}

}  // namespace

btVector3 methodColor(FlowMethod method) {
    switch (method) {
        case FlowMethod::Free:
            return {btScalar(0.6), btScalar(0.8), 1};
        case FlowMethod::ClosedForm:
            return {btScalar(0.1), btScalar(0.8), btScalar(0.2)};
        case FlowMethod::Taylor:
            return {btScalar(0.1), btScalar(0.4), 1};
        case FlowMethod::Dop853:
            return {0, btScalar(0.8), btScalar(0.8)};
        case FlowMethod::Rodas4:
        case FlowMethod::Ros34Pw2:
            return {btScalar(0.7), btScalar(0.3), 1};
        case FlowMethod::Contacts:
            return {btScalar(0.5), btScalar(0.6), btScalar(0.1)};
        case FlowMethod::Implicit:
            return {btScalar(0.8), btScalar(0.6), btScalar(0.4)};
        case FlowMethod::BackwardEuler:
            return {1, btScalar(0.4), 0};
    }
    return {1, 1, 1};
}

void drawElement(const ForceElement& element, btIDebugDraw& drawer) {
    if (element.axis().isZero()) return;  // a swing that leans no way
    const Pen pen(element, drawer);
    if (!(pen.size() > 0)) {
        return;
    }
    const auto s = static_cast<btScalar>(element.s_rel());
    if (!isRotational(element.geometry())) {
        drawBody(element, pen, s);
        drawForce(element, pen, drawer);
        return;
    }
    if (element.placement().isGearPair()) pen.line(element.pointA(), element.pointB());  // from wheel to wheel
    pen.line(pen.at(-pen.size(), 0, 0), pen.at(pen.size(), 0, 0));
    pen.arc(0, s, pen.size());
    pen.line(pen.at(0, 0, 0), pen.at(0, pen.size(), s));
    if (const ReducedLaw law = reduced(element.law()); law.below && law.above) {
        for (const double edge : {law.edgeLow, law.edgeHigh}) {
            const auto stop = static_cast<btScalar>(edge);
            pen.line(pen.at(0, pen.size() / 2, stop), pen.at(0, pen.size(), stop));
        }
    }
}

void drawRememberedContact(const btVector3& place, btIDebugDraw& drawer) {
    constexpr btScalar kHalf = btScalar(0.02);  // [m]
    for (int axis = 0; axis < 3; ++axis) {
        btVector3 arm(0, 0, 0);
        arm[axis] = kHalf;
        drawer.drawLine(place - arm, place + arm, btVector3(1, 0, 1));
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
