#include "fonts.h"

#include <algorithm>
#include <cmath>
#include <system_error>

namespace elasto::panels {

namespace {

/// Latin with umlauts and micro, Greek, dashes and dots, arrows, mathematical operators, shapes.
constexpr ImWchar kGlyphs[] = {0x0020, 0x00ff, 0x0370, 0x03ff, 0x2010, 0x2027, 0x2030, 0x203a,
                               0x2190, 0x2193, 0x2202, 0x2265, 0x25a0, 0x25cf, 0};

ImFont* load(const char* name, float height, const std::vector<std::filesystem::path>& folders, std::string& message) {
    ImFontAtlas* atlas = ImGui::GetIO().Fonts;
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 1;
    config.PixelSnapH = true;
    for (const std::filesystem::path& folder : folders) {
        const std::filesystem::path file = folder / name;
        std::error_code problem;
        if (!std::filesystem::is_regular_file(file, problem)) continue;
        if (ImFont* font = atlas->AddFontFromFileTTF(file.c_str(), height, &config, kGlyphs)) return font;
    }
    if (!message.empty()) message += "\n";
    message += std::string(name) + " was not found; install the package fonts-dejavu-core for readable text.";
    config = {};
    config.SizePixels = height;
    return atlas->AddFontDefault(&config);
}

}  // namespace

std::vector<std::filesystem::path> fontFolders() {
    return {"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/dejavu",
            "/usr/share/fonts/TTF"};
}

Fonts loadFonts(float scale, const std::vector<std::filesystem::path>& folders) {
    const float height = std::round(kTextHeight * std::clamp(scale, 0.5f, 4.f));
    ImGui::GetIO().Fonts->Clear();
    Fonts fonts;
    fonts.text = load("DejaVuSans.ttf", height, folders, fonts.message);
    fonts.bold = load("DejaVuSans-Bold.ttf", height, folders, fonts.message);
    fonts.numbers = load("DejaVuSansMono.ttf", std::round(height * 0.95f), folders, fonts.message);
    std::string saidAlready;  // the same file
    fonts.small = load("DejaVuSansMono.ttf", std::round(height * 0.87f), folders, saidAlready);
    ImGui::GetIO().FontDefault = fonts.text;
    ImGui::GetIO().Fonts->Build();
    return fonts;
}

}  // namespace elasto::panels
