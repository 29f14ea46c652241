#include "recording/shape_record.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btEmptyShape.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>
#include <BulletCollision/CollisionShapes/btScaledBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

#include <algorithm>
#include <typeindex>

#include "host/class_of.h"
#include "snapshot/snapshot_values.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

enum ShapeKind : std::uint8_t {
    Empty,
    Box,
    Sphere,
    CapsuleX,
    CapsuleY,
    CapsuleZ,
    CylinderX,
    CylinderY,
    CylinderZ,
    ConeX,
    ConeY,
    ConeZ,
    Hull,
    MultiSphere,
    Plane,
    Mesh,
    ScaledMesh,
    HeightField,
    Compound,
    kShapeKinds
};

// In the order of ShapeKind. A mesh that the user builds of triangles is one of indexed vertices too.
const std::type_index kShapeClasses[] = {
    typeid(btEmptyShape),
    typeid(btBoxShape),
    typeid(btSphereShape),
    typeid(btCapsuleShapeX),
    typeid(btCapsuleShape),
    typeid(btCapsuleShapeZ),
    typeid(btCylinderShapeX),
    typeid(btCylinderShape),
    typeid(btCylinderShapeZ),
    typeid(btConeShapeX),
    typeid(btConeShape),
    typeid(btConeShapeZ),
    typeid(btConvexHullShape),
    typeid(btMultiSphereShape),
    typeid(btStaticPlaneShape),
    typeid(btBvhTriangleMeshShape),
    typeid(btScaledBvhTriangleMeshShape),
    typeid(btHeightfieldTerrainShape),
    typeid(btCompoundShape),
};
static_assert(std::size(kShapeClasses) == kShapeKinds);

class ConvexInternals : private btConvexInternalShape {
public:
    static btVector3& scaling(btConvexInternalShape& shape) { return shape.*(&ConvexInternals::m_localScaling); }
    static btScalar& margin(btConvexInternalShape& shape) { return shape.*(&ConvexInternals::m_collisionMargin); }
    static btScalar margin(const btConvexInternalShape& shape) { return shape.*(&ConvexInternals::m_collisionMargin); }
};

class PlaneInternals : private btStaticPlaneShape {
public:
    static btVector3& normal(btStaticPlaneShape& shape) { return shape.*(&PlaneInternals::m_planeNormal); }
};

class CompoundShapeInternals : private btCompoundShape {
public:
    static int& revision(btCompoundShape& shape) { return shape.*(&CompoundShapeInternals::m_updateRevision); }
    static btVector3& scaling(btCompoundShape& shape) { return shape.*(&CompoundShapeInternals::m_localScaling); }
    template <class Shape>
    static auto& lower(Shape& shape) {
        return shape.*(&CompoundShapeInternals::m_localAabbMin);
    }
    template <class Shape>
    static auto& upper(Shape& shape) {
        return shape.*(&CompoundShapeInternals::m_localAabbMax);
    }
};

// Boxes that are kept from when they were computed last.
template <class Base>
class KeptBox : private Base {
public:
    static std::array<Triple, 2> get(const Base& shape) {
        btVector3 lower;
        btVector3 upper;
        (shape.*(&KeptBox::getCachedLocalAabb))(lower, upper);
        return {valuesOf(lower), valuesOf(upper)};
    }
    static void set(Base& shape, const std::array<Triple, 2>& box) {
        (shape.*(&KeptBox::setCachedLocalAabb))(vectorOf(box[0]), vectorOf(box[1]));
    }
};
using HullBox = KeptBox<btPolyhedralConvexAabbCachingShape>;
using SpheresBox = KeptBox<btConvexInternalAabbCachingShape>;

