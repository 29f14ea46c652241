#pragma once
// Names that the benchmarks and the report share.

/// Counter: elements or bodies that one iteration (one tick) moves.
inline constexpr const char* kPerTick = "per_tick";
/// The benchmark whose cost per body is the unit of the report.
inline constexpr const char* kBaseline = "world/plain_bullet";
