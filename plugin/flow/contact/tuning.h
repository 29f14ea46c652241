#pragma once
// The numbers that were tuned in the exact integrator of contacts and what surrounds it, and why each is what it is.

#include <cstddef>

namespace elasto::flow {

/// @name contact_active_set
///@{
/// Share of the largest acceleration from which on that of turning points counts.
inline constexpr double kTurning = 1e-3;
/// Share of the largest impulse below which one counts as 0.
inline constexpr double kNoImpulse = 1e-9;
/// Share by which pulls, or rates, of points differ that are alike.
inline constexpr double kAlike = 1e-6;
/// Share of a prescribed rate above which what is missing of it is not rounding.
inline constexpr double kContradiction = 1e-3;
///@}

/// @name contact_bounded
///@{
/// Multiples of what counts as rest up to which a motor is at its target.
inline constexpr double kAtTarget = 8;
///@}

/// @name contact_budget
///@{
/// Share of the budget within which ticks are made more accurate: the rest is for those that need it to end. Machines
/// with motors and limits use all of it.
inline constexpr double kTickShare = 0.3;
/// Of sums of costs.
inline constexpr double kBudgetRounding = 1e-12;
///@}

/// @name contact_frame
///@{
/// Cosine up to which normals of points of one pair count as one.
inline constexpr double kOneNormal = 1 - 5e-7;
/// Points that bear of what stands on an edge, at most: of a face that lies on more it is not determined which do.
inline constexpr std::size_t kOfEdge = 2;
/// Angular velocities up to which turning rows do nothing but cost [rad/s]: with 10 m/s they make 1e-11 m/s^2.
inline constexpr double kNoTurn = 1e-12;
///@}

/// @name contact_integrator
///@{
/// Rates that count as 0, relative to the largest speed.
inline constexpr double kRest = 1e-9;
/// Sets of points, of friction and of motors that may be solved for in one go: two points and three motors have 108 in
/// all ("points that slip, limits and motors" misses 7 of 400 with 40).
inline constexpr long kMostTrials = 120, kFewestTrials = 6;
/// Impacts that follow each other within this share of a tick are those of corners that hit in turn.
inline constexpr double kSoon = 1e-2;
/// Share of the largest speed by which a row that was let go may turn against its velocity over the tick, and the
/// shortest share of the tick after which a new frame is worth it.
inline constexpr double kTurned = 1e-4;
inline constexpr double kLeastPart = 1e-6;
/// What a set of those that bear is thought to cost by contact and body, and besides by body [ns].
inline constexpr long kPerSolution = 80, kPerBody = 300;
/// What wedges may be moved by pressure without friction: by at least this share of what its bodies alone would be.
/// Without it, rows that contradict each other pass for wedges, and limbs fly off at 48 m/s ("a ragdoll in its own way
/// stays together").
inline constexpr double kWedging = 1e-2;
///@}

/// @name joint_search, joint_trees
///@{
/// Axes at right angles, and axes that are one, by the sine of what they differ by: as rows are made, with rounding.
inline constexpr double kSquare = 1e-12, kOneAxis = 1e-7;
/// Joints that are farther apart [m, rad] are not closed at once, without velocity, as trees would: implicit ticks open
/// joints by tenths of a millimetre, Bullet by any way. From 1e-5 to 1e-2 "a ragdoll in its own way stays together" has
/// the same bits; without it limbs jump 67 m in a tick.
inline constexpr double kTreeApart = 1e-3;
/// Three relations leave no turn where their gradients span at least this.
inline constexpr double kNoTurnLeft = 1e-3;
///@}

/// @name contact_motion
///@{
/// Tolerance of steps among contacts, in that of the settings, as of jointed networks.
inline constexpr double kMotionLooseness = 30;
/// Speed of slip without a direction of its own, as a share of what friction gives or takes in a tick: it goes on as it
/// was before, or as the force was that began it.
inline constexpr double kNoDirection = 1e-2, kAcross = 0.25, kStopping = 0.02;
/// Slip is about as slow as another one within this ratio, or where both have just begun, below the share kBegun of
/// that speed. Ratios of 1.2 and 10, and shares of 0.01 and 1, change the approximate ticks of an A1 and of a quadruped
/// on drives by two of 360 at most; with all that is slow held together ticks end in parts of no length.
inline constexpr double kAsSlow = 2, kBegun = 0.1;
/// Slip that is stopped at once where forces hold it, as a share of what friction takes in a tick.
inline constexpr double kCaught = 1e-3;
/// Steps within a right angle in which a change of sign is looked for, and times that one is halved: to rounding.
inline constexpr int kTurnsLooked = 18, kTurnsHalved = 50;
/// Rates that count as 0 at least [m/s], and forces that count as none, as a share of the largest.
inline constexpr double kLeastRest = 1e-12, kNoEndForce = 1e-8;
/// [rad] Turn of a body within a step between whose ends all that happens is seen.
inline constexpr double kSeenTurn = 1;
/// First steps: phase of what oscillates [rad], and turn at a tolerance of 1 [rad].
inline constexpr double kFirstPhase = 0.3, kFirstTurn = 2;
/// What rows miss moves bodies by so many times as much at most: beyond it the rows contradict each other ("a ragdoll
/// in its own way stays together" is thrown 1300 m in single precision without it; it passes with 10 and 1000, which
/// change no approximate tick of the same two machines).
inline constexpr double kMostLever = 100;
/// Share of the tick in which loads give bodies a speed that is a scale for errors.
inline constexpr double kLoadedShare = 0.1;
/// Right-hand sides of a step: twelve stages, and now and then three more and seven places where ends are looked for.
inline constexpr long kEvaluations = 15;
/// So few steps of what is left are not tried: most parts of a tick take more.
inline constexpr long kFewestSteps = 3;
/// Networks of so many bodies, or trees of bodies on joints, at so many points are followed: a step takes some 0.01 ms
/// by body and point, and piles change too often. What is on joints changes less: four box feet have 16 points, and as
/// many come near as they land ("a quadruped lands" on such feet fails with half of it).
inline constexpr int kFollowedBodies = 8;
inline constexpr std::size_t kFollowedContacts = 12, kFollowedContactsOnJoints = 32;
/// Share of the exact method's work that is left for parts with gradients that stand still, where following did not get
/// to the end: what is hit again and again may be solved there.
inline constexpr double kPartsShare = 0.2;
/// Changes of what touches that are followed in a tick. Not tuned: it bounds the work.
inline constexpr int kMostFollowed = 100;
///@}

/// @name contact_piece
///@{
/// Modes are looked at after this phase of the fastest oscillation [rad], but not more often than so many times a tick.
inline constexpr double kPhase = 0.25;
inline constexpr double kMostLooks = 400;
/// Pieces in which loads that change count as constant for the energy balance.
inline constexpr double kLoadSteps = 16;
/// Share of the tick to which a change of modes is located.
inline constexpr double kLocated = 1e-11;
///@}

/// @name contact_piece_start
///@{
/// Responses below this share of the free ones are rounding: elements that press on what cannot move.
inline constexpr double kNoResponse = 1e-10;
///@}

/// @name contact_resting
///@{
/// Share of the largest impulse by which one may change and is the same.
inline constexpr double kSameImpulse = 0.02;
///@}

/// @name contact_problem
///@{
/// Change of an element's phase [rad] within which its force stays about the same.
inline constexpr double kUnchanged = 1. / 30;
///@}

/// @name slip_impact
///@{
/// Share of its slip that a point loses in a step of an impact, and the share that counts as none: steps of the fourth
/// order leave 1e-9 of it. Steps at most, where friction turns slip for ever; and times that the last one is shortened.
inline constexpr double kSlipStep = 0.02, kSlipLeft = 1e-9;
/// What pressure with its friction moves less than this share of what it moves alone is on the verge of pressing: what
/// rounding leaves there.
inline constexpr double kVerge = 1e-9;
inline constexpr int kMostSlipSteps = 10'000, kMostEndTries = 50;
///@}

/// @name contact_stand
///@{
/// Of the coordinate: a displacement over which a difference of energies is mostly rounding.
inline constexpr double kLeastDisplacement = 1e-8;
///@}

/// @name contact_tick
///@{
/// Rotation of a body over the tick up to which directions count as fixed [rad], and that which a part of a tick may
/// have: beyond it, and up to some number of parts, the tick is divided.
inline constexpr double kFixedTurn = 1e-6;
inline constexpr double kTurnPerPart = 0.005;
inline constexpr double kMostParts = 3;
/// What joints may open by at first, for bodies turn far [m, rad]: else they are met again in more parts.
inline constexpr double kOpened = 5e-3;
inline constexpr double kMostOpenedParts = 8;
/// Parts more that there may be where contacts let go of bodies that turn.
inline constexpr int kMostReleases = 2;
/// Times that a part is solved where bodies turn.
inline constexpr int kTickPasses = 3;
/// Share of a tick that is looked at when its work is foreseen, at least.
inline constexpr double kLeastShare = 0.1;
/// Sub-steps of what is not to be trusted become up to so many times shorter: at 60 Hz four of them then take 0.07 ms
/// each. Not tuned: it bounds the work.
inline constexpr int kMostHalved = 64;
/// Gain of energy, as a share of the energy in play, that is taken from the motion; one that is larger is not to be
/// trusted.
inline constexpr double kLargestGain = 1e-3;
/// The same, and what may be lost, where nothing touches: with what contacts have an undamped pendulum on 1e10 N/m
/// turns 0.4 % less in a second ("a stiff pendulum keeps swinging at any stiffness" fails).
inline constexpr double kLargestGainApart = 1e-5;
/// Share of it that springs may gain where nothing moves that could pay for it: where contacts give way they load
/// springs a little.
inline constexpr double kStored = 1e-6, kStoredApart = 1e-9;
inline constexpr double kEnergyRounding = 1e-12;
/// [m] What was moved apart by more was found inside something else, and no tick had seen it come: far above what
/// rounding in single precision and hairlines leave at the size of crates, far below what is seen.
inline constexpr double kOverlap = 1e-6;
/// Share of the kinetic energy that what puts joints right may take.
inline constexpr double kMostPaid = 0.5;
/// Energy, in what is in play, that a driven network may have beyond what its drives can have brought.
inline constexpr double kDriven = 10;
/// Of so few bodies all is followed as far as the budget lets it, and put right to the end.
inline constexpr std::size_t kFewBodies = 3;
///@}

/// @name contact_trial
///@{
/// Share of a joint's gap that is left after a tick.
inline constexpr double kJointKept = 0.8;
///@}

/// @name contact_trust
///@{
/// Share of the largest displacement by which the last pass may have changed it: the next one changes it a hundred
/// times less.
inline constexpr double kSameDisplacement = 1e-4;
/// Share of the largest impulse between two bodies by which two may pull at each other.
inline constexpr double kMostPull = 1e-3;
/// Share of the largest impulse of all that is rounding.
inline constexpr double kNoPull = 1e-6;
/// The same where the speed that it gives to a body is looked at.
inline constexpr double kRoundedPull = 1e-8;
///@}

/// @name depenetration
///@{
/// Share of the depth that is recovered per tick, and the depth that is left alone [m]: more of it where the implicit
/// step holds many bodies, whose contacts give way by as much. With the smaller one a tower of 20 never stands still
/// under Accuracy::Implicit, and costs 9 times plain Bullet instead of 1.7 (`elasto-bench-coupled`); "a tower on a stop
/// stands still in implicit ticks" fails with a twentieth of the larger one.
inline constexpr double kRecoveryShare = 0.2;
inline constexpr double kSlop = 1e-6, kRoughSlop = 2e-5;
/// Compliance of rows as a share of the response of the heavier body to their impulse. Contacts give way to joints,
/// limits and springs, and to each other, rather than that bodies which are caught between others give way sideways.
inline constexpr double kOfContacts = 0.1, kOfOthers = 1e-9;
inline constexpr int kRecoveryIterations = 20;
/// By how much what is most wrong may grow where something else is put right: a pile's points take from each other, and
/// with 1 "a stack on which something has fallen is not thrown up" fails; with 1.25 limbs that contradict each other
/// jump 0.20 m in a tick, with 1.05 and 1.1 0.07 m ("a ragdoll in its own way stays together").
inline constexpr double kMoreWrong = 1.1;
/// The smallest share of the wanted displacement that is worth moving.
inline constexpr double kSmallestPart = 1. / 16;
/// Share of the wanted displacement: with less than that by a solution that loads no spring, one that may load springs
/// is tried.
inline constexpr double kWorthwhile = 0.1;
/// Value of a joint's row that is left alone [m, rad].
inline constexpr double kJointSlop = 1e-6;
/// Energy that springs may take up, per work of the loads: displacements are straight, springs turn.
inline constexpr double kHeldRounding = 1e-3;
///@}

/// @name soft_contact_entry
///@{
/// Parts of the way in, in which the patches take turns.
inline constexpr int kParts = 8;
///@}

}  // namespace elasto::flow
