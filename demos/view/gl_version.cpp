#include "gl_version.h"

#include <dlfcn.h>
#include <epoxy/gl.h>

#include <string>

#include "view/context.h"
#include "view/error.h"

namespace elasto::view {

namespace {

bool canLoad(const char* library) {
    // Stays loaded: whoever comes next needs it.
    return dlopen(library, RTLD_LAZY | RTLD_GLOBAL) != nullptr;
}

std::string text(GLenum name) {
    const auto* value = reinterpret_cast<const char*>(glGetString(name));
    return value == nullptr ? "" : value;
}

}  // namespace

void requireLibraries() {
    if (!canLoad("libGL.so.1") && !canLoad("libOpenGL.so.0")) {
        throw GraphicsError("no OpenGL: neither libGL.so.1 nor libOpenGL.so.0 can be loaded (Debian: libgl1)");
    }
}

void requireVersion() {
    constexpr int kNeeded = 33;
    const int version = epoxy_gl_version();
    if (version >= kNeeded) return;
    throw GraphicsError("OpenGL 3.3 is needed, but " + rendererName() + " offers " + std::to_string(version / 10) +
                        '.' + std::to_string(version % 10));
}

std::string rendererName() {
    return text(GL_RENDERER);
}

bool drawsInSoftware() {
    const std::string name = rendererName();
    for (const char* software : {"llvmpipe", "softpipe", "swrast", "SwiftShader", "Software"}) {
        if (name.find(software) != std::string::npos) return true;
    }
    return false;
}

}  // namespace elasto::view
