#pragma once
#include <vector>

#include "batches.h"

namespace elasto::view {

/// The meshes on the GPU, made when a batch first needs them and dropped with it, and the buffer of all instances.
class MeshBuffers {
public:
    MeshBuffers();
    ~MeshBuffers();
    MeshBuffers(const MeshBuffers&) = delete;
    MeshBuffers& operator=(const MeshBuffers&) = delete;

    /// Brings the instances of a frame to the GPU.
    void upload(const Batches& batches);

    /// Draws a layer of what was uploaded: the wires, or all other meshes. Returns the number of triangles.
    int draw(const Batches& batches, Layer layer, bool wires, int& calls) const;

private:
    struct Buffers {
        MeshKey key;
        unsigned vertexArray = 0;
        unsigned vertices = 0;
        unsigned indices = 0;
        int indexCount = 0;
        std::size_t firstInstance[kLayers] = {};
        bool used = false;
    };
    Buffers& find(const MeshKey& key);
    void create(Buffers& buffers) const;
    static void destroy(const Buffers& buffers);

    std::vector<Buffers> m_meshes;  // as the batches, in their order
    std::vector<Instance> m_instances;
    unsigned m_instanceBuffer = 0;
};

}  // namespace elasto::view
