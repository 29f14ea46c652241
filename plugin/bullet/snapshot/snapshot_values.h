#pragma once
// Bullet's values as the arrays of a record, and back; and the fingerprints of what is compared only.

#include <LinearMath/btTransform.h>

#include <cstring>

#include "snapshot/world_record.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

inline Triple valuesOf(const btVector3& v) {
    return {v.x(), v.y(), v.z()};
}
inline btVector3 vectorOf(const Triple& values) {
    return {values[0], values[1], values[2]};
}

/// From Bullet to a record.
struct Save {
    template <class Value>
    void operator()(const Value& from, Value& to) const {
        to = from;
    }
    void operator()(const btVector3& from, Triple& to) const { to = valuesOf(from); }
    void operator()(const btMatrix3x3& from, std::array<btScalar, 9>& to) const {
        for (int i = 0; i < 9; ++i) {
            to[static_cast<std::size_t>(i)] = from[i / 3][i % 3];
        }
    }
    void operator()(const btTransform& from, Frame& to) const {
        for (int i = 0; i < 9; ++i) {
            to[static_cast<std::size_t>(i)] = from.getBasis()[i / 3][i % 3];
        }
        for (int i = 0; i < 3; ++i) {
            to[static_cast<std::size_t>(9 + i)] = from.getOrigin()[i];
        }
    }
};

/// From a record to Bullet.
struct Restore {
    template <class Value>
    void operator()(Value& to, const Value& from) const {
        to = from;
    }
    void operator()(btVector3& to, const Triple& from) const { to = vectorOf(from); }
    void operator()(btMatrix3x3& to, const std::array<btScalar, 9>& m) const {
        to.setValue(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]);
    }
    void operator()(btTransform& to, const Frame& m) const {
        to.getBasis().setValue(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]);
        to.setOrigin(btVector3(m[9], m[10], m[11]));
    }
};

/// Numbers in, one number out (FNV-1a over words).
class Fingerprint {
public:
    void add(std::uint64_t word) {
        m_value = (m_value ^ word) * 1099511628211ULL;
        m_value ^= m_value >> 29;
    }
    void add(int value) { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(value))); }
    void add(double value) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        add(bits);
    }
    void add(float value) { add(static_cast<double>(value)); }
    template <class Value, std::size_t count>
    void add(const std::array<Value, count>& values) {
        for (const Value& value : values) {
            add(value);
        }
    }
    std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 14695981039346656037ULL;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
