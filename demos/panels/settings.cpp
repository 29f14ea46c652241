#include "settings.h"

#include <elasto/scene/input_file.h>
#include <elasto/scene/output_file.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <system_error>

namespace elasto::panels {

namespace {

using Json = nlohmann::ordered_json;
using Words = std::span<const char* const>;

// In the order of the enumerators.
constexpr const char* kThemes[] = {"dark", "light"};
constexpr const char* kAnalyses[] = {"oscilloscope", "law", "loop", "comparison"};

/// Visits every setting with its name: once to write, once to read.
template <class Visitor, class AnySettings>
void visit(AnySettings& settings, Visitor&& visitor) {
    visitor.choice("theme", settings.theme, kThemes);
    visitor.number("scale", settings.scale, 0.5, 4, true);
    visitor.number("leftWidth", settings.leftWidth, 200, 800);
    visitor.number("rightWidth", settings.rightWidth, 200, 1200);
    visitor.number("leftShare", settings.leftShare, 0.1, 0.9);
    visitor.number("rightShare", settings.rightShare, 0.1, 0.9);
    visitor.choice("analysis", settings.analysis, kAnalyses);
    visitor.flag("hasSeenTour", settings.hasSeenTour);
    visitor.text("lastDemo", settings.lastDemo);
    visitor.whole("windowWidth", settings.windowWidth, 320, 16384);
    visitor.whole("windowHeight", settings.windowHeight, 240, 16384);
    visitor.flag("fullScreen", settings.fullScreen);
    visitor.flag("shadows", settings.shadows);
    visitor.flag("multisampling", settings.multisampling);
    visitor.flag("forces", settings.forces);
    visitor.flag("lookInside", settings.lookInside);
    visitor.flag("labels", settings.labels);
    visitor.number("forceScale", settings.forceScale, 0.01, 100);
    visitor.number("snapshotMegabytes", settings.snapshotMegabytes, 1, 65536);
    visitor.number("historyMegabytes", settings.historyMegabytes, 16, 65536);
    visitor.text("folder", settings.folder);
    visitor.texts("recentFiles", settings.recentFiles);
    visitor.number("plotWindow", settings.plotWindow, 0.01, 3600);
    visitor.flag("panel.all", settings.panels.all);
    visitor.flag("panel.demos", settings.panels.demos);
    visitor.flag("panel.parameters", settings.panels.parameters);
    visitor.flag("panel.plots", settings.panels.plots);
    visitor.flag("panel.analysis", settings.panels.analysis);
    visitor.flag("panel.timeline", settings.panels.timeline);
    visitor.flag("panel.statusBar", settings.panels.statusBar);
    visitor.flag("panel.caption", settings.panels.caption);
}

struct Writer {
    Json& json;
    template <class Choice>
    void choice(const char* name, Choice value, Words words) {
        json[name] = words[static_cast<std::size_t>(value)];
    }
    void number(const char* name, double value, double, double, bool = false) { json[name] = value; }
    void whole(const char* name, int value, int, int) { json[name] = value; }
    void flag(const char* name, bool value) { json[name] = value; }
    void text(const char* name, const std::string& value) { json[name] = value; }
    void texts(const char* name, const std::vector<std::string>& values) { json[name] = values; }
};

struct Reader {
    const Json& json;
    std::string problems;

