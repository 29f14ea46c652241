#include "contact_shade.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace elasto::view {

using Eigen::Vector3f;

ContactView aimContactShade(const Plane& plane, const Eigen::AlignedBox3f& casters, const Vector3f& target,
                            float distance, int size) {
    const Vector3f normal = plane.normal.normalized();
    const ShadowView above = aimShadow(casters, target, distance, normal, size);
    // As from above, but upside down, beginning at the plane, and wider: shade reaches beyond what casts it.
    constexpr float kWider = 1.3F;
    ContactView both;
    ShadowView& view = both.undersides;
    view.extent = kWider * above.extent;
    view.matrix.topLeftCorner<3, 3>() = above.matrix.topLeftCorner<3, 3>() / kWider;
    view.matrix.row(2).head<3>() = normal.transpose() / view.extent;
    for (int i = 0; i < 2; ++i) view.matrix(i, 3) = 0.5F + (above.matrix(i, 3) - 0.5F) / kWider;
    view.matrix(2, 3) = -normal.dot(plane.point) / view.extent;
    both.tops = view;
    both.tops.matrix.row(2) = -view.matrix.row(2);
    both.tops.matrix(2, 3) += 1;
    return both;
}

namespace {

/// A square texture and the framebuffer that draws into it.
std::pair<GLuint, GLuint> makeTexture(GLenum format, int size, GLint filter) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), size, size, 0, GL_RED, GL_FLOAT, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    return {texture, framebuffer};
}

}  // namespace

ContactShade::ContactShade(const std::filesystem::path& shaders)
    : m_heightsProgram(shaders, "square.vert", "heights.frag"), m_shadeProgram(shaders, "square.vert", "contact.frag") {
    glGenVertexArrays(1, &m_noVertices);
    std::tie(m_heights, m_heightsFramebuffer) = makeTexture(GL_RGBA16F, kShadeSize, GL_LINEAR_MIPMAP_LINEAR);
    std::tie(m_shade, m_shadeFramebuffer) = makeTexture(GL_R8, kShadeSize, GL_LINEAR);
    m_shadeProgram.use();
    m_shadeProgram.setVector("heightsSize", kShadeSize, 0, 0, 0);
}

ContactShade::~ContactShade() {
    for (const GLuint framebuffer : {m_heightsFramebuffer, m_shadeFramebuffer}) glDeleteFramebuffers(1, &framebuffer);
    for (const GLuint texture : {m_heights, m_shade}) glDeleteTextures(1, &texture);
    glDeleteVertexArrays(1, &m_noVertices);
}

void ContactShade::drawSquare(unsigned framebuffer) const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, kShadeSize, kShadeSize);
    glBindVertexArray(m_noVertices);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void ContactShade::finish(int unit, int secondUnit) {
    glDisable(GL_DEPTH_TEST);
    m_undersides.bindTexture(unit, false);
    m_tops.bindTexture(secondUnit, false);
    m_heightsProgram.use();
    m_heightsProgram.setSampler("undersides", unit);
    m_heightsProgram.setSampler("tops", secondUnit);
    drawSquare(m_heightsFramebuffer);
    for (const int used : {unit, secondUnit}) glBindSampler(static_cast<GLuint>(used), 0);

    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, m_heights);
    glGenerateMipmap(GL_TEXTURE_2D);
    glActiveTexture(GL_TEXTURE0);
    m_shadeProgram.use();
    m_shadeProgram.setSampler("heights", unit);
    drawSquare(m_shadeFramebuffer);
    glEnable(GL_DEPTH_TEST);
}

void ContactShade::bindTexture(int unit) const {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, m_shade);
    glActiveTexture(GL_TEXTURE0);
}

}  // namespace elasto::view
