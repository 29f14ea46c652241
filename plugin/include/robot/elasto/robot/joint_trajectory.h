#pragma once
/// @file joint_trajectory.h
/// What many joints are to do, as one table over time.

#include <elasto/export.h>
#include <elasto/scene/file_error.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace elasto {

/// Columns over time [s], linear or cubic in between, held before the first row and after the last.
class ELASTO_API JointTrajectory {
public:
    /// What is between two rows.
    enum class Interpolation {
        Linear,  ///< the rate jumps in each row
        /// Hermite's cubic: the rate in a row is that of the parabola through it and its neighbours, 0 in the first
        /// and the last one. Value and rate are continuous.
        Cubic,
    };
    /// @param names of the columns @param times of the rows, each later than the one before
    /// @param values row by row, as many as times x names
    /// @throws InvalidParameter unless there is a row, sizes fit, times rise and all numbers are finite
    JointTrajectory(std::vector<std::string> names, std::vector<double> times, std::vector<double> values,
                    Interpolation interpolation);

    const std::vector<std::string>& names() const { return m_names; }  ///< of the columns
    /// Place of a column; as many as there are if it has none of this name.
    std::size_t column(std::string_view name) const;
    double at(std::size_t column, double t) const;    ///< t [s]; the unit is the file's
    double rate(std::size_t column, double t) const;  ///< its rate, from t on [1/s]
    /// The first time later than t at which a rate may jump: Linear each row, Cubic none; infinity if there is none.
    double nextBreak(double t) const;

private:
    std::size_t rowBefore(double t) const;
    double value(std::size_t row, std::size_t column) const { return m_values[row * m_names.size() + column]; }
    double slope(std::size_t row, std::size_t column) const;

    std::vector<std::string> m_names;
    std::vector<double> m_times;
    std::vector<double> m_values;
    Interpolation m_interpolation;
};

/// Reads one from a file: comma-separated values whose first line names the columns, `time` first; or a text of
/// CombiTimeTable with a line `# columns: time ...` behind its head (time_table.h), the first of its tables.
/// @throws FileError with file, line and what is wrong
ELASTO_API JointTrajectory loadJointTrajectory(const std::filesystem::path& file,
                                               JointTrajectory::Interpolation interpolation);
/// The same from text. @param source what messages call it
ELASTO_API JointTrajectory parseJointTrajectory(std::string_view text, const std::string& source,
                                                JointTrajectory::Interpolation interpolation);

}  // namespace elasto
