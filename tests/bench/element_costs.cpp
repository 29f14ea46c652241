#include "element_costs.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "stopwatch.h"

namespace elasto::bench {

namespace {

constexpr int kWarmUp = 20;
constexpr double kGravity = 9.80665;
constexpr int kFrames = 60;
constexpr int kHeights = 32;  // one alone may meet its stop luckily

/// Ticks that are timed together, so that the clock does not count.
int ticksPerTurn(int bodies) {
    return std::max(1, 5000 / bodies);
}

int turnsOf(int bodies) {
    return bodies >= 50000 ? 11 : bodies >= 5000 ? 41 : 101;
}

/// Where a body is that falls on its stop, bounces without loss, and so on.
double exactHeight(double drop, double t) {
    const double w = std::sqrt(kFieldStiffness / kFieldMass);
    const double fall = std::sqrt(2 * drop / kGravity);
    const double v = kGravity * fall;
    const double sag = kGravity / (w * w);
    const double contact = 2 * (SIMD_PI - std::atan2(v / w, sag)) / w;  // sag cos(w t) - v/w sin(w t) = sag again
    const double period = 2 * fall + contact;
    const double fromMiddle = std::fabs(std::fmod(t, period) - period / 2);  // of the contact
    if (fromMiddle > contact / 2) {
        const double fromApex = period / 2 - fromMiddle;
        return drop - kGravity * fromApex * fromApex / 2;
    }
    return -sag - std::hypot(sag, v / w) * std::cos(w * fromMiddle);
}

}  // namespace

ElementCost costOf(const FieldOptions& options, bool isCold) {
    FieldOptions plain = options;
    plain.push = Push::None;
    plain.splitsIslands = true;
    Field with(options);
    Field without(plain);
    for (int i = 0; i < kWarmUp; ++i) {
        with.step();
        without.step();
    }
    const int ticks = isCold ? 1 : ticksPerTurn(options.bodies);
    std::vector<double> added, bodies;
    for (int turn = 0; turn < turnsOf(options.bodies); ++turn) {
        const auto run = [&](Field& field) {
            if (isCold) coolCaches();
            return timed([&] {
                for (int i = 0; i < ticks; ++i) field.step();
            });
        };
        const double ours = run(with);
        const double theirs = run(without);
        added.push_back(ours - theirs);
        bodies.push_back(theirs);
    }
    const double each = 1.0 / ticks / options.bodies;
    return {quantile(bodies, 0.5) * each, quantile(added, 0.5) * each};
}

double bounceError(Push push, int ticks) {
    Field field({.bodies = kHeights, .push = push, .course = Course::Bouncing, .h = 1.0 / 60 / ticks});
    std::vector<double> drops;
    for (int i = 0; i < kHeights; ++i) drops.push_back(field.height(i));
    double sum = 0;
    for (int frame = 1; frame <= kFrames; ++frame) {
        for (int i = 0; i < ticks; ++i) field.step();
        for (int i = 0; i < kHeights; ++i) {
            const double drop = drops[static_cast<std::size_t>(i)];
            const double error = (field.height(i) - exactHeight(drop, frame / 60.0)) / drop;
            sum += error * error;
        }
    }
    return std::sqrt(sum / kFrames / kHeights);
}

int explicitTicksFor(double error) {
    constexpr int kMost = 100000;
    int ticks = 1;
    while (ticks < kMost && !(bounceError(Push::ExplicitLaw, ticks) <= error)) {
        ticks = std::max(ticks + 1, ticks * 11 / 10);
    }
    return ticks;
}

}  // namespace elasto::bench
