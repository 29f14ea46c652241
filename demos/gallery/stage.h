#pragma once
/// @file stage.h
/// A demo that runs: its session, the clock, what is selected, and the picture of the instant that is shown.

#include "gallery/demo.h"
#include "gallery/guest_drawing.h"
#include "gallery/scene_drawing.h"
#include "gallery/tick_clock.h"
#include "play/session.h"
#include "view/camera.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace elasto::gallery {

/// What a run may keep of what was.
struct Memory {
    double snapshotMegabytes = 64;  ///< for going back quickly
    double historyMegabytes = 512;  ///< for what is plotted
};

class Stage {
public:
    /// @param rate ticks per second [Hz]; without it the demo's, else the scene's
    /// @throws SceneError, InvalidParameter, FileError, tools::IoError
    explicit Stage(const Demo& demo, std::optional<double> rate = std::nullopt, const Memory& memory = {});
    /// A scene file that is no demo. @throws as above
    static std::unique_ptr<Stage> ofScene(const std::string& file, std::optional<double> rate,
                                          const Memory& memory = {});

    /// A robot scene, or a URDF or SDF file. @throws as loadRobotStage
    static std::unique_ptr<Stage> ofRobot(const std::string& file, std::optional<double> rate,
                                          const Memory& memory = {});
    /// A recording (.elrec), a robot or a scene, whichever the file is. @throws as those
    static std::unique_ptr<Stage> ofFile(const std::string& file, std::optional<double> rate,
                                         const Memory& memory = {});

    /// A recorded run: it lies ahead, up to its last tick, and is compared with the recording on the way.
    /// @throws FileError, play::RecordingError with one message that names the file
    static std::unique_ptr<Stage> ofRecording(const std::filesystem::path& file, const Memory& memory = {});

    /// The same demo with another scene, from its start, at the same rate; what is selected stays so.
    /// @throws InvalidParameter
    std::unique_ptr<Stage> withScene(Scene scene) const;
    /// The same run with one element more, which acts from the present tick on: what was until then is run again, so it
    /// takes the time of as many ticks. @throws InvalidParameter
    std::unique_ptr<Stage> withElement(const SceneElement& element) const;
    /// Is seen as another run of the same demo is: camera, what is followed, speed, playing or not.
    void showLike(const Stage& other);

    const Demo& demo() const { return m_demo; }
    const std::vector<std::string>& warnings() const { return m_warnings; }  ///< of its files
    bool isOfRobot() const { return m_isOfRobot; }                           ///< of a robot of one's own
    /// Whether it is no recording and no scene file.
    bool isOfDemo() const { return m_file.empty() && !m_recordedTicks && findDemo(m_demo.name) != nullptr; }
    /// Of the demo, or of the scene or robot in the file.
    const std::string& title() const { return m_demo.title; }
    /// The file that is shown; empty: a demo.
    const std::filesystem::path& file() const { return m_file; }
    /// Where it starts over, as nobody has touched it [s]; nothing: it goes on.
    std::optional<double> startsOverAt() const;
    /// Whether somebody has paused it, thrown, dragged or edited anything.
    bool isTouched() const { return (!m_isPlaying && !m_hasStopped) || !m_session->inputs().empty(); }
    play::Session& session() { return *m_session; }
    const play::Session& session() const { return *m_session; }

    // --- Time ---
    bool isPlaying() const { return m_isPlaying; }
    void setPlaying(bool isPlaying);
    double speed() const { return m_speed; }
    void setSpeed(double speed) { m_speed = speed; }
    /// Whether time slows down by itself in a tick in which an element begins to push: the tick is seen from its start
    /// to its end in a second and a half, then time goes on as fast as before for at least as long.
    void lookInside(bool isOn) { m_looksInside = isOn; }
    /// speed(), or that at which the inside of a tick is shown.
    double shownSpeed() const;
    /// Real time passes: as many ticks as it takes, but not more than `limit`.
    /// @return ticks computed
    long pass(double seconds, long limit = 1000000);
    /// The end of the present tick, after a joint was placed there.
    void showTick();
    void stepForward();
    void stepBack();
    void restart(std::optional<double> rate = std::nullopt);
    void seek(long tick);
    /// Goes to a time that may lie inside a tick [s].
    void seekTime(double time);
    /// The shown instant [s]; inside a tick while time passes slowly.
    double shownTime() const { return m_moment.time; }

    // --- Seen ---
    int selected() const { return m_selected; }
    void select(int element) { m_selected = element; }
    /// Selects the element that moves a link of a guest, with play if there are several; nothing for other bodies.
    void selectElementOf(int body);
    std::optional<int> followed() const { return m_followed; }
    void follow(std::optional<int> body);
    /// What the demo follows, and the home view as it was framed last.
    void goHome();
    view::Camera& camera() { return m_camera; }
    const view::Camera& camera() const { return m_camera; }
    /// Sets the home view for a picture of this shape (width / height).
    /// @param box what is to be seen [m]; empty: the scene
    void frameHome(double aspect, const Eigen::AlignedBox3d& box = Eigen::AlignedBox3d());
    const Moment& moment() const { return m_moment; }
    SceneDrawing& drawing() { return *m_drawing; }
    const SceneDrawing& drawing() const { return *m_drawing; }
    const std::vector<Law>& laws() const { return m_laws; }  ///< of the elements, as last drawn
    /// Fills picture and labels with the shown instant.
    void draw(DrawingOptions options, view::Picture& picture, std::vector<Label>& labels);

private:
    Stage(Demo demo, Scene scene, const play::SessionOptions& options);
    void followDemo();
    long endTick() const;
    void noteForces();
    /// A run of the same demo with a scene like this one's, from its start.
    std::unique_ptr<Stage> sibling(Scene scene) const;
    /// Whether something was hit in the last tick: contact of an element began at a twentieth of its highest speed at
    /// least. What comes to rest touches again and again, and is not worth to be looked at.
    bool hasHit();
    void toTick();
    /// What the demo calls its bodies.
    void nameBodies(std::vector<Label>& labels) const;
    void refresh();

    Demo m_demo;
    std::vector<std::string> m_warnings;
    bool m_isOfRobot = false;
    std::filesystem::path m_file;
    std::unique_ptr<play::Session> m_session;
    std::unique_ptr<SceneDrawing> m_drawing;
    std::unique_ptr<GuestDrawing> m_guests;
    TickClock m_clock;
    Moment m_moment;
    view::Camera m_camera;
    std::vector<Law> m_laws;
    std::vector<BodyPose> m_ghostPoses;
    bool m_isPlaying = true;
    bool m_hasStopped = false;  ///< at the end, once
    std::optional<long> m_recordedTicks;
    double m_speed = 1;
    bool m_looksInside = false;
    std::vector<double> m_fastestHits;  ///< by element, so far [m/s, rad/s]
    bool m_isInside = false;            ///< of a tick that is shown slowly
    double m_sinceInside = 1e9;         ///< [s] of who looks on
    int m_selected = -1;
    std::optional<int> m_followed;
    Eigen::Vector3f m_followedAt = Eigen::Vector3f::Zero();
    Eigen::Vector3f m_followedStart =
        Eigen::Vector3f::Zero();  ///< of what the demo follows: the home view belongs to it
};

}  // namespace elasto::gallery