    const Json* find(const char* name) const {
        const auto found = json.find(name);
        return found == json.end() ? nullptr : &*found;
    }
    void refuse(const char* name, const Json& value, const std::string& allowed) {
        problems += std::string(problems.empty() ? "" : "; ") + name + " = " +
                    value.dump(-1, ' ', false, Json::error_handler_t::replace) + " is not allowed, it must be " +
                    allowed;
    }
    template <class Choice>
    void choice(const char* name, Choice& into, Words words) {
        const Json* value = find(name);
        if (!value) return;
        std::string allowed;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (*value == words[i]) {
                into = static_cast<Choice>(i);
                return;
            }
            allowed += (i == 0 ? "\"" : i + 1 == words.size() ? " or \"" : ", \"") + std::string(words[i]) + "\"";
        }
        refuse(name, *value, allowed);
    }
    void number(const char* name, double& into, double least, double most, bool mayBeZero = false) {
        const Json* value = find(name);
        if (!value) return;
        const double given = value->is_number() ? value->get<double>() : std::nan("");
        if ((given >= least && given <= most) || (mayBeZero && given == 0)) {
            into = given;
        } else {
            std::ostringstream range;
            range << (mayBeZero ? "0, or a number in [" : "a number in [") << least << ", " << most << "]";
            refuse(name, *value, range.str());
        }
    }
    void whole(const char* name, int& into, int least, int most) {
        const Json* value = find(name);
        if (!value) return;
        if (value->is_number_integer() && *value >= least && *value <= most) {
            into = value->get<int>();
        } else {
            refuse(name, *value, "a whole number in [" + std::to_string(least) + ", " + std::to_string(most) + "]");
        }
    }
    void flag(const char* name, bool& into) {
        const Json* value = find(name);
        if (!value) return;
        if (value->is_boolean()) {
            into = value->get<bool>();
        } else {
            refuse(name, *value, "true or false");
        }
    }
    void text(const char* name, std::string& into) {
        const Json* value = find(name);
        if (!value) return;
        if (value->is_string()) {
            into = value->get<std::string>();
        } else {
            refuse(name, *value, "a text");
        }
    }
    void texts(const char* name, std::vector<std::string>& into) {
        const Json* value = find(name);
        if (!value) return;
        const auto isText = [](const Json& one) { return one.is_string(); };
        if (value->is_array() && std::all_of(value->begin(), value->end(), isText)) {
            into = value->get<std::vector<std::string>>();
        } else {
            refuse(name, *value, "a list of texts");
        }
    }
};

}  // namespace

std::filesystem::path settingsFile() {
    // As the XDG specification has it, a relative path counts as none.
    const char* config = std::getenv("XDG_CONFIG_HOME");
    if (config && std::filesystem::path(config).is_absolute()) {
        return std::filesystem::path(config) / "elasto" / "gallery.json";
    }
    const char* home = std::getenv("HOME");
    if (home && std::filesystem::path(home).is_absolute()) {
        return std::filesystem::path(home) / ".config" / "elasto" / "gallery.json";
    }
    return {};
}

LoadedSettings loadSettings(const std::filesystem::path& file) {
    LoadedSettings loaded;
    std::error_code problem;
    if (file.empty() || !std::filesystem::exists(file, problem)) return loaded;
    std::string unreadable;
    const std::string text = readFile(file, unreadable);
    if (!unreadable.empty()) {
        loaded.message = file.string() + ": cannot be read: " + unreadable + "; the default settings are used.";
        return loaded;
    }
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) {
        loaded.message = file.string() + ": is no JSON object; the default settings are used.";
        return loaded;
    }
    Reader reader{json, {}};
    visit(loaded.settings, reader);
    if (!reader.problems.empty())
        loaded.message = file.string() + ": " + reader.problems + "; defaults are used there.";
    return loaded;
}

void saveSettings(const Settings& settings, const std::filesystem::path& file) {
    if (file.empty()) throw FileError("Settings cannot be kept: neither XDG_CONFIG_HOME nor HOME names a folder");
    std::error_code problem;
    std::filesystem::create_directories(file.parent_path(), problem);
    if (problem) throw FileError(file.parent_path().string() + ": cannot be made: " + problem.message());
    Json json = Json::object();
    Writer writer{json};
    visit(settings, writer);
    writeFile(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void removeSettings(const std::filesystem::path& file) {
    std::error_code problem;
    std::filesystem::remove(file, problem);
    if (problem) throw FileError(file.string() + ": cannot be removed: " + problem.message());
}

}  // namespace elasto::panels
