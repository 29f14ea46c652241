#include "gallery/stage.h"

#include "assets.h"
#include "gallery/robot_stage.h"
#include "play/recording.h"
#include "play/robot_file.h"
#include "play/stop_place.h"
#include "scene_input.h"
#include "tool_errors.h"

#include <elasto/scene/load_scene.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace elasto::gallery {

namespace {

constexpr double kInsideTime = 1.5;  ///< [s] in which a tick is seen, where something is hit in it

int elementNamed(const std::vector<play::PlayedElement>& elements, const std::string& name) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (elements[i].name == name) return static_cast<int>(i);
    }
    return elements.empty() ? -1 : 0;
}

std::filesystem::path sceneFileOf(const Demo& demo) {
    return tools::assetsFolder() / "scenes" / (demo.scene + ".json");
}

play::SessionOptions optionsWith(std::optional<double> rate, const Memory& memory) {
    play::SessionOptions options;
    options.rate = rate;
    options.snapshotMegabytes = memory.snapshotMegabytes;
    options.historyMegabytes = memory.historyMegabytes;
    return options;
}

/// The demo's guests join each world of the session. @param preparedBy what recordings call them
void addGuests(const Demo& demo, const std::string& preparedBy, play::SessionOptions& options) {
    if (!demo.guests) return;
    options.takesMultiBodies = true;
    options.preparedBy = preparedBy;
    options.prepare = demo.guests;
}

play::SessionOptions optionsOf(const Demo& demo, std::optional<double> rate, const Memory& memory) {
    play::SessionOptions options = optionsWith(rate ? rate : demo.rate, memory);
    addGuests(demo, demo.name, options);
    return options;
}

/// Whether a demo shows this scene, as it is in its file.
bool shows(const Demo& demo, const std::string& scene) {
    try {
        return writeScene(loadScene(sceneFileOf(demo))) == scene;
    } catch (const std::runtime_error&) {
        return false;  // it is said when that demo is opened
    }
}

/// A recorded run as a demo: seen as the demo in which it was made, if it was made in one. Of several with the same
/// scene it is the one that the file is named after.
Demo demoOf(const play::Recording& recording, const std::string& fileName) {
    Demo demo{.name = "recording",
              .title = recording.scene.name,
              .look = recording.scene.description,
              .press = "",
              .scene = ""};
    const std::string scene = writeScene(recording.scene);
    bool isFound = false;
    for (const Demo& known : demos()) {
        if ((isFound && !fileName.starts_with(known.name)) || !shows(known, scene)) continue;
        demo = known;
        isFound = true;
    }
    constexpr double kMostSeconds = 3600;
    const double seconds = std::min(static_cast<double>(recording.ticks()) / recording.rate, kMostSeconds);
    demo.pictureFrames = static_cast<int>(std::ceil(60 * seconds));
    demo.stopsAtEnd = true;
    demo.speed = 1;
    demo.baselines.clear();
    return demo;
}

/// Elements of guests come after those of the scene, which have become one more.
void moveBehind(int place, play::Action& action) {
    int* element = nullptr;
    if (auto* edit = std::get_if<play::ParameterEdit>(&action)) element = &edit->element;
    if (auto* change = std::get_if<play::ElementSwitch>(&action)) element = &change->element;
    if (element != nullptr && *element >= place) ++*element;
}

}  // namespace

Stage::Stage(const Demo& demo, std::optional<double> rate, const Memory& memory)
    : Stage(demo, loadScene(sceneFileOf(demo)), optionsOf(demo, rate, memory)) {}

std::unique_ptr<Stage> Stage::ofScene(const std::string& file, std::optional<double> rate, const Memory& memory) {
    const tools::SceneInput input(tools::findScene(file));
    if (input.isRobot()) {
        throw tools::InputError(
            input.file().string() +
            ": is a robot, and elasto-gallery --scene is for scenes; elasto-gallery --robot shows it");
    }
    Scene scene = input.scene();
    const std::filesystem::path path = input.file();
    Demo demo{.name = path.stem().string(), .title = scene.name, .look = scene.description, .press = "", .scene = file};
    std::unique_ptr<Stage> stage(new Stage(std::move(demo), std::move(scene), optionsWith(rate, memory)));
    stage->m_file = path;
    return stage;
}

