#include "gallery/scene_drawing.h"

#include "gallery/modelica_geometry.h"

#include "gallery/element_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace elasto::gallery {

namespace {

constexpr std::array<std::array<int, 3>, 6> kBodyColors = {
    {{88, 134, 198}, {226, 148, 76}, {106, 172, 124}, {178, 116, 164}, {202, 182, 94}, {110, 164, 186}}};

view::Color fixedColor() {
    return view::Color::bytes(168, 172, 178);
}
view::Color rodColor() {
    return view::Color::bytes(138, 144, 152);
}

view::Pose viewPose(const BodyPose& pose) {
    return {.position = pose.position.cast<float>(), .orientation = pose.orientation.cast<float>()};
}

/// Pose of the scene's body at the start.
BodyPose startPose(const SceneBody& body) {
    Eigen::Quaterniond orientation = body.orientation;
    Eigen::Vector3d position = body.position;
    if (body.motion == BodyMotion::Kinematic && !body.path.empty()) {
        orientation = body.path.front().orientation;
        position = body.path.front().position;
    }
    return {.position = position + orientation * body.centreOfMass, .orientation = orientation};
}

/// Points of a body, from its centre of mass, where joints and elements hold it.
std::vector<Eigen::Vector3d> attachments(const Scene& scene, int body) {
    std::vector<Eigen::Vector3d> points;
    const auto take = [&](const SceneFrame& frame) {
        if (frame.body != body) return;
        const Eigen::Vector3d point = frame.position - scene.bodies[static_cast<std::size_t>(body)].centreOfMass;
        const auto isSame = [&](const Eigen::Vector3d& other) { return (other - point).norm() < 1e-6; };
        if (std::none_of(points.begin(), points.end(), isSame)) points.push_back(point);
    };
    for (const SceneJoint& joint : scene.joints) {
        if (joint.type == SceneJoint::Type::Slider) continue;
        take(joint.frame_a);
        take(joint.frame_b);
    }
    const bool hasJoints = !points.empty();
    const bool hasShape = scene.bodies[static_cast<std::size_t>(body)].shape.type != SceneShape::Type::None;
    // Elements hold a body without a shape, and one that hangs beside its shape.
    for (const SceneElement& element : scene.elements) {
        if (element.geometry == Geometry::AboutAxis || (hasJoints && hasShape)) continue;
        take(element.frame_a);
        take(element.frame_b);
    }
    return points;
}

bool isInside(const SceneShape& shape, const Eigen::Vector3d& point) {
    return (halfSize(shape) - point.cwiseAbs()).minCoeff() > -1e-9;
}

Eigen::AlignedBox3d boundsOf(const Scene& scene, bool ofMoving) {
    Eigen::AlignedBox3d box;
    std::vector<BodyPose> poses;
    for (const SceneBody& body : scene.bodies) {
        const BodyPose pose = startPose(body);
        poses.push_back(pose);
        if (ofMoving && body.motion != BodyMotion::Dynamic) continue;
        if (body.shape.type == SceneShape::Type::Plane || halfSize(body.shape).maxCoeff() > 20) continue;
        const double radius = halfSize(body.shape).norm();
        box.extend(pose.position + Eigen::Vector3d::Constant(radius / std::sqrt(3.0)));
        box.extend(pose.position - Eigen::Vector3d::Constant(radius / std::sqrt(3.0)));
    }
    const auto take = [&](const SceneFrame& frame) {
        box.extend(
            pointOf(frame, scene, frame.body == kWorld ? BodyPose() : poses[static_cast<std::size_t>(frame.body)]));
    };
    for (const SceneElement& element : scene.elements) {
        if (element.geometry == Geometry::AboutAxis) continue;
        take(element.frame_b);
        if (isStop(element) && element.geometry == Geometry::AlongAxis) {
            // Where the ends are when contact begins.
            const auto pose = [&](int body) {
                return body == kWorld ? BodyPose() : poses[static_cast<std::size_t>(body)];
            };
            const Eigen::Vector3d axis = pose(element.frame_a.body).orientation * element.axis;
            const Eigen::Vector3d a = pointOf(element.frame_a, scene, pose(element.frame_a.body));
            const Eigen::Vector3d b = pointOf(element.frame_b, scene, pose(element.frame_b.body));
            box.extend(b - (axis.dot(b - a) - unstretched(element.law)) * axis);
        }
        if (!isStop(element) || element.frame_a.body != kWorld) take(element.frame_a);
    }
    for (const SceneJoint& joint : scene.joints) {
        take(joint.frame_a);
        take(joint.frame_b);
    }
    return box;
}

/// Extends a box by what moves within the first seconds: a scene is looked at while it runs.
void addMotion(const Scene& scene, Eigen::AlignedBox3d& box) {
    const double seconds = std::min(3.0, scene.duration);  // of a longer scene
    constexpr double kRate = 60;
    SceneWorld world(scene, kRate);
    const Eigen::Vector3d middle = box.center();
    const double farthest = 3 * std::max(box.diagonal().norm(), 1e-3);
    for (int tick = 0; tick < static_cast<int>(seconds * kRate); ++tick) {
        world.step();
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
            const btVector3& centre = world.body(i).getWorldTransform().getOrigin();
            const Eigen::Vector3d at(centre.x(), centre.y(), centre.z());
            const Eigen::Vector3d half = halfSize(scene.bodies[i].shape);
            if (!at.allFinite() || (at - middle).norm() > farthest || half.maxCoeff() > 20) continue;
            const double radius = half.norm() / std::sqrt(3.0);
            box.extend(at + Eigen::Vector3d::Constant(radius));
            box.extend(at - Eigen::Vector3d::Constant(radius));
        }
    }
}

