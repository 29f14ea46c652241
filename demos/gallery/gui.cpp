#include "gallery/gui.h"

#include "view/error.h"
#include "view/target.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

namespace elasto::gallery {

Gui::Gui(GLFWwindow* window) : m_window(window) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // the layout is ours; settings are kept in one file of our own
    io.LogFilename = nullptr;
    // Arrow keys belong to the gallery until Tab gives them to the panels.
    io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    // At ten frames a second two clicks are not seen within the usual 0.3 s.
    io.MouseDoubleClickTime = 0.5F;
    // Without a window nobody else says which keys move among the panels.
    for (int key = 0; window == nullptr && key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
    const bool hasWindow = window == nullptr || ImGui_ImplGlfw_InitForOpenGL(window, true);
    if (!hasWindow || !ImGui_ImplOpenGL3_Init("#version 330 core")) {
        ImGui::DestroyContext();
        throw view::GraphicsError("the panels cannot be drawn: Dear ImGui refuses this OpenGL context");
    }
}

Gui::~Gui() {
    ImGui_ImplOpenGL3_Shutdown();
    if (m_window != nullptr) ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void Gui::setLook(panels::Theme theme, float scale) {
    if (scale == m_scale && theme == m_theme) return;
    panels::applyTheme(theme, scale);
    if (scale != m_scale) {
        m_fonts = panels::loadFonts(scale);
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }
    m_theme = theme;
    m_scale = scale;
}

void Gui::begin(int width, int height, float seconds) {
    ImGui_ImplOpenGL3_NewFrame();
    if (m_window != nullptr) {
        ImGui_ImplGlfw_NewFrame();
    } else {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
        io.DeltaTime = std::max(seconds, 1e-4F);  // it refuses a standstill
    }
    ImGui::NewFrame();
}

namespace {

/// Draws some lists of a frame.
void drawLists(std::vector<ImDrawList*> lists, ImVec2 size) {
    ImDrawData data;
    data.Valid = true;
    data.CmdLists = lists.data();
    data.CmdListsCount = static_cast<int>(lists.size());
    for (const ImDrawList* list : lists) {
        data.TotalIdxCount += list->IdxBuffer.Size;
        data.TotalVtxCount += list->VtxBuffer.Size;
    }
    data.DisplaySize = size;
    data.FramebufferScale = {1, 1};
    ImGui_ImplOpenGL3_RenderDrawData(&data);
}

}  // namespace

void Gui::end(const std::function<void()>& take) {
    ImGui::Render();
    const ImDrawData& all = *ImGui::GetDrawData();
    const ImDrawList* foreground = ImGui::GetForegroundDrawList();
    std::vector<ImDrawList*> lists(all.CmdLists, all.CmdLists + all.CmdListsCount);
    const auto notices =
        std::stable_partition(lists.begin(), lists.end(), [&](const ImDrawList* list) { return list != foreground; });
    drawLists({lists.begin(), notices}, all.DisplaySize);
    take();
    drawLists({notices, lists.end()}, all.DisplaySize);
}

view::Image Gui::paint(const panels::PlotPicture& picture) {
    view::Target canvas(static_cast<int>(picture.size.x), static_cast<int>(picture.size.y), 1);
    canvas.bind();
    drawLists({picture.list.get()}, picture.size);
    canvas.resolve();
    view::Image image = canvas.read();
    for (std::size_t alpha = 3; alpha < image.rgba.size(); alpha += 4) image.rgba[alpha] = 255;
    return image;
}

}  // namespace elasto::gallery
