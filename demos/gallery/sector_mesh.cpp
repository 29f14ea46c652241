#include "gallery/sector_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto::gallery {

namespace {

class Builder {
public:
    /// Corners counter-clockwise seen from outside.
    void quad(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, const Eigen::Vector3d& d) {
        const auto first = static_cast<std::uint32_t>(m_corners.size());
        for (const Eigen::Vector3d& corner : {a, b, c, d}) m_corners.push_back(corner.cast<float>());
        for (const std::uint32_t offset : {0U, 1U, 2U, 0U, 2U, 3U}) m_triangles.push_back(first + offset);
    }
    view::Mesh mesh() const { return view::creasedMesh(m_corners, m_triangles); }

private:
    std::vector<Eigen::Vector3f> m_corners;
    std::vector<std::uint32_t> m_triangles;
};

Eigen::Vector3d at(double radius, double angle, double z) {
    return {radius * std::cos(angle), radius * std::sin(angle), z};
}

}  // namespace

std::shared_ptr<const view::Mesh> sectorMesh(const Sectors& s) {
    Builder builder;
    for (int i = 0; i < s.count; ++i) {
        const double middle = s.turn + 2 * std::numbers::pi * i / s.count;
        const int steps = std::max(2, static_cast<int>(std::ceil(s.angle / 0.12)));
        const double first = middle - s.angle / 2;
        const double step = s.angle / steps;
        for (int k = 0; k < steps; ++k) {
            const double p = first + k * step;
            const double q = p + step;
            builder.quad(at(s.outer, p, s.begin), at(s.outer, q, s.begin), at(s.outer, q, s.end),
                         at(s.outer, p, s.end));
            builder.quad(at(s.inner, q, s.begin), at(s.inner, p, s.begin), at(s.inner, p, s.end),
                         at(s.inner, q, s.end));
            builder.quad(at(s.inner, p, s.end), at(s.outer, p, s.end), at(s.outer, q, s.end), at(s.inner, q, s.end));
            builder.quad(at(s.inner, q, s.begin), at(s.outer, q, s.begin), at(s.outer, p, s.begin),
                         at(s.inner, p, s.begin));
        }
        const double last = middle + s.angle / 2;
        builder.quad(at(s.inner, first, s.begin), at(s.outer, first, s.begin), at(s.outer, first, s.end),
                     at(s.inner, first, s.end));
        builder.quad(at(s.outer, last, s.begin), at(s.inner, last, s.begin), at(s.inner, last, s.end),
                     at(s.outer, last, s.end));
    }
    return std::make_shared<const view::Mesh>(builder.mesh());
}

}  // namespace elasto::gallery
