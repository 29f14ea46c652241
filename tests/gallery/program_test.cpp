// The program as users start it: what it prints, its messages and exit codes where something is missing.

#include <elasto/scene/load_scene.h>

#include <play/recording.h>
#include <catch2/catch.hpp>

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

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
    explicit Folder(const std::string& suffix = "")
        : m_path(fs::temp_directory_path() / ("elasto-gallery-" + std::to_string(getpid()) + suffix)) {
        fs::remove_all(m_path);
        fs::create_directories(m_path);
    }
    ~Folder() { fs::remove_all(m_path); }
    std::string operator/(const std::string& name) const { return (m_path / name).string(); }
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

std::vector<std::string> filesIn(const Folder& folder) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.path())) {
        names.push_back(entry.path().filename().string());
    }
    return names;
}

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

TEST_CASE("options that are nearly right are answered with the right one") {
    const Result option = run("$GALLERY --scrennshot a.png");
    CHECK(option.code == 2);
    CHECK(has(option, "elasto-gallery: "));
    CHECK(has(option, "(did you mean --screenshot?)"));
    const Result theme = run("$GALLERY --theme drak");
    CHECK(theme.code == 2);
    CHECK(has(theme, "--theme: 'drak' is not allowed; did you mean 'dark'?"));
}

TEST_CASE("the option --keys prints a table that has every action") {
    const Result result = run("$GALLERY --keys");
    CHECK(result.code == 0);
    CHECK(has(result, "Play or pause"));
    CHECK(has(result, "|"));
}

TEST_CASE("the page on the gallery has the table of keys, and a picture and the title of every demo") {
    std::ifstream file(ELASTO_SOURCE_DIR "/plugin/docs/gallery.md");
    std::stringstream text;
    text << file.rdbuf();
    const std::string page = text.str();
    CHECK(page.find(run("$GALLERY --keys").text) != std::string::npos);
    std::istringstream list(run("$GALLERY --list").text);
    for (std::string line; std::getline(list, line);) {
        const std::string name = line.substr(0, line.find(' '));
        const std::string title = line.substr(line.find_first_not_of(' ', name.size()));
        const std::string picture = "assets/pictures/gallery/" + name + ".png";
        INFO(picture);
        CHECK(page.find("![" + title + "](../../" + picture + ")<br>`" + name + "`: " + title + " |") !=
              std::string::npos);
        CHECK(fs::exists(fs::path(ELASTO_SOURCE_DIR) / picture));
    }
}

TEST_CASE("a picture is made without any display, and nothing else is left", "[slow]") {
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

TEST_CASE("a run becomes numbered pictures", "[slow]") {
    const Folder folder;
    const Result result =
        run("$GALLERY --demo finger_limit --frames 3 --size 160x100 --no-panels --pictures " + folder / "film");
    INFO(result.text);
    CHECK(result.code == 0);
    CHECK(fs::exists(folder / "film/frame_000000.png"));
    CHECK(fs::exists(folder / "film/frame_000002.png"));
    CHECK_FALSE(fs::exists(folder / "film/frame_000003.png"));
}

TEST_CASE("a film has every frame, even sizes and the right length") {
    if (run("command -v ffmpeg && command -v ffprobe").code != 0) {
        WARN("ffmpeg is not installed: films are not tested.");
        return;
    }
    const Folder folder;
    const Result made =
        run("$GALLERY --demo finger_limit --frames 30 --size 321x201 --no-panels --film " + folder / "'a film.mp4'");
    INFO(made.text);
    REQUIRE(made.code == 0);
    CHECK(made.text.empty());
    CHECK(filesIn(folder) == std::vector<std::string>{"a film.mp4"});
    for (const auto& [name, begin] : {std::pair("a.gif", "GIF89a"), std::pair("a.webp", "RIFF")}) {
        const Result animated =
            run("$GALLERY --demo finger_limit --frames 30 --size 160x100 --no-panels --film " + folder / name);
        CHECK(animated.code == 0);
        std::ifstream file(folder / name, std::ios::binary);
        std::string bytes(std::string(begin).size(), 0);
        CHECK(file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())));
        CHECK(bytes == begin);
        std::filesystem::remove(folder / name);
    }
    const Result probed =
        run("ffprobe -v error -count_frames -select_streams v -of csv=p=0 -show_entries "
            "stream=codec_type,width,height,pix_fmt,r_frame_rate,duration,nb_read_frames " +
            folder / "'a film.mp4'");
    CHECK(probed.text == "video,320,200,yuv420p,60/1,0.500000,30\n");
    // What is filmed is what a picture shows.
    const Result picture =
        run("$GALLERY --demo finger_limit --frames 30 --size 321x201 --no-panels --screenshot " +
            folder / "still.png && ffmpeg -v error -sseof -0.02 -i " + folder / "'a film.mp4'" + " -i " +
            folder / "still.png -lavfi '[0]format=rgb24[a];[1]crop=320:200:0:0,format=rgb24[b];[a][b]psnr' " +
            "-frames:v 1 -v info -f null - 2>&1 | grep -o 'average:[0-9.]*'");
    INFO(picture.text);
    REQUIRE(has(picture, "average:"));
    CHECK(std::stod(picture.text.substr(picture.text.find(':') + 1)) > 25);
}

