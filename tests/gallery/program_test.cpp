// The program as users start it: what it prints, its messages and exit codes where something is missing.

#include <catch2/catch.hpp>

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <unistd.h>

namespace fs = std::filesystem;

namespace {

struct Result {
    int code = 0;
    std::string text;  ///< output and errors
};

/// Runs a shell line in which $GALLERY is the program. No display is known to it.
Result run(const std::string& line) {
    const std::string command = "unset DISPLAY WAYLAND_DISPLAY; GALLERY=" ELASTO_GALLERY "; (" + line + ") 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    Result result;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        result.text.append(buffer.data(), count);
    }
    const int status = pclose(pipe);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

/// An empty folder that goes away with the test.
class Folder {
public:
    Folder() : m_path(fs::temp_directory_path() / ("elasto-gallery-" + std::to_string(getpid()))) {
        fs::remove_all(m_path);
        fs::create_directories(m_path);
    }
    ~Folder() { fs::remove_all(m_path); }
    std::string operator/(const std::string& name) const { return (m_path / name).string(); }
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

bool has(const Result& result, const std::string& words) {
    return result.text.find(words) != std::string::npos;
}

/// One line, as a user can read it.
bool isOneMessage(const Result& result) {
    return result.text.rfind("elasto-gallery: ", 0) == 0 && result.text.find('\n') == result.text.size() - 1;
}

}  // namespace

TEST_CASE("the option --list prints the demos, one per line") {
    const Result result = run("$GALLERY --list");
    CHECK(result.code == 0);
    CHECK(std::count(result.text.begin(), result.text.end(), '\n') >= 17);
    CHECK(has(result, "elasto_gap"));
}

TEST_CASE("the option --keys prints a table that has every action") {
    const Result result = run("$GALLERY --keys");
    CHECK(result.code == 0);
    CHECK(has(result, "Play or pause"));
    CHECK(has(result, "|"));
}

TEST_CASE("the README has the table of keys and a picture of every demo") {
    std::ifstream file(ELASTO_SOURCE_DIR "/README.md");
    std::stringstream readme;
    readme << file.rdbuf();
    CHECK(readme.str().find(run("$GALLERY --keys").text) != std::string::npos);
    std::istringstream list(run("$GALLERY --list").text);
    for (std::string line; std::getline(list, line);) {
        const std::string picture = "assets/pictures/gallery/" + line.substr(0, line.find(' ')) + ".png";
        INFO(picture);
        CHECK(readme.str().find(picture) != std::string::npos);
        CHECK(fs::exists(fs::path(ELASTO_SOURCE_DIR) / picture));
    }
}

TEST_CASE("a picture is made without any display, and nothing else is left") {
    const Folder folder;
    const Result result = run("$GALLERY --demo backlash --frames 3 --size 320x200 --screenshot " + folder / "a.png");
    INFO(result.text);
    CHECK(result.code == 0);
    std::ifstream file(folder / "a.png", std::ios::binary);
    std::string start(8, ' ');
    file.read(start.data(), 8);
    CHECK(start == "\x89PNG\r\n\x1a\n");
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a run becomes numbered pictures") {
    const Folder folder;
    const Result result =
        run("$GALLERY --demo stiff_stop --frames 3 --size 160x100 --no-panels --pictures " + folder / "film");
    INFO(result.text);
    CHECK(result.code == 0);
    CHECK(fs::exists(folder / "film/frame_000000.png"));
    CHECK(fs::exists(folder / "film/frame_000002.png"));
    CHECK_FALSE(fs::exists(folder / "film/frame_000003.png"));
}

TEST_CASE("a scene file is shown like a demo") {
    const Folder folder;
    CHECK(run("$GALLERY --scene bumper --frames 3 --size 160x100 --screenshot " + folder / "a.png").code == 0);
    CHECK(fs::exists(folder / "a.png"));
}

TEST_CASE("mistakes have one clear message and an exit code") {
    const Folder folder;
    const std::string picture = " --frames 1 --size 160x100 --screenshot " + folder / "a.png";
    const auto refused = [&](const std::string& line, int code, const std::string& words) {
        const Result result = run(line);
        INFO(line << "\n" << result.text);
        CHECK(result.code == code);
        CHECK(has(result, words));
        CHECK(isOneMessage(result));
        CHECK_FALSE(fs::exists(folder / "a.png"));
    };
    refused("$GALLERY --demo no_such_demo" + picture, 2, "no_such_demo");
    refused("$GALLERY --scene no_such_scene" + picture, 3, "no_such_scene");
    refused("$GALLERY --demo stiff_stop --hz 1e9" + picture, 2, "rate");
    refused("$GALLERY --demo stiff_stop --frames 1 --size 160x100 --screenshot /no/such/folder/a.png", 4,
            "/no/such/folder");
    refused("$GALLERY --demo stiff_stop --frames 1 --size 160x100 --pictures /proc/none", 3, "/proc/none");
    refused("ELASTO_ASSETS=/no/such/folder $GALLERY" + picture, 3, "ELASTO_ASSETS");
    refused("PATH=/nowhere $GALLERY --demo stiff_stop --frames 1 --size 160x100 --film " + folder / "a.mp4", 4,
            "ffmpeg");
    // A window needs a display.
    refused("$GALLERY --demo stiff_stop", 4, "display");
    const Result usage = run("$GALLERY --size big" + picture);
    CHECK(usage.code == 2);
    CHECK(has(usage, "--size"));
}

TEST_CASE("a shader that is defective or missing is named with file and line") {
    const Folder folder;
    fs::copy(ELASTO_ASSETS_OF_BUILD "/scenes", folder / "scenes", fs::copy_options::recursive);
    fs::copy(ELASTO_ASSETS_OF_BUILD "/shaders", folder / "shaders", fs::copy_options::recursive);
    const std::string line = "ELASTO_ASSETS=" + folder.path().string() +
                             " $GALLERY --frames 1 --size 160x100 --screenshot " + folder / "a.png";
    CHECK(run(line).code == 0);
    fs::remove(folder / "a.png");
    {
        std::ofstream shader(folder / "shaders/lit.frag", std::ios::app);
        shader << "\nthis is no GLSL\n";
    }
    const Result defective = run(line);
    INFO(defective.text);
    CHECK(defective.code == 4);
    CHECK(has(defective, "lit.frag"));
    fs::remove(folder / "shaders/lit.frag");
    const Result missing = run(line);
    INFO(missing.text);
    CHECK(missing.code == 4);
    CHECK(has(missing, "lit.frag"));
    CHECK_FALSE(fs::exists(folder / "a.png"));
}
