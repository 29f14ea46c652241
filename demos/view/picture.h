#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <memory>
#include <vector>

#include "view/color.h"
#include "view/mesh.h"

namespace elasto::view {

/// Where something is and how it is turned, in the world.
struct Pose {
    Eigen::Vector3f position = Eigen::Vector3f::Zero();  ///< [m]
    Eigen::Quaternionf orientation = Eigen::Quaternionf::Identity();
};

/// What every object has.
struct Surface {
    Color color;
    float specularCoefficient = 0.3F;  ///< reflection of light as Modelica has it, 0 (none) .. 1
    float opacity = 1;                 ///< 0 .. 1; below 1 a ghost: seen through, without a shadow, not picked
    float highlight = 0;               ///< 0 .. 1: rim in the accent colour, for what the pointer is on or has selected
    bool marked = false;               ///< darker quarters show how a round body turns
    int id = -1;                       ///< whose picture it is, given back by picking; < 0: nobody's
};

struct Box {
    Pose pose;
    Eigen::Vector3f halfExtents = {0.5F, 0.5F, 0.5F};  ///< [m]
    Surface surface;
};

struct Sphere {
    Pose pose;
    float radius = 0.5F;  ///< [m]
    Surface surface;
};

/// A cylinder from a to b with half a ball on each end, centred at a and at b.
struct Capsule {
    Eigen::Vector3f a = Eigen::Vector3f::Zero();
    Eigen::Vector3f b = Eigen::Vector3f::UnitX();
    float diameter = 0.1F;                           ///< [m]
    Eigen::Vector3f side = Eigen::Vector3f::Zero();  ///< across the axis, turns with it; zero: any
    Surface surface;
};

struct Cylinder {
    Eigen::Vector3f a = Eigen::Vector3f::Zero();
    Eigen::Vector3f b = Eigen::Vector3f::UnitX();
    float diameter = 0.1F;                           ///< [m]
    Eigen::Vector3f side = Eigen::Vector3f::Zero();  ///< across the axis, turns with it; zero: any
    Surface surface;
};

/// A cone from its base's centre a to its tip b.
struct Cone {
    Eigen::Vector3f a = Eigen::Vector3f::Zero();
    Eigen::Vector3f b = Eigen::Vector3f::UnitX();
    float diameter = 0.1F;  ///< of the base [m]
    Surface surface;
};

/// Triangles of any shape, with the mesh shared between the pictures that show it.
struct Hull {
    Pose pose;
    Eigen::Vector3f scale = Eigen::Vector3f::Ones();
    std::shared_ptr<const Mesh> mesh;
    Surface surface;
};

/// A helical spring as Modelica draws it, wound from a to b. Bent and stretched on the GPU.
struct Spring {
    Eigen::Vector3f a = Eigen::Vector3f::Zero();
    Eigen::Vector3f b = Eigen::Vector3f::UnitX();
    float width = 0.05F;                             ///< outer diameter of the coil [m]
    float coilWidth = 0.005F;                        ///< diameter of the wire [m]
    float numberOfWindings = 5;                      ///< > 0; drawn up to 1000
    Eigen::Vector3f side = Eigen::Vector3f::Zero();  ///< where the wire begins, across the axis; zero: any
    Surface surface;
};

/// A plate that glows with the force of a contact. Its face is at the pose's origin and looks along the pose's +z.
struct StopFace {
    Pose pose;
    Eigen::Vector2f size = {0.2F, 0.2F};  ///< along the pose's x and y [m]
    float thickness = 0.02F;              ///< behind the face [m]
    float glow = 0;                       ///< 0 (no force) .. 1
    Surface surface;
};

/// An involute spur gear about the pose's z axis, centred at its origin, the middle of a tooth on the pose's x axis.
struct Gear {
    Pose pose;
    float pitchRadius = 0.5F;  ///< [m]
    float width = 0.1F;        ///< along the axis [m]
    int teeth = 24;            ///< 6 .. 400
    float toothPlayAngle = 0;  ///< by how much its teeth are narrower than the gaps they mesh with [rad of the gear]
    bool internal = false;     ///< a ring with teeth inside
    Surface surface;
};

/// Arrow from a point along a vector, for forces and velocities. Nothing is drawn for a vector of zero.
struct Arrow {
    Eigen::Vector3f from = Eigen::Vector3f::Zero();
    Eigen::Vector3f vector = Eigen::Vector3f::Zero();  ///< [m]
    float diameter = 0.02F;                            ///< of the shaft [m]
    Surface surface;
};

/// Arrow bent about an axis, for torques and rotations.
struct CurvedArrow {
    Eigen::Vector3f center = Eigen::Vector3f::Zero();
    Eigen::Vector3f axis = Eigen::Vector3f::UnitZ();   ///< the arrow turns positively about it
    Eigen::Vector3f start = Eigen::Vector3f::UnitX();  ///< direction in which it begins, across the axis
    float angle = 0;                                   ///< how far it goes [rad], of either sign
    float radius = 0.1F;                               ///< [m]
    float diameter = 0.02F;                            ///< of the shaft [m]
    Surface surface;
};

/// Straight line of constant width in the picture, not lit.
struct Line {
    Eigen::Vector3f a = Eigen::Vector3f::Zero();
    Eigen::Vector3f b = Eigen::Vector3f::UnitX();
    float width = 1.5F;  ///< [pixel]
    float opacity = 1;
    bool onTop = false;  ///< also where something is before it
    Color color;
};

/// The ground or a wall: infinite, seen from the side of its normal only, with a grid that fades with the distance.
struct Plane {
    Eigen::Vector3f point = Eigen::Vector3f::Zero();
    Eigen::Vector3f normal = Eigen::Vector3f::UnitY();
    float spacing = 1;  ///< of the grid [m], each tenth of it is drawn where there is room; 0: no grid
};

/// What one frame shows. Plain data in the world's metres, refilled for each frame: clear() keeps the storage.
struct Picture {
    std::vector<Box> boxes;
    std::vector<Sphere> spheres;
    std::vector<Capsule> capsules;
    std::vector<Cylinder> cylinders;
    std::vector<Cone> cones;
    std::vector<Hull> hulls;
    std::vector<Spring> springs;
    std::vector<StopFace> stopFaces;
    std::vector<Gear> gears;
    std::vector<Arrow> arrows;
    std::vector<CurvedArrow> curvedArrows;
    std::vector<Line> lines;
    std::vector<Plane> planes;

    /// Empties the picture.
    void clear();
};

/// The box around all objects of a picture, planes excepted; empty when there are none. Objects whose numbers are not
/// finite are left out.
Eigen::AlignedBox3f bounds(const Picture& picture);

}  // namespace elasto::view
