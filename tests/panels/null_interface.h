#pragma once
/// @file null_interface.h
/// ImGui without a window: frames can be made, driven with a mouse and inspected, but nothing is shown.

#include <panels/fonts.h>
#include <panels/theme.h>

#include <imgui.h>

#include <functional>

/// A context with one window that fills the screen. One at a time.
class NullInterface {
public:
    NullInterface(float width, float height) {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {width, height};
        io.DeltaTime = 1.f / 60;
        io.IniFilename = nullptr;
        elasto::panels::loadFonts(1);
        elasto::panels::applyTheme(elasto::panels::Theme::Dark, 1);
    }
    ~NullInterface() { ImGui::DestroyContext(); }
    NullInterface(const NullInterface&) = delete;
    NullInterface& operator=(const NullInterface&) = delete;

    /// One frame whose whole screen is a window.
    void frame(const std::function<void()>& content) {
        bareFrame([&content] {
            ImGui::SetNextWindowPos({0, 0});
            ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
            ImGui::Begin("screen", nullptr, ImGuiWindowFlags_NoDecoration);
            content();
            ImGui::End();
        });
    }

    /// One frame without any window.
    void bareFrame(const std::function<void()>& content) {
        buildAtlas();
        ImGui::NewFrame();
        content();
        ImGui::Render();
        ImGui::GetIO().MouseWheel = 0;
    }

    void mouse(float x, float y) { ImGui::GetIO().MousePos = {x, y}; }
    void press(int button) { ImGui::GetIO().MouseDown[button] = true; }
    void release(int button) { ImGui::GetIO().MouseDown[button] = false; }
    void wheel(float notches) { ImGui::GetIO().MouseWheel = notches; }

private:
    static void buildAtlas() {
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        if (!ImGui::GetIO().Fonts->IsBuilt()) ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    }
};

/// Vertices of a colour in all that was drawn in the last frame, opacity not counted.
inline int verticesOfColor(ImU32 color) {
    int count = 0;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int list = 0; list < data->CmdListsCount; ++list) {
        for (const ImDrawVert& vertex : data->CmdLists[list]->VtxBuffer) {
            if ((vertex.col & ~IM_COL32_A_MASK) == (color & ~IM_COL32_A_MASK)) ++count;
        }
    }
    return count;
}
