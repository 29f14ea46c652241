#include "mat_file.h"

#include <elasto/reference/nrmse.h>
#include <elasto/scene/file_error.h>
#include <elasto/scene/part_file.h>
#include <fmt/format.h>
#include <matio.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>
#include <unordered_set>

#include "tool_errors.h"

namespace elasto::tools {

namespace fs = std::filesystem;

struct CloseMat {
    void operator()(mat_t* file) const { Mat_Close(file); }
};
using OpenMat = std::unique_ptr<mat_t, CloseMat>;

namespace {

struct FreeVariable {
    void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

/// libmatio's own messages are not for users.
void silence() {
    Mat_LogInitFunc(const_cast<char*>("elasto"), [](int, char*) {});
}

/// A matrix of a file, whatever its numbers are.
class Matrix {
public:
    Matrix(mat_t* file, const char* name, const std::string& source) : m_variable(Mat_VarRead(file, name)) {
        const bool isMatrix = m_variable && m_variable->rank == 2 && m_variable->data != nullptr;
        if (!isMatrix) {
            throw InputError(
                fmt::format("{}: has no matrix '{}'; it is no result file of a Modelica tool", source, name));
        }
        if (!isKnown())
            throw InputError(fmt::format("{}: the numbers of '{}' have a type that is not read", source, name));
    }

    std::size_t rows() const { return m_variable->dims[0]; }
    std::size_t columns() const { return m_variable->dims[1]; }
    double at(std::size_t row, std::size_t column) const {
        const std::size_t index = row + rows() * column;
        switch (m_variable->data_type) {
            case MAT_T_DOUBLE:
                return value<double>(index);
            case MAT_T_SINGLE:
                return value<float>(index);
            case MAT_T_INT32:
                return value<std::int32_t>(index);
            case MAT_T_INT16:
                return value<std::int16_t>(index);
            case MAT_T_UINT16:
                return value<std::uint16_t>(index);
            default:
                return value<std::uint8_t>(index);
        }
    }
    /// A row or a column as text, without blanks at its end.
    std::string text(std::size_t index, bool isColumn) const {
        std::string result;
        const std::size_t length = isColumn ? rows() : columns();
        for (std::size_t k = 0; k < length; ++k) {
            const double character = isColumn ? at(k, index) : at(index, k);
            if (character == 0) break;
            result += static_cast<char>(character);
        }
        result.erase(result.find_last_not_of(' ') + 1);
        return result;
    }

private:
    bool isKnown() const {
        constexpr std::array kTypes = {MAT_T_DOUBLE, MAT_T_SINGLE, MAT_T_INT32, MAT_T_INT16,
                                       MAT_T_UINT16, MAT_T_UINT8,  MAT_T_INT8};
        return std::find(kTypes.begin(), kTypes.end(), m_variable->data_type) != kTypes.end();
    }
    template <class Number>
    double value(std::size_t index) const {
        return static_cast<double>(static_cast<const Number*>(m_variable->data)[index]);
    }

