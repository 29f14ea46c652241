#pragma once
/// @file demo.h
/// A demo is data: a scene, from where it is seen, and two lines that say what to look at and what to press. Each
/// stands in a file of its own in demos/ and registers itself; there is no list to keep.
///
/// @code
/// const Registration kStiffStop({.name = "stiff_stop", .title = "...", .scene = "gallery/stiff_stop", ...});
/// @endcode

#include "gallery/guest.h"
#include "panels/settings.h"
#include "play/baseline.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace elasto::gallery {

/// A motor that runs while a button or a key is held, and is as the scene has it again after that.
struct HeldMotor {
    std::string text;     ///< of the button
    char key = 0;         ///< 'A' .. 'Z'
    std::string joint;    ///< that the motor drives
    double velocity = 0;  ///< wanted [rad/s] of a hinge, [m/s] of a slider
    double maxForce = 0;  ///< [N.m], [N]
};

struct Demo {
    std::string name;  ///< for --demo: letters, digits and _
    std::string title;
    std::string look;                                   ///< one sentence: what to look at
    std::string press;                                  ///< one sentence: what to press or drag
    std::string scene;                                  ///< name of a scene in assets/scenes, without .json
    AddGuests guests = {};                              ///< join the scene: a robot, say
    std::string group = {};                             ///< heading in the list
    int place = 100;                                    ///< in the list: lower ones first
    double speed = 1;                                   ///< simulated seconds per second at the start
    std::optional<double> rate = {};                    ///< ticks per second [Hz]; without it the scene's
    std::string selected = {};                          ///< element that is selected at the start; empty: the first
    double azimuth = 0.35;                              ///< of the home view [rad]
    double elevation = 0.22;                            ///< of the home view [rad]
    double zoom = 1;                                    ///< of the home view: larger is nearer; 1 shows the whole scene
    bool stopsAtEnd = false;                            ///< pauses where the scene's duration ends
    panels::Analysis analysis = panels::Analysis::Law;  ///< what is shown below the plots
    bool loopOfLoad = false;                         ///< the loop begins with the load's force instead of the element's
    double loopSpan = 5;                             ///< time that the loop begins with, up to now [s]
    std::vector<play::BaselineKind> baselines = {};  ///< that are shown at the start
    Eigen::Vector3d baselineOffset =
        Eigen::Vector3d::Zero();  ///< baselines stand side by side so far apart [m]; zero: ghosts
    std::vector<std::pair<std::string, std::string>> names = {};  ///< bodies, and what stands over each in the view
    double repeats = 0;                  ///< begins again after this time as long as nobody touches it [s]; 0: never
    std::vector<HeldMotor> motors = {};  ///< that the user runs by hand
    std::string followed = {};           ///< body that the view goes along with; empty: the view stands
    int pictureFrames = 120;             ///< after so many frames of 1/60 s its picture is taken
};

/// All demos in the order of the list.
const std::vector<Demo>& demos();
/// nullptr if there is none of that name.
const Demo* findDemo(std::string_view name);

/// Makes a demo known. One per file, at namespace scope.
class Registration {
public:
    explicit Registration(Demo demo);
};

}  // namespace elasto::gallery
