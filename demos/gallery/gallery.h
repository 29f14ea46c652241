#pragma once
/// @file gallery.h
/// The gallery itself: the demo that runs, the view of it, the panels around it. With or without a window.

#include "gallery/comparison.h"
#include "gallery/film.h"
#include "gallery/gui.h"
#include "gallery/held_motors.h"
#include "gallery/mouse.h"
#include "gallery/options.h"
#include "gallery/stage.h"
#include "gallery/stage_history.h"
#include "gallery/stop_placer.h"
#include "gallery/view_overlay.h"
#include "panels/workspace.h"
#include "view/renderer.h"
#include "view/target.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace elasto::gallery {

class Gallery {
public:
    /// @param window whose events the panels take; nullptr: without a window
    /// @throws view::GraphicsError, tools::IoError, SceneError, InvalidParameter, std::invalid_argument
    Gallery(const Options& options, panels::Settings settings, GLFWwindow* window);
    ~Gallery();
    Gallery(const Gallery&) = delete;
    Gallery& operator=(const Gallery&) = delete;

    /// Opens a demo. One that cannot be opened leaves everything as it is, and says so in the view.
    void open(const Demo& demo);
    /// Opens a recording (.elrec), a robot or a scene file; one that cannot be opened likewise.
    void openFile(const std::filesystem::path& file);
    /// What a window's title is to say.
    std::string title() const;
    /// Whether another frame would show the same, and nothing is under way: time stands, nothing is held or said.
    bool isStill() const;
    Stage& stage() { return *m_stage; }
    const Stage& stage() const { return *m_stage; }
    Comparison& comparison() { return *m_comparison; }
    const Mouse& mouse() const { return m_mouse; }
    const StopPlacer& placer() const { return m_placer; }
    panels::Settings& settings() { return m_settings; }
    /// What the next start is to have: without what the command line said for this run.
    panels::Settings settingsToKeep() const;
    panels::Workspace& workspace() { return m_workspace; }
    const panels::Workspace& workspace() const { return m_workspace; }

    /// Lets real time pass and draws a frame into a framebuffer, which stays bound.
    /// @param seconds since the last frame [s]
    void frame(double seconds, unsigned framebuffer, int width, int height);
    /// Lays everything out for a frame of this size without drawing it: windows of Dear ImGui find their size in their
    /// first frame, and labels stand where the view was before.
    void layOut(int width, int height);
    /// Does what a key or a button asks for.
    void perform(panels::Action action);
    /// @return false for actions that have nothing to do with time or demos
    bool performInTime(panels::Action action);
    void performOnWindow(panels::Action action);
    /// @return false for actions that do not change or copy the scene
    bool performOnScene(panels::Action action);
    /// Says something at the lower edge of the view.
    void say(const std::string& text, panels::Notices::Kind kind = panels::Notices::Kind::Plain);

    /// Whether each frame goes into a film.
    bool isFilming() const { return m_film != nullptr; }
    /// Completes a film that is being made. @throws tools::IoError
    void endFilm();

    /// Whether somebody is at work on the demo: a tour waits until it is opened anew, or goes on if it was paused.
    bool isTouched() const { return m_stage->isTouched() || m_placer.isActive() || isEdited(); }
    bool wantsToQuit() const { return m_wantsToQuit; }
    bool wantsFullScreen() const { return m_settings.fullScreen; }
    /// Whether settings were changed since the last call.
    bool takeSettingsChanged() { return std::exchange(m_areSettingsChanged, false); }
    /// What the window measured; zero in pictures, which do not depend on a clock.
    void setFigures(const panels::RunFigures& figures) { m_figures = figures; }
    /// Pixels per pixel of an ordinary display.
    void setScreenScale(double scale) { m_screenScale = scale; }
    /// Most ticks that one frame may take.
    void setTickLimit(long limit) { m_tickLimit = limit; }
    long ticksOfLastFrame() const { return m_ticks; }
    double computingTime() const { return m_computingTime; }  ///< of the last frame's ticks, on the clock [s]
    double processorTime() const { return m_processorTime; }  ///< of these ticks, of this thread [s]
    /// Where the view is in the last frame.
    FreeArea viewArea() const;
    const view::Picture& picture() const { return m_picture; }

private:
    /// A demo as it was left for another one.
    struct Left {
        std::unique_ptr<Stage> stage;
        StageHistory history;
    };

