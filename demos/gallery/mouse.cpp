#include "gallery/mouse.h"

#include <cmath>
#include <variant>
#include <vector>

namespace elasto::gallery {

namespace {

constexpr float kOrbitPerPixel = 0.006F;  // [rad]
constexpr float kTurnPerPixel = 0.01F;    // [rad]
constexpr float kZoomPerClick = 0.88F;
constexpr float kClick = 4;  // a press that moves less is a click [pixel]

bool isInside(const MouseState& mouse, const FreeArea& area) {
    return mouse.x >= area.left && mouse.x < area.right && mouse.y >= area.top && mouse.y < area.bottom;
}

view::Ray rayAt(const MouseState& mouse, const FreeArea& area, const view::Camera& camera) {
    return camera.ray(mouse.x - area.left, mouse.y - area.top, static_cast<int>(area.width()),
                      static_cast<int>(area.height()));
}

bool canBePulled(const Stage& stage, int body) {
    return body >= 0 && stage.session().isMovedByForces(body);
}

/// Where a body that is held by its grip is pulled to: it stays on the line or in the plane along which it can move at
/// all, and else at the distance at which it was taken.
/// @param factor of the body's motion along the world's axes: 0 where it cannot move
std::optional<Eigen::Vector3f> dragTarget(const view::Ray& ray, const Eigen::Vector3f& grip,
                                          const Eigen::Vector3f& forward, const Eigen::Vector3d& factor) {
    constexpr float kAcross = 0.05F;  // sine of the angle to the line of sight below which the mouse does not tell
    std::vector<int> locked, free;
    for (int k = 0; k < 3; ++k) (factor[k] == 0 ? locked : free).push_back(k);
    if (free.size() == 1) {
        // The point of the line that is nearest to the line of sight.
        const Eigen::Vector3f axis = Eigen::Vector3f::Unit(free.front());
        const Eigen::Vector3f across = ray.direction.cross(axis);
        if (across.norm() < kAcross) return std::nullopt;
        const float along = (ray.origin - grip).cross(ray.direction).dot(across) / -across.squaredNorm();
        return grip + along * axis;
    }
    Eigen::Vector3f normal = -forward;
    if (locked.size() == 1 && std::abs(ray.direction[locked.front()]) > kAcross) {
        normal = Eigen::Vector3f::Unit(locked.front());
        if (normal.dot(ray.direction) > 0) normal = -normal;
    }
    const auto distance = view::meetPlane(ray, grip, normal);
    if (!distance) return std::nullopt;
    return Eigen::Vector3f(ray.origin + *distance * ray.direction);
}

/// What a body of the scene may do; balls and links may do all.
Eigen::Vector3d motionOf(const Stage& stage, int body) {
    const std::vector<SceneBody>& bodies = stage.session().scene().bodies;
    const auto index = static_cast<std::size_t>(body);
    return index < bodies.size() ? bodies[index].linearFactor : Eigen::Vector3d(Eigen::Vector3d::Ones());
}

}  // namespace

void Mouse::reset() {
    m_hold = Hold::Nothing;
    hover(std::nullopt);
    m_selectedBody = -1;
    m_isClicked = false;
}

void Mouse::update(const MouseState& now, const FreeArea& area, const view::Picture& picture, Stage& stage) {
    const view::Ray ray = rayAt(now, area, stage.camera());
    const std::optional<view::Hit> before = m_hit;
    const bool isOver = isInside(now, area) && !now.isOverPanels;
    if (m_hold == Hold::Nothing) {
        constexpr float kSlack = 3;  // [pixel]
        const float perPixel = stage.camera().fieldOfView / std::max(1.0F, area.height());
        hover(isOver ? view::pick(picture, ray, kSlack * perPixel) : std::nullopt);
    }
    const bool wasDown = m_last.left || m_last.middle || m_last.right;
    const bool isDown = now.left || now.middle || now.right;
    if (isDown && !wasDown && isOver) {
        if (before && isQuickPull(now, *before)) {
            hover(before);
            MouseState pressed = now;
            pressed.x = m_last.x;
            pressed.y = m_last.y;
            press(pressed, stage, rayAt(pressed, area, stage.camera()));
            drag(now, area, stage, ray);
        } else {
            press(now, stage, ray);
        }
    } else if (isDown && m_hold != Hold::Nothing) {
        drag(now, area, stage, ray);
    } else if (!isDown && m_hold != Hold::Nothing) {
        const bool isClick = std::hypot(now.x - m_pressX, now.y - m_pressY) < kClick;
        if (isClick) click(stage);
        release(stage);
    }
    if (isOver && now.wheel != 0) {
        stage.camera().zoomAt(std::pow(kZoomPerClick, now.wheel), now.x - area.left, now.y - area.top,
                              static_cast<int>(area.width()), static_cast<int>(area.height()));
    }
    m_last = now;
}

void Mouse::hover(const std::optional<view::Hit>& hit) {
    m_hit = hit;
    m_hoveredBody = hit ? bodyOfId(hit->id) : -1;
    m_hoveredElement = hit ? elementOfId(hit->id) : -1;
}

/// In one frame the button went down and the pointer moved, off the body that it was over: it pulls that body.
bool Mouse::isQuickPull(const MouseState& now, const view::Hit& before) const {
    constexpr float kFarthest = 60;  // [pixel]
    return now.left && m_hoveredBody < 0 && bodyOfId(before.id) >= 0 &&
           std::hypot(now.x - m_last.x, now.y - m_last.y) < kFarthest;
}

void Mouse::press(const MouseState& now, Stage& stage, const view::Ray& ray) {
    m_pressX = now.x;
    m_pressY = now.y;
    if (!now.left) {
        m_hold = Hold::Pan;
        return;
    }
    m_hold = Hold::Orbit;
    if (m_hoveredBody < 0 || now.isChoosing) return;
    m_selectedBody = m_hoveredBody;
    if (!canBePulled(stage, m_hoveredBody)) return;
    const BodyPose& pose = stage.moment().bodies[static_cast<std::size_t>(m_hoveredBody)];
    if (now.control) {
        m_hold = Hold::Turn;
        m_turnStart = pose.orientation;
        stage.session().beginTurn(m_hoveredBody);
        return;
    }
    m_hold = Hold::Body;
    m_grip = m_hit ? m_hit->point : Eigen::Vector3f(ray.origin);
    const Eigen::Vector3d grip = m_grip.cast<double>();
    stage.session().beginDrag(m_hoveredBody, pose.orientation.conjugate() * (grip - pose.position), grip);
}

void Mouse::drag(const MouseState& now, const FreeArea& area, Stage& stage, const view::Ray& ray) {
    const float right = now.x - m_last.x;
    const float down = now.y - m_last.y;
    view::Camera& camera = stage.camera();
    switch (m_hold) {
        case Hold::Body: {
            if (right == 0 && down == 0) break;
            const auto target = dragTarget(ray, m_grip, camera.forward(), motionOf(stage, m_selectedBody));
            if (target) stage.session().moveDrag(target->cast<double>());
            break;
        }
        case Hold::Turn: {
            if (right == 0 && down == 0) break;
            const Eigen::Vector3d up = camera.upward().cast<double>();
            const Eigen::Vector3d across = camera.right().cast<double>();
            const Eigen::AngleAxisd about(static_cast<double>(kTurnPerPixel * (now.x - m_pressX)), up);
            const Eigen::AngleAxisd over(static_cast<double>(kTurnPerPixel * (now.y - m_pressY)), across);
            stage.session().moveTurn((about * over * m_turnStart).normalized());
            break;
        }
        case Hold::Orbit:
            camera.orbit(-kOrbitPerPixel * right, kOrbitPerPixel * down);
            break;
        case Hold::Pan:
            camera.pan(right, down, static_cast<int>(area.height()));
            break;
        case Hold::Nothing:
            break;
    }
}

/// Selects the element under the pointer, or the one that moves the link there.
void Mouse::click(Stage& stage) {
    if (m_last.isChoosing) {
        m_isClicked = true;
    } else if (m_hoveredElement >= 0) {
        stage.select(m_hoveredElement);
    } else if (m_hoveredBody >= 0) {
        stage.selectElementOf(m_hoveredBody);
    }
}

void Mouse::release(Stage& stage) {
    if (m_hold == Hold::Body) stage.session().endDrag();
    if (m_hold == Hold::Turn) stage.session().endTurn();
    m_hold = Hold::Nothing;
}

view::Ray Mouse::ray(const FreeArea& area, const Stage& stage) const {
    return rayAt(m_last, area, stage.camera());
}

void Mouse::throwBall(const FreeArea& area, Stage& stage) {
    const view::Camera& camera = stage.camera();
    const MouseState centre{.x = (area.left + area.right) / 2, .y = (area.top + area.bottom) / 2};
    const view::Ray ray = rayAt(isInside(m_last, area) ? m_last : centre, area, camera);
    const float distance = m_hit ? m_hit->distance : camera.viewpoint.distance;
    // From halfway, so that it is there within a fifth of a second.
    const Eigen::Vector3f from = ray.origin + 0.5F * distance * ray.direction;
    const Eigen::Vector3f velocity = 2.5F * distance * ray.direction;
    stage.session().throwBall(from.cast<double>(), velocity.cast<double>());
    // It is what one looks for next.
    const auto* thrown = std::get_if<play::Throw>(&stage.session().inputs().back().action);
    if (thrown != nullptr) m_selectedBody = static_cast<int>(stage.session().scene().bodies.size()) + thrown->ball;
}

}  // namespace elasto::gallery