TEST_CASE("an ffmpeg that fails leaves a message and no file", "[slow]") {
    const Folder folder;
    const Folder programs("-programs");
    const auto filmWith = [&](const std::string& ffmpeg, const std::string& file) {
        const std::string script = programs / "ffmpeg";
        std::ofstream(script) << "#!/bin/sh\n" << ffmpeg << '\n';
        fs::permissions(script, fs::perms::owner_all);
        return run("PATH=" + programs.path().string() +
                   ":$PATH $GALLERY --demo finger_limit --frames 30 --size 320x200 --no-panels --film " + file);
    };
    for (const char* ffmpeg :
         {"exit 3", "kill -9 $$", "head -c 300000 >/dev/null; kill -9 $$", "cat >/dev/null; exit 1"}) {
        const Result result = filmWith(ffmpeg, folder / "a.mp4");
        INFO(ffmpeg << "\n" << result.text);
        CHECK(result.code == 3);
        CHECK(isOneMessage(result));
        CHECK(has(result, "ffmpeg"));
        CHECK(has(result, "a.mp4"));
        CHECK(filesIn(folder).empty());
    }
    // Nor does one that has written half of it.
    const Result half = filmWith("for last; do :; done; echo half > ${last#file:}; exit 1", folder / "a.mp4");
    CHECK(half.code == 3);
    CHECK(filesIn(folder).empty());
    // What cannot be written is said before anything is filmed.
    for (const std::string& file : {std::string("/no/such/folder/a.mp4"), std::string("/proc/a.mp4"), folder / ""}) {
        const Result refused = filmWith("touch " + programs / "was_started", file);
        INFO(refused.text);
        CHECK(refused.code == 3);
        CHECK(isOneMessage(refused));
        CHECK(has(refused, file));
        CHECK_FALSE(fs::exists(programs / "was_started"));
    }
}

TEST_CASE("a program that is asked to end leaves whole files alone", "[slow]") {
    const Folder folder;
    // In the foreground timeout sends the signal once: the second one would end the program where it is.
    const Result result = run("timeout --foreground -s " + std::string(GENERATE("INT", "TERM", "HUP")) +
                              " 3 $GALLERY --demo elasto_gap --frames 1000000 --size 320x200 --no-panels --pictures " +
                              folder.path().string());
    CHECK(isOneMessage(result));
    CHECK(has(result, "interrupted"));
    for (const std::string& name : filesIn(folder)) {
        INFO(name);
        CHECK(fs::path(name).extension() == ".png");
    }
}

TEST_CASE("a scene file is shown like a demo", "[slow]") {
    const Folder folder;
    CHECK(run("$GALLERY --scene bumper --frames 3 --size 160x100 --screenshot " + folder / "a.png").code == 0);
    CHECK(fs::exists(folder / "a.png"));
}

TEST_CASE("a robot's file is shown like a demo, and all its mistakes are said", "[slow]") {
    const Folder folder;
    const std::string picture = " --frames 3 --size 160x100 --screenshot " + folder / "a.png";
    CHECK(run("$GALLERY --robot leg" + picture).code == 0);
    CHECK(fs::exists(folder / "a.png"));
    CHECK(run("$GALLERY " ELASTO_SOURCE_DIR "/assets/robots/arm6.urdf" + picture).code == 0);
    fs::remove(folder / "a.png");
    std::ofstream(folder / "bad.urdf")
        << R"(<robot name="bad" xmlns:elasto="urn:elasto"><link name="a"/><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint>
<elasto:spring joint="none" c="1" d="1"/><elasto:gap joint="j" side="both" c="-1" d="0"/></robot>)";
    const Result refused = run("$GALLERY --robot " + folder / "bad.urdf" + picture);
    INFO(refused.text);
    CHECK(refused.code == 2);
    CHECK(has(refused, "bad.urdf:3: <elasto:spring joint=\"none\">"));
    CHECK(has(refused, "bad.urdf:3: <elasto:gap joint=\"j\">"));
    CHECK_FALSE(fs::exists(folder / "a.png"));
}

