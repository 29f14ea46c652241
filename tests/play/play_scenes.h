#pragma once
// Scenes and helpers that the tests of elasto::play share.

#include <elasto/scene/load_scene.h>

#include <play/session.h>

#include <catch2/catch.hpp>

#include <string>

namespace elasto::play {

inline Scene asset(const std::string& name) {
    return loadScene(ELASTO_SOURCE_DIR "/assets/scenes/" + name + ".json");
}

/// Picks a number by the precision of Bullet.
inline constexpr double byPrecision(double inDouble, double inSingle) {
    return sizeof(btScalar) == sizeof(double) ? inDouble : inSingle;
}

inline void run(Session& session, long ticks) {
    for (long i = 0; i < ticks; ++i) REQUIRE(session.step());
}

inline SessionOptions withBalls(int count) {
    SessionOptions options;
    options.balls = count;
    return options;
}

/// A session without balls: they would only stand aside.
inline SessionOptions withoutBalls() {
    return withBalls(0);
}

}  // namespace elasto::play
