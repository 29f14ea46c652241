#pragma once
/// @file tick_moment.h
/// Bodies and elements at one time inside the last tick: see Plugin::insideTick.

#include <elasto/export.h>
#include <elasto/force_element.h>

#include <optional>
#include <vector>

class btRigidBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What the solution of the last tick says about one time inside it. A value: it stays as it is when the world goes on.
/// It knows the bodies that networks moved in that tick: those of elements, those tied to them by joints and contacts,
/// and those that fly (Plugin::setFreeFlight). Bullet moves all others by their end velocity along a straight line, so
/// interpolation shows what they did.
class ELASTO_API TickMoment {
public:
    double time() const { return m_time; }  ///< [s] from the tick's start

    /// State of a body's centre of mass; nothing if no network moved it (Bullet did, or it was at rest, static or
    /// kinematic). Bodies and elements are found by their address: ask only for such as were in the last tick.
    std::optional<BodyState> body(const btRigidBody& body) const;
    /// Readouts of an element; nothing if it was not solved in the last tick, or uncoupled.
    std::optional<Readout> element(const ForceElement& element) const;

private:
    friend class WorldTick;

    struct Body {
        const btRigidBody* body;  ///< compared only
        BodyState state;
    };
    struct Element {
        const ForceElement* element;  ///< compared only
        Readout readout;
    };

    double m_time = 0;
    std::vector<Body> m_bodies;
    std::vector<Element> m_elements;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