std::unique_ptr<Stage> Stage::ofRobot(const std::string& file, std::optional<double> rate, const Memory& memory) {
    const std::filesystem::path path = tools::findScene(file);
    RobotStage robot = loadRobotStage(path);
    play::SessionOptions options = optionsWith(rate, memory);
    options.ballRadius = robot.ballRadius;
    options.ballMass = robot.ballMass;
    addGuests(robot.demo, play::preparedByRobot(path), options);
    std::unique_ptr<Stage> stage(new Stage(std::move(robot.demo), std::move(robot.scene), options));
    stage->m_warnings = std::move(robot.warnings);
    stage->m_isOfRobot = true;
    stage->m_file = path;
    return stage;
}

std::unique_ptr<Stage> Stage::ofFile(const std::string& file, std::optional<double> rate, const Memory& memory) {
    if (std::filesystem::path(file).extension() == ".elrec") return ofRecording(file, memory);
    const tools::SceneInput input(tools::findScene(file));
    if (play::isRecording(input.text())) return ofRecording(input.file(), memory);
    return input.isRobot() ? ofRobot(file, rate, memory) : ofScene(file, rate, memory);
}

std::unique_ptr<Stage> Stage::ofRecording(const std::filesystem::path& file, const Memory& memory) {
    play::Recording recording = play::loadRecording(file);
    const Demo* preparedBy = findDemo(recording.prepared);
    const std::filesystem::path robotFile = play::robotThatPrepared(recording.prepared);
    try {
        play::requireRunnable(recording, preparedBy != nullptr || !robotFile.empty());
    } catch (const play::RecordingError& error) {
        throw play::RecordingError(file.string() + ": " + error.what());
    }
    play::SessionOptions options = play::optionsOf(recording);
    options.snapshotMegabytes = memory.snapshotMegabytes;
    options.historyMegabytes = memory.historyMegabytes;
    Demo demo = demoOf(recording, file.filename().string());
    if (preparedBy != nullptr) demo.guests = preparedBy->guests;
    if (!robotFile.empty()) {
        Demo robot = loadRobotStage(robotFile).demo;
        demo.guests = std::move(robot.guests);
        demo.followed = robot.followed;
        demo.azimuth = robot.azimuth;
    }
    addGuests(demo, recording.prepared, options);
    std::unique_ptr<Stage> stage(new Stage(std::move(demo), std::move(recording.scene), options));
    stage->m_recordedTicks = recording.ticks();
    stage->m_file = file;
    stage->m_session->takeOver(std::move(recording.inputs), std::move(recording.marks));
    stage->refresh();
    return stage;
}

std::unique_ptr<Stage> Stage::sibling(Scene scene) const {
    play::SessionOptions options =
        optionsWith(m_session->rate(), {m_session->snapshots().budgetMegabytes, m_session->historyBudget()});
    options.ballRadius = m_session->ballSize().radius;
    options.ballMass = m_session->ballSize().mass;
    addGuests(m_demo, m_session->preparedBy(), options);
    std::unique_ptr<Stage> stage(new Stage(m_demo, std::move(scene), options));
    stage->m_isOfRobot = m_isOfRobot;
    stage->m_file = m_file;
    if (m_selected >= 0) {
        stage->m_selected = elementNamed(stage->m_session->elements(),
                                         m_session->elements()[static_cast<std::size_t>(m_selected)].name);
    }
    return stage;
}