    Variable m_variable;
};

struct Meaning {
    std::string_view names;  ///< last parts of signals, or last two parts, each between blanks
    std::string_view text;
};
constexpr std::array kMeanings = {
    Meaning{" s_rel ", "Relative distance of the flanges (= flange_b.s - flange_a.s)"},
    Meaning{" v_rel ", "Relative velocity (= der(s_rel))"},
    Meaning{" phi_rel ", "Relative angle of the flanges (= flange_b.phi - flange_a.phi)"},
    Meaning{" w_rel ", "Relative angular velocity (= der(phi_rel))"},
    Meaning{" s ", "Distance or place along the axis"},
    Meaning{" v ", "Rate of the distance (= der(s))"},
    Meaning{" f ", "Force (= flange_b.f); > 0 pulls the ends together"},
    Meaning{" tau ", "Torque (= flange_b.tau)"},
    Meaning{" f_c tau_c ", "Share of the spring"},
    Meaning{" f_d ", "Share of the damper"},
    Meaning{" f_d2 ", "Share of the damper before its limit"},
    Meaning{" tau_d ", "Share of the damper before its limit (= d*w_rel)"},
    Meaning{" tau_d_limited ", "Share of the damper that acts"},
    Meaning{" f_mean tau_mean ", "Mean over the tick that ends now"},
    Meaning{" s_damper phi_damper ", "Length of the damper"},
    Meaning{" lossPower ", "Power that leaves the component as heat"},
    Meaning{" contact ", "True, if the ends touch"},
    Meaning{" grade ", "How good the tick is that ends now: 0 exact, 1 approximate, 2 failed"},
    Meaning{" length ", "Distance of the origins of frame_a and frame_b"},
    Meaning{" r_0 ", "Position of the frame's origin, resolved in the world frame"},
    Meaning{" v_0 ", "Velocity of the frame's origin, resolved in the world frame"},
    Meaning{" w_a ", "Angular velocity, resolved in frame_a"},
    Meaning{" q ", "Quaternion of the orientation"},
    Meaning{" T TheatPort ", "Temperature of the heat port"},
    Meaning{" flange_a.f ", "Cut force at flange_a (= -f)"},
    Meaning{" flange_a.tau ", "Cut torque at flange_a (= -tau)"},
    Meaning{" flange_b.f ", "Cut force at flange_b (= f)"},
    Meaning{" flange_b.tau ", "Cut torque at flange_b (= tau)"},
    Meaning{" flange_a.s flange_b.s ", "Place of the flange along the axis"},
    Meaning{" flange_a.phi flange_b.phi ", "Angle of the flange since the start"},
    Meaning{" frame_a.f frame_b.f ", "Cut force, resolved in the frame"},
    Meaning{" frame_a.t frame_b.t ", "Cut torque, resolved in the frame"},
};

Trajectory readParts(mat_t* file, const std::string& source) {
    const Matrix kind(file, "Aclass", source);
    if (kind.rows() < 4 || kind.text(0, false) != "Atrajectory") {
        throw InputError(source + ": its matrix Aclass does not say that it is a trajectory");
    }
    const std::string layout = kind.text(3, false);
    if (layout != "binTrans" && layout != "binNormal") {
        throw InputError(fmt::format("{}: Aclass says '{}'; binTrans or binNormal can be read", source, layout));
    }
    const bool isTrans = layout == "binTrans";
    const Matrix names(file, "name", source), info(file, "dataInfo", source), data(file, "data_2", source);
    const std::size_t count = isTrans ? names.columns() : names.rows();
    const std::size_t variables = isTrans ? data.rows() : data.columns(),
                      points = isTrans ? data.columns() : data.rows();
    if ((isTrans ? info.columns() : info.rows()) != count || count == 0 || variables == 0) {
        throw InputError(source + ": name, dataInfo and data_2 do not fit together");
    }
    const auto column = [&](std::size_t index, double sign) {
        std::vector<double> values(points);
        for (std::size_t k = 0; k < points; ++k) values[k] = sign * (isTrans ? data.at(index, k) : data.at(k, index));
        return values;
    };
    Trajectory run{.time = column(0, 1), .signals = {}, .columns = {}};
    std::unordered_set<std::string> known;
    for (std::size_t i = 0; i < count; ++i) {
        const double table = isTrans ? info.at(0, i) : info.at(i, 0), place = isTrans ? info.at(1, i) : info.at(i, 1);
        const std::string name = names.text(i, isTrans);
        if (table != 2 || std::abs(place) < 1 || name == "time" || name == "Time") continue;
        if (std::abs(place) > static_cast<double>(variables)) {
            throw InputError(fmt::format("{}: {} is said to be row {:g} of data_2, which has {}", source, name,
                                         std::abs(place), variables));
        }
        if (!known.insert(name).second) throw InputError(fmt::format("{}: '{}' appears twice", source, name));
        run.signals.push_back(name);
        run.columns.push_back(column(static_cast<std::size_t>(std::abs(place)) - 1, place < 0 ? -1 : 1));
    }
    for (std::size_t k = 1; k < run.time.size(); ++k) {
        if (run.time[k] >= run.time[k - 1]) continue;
        throw InputError(fmt::format("{}: time = {} after {}; it must not fall", source, run.time[k], run.time[k - 1]));
    }
    return run;
}

}  // namespace

std::string describe(const std::string& signal) {
    // "gap.flange_a.f[1]": "f", and "flange_a.f".
    const std::string name = signal.substr(0, signal.find('['));
    const std::size_t dot = name.rfind('.');
    const std::string last = name.substr(dot + 1);
    const std::size_t before = dot == std::string::npos || dot == 0 ? dot : name.rfind('.', dot - 1);
    const std::string lastTwo = name.substr(before == std::string::npos ? 0 : before + 1);
    std::string text;
    for (const Meaning& meaning : kMeanings) {
        const bool fits = meaning.names.find(" " + last + " ") != std::string_view::npos ||
                          meaning.names.find(" " + lastTwo + " ") != std::string_view::npos;
        if (fits) text = meaning.text;
    }
    const std::string unit = signalUnit(signal);
    if (unit == "flag") return text + " " + (last == "grade" ? kIntegerMark : kBooleanMark);
    const bool hasUnit = !unit.empty() && unit != "1";
    if (!hasUnit) return text;
    return (text.empty() ? "" : text + " ") + "[" + unit + "]";
}

void requireFitsIntoMat(const fs::path& file, double rows, double signals) {
    const double bytes = 8 * rows * (signals + 1);
    if (bytes <= kLargestMat) return;
    throw InputError(
        fmt::format("{}: {:.0f} rows of {:.0f} signals are {:.1f} GB; a MAT file of version 4 takes 2 GB. Record fewer "
                    "signals (--signals), or write --csv",
                    file.string(), rows, signals, bytes / 1e9));
}

class MatFile::Writer {
public:
    explicit Writer(const fs::path& target) : m_target(target) {
        silence();
        try {
            m_part.emplace(target);
        } catch (const std::system_error& error) {
            throw FileError(target.string() + ": cannot be created: " + error.code().message());
        }
        m_file.reset(Mat_CreateVer(m_part->path().c_str(), nullptr, MAT_FT_MAT4));
        if (!m_file) fail();
    }

