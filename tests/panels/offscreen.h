#pragma once
/// @file offscreen.h
/// ImGui drawn by OpenGL without a display, and read back.

#include <panels/fonts.h>
#include <panels/theme.h>
#include <view/context.h>
#include <view/image.h>
#include <view/target.h>

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

/// A screen in memory. One at a time.
class Offscreen {
public:
    Offscreen(int width, int height, float scale = 1, elasto::panels::Theme theme = elasto::panels::Theme::Dark)
        : m_target(width, height, 1) {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
        io.DeltaTime = 1.f / 60;
        io.IniFilename = nullptr;
        for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
        io.MousePos = {-1e4f, -1e4f};
        elasto::panels::loadFonts(scale);
        elasto::panels::applyTheme(theme, scale);
        ImGui_ImplOpenGL3_Init("#version 330 core");
    }
    ~Offscreen() {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui::DestroyContext();
    }
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;

    void frame(const std::function<void()>& content) {
        ImGui_ImplOpenGL3_NewFrame();
        ImGui::NewFrame();
        content();
        ImGui::Render();
        m_target.bind();
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        m_target.resolve();
        ImGui::GetIO().MouseWheel = 0;
    }
    void mouse(float x, float y) { ImGui::GetIO().MousePos = {x, y}; }
    void press(int button) { ImGui::GetIO().MouseDown[button] = true; }
    void release(int button) { ImGui::GetIO().MouseDown[button] = false; }

    /// The picture of the last frame; it is kept as a PNG in $ELASTO_PICTURES if that is set.
    elasto::view::Image picture(const std::string& name) const {
        elasto::view::Image image = m_target.read();
        for (std::size_t alpha = 3; alpha < image.rgba.size(); alpha += 4) image.rgba[alpha] = 255;
        if (const char* folder = std::getenv("ELASTO_PICTURES")) {
            elasto::view::writePng(image, std::filesystem::path(folder) / (name + ".png"));
        }
        return image;
    }

private:
    elasto::view::Context m_context;
    elasto::view::Target m_target;
};

/// Pixels of a colour in a part of a picture, within a tolerance per channel.
inline int pixelsOf(const elasto::view::Image& image, ImU32 color, int left, int top, int right, int bottom,
                    int tolerance = 24) {
    const std::array<int, 3> wanted = {static_cast<int>(color & 0xff), static_cast<int>((color >> 8) & 0xff),
                                       static_cast<int>((color >> 16) & 0xff)};
    int count = 0;
    for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
            const auto pixel = image.pixel(x, y);
            bool isClose = true;
            for (std::size_t i = 0; i < 3; ++i) isClose = isClose && std::abs(pixel[i] - wanted[i]) <= tolerance;
            count += isClose ? 1 : 0;
        }
    }
    return count;
}
