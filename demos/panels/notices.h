#pragma once
/// @file notices.h
/// Short messages that come and go at the lower edge of the view.

#include "theme.h"

#include <imgui.h>

#include <deque>
#include <string>

namespace elasto::panels {

/// A text in a rounded box whose lower edge is a little above a point. @return the box's upper edge [pixels]
/// @param most width [pixels]
float drawBubble(ImDrawList& list, ImVec2 bottom, float most, const std::string& text, ImU32 color,
                 const Palette& palette, float opacity = 1);

class Notices {
public:
    enum class Kind { Plain, Good, Bad };
    /// Says something for some seconds; what is bad stays longer. The same text again stays longer instead of twice.
    void say(std::string text, Kind kind = Kind::Plain);
    /// @param bottom middle of the lower edge of where they stand [pixels]
    /// @param most width of one [pixels]
    void draw(ImDrawList& list, ImVec2 bottom, float most, const Palette& palette);
    void clear() { m_notices.clear(); }
    bool empty() const { return m_notices.empty(); }

private:
    struct Notice {
        std::string text;
        Kind kind;
        float left;  ///< [s]
    };
    std::deque<Notice> m_notices;
};

}  // namespace elasto::panels