    /// @param values column by column
    void add(const char* name, const std::vector<double>& values, std::size_t rows, std::size_t columns) {
        add(name, MAT_C_DOUBLE, MAT_T_DOUBLE, values.data(), rows, columns);
    }
    void add(const char* name, const std::vector<std::int32_t>& values, std::size_t rows, std::size_t columns) {
        add(name, MAT_C_INT32, MAT_T_INT32, values.data(), rows, columns);
    }
    /// Texts, each a column ("Trans"), filled up with blanks.
    void addTexts(const char* name, const std::vector<std::string>& texts) {
        std::size_t longest = 1;
        for (const std::string& text : texts) longest = std::max(longest, text.size());
        std::string characters;
        for (const std::string& text : texts) characters += text + std::string(longest - text.size(), ' ');
        add(name, MAT_C_CHAR, MAT_T_UINT8, characters.data(), longest, texts.size());
    }
    /// The same, each a row.
    void addRows(const char* name, const std::vector<std::string>& texts, std::size_t width) {
        std::string characters;
        for (std::size_t column = 0; column < width; ++column) {
            for (const std::string& text : texts) characters += column < text.size() ? text[column] : ' ';
        }
        add(name, MAT_C_CHAR, MAT_T_UINT8, characters.data(), texts.size(), width);
    }
    void commit() {
        m_file.reset();
        try {
            m_part->commit();
        } catch (const std::system_error& error) {
            throw FileError(m_target.string() + ": cannot be written: " + error.code().message());
        }
    }

private:
    void add(const char* name, matio_classes kind, matio_types type, const void* data, std::size_t rows,
             std::size_t columns) {
        std::array<std::size_t, 2> size = {rows, columns};
        const Variable variable(
            Mat_VarCreate(name, kind, type, 2, size.data(), const_cast<void*>(data), MAT_F_DONT_COPY_DATA));
        if (!variable || Mat_VarWrite(m_file.get(), variable.get(), MAT_COMPRESSION_NONE) != 0) fail();
    }
    [[noreturn]] void fail() { throw FileError(m_target.string() + ": cannot be written"); }

