#include "workspace.h"

#include "help_overlay.h"
#include "splitters.h"
#include "status_bar.h"
#include "widgets.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>

namespace elasto::panels {

namespace {

/// A panel that stands where the layout wants it; drawn while it lives.
class Panel {
public:
    Panel(const char* name, const Rect& rect) {
        ImGui::SetNextWindowPos(rect.corner());
        ImGui::SetNextWindowSize(rect.size());
        ImGui::Begin(name, nullptr, kFixedWindow);
        receiveKeyboard();
    }
    ~Panel() { ImGui::End(); }
    Panel(const Panel&) = delete;
    Panel& operator=(const Panel&) = delete;
};

constexpr struct {
    Analysis analysis;
    const char* name;
    const char* help;
} kTabs[] = {
    {Analysis::Law, "Law", "The force law over (s_rel, v_rel), and which branch of it acts"},
    {Analysis::Oscilloscope, "Oscilloscope", "Force and deflection inside the last ticks"},
    {Analysis::Loop, "Loop", "Force over displacement"},
    {Analysis::Comparison, "Compare", "The same scene by Bullet's own ways, and the error of each"},
};

/// The element that is worth to be looked at first: one that can part.
int firstChoice(const std::vector<play::PlayedElement>& elements) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (reduced(elements[i].law).kind == ReducedLaw::Kind::Contact) return static_cast<int>(i);
    }
    return elements.empty() ? -1 : 0;
}

}  // namespace

void Workspace::sessionChanged() {
    m_element = -1;
    m_hasChosen = false;
    m_trouble.close();
    m_parameters.reset();
    m_joints.reset();
    m_joint = -1;
    m_signals = {};
    m_oscilloscope = {};
    m_law = {};
    m_loop = {};
}

void Workspace::resize(double factor) {
    const double present = m_settings.scale > 0 ? m_settings.scale : m_screenScale;
    m_settings.scale = std::clamp(std::round(present * factor * 20) / 20, 0.5, 4.);
    m_areSettingsChanged = true;
}

bool Workspace::hasTopLayer(const play::Session& session) const {
    return m_isHelpOpen || m_areSettingsOpen || m_files.isOpen() || m_tour.isOpen() || m_trouble.isOpen(session) ||
           isKeyboardInPanels();
}

bool Workspace::perform(Action action, play::Session& session) {
    switch (action) {
        case Action::Help:
            m_isHelpOpen = !m_isHelpOpen;
            return true;
        case Action::CloseTop:
            if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return true;  // Dear ImGui closes it
            if (m_isHelpOpen) {
                m_isHelpOpen = false;
            } else if (m_files.isOpen()) {
                m_files.close();
            } else if (m_areSettingsOpen) {
                m_areSettingsOpen = false;
            } else if (m_tour.isOpen()) {
                endTour();
            } else if (m_trouble.isOpen(session)) {
                m_trouble.close();
            } else {
                leaveKeyboard();
            }
            return true;
        case Action::NextPanel:
            moveKeyboard(1);
            return true;
        case Action::PreviousPanel:
            moveKeyboard(-1);
            return true;
        case Action::SearchDemos:
            m_settings.panels.all = m_settings.panels.demos = m_settings.panels.toolbar = true;
            m_demos.focusSearch();
            return true;
        case Action::TogglePanels:
            m_settings.panels.all = !m_settings.panels.all;
            m_settings.panels.toolbar |= m_settings.panels.all;
            break;
        case Action::SwitchTheme:
            m_settings.theme = m_settings.theme == Theme::Dark ? Theme::Light : Theme::Dark;
            break;
        case Action::LargerText:
            resize(1.1);
            return true;
        case Action::SmallerText:
            resize(1 / 1.1);
            return true;
        case Action::NormalText:
            m_settings.scale = 0;
            break;
        case Action::ShowForces:
            m_settings.forces = !m_settings.forces;
            break;
        case Action::LookInside:
            m_settings.lookInside = !m_settings.lookInside;
            m_notices.say(m_settings.lookInside ? "Time slows down where something is hit; " +
                                                      keysOf(Action::LookInside) + " lets it pass as before."
                                                : "Time passes as fast where something is hit.");
            break;
        case Action::ShowLabels:
            m_settings.labels = !m_settings.labels;
            break;
        case Action::Undo:
        case Action::Redo:
            if (!(action == Action::Undo ? session.canUndo() : session.canRedo())) return false;
            try {
                action == Action::Undo ? session.undo() : session.redo();
            } catch (const std::exception& refusal) {
                m_trouble.refuse(refusal.what());
            }
            return true;
        case Action::DismissGhosts:
            session.dismissGhosts();
            return true;
        default:
            return false;
    }
    m_areSettingsChanged = true;
    return true;
}

