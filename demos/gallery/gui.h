#pragma once
/// @file gui.h
/// Dear ImGui over the pictures: its context, its fonts, and its OpenGL back end.

#include "panels/fonts.h"
#include "panels/plot_picture.h"
#include "panels/theme.h"
#include "view/image.h"

#include <functional>

struct GLFWwindow;

namespace elasto::gallery {

/// One at a time. Needs a current context of OpenGL 3.3 that outlives it.
class Gui {
public:
    /// @param window whose events it takes; nullptr: without a window
    /// @throws view::GraphicsError if the back end refuses
    explicit Gui(GLFWwindow* window = nullptr);
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    /// Before a frame: theme and size of texts. Cheap where nothing changes.
    void setLook(panels::Theme theme, float scale);
    /// Begins a frame. Without a window with this size and time step, and the mouse where ImGui's IO says it is.
    void begin(int width, int height, float seconds);
    /// Ends the frame and draws it into the framebuffer that is bound.
    /// @param take is called when all is there but the foreground: what pictures and films are made of
    static void end(const std::function<void()>& take);
    /// Paints a plot that was drawn in this frame, while end() takes it.
    static view::Image paint(const panels::PlotPicture& picture);

    const panels::Fonts& fonts() const { return m_fonts; }

private:
    GLFWwindow* m_window;
    panels::Fonts m_fonts;
    panels::Theme m_theme = panels::Theme::Dark;
    float m_scale = 0;
};

}  // namespace elasto::gallery