std::unique_ptr<Stage> Stage::withScene(Scene scene) const {
    std::unique_ptr<Stage> stage = sibling(std::move(scene));
    // What was switched off stays so.
    for (std::size_t i = 0; i < m_session->elements().size(); ++i) {
        if (m_session->isEnabled(static_cast<int>(i))) continue;
        const std::string& name = m_session->elements()[i].name;
        const int same = elementNamed(stage->m_session->elements(), name);
        if (same < 0 || stage->m_session->elements()[static_cast<std::size_t>(same)].name != name) continue;
        stage->m_session->setEnabled(same, false);
    }
    return stage;
}

std::unique_ptr<Stage> Stage::withElement(const SceneElement& element) const {
    const Scene& scene = m_session->scene();
    const auto place = static_cast<int>(scene.elements.size());
    std::unique_ptr<Stage> stage = sibling(play::withElement(scene, element));
    play::Session& session = *stage->m_session;
    const long now = m_session->tick();
    play::Inputs inputs;
    if (now > 0) inputs.push_back({0, play::ElementSwitch{place, false}});
    for (play::Input input : m_session->inputs()) {
        if (input.tick > now) break;
        moveBehind(place, input.action);
        inputs.push_back(std::move(input));
    }
    session.reset(std::move(inputs));
    while (session.tick() < now && session.step()) {
    }
    if (now > 0) session.setEnabled(place, true);
    stage->refresh();
    return stage;
}

void Stage::showLike(const Stage& other) {
    m_isPlaying = other.m_isPlaying;
    m_speed = other.m_speed;
    m_camera = other.m_camera;
    m_followed = other.m_followed;
    m_followedAt = other.m_followedAt;
    m_followedStart = other.m_followedStart;
    if (m_followed && m_session->isParked(static_cast<std::size_t>(*m_followed))) m_followed.reset();
    refresh();  // the camera goes to where the body is here
}

Stage::Stage(Demo demo, Scene scene, const play::SessionOptions& options)
    : m_demo(std::move(demo)), m_speed(m_demo.speed) {
    m_session = std::make_unique<play::Session>(std::move(scene), options);
    m_drawing = std::make_unique<SceneDrawing>(m_session->scene(), GuestDrawing::bounds(m_session->world()),
                                               !m_demo.followed.empty());
    m_guests = std::make_unique<GuestDrawing>(*m_session, m_drawing->size());
    m_selected = elementNamed(m_session->elements(), m_demo.selected);
    refresh();
    followDemo();
    m_followedStart = m_followedAt;
    frameHome(16.0 / 9);
}

void Stage::followDemo() {
    if (m_demo.followed.empty()) return;
    for (std::size_t i = 0; i < m_session->bodies(); ++i) {
        if (m_session->bodyName(static_cast<int>(i)) == m_demo.followed) return follow(static_cast<int>(i));
    }
}

void Stage::goHome() {
    follow(std::nullopt);
    m_camera.home();
    followDemo();
    if (m_followed) m_camera.viewpoint.target += m_followedAt - m_followedStart;
}

void Stage::setPlaying(bool isPlaying) {
    m_isPlaying = isPlaying;
    // What was inside a tick goes on from there; what stands still does so wherever it is.
}

/// Where a demo that stops at its end does so.
long Stage::endTick() const {
    return m_recordedTicks ? *m_recordedTicks : std::max(1L, m_session->world().ticksToEnd());
}

/// Time has jumped to the end of a tick.
void Stage::toTick() {
    m_clock.toTick();
    m_isInside = false;
}

double Stage::shownSpeed() const {
    return m_isInside ? std::min(m_speed, m_session->tickLength() / kInsideTime) : m_speed;
}

bool Stage::hasHit() {
    constexpr double kLeastShare = 0.05;
    m_fastestHits.resize(m_session->elements().size());
    bool isHit = false;
    for (const play::ScopeEvent& event : m_session->events()) {
        if (!event.begins) continue;
        double& fastest = m_fastestHits[static_cast<std::size_t>(event.element)];
        fastest = std::max(fastest, event.speed);
        isHit = isHit || event.speed >= kLeastShare * fastest;
    }
    return isHit;
}

