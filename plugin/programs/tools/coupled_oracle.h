#pragma once
/// @file coupled_oracle.h
/// What is true of networks with joints and contacts.

#include <elasto/reference/reference.h>

#include <span>
#include <string>
#include <vector>

namespace elasto::tools {

/// The given signals of a scene from the reference's states. Signals of bodies and joints, s and v of elements.
Trajectory signalsOf(const Scene& scene, const std::vector<ReferenceState>& states,
                     const std::vector<std::string>& signals);

/// A body that slides along the direction of its velocity at the start, under a friction force of constant size while
/// it slides, up to that size while it sticks (Coulomb). The scene holds what acts along that direction, and no floor.
/// @param friction [N]
std::vector<ReferenceState> solveSlide(const Scene& scene, const std::string& body, double friction,
                                       std::span<const double> times);

/// Two boxes, one on the other and sticking to it while pressed, that part as soon as the pressure would have to lie
/// outside the face in which they touch. They move in the plane of x and y. The scene holds the touching as a fixed
/// joint from the lower box (frame_a) to the upper one (frame_b, in the middle of its lower face), and one element on
/// the lower. From then on they must not meet again.
/// @throws InputError if they do
std::vector<ReferenceState> solveParting(const Scene& scene, const std::string& joint, std::span<const double> times);

}  // namespace elasto::tools
