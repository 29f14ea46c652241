#pragma once
#include "view/image.h"

namespace elasto::view {

/// What the renderer draws into: colours in the sRGB code with depth, multisampled or not. Needs a current context.
class Target {
public:
    /// \param samples per pixel: 1 (none), 2, 4, 8; what the driver does not have is rounded down
    /// \throws GraphicsError when the size is not positive or the driver refuses it
    Target(int width, int height, int samples = 4);
    ~Target();
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

    /// Does nothing when nothing changes.
    void resize(int width, int height, int samples);

    int width() const { return m_width; }
    int height() const { return m_height; }
    int samples() const { return m_samples; }

    /// Binds it for drawing, with its viewport.
    void bind() const;
    /// Merges the samples; after drawing, before read() and copyTo().
    void resolve() const;
    /// What was drawn.
    Image read() const;
    /// Copies to a framebuffer (0: the window's), scaled to a size.
    void copyTo(unsigned framebuffer, int width, int height) const;
    /// Copies into a part of a framebuffer, its upper left corner at (x, y) of a framebuffer of this height; leaves the
    /// framebuffer bound.
    void copyInto(unsigned framebuffer, int x, int y, int height) const;
    /// The framebuffer that holds the resolved picture, for what is drawn over it in the sRGB code.
    unsigned framebuffer() const { return m_resolvedFramebuffer; }
    /// The OpenGL texture that holds the resolved picture (for panels that show it), bottom row first.
    unsigned texture() const { return m_texture; }

private:
    void create(int width, int height, int samples);
    void destroy();

    int m_width = 0;
    int m_height = 0;
    int m_samples = 1;
    unsigned m_drawFramebuffer = 0;
    unsigned m_resolvedFramebuffer = 0;
    unsigned m_sampledColor = 0;
    unsigned m_depth = 0;
    unsigned m_texture = 0;
};

/// A part of a framebuffer (0: the window's), upper row first.
/// @param left, low its lower left corner, from that of the framebuffer [pixel] @param width, height >= 1
Image readPixels(unsigned framebuffer, int left, int low, int width, int height);

}  // namespace elasto::view
