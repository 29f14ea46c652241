#pragma once
#include <memory>
#include <string>
#include <vector>

struct GLFWwindow;

namespace elasto::view {

class Target;

struct WindowOptions {
    std::string title = "Elasto";
    int width = 1280;  ///< [screen coordinates]
    int height = 800;
    bool visible = true;
    bool verticalSync = true;
};

/// A window with an OpenGL 3.3 core context, by GLFW. One at a time, made, used and destroyed on the main thread.
///
/// Its own framebuffer has neither samples nor an sRGB code: pictures are multisampled and coded in a Target, so that
/// they have the same bytes in a window as without one, and what is drawn over them (Dear ImGui) is not coded twice.
class Window {
public:
    /// \throws GraphicsError when there is no display or no OpenGL 3.3
    explicit Window(const WindowOptions& options);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    GLFWwindow* handle() const;

    bool shouldClose() const;
    void setShouldClose(bool close);
    /// Handles the events that have come.
    void pollEvents();
    /// The same, and waits for the next one, but not for longer than a fifth of a second. @return whether one came
    bool waitEvents();
    void setTitle(const std::string& title);
    /// Whether anybody can see it: it is neither minimised nor hidden.
    bool isSeen() const;
    /// Files that were dropped on it since the last call.
    std::vector<std::string> takeDropped();
    /// Size of the framebuffer [pixel]; 0 while minimised.
    int width() const;
    int height() const;
    /// Pixels per pixel of an ordinary display: 2 on many high-resolution ones.
    float contentScale() const;

    bool fullScreen() const;
    /// Fills the monitor the window is on, or goes back to where it was.
    void setFullScreen(bool full);

    /// Copies a drawn target to the window, scaled to its size, and leaves the window's framebuffer bound, for what is
    /// to be drawn over it.
    void show(const Target& target);
    /// Shows the frame.
    void swap();

private:
    struct Implementation;
    std::unique_ptr<Implementation> m_implementation;
};

}  // namespace elasto::view
