#include "mesh_buffers.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cstddef>

#include "mesh_shapes.h"

namespace elasto::view {

namespace {

struct Vertex {
    Eigen::Vector3f position;
    Eigen::Vector3f normal;
};

Mesh makeMesh(const MeshKey& key) {
    constexpr float kPlayPerStep = 1e-5F;
    switch (key.shape) {
        case Shape::Box:
            return boxShape();
        case Shape::Cylinder:
            return cylinderShape(key.first);
        case Shape::Capsule:
            return capsuleShape(key.first);
        case Shape::Cone:
            return coneShape(key.first);
        case Shape::Gear:
        case Shape::Ring:
            return gearShape(key.first, kPlayPerStep * static_cast<float>(key.second), key.shape == Shape::Ring);
        case Shape::Wire:
            return wireShape(key.first, key.second);
        case Shape::Hull:
            break;
    }
    return *key.hull;
}

void* offset(std::size_t bytes) {
    return reinterpret_cast<void*>(bytes);
}

void setAttribute(GLuint index, GLint components, std::size_t stride, std::size_t begin, bool perInstance) {
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride), offset(begin));
    glVertexAttribDivisor(index, perInstance ? 1 : 0);
}

}  // namespace

MeshBuffers::MeshBuffers() {
    glGenBuffers(1, &m_instanceBuffer);
}

MeshBuffers::~MeshBuffers() {
    for (const Buffers& buffers : m_meshes) destroy(buffers);
    glDeleteBuffers(1, &m_instanceBuffer);
}

MeshBuffers::Buffers& MeshBuffers::find(const MeshKey& key) {
    const auto found = std::find_if(m_meshes.begin(), m_meshes.end(), [&](const Buffers& b) { return b.key == key; });
    if (found != m_meshes.end()) return *found;
    m_meshes.push_back({});
    m_meshes.back().key = key;
    create(m_meshes.back());
    return m_meshes.back();
}

void MeshBuffers::create(Buffers& buffers) const {
    const Mesh mesh = makeMesh(buffers.key);
    std::vector<Vertex> vertices(std::min(mesh.positions.size(), mesh.normals.size()));
    for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = {mesh.positions[i], mesh.normals[i]};
    buffers.indexCount = static_cast<int>(mesh.triangles.size());
    glGenVertexArrays(1, &buffers.vertexArray);
    glBindVertexArray(buffers.vertexArray);
    glGenBuffers(1, &buffers.vertices);
    glBindBuffer(GL_ARRAY_BUFFER, buffers.vertices);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)), vertices.data(),
                 GL_STATIC_DRAW);
    setAttribute(0, 3, sizeof(Vertex), offsetof(Vertex, position), false);
    setAttribute(1, 3, sizeof(Vertex), offsetof(Vertex, normal), false);
    glGenBuffers(1, &buffers.indices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers.indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(mesh.triangles.size() * sizeof(std::uint32_t)),
                 mesh.triangles.data(), GL_STATIC_DRAW);
}

void MeshBuffers::destroy(const Buffers& buffers) {
    glDeleteVertexArrays(1, &buffers.vertexArray);
    glDeleteBuffers(1, &buffers.vertices);
    glDeleteBuffers(1, &buffers.indices);
}

void MeshBuffers::upload(const Batches& batches) {
    for (Buffers& buffers : m_meshes) buffers.used = false;
    m_instances.clear();
    for (const Batch& batch : batches.batches()) {
        Buffers& buffers = find(batch.key);
        buffers.used = true;
        for (std::size_t layer = 0; layer < kLayers; ++layer) {
            buffers.firstInstance[layer] = m_instances.size();
            m_instances.insert(m_instances.end(), batch.instances[layer].begin(), batch.instances[layer].end());
        }
    }
    std::erase_if(m_meshes, [](const Buffers& buffers) {
        if (!buffers.used) destroy(buffers);
        return !buffers.used;
    });
    glBindBuffer(GL_ARRAY_BUFFER, m_instanceBuffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(m_instances.size() * sizeof(Instance)), m_instances.data(),
                 GL_STREAM_DRAW);
}

int MeshBuffers::draw(const Batches& batches, Layer layer, bool wires, int& calls) const {
    int triangles = 0;
    const auto which = static_cast<std::size_t>(layer);
    for (const Batch& batch : batches.batches()) {
        const auto count = static_cast<int>(batch.instances[which].size());
        if (count == 0 || (batch.key.shape == Shape::Wire) != wires) continue;
        const auto buffers =
            std::find_if(m_meshes.begin(), m_meshes.end(), [&](const Buffers& b) { return b.key == batch.key; });
        glBindVertexArray(buffers->vertexArray);
        glBindBuffer(GL_ARRAY_BUFFER, m_instanceBuffer);
        // OpenGL 3.3 has no first instance: the attributes begin at it instead.
        const std::size_t first = buffers->firstInstance[which] * sizeof(Instance);
        setAttribute(2, 4, sizeof(Instance), first + offsetof(Instance, rotation), true);
        setAttribute(3, 4, sizeof(Instance), first + offsetof(Instance, position), true);
        setAttribute(4, 4, sizeof(Instance), first + offsetof(Instance, size), true);
        setAttribute(5, 4, sizeof(Instance), first + offsetof(Instance, color), true);
        setAttribute(6, 4, sizeof(Instance), first + offsetof(Instance, material), true);
        glDrawElementsInstanced(GL_TRIANGLES, buffers->indexCount, GL_UNSIGNED_INT, nullptr, count);
        triangles += buffers->indexCount / 3 * count;
        ++calls;
    }
    return triangles;
}

}  // namespace elasto::view