bool startsBesideItsAxis(const SceneElement& element, const Scene& scene, const std::vector<BodyPose>& poses) {
    if (element.geometry != Geometry::AlongAxis) return false;
    const auto pose = [&](int body) { return body == kWorld ? BodyPose() : poses[static_cast<std::size_t>(body)]; };
    const Eigen::Vector3d a = pointOf(element.frame_a, scene, pose(element.frame_a.body));
    const Eigen::Vector3d b = pointOf(element.frame_b, scene, pose(element.frame_b.body));
    const Eigen::Vector3d axis = pose(element.frame_a.body).orientation * element.axis;
    const Eigen::Vector3d beside = (b - a) - axis * axis.dot(b - a);
    return beside.norm() > 1e-6;
}

}  // namespace

SceneDrawing::SceneDrawing(const Scene& scene, const Eigen::AlignedBox3d& guests, bool movesAlong)
    : m_scene(scene), m_bounds(boundsOf(scene, movesAlong).extend(guests)) {
    m_size = m_bounds.isEmpty() ? 1 : std::max(m_bounds.diagonal().norm(), 1e-3);
    std::vector<BodyPose> poses;
    std::size_t colored = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        poses.push_back(startPose(scene.bodies[i]));
        const bool isDynamic = scene.bodies[i].motion == BodyMotion::Dynamic;
        const auto& [red, green, blue] = kBodyColors[colored % kBodyColors.size()];
        m_colors.push_back(isDynamic ? view::Color::bytes(red, green, blue) : fixedColor());
        colored += isDynamic ? 1 : 0;
        m_links.push_back(attachments(scene, static_cast<int>(i)));
    }
    for (const SceneElement& element : scene.elements) {
        m_elements.push_back({.element = element, .isCarriedByB = startsBesideItsAxis(element, scene, poses)});
    }
    if (!m_bounds.isEmpty() && !movesAlong) addMotion(scene, m_bounds);
}

void SceneDrawing::note(const SceneSample& sample) {
    for (std::size_t i = 0; i < m_elements.size(); ++i) {
        const ElementSample& element = sample.elements[i];
        const double force = std::max(std::abs(element.force.f), std::abs(element.meanForce));
        if (!std::isfinite(force)) continue;
        m_elements[i].largest = std::max(m_elements[i].largest, force);
        double& largest = m_elements[i].element.geometry == Geometry::AboutAxis ? m_largestTorque : m_largest;
        largest = std::max(largest, force);
    }
}

const BodyPose& SceneDrawing::poseOf(int body, const std::vector<BodyPose>& poses) const {
    static const BodyPose kOrigin;
    return body == kWorld ? kOrigin : poses[static_cast<std::size_t>(body)];
}

float highlightOf(int body, const DrawingOptions& options) {
    return body == options.hoveredBody ? 0.6F : body == options.selectedBody ? 0.35F : 0.0F;
}

