#pragma once
/// @file precision.h
/// Which of Bullet's two precisions this translation unit is compiled for.
///
/// Everything that touches btScalar lives in an inline namespace named after the precision, so it is part of every
/// symbol's name: code compiled for one precision does not link with the library of the other.

/// Inline namespace of all that depends on Bullet's precision: float64 or float32.
#ifdef BT_USE_DOUBLE_PRECISION
#define ELASTO_BULLET_NAMESPACE float64
#else
#define ELASTO_BULLET_NAMESPACE float32
#endif

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Precision of Bullet's scalars here: "double" or "single".
#ifdef BT_USE_DOUBLE_PRECISION
inline constexpr const char* kPrecision = "double";
#else
inline constexpr const char* kPrecision = "single";
#endif

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
