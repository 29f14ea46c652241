#include "gallery/stop_placer.h"

#include <elasto/errors.h>

namespace elasto::gallery {

namespace {

BodyPose poseOf(int body, const Stage& stage) {
    return body == kWorld ? BodyPose() : stage.moment().bodies[static_cast<std::size_t>(body)];
}

bool isOfScene(int body, const Stage& stage) {
    return body >= 0 && static_cast<std::size_t>(body) < stage.session().scene().bodies.size();
}

/// The wall behind a stop that is there already: the end of it that is fixed, or else its flange a.
std::optional<play::Face> faceOf(const SceneElement& element, const Stage& stage) {
    if (element.geometry != Geometry::AlongAxis) return std::nullopt;
    const std::vector<SceneBody>& bodies = stage.session().scene().bodies;
    const auto isFixed = [&](const SceneFrame& frame) {
        return frame.body == kWorld || bodies[static_cast<std::size_t>(frame.body)].motion != BodyMotion::Dynamic;
    };
    const Eigen::Vector3d axis = poseOf(element.frame_a.body, stage).orientation * element.axis;
    const bool isAtB = isFixed(element.frame_b) && !isFixed(element.frame_a);
    const SceneFrame& frame = isAtB ? element.frame_b : element.frame_a;
    const BodyPose pose = poseOf(frame.body, stage);
    const Eigen::Vector3d outward = isAtB ? Eigen::Vector3d(-axis) : axis;
    const Eigen::Vector3d centre = frame.body == kWorld ? Eigen::Vector3d(Eigen::Vector3d::Zero())
                                                        : bodies[static_cast<std::size_t>(frame.body)].centreOfMass;
    return play::Face{
        .body = frame.body, .point = frame.position - centre, .normal = pose.orientation.conjugate() * outward};
}

/// The ground as it is drawn: a plane of the scene, or the world.
std::optional<play::Face> groundAt(const view::Ray& ray, const view::Picture& picture, const Stage& stage) {
    if (picture.planes.empty()) return std::nullopt;
    const view::Plane& plane = picture.planes.front();
    const std::optional<float> distance = view::meetPlane(ray, plane.point, plane.normal);
    if (!distance) return std::nullopt;
    const Eigen::Vector3d point = (ray.origin + *distance * ray.direction).cast<double>();
    const std::vector<SceneBody>& bodies = stage.session().scene().bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].shape.type != SceneShape::Type::Plane) continue;
        const BodyPose pose = poseOf(static_cast<int>(i), stage);
        return play::Face{.body = static_cast<int>(i),
                          .point = pose.orientation.conjugate() * (point - pose.position),
                          .normal = bodies[i].shape.normal};
    }
    return play::Face{.body = kWorld, .point = point, .normal = plane.normal.cast<double>()};
}

}  // namespace

std::optional<play::Face> faceAt(const view::Ray& ray, const view::Picture& picture, const Stage& stage) {
    const std::optional<view::Hit> hit = view::pick(picture, ray);
    if (!hit) return groundAt(ray, picture, stage);
    if (const int element = elementOfId(hit->id); element >= 0) {
        const std::vector<SceneElement>& elements = stage.session().scene().elements;
        if (static_cast<std::size_t>(element) >= elements.size()) return std::nullopt;
        return faceOf(elements[static_cast<std::size_t>(element)], stage);
    }
    const int body = bodyOfId(hit->id);
    if (!isOfScene(body, stage)) return std::nullopt;
    const BodyPose pose = poseOf(body, stage);
    const Eigen::Vector3d point = pose.orientation.conjugate() * (hit->point.cast<double>() - pose.position);
    const SceneShape& shape = stage.session().scene().bodies[static_cast<std::size_t>(body)].shape;
    const std::optional<Eigen::Vector3d> normal = play::outwardNormal(shape, point);
    if (!normal) return std::nullopt;
    return play::Face{.body = body, .point = point, .normal = *normal};
}

