#pragma once
/// @file joints_panel.h
/// Panel: a slider for each joint of the robots in the scene.

#include "axis.h"
#include "context.h"
#include "number_field.h"

#include <optional>
#include <string>

namespace elasto::panels {

/// While time stands the sliders place the joints; while it goes on they are the targets of their servos, and a mark
/// shows where the joint is. Joints without a servo move only while they are held.
class JointsPanel {
public:
    void draw(const Context& context);
    const std::string& message() const { return m_message; }  ///< of the last edit; empty if it was accepted
    /// Forgets what belongs to another session.
    void reset() { *this = {}; }

private:
    void drawHead(const Context& context);
    void drawRobot(const Context& context, const play::PlayedJoint& first);
    void drawHold(const char* label, bool isHeld, play::Session& session, std::optional<int> robot);
    void drawJoint(const Context& context, int joint);

    std::string m_search;
    std::string m_message;
    NumberField m_field;
};

/// Where the slider of a joint leads: its range, or where it has none half a turn (half a metre) to either side of 0.
/// @param isTarget of its servo, else its coordinate
Interval sliderRange(const play::PlayedJoint& joint, bool isTarget);

}  // namespace elasto::panels
