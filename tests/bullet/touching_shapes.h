#pragma once
// Bodies and grounds of all kinds of shapes, for tests: the bodies rest with their centre half a metre above a ground
// whose top is at height 0.

#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btScaledBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

#include <array>
#include <string>

#include "test_world.h"

namespace elasto::test {

/// Owns what shapes only point to.
class TouchingShapes {
public:
    explicit TouchingShapes(TestWorld& world) : m_world(world) {}

    /// Of a body's centre; Bullet adds its margin of 4 cm to a cone's base.
    static double restHeight(const std::string& kind) { return kind == "cone" ? 0.54 : 0.5; }

    btRigidBody& body(const std::string& kind, double mass, double x, double height) {
        return m_world.body(mass, bodyShape(kind), at(x, height, 0));
    }
    btRigidBody& body(const std::string& kind, double mass) { return body(kind, mass, 0, restHeight(kind)); }

    btRigidBody& ground(const std::string& kind) {
        const bool isDeep = kind == "box" || kind == "hull" || kind == "compound";
        return m_world.body(0, groundShape(kind), at(0, isDeep ? -0.5 : 0, 0));
    }

private:
    btCollisionShape* bodyShape(const std::string& kind) {
        if (kind == "box") return new btBoxShape(vec(0.5, 0.5, 0.5));
        if (kind == "sphere") return new btSphereShape(btScalar(0.5));
        if (kind == "capsule") return new btCapsuleShapeX(btScalar(0.5), 1);
        if (kind == "cylinder") return new btCylinderShape(vec(0.4, 0.5, 0.4));
        if (kind == "lying cylinder") return new btCylinderShapeX(vec(0.6, 0.5, 0.5));
        if (kind == "cone") return new btConeShape(btScalar(0.5), 1);
        if (kind == "hull") return hull(0.46, 0.4, 0.25);
        if (kind == "two spheres") {
            const btVector3 centres[] = {vec(-0.4, 0, 0), vec(0.4, 0, 0)};
            const btScalar radii[] = {btScalar(0.5), btScalar(0.5)};
            return new btMultiSphereShape(static_cast<const btVector3*>(centres), static_cast<const btScalar*>(radii),
                                          2);
        }
        auto* compound = new btCompoundShape;
        if (kind == "two boxes") {
            btCollisionShape* part = kept(new btBoxShape(vec(0.25, 0.5, 0.4)));
            compound->addChildShape(at(-0.3, 0, 0), part);
            compound->addChildShape(at(0.3, 0, 0), part);
        } else if (kind == "table") {
            compound->addChildShape(at(0, 0.1, 0), kept(new btBoxShape(vec(0.6, 0.05, 0.6))));
            btCollisionShape* leg = kept(new btBoxShape(vec(0.06, 0.3, 0.06)));
            for (int i = 0; i < 4; ++i) {
                compound->addChildShape(at((i & 1) != 0 ? 0.5 : -0.5, -0.2, (i & 2) != 0 ? 0.5 : -0.5), leg);
            }
        } else {  // wagon
            compound->addChildShape(at(0, 0, 0), kept(new btBoxShape(vec(0.6, 0.2, 0.4))));
            btCollisionShape* wheel = kept(new btSphereShape(btScalar(0.2)));
            for (int i = 0; i < 4; ++i) {
                compound->addChildShape(at((i & 1) != 0 ? 0.5 : -0.5, -0.3, (i & 2) != 0 ? 0.5 : -0.5), wheel);
            }
        }
        return compound;
    }

    btCollisionShape* groundShape(const std::string& kind) {
        if (kind == "box") return new btBoxShape(vec(20, 0.5, 20));
        if (kind == "plane") return new btStaticPlaneShape(vec(0, 1, 0), 0);
        if (kind == "hull") return hull(0.46, 20, 21);
        if (kind == "mesh") return new btBvhTriangleMeshShape(&triangles(1.3), true);
        if (kind == "scaled mesh") {
            auto* mesh = new btBvhTriangleMeshShape(&triangles(0.65), true);
            kept(mesh);
            return new btScaledBvhTriangleMeshShape(mesh, vec(2, 2, 2));
        }
        if (kind == "height field") {
            auto* field = new btHeightfieldTerrainShape(16, 16, m_heights.data(), 1, -1, 1, 1, PHY_FLOAT, false);
            field->setLocalScaling(vec(1.3, 1, 1.3));
            return field;
        }
        auto* compound = new btCompoundShape;
        btCollisionShape* slab = kept(new btBoxShape(vec(4, 0.5, 10)));
        compound->addChildShape(at(-3.9, 0, 0), slab);
        compound->addChildShape(at(4.1, 0, 0), slab);
        return compound;
    }

    btCollisionShape* kept(btCollisionShape* shape) {
        m_world.shapes.emplace_back(shape);
        return shape;
    }

    // Bullet adds a margin of 4 cm all round.
    static btCollisionShape* hull(double halfHeight, double lower, double upper) {
        auto* shape = new btConvexHullShape;
        for (int i = 0; i < 8; ++i) {
            const double half = (i & 2) != 0 ? upper : lower;
            shape->addPoint(
                vec((i & 1) != 0 ? half : -half, (i & 2) != 0 ? halfHeight : -halfHeight, (i & 4) != 0 ? half : -half));
        }
        return shape;
    }

    btTriangleMesh& triangles(double cell) {
        constexpr int kCells = 8;
        for (int i = -kCells; i < kCells; ++i) {
            for (int k = -kCells; k < kCells; ++k) {
                const auto corner = [&](int di, int dk) {
                    return vec(cell * (i + di + 0.3), 0, cell * (k + dk + 0.4));
                };
                m_triangles.addTriangle(corner(0, 0), corner(0, 1), corner(1, 0));
                m_triangles.addTriangle(corner(1, 0), corner(0, 1), corner(1, 1));
            }
        }
        return m_triangles;
    }

    TestWorld& m_world;
    btTriangleMesh m_triangles;
    std::array<btScalar, 256> m_heights{};  // what PHY_FLOAT means
};

}  // namespace elasto::test
