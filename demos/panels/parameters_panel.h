#pragma once
/// @file parameters_panel.h
/// Panel: the selected element's parameters, editable while it runs, and those of the run.

#include "axis.h"
#include "context.h"
#include "number_field.h"

#include <string>

namespace elasto::panels {

/// Edits go into the session as inputs. What a law refuses is shown with the law's own message; nothing has changed
/// then.
class ParametersPanel {
public:
    void draw(const Context& context);
    const std::string& message() const { return m_message; }  ///< of the last edit; empty if it was accepted
    /// Forgets what belongs to another session.
    void reset() { *this = {}; }

private:
    void drawElement(const Context& context);
    void drawHeader(const Context& context);
    void drawParameter(const Context& context, const play::Parameter& parameter);
    void drawReadouts(const Context& context, const SceneElement& element);
    void drawExports(const Context& context);
    void drawBody(const Context& context);
    void drawMotors(const Context& context);
    void drawRun(const Context& context);
    void drawGravity(play::Session& session, const Palette& palette);
    /// @return true if the value is to be taken; what was typed and is no such number is said in the message
    bool field(const char* id, double& value, const NumberShape& shape, const Palette& palette);

    std::string m_message;
    std::string m_shownMessage;  ///< that was in sight
    int m_element = -1;          ///< that was shown last
    std::string m_held;          ///< the slider that is held: its edits are one step for undo
    double m_rate = 0;           ///< of the rate's slider while it is held [Hz]
    NumberField m_field;
};

}  // namespace elasto::panels