const Requests& Workspace::draw(play::Session& session, const WorkspaceInput& input) {
    m_requests.clear();
    m_requests.areSettingsChanged = std::exchange(m_areSettingsChanged, false);
    m_screenScale = input.screenScale;
    const std::size_t elements = session.elements().size();
    if (m_element >= static_cast<int>(elements)) m_element = -1;
    if (!m_hasChosen && m_element < 0) m_element = firstChoice(session.elements());
    if (!m_hasChosen) {
        m_showsJoints = input.beginsWithJoints;
        m_joint = input.beginsWithJoints && !session.joints().empty() ? 0 : -1;
    }
    m_hasChosen = true;
    m_layout = layOut(ImGui::GetIO().DisplaySize, scaleNow(), m_settings);
    placeStrip(input);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && isKeyboardInPanels()) leaveKeyboard();
    m_signals.update(session);
    Context context{session, palette(), input.playback, input.shownTime, m_element, m_requests};
    if (static_cast<std::size_t>(input.body + 1) <= session.bodies()) context.body = input.body;
    context.canUndo = input.canUndo;
    context.canRedo = input.canRedo;
    context.joint = m_joint;
    // Slow motion goes into the tick: then the element's own solution is read there.
    SceneSample inside;
    const double h = session.tickLength();
    const double back = session.time() - input.shownTime;
    const bool isInside = session.tick() > 0 && back > 1e-9 * h && back <= h;
    if (isInside) inside = session.inside(h - back);
    const SceneSample& shown = isInside ? inside : session.sample();
    // A copy: panels that edit make the session read its sample anew.
    ElementSample now;
    if (m_element >= 0) {
        now = shown.elements.at(static_cast<std::size_t>(m_element));
        context.now = &now;
    }
    BodyState bodyNow;
    if (context.body >= 0 && static_cast<std::size_t>(context.body) < shown.bodies.size()) {
        bodyNow = shown.bodies[static_cast<std::size_t>(context.body)];
        context.bodyNow = &bodyNow;
    }

    // It costs time in each tick; what it needs of the past it finds again.
    const bool hasOscilloscope = m_layout.analysis.isShown() && m_settings.analysis == Analysis::Oscilloscope;
    if (!hasOscilloscope) session.unwatch();
    drawColumns(context, input);
    if (m_requests.joint) m_joint = *m_requests.joint;
    m_overView.clear();
    if (m_strip.isShown() && !m_tour.isOpen()) drawCaption(input);
    if (m_settings.panels.toolbar) drawToolbar(m_requests);
    if (m_settings.panels.all && dragSplitters(m_layout, palette(), m_settings)) m_requests.areSettingsChanged = true;
    m_trouble.draw(context, m_layout.view.middle());
    m_isInTrouble = m_trouble.isOpen(session);
    drawDialogs(input);
    // In the foreground, which pictures and films leave out; but below dialogs.
    ImDrawList& list = hasTopLayer(session) ? *ImGui::GetBackgroundDrawList() : *ImGui::GetForegroundDrawList();
    ImVec2 bottom = {m_layout.view.middle().x, m_layout.view.bottom()};
    if (!input.prompt.empty()) {
        bottom.y = drawBubble(list, bottom, m_layout.view.width, input.prompt,
                              input.isPromptBad ? palette().bad : palette().accent, palette());
    }
    m_notices.draw(list, bottom, m_layout.view.width, palette());
    if (!input.figures.recording.empty()) drawRecordingMark(input.figures.recording);
    return m_requests;
}

void Workspace::drawDialogs(const WorkspaceInput& input) {
    if (m_tour.isOpen()) {
        m_tour.draw(m_strip, m_layout, palette());
        if (!m_tour.isOpen()) endTour();
    }
    if (m_areSettingsOpen) {
        m_areSettingsOpen = drawSettings(palette(), m_settings, input.screenScale, m_settingsField, m_requests);
    }
    if (m_requests.tour) m_tour.start();
    if (const std::optional<std::filesystem::path> file = m_files.draw(m_settings.recentFiles, palette())) {
        (m_files.purpose() == FileDialog::Purpose::Open ? m_requests.file : m_requests.saveAs) = file;
        m_files.close();
    }
    if (m_isHelpOpen) m_isHelpOpen = drawHelp(palette());
}

std::vector<const char*> Workspace::keyboardStops() const {
    std::vector<const char*> stops;
    const auto add = [&](bool isShown, const char* name) {
        if (isShown) stops.push_back(name);
    };
    // What lies on top has the keyboard to itself.
    add(m_isHelpOpen, "help");
    add(m_areSettingsOpen, "settings");
    add(m_files.isOpen(), "file");
    if (!stops.empty()) return stops;
    add(m_isInTrouble, "trouble");
    add(m_tour.isOpen(), "tour");
    add(m_layout.demos.isShown(), "demos");
    add(m_layout.parameters.isShown(), "parameters");
    add(m_layout.plots.isShown(), "plots");
    add(m_layout.analysis.isShown(), "analysis");
    add(m_layout.timeline.isShown(), "timeline");
    add(m_settings.panels.toolbar, "toolbar");
    add(m_strip.isShown() && !m_tour.isOpen(), "caption");
    return stops;
}

