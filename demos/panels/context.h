#pragma once
/// @file context.h
/// What all panels are given in a frame, and what they ask for.

#include "key_table.h"
#include "plot_picture.h"
#include "theme.h"

#include <play/session.h>

#include <imgui.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace elasto::panels {

/// How simulated time passes on the clock. It belongs to whoever runs the clock.
struct Playback {
    bool isPlaying = true;
    double speed = 1;                         ///< simulated second / second
    std::optional<double> startsOverAt = {};  ///< time at which the run begins anew if nobody touches it [s]
};

/// Speeds that the keys and the timeline offer, slow to fast.
std::span<const double> speeds();
/// The next one of them, 1/1000 and 4 at the ends.
double slower(double speed);
double faster(double speed);
/// "1x", "1/20x".
std::string speedText(double speed);

/// A demo as the list shows it.
struct DemoEntry {
    std::string name;   ///< unique, as on the command line; of a file its path
    std::string title;  ///< a few words
    std::string look;   ///< a line: what to look at
    std::string press;  ///< a line: what to press or pull
    std::string group;  ///< heading in the list; empty: none
};

/// Figures that only the window loop knows.
struct RunFigures {
    double realTimeFactor = 0;  ///< simulated time / time on the clock; 0: not running
    double tickCost = 0;        ///< processor time of a tick, mean of the last ones [s]; 0: not known
    double frameRate = 0;       ///< [1/s]
    std::string renderer;       ///< name of the OpenGL renderer
    std::string recording;      ///< what is being recorded; empty: nothing
    bool slowsAtHits = false;   ///< time slows down by itself where something is hit
    std::string followed = {};  ///< body that the view goes along with; empty: it stands
};

/// A baseline or the run itself, compared with the reference.
struct ComparisonRow {
    std::string name;
    std::string text;             ///< a line: what it is
    std::optional<double> error;  ///< NRMSE against the reference up to now [-]; empty: not known, NaN: it blew up
    ImU32 color = 0;              ///< of its ghost and curve
    bool* isShown = nullptr;      ///< switch of its ghost; null: always there
};

/// A curve computed elsewhere that belongs to a quantity of an element: reference or baseline.
struct ForeignCurve {
    const class Curve* curve = nullptr;
    std::string name;
    ImU32 color = 0;
    bool isReference = true;  ///< dashed; false: a baseline, pale
};

/// Everything that panels want done by the window loop, in the order in which they asked.
struct Requests {
    std::vector<Action> actions;                  ///< as if their keys were pressed
    std::optional<double> time;                   ///< go to this time [s]; may lie inside a tick
    std::optional<double> speed;                  ///< of the playback
    bool pause = false;                           ///< time shall stop: an edit was refused
    std::optional<double> rate;                   ///< start again at this tick rate [Hz]
    std::optional<std::string> demo;              ///< open this demo
    std::optional<std::filesystem::path> file;    ///< open this file
    std::optional<std::filesystem::path> saveAs;  ///< save this file, whose ending says what
    std::optional<PlotPicture> picture;           ///< save it as PNG
    bool areSettingsChanged = false;              ///< apply and keep them
    bool tour = false;                            ///< show the cards for newcomers
    std::optional<int> joint;                     ///< select this joint of a robot
    bool isPosed = false;                         ///< a joint was placed: the view shows where

    void clear() { *this = {}; }
};

/// Given to each panel in each frame.
struct Context {
    play::Session& session;
    const Palette& palette;
    const Playback& playback;
    double shownTime = 0;  ///< what the view shows [s]: the session's time, or less while time goes on inside a tick
    int& element;          ///< selected element; -1: none
    Requests& requests;
    const ElementSample* now = nullptr;  ///< the selected element at shownTime; null: none is selected
    int body = -1;                       ///< selected body; -1: none
    const BodyState* bodyNow = nullptr;  ///< it at shownTime; null: none is selected
    bool canUndo = false, canRedo = false;
    int joint = -1;  ///< selected joint of a robot; -1: none
};

/// A quantity's value as all panels write it.
std::string readingOf(play::Quantity quantity, Geometry geometry, double value);

/// A unit as it is shown: "N.m" with a raised dot.
std::string shownUnit(std::string_view unit);

/// The element that is selected, null if there is none.
const play::PlayedElement* selectedElement(const Context& context);

}  // namespace elasto::panels
