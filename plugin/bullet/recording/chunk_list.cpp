#include "recording/chunk_list.h"

#include <algorithm>
#include <unordered_map>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Chunk = std::span<const unsigned char>;

enum Step : unsigned { Copy, Patch, Fresh, kSteps };

bool areEqual(Chunk a, Chunk b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// Where chunks of a list are, by what is in them: only asked for, never gone through, so that its order does not count.
class Places {
public:
    explicit Places(const ChunkList& list) : m_list(list) {}

    /// The first place with these bytes; the list's size: there is none.
    std::size_t find(Chunk chunk) {
        if (m_places.empty()) {
            for (std::size_t i = 0; i < m_list.size(); ++i) m_places.emplace(checkSumOf(m_list[i]), i);
        }
        const auto found = m_places.find(checkSumOf(chunk));
        return found != m_places.end() && areEqual(m_list[found->second], chunk) ? found->second : m_list.size();
    }

private:
    const ChunkList& m_list;
    std::unordered_map<std::uint64_t, std::size_t> m_places;
};

// Runs of bytes that differ: how many are skipped, how many follow. Gaps too short to pay are written along.
void writePatch(ByteWriter& out, Chunk from, Chunk to) {
    constexpr std::size_t kShortGap = 2;  // as much as the two numbers of another run take
    std::vector<std::array<std::size_t, 2>> runs;
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (from[i] == to[i]) continue;
        if (!runs.empty() && i - runs.back()[1] <= kShortGap) {
            runs.back()[1] = i + 1;
        } else {
            runs.push_back({i, i + 1});
        }
    }
    writeNumber(out, runs.size());
    std::size_t at = 0;
    for (const auto& [begin, end] : runs) {
        writeNumber(out, begin - at);
        writeNumber(out, end - begin);
        out.raw(to.data() + begin, end - begin);
        at = end;
    }
}

// What no world has: copies of copies in a damaged file grow without end.
constexpr std::size_t kMostBytes = 2'000'000'000, kMostChunks = 50'000'000;

[[noreturn]] void refuse() {
    throw InvalidParameter("recording", "a change in it does not fit the state before it: the file is damaged");
}

Bytes readPatch(ByteReader& in, Chunk from) {
    Bytes chunk(from.begin(), from.end());
    std::size_t at = 0;
    for (std::uint64_t runs = readNumber(in); runs > 0; --runs) {
        const std::uint64_t skipped = readNumber(in);
        const std::uint64_t count = readNumber(in);
        if (skipped > chunk.size() - at || count > chunk.size() - at - skipped) refuse();
        at += skipped;
        in.raw(chunk.data() + at, count);
        at += count;
    }
    return chunk;
}

}  // namespace

Bytes difference(const ChunkList& from, const ChunkList& to) {
    Bytes bytes;
    if (from == to) return bytes;
    ByteWriter out(bytes);
    Places places(from);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < to.size();) {
        std::size_t place = expected < from.size() && areEqual(from[expected], to[i]) ? expected : places.find(to[i]);
        if (place < from.size()) {
            std::size_t count = 1;
            while (place + count < from.size() && i + count < to.size() && areEqual(from[place + count], to[i + count]))
                ++count;
            writeNumber(out, count * kSteps + Copy);
            writeNumber(out, place);
            expected = place + count;
            i += count;
            continue;
        }
        if (expected < from.size() && from[expected].size() == to[i].size()) {
            writeNumber(out, kSteps + Patch);
            writeNumber(out, expected);
            writePatch(out, from[expected], to[i]);
            ++expected;
        } else {
            writeNumber(out, to[i].size() * kSteps + Fresh);
            out.raw(to[i].data(), to[i].size());
        }
        ++i;
    }
    return bytes;
}

ChunkList changed(const ChunkList& from, const Bytes& difference) {
    if (difference.empty()) return from;
    ChunkList to;
    ByteReader in(difference);
    while (in.left() > 0) {
        const std::uint64_t number = readNumber(in);
        const std::uint64_t count = number / kSteps;
        if (number % kSteps == Fresh) {
            if (count > in.left()) refuse();
            Bytes chunk(count);
            in.raw(chunk.data(), count);
            to.add(chunk);
            continue;
        }
        const std::uint64_t place = readNumber(in);
        if (place >= from.size() || count > from.size() - place) refuse();
        if (to.totalBytes() > kMostBytes || to.size() + count > kMostChunks) refuse();
        if (number % kSteps == Patch) {
            to.add(readPatch(in, from[place]));
        } else {
            for (std::uint64_t i = 0; i < count; ++i) to.add(from[place + i]);
        }
    }
    return to;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
