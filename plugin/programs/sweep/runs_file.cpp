#include "runs_file.h"

#include "json_text.h"
#include "row_text.h"
#include "tool_errors.h"

#include <elasto/scene/input_file.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <optional>
#include <utility>

namespace elasto::sweep {

using nlohmann::json;
using tools::InputError;
using tools::IoError;
using tools::ioMessage;

namespace {

constexpr const char* kFormat = "runs of elasto sweep";
constexpr int kVersion = 2;
constexpr std::size_t kChecksumSize = 16;

std::string fingerprint(std::string_view text) {
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// Rows of another sweep have wrong checksums even if they come into the file.
std::uint64_t seedOf(const Identity& identity) {
    const std::string text = identity.sweep + identity.scene + identity.precision + identity.version;
    return XXH3_64bits(text.data(), text.size());
}

std::string checksum(std::string_view row, std::uint64_t seed) {
    return fmt::format("{:016x}", XXH3_64bits_withSeed(row.data(), row.size(), seed));
}

json toJson(const Identity& identity, const Shard& shard) {
    return {{"format", kFormat},
            {"version", kVersion},
            {"sweep", identity.sweep},
            {"scene", identity.scene},
            {"precision", identity.precision},
            {"elasto", identity.version},
            {"runs", identity.runs},
            {"shard", {shard.index + 1, shard.count}}};
}

/// Reads the first line and refuses what is not ours.
Shard checkHeader(std::string_view line, const Identity& identity, const std::string& file) {
    scene::Problems problems(file);
    const json header = scene::parseJsonText(line, problems);
    const json expected = toJson(identity, {});
    if (!problems.empty() || !header.is_object() || header.value("format", json()) != kFormat) {
        throw InputError(file + " is not a file of runs of a sweep; only such files can be joined or gone on with");
    }
    constexpr std::pair<const char*, const char*> kParts[] = {
        {"version", "was written in another format of such files"},
        {"precision", "has runs in another precision"},
        {"elasto", "has runs of another version of Elasto"},
        {"sweep", "has runs of another sweep: the sweep file has changed, or --hz or --duration"},
        {"scene", "has runs of another scene: the scene, or a file that it names, has changed"},
        {"runs", "has runs of another sweep"}};
    for (const auto& [key, difference] : kParts) {
        if (header.contains(key) && header.at(key) == expected.at(key)) continue;
        const bool isHash = std::string_view(key) == "sweep" || std::string_view(key) == "scene";
        const std::string both =
            isHash ? std::string()
                   : fmt::format(" ({} there, {} here)", header.value(key, json()).dump(), expected.at(key).dump());
        throw InputError(
            fmt::format("{} {}{}; remove it to begin anew, or give another --csv", file, difference, both));
    }
    const json shard = header.value("shard", json());
    const bool isAllowed =
        shard.is_array() && shard.size() == 2 &&
        std::all_of(shard.begin(), shard.end(), [](const json& part) { return part.is_number_unsigned(); }) &&
        isShard(shard[0].get<std::size_t>(), shard[1].get<std::size_t>());
    if (!isAllowed) {
        throw InputError(
            fmt::format("{}: /shard: {} is not allowed; it must be [i, n] with 1 <= i <= n <= {}; remove "
                        "the file to begin anew, or give another --csv",
                        file, shard.dump(), kMostRuns));
    }
    return {shard[0].get<std::size_t>() - 1, shard[1].get<std::size_t>()};
}

/// The row in a line, if its checksum is right.
std::optional<std::string_view> rowOf(std::string_view line, std::uint64_t seed) {
    if (line.size() <= kChecksumSize || line[kChecksumSize] != ' ') return std::nullopt;
    const std::string_view row = line.substr(kChecksumSize + 1);
    if (line.substr(0, kChecksumSize) != checksum(row, seed)) return std::nullopt;
    return row;
}

}  // namespace

Identity identityOf(const Study& study, const std::string& content, const std::string& precision,
                    const std::string& version) {
    json parameters = json::array();
    for (const Parameter& one : study.parameters) {
        parameters.push_back({one.name, one.set, one.values, one.from, one.to, static_cast<int>(one.scale), one.count});
    }
    json metrics = json::array();
    for (const Metric& one : study.metrics) {
        const json target = one.target ? json(*one.target) : json();
        metrics.push_back({one.name, static_cast<int>(one.kind), one.of, one.band, target});
    }
    const Sample& sample = study.sample;
    const json text = {{"sample", {static_cast<int>(sample.kind), sample.runs, sample.seed, sample.skip}},
                       {"rate", study.rate ? json(*study.rate) : json()},
                       {"duration", study.duration ? json(*study.duration) : json()},
                       {"parameters", parameters},
                       {"metrics", metrics}};
    return {fingerprint(text.dump()), fingerprint(content), precision, version, sample.runs};
}

std::filesystem::path runsFileName(const std::filesystem::path& csv, const Shard& shard) {
    return csv.string() + (shard.count == 1 ? "" : fmt::format(".{}-of-{}", shard.index + 1, shard.count)) + ".runs";
}

StoredRuns readRuns(const std::filesystem::path& file, const Identity& identity) {
    const std::string text = readFile(file);
    std::string_view rest = text;
    const auto nextLine = [&rest] {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        return line;
    };
    StoredRuns stored;
    stored.shard = checkHeader(nextLine(), identity, file.string());
    const std::uint64_t seed = seedOf(identity);
    while (!rest.empty()) {
        const std::optional<std::string_view> row = rowOf(nextLine(), seed);
        const std::optional<std::size_t> run = row ? runOfRow(*row) : std::nullopt;
        if (run && *run < identity.runs) addRows(stored.rows, {{*run, std::string(*row)}}, file);
    }
    return stored;
}

void addRows(Rows& rows, const Rows& more, const std::filesystem::path& file) {
    for (const auto& [run, row] : more) {
        const auto [there, isNew] = rows.emplace(run, row);
        if (isNew || there->second == row) continue;
        throw InputError(fmt::format(
            "{}: run {} differs from what was read before; parts must come from the same machine type and program\n"
            "  {}\n  {}",
            file.string(), run + 1, there->second, row));
    }
}

RunsFile::RunsFile(const std::filesystem::path& file, const Identity& identity, const Shard& shard)
    : m_file(file), m_seed(seedOf(identity)) {
    constexpr int kFlags = O_RDWR | O_APPEND | O_CLOEXEC;
    m_descriptor = open(file.c_str(), kFlags);
    // Not through a link that leads nowhere: the file would appear where nobody has asked for it.
    if (m_descriptor < 0 && errno == ENOENT) m_descriptor = open(file.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
    if (m_descriptor < 0 && errno == EEXIST) {
        if (std::filesystem::is_symlink(file)) {
            throw IoError(file.string() + " is a link to a file that does not exist; remove it, or give another --csv");
        }
        m_descriptor = open(file.c_str(), kFlags);  // another sweep has made it meanwhile
    }
    if (m_descriptor < 0) fail("write", errno);
    if (flock(m_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(m_descriptor);
        throw IoError(file.string() + " is being written by another elasto sweep");
    }
    const std::string header = toJson(identity, shard).dump() + "\n";
    try {
        const std::string text = readFile(file);
        if (text.size() < header.size() && header.starts_with(text)) {  // new, or killed while it was
            if (ftruncate(m_descriptor, 0) != 0) fail("write", errno);
            write(header);
            return;
        }
        StoredRuns stored = readRuns(file, identity);
        if (!(stored.shard == shard)) {
            throw InputError(fmt::format("{} is shard {}/{}, not {}/{}; give another --csv", file.string(),
                                         stored.shard.index + 1, stored.shard.count, shard.index + 1, shard.count));
        }
        m_rows = std::move(stored.rows);
        // What a kill left of a line is closed, so that the next one begins at its own.
        if (!text.ends_with('\n')) write("\n");
    } catch (...) {
        close(m_descriptor);
        throw;
    }
}

RunsFile::~RunsFile() {
    close(m_descriptor);
}

void RunsFile::fail(const char* what, int error) {
    throw IoError(ioMessage(what, m_file.string(), error));
}

void RunsFile::write(std::string_view text) {
    // One call per line: with O_APPEND lines of two processes do not mix.
    const ssize_t written = ::write(m_descriptor, text.data(), text.size());
    if (written < 0) fail("write", errno);
    if (static_cast<std::size_t>(written) != text.size()) fail("write", ENOSPC);
}

void RunsFile::append(std::string_view row) {
    write(fmt::format("{} {}\n", checksum(row, m_seed), row));
}

void RunsFile::sync() {
    if (fdatasync(m_descriptor) != 0 && errno != EINVAL) fail("write", errno);
}

}  // namespace elasto::sweep
