#pragma once
// The numbers that were tuned in bodies that turn, and why each is what it is.

namespace elasto::flow {

/// @name free_motion
///@{
/// Steps for a body that tumbles by itself: enough for about 2000 rad.
inline constexpr int kFreeSteps = 4000;
///@}

/// @name rigid_closing
///@{
/// Share of a larger gap that is closed per tick, and the least that is tried.
inline constexpr double kJointRecovery = 0.2;
inline constexpr double kSmallestRecovery = 1e-3;
/// Share of the energy by which closing joints may load springs per tick.
inline constexpr double kClosingEnergy = 1e-2;
/// Distance up to which joints are closed at once [m, rad].
inline constexpr double kJointGap = 1e-9;
///@}

/// @name rigid_events
///@{
/// How far an event function stays from zero on a step, as a share of how large it is there, if none is looked for; and
/// the cosine of the angle by which its direction may turn.
inline constexpr double kFar = 0.25;
inline constexpr double kHardlyTurned = 0.8;
///@}

/// @name rigid_linearised
///@{
inline constexpr double kVelocityStep = 1e-7;
///@}

/// @name rigid_steps
///@{
/// [rad] Turn of a body within a tick below which steps of order 8 take it to be steady to rounding.
inline constexpr double kSlowTurn = 0.1;
/// [rad] Turn of a body between the ends of a step within which a coordinate that swings as it turns is seen; and how
/// far it may swing unseen [m, -].
inline constexpr double kEventTurn = 1, kNoSwing = 1e-9;
/// A first step of what oscillates [rad]: of order 8 with a tolerance of 1e-11, or implicit; and with the looser one of
/// elements that ring among joints.
inline constexpr double kRingingPhase = 0.1;
inline constexpr double kLoosePhase = 0.3;
/// What bodies do that swing grows with their angular acceleration: a first step turns by this, at a tolerance of 1, as
/// sqrt(acceleration) x time. Where bodies whirl a longer one fails as often as not.
inline constexpr double kSwing = 2;
/// Share of the tick in which loads, and motors that push, give bodies a speed that is a scale for errors.
inline constexpr double kPushedShare = 0.1;
///@}

/// @name rigid_system
///@{
/// Share of the tolerance that an explicit step may use up. Bodies that swing on a stiff line ring for thousands of
/// radians, and what a step gets wrong adds up in the phase; at order 8 a hundredth costs half as many steps again.
inline constexpr double kRigidShare = 0.01;
///@}

/// @name rigid_tick
///@{
/// Energy that counts as rounding, as a share of the energy in play.
inline constexpr double kTurningRounding = 1e-12;
/// Rounding of positions after they were solved for, relative to the distance from the origin.
inline constexpr double kPoseRounding = 1e-13;
/// Tolerance of jointed networks, and of all implicit steps, in that of the settings: each evaluation is dear there,
/// and a crank that meets a stop once a turn is still met within 1e-7 of its range.
inline constexpr double kJointedLooseness = 30;
/// Speed that may be missing of a network's momenta, as a share of its largest, and way by which joints may open, as a
/// share of that in the tick: as many times a step's tolerance as a tick has steps.
inline constexpr double kTrustedSpeed = 1e-6;
/// Time that one of the 216 n^3 eliminations among n bodies takes, as a share of an explicit step of one part; and
/// where there are joints, which cost explicit steps less. Their factor passes on what each body does, and that alone
/// takes as long as explicit steps.
inline constexpr double kCubic = 7e-3;
inline constexpr double kJointedCubic = 2e-2;
inline constexpr int kJointedColumns = 2;
///@}

}  // namespace elasto::flow
