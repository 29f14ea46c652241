#include "gallery/gallery.h"

#include "print.h"
#include "suggestion.h"
#include "view/context.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <stdexcept>
#include <utility>

namespace elasto::gallery {

namespace {

const Demo& firstDemo(const Options& options, const panels::Settings& settings) {
    if (!options.demo.empty()) {
        if (const Demo* demo = findDemo(options.demo)) return *demo;
        std::vector<std::string> names;
        for (const Demo& demo : demos()) names.push_back(demo.name);
        throw std::invalid_argument("there is no demo '" + options.demo + "'" + tools::suggestion(options.demo, names) +
                                    "; elasto-gallery --list prints them");
    }
    if (options.mode == Options::Mode::Window && !options.tour) {
        if (const Demo* demo = findDemo(settings.lastDemo)) return *demo;
    }
    return demos().front();
}

panels::Settings withOptions(panels::Settings settings, const Options& options) {
    if (!options.theme.empty()) settings.theme = options.theme == "dark" ? panels::Theme::Dark : panels::Theme::Light;
    if (!options.shadows) settings.shadows = false;
    if (!options.multisampling) settings.multisampling = false;
    if (options.scale) settings.scale = *options.scale;
    if (!options.panels) settings.panels.all = settings.panels.caption = settings.panels.toolbar = false;
    return settings;
}

/// What is to be remembered: what the command line said holds for this run alone, unless the user has changed it since.
panels::Settings withoutOptions(panels::Settings now, const panels::Settings& begun, const panels::Settings& before) {
    const auto keep = [&](auto member) {
        if (member(now) == member(begun)) member(now) = member(before);
    };
    keep([](auto& settings) -> auto& { return settings.theme; });
    keep([](auto& settings) -> auto& { return settings.scale; });
    keep([](auto& settings) -> auto& { return settings.shadows; });
    keep([](auto& settings) -> auto& { return settings.multisampling; });
    keep([](auto& settings) -> auto& { return settings.panels.all; });
    keep([](auto& settings) -> auto& { return settings.panels.caption; });
    return now;
}

/// Processor time of this thread [s].
double threadTime() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void clear(ImU32 color) {
    const ImVec4 parts = ImGui::ColorConvertU32ToFloat4(color);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(parts.x, parts.y, parts.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

/// Width and height of the view [pixel]; never nothing.
std::pair<int, int> sizeOf(const FreeArea& area) {
    constexpr int kLeast = 16;
    return {std::max(kLeast, static_cast<int>(area.width())), std::max(kLeast, static_cast<int>(area.height()))};
}

}  // namespace

Gallery::Gallery(const Options& options, panels::Settings settings, GLFWwindow* window)
    : m_options(options),
      m_before(std::move(settings)),
      m_begun(withOptions(m_before, options)),
      m_settings(m_begun),
      m_gui(window),
      m_workspace(m_settings),
      m_renderer(view::findShaders()),
      m_target(options.width, options.height, 1) {
    for (const Demo& demo : demos()) {
        m_entries.push_back({demo.name, demo.title, demo.look, demo.press, demo.group});
    }
    if (!options.file.empty()) {
        m_stage = Stage::ofFile(options.file.string(), options.rate, memory());
    } else if (!options.robot.empty()) {
        m_stage = Stage::ofRobot(options.robot.string(), options.rate, memory());
    } else if (!options.scene.empty()) {
        m_stage = Stage::ofScene(options.scene.string(), options.rate, memory());
    } else {
        m_stage = std::make_unique<Stage>(firstDemo(options, m_settings), options.rate, memory());
    }
    begin();
    // Who names a demo or a file knows what they want.
    const bool isAsked = !options.demo.empty() || !options.scene.empty() || !options.robot.empty() ||
                         !options.file.empty() || options.tour;
    if (options.mode == Options::Mode::Window && !isAsked && !m_settings.hasSeenTour) m_workspace.tour().start();
}

Gallery::~Gallery() = default;

panels::Settings Gallery::settingsToKeep() const {
    return withoutOptions(m_settings, m_begun, m_before);
}

void Gallery::open(const Demo& demo) {
    if (!m_stage->isOfDemo() || m_stage->demo().name != demo.name) {
        if (auto left = m_left.extract(demo.name)) return comeBackTo(std::move(left.mapped()));
    }
    openWith([&] {
        auto stage = std::make_unique<Stage>(demo, m_options.rate, memory());
        m_settings.lastDemo = demo.name;
        m_areSettingsChanged = true;
        return stage;
    });
}

void Gallery::openFile(const std::filesystem::path& file) {
    openWith([&] { return Stage::ofFile(file.string(), m_options.rate, memory()); });
}

std::string Gallery::title() const {
    return "Elasto gallery - " + m_stage->title();
}

bool Gallery::isStill() const {
    const ImGuiIO& io = ImGui::GetIO();
    const bool isHeld = io.MouseDown[0] || io.MouseDown[1] || io.MouseDown[2];
    return !m_stage->isPlaying() && !isHeld && !io.WantTextInput && !isFilming() && !m_pictureFile &&
           m_workspace.notices().empty() && !m_comparison->isBehind(m_stage->session());
}

/// The list of one's own files begins with the one that is shown.
void Gallery::noteFile() {
    constexpr std::size_t kKept = 10, kListed = 4;
    std::vector<std::string>& recent = m_settings.recentFiles;
    const std::string shown = m_stage->file().empty() ? "" : wholePath(m_stage->file());
    if (!shown.empty()) {
        std::erase(recent, shown);
        recent.insert(recent.begin(), shown);
        if (recent.size() > kKept) recent.resize(kKept);
        m_areSettingsChanged = true;
    }
    m_files.clear();
    for (const std::string& file : recent) {
        const bool isShown = file == shown;
        const std::string name = std::filesystem::path(file).filename().string();
        m_files.push_back(
            {file, isShown && m_stage->title() != m_stage->demo().name ? m_stage->title() + " (" + name + ")" : name,
             file, "", ""});
        if (m_files.size() == kListed) break;
    }
}

bool Gallery::isEdited() const {
    return m_history.isEdited() || m_stage->session().canUndo();
}

void Gallery::leave() {
    if (!isEdited() || !m_stage->isOfDemo()) return;
    Left& left = m_left[m_stage->demo().name];
    left = {std::move(m_stage), std::move(m_history)};
}

void Gallery::comeBackTo(Left left) {
    leave();
    m_stage = std::move(left.stage);
    begin();
    m_history = std::move(left.history);
    m_isFramed = true;
    m_settings.lastDemo = m_stage->demo().name;
    m_areSettingsChanged = true;
    say(fmt::format("As you left it. {} takes back your edits; opened again from the list, the demo begins anew.",
                    panels::keysOf(panels::Action::Undo)));
}

void Gallery::openWith(const std::function<std::unique_ptr<Stage>()>& make) {
    try {
        std::unique_ptr<Stage> next = make();
        const bool isSame =
            isEdited() && m_stage->isOfDemo() && next->isOfDemo() && next->demo().name == m_stage->demo().name;
        if (!isSame) leave();
        std::unique_ptr<Stage> before = std::exchange(m_stage, std::move(next));
        StageHistory history = std::move(m_history);
        begin();
        if (!isSame) return;
        m_history = std::move(history);
        m_history.note(std::move(before), *m_stage);
        say(fmt::format("The demo begins anew; {} brings back your edits.", panels::keysOf(panels::Action::Undo)));
    } catch (const std::exception& error) {
        say(error.what(), panels::Notices::Kind::Bad);
    }
}

void Gallery::begin() {
    if (m_options.speed) m_stage->setSpeed(*m_options.speed);
    m_comparison.reset();
    meetStage();
    noteFile();
    m_workspace.notices().clear();
    sayWarnings();
    m_history = {};
    m_isFramed = false;
    m_settings.analysis = m_stage->demo().analysis;
    // Plots begin with the last two seconds on the clock of who looks.
    m_workspace.plots().setWindow(2 * std::min(1.0, m_stage->speed()));
}

/// What was assumed of its files goes to standard error, and the first of it into the window.
void Gallery::sayWarnings() {
    const std::vector<std::string>& warnings = m_stage->warnings();
    for (const std::string& warning : warnings) tools::printTo(stderr, "elasto-gallery: warning: " + warning + "\n");
    if (warnings.empty() || m_options.mode != Options::Mode::Window) return;
    const std::size_t more = warnings.size() - 1;
    say(warnings.front() + (more > 0 ? fmt::format(" (and {} more; standard error has them)", more) : ""));
}

void Gallery::meetStage() {
    const bool isCompared = m_comparison && m_comparison->isOn();
    m_comparison = std::make_unique<Comparison>(m_stage->demo().baselines, m_stage->demo().baselineOffset);
    if (isCompared) m_comparison->setOn(true);
    m_mouse.reset();
    m_placer.end();
    m_motors = {};
    m_workspace.sessionChanged();
    m_workspace.loop().begin(m_stage->demo().loopOfLoad, m_stage->demo().loopSpan);
    m_workspace.select(m_stage->selected());
}

std::unique_ptr<Stage> Gallery::exchange(std::unique_ptr<Stage> next) {
    next->showLike(*m_stage);
    std::unique_ptr<Stage> before = std::exchange(m_stage, std::move(next));
    meetStage();
    return before;
}

FreeArea Gallery::viewArea() const {
    const panels::Rect& view = m_workspace.view();
    return {view.left, view.top, view.right(), view.bottom()};
}

void Gallery::prepare(double seconds, int width, int height) {
    const double scale = m_settings.scale > 0 ? m_settings.scale : m_screenScale;
    const ImVec2 screen = {static_cast<float>(width), static_cast<float>(height)};
    const double fitting = panels::fittingScale(scale, screen, m_settings.panels);
    m_gui.setLook(m_settings.theme, static_cast<float>(fitting));
    // Who asked for another size is told why there is none.
    if (m_settings.scale != std::exchange(m_seenScale, m_settings.scale) && m_settings.scale > fitting) {
        say(fmt::format("All panels fit into this window at scale {:.2f}, not {:.2f}; {} hides them.", fitting,
                        m_settings.scale, panels::keysOf(panels::Action::TogglePanels)));
    }
    m_gui.begin(width, height, static_cast<float>(seconds));
    try {
        if (m_isFramed) moveMouse();
        const auto start = std::chrono::steady_clock::now();
        const double threadStart = threadTime();
        m_stage->lookInside(m_settings.lookInside);
        m_ticks = m_stage->pass(seconds, m_tickLimit);
        m_processorTime = threadTime() - threadStart;
        m_computingTime = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        m_comparison->follow(m_stage->session(), m_options.mode != Options::Mode::Window);
    } catch (const std::exception& error) {
        m_stage->setPlaying(false);
        say(error.what(), panels::Notices::Kind::Bad);
    }
    drawPanels();
    fillPicture();
    drawLabels(m_labels, m_stage->camera(), viewArea(), m_workspace.overView(), m_workspace.palette());
    const auto body = static_cast<std::size_t>(m_mouse.selectedBody());
    if (m_mouse.selectedBody() < 0 || body >= m_stage->moment().bodies.size() || m_stage->session().isParked(body))
        return;
    const double radius =
        m_stage->session().isBall(body) ? m_stage->session().ballSize().radius : 0.05 * m_stage->drawing().size();
    drawWayTo(m_stage->moment().bodies[body].position, radius, m_stage->session().bodyName(m_mouse.selectedBody()),
              m_stage->camera(), viewArea(), m_workspace.palette());
}

void Gallery::layOut(int width, int height) {
    prepare(0, width, height);
    ImGui::EndFrame();
}

void Gallery::frame(double seconds, unsigned framebuffer, int width, int height) {
    prepare(seconds, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    clear(m_workspace.palette().background);
    drawView(framebuffer, height);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    m_gui.end([&] { takePictures(framebuffer, width, height); });
}

void Gallery::moveMouse() {
    const ImGuiIO& io = ImGui::GetIO();
    const MouseState mouse{.x = io.MousePos.x,
                           .y = io.MousePos.y,
                           .wheel = io.MouseWheel,
                           .left = io.MouseDown[0],
                           .middle = io.MouseDown[2],
                           .right = io.MouseDown[1],
                           .control = io.KeyCtrl,
                           .isOverPanels = io.WantCaptureMouse,
                           .isChoosing = m_placer.isActive()};
    const int before = m_stage->selected();
    m_mouse.update(mouse, viewArea(), m_picture, *m_stage);
    if (m_placer.isActive()) {
        m_placer.point(m_mouse.ray(viewArea(), *m_stage), m_picture, *m_stage);
        if (m_mouse.takeClick()) {
            if (std::optional<SceneElement> stop = m_placer.click(*m_stage)) addStop(std::move(*stop));
        }
    }
    if (m_stage->selected() != before) m_workspace.select(m_stage->selected());
}

void Gallery::drawPanels() {
    panels::WorkspaceInput input;
    input.demos = m_entries;
    input.demo = demoIndex();
    const Demo& shown = m_stage->demo();
    input.caption = {shown.name, shown.title, shown.look, shown.press, shown.group};
    input.beginsWithJoints = m_stage->isOfRobot();
    input.files = m_files;
    input.playback = {
        .isPlaying = m_stage->isPlaying(), .speed = m_stage->shownSpeed(), .startsOverAt = m_stage->startsOverAt()};
    input.figures = m_figures;
    input.figures.renderer = view::rendererName();
    input.figures.recording = m_film ? m_filmName.filename().string() : "";
    input.figures.slowsAtHits = m_settings.lookInside;
    if (m_stage->followed()) input.figures.followed = m_stage->session().bodyName(*m_stage->followed());
    input.shownTime = m_stage->shownTime();
    input.screenScale = m_screenScale;
    const panels::Palette& palette = m_workspace.palette();
    input.comparison = m_comparison->rows(m_stage->session(), palette);
    input.comparisonText = m_comparison->explanation(m_stage->session());
    input.foreignCurves = [&](int element, play::Quantity quantity) {
        return m_comparison->curves(m_stage->session(), element, quantity, palette);
    };
    input.exportFile = [this](const std::string& name, const char* ending) { return freshFile(name, ending); };
    if (!m_stage->demo().motors.empty()) input.demoControls = [&] { m_motors.draw(m_stage->demo()); };
    input.body = m_mouse.selectedBody();
    input.prompt = m_placer.prompt();
    input.isPromptBad = m_placer.isRefused();
    input.canUndo = m_stage->session().canUndo() || m_history.undoes(*m_stage);
    input.canRedo = m_stage->session().canRedo() || m_history.redoes(*m_stage);
    const panels::Requests requests = m_workspace.draw(m_stage->session(), input);
    m_stage->select(m_workspace.element());
    m_motors.run(*m_stage);
    obey(requests);
}

void Gallery::obey(const panels::Requests& requests) {
    try {
        for (const panels::Action action : requests.actions) perform(action);
        if (requests.pause) m_stage->setPlaying(false);
        if (requests.isPosed) m_stage->showTick();
        if (requests.time) m_stage->seekTime(*requests.time);
        if (requests.speed) m_stage->setSpeed(*requests.speed);
        if (requests.rate) restart(*requests.rate);
        if (requests.picture) m_plotPicture = requests.picture;
        if (requests.areSettingsChanged) m_areSettingsChanged = true;
        if (requests.demo) {
            if (const Demo* demo = findDemo(*requests.demo)) open(*demo);
        }
        if (requests.file) openFile(*requests.file);
        if (requests.saveAs) {
            const std::filesystem::path folder = requests.saveAs->parent_path();
            m_areSettingsChanged = m_areSettingsChanged || m_settings.folder != folder;
            m_settings.folder = folder.string();
            save(*requests.saveAs);
        }
    } catch (const std::exception& error) {
        m_stage->setPlaying(false);
        say(error.what(), panels::Notices::Kind::Bad);
    }
}

void Gallery::fillPicture() {
    // Another lane, or one less, is another thing to be seen.
    const int lanes = m_comparison->lanes();
    if (!m_isFramed || lanes != std::exchange(m_framedLanes, lanes)) {
        const auto [wide, high] = sizeOf(viewArea());
        m_stage->frameHome(static_cast<double>(wide) / high, m_comparison->withBaselines(m_stage->drawing().bounds()));
        m_isFramed = true;
    }
    const DrawingOptions drawing{.forces = m_settings.forces,
                                 .forceScale = m_settings.forceScale / std::max(1.0, m_stage->demo().zoom),
                                 .labels = m_settings.labels,
                                 .hoveredBody = m_mouse.hoveredBody(),
                                 .selectedBody = m_mouse.selectedBody()};
    m_stage->draw(drawing, m_picture, m_labels);
    m_placer.draw(*m_stage, m_picture);
    m_comparison->draw(m_stage->session(), m_stage->drawing(), m_stage->laws(), drawing, m_picture, m_labels);
}

void Gallery::drawView(unsigned framebuffer, int height) {
    const FreeArea area = viewArea();
    const auto [wide, high] = sizeOf(area);
    m_target.resize(wide, high, m_settings.multisampling ? 4 : 1);
    view::Quality quality =
        m_options.mode == Options::Mode::Window ? view::Quality::interactive() : view::Quality::best();
    if (!m_settings.shadows) quality.shadows = view::Shadows::Off;
    const bool isDark = m_settings.theme == panels::Theme::Dark;
    m_renderer.draw(m_picture, m_stage->camera(), isDark ? view::Light::dark() : view::Light::bright(), quality,
                    m_target);
    m_target.copyInto(framebuffer, static_cast<int>(area.left), static_cast<int>(area.top), height);
}

int Gallery::demoIndex() const {
    if (!m_stage->file().empty()) return -1;
    const std::vector<Demo>& all = demos();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].name == m_stage->demo().name) return static_cast<int>(i);
    }
    return -1;
}

void Gallery::moveDemo(int by) {
    const std::vector<Demo>& all = demos();
    const auto count = static_cast<int>(all.size());
    const int here = demoIndex();
    const int index = here < 0 ? 0 : here + by;
    open(all[static_cast<std::size_t>((index % count + count) % count)]);
}

void Gallery::say(const std::string& text, panels::Notices::Kind kind) {
    m_workspace.notices().say(text, kind);
}

}  // namespace elasto::gallery
