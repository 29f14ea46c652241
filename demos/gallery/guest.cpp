#include "gallery/guest.h"

#include "gallery/element_drawing.h"

#include <algorithm>
#include <stdexcept>

namespace elasto::gallery {

GuestView::GuestView(const SceneWorld& world, const std::vector<BodyPose>& poses,
                     const std::vector<ElementMoment>& elements, const Look& look)
    : m_world(world),
      m_firstLink(world.bodies()),
      m_firstElement(world.elements()),
      m_links(play::guestLinks(world)),
      m_guestElements(play::guestElements(world)),
      m_poses(poses),
      m_elements(elements),
      m_look(look) {}

const BodyPose& GuestView::pose(const btMultiBody& body, int link) const {
    const auto isIt = [&](const play::GuestLink& one) { return one.body == &body && one.link == link; };
    const auto found = std::find_if(m_links.begin(), m_links.end(), isIt);
    if (found == m_links.end()) throw std::out_of_range("guest: no link " + std::to_string(link));
    return m_poses.at(m_firstLink + static_cast<std::size_t>(found - m_links.begin()));
}

const BodyPose& GuestView::pose(const btRigidBody& body) const {
    for (std::size_t i = 0; i < m_world.bodies(); ++i) {
        if (&m_world.body(i) == &body) return m_poses.at(i);
    }
    throw std::out_of_range("guest: no such body");
}

view::Surface GuestView::linkSurface(const btMultiBody& body, int link, const view::Color& color) const {
    const BodyPose& where = pose(body, link);
    const auto index = static_cast<int>(&where - m_poses.data());
    return {.color = color,
            .opacity = m_look.opacity,
            .highlight = index == m_look.hoveredBody ? 0.6F : 0.0F,
            .id = isGhost() ? -1 : idOfBody(index)};
}

std::size_t GuestView::indexOf(const MultiBodyElement& element) const {
    const auto found = std::find(m_guestElements.begin(), m_guestElements.end(), &element);
    if (found == m_guestElements.end()) throw std::out_of_range("guest: " + element.label() + " is in no world");
    return m_firstElement + static_cast<std::size_t>(found - m_guestElements.begin());
}

view::Surface GuestView::elementSurface(const MultiBodyElement& element, const view::Color& color) const {
    const auto index = static_cast<int>(indexOf(element));
    view::Surface surface{.color = color,
                          .opacity = m_look.opacity,
                          .highlight = index == m_look.selected ? kSelected : 0.0F,
                          .id = isGhost() ? -1 : idOfElement(index)};
    if (!element.isEnabled()) surface.opacity *= 0.3F;
    return surface;
}

const ElementMoment* GuestView::moment(const MultiBodyElement& element) const {
    const std::size_t index = indexOf(element);
    return m_elements.empty() ? nullptr : &m_elements.at(index);
}

std::optional<JointLook> GuestView::lookOf(const MultiBodyElement& element) const {
    for (const std::unique_ptr<SceneGuest>& guest : m_world.guests()) {
        const auto* shown = dynamic_cast<const Guest*>(guest.get());
        if (shown == nullptr) continue;
        if (const auto look = shown->lookOf(element)) return look;
    }
    return std::nullopt;
}

}  // namespace elasto::gallery