class FieldInternals : private btHeightfieldTerrainShape {
public:
    // All values but the heights.
    template <class Visit>
    static void visit(const btHeightfieldTerrainShape& f, const Visit& visit) {
        visit(f.*(&FieldInternals::m_heightStickWidth), f.*(&FieldInternals::m_heightStickLength),
              f.*(&FieldInternals::m_minHeight), f.*(&FieldInternals::m_maxHeight), f.*(&FieldInternals::m_heightScale),
              static_cast<int>(f.*(&FieldInternals::m_heightDataType)), f.*(&FieldInternals::m_flipQuadEdges),
              f.*(&FieldInternals::m_useDiamondSubdivision), f.*(&FieldInternals::m_useZigzagSubdivision),
              f.*(&FieldInternals::m_flipTriangleWinding), f.*(&FieldInternals::m_upAxis),
              f.*(&FieldInternals::m_vboundsChunkSize));
    }
    static const void* heights(const btHeightfieldTerrainShape& f) {
        return f.*(&FieldInternals::m_heightfieldDataUnknown);
    }
};

std::size_t sizeOf(PHY_ScalarType type) {
    switch (type) {
        case PHY_FLOAT:
        case PHY_INTEGER:
            return 4;
        case PHY_DOUBLE:
            return 8;
        case PHY_SHORT:
            return 2;
        case PHY_UCHAR:
            return 1;
        default:
            return 0;
    }
}

void add(const btVector3& v, std::vector<btScalar>& numbers) {
    numbers.insert(numbers.end(), {v.x(), v.y(), v.z()});
}

// Element by element, without the gaps of its strides.
void addPacked(const unsigned char* from, int stride, std::size_t size, int count, Bytes& to) {
    for (int i = 0; i < count; ++i) {
        to.insert(to.end(), from + static_cast<std::ptrdiff_t>(i) * stride,
                  from + static_cast<std::ptrdiff_t>(i) * stride + static_cast<std::ptrdiff_t>(size));
    }
}

void describeMesh(const btBvhTriangleMeshShape& mesh, ShapeRecord& record) {
    const btStridingMeshInterface& parts = *mesh.getMeshInterface();
    record.scaling = valuesOf(parts.getScaling());
    record.whole = {mesh.usesQuantizedAabbCompression() ? 1 : 0, parts.getNumSubParts()};
    for (int part = 0; part < parts.getNumSubParts(); ++part) {
        const unsigned char* vertices = nullptr;
        const unsigned char* indices = nullptr;
        int vertexCount = 0;
        int vertexStride = 0;
        int indexStride = 0;
        int triangles = 0;
        PHY_ScalarType vertexType = PHY_FLOAT;
        PHY_ScalarType indexType = PHY_INTEGER;
        parts.getLockedReadOnlyVertexIndexBase(&vertices, vertexCount, vertexType, vertexStride, &indices, indexStride,
                                               triangles, indexType, part);
        record.whole.insert(record.whole.end(),
                            {vertexCount, static_cast<int>(vertexType), triangles, static_cast<int>(indexType)});
        addPacked(vertices, vertexStride, 3 * sizeOf(vertexType), vertexCount, record.data);
        addPacked(indices, indexStride, 3 * sizeOf(indexType), triangles, record.data);
        parts.unLockReadOnlyVertexBase(part);
    }
}

void describeField(const btHeightfieldTerrainShape& field, ShapeRecord& record) {
    record.scaling = valuesOf(field.getLocalScaling());
    FieldInternals::visit(field, [&](int width, int length, btScalar lowest, btScalar highest, btScalar scale, int type,
                                     bool flips, bool diamonds, bool zigzags, bool winds, int up, int chunk) {
        record.whole = {width, length, type, flips, diamonds, zigzags, winds, up, chunk};
        record.numbers = {lowest, highest, scale};
        const std::size_t size = sizeOf(static_cast<PHY_ScalarType>(type)) * static_cast<std::size_t>(width) *
                                 static_cast<std::size_t>(length);
        const auto* heights = static_cast<const unsigned char*>(FieldInternals::heights(field));
        record.data.assign(heights, heights + size);
    });
}

[[noreturn]] void refuseShape(const std::string& problem) {
    throw InvalidParameter("recording", "a shape in it " + problem + ": the file is damaged");
}

// Values of a record, one after the other.
template <class Value>
class Taker {
public:
    explicit Taker(const std::vector<Value>& values) : m_values(values) {}
    Value next() {
        if (m_next >= m_values.size()) refuseShape("has too few values");
        return m_values[m_next++];
    }
    btVector3 vector() {
        const Value x = next();
        const Value y = next();
        return {x, y, next()};
    }

private:
    const std::vector<Value>& m_values;
    std::size_t m_next = 0;
};

}  // namespace

