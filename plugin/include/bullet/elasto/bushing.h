#pragma once
/// @file bushing.h
/// A bushing, a bump stop and dry friction between rigid bodies.

#include <elasto/law_element.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A spring and damper with dry friction that first gives and then slips: rubber mounts, leaf springs, seals; about an
/// axis suspension joints. Equations, parameters and source: BushingLaw.
///
///     Bushing(Placement::alongAxis(a, b, frameInA, frameInB), {.c = 2e5, .d = 300, .c_slip = 4e5, .f_slip = 800})
///
/// along an axis or a line; with Placement::aboutAxis it is a RotationalBushing (N.m, rad). What friction has slipped
/// is the inner state `s_damper()`: it stays through teleports and is part of saveState.
using Bushing = LawElement<BushingLaw>;

/// A stop with a table of force over compression: an ElastoGap with another spring. Equations: BumpStopLaw.
///
///     BumpStop(Placement::alongAxis(a, b, frameInA, frameInB),
///              {.table = ForceTable({{0, 0}, {0.02, 400}, {0.04, 2500}, {0.05, 9000}}), .d = 500, .s_rel0 = 0.33})
using BumpStop = LawElement<BumpStopLaw>;

/// Dry friction that sticks, in a guide (SupportFriction, N) or a bearing (BearingFriction, N.m): FrictionLaw.
///
///     Friction(Placement::alongAxis(a, b, frameInA, frameInB), {.F_Coulomb = 20, .F_Stribeck = 10, .fexp = 4})
///
/// Where nothing touches the bodies it stops and gives way at the instants at which it must; beside contacts once per
/// tick's change of what touches, with the force that it has at the tick's first speed.
using Friction = LawElement<FrictionLaw>;

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