    fs::path m_target;
    std::optional<PartFile> m_part;
    OpenMat m_file;
};

MatFile::MatFile(const fs::path& file) : m_file(file), m_writer(std::make_unique<Writer>(file)) {}

MatFile::~MatFile() = default;

void MatFile::write(const Trajectory& run, const std::vector<ResultConstant>& constants) {
    requireFitsIntoMat(m_file, static_cast<double>(run.time.size()), static_cast<double>(run.signals.size()));
    std::vector<std::string> names = {"time"}, descriptions = {"Time [s]"};
    std::vector<std::int32_t> info = {0, 1, 0, -1};  // in both tables
    const double begin = run.time.empty() ? 0 : run.time.front(), end = run.time.empty() ? 0 : run.time.back();
    std::vector<double> fixed = {begin}, fixedAtEnd = {end};
    const std::unordered_set<std::string> changing(run.signals.begin(), run.signals.end());
    for (const ResultConstant& constant : constants) {
        if (changing.count(constant.name) > 0) continue;
        names.push_back(constant.name);
        descriptions.push_back(constant.description);
        fixed.push_back(constant.value);
        fixedAtEnd.push_back(constant.value);
        info.insert(info.end(), {1, static_cast<std::int32_t>(fixed.size()), 0, 0});
    }
    const std::size_t height = run.signals.size() + 1;
    std::vector<double> data(height * run.time.size());
    for (std::size_t k = 0; k < run.time.size(); ++k) data[height * k] = run.time[k];
    for (std::size_t i = 0; i < run.signals.size(); ++i) {
        names.push_back(run.signals[i]);
        descriptions.push_back(describe(run.signals[i]));
        info.insert(info.end(), {2, static_cast<std::int32_t>(i + 2), 0, -1});
        for (std::size_t k = 0; k < run.time.size(); ++k) data[height * k + i + 1] = run.columns[i][k];
    }
    Writer& writer = *m_writer;
    writer.addRows("Aclass", {"Atrajectory", "1.1", "", "binTrans"}, 11);
    writer.addTexts("name", names);
    writer.addTexts("description", descriptions);
    writer.add("dataInfo", info, 4, names.size());
    const std::size_t constantRows = fixed.size();
    fixed.insert(fixed.end(), fixedAtEnd.begin(), fixedAtEnd.end());
    writer.add("data_1", fixed, constantRows, 2);
    writer.add("data_2", data, height, run.time.size());
    writer.commit();
}

bool isMat(std::string_view text) {
    // The first number says byte order, kind and type (MOPT): small, where a text has letters in all four bytes.
    std::int32_t kind = 0;
    if (text.size() < 20) return false;
    std::memcpy(&kind, text.data(), sizeof kind);
    return (kind >= 0 && kind <= 4052) || text.starts_with("MATLAB ");
}

Trajectory readMat(const fs::path& file) {
    silence();
    const OpenMat mat(Mat_Open(file.c_str(), MAT_ACC_RDONLY));
    const std::string source = file.string();
    if (!mat || Mat_GetVersion(mat.get()) != MAT_FT_MAT4) {
        throw InputError(source + ": is no MAT file of version 4, the format of Modelica tools");
    }
    return readParts(mat.get(), source);
}

}  // namespace elasto::tools
