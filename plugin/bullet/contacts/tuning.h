#pragma once
// The numbers that were tuned in Bullet's contacts, and why each is what it is. Lengths are for bodies of a decimetre
// to some metres, as Bullet's own are: its slop is 0 to 1 cm, its points live for 2 cm.

#include <elasto/precision.h>

#include <LinearMath/btScalar.h>

#include <cstddef>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// @name Faces
///@{
/// Cosine of the angle up to which two normals are those of one face: 0.8 degrees, over what GJK makes of flat faces.
inline constexpr double kSameNormal = 0.9999;
/// Cosine of the angle up to which a face, or an axis, looks along a direction: a degree, over what bodies at rest
/// tilt.
inline constexpr double kAlongDirection = 0.9998;
/// Sine of the angle to a plane up to which an axis lies in it: a degree.
inline constexpr double kLying = 0.02;
/// Angle from the lowest corner up to which others of a shape count as low [rad].
inline constexpr btScalar kFaceAngle = btScalar(1e-3);
/// Corners that differ by less, relative to the shape's size, are of one face; and a point is on its edge that lies
/// outside by no more than this.
inline constexpr btScalar kFlat = btScalar(1e-4);
inline constexpr btScalar kOnEdge = btScalar(1e-6);
/// Distance [m] up to which a point that Bullet found is on a triangle of a mesh: of its faces, and of their edges.
inline constexpr btScalar kNearFace = btScalar(1e-3);
inline constexpr btScalar kOnTriangle = btScalar(1e-4);
/// Sine of the angle from which on two edges cross [1], and cosine of that by which a normal may have turned since
/// Bullet found it: what has turned farther touches elsewhere.
inline constexpr double kCrossing = 0.02, kStillNormal = 0.7;
/// What moves against each other no faster [m/s], and turns no faster [rad/s], keeps the normals that Bullet rests it
/// on: in those of its faces a pressed stack is kicked by 1e-4 m/s when Bullet has it back ("a press on a stack that
/// comes and goes").
inline constexpr double kStill = 0.01, kStillSpin = 0.05;
/// Half length of a box along an axis on which it has no end [m].
inline constexpr double kEndless = 1e6;
/// Two faces may slide off each other within the tick if they overlap by no more than this [m], and so many times the
/// way that they slide by.
inline constexpr double kNearEdge = 0.01, kNearEdgeSlides = 4;
///@}

/// @name Points
///@{
/// Points of a pair that share what they bore, as many as Bullet keeps; and most that are solved, with those that
/// Bullet has not.
inline constexpr std::size_t kMostSharing = 4;
inline constexpr std::size_t kMostPointsOfPair = 8;
/// What has struck turns faster: the way to corners that may strike next, in that which bodies go as they do.
inline constexpr double kFallsFurther = 2;
/// Distance up to which two points are the same place: in [m], or as a share of the smaller body.
inline constexpr double kSamePlace = 2e-3;
inline constexpr double kSamePlaceShare = 0.02;
/// The same of centres of roundings, as a share of the radius.
inline constexpr double kSameCentre = 1e-3;
/// What a rolling body's point has risen since Bullet found it counts from here on [m].
inline constexpr double kRisen = 1e-6;
/// Gap, and slide, up to which a point that Bullet has dropped is still solved [m].
inline constexpr double kNearlyClosed = 1e-3;
inline constexpr double kHardlySlid = 2e-3;
/// A point that has appeared deeper than its speed explains was put there by the user, from so much on [m].
inline constexpr double kPut = 2e-4;
/// Bodies that are no farther from each other than this as the tick starts are not searched for the time at which they
/// touch [m]: Bullet's search for it leaves as much between them.
inline constexpr double kNearAtStart = 1e-3;
/// Share of a tick by which a part that comes to an edge between two triangles may come later to one of them: what the
/// search for the time leaves.
inline constexpr double kSameTime = 1e-3;
/// Rounding of a box's edges where the nearest points of two are searched [m]: with less GJK has nothing to search with
/// where they touch, and with this it finds a corner to less than a hairline.
inline constexpr double kSharpMargin = 1e-4;
/// Bodies just touch that are no farther from each other [m]: what a float has left of a place some metres away.
inline constexpr double kJustTouching = 1e-6;
/// Impulses that Bullet's warm start forgets are not zero, so that they are told from what bore nothing.
inline constexpr btScalar kFaded = btScalar(1e-6);
///@}

/// @name Rest
///@{
/// Faces are no flatter than Bullet's distances [m]: bodies that bore each other still do where their gap is no more,
/// and have stayed where they have moved no more.
inline constexpr double kHairline = 1e-4;
/// A gap that is larger as a tick ends is one as the next begins [m]: what the flow leaves of closed ones is rounding.
inline constexpr double kLeftOpen = 1e-9;
/// So high above each other Bullet holds bodies that rest, at most [m].
inline constexpr double kHighestAtRest = 2 * kHairline;
/// Up to this speed Bullet's jumps do not change where bodies stand [m/s].
inline constexpr double kPlaceSpeed = 0.5;
/// Share of what friction can bear by which it holds for good.
inline constexpr double kMostHeld = 0.99;
/// How far a point of a pair that rests may be from where it rested [m]; or kSamePlaceShare of the smaller body.
inline constexpr double kSameRest = 4e-3;
///@}

/// @name Memory
///@{
/// Manifolds lie anywhere: what is looked at of one is on its way while so many others are looked at; and so many are
/// looked at before the next question whether that is enough.
inline constexpr std::size_t kManifoldsAhead = 8;
inline constexpr std::size_t kManifoldsAtOnce = 64;
///@}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
