#pragma once
/// @file settings.h
/// What the gallery remembers from one start to the next.

#include "theme.h"

#include <filesystem>
#include <string>
#include <vector>

namespace elasto::panels {

/// What the lower part of the right column shows.
enum class Analysis { Oscilloscope, Law, Loop, Comparison };

/// Which panels are shown.
struct PanelVisibility {
    bool all = true;  ///< false: none of them, only the view
    bool demos = true;
    bool parameters = true;
    bool plots = true;
    bool analysis = true;
    bool timeline = true;
    bool statusBar = true;
    bool caption = true;  ///< what to look at, over the view
    bool toolbar = true;  ///< buttons over the view; not remembered: a key that shows panels brings it back
};

/// All settings with their defaults. Ranges are those that loading accepts.
struct Settings {
    Theme theme = Theme::Dark;
    double scale = 0;  ///< size of texts and widgets, 0.5 .. 4; 0: what the screen asks for
    PanelVisibility panels;
    double leftWidth = 320;   ///< of the left column at scale 1 [pixels], 200 .. 800
    double rightWidth = 430;  ///< of the right column at scale 1 [pixels], 200 .. 1200
    double leftShare = 0.34;  ///< of the demos in the left column's height, 0.1 .. 0.9
    double rightShare = 0.6;  ///< of the plots in the right column's height, 0.1 .. 0.9
    Analysis analysis = Analysis::Law;
    bool hasSeenTour = false;  ///< the five cards for newcomers
    std::string lastDemo;      ///< name; empty: the first one
    int windowWidth = 1600;    ///< [pixels], 320 .. 16384
    int windowHeight = 900;    ///< [pixels], 240 .. 16384
    bool fullScreen = false;
    bool shadows = true;
    bool multisampling = true;
    bool forces = true;                    ///< force arrows
    bool lookInside = false;               ///< slow down by itself where something is hit
    bool labels = false;                   ///< f and s_rel at the elements
    double forceScale = 1;                 ///< length of the force arrows, 0.01 .. 100 times the usual one
    double snapshotMegabytes = 64;         ///< budget of the timeline's snapshots [MB], 1 .. 65536
    double historyMegabytes = 512;         ///< budget of what is plotted [MB], 16 .. 65536
    std::string folder;                    ///< where files are saved; empty: the working directory
    std::vector<std::string> recentFiles;  ///< that were opened, the last one first
    double plotWindow = 10;                ///< time that the plots show while they follow [s], 0.01 .. 3600
};

struct LoadedSettings {
    Settings settings;
    std::string message;  ///< empty, or what was wrong with the file, and that defaults are used instead
};

/// $XDG_CONFIG_HOME/elasto/gallery.json, else ~/.config/elasto/gallery.json; empty where neither variable says.
std::filesystem::path settingsFile();

/// Reads a settings file. One that does not exist gives the defaults without a message; a value that is defective or
/// out of range gives its default and a message that names it; what is not known (of another version) is passed over.
LoadedSettings loadSettings(const std::filesystem::path& file);

/// Writes all settings, making the folder where it is missing; the file appears whole or not at all.
/// @throws FileError naming the file and the reason
void saveSettings(const Settings& settings, const std::filesystem::path& file);

/// Removes the settings file, so that the next start has the defaults. @throws FileError
void removeSettings(const std::filesystem::path& file);

}  // namespace elasto::panels