long Stage::pass(double seconds, long limit) {
    if (!m_isPlaying) return 0;
    if (!m_isInside) m_sinceInside += seconds;
    const long wanted = m_clock.pass(seconds, shownSpeed(), m_session->tickLength());
    if (wanted > 0 && std::exchange(m_isInside, false)) m_sinceInside = 0;
    const long end = endTick();
    long done = 0;
    while (done < std::min(wanted, limit)) {
        if (m_demo.stopsAtEnd && !m_hasStopped && m_session->tick() >= end) {
            m_hasStopped = true;
            m_isPlaying = false;
            break;
        }
        if (const std::optional<double> over = startsOverAt(); over && m_session->time() >= *over) m_session->reset();
        if (!m_session->step()) {
            m_isPlaying = false;
            break;
        }
        ++done;
        noteForces();
        const bool isSeen = hasHit() && m_looksInside && m_sinceInside >= kInsideTime;
        if (!isSeen || m_session->tickLength() / kInsideTime >= m_speed) continue;
        m_isInside = true;
        m_clock.toPhase(1e-9);  // of this tick, from its start on
        refresh();
        return done;
    }
    if (!m_isPlaying || done < wanted) m_clock.toTick();
    refresh();
    return done;
}

void Stage::showTick() {
    toTick();
    refresh();
}

void Stage::stepForward() {
    m_isPlaying = false;
    // Inside a tick the next one ends where this one does.
    if (m_clock.isAtTick()) m_session->step();
    toTick();
    refresh();
}

void Stage::stepBack() {
    m_isPlaying = false;
    seek(std::max(0L, m_session->tick() - 1));
}

void Stage::restart(std::optional<double> rate) {
    if (m_recordedTicks && !rate) {
        m_session->seek(0);  // a recording is run again as it was
    } else {
        m_session->restart(rate);
        m_recordedTicks.reset();
    }
    toTick();
    m_hasStopped = false;
    if (m_demo.stopsAtEnd) m_isPlaying = true;
    refresh();
}

void Stage::seek(long tick) {
    m_session->seek(std::clamp(tick, 0L, m_session->lastTick()));
    toTick();
    refresh();
}

void Stage::seekTime(double time) {
    const double ticks = time / m_session->tickLength();
    const double whole = std::ceil(ticks - 1e-6);
    seek(static_cast<long>(std::clamp(whole, 0.0, 1e15)));
    m_clock.toPhase(std::clamp(ticks - (whole - 1), 1e-9, 1.0));
    if (whole <= 0) m_clock.toTick();
    refresh();
}

void Stage::selectElementOf(int body) {
    const std::vector<play::PlayedElement>& elements = m_session->elements();
    int found = -1;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (elements[i].body != body) continue;
        const bool hasPlay = std::holds_alternative<ElastoBacklashLaw>(elements[i].law);
        if (found < 0 || hasPlay) found = static_cast<int>(i);
        if (hasPlay) break;
    }
    if (found >= 0) m_selected = found;
}

void Stage::follow(std::optional<int> body) {
    m_followed = body;
    if (body) m_followedAt = m_moment.bodies.at(static_cast<std::size_t>(*body)).position.cast<float>();
}

std::optional<double> Stage::startsOverAt() const {
    const bool isUntouched = m_session->isAtEnd() && m_session->inputs().empty() && m_session->ghosts().empty();
    if (!(m_demo.repeats > 0) || m_recordedTicks || !isUntouched) return std::nullopt;
    return m_demo.repeats;
}

void Stage::noteForces() {
    m_drawing->note(m_session->sample());
    m_guests->note(*m_session);
}

void Stage::refresh() {
    noteForces();
    readMoment(*m_session, m_clock.phase(), m_moment);
    if (m_followed) {
        const Eigen::Vector3f now = m_moment.bodies.at(static_cast<std::size_t>(*m_followed)).position.cast<float>();
        if (now.allFinite()) m_camera.viewpoint.target += now - m_followedAt;
        m_followedAt = now;
    }
}

