#pragma once
/// @file timeline_bar.h
/// Panel: play, step, speed, and the recorded time with its branches.

#include "context.h"

namespace elasto::panels {

class TimelineBar {
public:
    void draw(const Context& context);

private:
    void drawButtons(const Context& context);
    void drawTime(const Context& context) const;
    void drawSpeed(const Context& context) const;
    void drawGhostList(const Context& context) const;
    void drawTrack(const Context& context);
    void drawTicks(ImVec2 low, ImVec2 size, float bottom, const Palette& palette) const;
    void drawMarks(const Context& context, ImVec2 low, ImVec2 size, float top, float bottom) const;
    void drawGhosts(const play::Session& session, ImVec2 low, ImVec2 size, float top, float bottom,
                    const Palette& palette) const;

    double m_shownSeconds = 10;  ///< length of the track [s]
};

/// Length of a track that holds a time, in steps that grow with it, so that it does not rescale all the time [s].
double trackLength(double seconds, double present);
/// Colour of what a person did, on the track.
ImU32 inputColor(const play::Action& action, const Palette& palette);

}  // namespace elasto::panels
