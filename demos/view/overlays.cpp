#include "overlays.h"

#include <epoxy/gl.h>

#include <cmath>
#include <cstddef>

namespace elasto::view {

namespace {

constexpr int kCorners = 4;

void setInstanceAttribute(GLuint index, GLint components, std::size_t stride, std::size_t begin) {
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                          reinterpret_cast<void*>(begin));
    glVertexAttribDivisor(index, 1);
}

template <class Instances>
void upload(unsigned buffer, const Instances& instances) {
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size() * sizeof(instances[0])), instances.data(),
                 GL_STREAM_DRAW);
}

}  // namespace

Overlays::Overlays(const std::filesystem::path& shaders)
    : m_background(shaders, "square.vert", "background.frag"),
      m_halo(shaders, "halo.vert", "halo.frag"),
      m_line(shaders, "line.vert", "line.frag") {
    glGenVertexArrays(1, &m_noVertices);
    glGenBuffers(1, &m_instances);
    glBindBuffer(GL_ARRAY_BUFFER, m_instances);
    glGenVertexArrays(1, &m_haloArray);
    glBindVertexArray(m_haloArray);
    setInstanceAttribute(0, 4, sizeof(HaloInstance), offsetof(HaloInstance, rotation));
    setInstanceAttribute(1, 3, sizeof(HaloInstance), offsetof(HaloInstance, position));
    setInstanceAttribute(2, 3, sizeof(HaloInstance), offsetof(HaloInstance, size));
    glGenVertexArrays(1, &m_lineArray);
    glBindVertexArray(m_lineArray);
    setInstanceAttribute(0, 3, sizeof(LineInstance), offsetof(LineInstance, a));
    setInstanceAttribute(1, 3, sizeof(LineInstance), offsetof(LineInstance, b));
    setInstanceAttribute(2, 4, sizeof(LineInstance), offsetof(LineInstance, color));
    setInstanceAttribute(3, 1, sizeof(LineInstance), offsetof(LineInstance, width));
    glBindVertexArray(0);
}

Overlays::~Overlays() {
    for (const unsigned array : {m_noVertices, m_haloArray, m_lineArray}) glDeleteVertexArrays(1, &array);
    glDeleteBuffers(1, &m_instances);
}

void Overlays::drawBackground() const {
    m_background.use();
    glBindVertexArray(m_noVertices);
    glDepthMask(GL_FALSE);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthMask(GL_TRUE);
}

void Overlays::drawPlanes(const Program& program, const std::vector<Plane>& planes, bool firstIsShaded) const {
    if (planes.empty()) return;
    program.use();
    glBindVertexArray(m_noVertices);
    glEnable(GL_BLEND);
    for (std::size_t i = 0; i < planes.size(); ++i) {
        const Plane& plane = planes[i];
        const Eigen::Vector3f normal = plane.normal.normalized();
        if (!plane.point.allFinite() || !normal.allFinite() || !std::isfinite(plane.spacing)) continue;
        program.setVector("plane", normal.x(), normal.y(), normal.z(), normal.dot(plane.point));
        program.setVector("gridPlace", plane.point.x(), plane.point.y(), plane.point.z(), plane.spacing);
        program.setVector("shade", i == 0 && firstIsShaded ? 1 : 0, 0, 0, 0);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, kCorners);
    }
    glDisable(GL_BLEND);
}

void Overlays::drawHalos(const std::vector<HaloInstance>& halos) const {
    if (halos.empty()) return;
    m_halo.use();
    glBindVertexArray(m_haloArray);
    upload(m_instances, halos);
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, kCorners, static_cast<GLsizei>(halos.size()));
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

void Overlays::drawLines(const std::vector<LineInstance>& lines, bool onTop) const {
    if (lines.empty()) return;
    m_line.use();
    glBindVertexArray(m_lineArray);
    upload(m_instances, lines);
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    if (onTop) glDisable(GL_DEPTH_TEST);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, kCorners, static_cast<GLsizei>(lines.size()));
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

}  // namespace elasto::view
