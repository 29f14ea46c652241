#pragma once
#include <memory>
#include <string>

namespace elasto::view {

/// An OpenGL 3.3 core context without window and display, by EGL: surfaceless, else on a device. Current on the calling
/// thread for as long as it lives.
class Context {
public:
    /// \throws GraphicsError when there is no EGL, no driver or no OpenGL 3.3
    Context();
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m_implementation;
};

/// Name of what draws in the current context, as "llvmpipe (LLVM 15.0.6, 256 bits)".
std::string rendererName();

/// True when the current context draws by the processor (llvmpipe and its like): few pixels and triangles, please.
bool drawsInSoftware();

}  // namespace elasto::view