int ShapeList::place(const btCollisionShape& shape, const char* caller) {
    const auto known = std::find(m_shapes.begin(), m_shapes.end(), &shape);
    if (known != m_shapes.end()) return static_cast<int>(known - m_shapes.begin());

    ShapeRecord record;
    const auto* found = std::find(std::begin(kShapeClasses), std::end(kShapeClasses), std::type_index(classOf(shape)));
    if (found == std::end(kShapeClasses)) {
        throw InvalidParameter(caller,
                               std::string("a body has a shape of class ") + classOf(shape).name() +
                                   ", which a recording cannot build again; it must be one of Bullet's boxes, "
                                   "spheres, capsules, cylinders, cones, hulls, multi-spheres, planes, triangle "
                                   "meshes, height fields, or a compound of them");
    }
    record.kind = static_cast<std::uint8_t>(found - std::begin(kShapeClasses));
    record.margin = shape.getMargin();
    record.scaling = valuesOf(shape.getLocalScaling());
    if (shape.isConvex()) {
        const auto& convex = static_cast<const btConvexInternalShape&>(shape);
        record.dimensions = valuesOf(convex.getImplicitShapeDimensions());
        record.margin = ConvexInternals::margin(convex);
    }
    switch (record.kind) {
        case ConeX:
        case ConeY:
        case ConeZ:
            record.numbers = {static_cast<const btConeShape&>(shape).getRadius(),
                              static_cast<const btConeShape&>(shape).getHeight()};
            break;
        case Hull: {
            const auto& hull = static_cast<const btConvexHullShape&>(shape);
            for (int i = 0; i < hull.getNumPoints(); ++i) add(hull.getUnscaledPoints()[i], record.numbers);
            record.whole = {hull.getConvexPolyhedron() != nullptr ? 1 : 0};
            record.box = HullBox::get(hull);
            break;
        }
        case MultiSphere: {
            const auto& spheres = static_cast<const btMultiSphereShape&>(shape);
            record.box = SpheresBox::get(spheres);
            for (int i = 0; i < spheres.getSphereCount(); ++i) {
                add(spheres.getSpherePosition(i), record.numbers);
                record.numbers.push_back(spheres.getSphereRadius(i));
            }
            break;
        }
        case Plane: {
            const auto& plane = static_cast<const btStaticPlaneShape&>(shape);
            add(plane.getPlaneNormal(), record.numbers);
            record.numbers.push_back(plane.getPlaneConstant());
            break;
        }
        case Mesh:
            describeMesh(static_cast<const btBvhTriangleMeshShape&>(shape), record);
            break;
        case ScaledMesh:
            record.children = {place(*static_cast<const btScaledBvhTriangleMeshShape&>(shape).getChildShape(), caller)};
            break;
        case HeightField:
            describeField(static_cast<const btHeightfieldTerrainShape&>(shape), record);
            break;
        case Compound: {
            const auto& compound = static_cast<const btCompoundShape&>(shape);
            record.box = {valuesOf(CompoundShapeInternals::lower(compound)),
                          valuesOf(CompoundShapeInternals::upper(compound))};
            record.whole = {compound.getDynamicAabbTree() != nullptr ? 1 : 0, compound.getUpdateRevision()};
            for (int i = 0; i < compound.getNumChildShapes(); ++i) {
                record.children.push_back(place(*compound.getChildShape(i), caller));
                for (int row = 0; row < 3; ++row) add(compound.getChildTransform(i).getBasis()[row], record.numbers);
                add(compound.getChildTransform(i).getOrigin(), record.numbers);
            }
            break;
        }
        default:
            break;
    }
    m_shapes.push_back(&shape);
    m_records.push_back(std::move(record));
    return static_cast<int>(m_shapes.size()) - 1;
}

struct BuiltShapes::Built {
    std::unique_ptr<btTriangleIndexVertexArray> mesh;
    Bytes data;  // that mesh or field refer to
    std::unique_ptr<btCollisionShape> shape;
};