    void openWith(const std::function<std::unique_ptr<Stage>()>& make);
    void begin();
    void sayWarnings();
    /// What belongs to the present run begins anew.
    void meetStage();
    bool isEdited() const;
    /// Keeps the run of a demo that was edited, for the time when it is opened again.
    void leave();
    void comeBackTo(Left left);
    /// Another run of the same demo takes the place of the present one, seen as it is. @return what was the present
    std::unique_ptr<Stage> exchange(std::unique_ptr<Stage> next);
    void undoScene();
    void redoScene();
    /// Starts again; at another rate nothing of the run stays.
    void restart(std::optional<double> rate = {});
    void selectNamed(const std::string& element);
    /// All of a frame that is not drawing.
    void prepare(double seconds, int width, int height);
    void moveMouse();
    void addStop(SceneElement stop);
    void removeElement();
    void copyElement(bool asCode);
    /// Where a file of that name goes that does not exist yet: name.png, name_2.png and so on.
    std::filesystem::path freshFile(const std::string& name, const char* ending) const;
    /// Saves a scene (.json), the run (.elrec) or a picture (.png), as the ending says.
    void save(const std::filesystem::path& file);
    void saveScene(const std::filesystem::path& file);
    void saveRecording(const std::filesystem::path& file);
    /// A file could not be written: says why, and asks for another place. The run goes on.
    void askForPlace(const std::filesystem::path& file, const std::string& why);
    void noteFile();
    Memory memory() const { return {m_settings.snapshotMegabytes, m_settings.historyMegabytes}; }
    void drawPanels();
    void obey(const panels::Requests& requests);
    void fillPicture();
    void drawView(unsigned framebuffer, int height);
    void moveDemo(int by);
    int demoIndex() const;
    void startFilm();
    void takePictures(unsigned framebuffer, int width, int height);
    void takePlotPicture(unsigned framebuffer);
    void savePlot(const std::filesystem::path& file);

    Options m_options;
    panels::Settings m_before;  ///< as the last run kept them
    panels::Settings m_begun;   ///< with what the command line says
    panels::Settings m_settings;
    Gui m_gui;
    panels::Workspace m_workspace;
    view::Renderer m_renderer;
    view::Target m_target;
    view::Picture m_picture;
    std::vector<Label> m_labels;
    std::vector<panels::DemoEntry> m_entries;
    std::vector<panels::DemoEntry> m_files;  ///< of one's own, the present one first
    std::unique_ptr<Stage> m_stage;
    std::unique_ptr<Comparison> m_comparison;
    Mouse m_mouse;
    StopPlacer m_placer;
    StageHistory m_history;
    std::map<std::string, Left> m_left;  ///< demos that were edited, by name
    HeldMotors m_motors;
    panels::RunFigures m_figures;
    double m_screenScale = 1;
    double m_seenScale = 0;  ///< of the settings, in the last frame
    long m_tickLimit = 1000000;
    long m_ticks = 0;
    double m_computingTime = 0;
    double m_processorTime = 0;
    bool m_isFramed = false;
    int m_framedLanes = 0;  ///< of the comparison, that the home view shows
    bool m_wantsToQuit = false;
    bool m_areSettingsChanged = false;
    // Pictures that are wanted when the frame is finished.
    std::optional<std::filesystem::path> m_pictureFile;
    std::optional<panels::PlotPicture> m_plotPicture;
    std::optional<view::Image> m_plotImage;  ///< of a plot that has no file yet
    std::unique_ptr<Film> m_film;
    std::filesystem::path m_filmName;
    int m_filmWidth = 0;
    int m_filmHeight = 0;
};

/// A file's whole path, for whoever looks for it.
std::string wholePath(const std::filesystem::path& file);
/// The pixels of a framebuffer. @param low upper left corner @param size [pixel]
view::Image readFramebuffer(unsigned framebuffer, int height, ImVec2 low, ImVec2 size);
}  // namespace elasto::gallery
