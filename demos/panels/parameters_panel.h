#pragma once
/// @file parameters_panel.h
/// Panel: the selected element's parameters, editable while it runs, and those of the run.

#include "context.h"

#include <string>

namespace elasto::panels {

/// Edits go into the session as inputs. What a law refuses is shown with the law's own message; nothing has changed
/// then.
class ParametersPanel {
public:
    void draw(const Context& context);
    const std::string& message() const { return m_message; }  ///< of the last edit; empty if it was accepted
    void clearMessage() { m_message.clear(); }

private:
    void drawElement(const Context& context);
    void drawHeader(const Context& context);
    void drawParameter(const Context& context, const play::Parameter& parameter);
    void drawReadouts(const Context& context, const SceneElement& element);
    void drawMotors(const Context& context);
    void drawRun(const Context& context);
    /// Does an edit and keeps the message of what refuses it.
    template <class Edit>
    void attempt(Edit&& edit);

    std::string m_message;
    std::string m_held;  ///< the slider that is held: its edits are one step for undo
    double m_rate = 0;   ///< of the rate's slider while it is held [Hz]
};

}  // namespace elasto::panels
