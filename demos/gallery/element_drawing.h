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

/// A coupling's place: z is its axis, x the direction of angle 0.
struct Rotary {
    Eigen::Vector3d centre;  ///< where the coupling is [m]
    Eigen::Vector3d axis;    ///< unit vector, world
    Eigen::Quaterniond a;    ///< of frame_a
    Eigen::Quaterniond b;    ///< of frame_b; equal to a at phi_rel = 0
    double radius = 0.1;     ///< of what is drawn [m]
    double begin = 0;        ///< along the axis from the centre: where a's part begins [m]
    double end = 0;          ///< where b's part ends [m]
    bool isBetween = false;  ///< the coupling stands between its two bodies, else before them
    bool isShown = true;     ///< else only its torque and label
    Eigen::Vector3d centre_a = Eigen::Vector3d::Zero();  ///< of frame_a [m]
    Eigen::Vector3d centre_b = Eigen::Vector3d::Zero();  ///< of frame_b [m]
};

/// An element's ends in the world.
struct Ends {
    Eigen::Vector3d a;
    Eigen::Vector3d b;
    Eigen::Vector3d e;      ///< unit vector from a to b, along which the force acts
    double s = 0;           ///< [m]
    bool isWorldA = false;  ///< a is fixed to the world
    bool isWorldB = false;  ///< b is
};

/// Springs, dampers and stops.
void drawTranslational(SceneDrawing::ElementState& state, const ElementView& view, view::Picture& picture,
                       std::vector<Label>& labels);
/// The same where the ends are known.
void drawTranslational(SceneDrawing::ElementState& state, const Ends& ends, const ElementView& view,
                       view::Picture& picture, std::vector<Label>& labels);
/// A spring and damper between ends, without force and label.
void drawSpringDamper(const Ends& ends, const SceneElement& element, const ElementView& view, view::Picture& picture);
/// Couplings with play and torsion springs.
void drawRotational(SceneDrawing::ElementState& state, const ElementView& view, view::Picture& picture,
                    std::vector<Label>& labels);
/// The same where the coupling's place is known.
void drawRotational(SceneDrawing::ElementState& state, const Rotary& rotary, const ElementView& view,
                    view::Picture& picture, std::vector<Label>& labels);

/// An external gear pair between two bodies whose axes are parallel and apart: two wheels with teeth.
/// @param glow 0 .. 1, of the force between them @return false for other elements: nothing is drawn
bool drawGearPair(const SceneElement& element, const Rotary& rotary, double glow, const ElementView& view,
                  view::Picture& picture);

/// How long a force's arrow is, as a share of the longest one: the square root of its share of the largest force, and a
/// fifth at least, so that 6 N is seen beside 800 N; 0 for less than 1/400 of the largest.
double arrowShare(double force, double largest);
/// Length of the longest arrow, as a share of the scene's size.
inline constexpr double kLongestArrow = 0.13;
/// An arrow of a force: thinner where it is short, so that it is never all head; never longer than the scene.
/// @param vector [m] @param sceneSize [m]
view::Arrow forceArrow(const Eigen::Vector3d& from, const Eigen::Vector3d& vector, double sceneSize);

/// Highlight of what is selected.
inline constexpr float kSelected = 0.4F;

/// "f = 12.3 N, s_rel = 0.150 m" of an element.
std::string labelOf(const SceneElement& element, const ElementSample& sample);

view::Color colorOf(const SceneColor& color);
/// A colour that glows with a force. @param glow 0 .. 1
view::Color hotColor(const SceneColor& color, double glow);
view::Surface surfaceOf(const ElementView& view, const SceneColor& color, float specularCoefficient);

}  // namespace elasto::gallery
