#pragma once
// Scenes and helpers that the tests of elasto::play share.

#include <elasto/scene/load_scene.h>

#include <play/session.h>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

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

/// Ticks spread over a run, the near and the far ends among them.
inline std::vector<long> somewhere(long last) {
    std::vector<long> ticks = {last - 1, last, 0, 1, last / 2};
    unsigned long state = 12345;
    for (int i = 0; i < 12; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        ticks.push_back(static_cast<long>((state >> 33) % static_cast<unsigned long>(last)));
    }
    return ticks;
}

/// Goes to ticks all over the run: each has its bits.
inline void checkSeeks(Session& session) {
    const std::vector<StateMark> first = session.marks();
    for (const long tick : somewhere(session.lastTick())) {
        INFO("tick " << tick);
        session.seek(tick);
        REQUIRE(session.tick() == tick);
        REQUIRE(session.bitsAreThoseOfTheFirstPass());
        REQUIRE(markOf(session.world()) == first[static_cast<std::size_t>(tick)]);
    }
    session.seek(session.lastTick());
    REQUIRE(session.marks() == first);
}

}  // namespace elasto::play
