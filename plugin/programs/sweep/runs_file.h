#pragma once
/// @file runs_file.h
/// The runs that a sweep has done: what it goes on from after a kill, and what parts are merged from.
///
/// A text file. The first line is a JSON object that says which sweep it belongs to; each further line is a checksum, a
/// blank and a line of the table, in the order in which the runs ended. It only ever grows by whole lines. A line
/// that a kill, a full disk or a crash of the machine left incomplete has a wrong checksum: it counts as not there.

#include "study.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace elasto::sweep {

/// One of several parts of a sweep: the runs with number % count == index.
struct Shard {
    std::size_t index = 0;
    std::size_t count = 1;

    bool has(std::size_t run) const { return run % count == index; }
    bool operator==(const Shard&) const = default;
};
/// Whether a user may ask for part i of n, counted from 1.
inline bool isShard(std::size_t i, std::size_t n) {
    return 1 <= i && i <= n && n <= kMostRuns;
}

/// Which sweep the runs belong to. Runs of different sweeps are never mixed.
struct Identity {
    std::string sweep;      ///< fingerprint of the sweep file, without its texts
    std::string scene;      ///< fingerprint of the scene and of the files that it names
    std::string precision;  ///< single, double
    std::string version;    ///< of Elasto
    std::size_t runs = 0;

    bool operator==(const Identity&) const = default;
};

/// The identity of a study's runs. @param content of the base scene
Identity identityOf(const Study& study, const std::string& content, const std::string& precision,
                    const std::string& version);

/// Rows by the number of their run, counted from 0.
using Rows = std::map<std::size_t, std::string>;

/// What a file holds.
struct StoredRuns {
    Shard shard;
    Rows rows;
};

/// `out.csv.runs`, or `out.csv.3-of-10.runs` of a shard.
std::filesystem::path runsFileName(const std::filesystem::path& csv, const Shard& shard);

/// Reads a file of runs.
/// @throws InputError if it is none, or belongs to another sweep, naming what differs; FileError if it cannot be read
StoredRuns readRuns(const std::filesystem::path& file, const Identity& identity);

/// Puts the runs of one file into those of others. @throws InputError if a run has two different rows
void addRows(Rows& rows, const Rows& more, const std::filesystem::path& file);

/// A file of runs that grows.
class RunsFile {
public:
    /// Opens it or makes it. Nobody else can write it until it is closed.
    /// @throws InputError as readRuns, or if it belongs to another shard; IoError if it cannot be written, or another
    ///         process has it open
    RunsFile(const std::filesystem::path& file, const Identity& identity, const Shard& shard);
    ~RunsFile();
    RunsFile(const RunsFile&) = delete;
    RunsFile& operator=(const RunsFile&) = delete;

    /// The rows that were there already.
    const Rows& rows() const { return m_rows; }
    /// Hands a row to the system: from then on a kill of the program does not lose it. @throws IoError
    void append(std::string_view row);
    /// Waits until all rows are on the disk: from then on a crash of the machine does not lose them. @throws IoError
    void sync();

private:
    [[noreturn]] void fail(const char* what, int error);
    void write(std::string_view text);

    std::filesystem::path m_file;
    std::uint64_t m_seed;
    int m_descriptor = -1;
    Rows m_rows;
};

}  // namespace elasto::sweep
