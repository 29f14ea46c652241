#include "gallery/guest_drawing.h"

#include "gallery/element_drawing.h"
#include "host/conversion.h"

#include <elasto/flow.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <algorithm>
#include <cmath>

namespace elasto::gallery {

namespace {

/// A joint that an element acts on, and how flange_b turns (slides) in it: with the link, or against it.
struct Joint {
    const btMultiBody* body;
    int link;
    double sign;
};

/// @return null body: the element is on no joint
Joint jointOf(const MultiBodyElement& element) {
    if (const auto* joint = std::get_if<JointCoordinate>(&element.placing())) {
        return {joint->body, joint->link, joint->sign};
    }
    if (const auto* drive = std::get_if<Drive>(&element.placing())) return {drive->body, drive->link, 1};
    if (const auto* pair = std::get_if<GearPair>(&element.placing())) {
        return {pair->first.body, pair->first.link, pair->first.sign};
    }
    return {nullptr, 0, 1};
}

/// Where a joint is now.
struct Place {
    Eigen::Vector3d pivot;
    Eigen::Vector3d axis;      ///< unit vector, world
    Eigen::Quaterniond frame;  ///< z is the axis; it moves with the link
};

Place placeOf(const Joint& joint, const BodyPose& link) {
    const btMultibodyLink& data = joint.body->getLink(joint.link);
    const bool turns = data.m_jointType == btMultibodyLink::eRevolute;
    const Eigen::Vector3d inLink =
        joint.sign * toEigen(turns ? data.getAxisTop(0) : data.getAxisBottom(0)).normalized();
    return {link * -toEigen(data.m_dVector), link.orientation * inLink, link.orientation * frameAlong(inLink)};
}

void drawGuests(const SceneWorld& world, const GuestView& view, view::Picture& picture) {
    for (const std::unique_ptr<SceneGuest>& guest : world.guests()) {
        if (const auto* shown = dynamic_cast<const Guest*>(guest.get())) shown->draw(view, picture);
    }
}

}  // namespace

GuestDrawing::GuestDrawing(const play::Session& session, double sceneSize) : m_size(sceneSize) {
    for (std::size_t i = session.scene().elements.size(); i < session.elements().size(); ++i) {
        m_elements.push_back({.element = session.elements()[i]});
    }
}

void GuestDrawing::note(const play::Session& session) {
    const std::size_t first = session.scene().elements.size();
    for (std::size_t i = 0; i < m_elements.size(); ++i) {
        const ElementSample& sample = session.sample().elements[first + i];
        const double force = std::max(std::abs(sample.force.f), std::abs(sample.meanForce));
        if (!std::isfinite(force)) continue;
        m_elements[i].largest = std::max(m_elements[i].largest, force);
        double& largest = m_elements[i].element.geometry == Geometry::AboutAxis ? m_largestTorque : m_largest;
        largest = std::max(largest, force);
    }
}

void GuestDrawing::draw(const play::Session& session, const Moment& moment, const std::vector<Law>& laws,
                        const DrawingOptions& options, view::Picture& picture, std::vector<Label>& labels) {
    const SceneWorld& world = session.world();
    const GuestView guests(world, moment.bodies, moment.elements,
                           {.selected = options.selected, .hoveredBody = options.hoveredBody});
    drawGuests(world, guests, picture);
    const std::vector<MultiBodyElement*> elements = play::guestElements(world);
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const std::size_t number = world.elements() + i;
        m_elements[i].element.law = laws[number];
        const bool turns = m_elements[i].element.geometry == Geometry::AboutAxis;
        const ElementView view{.scene = session.scene(),
                               .bodies = moment.bodies,
                               .moment = moment.elements[number],
                               .options = options,
                               .index = static_cast<int>(number),
                               .sceneSize = m_size,
                               .largestOfAll = turns ? m_largestTorque : m_largest};
        if (jointOf(*elements[i]).body != nullptr) drawElement(i, *elements[i], guests, view, picture, labels);
    }
}

void GuestDrawing::drawElement(std::size_t index, const MultiBodyElement& element, const GuestView& guests,
                               const ElementView& view, view::Picture& picture, std::vector<Label>& labels) {
    const Joint joint = jointOf(element);
    const Place place = placeOf(joint, guests.pose(*joint.body, joint.link));
    SceneDrawing::ElementState& state = m_elements[index];
    if (state.element.geometry == Geometry::AboutAxis) {
        const std::optional<JointLook> look = guests.lookOf(element);
        const JointLook shape = look.value_or(JointLook{.radius = 0.08 * m_size});
        const double middle = (shape.begin + shape.end) / 2;
        Rotary rotary;
        rotary.centre = place.pivot + middle * place.axis;
        rotary.axis = place.axis;
        rotary.b = place.frame;
        rotary.a = rotary.b * Eigen::AngleAxisd(-view.moment.sample.s, Eigen::Vector3d::UnitZ());
        rotary.radius = shape.radius;
        rotary.begin = shape.begin - middle;
        rotary.end = shape.end - middle;
        rotary.isBetween = shape.isBetween;
        rotary.isShown = look && std::holds_alternative<ElastoBacklashLaw>(state.element.law);
        drawRotational(state, rotary, view, picture, labels);
        return;
    }
    const double force = view.moment.shownForce;
    const double share = m_largest > 0 ? force / m_largest : 0;
    if (view.options.forces && view.moment.isEnabled && std::abs(share) > 0.02) {
        const Eigen::Vector3d arrow = -share * view.options.forceScale * 0.2 * m_size * place.axis;
        picture.arrows.push_back({.from = place.pivot.cast<float>(),
                                  .vector = arrow.cast<float>(),
                                  .diameter = static_cast<float>(0.012 * m_size),
                                  .surface = {.color = view::Color::bytes(232, 70, 60), .specularCoefficient = 0.2F}});
    }
    if (view.options.labels) {
        labels.push_back({.at = place.pivot.cast<float>(), .text = labelOf(state.element, view.moment.sample)});
    }
}

void GuestDrawing::drawGhost(const SceneWorld& world, const std::vector<BodyPose>& poses, float opacity,
                             view::Picture& picture) {
    drawGuests(world, GuestView(world, poses, {}, {.opacity = opacity}), picture);
}

Eigen::AlignedBox3d GuestDrawing::bounds(const SceneWorld& world) {
    std::vector<BodyPose> poses(world.bodies());
    for (const play::GuestLink& link : play::guestLinks(world)) {
        const BodyState state = play::stateOf(link);
        poses.push_back({.position = state.position, .orientation = state.orientation});
    }
    view::Picture picture;
    drawGhost(world, poses, 0.5F, picture);
    const Eigen::AlignedBox3f box = view::bounds(picture);
    if (box.isEmpty()) return {};
    return {box.min().cast<double>(), box.max().cast<double>()};
}

}  // namespace elasto::gallery
