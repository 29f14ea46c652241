#include "gallery/guest_drawing.h"

#include "gallery/element_drawing.h"
#include "gallery/joint_drawing.h"
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
    if (const auto* rotor = std::get_if<RotorCoordinate>(&element.placing())) return jointOf(*rotor->drive);
    return {nullptr, 0, 1};
}

JointPlace placeOf(const Joint& joint, const BodyPose& link) {
    const btMultibodyLink& data = joint.body->getLink(joint.link);
    const bool turns = data.m_jointType == btMultibodyLink::eRevolute;
    const Eigen::Vector3d alongJoint = toEigen(turns ? data.getAxisTop(0) : data.getAxisBottom(0)).normalized();
    const Eigen::Vector3d inLink = joint.sign * alongJoint;
    return {link * -toEigen(data.m_dVector), link.orientation * inLink, link.orientation * frameAlong(inLink),
            link.orientation * (frameAlong(alongJoint) * Eigen::Vector3d::UnitX()), joint.sign};
}

/// Where an end of an element on links is now.
Eigen::Vector3d endOf(const Flange& flange, const Eigen::Vector3d& point, const GuestView& guests) {
    if (flange.rigidBody() != nullptr) return guests.pose(*flange.rigidBody()) * point;
    return flange.multiBody() == nullptr ? point : guests.pose(*flange.multiBody(), flange.link()) * point;
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
        if (jointOf(*elements[i]).body != nullptr) {
            drawOnItsJoint(i, *elements[i], guests, view, picture, labels);
        } else {
            drawBetweenLinks(i, *elements[i], guests, view, picture, labels);
        }
    }
}

void GuestDrawing::drawOnItsJoint(std::size_t index, const MultiBodyElement& element, const GuestView& guests,
                                  const ElementView& view, view::Picture& picture, std::vector<Label>& labels) {
    const Joint joint = jointOf(element);
    const JointPlace place = placeOf(joint, guests.pose(*joint.body, joint.link));
    SceneDrawing::ElementState& state = m_elements[index];
    drawOnJoint(state, state.element.geometry == Geometry::AboutAxis, place, guests.lookOf(element), view, picture,
                labels);
}

/// Lines and ropes. What acts between links along or about an axis has no picture.
void GuestDrawing::drawBetweenLinks(std::size_t index, const MultiBodyElement& element, const GuestView& guests,
                                    const ElementView& view, view::Picture& picture, std::vector<Label>& labels) {
    const auto* placement = std::get_if<LinkPlacement>(&element.placing());
    if (placement == nullptr || placement->geometry() != Geometry::AlongLine) return;
    Ends ends{.a = endOf(placement->a(), placement->pointA(), guests),
              .b = endOf(placement->b(), placement->pointB(), guests),
              .e = Eigen::Vector3d::UnitX(),
              .isWorldA = placement->a().isWorld(),
              .isWorldB = placement->b().isWorld()};
    ends.s = (ends.b - ends.a).norm();
    if (ends.s > 0) ends.e = (ends.b - ends.a) / ends.s;
    SceneDrawing::ElementState& state = m_elements[index];
    SceneAnimation& look = state.element.animation;
    const bool isRope = std::holds_alternative<RopeLaw>(state.element.law);
    look.width = (isRope ? 0.006 : 0.025) * m_size;
    look.coilWidth = 0.12 * look.width;
    look.diameter_a = 0.8 * look.width;
    look.diameter_b = 0.45 * look.width;
    look.length_a = 0.4 * ends.s;
    drawTranslational(state, ends, view, picture, labels);
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
