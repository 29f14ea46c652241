#include "view/target.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <string>

#include "color_texture.h"
#include "view/error.h"

namespace elasto::view {

namespace {

constexpr GLenum kColor = GL_SRGB8_ALPHA8;
constexpr GLenum kDepth = GL_DEPTH_COMPONENT24;

int samplesHad(int wanted) {
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    return wanted <= 1 ? 1 : std::min(wanted, most);
}

unsigned makeRenderbuffer(GLenum format, GLenum attachment, int width, int height, int samples) {
    GLuint buffer = 0;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples > 1 ? samples : 0, format, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
    return buffer;
}

}  // namespace

Target::Target(int width, int height, int samples) {
    create(width, height, samples);
}

Target::~Target() {
    destroy();
}

void Target::resize(int width, int height, int samples) {
    if (width == m_width && height == m_height && samplesHad(samples) == m_samples) return;
    destroy();
    create(width, height, samples);
}

void Target::create(int width, int height, int samples) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
    const std::string size = std::to_string(width) + " x " + std::to_string(height);
    if (width < 1 || height < 1 || width > most || height > most) {
        throw GraphicsError("a picture of " + size + " pixels cannot be drawn; each side must be 1 .. " +
                            std::to_string(most));
    }
    m_width = width;
    m_height = height;
    m_samples = samplesHad(samples);

    const ColorTexture resolved = makeColorTexture(kColor, width, height, GL_LINEAR);
    m_texture = resolved.texture;
    m_resolvedFramebuffer = resolved.framebuffer;
    if (m_samples > 1) {
        glGenFramebuffers(1, &m_drawFramebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, m_drawFramebuffer);
        m_sampledColor = makeRenderbuffer(kColor, GL_COLOR_ATTACHMENT0, width, height, m_samples);
    } else {
        m_drawFramebuffer = m_resolvedFramebuffer;
    }
    m_depth = makeRenderbuffer(kDepth, GL_DEPTH_ATTACHMENT, width, height, m_samples);
    const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE) {
        destroy();
        throw GraphicsError("the driver refuses a picture of " + size + " pixels with " + std::to_string(m_samples) +
                            " samples each");
    }
}

void Target::destroy() {
    if (m_drawFramebuffer != m_resolvedFramebuffer) glDeleteFramebuffers(1, &m_drawFramebuffer);
    glDeleteFramebuffers(1, &m_resolvedFramebuffer);
    glDeleteRenderbuffers(1, &m_sampledColor);
    glDeleteRenderbuffers(1, &m_depth);
    glDeleteTextures(1, &m_texture);
    m_drawFramebuffer = m_resolvedFramebuffer = m_sampledColor = m_depth = m_texture = 0;
}

void Target::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, m_drawFramebuffer);
    glViewport(0, 0, m_width, m_height);
}

void Target::resolve() const {
    if (m_drawFramebuffer == m_resolvedFramebuffer) return;
    // With the code of sRGB on, so that samples are merged as light and not as code.
    glEnable(GL_FRAMEBUFFER_SRGB);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, m_drawFramebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, m_resolvedFramebuffer);
    glBlitFramebuffer(0, 0, m_width, m_height, 0, 0, m_width, m_height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glDisable(GL_FRAMEBUFFER_SRGB);
}

Image Target::read() const {
    return readPixels(m_resolvedFramebuffer, 0, 0, m_width, m_height);
}

void Target::copyTo(unsigned framebuffer, int width, int height) const {
    glDisable(GL_FRAMEBUFFER_SRGB);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, m_resolvedFramebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    const bool sameSize = width == m_width && height == m_height;
    glBlitFramebuffer(0, 0, m_width, m_height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                      sameSize ? GL_NEAREST : GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
}

void Target::copyInto(unsigned framebuffer, int x, int y, int height) const {
    glDisable(GL_FRAMEBUFFER_SRGB);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, m_resolvedFramebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    const int low = height - y - m_height;
    glBlitFramebuffer(0, 0, m_width, m_height, x, low, x + m_width, low + m_height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

Image readPixels(unsigned framebuffer, int left, int low, int width, int height) {
    Image image = {width, height, {}};
    const std::size_t row = 4 * static_cast<std::size_t>(width);
    image.rgba.resize(row * static_cast<std::size_t>(height));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(left, low, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    // OpenGL's first row is the lowest.
    for (std::size_t lower = 0, upper = static_cast<std::size_t>(height) - 1; lower < upper; ++lower, --upper) {
        std::swap_ranges(image.rgba.begin() + static_cast<std::ptrdiff_t>(lower * row),
                         image.rgba.begin() + static_cast<std::ptrdiff_t>((lower + 1) * row),
                         image.rgba.begin() + static_cast<std::ptrdiff_t>(upper * row));
    }
    return image;
}

}  // namespace elasto::view
