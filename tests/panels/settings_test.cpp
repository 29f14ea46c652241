#include <panels/settings.h>

#include <elasto/scene/output_file.h>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>

#include "../tools/temporary_folder.h"

using namespace elasto::panels;
using namespace elasto::test;

namespace {

/// Sets an environment variable for its lifetime.
class Environment {
public:
    Environment(const char* name, const char* value) : m_name(name) {
        if (const char* before = std::getenv(name)) m_before = before;
        if (value) {
            ::setenv(name, value, 1);
        } else {
            ::unsetenv(name);
        }
    }
    ~Environment() {
        if (m_before) {
            ::setenv(m_name, m_before->c_str(), 1);
        } else {
            ::unsetenv(m_name);
        }
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    const char* m_name;
    std::optional<std::string> m_before;
};

}  // namespace

TEST_CASE("settings come back as they were saved") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "deep" / "gallery.json";
    Settings settings;
    settings.theme = Theme::Light;
    settings.scale = 1.75;
    settings.lastDemo = "gap \"between\" walls \xc3\xa4";
    settings.windowWidth = 1234;
    settings.fullScreen = true;
    settings.shadows = false;
    settings.multisampling = false;
    settings.labels = true;
    settings.forces = false;
    settings.forceScale = 0.1;
    settings.snapshotMegabytes = 128;
    settings.plotWindow = 2.5;
    settings.panels.plots = false;
    settings.analysis = Analysis::Comparison;
    settings.rightShare = 0.25;
    saveSettings(settings, file);
    const LoadedSettings loaded = loadSettings(file);
    CHECK(loaded.message.empty());
    CHECK(loaded.settings.theme == Theme::Light);
    CHECK(loaded.settings.scale == 1.75);
    CHECK(loaded.settings.lastDemo == settings.lastDemo);
    CHECK(loaded.settings.windowWidth == 1234);
    CHECK(loaded.settings.windowHeight == Settings().windowHeight);
    CHECK(loaded.settings.fullScreen);
    CHECK_FALSE(loaded.settings.shadows);
    CHECK_FALSE(loaded.settings.multisampling);
    CHECK(loaded.settings.labels);
    CHECK_FALSE(loaded.settings.forces);
    CHECK(loaded.settings.forceScale == 0.1);
    CHECK(loaded.settings.snapshotMegabytes == 128);
    CHECK(loaded.settings.plotWindow == 2.5);
    CHECK_FALSE(loaded.settings.panels.plots);
    CHECK(loaded.settings.analysis == Analysis::Comparison);
    CHECK(loaded.settings.rightShare == 0.25);
    CHECK(loaded.settings.panels.demos);
    // Nothing else is left behind.
    CHECK(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}) == 1);

    removeSettings(file);
    CHECK_FALSE(std::filesystem::exists(file));
    CHECK(loadSettings(file).settings.windowWidth == Settings().windowWidth);
    CHECK(loadSettings(file).message.empty());
}

TEST_CASE("a defective settings file gives defaults and says why") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "gallery.json";
    for (const char* text : {"", "{", "[1, 2]", "null", "\xff\xfe", "{\"theme\": }"}) {
        writeText(file, text);
        const LoadedSettings loaded = loadSettings(file);
        INFO(text);
        CHECK(loaded.message.find(file.string()) == 0);
        CHECK(loaded.settings.theme == Theme::Dark);
    }
    writeText(file, R"({"theme": "pink", "scale": 99, "windowWidth": 7.5, "shadows": "yes", "lastDemo": 3,
                    "labels": true, "new": {"from": "later"}})");
    const LoadedSettings loaded = loadSettings(file);
    for (const char* part :
         {"theme = \"pink\"", "scale = 99", "[0.5, 4]", "windowWidth = 7.5", "shadows = \"yes\"", "lastDemo = 3"}) {
        INFO(loaded.message);
        CHECK(loaded.message.find(part) != std::string::npos);
    }
    CHECK(loaded.message.find("new") == std::string::npos);
    CHECK(loaded.settings.labels);  // what is right is taken
    CHECK(loaded.settings.scale == 0);
    writeText(file, R"({"scale": 1e999})");
    CHECK_FALSE(loadSettings(file).message.empty());
    CHECK_FALSE(loadSettings(folder.path()).message.empty());
}

TEST_CASE("settings that cannot be saved say so and leave the old ones") {
    const TemporaryFolder folder;
    writeText(folder.path() / "file", "not a folder");
    CHECK_THROWS_AS(saveSettings({}, folder.path() / "file" / "gallery.json"), elasto::FileError);
    CHECK(readText(folder.path() / "file") == "not a folder");
    CHECK_THROWS_AS(saveSettings({}, {}), elasto::FileError);
}

TEST_CASE("settings lie in the user's folder for configuration") {
    const Environment home("HOME", "/home/somebody");
    {
        const Environment config("XDG_CONFIG_HOME", "/somewhere/else");
        CHECK(settingsFile() == "/somewhere/else/elasto/gallery.json");
    }
    {
        const Environment config("XDG_CONFIG_HOME", "relative");
        CHECK(settingsFile() == "/home/somebody/.config/elasto/gallery.json");
    }
    const Environment config("XDG_CONFIG_HOME", nullptr);
    CHECK(settingsFile() == "/home/somebody/.config/elasto/gallery.json");
    const Environment nowhere("HOME", nullptr);
    CHECK(settingsFile().empty());
}
