#include "reference_data.h"

#include <elasto/scene/load_scene.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace elasto::test {

namespace {

const std::filesystem::path kSource = ELASTO_SOURCE_DIR;

std::ifstream open(const std::filesystem::path& file) {
    std::ifstream stream(file);
    if (!stream) throw std::runtime_error("cannot read " + file.string());
    return stream;
}

/// Only what these files hold: plain quoted names, plain numbers.
Trajectory readCsv(const std::filesystem::path& file) {
    std::ifstream stream = open(file);
    Trajectory out;
    std::string line;
    std::string cell;
    std::getline(stream, line);
    std::istringstream header(line);
    std::getline(header, cell, ',');
    while (std::getline(header, cell, ',')) out.signals.push_back(cell.substr(1, cell.size() - 2));
    out.columns.resize(out.signals.size());
    while (std::getline(stream, line)) {
        std::istringstream row(line);
        std::getline(row, cell, ',');
        out.time.push_back(std::stod(cell));
        for (std::vector<double>& column : out.columns) {
            std::getline(row, cell, ',');
            column.push_back(std::stod(cell));
        }
    }
    return out;
}

/// The CSV calls the rate of a distance `sdot`, a scene calls it `v`.
std::string columnOfScene(std::string name) {
    const std::string rate = ".sdot";
    if (name.size() > rate.size() && name.compare(name.size() - rate.size(), rate.size(), rate) == 0)
        name.replace(name.size() - rate.size(), rate.size(), ".v");
    return name;
}

}  // namespace

Scene loadAsset(const std::string& name) {
    return loadScene(kSource / "assets" / "scenes" / (name + ".json"));
}

std::vector<std::string> assetNames() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(kSource / "assets" / "scenes"))
        if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

ReferenceCase loadReferenceCase(const std::string& name) {
    ReferenceCase out;
    out.name = name;
    out.scene = loadAsset(name);
    const std::filesystem::path folder = kSource / "tests" / "data" / "references";
    const Trajectory all = readCsv(folder / (name + ".csv"));
    nlohmann::json description;
    open(folder / (name + ".json")) >> description;
    const bool fromDymola = description.contains("csv");

    const std::string prefix = "own.";
    out.own.time = out.dymola.time = all.time;
    for (std::size_t k = 0; k < all.signals.size(); ++k) {
        const bool prefixed = all.signals[k].rfind(prefix, 0) == 0;
        Trajectory& table = prefixed || !fromDymola ? out.own : out.dymola;
        table.signals.push_back(columnOfScene(prefixed ? all.signals[k].substr(prefix.size()) : all.signals[k]));
        table.columns.push_back(all.columns[k]);
    }
    if (!fromDymola) return out;
    for (const auto& [signal, figures] : description.at("check").at("signals").items()) {
        StatedDifference stated{.largest = figures.at("max_abs").get<double>()};
        if (figures.at("nrmse").is_number()) stated.nrmse = figures.at("nrmse").get<double>();
        out.stated[signal] = stated;
    }
    return out;
}

}  // namespace elasto::test
