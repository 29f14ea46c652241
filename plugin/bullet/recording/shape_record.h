#pragma once
// Collision shapes as plain values, from which the same shapes can be built, to the bit.

#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <memory>
#include <vector>

#include "recording/byte_stream.h"
#include "snapshot/world_record.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A shape by its class and what the class keeps; which of the values a class uses: shape_record.cpp.
struct ShapeRecord {
    std::uint8_t kind = 0;
    btScalar margin = 0;
    Triple scaling{};
    std::array<Triple, 2> box{};    ///< that hulls, multi-spheres and compounds keep, as old as it is
    Triple dimensions{};            ///< of convex shapes: btConvexInternalShape::getImplicitShapeDimensions
    std::vector<btScalar> numbers;  ///< points, radii, transforms of children
    std::vector<int> whole;
    std::vector<int> children;  ///< places in the list of all shapes
    Bytes data;                 ///< of meshes and height fields

    bool operator==(const ShapeRecord&) const = default;
};

template <class Stream>
void fields(Stream& s, ShapeRecord& r) {
    s(r.kind, r.margin, r.scaling, r.box, r.dimensions, r.numbers, r.whole, r.children, r.data);
}

/// Shapes of a world, each once, children before those that have them.
class ShapeList {
public:
    /// The place of the shape, which is added if it is not there. @throws InvalidParameter for a class that recordings
    /// do not know @param caller for messages
    int place(const btCollisionShape& shape, const char* caller);

    const std::vector<ShapeRecord>& records() const { return m_records; }

private:
    std::vector<const btCollisionShape*> m_shapes;
    std::vector<ShapeRecord> m_records;
};

/// Shapes that were built, and what they refer to.
class BuiltShapes {
public:
    /// @throws InvalidParameter if the records are none of shapes
    explicit BuiltShapes(const std::vector<ShapeRecord>& records);
    ~BuiltShapes();
    BuiltShapes(const BuiltShapes&) = delete;
    BuiltShapes& operator=(const BuiltShapes&) = delete;

    btCollisionShape* at(int place) const;

private:
    struct Built;
    std::unique_ptr<btCollisionShape> build(const ShapeRecord& record, Built& built);
    std::vector<Built> m_built;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