void StopPlacer::begin(int body, const Stage& stage) {
    end();
    const bool canMove = isOfScene(body, stage) && stage.session().isMovedByForces(body);
    m_body = canMove ? body : -1;
    m_step = canMove ? Step::Wall : Step::Body;
    ask(stage);
}

void StopPlacer::ask(const Stage& stage) {
    m_isRefused = false;
    m_prompt = m_step == Step::Body ? "Click the body that shall be stopped. Esc: no stop."
                                    : "Click the wall, ground or body that shall stop " +
                                          stage.session().bodyName(m_body) + ". Esc: no stop.";
}

void StopPlacer::refuse(const std::string& why) {
    m_prompt = why;
    m_isRefused = true;
}

void StopPlacer::point(const view::Ray& ray, const view::Picture& picture, const Stage& stage) {
    if (!isActive()) return;
    ask(stage);
    m_stop.reset();
    m_found = -1;
    if (m_step == Step::Body) {
        const std::optional<view::Hit> hit = view::pick(picture, ray);
        const int body = hit ? bodyOfId(hit->id) : -1;
        if (body < 0) return;
        if (!isOfScene(body, stage)) {
            refuse(
                "Only bodies of the scene can have a stop here: joints of robots have theirs in the robot's file. "
                "Click "
                "another body. Esc: no stop.");
        } else if (!stage.session().isMovedByForces(body)) {
            refuse(stage.session().bodyName(body) + " is not moved by forces: click a body that is.");
        } else {
            m_found = body;
        }
        return;
    }
    const std::optional<play::Face> face = faceAt(ray, picture, stage);
    if (!face || face->body == m_body) return;
    try {
        m_stop = play::stopBefore(stage.session().presentScene(), m_body, *face);
    } catch (const InvalidParameter& refusal) {
        refuse(std::string(refusal.problem()) + ". Esc: no stop.");
    }
}

std::optional<SceneElement> StopPlacer::click(const Stage& stage) {
    if (m_step == Step::Body && m_found >= 0) {
        begin(m_found, stage);
        return std::nullopt;
    }
    if (!m_stop) return std::nullopt;
    std::optional<SceneElement> stop = std::move(m_stop);
    end();
    return stop;
}

void StopPlacer::draw(const Stage& stage, view::Picture& picture) const {
    if (!m_stop) return;
    const Scene& scene = stage.session().scene();
    const BodyPose wall = poseOf(m_stop->frame_a.body, stage);
    const BodyPose body = poseOf(m_body, stage);
    const Eigen::Vector3d a = pointOf(m_stop->frame_a, scene, wall);
    const Eigen::Vector3d b = pointOf(m_stop->frame_b, scene, body);
    Eigen::Vector3d along = wall.orientation * m_stop->axis;
    if (m_stop->geometry == Geometry::AlongLine && (b - a).norm() > 0) along = (b - a).normalized();
    const SceneShape& shape = scene.bodies[static_cast<std::size_t>(m_body)].shape;
    const double reach = play::reachFromCentre(shape, body.orientation.conjugate() * along);
    const Eigen::Vector3d face = a + (unstretched(m_stop->law) - reach) * along;
    const double width = m_stop->animation.width;
    const view::Surface surface{.color = view::Color::bytes(255, 140, 20), .specularCoefficient = 0.3F};
    picture.stopFaces.push_back(
        {.pose = {.position = face.cast<float>(), .orientation = frameAlong(along).cast<float>()},
         .size = Eigen::Vector2d(1.5 * width, 1.5 * width).cast<float>(),
         .thickness = static_cast<float>(0.15 * width),
         .glow = 0.6F,
         .surface = surface});
    const auto thin = static_cast<float>(0.004 * stage.drawing().size());
    picture.cylinders.push_back({.a = a.cast<float>(), .b = b.cast<float>(), .diameter = thin, .surface = surface});
}

}  // namespace elasto::gallery
