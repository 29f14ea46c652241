#include "gallery/film.h"

#include "tool_errors.h"

#include <elasto/scene/part_file.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace elasto::gallery {

namespace fs = std::filesystem;

namespace {

class Pictures : public Film {
public:
    explicit Pictures(fs::path folder) : m_folder(std::move(folder)) {
        std::error_code error;
        fs::create_directories(m_folder, error);
        if (!fs::is_directory(m_folder)) {
            throw tools::IoError(fmt::format("cannot write pictures to '{}': {}", m_folder.string(),
                                             error ? error.message() : "it is not a folder"));
        }
    }
    void add(const view::Image& image) override {
        view::writePng(image, m_folder / fmt::format("frame_{:06}.png", m_count++));
    }
    void finish() override {}

private:
    fs::path m_folder;
    int m_count = 0;
};

class Encoded : public Film {
public:
    Encoded(fs::path file, int width, int height) : m_file(std::move(file)) {
        reserve();
        std::signal(SIGPIPE, SIG_IGN);  // that ffmpeg ended is noticed where frames are written
        start(width, height);
    }
    ~Encoded() override { close(); }
    Encoded(const Encoded&) = delete;
    Encoded& operator=(const Encoded&) = delete;

    void add(const view::Image& image) override {
        std::size_t done = 0;
        while (done < image.rgba.size()) {
            const ssize_t count = write(m_pipe, image.rgba.data() + done, image.rgba.size() - done);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) throw tools::IoError(fmt::format("ffmpeg stopped while '{}' was written", m_file.string()));
            done += static_cast<std::size_t>(count);
        }
    }
    void finish() override {
        if (close() != 0) throw tools::IoError(fmt::format("ffmpeg could not write '{}'", m_file.string()));
        try {
            m_part->commit();
        } catch (const std::system_error& refused) {
            refuse(refused.code().value());
        }
    }

private:
    [[noreturn]] void refuse(int reason) const {
        throw tools::IoError(
            fmt::format("cannot write '{}': {}", m_file.string(), std::generic_category().message(reason)));
    }
    /// Makes the empty file that ffmpeg is going to fill, under a name that nobody uses: what cannot be written is
    /// noticed before anything is filmed.
    void reserve() {
        std::error_code ignored;
        m_file = view::linkTarget(m_file);
        const fs::file_status status = fs::status(m_file, ignored);
        if (fs::is_directory(status)) refuse(EISDIR);
        if (fs::exists(status) && !fs::is_regular_file(status)) refuse(ESPIPE);  // it is not written in order
        try {
            m_part.emplace(m_file);
        } catch (const std::system_error& refused) {
            refuse(refused.code().value());
        }
    }
    void start(int width, int height) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
        // A group of its own: Ctrl+C in a terminal ends the gallery, which then tells ffmpeg.
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        std::istringstream options(fmt::format(
            "ffmpeg -loglevel error -y -f rawvideo -pixel_format rgba -video_size {}x{} -framerate 60 -i - {}", width,
            height, formatOptions(width, height)));
        std::vector<std::string> words;
        for (std::string word; options >> word;) words.push_back(word);
        words.push_back("file:" + m_part->path().string());
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        const int failure = posix_spawnp(&m_process, "ffmpeg", &actions, &attributes, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
        ::close(ends[0]);
        m_pipe = ends[1];
        if (failure != 0) {
            ::close(std::exchange(m_pipe, -1));
            m_process = -1;
            throw std::runtime_error(
                "ffmpeg cannot be started; install it, or write numbered pictures with --pictures");
        }
    }
    /// What ffmpeg is told about the format, by the file's ending. Animated pictures have a third of the frames.
    std::string formatOptions(int width, int height) const {
        if (m_file.extension() == ".gif") {
            return "-vf fps=20,split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=none -loop 0 -f "
                   "gif";
        }
        if (m_file.extension() == ".webp") {
            return "-vf fps=20 -c:v libwebp_anim -loop 0 -quality 70 -compression_level 6 -f webp";
        }
        // yuv420p, which every player knows, wants even sizes.
        return fmt::format("-vf crop={}:{}:0:0 -pix_fmt yuv420p -movflags +faststart -f mp4", width & ~1, height & ~1);
    }
    /// @return ffmpeg's exit code
    int close() {
        if (m_pipe >= 0) ::close(std::exchange(m_pipe, -1));
        if (m_process < 0) return -1;
        int status = 0;
        while (waitpid(m_process, &status, 0) < 0 && errno == EINTR) {
        }
        m_process = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    fs::path m_file;
    std::optional<PartFile> m_part;
    int m_pipe = -1;
    pid_t m_process = -1;
};

}  // namespace

bool Film::hasFfmpeg() {
    const char* path = std::getenv("PATH");
    std::string folders = path != nullptr ? path : "";
    std::size_t begin = 0;
    while (begin <= folders.size()) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        const fs::path program = fs::path(folders.substr(begin, end - begin)) / "ffmpeg";
        if (access(program.c_str(), X_OK) == 0 && !fs::is_directory(program)) return true;
        begin = end + 1;
    }
    return false;
}

std::unique_ptr<Film> Film::pictures(const fs::path& folder) {
    return std::make_unique<Pictures>(folder);
}

std::unique_ptr<Film> Film::encoded(const fs::path& file, int width, int height) {
    if (!hasFfmpeg()) {
        throw std::runtime_error(
            "a film needs ffmpeg, which is not installed; install it, or write numbered pictures with --pictures");
    }
    return std::make_unique<Encoded>(file, width, height);
}

}  // namespace elasto::gallery
