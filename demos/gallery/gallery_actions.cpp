#include "gallery/gallery.h"

#include "play/recording.h"
#include "tool_errors.h"
#include "view/error.h"

#include <elasto/scene/file_error.h>

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace elasto::gallery {

namespace fs = std::filesystem;
using Kind = panels::Notices::Kind;

namespace {

/// Where files are looked for first: beside the one that is shown, else where files are saved. Ends with a slash.
fs::path folderOf(const fs::path& shown, const panels::Settings& settings) {
    const fs::path folder = shown.empty() ? fs::path(settings.folder) : shown.parent_path();
    return fs::absolute(folder.empty() ? fs::current_path() : folder) / "";
}

}  // namespace

std::string wholePath(const fs::path& file) {
    return fs::absolute(file).string();
}

void Gallery::perform(panels::Action action) {
    using panels::Action;
    try {
        if (action == Action::CloseTop && !m_workspace.hasTopLayer(m_stage->session())) {
            // Nothing lies on top: what is selected and followed is let go. Esc never ends the program.
            if (m_placer.isActive()) return m_placer.end();
            m_stage->follow(std::nullopt);
            m_workspace.select(-1);
            m_mouse.deselect();
            return;
        }
        if (performOnScene(action) || m_workspace.perform(action, m_stage->session()) || performInTime(action)) return;
        performOnWindow(action);
    } catch (const std::exception& error) {
        m_stage->setPlaying(false);
        say(error.what(), Kind::Bad);
    }
}

bool Gallery::performInTime(panels::Action action) {
    using panels::Action;
    switch (action) {
        case Action::PlayOrPause:
            m_stage->setPlaying(!m_stage->isPlaying());
            break;
        case Action::TickForward:
            m_stage->stepForward();
            break;
        case Action::TickBack:
            m_stage->stepBack();
            break;
        case Action::Restart:
            restart();
            break;
        case Action::ToEnd:
            m_stage->seek(m_stage->session().lastTick());
            break;
        case Action::ToWorst:
            if (const std::optional<long> worst = m_stage->session().history().worstTick()) {
                m_stage->setPlaying(false);  // to be looked at
                m_stage->seek(*worst);
            } else {
                say("All ticks so far are exact.", Kind::Good);
            }
            break;
        case Action::Slower:
            m_stage->setSpeed(panels::slower(m_stage->speed()));
            break;
        case Action::Faster:
            m_stage->setSpeed(panels::faster(m_stage->speed()));
            break;
        case Action::NormalSpeed:
            m_stage->setSpeed(1);
            break;
        case Action::NextDemo:
            moveDemo(1);
            break;
        case Action::PreviousDemo:
            moveDemo(-1);
            break;
        default:
            return false;
    }
    return true;
}

void Gallery::performOnWindow(panels::Action action) {
    using panels::Action;
    switch (action) {
        case Action::HomeView:
            m_stage->goHome();
            m_isFramed = false;  // the window may have another shape by now
            break;
        case Action::FollowBody:
            if (m_stage->followed()) {
                m_stage->follow(std::nullopt);
            } else if (m_mouse.selectedBody() >= 0) {
                m_stage->follow(m_mouse.selectedBody());
            } else {
                say("Click a body first: F then follows it.");
            }
            break;
        case Action::ThrowBody:
            m_mouse.throwBall(viewArea(), *m_stage);
            break;
        case Action::Compare:
            m_comparison->setOn(!m_comparison->isOn());
            if (m_comparison->isOn()) m_settings.analysis = panels::Analysis::Comparison;
            break;
        case Action::OpenFile:
            m_workspace.files().open(panels::FileDialog::Purpose::Open, folderOf(m_stage->file(), m_settings));
            break;
        case Action::SaveAs:
            m_workspace.files().open(panels::FileDialog::Purpose::Save,
                                     fs::absolute(freshFile(m_stage->demo().name, ".json")));
            break;
        case Action::SavePicture:
            m_plotImage.reset();
            save(freshFile(m_stage->demo().name, ".png"));
            break;
        case Action::RecordPictures:
            m_film ? endFilm() : startFilm();
            break;
        case Action::SaveRecording:
            save(freshFile(m_stage->demo().name, ".elrec"));
            break;
        case Action::FullScreen:
            m_settings.fullScreen = !m_settings.fullScreen;
            m_areSettingsChanged = true;
            break;
        case Action::Quit:
            m_wantsToQuit = true;
            break;
        default:
            break;
    }
}

void Gallery::restart(std::optional<double> rate) {
    const play::Session& session = m_stage->session();
    const std::size_t ghosts = session.ghosts().size();
    const double before = session.rate();
    const long lost = session.lastTick();
    m_stage->restart(rate);
    if (session.rate() != before) {
        if (lost > 0) {
            say(fmt::format("The run begins again at {:g} Hz. That of {:g} Hz is gone; {} saves a run.", session.rate(),
                            before, panels::keysOf(panels::Action::SaveRecording)));
        }
    } else if (session.ghosts().size() > ghosts) {
        say("From the start, with the numbers as they are. The run so far is a ghost: the list of ghosts takes it up "
            "again.");
    }
}

void Gallery::save(const fs::path& file) {
    try {
        if (file.extension() == ".elrec") return saveRecording(file);
        if (file.extension() == ".json") return saveScene(file);
        if (m_plotImage) return savePlot(file);
        m_pictureFile = file;
    } catch (const FileError& error) {
        askForPlace(file, error.what());
    } catch (const view::PictureFileError& error) {
        askForPlace(file, error.what());
    }
}

void Gallery::saveRecording(const fs::path& file) {
    play::saveRecording(play::recordingOf(m_stage->session()), file);
    say("Wrote " + wholePath(file) + "; elasto replay --check runs it again", Kind::Good);
}

void Gallery::askForPlace(const fs::path& file, const std::string& why) {
    const char* home = std::getenv("HOME");
    const fs::path elsewhere = home != nullptr ? fs::path(home) : fs::temp_directory_path();
    m_workspace.files().open(panels::FileDialog::Purpose::Save, elsewhere / file.filename(),
                             why + ". Choose another place.");
}

void Gallery::endFilm() {
    const std::unique_ptr<Film> film = std::move(m_film);
    if (!film) return;
    film->finish();
    say("Wrote " + wholePath(m_filmName), Kind::Good);
}

void Gallery::startFilm() {
    if (m_filmWidth <= 0) return;  // no frame yet
    if (Film::hasFfmpeg()) {
        const fs::path file = freshFile(m_stage->demo().name, ".mp4");
        m_film = Film::encoded(file, m_filmWidth, m_filmHeight);
        m_filmName = file;
    } else {
        const fs::path folder = freshFile(m_stage->demo().name, "_frames");
        m_film = Film::pictures(folder);
        m_filmName = folder;
        say("ffmpeg is not installed: the film is a folder of numbered pictures, " + wholePath(m_filmName));
    }
}

void Gallery::takePictures(unsigned framebuffer, int width, int height) {
    try {
        if (m_film && (width != m_filmWidth || height != m_filmHeight)) {
            endFilm();
            say("The film ended: the window has another size.");
        }
        m_filmWidth = width;
        m_filmHeight = height;
        const ImVec2 whole = {static_cast<float>(width), static_cast<float>(height)};
        if (m_film) m_film->add(readFramebuffer(framebuffer, height, {0, 0}, whole));
        if (m_plotPicture) takePlotPicture(framebuffer);
        if (!m_pictureFile) return;
        const fs::path file = *std::exchange(m_pictureFile, std::nullopt);
        view::writePng(readFramebuffer(framebuffer, height, {0, 0}, whole), file);
        say("Wrote " + wholePath(file), Kind::Good);
    } catch (const view::PictureFileError& error) {
        askForPlace(freshFile(m_stage->demo().name, ".png"), error.what());
    } catch (const std::exception& error) {
        m_film.reset();
        say(error.what(), Kind::Bad);
    }
}

void Gallery::takePlotPicture(unsigned framebuffer) {
    const panels::PlotPicture picture = *std::exchange(m_plotPicture, std::nullopt);
    const fs::path file = freshFile(picture.name, ".png");
    m_plotImage = Gui::paint(picture);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    try {
        savePlot(file);
    } catch (const view::PictureFileError& error) {
        askForPlace(file, error.what());
    }
}

void Gallery::savePlot(const fs::path& file) {
    view::writePng(*m_plotImage, file);
    m_plotImage.reset();
    say("Wrote " + wholePath(file), Kind::Good);
}

view::Image readFramebuffer(unsigned framebuffer, int height, ImVec2 low, ImVec2 size) {
    const auto high = static_cast<int>(size.y);
    view::Image image = view::readPixels(framebuffer, static_cast<int>(low.x), height - static_cast<int>(low.y) - high,
                                         static_cast<int>(size.x), high);
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
    return image;
}

fs::path Gallery::freshFile(const std::string& name, const char* ending) const {
    std::error_code error;
    const fs::path folder = m_settings.folder;
    fs::path file = folder / (name + ending);
    for (int i = 2; fs::exists(file, error); ++i) file = folder / fmt::format("{}_{}{}", name, i, ending);
    return file;
}

}  // namespace elasto::gallery