void Stage::frameHome(double aspect, const Eigen::AlignedBox3d& wanted) {
    m_camera.viewpoint.azimuth = static_cast<float>(m_demo.azimuth);
    m_camera.viewpoint.elevation = static_cast<float>(m_demo.elevation);
    const Eigen::AlignedBox3d& box = wanted.isEmpty() ? m_drawing->bounds() : wanted;
    if (!box.isEmpty()) {
        m_camera.fit(Eigen::AlignedBox3f(box.min().cast<float>(), box.max().cast<float>()), static_cast<float>(aspect),
                     0.12F);
    }
    m_camera.viewpoint.distance /= static_cast<float>(m_demo.zoom);
    m_camera.homeViewpoint = m_camera.viewpoint;
    if (m_followed) m_camera.viewpoint.target += m_followedAt - m_followedStart;
}

void Stage::nameBodies(std::vector<Label>& labels) const {
    const double above = 0.09 * m_drawing->size();
    const std::vector<SceneBody>& bodies = m_session->scene().bodies;
    for (const auto& [body, text] : m_demo.names) {
        const auto found = std::find_if(bodies.begin(), bodies.end(),
                                        [&wanted = body](const SceneBody& one) { return one.name == wanted; });
        if (found == bodies.end()) continue;
        const BodyPose& pose = m_moment.bodies[static_cast<std::size_t>(found - bodies.begin())];
        const Eigen::Vector3d at = pose.position + above * Eigen::Vector3d::UnitY();
        labels.push_back({.at = at.cast<float>(), .text = text, .isCentred = true});
    }
}

void Stage::draw(DrawingOptions options, view::Picture& picture, std::vector<Label>& labels) {
    picture.clear();
    labels.clear();
    options.selected = m_selected;
    const SceneWorld& world = m_session->world();
    m_laws.clear();
    for (std::size_t i = 0; i < m_session->elements().size(); ++i)
        m_laws.push_back(m_session->law(static_cast<int>(i)));
    m_drawing->draw(m_moment, m_laws, options, picture, labels);
    for (std::size_t i = m_session->scene().bodies.size(); m_session->isBall(i); ++i) {
        if (m_session->isParked(i)) continue;
        m_drawing->drawBall(m_moment.bodies[i], m_session->ballSize().radius, idOfBody(static_cast<int>(i)),
                            highlightOf(static_cast<int>(i), options), picture);
    }
    nameBodies(labels);
    m_guests->draw(*m_session, m_moment, m_laws, options, picture, labels);
    for (const play::Ghost& ghost : m_session->ghosts()) {
        if (!ghost.history.has(m_session->tick())) continue;
        readPoses(ghost.history, m_session->tick(), m_ghostPoses);
        constexpr float kPale = 0.28F;
        m_drawing->drawBodies(m_ghostPoses, {.opacity = kPale}, picture);
        GuestDrawing::drawGhost(world, m_ghostPoses, kPale, picture);
    }
    if (const std::optional<play::DragView> drag = m_session->drag()) {
        const auto thin = static_cast<float>(0.006 * m_drawing->size());
        const view::Surface surface{.color = view::Color::bytes(255, 140, 20)};
        picture.cylinders.push_back(
            {.a = drag->point.cast<float>(), .b = drag->target.cast<float>(), .diameter = thin, .surface = surface});
        picture.spheres.push_back(
            {.pose = {.position = drag->target.cast<float>()}, .radius = 1.5F * thin, .surface = surface});
        if (drag->force.norm() > 0.01) {
            char text[64];
            std::snprintf(text, sizeof text, "%.3g N", drag->force.norm());
            labels.push_back({.at = drag->target.cast<float>(), .text = text});
        }
    }
}

}  // namespace elasto::gallery