void SceneDrawing::draw(const Moment& moment, const std::vector<Law>& laws, const DrawingOptions& options,
                        view::Picture& picture, std::vector<Label>& labels) {
    if (options.ground) drawGround(picture);
    for (std::size_t i = 0; i < m_scene.bodies.size(); ++i) {
        const Tint tint{.highlight = highlightOf(static_cast<int>(i), options),
                        .hasColor = options.bodyColor.has_value() && m_scene.bodies[i].motion == BodyMotion::Dynamic,
                        .color = options.bodyColor.value_or(view::Color()),
                        .hasRods = true};
        drawBody(i, moment.bodies[i], tint, idOfBody(static_cast<int>(i)), picture);
    }
    drawJoints(moment.bodies, picture);
    for (std::size_t i = 0; i < m_elements.size(); ++i) {
        ElementState& state = m_elements[i];
        state.element.law = laws[i];
        if (!state.element.animation.animation) continue;
        const bool isRotational = state.element.geometry == Geometry::AboutAxis;
        const ElementView view{.scene = m_scene,
                               .bodies = moment.bodies,
                               .moment = moment.elements[i],
                               .options = options,
                               .index = static_cast<int>(i),
                               .sceneSize = m_size,
                               .largestOfAll = isRotational ? m_largestTorque : m_largest};
        if (isRotational) {
            drawRotational(state, view, picture, labels);
        } else {
            drawTranslational(state, view, picture, labels);
        }
    }
}

void SceneDrawing::drawBodies(const std::vector<BodyPose>& poses, const Tint& tint, view::Picture& picture) const {
    for (std::size_t i = 0; i < m_scene.bodies.size() && i < poses.size(); ++i) {
        if (m_scene.bodies[i].motion == BodyMotion::Dynamic) drawBody(i, poses[i], tint, -1, picture);
    }
}

void SceneDrawing::drawBall(const BodyPose& pose, double radius, int id, float highlight,
                            view::Picture& picture) const {
    view::Surface surface{.color = view::Color::bytes(206, 84, 84),
                          .specularCoefficient = 0.5F,
                          .highlight = highlight,
                          .marked = true,
                          .id = id};
    picture.spheres.push_back({.pose = viewPose(pose), .radius = static_cast<float>(radius), .surface = surface});
}

void SceneDrawing::drawBody(std::size_t index, const BodyPose& pose, const Tint& tint, int id,
                            view::Picture& picture) const {
    const SceneBody& body = m_scene.bodies[index];
    const SceneShape& shape = body.shape;
    view::Surface surface{.color = tint.hasColor ? tint.color : m_colors[index],
                          .opacity = tint.opacity,
                          .highlight = tint.highlight,
                          .id = id};
    const auto end = [&](double sign) {
        Eigen::Vector3d along = Eigen::Vector3d::Zero();
        along[shape.axis] = sign * shape.length / 2;
        return Eigen::Vector3f((pose * along).cast<float>());
    };
    const auto side = [&] {
        Eigen::Vector3d across = Eigen::Vector3d::Zero();
        across[(shape.axis + 1) % 3] = 1;
        return Eigen::Vector3f((pose.orientation * across).cast<float>());
    };
    switch (shape.type) {
        case SceneShape::Type::Box:
            picture.boxes.push_back(
                {.pose = viewPose(pose), .halfExtents = (shape.size / 2).cast<float>(), .surface = surface});
            break;
        case SceneShape::Type::Sphere:
            surface.specularCoefficient = 0.6F;
            picture.spheres.push_back(
                {.pose = viewPose(pose), .radius = static_cast<float>(shape.radius), .surface = surface});
            break;
        case SceneShape::Type::Cylinder:
            surface.marked = true;
            picture.cylinders.push_back({.a = end(-1),
                                         .b = end(1),
                                         .diameter = static_cast<float>(2 * shape.radius),
                                         .side = side(),
                                         .surface = surface});
            break;
        case SceneShape::Type::Capsule:
            picture.capsules.push_back({.a = end(-1),
                                        .b = end(1),
                                        .diameter = static_cast<float>(2 * shape.radius),
                                        .side = side(),
                                        .surface = surface});
            break;
        case SceneShape::Type::Mesh:
        case SceneShape::Type::HeightField: {
            const std::vector<Eigen::Vector3d> corners = skinCorners(shape);
            for (const auto& [a, b] : skinEdges(shape)) {
                picture.capsules.push_back({.a = (pose * corners[static_cast<std::size_t>(a)]).cast<float>(),
                                            .b = (pose * corners[static_cast<std::size_t>(b)]).cast<float>(),
                                            .diameter = static_cast<float>(0.005 * m_size),
                                            .surface = surface});
            }
            return;
        }
        case SceneShape::Type::Plane:
        case SceneShape::Type::None:
            break;
    }
    if (shape.type == SceneShape::Type::Plane || (tint.hasColor && !tint.hasRods)) return;
    drawRods(index, pose, surface, picture);
}

