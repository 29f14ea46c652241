#pragma once
// A world's state as a list of chunks of bytes, one for each thing in it, and what turns one such list into another.
//
// From the end of a tick to the beginning of the next little changes: a force here, a velocity there, a body that comes
// or goes, which shifts all that stands behind it in some list. So most chunks are those of the other list, at the
// same or another place, and what differs differs in few bytes.

#include "recording/byte_stream.h"

#include <span>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ChunkList {
public:
    std::size_t size() const { return m_ends.size(); }
    std::size_t totalBytes() const { return m_bytes.size(); }
    std::span<const unsigned char> operator[](std::size_t i) const {
        const std::size_t begin = i == 0 ? 0 : m_ends[i - 1];
        return {m_bytes.data() + begin, m_ends[i] - begin};
    }
    ByteReader reader(std::size_t i) const { return {(*this)[i].data(), (*this)[i].size()}; }

    void clear() {
        m_bytes.clear();
        m_ends.clear();
    }
    void add(std::span<const unsigned char> chunk) {
        m_bytes.insert(m_bytes.end(), chunk.begin(), chunk.end());
        m_ends.push_back(m_bytes.size());
    }
    /// Adds a chunk of what `write(ByteWriter&)` writes.
    template <class Write>
    void addWritten(const Write& write) {
        ByteWriter writer(m_bytes);
        write(writer);
        m_ends.push_back(m_bytes.size());
    }
    bool operator==(const ChunkList&) const = default;

private:
    Bytes m_bytes;
    std::vector<std::size_t> m_ends;
};

/// What makes `to` of `from`; empty where they are equal.
Bytes difference(const ChunkList& from, const ChunkList& to);
/// @throws InvalidParameter if it is no difference from that list
ChunkList changed(const ChunkList& from, const Bytes& difference);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