BuiltShapes::BuiltShapes(const std::vector<ShapeRecord>& records) {
    m_built.reserve(records.size());  // children are found in it while their parents are built
    for (const ShapeRecord& record : records) {
        Built built;
        built.shape = build(record, built);
        m_built.push_back(std::move(built));
    }
}

BuiltShapes::~BuiltShapes() {
    while (!m_built.empty()) m_built.pop_back();  // parents before their children
}

btCollisionShape* BuiltShapes::at(int place) const {
    if (place < 0 || place >= static_cast<int>(m_built.size())) refuseShape("is missing");
    return m_built[static_cast<std::size_t>(place)].shape.get();
}

std::unique_ptr<btCollisionShape> BuiltShapes::build(const ShapeRecord& record, Built& built) {
    Taker<btScalar> numbers(record.numbers);
    Taker<int> whole(record.whole);
    const btVector3 scaling = vectorOf(record.scaling);
    const auto convex = [&](std::unique_ptr<btConvexInternalShape> shape) -> std::unique_ptr<btCollisionShape> {
        ConvexInternals::scaling(*shape) = scaling;
        ConvexInternals::margin(*shape) = record.margin;
        shape->setImplicitShapeDimensions(vectorOf(record.dimensions));
        return shape;
    };
    const auto concave = [&](std::unique_ptr<btCollisionShape> shape) {
        shape->setLocalScaling(scaling);
        shape->setMargin(record.margin);
        return shape;
    };
    const btVector3 ones(1, 1, 1);
    switch (record.kind) {
        case Empty:
            return std::make_unique<btEmptyShape>();
        case Box:
            return convex(std::make_unique<btBoxShape>(ones));
        case Sphere:
            return convex(std::make_unique<btSphereShape>(btScalar(1)));
        case CapsuleX:
            return convex(std::make_unique<btCapsuleShapeX>(btScalar(1), btScalar(1)));
        case CapsuleY:
            return convex(std::make_unique<btCapsuleShape>(btScalar(1), btScalar(1)));
        case CapsuleZ:
            return convex(std::make_unique<btCapsuleShapeZ>(btScalar(1), btScalar(1)));
        case CylinderX:
            return convex(std::make_unique<btCylinderShapeX>(ones));
        case CylinderY:
            return convex(std::make_unique<btCylinderShape>(ones));
        case CylinderZ:
            return convex(std::make_unique<btCylinderShapeZ>(ones));
        case ConeX:
        case ConeY:
        case ConeZ: {
            const btScalar radius = numbers.next();
            const btScalar height = numbers.next();
            if (record.kind == ConeX) return convex(std::make_unique<btConeShapeX>(radius, height));
            if (record.kind == ConeZ) return convex(std::make_unique<btConeShapeZ>(radius, height));
            return convex(std::make_unique<btConeShape>(radius, height));
        }
        case Hull: {
            auto hull = std::make_unique<btConvexHullShape>();
            for (std::size_t i = 0; i + 2 < record.numbers.size(); i += 3) hull->addPoint(numbers.vector(), false);
            btConvexHullShape& made = *hull;
            std::unique_ptr<btCollisionShape> shape = convex(std::move(hull));
            made.recalcLocalAabb();
            if (whole.next() != 0) made.initializePolyhedralFeatures();
            HullBox::set(made, record.box);
            return shape;
        }
        case MultiSphere: {
            std::vector<btVector3> places;
            std::vector<btScalar> radii;
            for (std::size_t i = 0; i + 3 < record.numbers.size(); i += 4) {
                places.push_back(numbers.vector());
                radii.push_back(numbers.next());
            }
            auto spheres =
                std::make_unique<btMultiSphereShape>(places.data(), radii.data(), static_cast<int>(places.size()));
            btMultiSphereShape& made = *spheres;
            std::unique_ptr<btCollisionShape> shape = convex(std::move(spheres));
            SpheresBox::set(made, record.box);
            return shape;
        }
        case Plane: {
            const btVector3 normal = numbers.vector();
            auto plane = std::make_unique<btStaticPlaneShape>(normal, numbers.next());
            PlaneInternals::normal(*plane) = normal;  // the constructor makes its length 1 once more
            return concave(std::move(plane));
        }
        case Mesh: {
            built.mesh = std::make_unique<btTriangleIndexVertexArray>();
            built.data = record.data;
            const bool isQuantized = whole.next() != 0;
            std::size_t at = 0;
            const auto take = [&](std::size_t size) {
                if (size == 0 || size > built.data.size() - at) refuseShape("has no triangles where it should");
                const unsigned char* begin = built.data.data() + at;
                at += size;
                return begin;
            };
            for (int parts = whole.next(); parts > 0; --parts) {
                btIndexedMesh part;
                part.m_numVertices = whole.next();
                part.m_vertexType = static_cast<PHY_ScalarType>(whole.next());
                part.m_numTriangles = whole.next();
                part.m_indexType = static_cast<PHY_ScalarType>(whole.next());
                const std::size_t vertex = 3 * sizeOf(part.m_vertexType);
                const std::size_t triangle = 3 * sizeOf(part.m_indexType);
                part.m_vertexStride = static_cast<int>(vertex);
                part.m_triangleIndexStride = static_cast<int>(triangle);
                part.m_vertexBase = take(vertex * static_cast<std::size_t>(std::max(part.m_numVertices, 0)));
                part.m_triangleIndexBase = take(triangle * static_cast<std::size_t>(std::max(part.m_numTriangles, 0)));
                built.mesh->addIndexedMesh(part, part.m_indexType);
            }
            built.mesh->setScaling(scaling);
            auto mesh = std::make_unique<btBvhTriangleMeshShape>(built.mesh.get(), isQuantized);
            mesh->setMargin(record.margin);
            return mesh;
        }
        case ScaledMesh: {
            if (record.children.size() != 1) refuseShape("has no mesh");
            auto* mesh = castTo<btBvhTriangleMeshShape*>(at(record.children.front()));
            if (mesh == nullptr) refuseShape("has no mesh");
            auto scaled = std::make_unique<btScaledBvhTriangleMeshShape>(mesh, scaling);
            scaled->setMargin(record.margin);
            return scaled;
        }
        case HeightField: {
            built.data = record.data;
            const int width = whole.next();
            const int length = whole.next();
            const auto type = static_cast<PHY_ScalarType>(whole.next());
            const bool flips = whole.next() != 0;
            const bool diamonds = whole.next() != 0;
            const bool zigzags = whole.next() != 0;
            const bool winds = whole.next() != 0;
            const int up = whole.next();
            const int chunk = whole.next();
            if (width < 2 || length < 2 || up < 0 || up > 2 || sizeOf(type) == 0 ||
                built.data.size() / static_cast<std::size_t>(width) / static_cast<std::size_t>(length) !=
                    sizeOf(type)) {
                refuseShape("has other heights than it should");
            }
            const btScalar lowest = numbers.next();
            const btScalar highest = numbers.next();
            auto field =
                std::make_unique<btHeightfieldTerrainShape>(width, length, static_cast<const void*>(built.data.data()),
                                                            numbers.next(), lowest, highest, up, type, flips);
            field->setUseDiamondSubdivision(diamonds);
            field->setUseZigzagSubdivision(zigzags);
            field->setFlipTriangleWinding(winds);
            field->setLocalScaling(scaling);
            field->setMargin(record.margin);
            if (chunk > 0) field->buildAccelerator(chunk);
            return field;
        }
        case Compound: {
            const bool hasTree = whole.next() != 0;
            auto compound = std::make_unique<btCompoundShape>(hasTree);
            CompoundShapeInternals::scaling(*compound) = scaling;
            compound->setMargin(record.margin);
            for (const int child : record.children) {
                btTransform pose;
                for (int row = 0; row < 3; ++row) pose.getBasis()[row] = numbers.vector();
                pose.setOrigin(numbers.vector());
                compound->addChildShape(pose, at(child));
            }
            CompoundShapeInternals::lower(*compound) = vectorOf(record.box[0]);
            CompoundShapeInternals::upper(*compound) = vectorOf(record.box[1]);
            CompoundShapeInternals::revision(*compound) = whole.next();
            return compound;
        }
        default:
            refuseShape("is of a class that this version does not know");
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
