#include "contact_shade.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>

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

ContactShade::ContactShade(const std::filesystem::path& shaders)
    : m_heightsProgram(shaders, "square.vert", "heights.frag"), m_shadeProgram(shaders, "square.vert", "contact.frag") {
    glGenVertexArrays(1, &m_noVertices);
    m_heights = makeColorTexture(GL_RGBA16F, kShadeSize, kShadeSize, GL_LINEAR_MIPMAP_LINEAR);
    m_shade = makeColorTexture(GL_R8, kShadeSize, kShadeSize, GL_LINEAR);
    m_shadeProgram.use();
    m_shadeProgram.setVector("heightsSize", kShadeSize, 0, 0, 0);
}

ContactShade::~ContactShade() {
    for (const ColorTexture& made : {m_heights, m_shade}) {
        glDeleteFramebuffers(1, &made.framebuffer);
        glDeleteTextures(1, &made.texture);
    }
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
    drawSquare(m_heights.framebuffer);
    for (const int used : {unit, secondUnit}) glBindSampler(static_cast<GLuint>(used), 0);

    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, m_heights.texture);
    glGenerateMipmap(GL_TEXTURE_2D);
    glActiveTexture(GL_TEXTURE0);
    m_shadeProgram.use();
    m_shadeProgram.setSampler("heights", unit);
    drawSquare(m_shade.framebuffer);
    glEnable(GL_DEPTH_TEST);
}

void ContactShade::bindTexture(int unit) const {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, m_shade.texture);
    glActiveTexture(GL_TEXTURE0);
}

}  // namespace elasto::view
