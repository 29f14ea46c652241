#pragma once
/// @file workspace.h
/// All panels together: what the window loop draws once a frame between ImGui::NewFrame and ImGui::Render.

#include "comparison_panel.h"
#include "context.h"
#include "demo_list.h"
#include "file_dialog.h"
#include "first_tour.h"
#include "joints_panel.h"
#include "law_panel.h"
#include "layout.h"
#include "loop_panel.h"
#include "notices.h"
#include "oscilloscope_panel.h"
#include "parameters_panel.h"
#include "plots_panel.h"
#include "settings.h"
#include "settings_window.h"
#include "signals.h"
#include "timeline_bar.h"
#include "trouble_window.h"

#include <functional>

namespace elasto::panels {

/// What a frame is made of, besides the session.
struct WorkspaceInput {
    std::span<const DemoEntry> demos;
    int demo = -1;                     ///< index of the present one
    std::span<const DemoEntry> files;  ///< of one's own, see DemoList
    DemoEntry caption;                 ///< what is said of it over the view; without a title nothing
    bool beginsWithJoints = false;     ///< joints of robots are shown before elements are
    Playback playback;
    RunFigures figures;
    double shownTime = 0;      ///< see Context [s]
    double screenScale = 1;    ///< that the screen asks for
    int body = -1;             ///< body that was selected in the view; -1: none
    std::string prompt;        ///< what the view waits for, or why it will not do; empty: nothing
    bool isPromptBad = false;  ///< why it will not do
    bool canUndo = false, canRedo = false;
    std::span<const ComparisonRow> comparison;
    std::string comparisonText;  ///< which signal is compared, with what
    ForeignCurves foreignCurves;
    /// Controls that the demo has of its own, below its caption; may be empty.
    std::function<void()> demoControls;
    /// File that an export is written to, from a name without ending, e.g. "spring_f" and ".csv".
    std::function<std::filesystem::path(const std::string& name, const char* ending)> exportFile;
};

class Workspace {
public:
    /// @param settings are changed by the user; the caller keeps them (Requests::areSettingsChanged)
    explicit Workspace(Settings& settings) : m_settings(settings) {}

    /// Draws everything for this session.
    /// @return what is to be done now
    const Requests& draw(play::Session& session, const WorkspaceInput& input);

    /// The part of the screen that the panels leave to the view, as the last frame had it [pixels].
    const Rect& view() const { return m_layout.view; }
    /// What lies over it for good: the toolbar [pixels].
    std::span<const Rect> overView() const { return m_overView; }
    const Layout& layout() const { return m_layout; }
    const Palette& palette() const { return paletteOf(m_settings.theme); }

    int element() const { return m_element; }  ///< selected element; -1: none
    void select(int element) { m_element = element; }
    Notices& notices() { return m_notices; }
    const Notices& notices() const { return m_notices; }
    LoopPanel& loop() { return m_loop; }
    PlotsPanel& plots() { return m_plots; }
    FileDialog& files() { return m_files; }
    const FileDialog& files() const { return m_files; }
    FirstTour& tour() { return m_tour; }
    const FirstTour& tour() const { return m_tour; }

    /// Actions that concern panels alone: help, search, themes, sizes of texts, panels, undo, redo, what lies on top.
    /// @return false if somebody else has to do it
    bool perform(Action action, play::Session& session);
    /// True where something lies over the view that Esc closes.
    bool hasTopLayer(const play::Session& session) const;
    /// To be called when another demo or session begins.
    void sessionChanged();

private:
    void drawColumns(const Context& context, const WorkspaceInput& input);
    void drawEdits(const Context& context);
    void drawAnalysis(const Context& context, const WorkspaceInput& input);
    /// What stands above the view: caption, or a card of the tour. The view begins below it.
    void placeStrip(const WorkspaceInput& input);
    float captionHeight(const WorkspaceInput& input, bool isWhole) const;
    void drawCaption(const WorkspaceInput& input);
    void drawDialogs(const WorkspaceInput& input);
    /// The windows that the keyboard goes round, in order.
    std::vector<const char*> keyboardStops() const;
    void moveKeyboard(int step);
    void leaveKeyboard();
    void drawToolbar(Requests& requests);
    /// Says what is being recorded: in the foreground, as notices, which no film shows.
    void drawRecordingMark(const std::string& name) const;
    /// The present window of Dear ImGui lies over the view.
    void noteOverView();
    void save(const CurveTable& table, const WorkspaceInput& input);
    void resize(double factor);
    void endTour();

    Settings& m_settings;
    Layout m_layout;
    Rect m_strip;                        ///< above the view
    std::optional<bool> m_wantsCaption;  ///< whole, or its title alone; nothing: as there is room
    bool m_isCaptionWhole = true;
    std::vector<Rect> m_overView;
    Requests m_requests;
    Signals m_signals;
    int m_element = -1;
    bool m_hasChosen = false;  ///< an element was selected for this session
    bool m_isHelpOpen = false;
    std::string m_keyboardAt;    ///< window that the keyboard was sent to; empty: it is not in the panels
    bool m_isInTrouble = false;  ///< its window was open in the last frame
    bool m_areSettingsOpen = false;
    NumberField m_settingsField;
    bool m_areSettingsChanged = false;  ///< by an action between two frames
    double m_screenScale = 1;

    DemoList m_demos;
    ParametersPanel m_parameters;
    JointsPanel m_joints;
    int m_joint = -1;            ///< selected joint of a robot; -1: none
    bool m_showsJoints = false;  ///< in the place of parameters
    PlotsPanel m_plots;
    OscilloscopePanel m_oscilloscope;
    LawPanel m_law;
    LoopPanel m_loop;
    ComparisonPanel m_comparison;
    TimelineBar m_timeline;
    TroubleWindow m_trouble;
    Notices m_notices;
    FileDialog m_files;
    FirstTour m_tour;
};

}  // namespace elasto::panels
