// Pictures as files, shaders as files, and what is said when they are not to be had.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "studio.h"
#include "view/error.h"
#include "view/window.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

namespace elasto::view {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with its test.
struct Folder {
    fs::path path;

    Folder() {
        std::string name = (fs::temp_directory_path() / "elasto-view-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~Folder() { fs::remove_all(path); }

    std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
    }
};

template <class Action>
std::string messageOf(Action action) {
    try {
        action();
    } catch (const GraphicsError& error) {
        return error.what();
    }
    return "";
}

TEST_CASE("A device that a picture is written to stays a device") {
    Folder folder;
    Studio studio(64, 48);
    const fs::path link = folder.path / "nowhere";
    fs::create_symlink("/dev/null", link);
    writePng(studio.draw(), link);
    CHECK(fs::is_character_file(link));
    CHECK(folder.entries() == 1);
}

TEST_CASE("A PNG holds the picture's bytes, upper row first") {
    Folder folder;
    Studio studio(64, 48);
    Box box;
    box.pose.position.y() = 0.7F;
    box.surface = red();
    studio.picture.boxes.push_back(box);
    const Image image = studio.draw();
    CHECK(isRed(image.pixel(32, 4)));
    CHECK_FALSE(isRed(image.pixel(32, 44)));
    const fs::path file = folder.path / "picture.png";
    writePng(image, file);
    writePng(image, file);
    CHECK(folder.entries() == 1);

    int width = 0;
    int height = 0;
    int components = 0;
    unsigned char* bytes = stbi_load(file.c_str(), &width, &height, &components, 4);
    REQUIRE(bytes != nullptr);
    CHECK(width == 64);
    CHECK(height == 48);
    CHECK(components == 3);  // it is opaque
    CHECK(std::equal(image.rgba.begin(), image.rgba.end(), bytes));
    stbi_image_free(bytes);

    const Image glass = {2, 1, {1, 2, 3, 255, 4, 5, 6, 7}};
    writePng(glass, file);
    bytes = stbi_load(file.c_str(), &width, &height, &components, 0);
    REQUIRE(bytes != nullptr);
    REQUIRE(components == 4);
    CHECK(std::equal(glass.rgba.begin(), glass.rgba.end(), bytes));
    stbi_image_free(bytes);
}

TEST_CASE("A picture that cannot be written says where and why, and leaves nothing") {
    Folder folder;
    const Image image = {2, 1, std::vector<std::uint8_t>(8, 255)};
    const fs::path missing = folder.path / "missing" / "picture.png";
    CHECK_THAT(messageOf([&] { writePng(image, missing); }),
               Catch::Contains(missing.string()) && Catch::Contains("No such file or directory"));
    // A folder in the place of the file.
    fs::create_directory(folder.path / "taken.png");
    std::ofstream(folder.path / "taken.png" / "inside") << 1;
    CHECK_THAT(messageOf([&] { writePng(image, folder.path / "taken.png"); }), Catch::Contains("taken.png"));
    CHECK(folder.entries() == 1);
}

TEST_CASE("A missing shader is named") {
    Context context;
    Folder folder;
    CHECK_THAT(messageOf([&] { Renderer renderer(folder.path); }),
               Catch::Contains(folder.path.string()) && Catch::Contains("solid.vert"));
}

TEST_CASE("A defective shader is named with its line, also in a file it includes") {
    Context context;
    Folder folder;
    const fs::path shaders = folder.path / "shaders";
    fs::copy(ELASTO_SHADERS, shaders);
    const auto breakAfter = [&](const char* file, int line) {
        fs::copy(ELASTO_SHADERS, shaders, fs::copy_options::overwrite_existing);
        std::ifstream original(fs::path(ELASTO_SHADERS) / file);
        std::ofstream broken(shaders / file);
        int number = 0;
        for (std::string text; std::getline(original, text);) {
            broken << text << '\n';
            if (++number == line) broken << "this is no GLSL;\n";
        }
        broken.close();
        return messageOf([&] { Renderer renderer(shaders); });
    };
    CHECK_THAT(breakAfter("lit.frag", 12), Catch::Contains("lit.frag") && Catch::Contains("lit.frag:13"));
    CHECK_THAT(breakAfter("shadow.glsl", 3), Catch::Contains("shadow.glsl:4"));
}

TEST_CASE("Pictures of impossible sizes are refused") {
    Context context;
    for (const int width : {0, -3, 1 << 20}) {
        CHECK_THAT(messageOf([&] { Target target(width, 100); }), Catch::Contains(std::to_string(width) + " x 100"));
    }
}

TEST_CASE("Without a display a window is refused with a reason") {
    // ctest runs this with whatever display there is: take it away.
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    CHECK_THAT(messageOf([] { Window window({}); }), Catch::Contains("no window") && Catch::Contains("DISPLAY"));
}

}  // namespace
}  // namespace elasto::view
