#pragma once
/// @file trouble_window.h
/// Window: why the run stopped or an edit was refused, and the ways on.

#include "context.h"

namespace elasto::panels {

class TroubleWindow {
public:
    /// Shows the session's trouble while there is one, else a refusal until it is closed.
    /// @param middle of the window [pixels]
    void draw(const Context& context, ImVec2 middle);
    /// An edit that was refused; it has changed nothing.
    void refuse(std::string message) { m_refusal = std::move(message); }
    bool isOpen(const play::Session& session) const { return session.trouble().has_value() || !m_refusal.empty(); }
    void close() { m_refusal.clear(); }

private:
    std::string m_refusal;
};

}  // namespace elasto::panels
