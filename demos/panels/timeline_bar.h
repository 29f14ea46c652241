#pragma once
/// @file timeline_bar.h
/// Panel: play, step, speed, and the recorded time with its branches.

#include "context.h"

namespace elasto::panels {

class TimelineBar {
public:
    void draw(const Context& context);

private:
    /// Where the recorded time is drawn.
    struct Track {
        float left, width, top, bottom;
        double seconds;  ///< that it shows

        float pixel(double time) const { return left + static_cast<float>(time / seconds) * width; }
    };

    void drawButtons(const Context& context);
    void drawTime(const Context& context) const;
    void drawSpeed(const Context& context) const;
    void drawGhostList(const Context& context) const;
    void drawTrack(const Context& context);
    void drawTicks(const Track& track, const Palette& palette) const;
    void drawMarks(const Context& context, const Track& track) const;
    void drawGrades(const play::Session& session, const Track& track, const Palette& palette) const;
    void drawGhosts(const play::Session& session, const Track& track, const Palette& palette) const;

    double m_shownSeconds = 10;  ///< length of the track [s]
};

/// Time since which the run's plots are kept: 0 until the budget of the history is used up [s].
double keptSince(const play::Session& session);
/// Length of a track that holds a time, in steps that grow with it, so that it does not rescale all the time [s].
double trackLength(double seconds, double present);
/// Colour of what a person did, on the track.
ImU32 inputColor(const play::Action& action, const Palette& palette);

}  // namespace elasto::panels
