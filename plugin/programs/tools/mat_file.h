#pragma once
/// @file mat_file.h
/// Result files as Dymola and OpenModelica write and read them: MATLAB's format, version 4, with the matrices Aclass,
/// name, description, dataInfo, data_1 (what is constant) and data_2 (what changes).

#include <elasto/reference/trajectory.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace elasto::tools {

/// A quantity that does not change.
struct ResultConstant {
    std::string name;
    double value = 0;
    std::string description;  ///< with its unit, as describe() gives it
};

/// What stands in the place of a unit in descriptions of what is no Real.
inline constexpr const char* kBooleanMark = "[:#(type=Boolean)]";
inline constexpr const char* kIntegerMark = "[:#(type=Integer)]";

/// Largest data_2 that readers of the format can be relied on to take [byte].
inline constexpr double kLargestMat = 2147483647.0;

/// @throws InputError if a run of so many rows and signals does not fit into the format
void requireFitsIntoMat(const std::filesystem::path& file, double rows, double signals);
/// A file to which a run will be written, complete or not at all. It is known at once whether it can be.
class MatFile {
public:
    /// @throws FileError if the file cannot be created
    explicit MatFile(const std::filesystem::path& file);
    ~MatFile();
    MatFile(const MatFile&) = delete;
    MatFile& operator=(const MatFile&) = delete;

    /// Writes all of it, once ("binTrans": one column per row of the table). Variables are interpolated linearly and
    /// not extrapolated. A constant that has the name of a signal is left out.
    /// @throws InputError as requireFitsIntoMat(), FileError if it cannot be written
    void write(const Trajectory& run, const std::vector<ResultConstant>& constants);

private:
    class Writer;
    std::filesystem::path m_file;
    std::unique_ptr<Writer> m_writer;
};
/// Reads what changes in such a file, "binTrans" or "binNormal", single or double; negated aliases as their values.
/// @throws InputError naming the file and what is wrong with it, FileError if it cannot be read
Trajectory readMat(const std::filesystem::path& file);
/// Whether a file that begins so is a MAT file, of whatever version.
bool isMat(std::string_view text);

/// What a signal is, in a line, with its unit, "Relative distance of the flanges [m]", or with the mark of its type.
std::string describe(const std::string& signal);

}  // namespace elasto::tools
