#pragma once
/// @file guest_drawing.h
/// The guests of a session as a picture, and at their joints what their elements do.

#include "gallery/element_drawing.h"
#include "gallery/guest.h"
#include "gallery/scene_drawing.h"

namespace elasto::gallery {

class GuestDrawing {
public:
    /// @param sceneSize what arrows are measured by [m]
    GuestDrawing(const play::Session& session, double sceneSize);

    /// Takes the largest forces so far into account, for glow and arrows.
    void note(const play::Session& session);
    /// Fills a picture and the labels that belong to it.
    /// @param laws of the session's elements now
    void draw(const play::Session& session, const Moment& moment, const std::vector<Law>& laws,
              const DrawingOptions& options, view::Picture& picture, std::vector<Label>& labels);
    /// The guests in a branch that was left.
    static void drawGhost(const SceneWorld& world, const std::vector<BodyPose>& poses, float opacity,
                          view::Picture& picture);
    /// The box around a world's guests now [m]; empty without any.
    static Eigen::AlignedBox3d bounds(const SceneWorld& world);

private:
    void drawOnItsJoint(std::size_t index, const MultiBodyElement& element, const GuestView& guests,
                        const ElementView& view, view::Picture& picture, std::vector<Label>& labels);
    void drawBetweenLinks(std::size_t index, const MultiBodyElement& element, const GuestView& guests,
                          const ElementView& view, view::Picture& picture, std::vector<Label>& labels);

    std::vector<SceneDrawing::ElementState> m_elements;  ///< of guests
    double m_size;
    double m_largest = 0;        ///< |f| of those along lines [N]
    double m_largestTorque = 0;  ///< [N.m]
};

}  // namespace elasto::gallery