void Workspace::moveKeyboard(int step) {
    const std::vector<const char*> stops = keyboardStops();
    if (stops.empty()) return;
    const auto found = std::find(stops.begin(), stops.end(), m_keyboardAt);
    const auto count = static_cast<int>(stops.size());
    const int present = found != stops.end() ? static_cast<int>(found - stops.begin()) : step > 0 ? -1 : count;
    m_keyboardAt = stops[static_cast<std::size_t>((present + step + count) % count)];
    ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    sendKeyboardTo(m_keyboardAt.c_str());
}

void Workspace::leaveKeyboard() {
    ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    ImGui::GetCurrentContext()->NavDisableHighlight = true;
    ImGui::FocusWindow(nullptr);
    m_keyboardAt.clear();
}

void Workspace::endTour() {
    m_tour.close();
    m_settings.hasSeenTour = true;
    m_areSettingsChanged = true;
}

void Workspace::drawColumns(const Context& context, const WorkspaceInput& input) {
    if (m_layout.demos.isShown()) {
        const Panel panel("demos", m_layout.demos);
        m_demos.draw(context, input.demos, input.demo, input.files);
    }
    if (m_layout.parameters.isShown()) {
        const Panel panel("parameters", m_layout.parameters);
        drawEdits(context);
    }
    if (m_layout.plots.isShown()) {
        const Panel panel("plots", m_layout.plots);
        if (const std::optional<CurveTable> table = m_plots.draw(context, m_signals, input.foreignCurves)) {
            save(*table, input);
        }
    }
    if (m_layout.analysis.isShown()) {
        const Panel panel("analysis", m_layout.analysis);
        drawAnalysis(context, input);
    }
    if (m_layout.timeline.isShown()) {
        const Panel panel("timeline", m_layout.timeline);
        m_timeline.draw(context);
    }
    if (m_layout.status.isShown()) {
        const Panel panel("status", m_layout.status);
        drawStatusBar(context, input.figures);
    }
}

/// What one edits: elements, and where there are robots, their joints.
void Workspace::drawEdits(const Context& context) {
    if (!context.session.joints().empty()) {
        if (tabButton("Joints", m_showsJoints, palette())) m_showsJoints = true;
        ImGui::SameLine(0, 2 * scaleNow());
        if (tabButton("Elements", !m_showsJoints, palette())) m_showsJoints = false;
        if (m_showsJoints) return m_joints.draw(context);
    }
    m_parameters.draw(context);
}

void Workspace::drawAnalysis(const Context& context, const WorkspaceInput& input) {
    for (const auto& tab : kTabs) {
        if (tabButton(tab.name, m_settings.analysis == tab.analysis, palette())) {
            m_settings.analysis = tab.analysis;
            context.requests.areSettingsChanged = true;
        }
        tip(tab.help);
        ImGui::SameLine(0, 2 * scaleNow());
    }
    ImGui::NewLine();
    std::optional<CurveTable> table;
    switch (m_settings.analysis) {
        case Analysis::Oscilloscope:
            table = m_oscilloscope.draw(context);
            break;
        case Analysis::Law:
            m_law.draw(context, m_signals);
            break;
        case Analysis::Loop:
            m_loop.draw(context, m_signals);
            break;
        case Analysis::Comparison:
            m_comparison.draw(context, input.comparison, input.comparisonText);
            break;
    }
    if (table) save(*table, input);
}

float Workspace::captionHeight(const WorkspaceInput& input, bool isWhole) const {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float wrap = std::max(1.f, m_layout.view.width - 2 * style.WindowPadding.x);
    float height = 2 * style.WindowPadding.y + ImGui::GetFrameHeight();
    if (isWhole) {
        for (const std::string& text : {input.caption.look, input.caption.press}) {
            if (text.empty()) continue;
            height += style.ItemSpacing.y + ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap).y;
        }
    }
    if (input.demoControls) height += style.ItemSpacing.y + ImGui::GetFrameHeight();
    return std::ceil(height);
}

