#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "view/camera.h"
#include "view/picture.h"

namespace elasto::view {

/// One object as the vertex shaders read it, see shaders/instance.glsl.
struct Instance {
    Eigen::Vector4f rotation = {0, 0, 0, 1};  ///< quaternion x, y, z, w
    Eigen::Vector3f position = Eigen::Vector3f::Zero();
    float bevel = 0;
    Eigen::Vector3f size = Eigen::Vector3f::Ones();
    float pattern = 0;                              ///< 0 none, 1 darker quarters, 2 stop face
    Eigen::Vector4f color = {0.5F, 0.5F, 0.5F, 1};  ///< linear, with opacity
    Eigen::Vector4f material = {0.3F, 0, 0, 0};     ///< specularCoefficient, highlight, glow, windings
};

enum class Shape : std::uint8_t { Box, Cylinder, Capsule, Cone, Gear, Ring, Hull, Wire };

/// Which mesh: a shape with its resolution, teeth and play, or a hull's own mesh.
struct MeshKey {
    Shape shape = Shape::Box;
    int first = 0;   ///< segments, teeth
    int second = 0;  ///< sides of a wire, play of a tooth [1e-5 rad]
    std::shared_ptr<const Mesh> hull;

    friend bool operator==(const MeshKey&, const MeshKey&) = default;
};

/// In which pass something is drawn.
enum class Layer : std::uint8_t {
    Solid,  ///< opaque, casts a shadow
    Sign,   ///< opaque, casts none: arrows
    Ghost,  ///< seen through
};
constexpr int kLayers = 3;

/// All instances of one mesh.
struct Batch {
    MeshKey key;
    std::vector<Instance> instances[kLayers];
    int idleFrames = 0;  ///< for how many frames it has been empty
};

struct LineInstance {
    Eigen::Vector3f a;
    Eigen::Vector3f b;
    Eigen::Vector4f color;  ///< linear, with opacity
    float width = 1;        ///< [pixel]
};

struct HaloInstance {
    Eigen::Vector4f rotation;
    Eigen::Vector3f position;
    Eigen::Vector2f size;  ///< half, of the face [m]
    float glow = 0;
};

/// A picture sorted into what is drawn by one call each. Keeps its storage from frame to frame.
class Batches {
public:
    /// \param height of the picture [pixel]
    void fill(const Picture& picture, const Camera& camera, int height, float detail);

    const std::vector<Batch>& batches() const { return m_batches; }
    const std::vector<LineInstance>& lines(bool onTop) const { return onTop ? m_linesOnTop : m_lines; }
    const std::vector<HaloInstance>& halos() const { return m_halos; }
    int objects() const { return m_objects; }

private:
    void addRound(const Eigen::Vector3f& a, const Eigen::Vector3f& b, float diameter, const Eigen::Vector3f& side,
                  const Surface& surface, Shape shape, bool sign);
    void addSpring(const Spring& spring);
    void addStopFace(const StopFace& face);
    void addGear(const Gear& gear);
    void addArrow(const Arrow& arrow);
    void addCurvedArrow(const CurvedArrow& arrow);
    void addLine(const Line& line);
    void addWire(const Spring& wire, float length, const Eigen::Vector3f& axis, bool sign);
    void add(const MeshKey& key, const Instance& instance, const Surface& surface, bool sign = false);

    /// Segments of a circle that looks round.
    int segments(const Eigen::Vector3f& at, float diameter) const;
    float pixels(const Eigen::Vector3f& at, float length) const;

    std::vector<Batch> m_batches;
    std::vector<LineInstance> m_lines;
    std::vector<LineInstance> m_linesOnTop;
    std::vector<HaloInstance> m_halos;
    int m_objects = 0;
    // Of the frame that is being filled:
    Eigen::Vector3f m_eye = Eigen::Vector3f::Zero();
    float m_pixelsAtOneMetre = 1;
    float m_detail = 1;
};

/// sRGB code to linear light.
Eigen::Vector3f linear(const Color& color);

}  // namespace elasto::view
