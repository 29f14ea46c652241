#pragma once
/// @file element_drawing.h
/// Draws one element into a picture.

#include "gallery/scene_drawing.h"

namespace elasto::gallery {

/// What drawing an element needs to know.
struct ElementView {
    const Scene& scene;
    const std::vector<BodyPose>& bodies;
    const ElementMoment& moment;
    const DrawingOptions& options;
    int index = 0;
    double sceneSize = 1;     ///< [m]
    double largestOfAll = 0;  ///< largest force (torque) of all elements so far [N, N.m]
};

/// Springs, dampers and stops.
void drawTranslational(SceneDrawing::ElementState& state, const ElementView& view, view::Picture& picture,
                       std::vector<Label>& labels);
/// Couplings with play and torsion springs.
void drawRotational(SceneDrawing::ElementState& state, const ElementView& view, view::Picture& picture,
                    std::vector<Label>& labels);

/// Highlight of what is selected.
inline constexpr float kSelected = 0.4F;

/// "f = 12.3 N, s_rel = 0.150 m" of an element.
std::string labelOf(const SceneElement& element, const ElementSample& sample);

view::Color colorOf(const SceneColor& color);
view::Surface surfaceOf(const ElementView& view, const SceneColor& color, float specularCoefficient);

}  // namespace elasto::gallery
