#include "shadow_map.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace elasto::view {

using Eigen::Vector3f;

ShadowView aimShadow(const Eigen::AlignedBox3f& casters, const Vector3f& target, float distance,
                     const Vector3f& towardsLight, int size) {
    // A ball thrown far away must not coarsen the shadows of what one looks at.
    const Vector3f seen = Vector3f::Constant(1.2F * distance);
    const Eigen::AlignedBox3f covered = casters.intersection({target - seen, target + seen});
    const Vector3f center = covered.isEmpty() ? target : covered.center();
    float radius = covered.isEmpty() ? distance : covered.diagonal().norm() / 2;
    // Steps of a tenth, and positions of whole texels, so that edges stand still while things move.
    radius = std::pow(1.1F, std::ceil(std::log(std::max(1.04F * radius, 1e-4F)) / std::log(1.1F)));

    const Vector3f other = std::abs(towardsLight.y()) < 0.9F ? Vector3f::UnitY() : Vector3f::UnitX();
    const Vector3f right = other.cross(towardsLight).normalized();
    const Vector3f upward = towardsLight.cross(right);
    Eigen::Matrix3f axes;
    axes << right.transpose(), upward.transpose(), -towardsLight.transpose();
    Vector3f origin = axes * center;
    const float texel = 2 * radius / static_cast<float>(size);
    for (int i = 0; i < 2; ++i) origin[i] = texel * std::round(origin[i] / texel);

    ShadowView view;
    view.extent = 2 * radius;
    view.matrix.topLeftCorner<3, 3>() = axes / view.extent;
    view.matrix.topRightCorner<3, 1>() = Vector3f::Constant(0.5F) - origin / view.extent;
    return view;
}

ShadowMap::ShadowMap() {
    glGenFramebuffers(1, &m_framebuffer);
    glGenTextures(1, &m_texture);
    std::array<GLuint, 2> samplers = {};
    glGenSamplers(2, samplers.data());
    m_comparing = samplers[0];
    m_plain = samplers[1];
    // Beyond the border is light.
    const std::array<float, 4> farthest = {1, 1, 1, 1};
    for (const GLuint sampler : samplers) {
        const GLint filter = sampler == m_comparing ? GL_LINEAR : GL_NEAREST;
        glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, filter);
        glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, filter);
        glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
        glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
        glSamplerParameterfv(sampler, GL_TEXTURE_BORDER_COLOR, farthest.data());
    }
    glSamplerParameteri(m_comparing, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glSamplerParameteri(m_comparing, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

ShadowMap::~ShadowMap() {
    glDeleteFramebuffers(1, &m_framebuffer);
    glDeleteTextures(1, &m_texture);
    glDeleteSamplers(1, &m_comparing);
    glDeleteSamplers(1, &m_plain);
}

void ShadowMap::begin(int size) {
    glBindFramebuffer(GL_FRAMEBUFFER, m_framebuffer);
    if (size != m_size) {
        m_size = size;
        glBindTexture(GL_TEXTURE_2D, m_texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,
                     nullptr);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, m_texture, 0);
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
    }
    glViewport(0, 0, size, size);
    glClear(GL_DEPTH_BUFFER_BIT);
}

void ShadowMap::bindTexture(int unit, bool comparing) const {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, m_texture);
    glBindSampler(static_cast<GLuint>(unit), comparing ? m_comparing : m_plain);
    glActiveTexture(GL_TEXTURE0);
}

}  // namespace elasto::view
