#include "scene_facts.h"

#include <algorithm>
#include <cmath>

namespace elasto::differential {

using Eigen::Vector3d;

namespace {

bool isMoved(const Scene& scene, int body) {
    return body != kWorld && scene.bodies[static_cast<std::size_t>(body)].motion == BodyMotion::Dynamic;
}

bool isDamped(const SceneBody& body) {
    return body.linearDamping != 0 || body.angularDamping != 0;
}

bool isWhole(const SceneBody& body) {
    return body.linearFactor == Vector3d::Ones() && body.angularFactor == Vector3d::Ones() && body.gyroscopic;
}

/// True if the law's force depends on the place alone.
bool keepsEnergy(const Law& law) {
    if (const auto* spring = std::get_if<SpringDamperLaw>(&law)) return spring->parameters().d == 0;
    if (const auto* gap = std::get_if<ElastoGapLaw>(&law)) return gap->parameters().d == 0;
    if (const auto* backlash = std::get_if<ElastoBacklashLaw>(&law)) return backlash->parameters().d == 0;
    if (const auto* bump = std::get_if<BumpStopLaw>(&law)) return bump->parameters().d == 0;
    return false;
}

}  // namespace

bool isProbe(const SceneElement& element) {
    const auto* spring = std::get_if<SpringDamperLaw>(&element.law);
    return spring != nullptr && spring->parameters().c == 0 && spring->parameters().d == 0;
}

bool canTouch(const Scene& scene) {
    int shapes = 0;
    bool moves = false;
    for (const SceneBody& body : scene.bodies) {
        if (body.shape.type == SceneShape::Type::None) continue;
        ++shapes;
        moves = moves || body.motion == BodyMotion::Dynamic;
    }
    return shapes > 1 && moves;
}

bool isFloating(const Scene& scene) {
    if (!scene.gravity.isZero(0) || !scene.loads.empty()) return false;
    for (const SceneBody& body : scene.bodies) {
        if (body.motion != BodyMotion::Dynamic || isDamped(body) || !isWhole(body)) return false;
    }
    for (const SceneJoint& joint : scene.joints) {
        if (joint.frame_a.body == kWorld || joint.frame_b.body == kWorld) return false;
    }
    return std::none_of(scene.elements.begin(), scene.elements.end(), [](const SceneElement& element) {
        return !isProbe(element) && (element.frame_a.body == kWorld || element.frame_b.body == kWorld ||
                                     (element.gear && element.gear->carrier == kWorld));
    });
}

bool isClosed(const Scene& scene) {
    if (!scene.loads.empty() || canTouch(scene)) return false;
    for (const SceneBody& body : scene.bodies) {
        if (body.motion == BodyMotion::Kinematic || isDamped(body)) return false;
    }
    for (const SceneJoint& joint : scene.joints) {
        if (joint.limits || joint.motor) return false;
    }
    return true;
}

bool isLossless(const Scene& scene) {
    return std::all_of(scene.elements.begin(), scene.elements.end(),
                       [](const SceneElement& element) { return keepsEnergy(element.law); });
}

bool canRest(const Scene& scene) {
    if (canTouch(scene)) return true;
    for (const SceneBody& body : scene.bodies) {
        if (body.motion == BodyMotion::Kinematic) return true;
    }
    return std::any_of(scene.elements.begin(), scene.elements.end(), [](const SceneElement& element) {
        return std::holds_alternative<FrictionLaw>(element.law) || std::holds_alternative<BushingLaw>(element.law);
    });
}

std::vector<int> coasting(const Scene& scene) {
    std::vector<int> found;
    const int count = static_cast<int>(scene.bodies.size());
    for (int i = 0; i < count; ++i) {
        const SceneBody& body = scene.bodies[static_cast<std::size_t>(i)];
        if (!isMoved(scene, i) || isDamped(body) || !isWhole(body) || body.angularVelocity.isZero(0)) continue;
        if (body.shape.type != SceneShape::Type::None) continue;
        const bool isLoaded =
            std::any_of(scene.loads.begin(), scene.loads.end(), [&](const SceneLoad& load) { return load.body == i; });
        const bool isPushed = std::any_of(scene.elements.begin(), scene.elements.end(), [&](const SceneElement& e) {
            return !isProbe(e) && (e.frame_a.body == i || e.frame_b.body == i || (e.gear && e.gear->carrier == i));
        });
        if (isLoaded || isPushed) continue;
        const SceneJoint* hinge = nullptr;
        int joints = 0;
        for (const SceneJoint& joint : scene.joints) {
            if (joint.frame_a.body != i && joint.frame_b.body != i) continue;
            ++joints;
            hinge = &joint;
        }
        if (joints != 1 || hinge->type != SceneJoint::Type::Hinge || hinge->motor || hinge->limits) continue;
        if (hinge->frame_b.body != i || isMoved(scene, hinge->frame_a.body) || hinge->frame_a.body != kWorld) continue;
        const Vector3d axis = body.orientation.conjugate() * hinge->axis;
        const bool isCentred = (hinge->frame_b.position - body.centreOfMass).cross(axis).norm() < 1e-12;
        const bool isPrincipal = (body.inertia.cwiseProduct(axis)).cross(axis).norm() < 1e-12 * body.inertia.norm();
        const double speed = body.angularVelocity.norm();
        const bool isAlong = body.angularVelocity.cross(hinge->axis).norm() < 1e-9 * speed;
        if (isCentred && isPrincipal && isAlong) found.push_back(i);
    }
    return found;
}

}  // namespace elasto::differential
