#include "view/context.h"

#include <dlfcn.h>
#include <epoxy/egl.h>

#include <array>
#include <sstream>

#include "gl_version.h"
#include "view/error.h"

namespace elasto::view {

namespace {

std::string lastError() {
    std::ostringstream text;
    text << "EGL error 0x" << std::hex << eglGetError();
    return text.str();
}

bool hasExtension(const char* name) {
    return epoxy_has_egl_extension(EGL_NO_DISPLAY, name);
}

bool initialize(EGLDisplay display) {
    EGLint major = 0;
    EGLint minor = 0;
    return display != EGL_NO_DISPLAY && eglInitialize(display, &major, &minor) == EGL_TRUE;
}

/// A display that needs no screen.
EGLDisplay openDisplay() {
    if (!hasExtension("EGL_EXT_platform_base")) {
        throw GraphicsError("no OpenGL without a display: this EGL has no platforms (EGL_EXT_platform_base)");
    }
    if (hasExtension("EGL_EXT_platform_device") && hasExtension("EGL_EXT_device_enumeration")) {
        // A graphics card first: the surfaceless platform may stand for the processor only.
        std::array<EGLDeviceEXT, 16> devices = {};
        EGLint count = 0;
        if (eglQueryDevicesEXT(static_cast<EGLint>(devices.size()), devices.data(), &count) == EGL_TRUE) {
            for (EGLint i = 0; i < count; ++i) {
                const EGLDeviceEXT device = devices[static_cast<std::size_t>(i)];
                const char* extensions = eglQueryDeviceStringEXT(device, EGL_EXTENSIONS);
                if (extensions != nullptr &&
                    std::string(extensions).find("EGL_MESA_device_software") != std::string::npos) {
                    continue;
                }
                const EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
                if (initialize(display)) return display;
            }
        }
    }
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
        const EGLDisplay display =
            eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
        if (initialize(display)) return display;
    }
    throw GraphicsError("no OpenGL without a display: EGL finds no driver, " + lastError() +
                        " (Debian: libgl1-mesa-dri)");
}

}  // namespace

struct Context::Implementation {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;

    Implementation() {
        requireLibraries();
        if (dlopen("libEGL.so.1", RTLD_LAZY | RTLD_GLOBAL) == nullptr) {
            throw GraphicsError("no OpenGL without a display: libEGL.so.1 cannot be loaded (Debian: libegl1)");
        }
        display = openDisplay();
        try {
            create();
            requireVersion();
        } catch (...) {
            destroy();
            throw;
        }
    }
    ~Implementation() { destroy(); }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;

    void create() {
        if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) throw GraphicsError("EGL has no OpenGL, " + lastError());
        const std::array<EGLint, 5> wanted = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                              EGL_NONE};
        EGLConfig config = nullptr;
        EGLint found = 0;
        if (eglChooseConfig(display, wanted.data(), &config, 1, &found) != EGL_TRUE || found == 0) {
            throw GraphicsError("EGL has no configuration for OpenGL, " + lastError());
        }
        const std::array<EGLint, 7> version = {
            EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, version.data());
        if (context == EGL_NO_CONTEXT) throw GraphicsError("OpenGL 3.3 is needed, but EGL refuses it, " + lastError());
        if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE) {
            throw GraphicsError("EGL refuses a context without a surface, " + lastError());
        }
    }

    void destroy() {
        if (display == EGL_NO_DISPLAY) return;
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
        eglTerminate(display);
        display = EGL_NO_DISPLAY;
    }
};

Context::Context() : m_implementation(std::make_unique<Implementation>()) {}
Context::~Context() = default;

}  // namespace elasto::view