TEST_CASE("a recorded run is shown and compared, and what is no recording is refused", "[slow]") {
    const Folder folder;
    elasto::play::Session session(elasto::loadScene(ELASTO_SOURCE_DIR "/assets/scenes/elasto_gap.json"));
    for (int i = 0; i < 60; ++i) session.step();
    session.beginDrag(0, {0, 0, 0}, {0, 1, 0});
    for (int i = 0; i < 60; ++i) session.step();
    elasto::play::Recording recording = elasto::play::recordingOf(session);
    elasto::play::saveRecording(recording, folder / "run.elrec");
    const auto shown = [&](const std::string& file) {
        return run("$GALLERY " + folder / file + " --size 160x100 --no-panels --screenshot " + folder / "a.png");
    };
    const Result good = shown("run.elrec");
    CHECK(good.code == 0);
    CHECK(good.text.empty());
    CHECK(fs::exists(folder / "a.png"));

    const auto differs = [&](const char* file, const char* where, const char* what) {
        elasto::play::saveRecording(recording, folder / file);
        const Result other = shown(file);
        CHECK(other.code == 1);
        CHECK(isOneMessage(other));
        CHECK(has(other, where));
        CHECK(has(other, what));
    };
    recording.marks[100].bodies[1] ^= 1;
    differs("other.elrec", "other.elrec: differs from the recording at tick 100", "body 'mass2' differs");

    recording.marks[100].bodies[1] ^= 1;
    recording.inputs.insert(recording.inputs.begin(), {1, elasto::play::ParameterEdit{0, "nope", 1}});
    differs("input.elrec", "input parameter", "nope");

    fs::remove(folder / "a.png");
    fs::resize_file(folder / "other.elrec", 1000);
    std::ofstream(folder / "text.elrec") << "hello";
    for (const char* file : {"other.elrec", "text.elrec", "none.elrec"}) {
        const Result refused = shown(file);
        INFO(refused.text);
        CHECK(refused.code == (std::string(file) == "none.elrec" ? 3 : 2));
        CHECK(isOneMessage(refused));
        CHECK(has(refused, file));
        CHECK_FALSE(fs::exists(folder / "a.png"));
    }
    CHECK(run("$GALLERY " + folder / "run.elrec" + " --demo elasto_gap --frames 1").code == 2);
}

TEST_CASE("a picture goes where a link leads", "[slow]") {
    const Folder folder;
    std::ofstream(folder / "real.png") << "old";
    fs::create_symlink("real.png", folder / "link.png");
    CHECK(run("$GALLERY --demo finger_limit --frames 1 --size 160x100 --screenshot " + folder / "link.png").code == 0);
    CHECK(fs::is_symlink(folder / "link.png"));
    CHECK(fs::file_size(folder / "real.png") > 1000);
    CHECK(filesIn(folder).size() == 2);
}

TEST_CASE("mistakes have one clear message and an exit code", "[slow]") {
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
    refused("$GALLERY --scene " ELASTO_SOURCE_DIR "/assets/robots/arm6.json" + picture, 2, "arm6.json: is a robot");
    refused("$GALLERY --scene " ELASTO_SOURCE_DIR "/assets/robots/arm6.urdf" + picture, 2, "--robot shows it");
    refused("$GALLERY --robot " ELASTO_SOURCE_DIR "/assets/scenes/elasto_gap.json" + picture, 2, "is no robot");
    refused("$GALLERY --robot no_such_robot" + picture, 3, "no_such_robot");
    CHECK(run("$GALLERY --robot arm6 --demo elasto_gap --frames 1").code == 2);
    CHECK(run("$GALLERY --robot arm6 --tour --frames 1").code == 2);
    refused("$GALLERY --scene no_such_scene" + picture, 3, "no_such_scene");
    // Nothing that a terminal would obey.
    refused("$GALLERY --scene \"$(printf 'a\\033[2J')\"" + picture, 3, R"(a\x1b[2J)");
    CHECK(has(run("$GALLERY \"--$(printf 'a\\033[2J')\""), R"(a\x1b[2J)"));
    refused("$GALLERY --demo finger_limit --frames 1 --size 160x100 --screenshot /no/such/folder/a.png", 3,
            "/no/such/folder");
    refused("$GALLERY --demo finger_limit --frames 1 --size 160x100 --pictures /proc/none", 3, "/proc/none");
    refused("ELASTO_ASSETS=/no/such/folder $GALLERY" + picture, 3, "ELASTO_ASSETS");
    refused("PATH=/nowhere $GALLERY --demo finger_limit --frames 1 --size 160x100 --film " + folder / "a.mp4", 4,
            "ffmpeg");
    const Result full = run("$GALLERY --list >/dev/full");
    CHECK(full.code == 3);
    CHECK(isOneMessage(full));
    // A window needs a display.
    refused("$GALLERY --demo finger_limit", 4, "display");
    for (const char* option : {"--size big", "--scale nan", "--speed nan", "--hz nan", "--hz 1e9", "--frames 0",
                               "--demo ''", "--film ''", "--list", "--state a.json"}) {
        const Result usage = run("$GALLERY " + std::string(option) + picture);
        INFO(option << "\n" << usage.text);
        CHECK(usage.code == 2);
        CHECK(has(usage, std::string(option).substr(0, std::string(option).find(' ')) + ":"));
        CHECK_FALSE(fs::exists(folder / "a.png"));
    }
}

TEST_CASE("a shader that is defective or missing is named with file and line", "[slow]") {
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