void Workspace::placeStrip(const WorkspaceInput& input) {
    Rect& view = m_layout.view;
    m_strip = {};
    float height = 0;
    if (m_tour.isOpen()) {
        height = FirstTour::height(view.width);
    } else if (m_settings.panels.caption && !input.caption.title.empty()) {
        constexpr float kLargest = 0.25f, kLargestWanted = 0.6f;  // share of the view's height
        const float whole = captionHeight(input, true);
        m_isCaptionWhole = m_wantsCaption.value_or(whole <= kLargest * view.height);
        height = m_isCaptionWhole ? std::min(whole, kLargestWanted * view.height) : captionHeight(input, false);
    }
    height = std::min(height, view.height - 1);
    if (height <= 0) return;
    m_strip = {view.left, view.top, view.width, height};
    view.top += height;
    view.height -= height;
}

void Workspace::drawCaption(const WorkspaceInput& input) {
    const DemoEntry& demo = input.caption;
    const Panel panel("caption", m_strip);
    const char* fold = m_isCaptionWhole ? "less" : "more";
    const float button = ImGui::CalcTextSize(fold).x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::AlignTextToFramePadding();
    ImGui::PushFont(boldFont());
    textWithin(demo.title, ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x, palette().text);
    ImGui::PopFont();
    if (!m_isCaptionWhole) tip(demo.look + "\n\n" + demo.press);
    if (!demo.look.empty() || !demo.press.empty()) {
        ImGui::SameLine(ImGui::GetContentRegionMax().x - button);
        if (ImGui::Button(fold)) m_wantsCaption = !m_isCaptionWhole;
        tip(m_isCaptionWhole ? "The title alone" : "What to look at, and what to press");
    }
    if (m_isCaptionWhole) {
        if (!demo.look.empty()) ImGui::TextWrapped("%s", demo.look.c_str());
        ImGui::PushStyleColor(ImGuiCol_Text, palette().accent);
        if (!demo.press.empty()) ImGui::TextWrapped("%s", demo.press.c_str());
        ImGui::PopStyleColor();
    }
    if (input.demoControls) input.demoControls();
}

void Workspace::drawToolbar(Requests& requests) {
    const float side = ImGui::GetFrameHeight() * 1.1f;
    const float line = ImGui::GetTextLineHeight();
    ImGui::SetNextWindowPos({m_layout.view.right() - line, m_layout.view.top + line}, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowBgAlpha(0.8f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 6 * scaleNow());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {4 * scaleNow(), 4 * scaleNow()});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 2 * scaleNow()});
    ImGui::Begin("toolbar", nullptr,
                 kFixedWindow | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing);
    receiveKeyboard();
    const auto button = [&](const char* id, Icon icon, Action action, bool isOn = false) {
        if (iconButton(id, icon, tipOf(action).c_str(), side, palette(), isOn)) requests.actions.push_back(action);
    };
    button("home", Icon::Home, Action::HomeView);
    button("forces", Icon::Arrow, Action::ShowForces, m_settings.forces);
    button("stop", Icon::Stop, Action::AddStop);
    button("labels", Icon::Label, Action::ShowLabels, m_settings.labels);
    button("picture", Icon::Camera, Action::SavePicture);
    button("panels", Icon::Panels, Action::TogglePanels, m_settings.panels.all);
    if (iconButton("settings", Icon::Settings, "Settings", side, palette(), m_areSettingsOpen)) {
        m_areSettingsOpen = !m_areSettingsOpen;
        if (isKeyboardInPanels()) sendKeyboardTo("settings");
    }
    button("help", Icon::Help, Action::Help, m_isHelpOpen);
    noteOverView();
    ImGui::End();
    ImGui::PopStyleVar(3);
}

void Workspace::drawRecordingMark(const std::string& name) const {
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 size = ImGui::CalcTextSize(name.c_str());
    const ImVec2 low = {m_layout.view.middle().x - size.x / 2, m_layout.view.bottom() - 1.5f * line};
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.AddRectFilled({low.x - 1.6f * line, low.y - 0.2f * line}, {low.x + size.x + 0.5f * line, low.y + 1.2f * line},
                       faded(palette().panel, 0.8f), 0.3f * line);
    list.AddCircleFilled({low.x - 0.8f * line, low.y + 0.5f * line}, 0.35f * line, palette().bad);
    list.AddText(low, palette().text, name.c_str());
}

void Workspace::noteOverView() {
    const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    m_overView.push_back({corner.x, corner.y, size.x, size.y});
}

void Workspace::save(const CurveTable& table, const WorkspaceInput& input) {
    if (!input.exportFile) return;
    try {
        const std::filesystem::path file = input.exportFile(table.name, ".csv");
        writeCurves(file, table);
        m_notices.say("Saved " + std::filesystem::absolute(file).string(), Notices::Kind::Good);
    } catch (const std::exception& problem) {
        m_notices.say(std::string(problem.what()) + ". " + keysOf(Action::SaveAs) + " chooses another folder.",
                      Notices::Kind::Bad);
    }
}

}  // namespace elasto::panels
