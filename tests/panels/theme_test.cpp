#include <panels/fonts.h>
#include <panels/theme.h>

#include <catch2/catch.hpp>

#include "null_interface.h"

using namespace elasto::panels;

TEST_CASE("texts and curves can be read on both themes") {
    for (const Theme theme : {Theme::Dark, Theme::Light}) {
        const Palette& palette = paletteOf(theme);
        INFO((theme == Theme::Dark ? "dark" : "light"));
        for (const ImU32 ground : {palette.panel, palette.raised, palette.field, palette.background}) {
            CHECK(contrast(palette.text, ground) >= 7);
            CHECK(contrast(palette.faint, ground) >= 4.5);
        }
        CHECK(contrast(palette.onAccent, palette.accent) >= 4.5);
        for (const ImU32 color : {palette.good, palette.warning, palette.bad, palette.accent}) {
            CHECK(contrast(color, palette.panel) >= 4.5);
        }
        for (const ImU32 color : palette.curves) CHECK(contrast(color, palette.field) >= 3);
        CHECK(contrast(palette.cursor, palette.field) >= 3);
    }
}

TEST_CASE("contrast is that of WCAG") {
    CHECK(contrast(IM_COL32_BLACK, IM_COL32_WHITE) == Approx(21));
    CHECK(contrast(IM_COL32_WHITE, IM_COL32_WHITE) == Approx(1));
    CHECK(contrast(IM_COL32(119, 119, 119, 255), IM_COL32_WHITE) == Approx(4.48).margin(0.01));
}

TEST_CASE("colours fade and mix") {
    CHECK(faded(IM_COL32(1, 2, 3, 200), 0.5f) == IM_COL32(1, 2, 3, 100));
    CHECK(mixed(IM_COL32(0, 100, 200, 255), IM_COL32(100, 0, 200, 255), 0.5f) == IM_COL32(50, 50, 200, 255));
}

TEST_CASE("sizes grow with the scale") {
    NullInterface interface(400, 300);
    applyTheme(Theme::Dark, 1);
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    applyTheme(Theme::Light, 2);
    CHECK(ImGui::GetStyle().FramePadding.x == 2 * padding.x);
    CHECK(ImGui::GetStyle().WindowBorderSize == 1);
    const Fonts small = loadFonts(1);
    CHECK(small.message.empty());
    CHECK(small.text->FontSize == kTextHeight);
    CHECK(small.text->FindGlyphNoFallback(0x3c6));    // phi
    CHECK(small.numbers->FindGlyphNoFallback(0xb5));  // micro
    const Fonts large = loadFonts(2);
    CHECK(large.text->FontSize == 2 * kTextHeight);
}

TEST_CASE("without its fonts the interface is poor but alive") {
    NullInterface interface(400, 300);
    const Fonts fonts = loadFonts(1, {"/nonexistent"});
    CHECK(fonts.message.find("DejaVuSans.ttf") != std::string::npos);
    CHECK(fonts.message.find("fonts-dejavu-core") != std::string::npos);
    REQUIRE(fonts.text);
    REQUIRE(fonts.bold);
    REQUIRE(fonts.numbers);
    interface.frame([] { ImGui::TextUnformatted("alive"); });
    CHECK(ImGui::GetDrawData()->TotalVtxCount > 0);
}