// A body without a shape is what connects its joints; one that hangs beside its shape has a thin rod.
void SceneDrawing::drawRods(std::size_t index, const BodyPose& pose, const view::Surface& surface,
                            view::Picture& picture) const {
    const SceneShape& shape = m_scene.bodies[index].shape;
    const std::vector<Eigen::Vector3d>& points = m_links[index];
    const bool isBare = shape.type == SceneShape::Type::None;
    view::Surface rod = surface;
    rod.marked = false;
    if (!isBare && surface.opacity == 1) rod.color = rodColor();
    const double diameter = (isBare ? 0.035 : 0.01) * m_size;
    const auto addRod = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
        picture.capsules.push_back({.a = (pose * a).cast<float>(),
                                    .b = (pose * b).cast<float>(),
                                    .diameter = static_cast<float>(diameter),
                                    .surface = rod});
    };
    if (isBare && points.size() > 1) {
        for (std::size_t i = 1; i < points.size(); ++i) addRod(points[i - 1], points[i]);
    } else {
        for (const Eigen::Vector3d& point : points) {
            if (!isInside(shape, point)) addRod(point, isBare ? Eigen::Vector3d(-point) : Eigen::Vector3d::Zero());
        }
    }
}

void SceneDrawing::drawJoints(const std::vector<BodyPose>& poses, view::Picture& picture) const {
    const double size = 0.022 * m_size;
    for (const SceneJoint& joint : m_scene.joints) {
        const BodyPose& a = poseOf(joint.frame_a.body, poses);
        const Eigen::Vector3d point = pointOf(joint.frame_a, m_scene, a);
        view::Surface surface{.color = view::Color::bytes(96, 102, 110), .specularCoefficient = 0.5F};
        if (joint.type == SceneJoint::Type::Hinge) {
            const Eigen::Vector3d axis = a.orientation * joint.axis;
            picture.cylinders.push_back({.a = (point - size * axis).cast<float>(),
                                         .b = (point + size * axis).cast<float>(),
                                         .diameter = static_cast<float>(1.3 * size),
                                         .surface = surface});
        } else if (joint.type == SceneJoint::Type::Ball) {
            picture.spheres.push_back({.pose = {.position = point.cast<float>()},
                                       .radius = static_cast<float>(0.8 * size),
                                       .surface = surface});
        } else if (joint.type == SceneJoint::Type::Slider) {
            // A rail through b's point, as long as it has to be; between two bodies it moves along, and is short.
            const double beyond = (joint.frame_a.body == kWorld ? 0.35 : 0.04) * m_size;
            const Eigen::Vector3d axis = a.orientation * joint.axis;
            const Eigen::Vector3d b = pointOf(joint.frame_b, m_scene, poseOf(joint.frame_b.body, poses));
            const double reach = std::max(0.0, axis.dot(b - point));
            surface.color = rodColor();
            picture.cylinders.push_back({.a = (point + std::min(reach, 0.0) * axis).cast<float>(),
                                         .b = (point + (reach + beyond) * axis).cast<float>(),
                                         .diameter = static_cast<float>(0.8 * size),
                                         .surface = surface});
        }
    }
}

void SceneDrawing::drawGround(view::Picture& picture) const {
    double height = m_bounds.isEmpty() ? 0 : m_bounds.min().y() - 0.06 * m_size;
    for (const SceneBody& body : m_scene.bodies) {
        if (body.shape.type == SceneShape::Type::Plane) height = body.position.y();
        if (body.motion == BodyMotion::Fixed && body.shape.type == SceneShape::Type::Box && body.shape.size.x() > 20) {
            height = body.position.y() + body.shape.size.y() / 2;
        }
    }
    const double spacing = std::pow(10.0, std::round(std::log10(m_size / 3)));
    picture.planes.push_back({.point = {0, static_cast<float>(height), 0}, .spacing = static_cast<float>(spacing)});
}

}  // namespace elasto::gallery
