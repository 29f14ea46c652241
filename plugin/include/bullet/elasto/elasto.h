#pragma once
/// @file elasto.h
/// All of Elasto for Bullet.

#include <elasto/bushing.h>
#include <elasto/check.h>
#include <elasto/elasto_backlash.h>
#include <elasto/elasto_gap.h>
#include <elasto/errors.h>
#include <elasto/joint_load.h>
#include <elasto/load.h>
#include <elasto/multibody_element.h>
#include <elasto/parameter_forms.h>
#include <elasto/plugin.h>
#include <elasto/rope.h>
#include <elasto/rotational_spring_damper.h>
#include <elasto/spring_damper_series.h>
#include <elasto/springs.h>
#include <elasto/threads.h>
#include <elasto/tick_moment.h>
#include <elasto/version.h>
