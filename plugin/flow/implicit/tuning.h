#pragma once
// The numbers of the implicit step that were tuned, and why each is what it is.

namespace elasto::flow::implicit {

/// @name Compliance of rows, as a share of the response to their own impulse: what is left of the rate that an impulse
/// is to change.
///@{
inline constexpr double kJoint = 1e-4;
inline constexpr double kBounded = 1e-3;  ///< limits and motors; what is left is made up for by the next kick
inline constexpr double kContact = 3e-3, kFirmestContact = 1e-7;
inline constexpr double kFriction = 0.3;
///@}
/// Share of what the stiffest element that acts gives way by that contacts may give way by.
inline constexpr double kFirm = 3e-4;
/// Share of its last force that a contact begins with. All of it would let what is pressed creep.
inline constexpr double kRemembered = 0.9;
/// Share of its creep that a contact takes back in a sub-step.
inline constexpr double kTakenBack = 0.5;
/// [m/s, rad/s] Joints that are found apart close no faster.
inline constexpr double kClosing = 0.2;
/// Share of what a joint is apart beyond that which a sub-step closes: all of it would throw bodies about whose
/// contacts contradict their joints.
inline constexpr double kClosed = 0.5;
/// [rad] A body turns by less in a sub-step, as long as there are no more than so many.
inline constexpr double kTurn = 0.2, kMostOfTurning = 16;
/// [rad] What an undamped element does of its oscillation in a sub-step where something touches: of a cube of balls on
/// springs that falls on a floor 96 (60 Hz) to 99 % of the rebound come back, with 1 rad 88 %, with four sub-steps 7 %.
inline constexpr double kRing = 0.3;
/// Energy that an element may miss because it turns in a sub-step, as a share of the bodies' kinetic energy: beyond it
/// the sub-step is solved with the element's row where the drift leads, so many times at most.
inline constexpr double kBent = 1e-5;
inline constexpr int kMostBends = 4;
/// Rate of a stiff element that its damper takes within a sub-step, as a share of itself, from which on it is
/// overdamped.
inline constexpr double kStrong = 2;
/// Of a sub-step: what is left of a tick by rounding is none.
inline constexpr double kFits = 1e-6;
/// [m] Points that are farther apart at the tick's end have no velocity to lose.
inline constexpr double kTouching = 1e-6;

/// @name Newton's method
///@{
/// Of the impulses in play: gradient at which the minimum counts as found.
inline constexpr double kTolerance = 1e-8;
/// The same where there are no iterations left: more is no solution.
inline constexpr double kPoor = 1e-3;
/// Iteration from which on rounding may be all that is left.
inline constexpr int kRounded = 2;
/// Share of the gradient that an iteration must leave at most, or the factors are made anew.
inline constexpr double kReuse = 0.2;
/// The same of an iteration with old factors: nothing that they do slowly is waited for.
inline constexpr double kReuseOld = 0.05;
/// Share of the slope along a step at which the search ends: loose at first, where the next step is a better one, and
/// close where steps go to and fro over a kink.
inline constexpr double kLoose = 0.5, kClose = 0.02;
inline constexpr int kLooseIterations = 4;
inline constexpr int kDoublings = 5, kTrials = 25;
/// Times that a row goes over a kink before it enters the Hessian with the stiffer of its two slopes.
inline constexpr int kFlips = 2;
///@}

}  // namespace elasto::flow::implicit
