#include <elasto/errors.h>
#include <elasto/scene/start.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace elasto {

namespace {

/// A start value counts as reached within this share of it (of 1 for smaller ones); a smaller error is not corrected,
/// so that resolving a scene twice changes nothing.
constexpr double kReached = 1e-12;
/// After all bodies have been moved.
constexpr double kAgrees = 1e-9;

bool isNear(double value, double wanted, double tolerance) {
    return std::abs(value - wanted) <= tolerance * std::max(1.0, std::abs(wanted));
}

std::string toText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", value);
    return text;
}

class StartResolver {
public:
    explicit StartResolver(const Scene& scene) : m_scene(scene), m_network(startNetwork(scene)) {}

    void run() {
        // A chain of elements, each moving the body that carries the next, needs one pass per element at most.
        for (std::size_t pass = 0; pass <= m_scene.elements.size(); ++pass) {
            bool moved = false;
            for (std::size_t i = 0; i < m_scene.elements.size(); ++i) {
                moved = moveDistance(i) || moved;
                moved = moveRate(i) || moved;
            }
            if (!moved) return;
        }
        for (std::size_t i = 0; i < m_scene.elements.size(); ++i) checkReached(i);
    }

    const BodyState& body(std::size_t i) const { return m_network.bodies[i]; }

private:
    bool moveDistance(std::size_t i) {
        const SceneElement& element = m_scene.elements[i];
        if (!element.start.s) return false;
        const Measure now = measure(m_network, m_network.elements[i]);
        const double step = *element.start.s - now.s;
        if (isNear(now.s, *element.start.s, kReached)) return false;
        FlowBody& body =
            movableBody(i, element.geometry == Geometry::AboutAxis ? "phi_rel" : "s_rel", now.s, *element.start.s);
        if (element.geometry == Geometry::AboutAxis) {
            const Eigen::Quaterniond turn(Eigen::AngleAxisd(step, now.direction));
            body.position = now.pointB + turn * (body.position - now.pointB);
            body.orientation = (turn * body.orientation).normalized();
            m_network.elements[i].phi = *element.start.s;
            return true;
        }
        if (element.geometry == Geometry::AlongLine && now.s <= m_network.elements[i].s_small) {
            refuse(i, "s_rel", now.s, *element.start.s, "both points coincide, so that the line has no direction");
        }
        body.position += step * now.direction;
        return true;
    }

    bool moveRate(std::size_t i) {
        const SceneElement& element = m_scene.elements[i];
        if (!element.start.v) return false;
        const Measure now = measure(m_network, m_network.elements[i]);
        const double step = *element.start.v - now.v;
        if (isNear(now.v, *element.start.v, kReached)) return false;
        const bool turns = element.geometry == Geometry::AboutAxis;
        FlowBody& body = movableBody(i, turns ? "w_rel" : "v_rel", now.v, *element.start.v);
        if (turns) {
            const Eigen::Vector3d change = step * now.direction;
            body.angularVelocity += change;
            body.velocity += change.cross(body.position - now.pointB);
            return true;
        }
        if (element.geometry == Geometry::AlongLine && now.s <= m_network.elements[i].s_small) {
            refuse(i, "v_rel", now.v, *element.start.v, "both points coincide, so that the line has no direction");
        }
        body.velocity += step * now.direction;
        return true;
    }

    FlowBody& movableBody(std::size_t i, const char* field, double value, double wanted) {
        const int index = m_scene.elements[i].frame_b.body;
        if (index == kWorld || m_scene.bodies[static_cast<std::size_t>(index)].motion != BodyMotion::Dynamic) {
            refuse(
                i, field, value, wanted,
                "start values move the body of frame_b, which is not a dynamic body; place the body of frame_a by its "
                "own position and velocity instead");
        }
        return m_network.bodies[static_cast<std::size_t>(index)];
    }

    void checkReached(std::size_t i) const {
        const SceneElement& element = m_scene.elements[i];
        const Measure now = measure(m_network, m_network.elements[i]);
        const bool turns = element.geometry == Geometry::AboutAxis;
        const char* why = "the start values of the elements contradict each other";
        if (element.start.s && !isNear(now.s, *element.start.s, kAgrees)) {
            refuse(i, turns ? "phi_rel" : "s_rel", now.s, *element.start.s, why);
        }
        if (element.start.v && !isNear(now.v, *element.start.v, kAgrees)) {
            refuse(i, turns ? "w_rel" : "v_rel", now.v, *element.start.v, why);
        }
    }

    [[noreturn]] void refuse(std::size_t i, const std::string& field, double value, double wanted,
                             const std::string& why) const {
        const SceneElement& element = m_scene.elements[i];
        throw InvalidParameter(std::string(elementTypeName(element.type)) + " '" + element.name + "'",
                               "start value " + field + " = " + toText(wanted) + " cannot be reached, it is " +
                                   toText(value) + ": " + why);
    }

    const Scene& m_scene;
    FlowNetwork m_network;
};

bool isSame(const BodyState& a, const BodyState& b) {
    return a.position == b.position && a.orientation.coeffs() == b.orientation.coeffs() && a.velocity == b.velocity &&
           a.angularVelocity == b.angularVelocity;
}

}  // namespace

void resolveStart(Scene& scene) {
    StartResolver resolver(scene);
    resolver.run();
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        SceneBody& body = scene.bodies[i];
        if (isSame(resolver.body(i), centreOfMassState(body))) continue;
        const BodyState frame = frameState(body, resolver.body(i));
        body.position = frame.position;
        body.orientation = frame.orientation;
        body.velocity = frame.velocity;
        body.angularVelocity = frame.angularVelocity;
    }
}

}  // namespace elasto
