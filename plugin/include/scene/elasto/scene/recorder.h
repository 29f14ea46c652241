#pragma once
/// @file recorder.h
/// Collects signals tick by tick.

#include <elasto/export.h>
#include <elasto/scene/csv_file.h>
#include <elasto/scene/scene_world.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Records signals of a SceneWorld: one row at the start, one per call of record().
///
/// @code
/// elasto::SceneWorld world(elasto::loadScene("scene.json"));
/// elasto::Recorder recorder(world);
/// while (world.ticks() < world.ticksToEnd()) {
///     world.step();
///     recorder.record();
/// }
/// recorder.writeCsv("run.csv");
/// @endcode
///
/// Rows are kept in memory. After streamCsv() they go to the file instead, so that long runs need no memory and an
/// unwritable file is known before the first tick; finishCsv() gives the file its name, also after an interruption. A
/// recorder that is destroyed before finishCsv() leaves no file.
class ELASTO_API Recorder {
public:
    /// Records the signals that the scene picks, and the first row. The world must outlive the recorder.
    explicit Recorder(const SceneWorld& world);
    /// Records other signals, by their index in the same scene.
    Recorder(const SceneWorld& world, std::vector<Signal> signals);

    /// Adds a row with the present values.
    /// @throws FileError if the row goes to a file that cannot be written
    void record();
    /// Adds a row with the values of a sample, e.g. of an instant inside the last tick. @throws FileError as record()
    void record(SceneSample sample);

    const std::vector<Signal>& signals() const { return m_signals; }  ///< what is recorded, in the order of the columns
    std::size_t rows() const { return m_rows; }                       ///< recorded since the start
    const std::vector<double>& time() const { return m_time; }        ///< [s], of the rows in memory
    const std::vector<double>& column(std::size_t i) const { return m_columns.at(i); }  ///< rows of signals()[i]
    /// Column by its header. @throws std::out_of_range naming it
    const std::vector<double>& column(std::string_view header) const;

    /// Writes the rows in memory as a CSV: first column `time`, then the signals' columns.
    /// @throws FileError if it cannot be written; no partial file is left
    void writeCsv(const std::filesystem::path& file) const;
    /// Writes the rows so far into a file and all later ones as they come; memory keeps none.
    /// @throws FileError if the file cannot be created
    void streamCsv(const std::filesystem::path& file);
    /// Ends streaming: all rows are in the file, under its own name. Later rows stay in memory again.
    /// @throws FileError
    void finishCsv();

private:
    /// q and -q are one orientation: takes the one nearer to the row before, so that recorded quaternions do not jump.
    void keepSigns(SceneSample& sample);
    CsvFile openCsv(const std::filesystem::path& file) const;

    const SceneWorld& m_world;
    std::vector<Signal> m_signals;
    std::size_t m_rows = 0;
    std::vector<double> m_time;
    std::vector<std::vector<double>> m_columns;
    std::vector<double> m_row;                       ///< time and the present values
    std::vector<Eigen::Quaterniond> m_orientations;  ///< of the last row; at first those of the scene
    std::optional<CsvFile> m_csv;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
