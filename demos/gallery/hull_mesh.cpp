#include "gallery/hull_mesh.h"

#include <LinearMath/btConvexHullComputer.h>

namespace elasto::gallery {

std::shared_ptr<const view::Mesh> hullMesh(const std::vector<Eigen::Vector3d>& points) {
    if (points.empty()) return nullptr;
    btConvexHullComputer hull;
    hull.compute(points.front().data(), sizeof(Eigen::Vector3d), static_cast<int>(points.size()), 0, 0);
    std::vector<Eigen::Vector3f> corners;
    for (int i = 0; i < hull.vertices.size(); ++i) {
        const btVector3& corner = hull.vertices[i];
        corners.emplace_back(static_cast<float>(corner.x()), static_cast<float>(corner.y()),
                             static_cast<float>(corner.z()));
    }
    // A face is a round of edges, which becomes a fan.
    std::vector<std::uint32_t> triangles;
    for (int face = 0; face < hull.faces.size(); ++face) {
        const btConvexHullComputer::Edge* first = &hull.edges[hull.faces[face]];
        const auto apex = static_cast<std::uint32_t>(first->getSourceVertex());
        for (const auto* edge = first->getNextEdgeOfFace(); edge != first; edge = edge->getNextEdgeOfFace()) {
            const auto from = static_cast<std::uint32_t>(edge->getSourceVertex());
            const auto to = static_cast<std::uint32_t>(edge->getTargetVertex());
            if (from == apex || to == apex) continue;
            triangles.insert(triangles.end(), {apex, from, to});
        }
    }
    if (triangles.empty()) return nullptr;
    return std::make_shared<view::Mesh>(view::creasedMesh(corners, triangles));
}

}  // namespace elasto::gallery
