#pragma once
/// @file modelica_geometry.h
/// Where the parts of an element are along its length: the rules of the animations in
/// Modelica.Mechanics.MultiBody.Forces and of the stops that a gap has.

#include <elasto/scene/description.h>

#include <optional>

namespace elasto::gallery {

/// A part of an element, as distances from frame_a along the element [m]; begin <= end where the element is not turned
/// inside out.
struct Span {
    double begin = 0;
    double end = 0;

    double length() const { return end - begin; }
};

/// What is drawn of a spring, damper or both. A part that has no length is left out.
struct SpringDamperParts {
    std::optional<Span> cylinder_a;  ///< of diameter_a and color_a, from frame_a
    std::optional<Span> cylinder_b;  ///< the rod behind it, of diameter_b and color_b
    std::optional<Span> coil;        ///< the spring
};

/// Whether it is drawn as a stop: what lifts off on one side.
bool isStop(const SceneElement& element);
/// Whether a type has a spring or a damper to draw. (Of a SpringDamper without stiffness or damping that part is not
/// there: Modelica's user would have taken a Damper or a Spring.)
bool hasCoil(const SceneElement& element);
bool hasDamper(const SceneElement& element);

/// The damper is as long as the element, or s_damper where a spring follows it (SpringDamperSeries):
///
///     cylinder a: 0 .. min(length_a, s_damper)          cylinder b: length_a .. s_damper
///     spring: s_damper .. s (series), 0 .. s (else)
///
/// @param s        length of the element now [m]
/// @param s_damper of a SpringDamperSeries [m], else not used
SpringDamperParts partsOf(const SceneElement& element, double s, double s_damper);

/// A gap's stop: a buffer that begins at one body's surface and ends in a face, which the other body's surface meets
/// when s_rel falls below s_rel0.
struct StopParts {
    Span buffer;          ///< from where the body of frame_a ends to the face
    bool isBare = false;  ///< no buffer: the bodies' surfaces themselves meet
};

/// @param s_rel     now [m]
/// @param s_rel0    of the gap [m]
/// @param surface_a how far the surface of a's body is ahead of frame_a [m]
/// @param surface_b how far the surface of b's body is before frame_b [m]
StopParts stopParts(double s_rel, double s_rel0, double surface_a, double surface_b);

/// How bright a stop glows under a force: 0 without one, 1 at the largest so far, and visible from a small share of it
/// on.
/// @param largest [N], the largest force so far; nothing glows where it is not > 0
double glowOf(double force, double largest);

/// How a coupling with play is drawn: teeth of a ring and of a hub that stands in it, or claws where the play is wide.
struct PlayParts {
    int count = 4;          ///< teeth, claws
    bool isToothed = true;  ///< else claws
    double inner = 0.3;     ///< angle of a claw of b [rad]
    double outer = 0.3;     ///< angle of a claw of a [rad]: 2 pi / count = inner + outer + b
};
/// @param b        total backlash [rad], >= 0
/// @param isBeside the coupling is seen from the side: claws show there what teeth hide
PlayParts playParts(double b, bool isBeside = false);

}  // namespace elasto::gallery
