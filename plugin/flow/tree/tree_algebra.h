#pragma once
// Vectors and matrices of space as single numbers. What Eigen writes as numbers and reads back as pairs stalls the
// processor, and the equations of motion of a tree do little else: this makes them twice as fast.

#include <Eigen/Core>

namespace elasto::flow {

struct Vector {
    double x = 0, y = 0, z = 0;

    Vector() = default;
    Vector(double x_, double y_, double z_) : x(x_), y(y_), z(z_) {}
    explicit Vector(const Eigen::Vector3d& v) : x(v.x()), y(v.y()), z(v.z()) {}
    explicit Vector(const double* v) : x(v[0]), y(v[1]), z(v[2]) {}
    Eigen::Vector3d eigen() const { return {x, y, z}; }

    Vector& operator+=(const Vector& v) {
        x += v.x;
        y += v.y;
        z += v.z;
        return *this;
    }
    Vector& operator-=(const Vector& v) {
        x -= v.x;
        y -= v.y;
        z -= v.z;
        return *this;
    }
};

inline Vector operator+(const Vector& a, const Vector& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vector operator-(const Vector& a, const Vector& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vector operator-(const Vector& a) {
    return {-a.x, -a.y, -a.z};
}
inline Vector operator*(double s, const Vector& a) {
    return {s * a.x, s * a.y, s * a.z};
}
inline double dot(const Vector& a, const Vector& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vector cross(const Vector& a, const Vector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// By columns.
struct Matrix {
    Vector a, b, c;

    Matrix() = default;
    Matrix(const Vector& a_, const Vector& b_, const Vector& c_) : a(a_), b(b_), c(c_) {}
    explicit Matrix(const Eigen::Matrix3d& m)
        : a(Eigen::Vector3d(m.col(0))), b(Eigen::Vector3d(m.col(1))), c(Eigen::Vector3d(m.col(2))) {}
    Eigen::Matrix3d eigen() const {
        Eigen::Matrix3d m;
        m << a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z;
        return m;
    }
};

inline Vector operator*(const Matrix& m, const Vector& v) {
    return {m.a.x * v.x + m.b.x * v.y + m.c.x * v.z, m.a.y * v.x + m.b.y * v.y + m.c.y * v.z,
            m.a.z * v.x + m.b.z * v.y + m.c.z * v.z};
}
inline Matrix operator*(const Matrix& m, const Matrix& n) {
    return {m * n.a, m * n.b, m * n.c};
}
inline Matrix operator*(double s, const Matrix& m) {
    return {s * m.a, s * m.b, s * m.c};
}
inline Matrix operator+(const Matrix& m, const Matrix& n) {
    return {m.a + n.a, m.b + n.b, m.c + n.c};
}

/// A symmetric matrix.
struct Symmetric {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

    Symmetric() = default;
    explicit Symmetric(const Eigen::Matrix3d& m)
        : xx(m(0, 0)), yy(m(1, 1)), zz(m(2, 2)), xy(m(0, 1)), xz(m(0, 2)), yz(m(1, 2)) {}
    Eigen::Matrix3d eigen() const {
        Eigen::Matrix3d m;
        m << xx, xy, xz, xy, yy, yz, xz, yz, zz;
        return m;
    }
    Symmetric& operator+=(const Symmetric& s) {
        xx += s.xx;
        yy += s.yy;
        zz += s.zz;
        xy += s.xy;
        xz += s.xz;
        yz += s.yz;
        return *this;
    }
};

inline Vector operator*(const Symmetric& s, const Vector& v) {
    return {s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
            s.xz * v.x + s.yz * v.y + s.zz * v.z};
}
/// R s R^T
inline Symmetric turned(const Matrix& R, const Symmetric& s) {
    // Columns of R s; the rows of R follow from its columns.
    const Vector a = s.xx * R.a + s.xy * R.b + s.xz * R.c;
    const Vector b = s.xy * R.a + s.yy * R.b + s.yz * R.c;
    const Vector c = s.xz * R.a + s.yz * R.b + s.zz * R.c;
    Symmetric result;
    result.xx = a.x * R.a.x + b.x * R.b.x + c.x * R.c.x;
    result.yy = a.y * R.a.y + b.y * R.b.y + c.y * R.c.y;
    result.zz = a.z * R.a.z + b.z * R.b.z + c.z * R.c.z;
    result.xy = a.x * R.a.y + b.x * R.b.y + c.x * R.c.y;
    result.xz = a.x * R.a.z + b.x * R.b.z + c.x * R.c.z;
    result.yz = a.y * R.a.z + b.y * R.b.z + c.y * R.c.z;
    return result;
}
/// R^T v
inline Vector turnedBack(const Matrix& R, const Vector& v) {
    return {dot(R.a, v), dot(R.b, v), dot(R.c, v)};
}

/// A twist, or an acceleration, about the tree's reference point; a force with its moment about it.
struct Spatial {
    Vector angular, linear;

    Spatial& operator+=(const Spatial& other) {
        angular += other.angular;
        linear += other.linear;
        return *this;
    }
};

inline double dot(const Spatial& a, const Spatial& b) {
    return dot(a.angular, b.angular) + dot(a.linear, b.linear);
}

/// Inertia of a body about the reference point.
struct SpatialInertia {
    double mass = 0;
    Vector moment;         ///< mass times centre of mass
    Symmetric rotational;  ///< about the reference point

    SpatialInertia& operator+=(const SpatialInertia& other) {
        mass += other.mass;
        moment += other.moment;
        rotational += other.rotational;
        return *this;
    }
};

inline Spatial operator*(const SpatialInertia& inertia, const Spatial& twist) {
    return {inertia.rotational * twist.angular + cross(inertia.moment, twist.linear),
            inertia.mass * twist.linear - cross(inertia.moment, twist.angular)};
}
/// Rate of change of a direction that moves along with the twist.
inline Spatial crossMotion(const Spatial& twist, const Spatial& direction) {
    return {cross(twist.angular, direction.angular),
            cross(twist.angular, direction.linear) + cross(twist.linear, direction.angular)};
}
inline Spatial crossForce(const Spatial& twist, const Spatial& force) {
    return {cross(twist.angular, force.angular) + cross(twist.linear, force.linear),
            cross(twist.angular, force.linear)};
}

}  // namespace elasto::flow
