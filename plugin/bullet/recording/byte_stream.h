#pragma once
// Values as bytes and back. A record lists its fields once, in a function `fields(stream, record)` that writing and
// reading share (record_fields.h), so that they cannot differ.

#include <elasto/errors.h>
#include <elasto/precision.h>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

using Bytes = std::vector<unsigned char>;

/// A number made of bytes (FNV-1a): where one differs, it does too, but for rare accidents.
inline std::uint64_t checkSumOf(std::span<const unsigned char> bytes) {
    std::uint64_t sum = 14695981039346656037ULL;
    for (const unsigned char byte : bytes) sum = (sum ^ byte) * 1099511628211ULL;
    return sum;
}

/// What a stream does with values that are made of others; Derived moves raw bytes: raw(void*, count), and counts.
template <class Derived>
class ByteStream {
public:
    template <class... Values>
    void operator()(Values&... values) {
        (one(values), ...);
    }

private:
    Derived& self() { return static_cast<Derived&>(*this); }

    template <class Value>
    void one(Value& value) {
        if constexpr (std::is_arithmetic_v<Value> || std::is_enum_v<Value>) {
            self().raw(&value, sizeof value);
        } else if constexpr (std::is_array_v<Value>) {
            for (auto& each : value) one(each);
        } else {
            // Found by the type's namespace, or here.
            fields(self(), value);
        }
    }
    template <class Value, std::size_t count>
    void one(std::array<Value, count>& values) {
        for (Value& value : values) one(value);
    }
    template <class Value>
    void one(std::vector<Value>& values) {
        values.resize(self().count(values.size()));
        for (Value& value : values) one(value);
    }
    void one(std::string& text) {
        text.resize(self().count(text.size()));
        self().raw(text.data(), text.size());
    }
    template <class Value>
    void one(std::optional<Value>& value) {
        bool has = value.has_value();
        one(has);
        if (has && !value) value.emplace();
        if (!has) value.reset();
        if (has) one(*value);
    }
    template <int rows, int columns>
    void one(Eigen::Matrix<double, rows, columns>& values) {
        static_assert(rows > 0 && columns > 0);
        self().raw(values.data(), sizeof(double) * static_cast<std::size_t>(rows * columns));
    }
    void one(Eigen::Quaterniond& turn) { self().raw(turn.coeffs().data(), 4 * sizeof(double)); }
};

class ByteWriter : public ByteStream<ByteWriter> {
public:
    explicit ByteWriter(Bytes& to) : m_to(to) {}

    void raw(const void* from, std::size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(from);
        m_to.insert(m_to.end(), bytes, bytes + size);
    }
    std::size_t count(std::size_t present) {
        auto number = static_cast<std::uint32_t>(present);
        raw(&number, sizeof number);
        return present;
    }

private:
    Bytes& m_to;
};

/// Throws InvalidParameter where the bytes end before the values do.
class ByteReader : public ByteStream<ByteReader> {
public:
    ByteReader(const unsigned char* from, std::size_t size) : m_next(from), m_left(size) {}
    explicit ByteReader(const Bytes& from) : ByteReader(from.data(), from.size()) {}

    void raw(void* to, std::size_t size) {
        require(size);
        if (size > 0) std::memcpy(to, m_next, size);
        m_next += size;
        m_left -= size;
    }
    std::size_t count(std::size_t /*present*/) {
        std::uint32_t number = 0;
        raw(&number, sizeof number);
        require(number);  // each takes a byte at least
        return number;
    }
    std::size_t left() const { return m_left; }
    const unsigned char* next() const { return m_next; }

private:
    void require(std::size_t size) const {
        if (size > m_left) throw InvalidParameter("recording", "it ends within a value: the file is cut short");
    }

    const unsigned char* m_next;
    std::size_t m_left;
};

/// Small numbers in few bytes.
inline void writeNumber(ByteWriter& out, std::uint64_t number) {
    while (number >= 0x80) {
        const auto byte = static_cast<unsigned char>(number | 0x80U);
        out.raw(&byte, 1);
        number >>= 7U;
    }
    const auto byte = static_cast<unsigned char>(number);
    out.raw(&byte, 1);
}
inline std::uint64_t readNumber(ByteReader& in) {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        unsigned char byte = 0;
        in.raw(&byte, 1);
        number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
        if ((byte & 0x80U) == 0) return number;
    }
    throw InvalidParameter("recording", "a number in it has no end: the file is damaged");
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
