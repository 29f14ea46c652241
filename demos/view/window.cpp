#include "view/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <epoxy/gl.h>

#include <utility>

#include "gl_version.h"
#include "view/error.h"
#include "view/target.h"

namespace elasto::view {

namespace {

/// GLFW hands its errors to a function.
std::string& lastProblem() {
    static std::string problem;
    return problem;
}

void rememberProblem(int, const char* description) {
    lastProblem() = description;
}

std::string becauseOf(const std::string& otherwise) {
    return lastProblem().empty() ? otherwise : lastProblem();
}

}  // namespace

struct Window::Implementation {
    GLFWwindow* window = nullptr;
    std::vector<std::string> dropped;
    std::string title;
    // Where the window was before it filled the screen.
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;

    explicit Implementation(const WindowOptions& options) : width(options.width), height(options.height) {
        requireLibraries();
        glfwSetErrorCallback(rememberProblem);
        if (glfwInit() != GLFW_TRUE) {
            throw GraphicsError("no window: " + becauseOf("GLFW finds no display") +
                                " (is DISPLAY set? without a display, only pictures can be written)");
        }
        glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_API);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
        glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
        glfwWindowHint(GLFW_SAMPLES, 0);
        glfwWindowHint(GLFW_DEPTH_BITS, 0);
        glfwWindowHint(GLFW_STENCIL_BITS, 0);
        glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
        window = glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
        if (window == nullptr) {
            const std::string reason = becauseOf("no OpenGL 3.3");
            glfwTerminate();
            throw GraphicsError("no window: " + reason);
        }
        glfwSetWindowUserPointer(window, this);
        glfwSetDropCallback(window, [](GLFWwindow* handle, int count, const char** files) {
            auto* self = static_cast<Implementation*>(glfwGetWindowUserPointer(handle));
            self->dropped.insert(self->dropped.end(), files, files + count);
        });
        glfwMakeContextCurrent(window);
        glfwSwapInterval(options.verticalSync ? 1 : 0);
        try {
            requireVersion();
        } catch (...) {
            destroy();
            throw;
        }
    }
    ~Implementation() { destroy(); }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;

    void destroy() {
        if (window != nullptr) glfwDestroyWindow(window);
        window = nullptr;
        glfwTerminate();
    }

    /// The monitor that shows most of the window's middle.
    GLFWmonitor* monitor() const {
        int count = 0;
        GLFWmonitor** monitors = glfwGetMonitors(&count);
        int left = 0;
        int top = 0;
        int w = 0;
        int h = 0;
        glfwGetWindowPos(window, &left, &top);
        glfwGetWindowSize(window, &w, &h);
        for (int i = 0; i < count; ++i) {
            int mx = 0;
            int my = 0;
            glfwGetMonitorPos(monitors[i], &mx, &my);
            const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
            if (mode == nullptr) continue;
            const int middleX = left + w / 2 - mx;
            const int middleY = top + h / 2 - my;
            if (middleX >= 0 && middleX < mode->width && middleY >= 0 && middleY < mode->height) return monitors[i];
        }
        return glfwGetPrimaryMonitor();
    }
};

Window::Window(const WindowOptions& options) : m_implementation(std::make_unique<Implementation>(options)) {}
Window::~Window() = default;

GLFWwindow* Window::handle() const {
    return m_implementation->window;
}

bool Window::shouldClose() const {
    return glfwWindowShouldClose(handle()) == GLFW_TRUE;
}

void Window::setShouldClose(bool close) {
    glfwSetWindowShouldClose(handle(), close ? GLFW_TRUE : GLFW_FALSE);
}

void Window::pollEvents() {
    glfwPollEvents();
}

bool Window::waitEvents() {
    // GLFW says nothing of what came, but it does not wait to the end then.
    constexpr double kLongest = 0.2;  // [s]
    const double start = glfwGetTime();
    glfwWaitEventsTimeout(kLongest);
    return glfwGetTime() - start < 0.95 * kLongest;
}

void Window::setTitle(const std::string& title) {
    if (title == m_implementation->title) return;
    m_implementation->title = title;
    glfwSetWindowTitle(handle(), title.c_str());
}

bool Window::isSeen() const {
    return glfwGetWindowAttrib(handle(), GLFW_ICONIFIED) == GLFW_FALSE &&
           glfwGetWindowAttrib(handle(), GLFW_VISIBLE) == GLFW_TRUE && width() > 0 && height() > 0;
}

std::vector<std::string> Window::takeDropped() {
    return std::exchange(m_implementation->dropped, {});
}

int Window::width() const {
    int width = 0;
    glfwGetFramebufferSize(handle(), &width, nullptr);
    return width;
}

int Window::height() const {
    int height = 0;
    glfwGetFramebufferSize(handle(), nullptr, &height);
    return height;
}

float Window::contentScale() const {
    float scale = 1;
    glfwGetWindowContentScale(handle(), &scale, nullptr);
    return scale;
}

bool Window::fullScreen() const {
    return glfwGetWindowMonitor(handle()) != nullptr;
}

void Window::setFullScreen(bool full) {
    if (full == fullScreen()) return;
    Implementation& self = *m_implementation;
    if (!full) {
        glfwSetWindowMonitor(handle(), nullptr, self.x, self.y, self.width, self.height, GLFW_DONT_CARE);
        return;
    }
    GLFWmonitor* monitor = self.monitor();
    const GLFWvidmode* mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
    if (mode == nullptr) return;
    glfwGetWindowPos(handle(), &self.x, &self.y);
    glfwGetWindowSize(handle(), &self.width, &self.height);
    glfwSetWindowMonitor(handle(), monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void Window::show(const Target& target) {
    target.copyTo(0, width(), height());
}

void Window::swap() {
    glfwSwapBuffers(handle());
}

}  // namespace elasto::view
