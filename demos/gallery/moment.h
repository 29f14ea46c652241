#pragma once
/// @file moment.h
/// What a picture shows of a run at one instant: poses and readouts, as plain data.

#include "gallery/body_surface.h"
#include "play/session.h"

#include <vector>

namespace elasto::gallery {

/// An element at an instant.
struct ElementMoment {
    ElementSample sample;
    double shownForce = 0;  ///< mean over the tick that ends now [N, N.m]; inside a tick the force itself
    bool isEnabled = true;
};

/// A run at an instant.
struct Moment {
    double time = 0;                      ///< [s]
    std::vector<BodyPose> bodies;         ///< the scene's, then balls
    std::vector<ElementMoment> elements;  ///< the session's
};

/// The run in its last tick.
/// @param phase share of the tick that has passed, 0 .. 1; 1: as it is now
void readMoment(const play::Session& session, double phase, Moment& moment);

/// Poses of a recorded tick.
void readPoses(const play::History& history, long tick, std::vector<BodyPose>& poses);

}  // namespace elasto::gallery
