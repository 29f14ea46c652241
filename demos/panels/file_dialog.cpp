#include "file_dialog.h"

#include "widgets.h"
#include "words.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace elasto::panels {

namespace {

namespace fs = std::filesystem;

constexpr std::array kOpened = {".json", ".urdf", ".sdf", ".xml", ".elrec"};
struct Saved {
    const char* ending;
    const char* text;
};
constexpr std::array kSaved = {Saved{".json", "Scene"}, Saved{".elrec", "Recording"}, Saved{".png", "Picture"}};

bool isOffered(const fs::path& file, FileDialog::Purpose purpose) {
    const std::string ending = lowered(file.extension().string());
    const auto isSame = [&](const char* one) { return ending == one; };
    if (purpose == FileDialog::Purpose::Open) return std::any_of(kOpened.begin(), kOpened.end(), isSame);
    return std::any_of(kSaved.begin(), kSaved.end(), [&](const Saved& one) { return isSame(one.ending); });
}

/// The part of a typed path behind its last slash.
std::string lastOf(const std::string& text) {
    const std::size_t slash = text.rfind('/');
    return slash == std::string::npos ? text : text.substr(slash + 1);
}

std::string withSlash(const fs::path& folder) {
    const std::string text = folder.string();
    return text.ends_with('/') ? text : text + "/";
}

/// What the field of the path knows.
struct Typing {
    std::vector<std::string> names;  ///< in the folder
    bool isFresh = false;            ///< it has just got the focus, or another text
};

int edit(ImGuiInputTextCallbackData* data) {
    auto& typing = *static_cast<Typing*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways) {
        // What is typed goes on with the path; Dear ImGui would have all of it selected.
        if (std::exchange(typing.isFresh, false)) {
            data->ClearSelection();
            data->CursorPos = data->BufTextLen;
        }
        return 0;
    }
    const std::string text = completed(data->Buf, typing.names);
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, text.c_str());
    return 0;
}

}  // namespace

fs::path expanded(const std::string& text) {
    const char* home = std::getenv("HOME");
    if (home == nullptr || !(text == "~" || text.starts_with("~/"))) return text;
    return std::string(home) + text.substr(1);
}

std::string completed(const std::string& text, std::span<const std::string> names) {
    const std::string begun = lastOf(text);
    std::optional<std::string> common;
    for (const std::string& name : names) {
        if (!name.starts_with(begun)) continue;
        if (!common) {
            common = name;
            continue;
        }
        const auto [end, other] = std::mismatch(common->begin(), common->end(), name.begin(), name.end());
        common->erase(end, common->end());
    }
    return common ? text.substr(0, text.size() - begun.size()) + *common : text;
}

void FileDialog::open(Purpose purpose, const fs::path& start, std::string message) {
    *this = {};
    m_purpose = purpose;
    m_isOpen = m_wantsFocus = true;
    m_text = start.string();
    m_message = std::move(message);
}

void FileDialog::goTo(const fs::path& path) {
    m_text = path.string();
    m_message.clear();
    m_wantsFocus = true;
}

void FileDialog::list() {
    std::error_code problem;
    fs::path folder = expanded(m_text);
    if (!m_text.ends_with('/')) folder = folder.parent_path();
    if (folder.empty()) folder = fs::current_path(problem);
    if (folder == m_listed) return;
    m_listed = folder;
    m_entries.clear();
    m_problem.clear();
    fs::directory_iterator entries(folder, fs::directory_options::skip_permission_denied, problem);
    if (problem) {
        m_problem = folder.string() + ": " + problem.message();
        return;
    }
    for (const fs::directory_entry& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with('.')) continue;
        const bool isFolder = entry.is_directory(problem);
        if (isFolder || isOffered(entry.path(), m_purpose))
            m_entries.push_back({isFolder ? name + "/" : name, isFolder});
    }
    std::sort(m_entries.begin(), m_entries.end(), [](const Entry& one, const Entry& other) {
        return one.isFolder != other.isFolder ? one.isFolder : one.name < other.name;
    });
}

/// What was typed or chosen. A folder is entered.
std::optional<fs::path> FileDialog::take(const std::string& text) {
    std::error_code problem;
    const fs::path file = fs::absolute(expanded(text), problem);
    m_wantsFocus = true;
    if (fs::is_directory(file, problem)) {
        m_text = withSlash(file);
        m_message.clear();
        return std::nullopt;
    }
    if (m_purpose == Purpose::Open) {
        if (fs::exists(file, problem)) return file;
        m_message = "There is no " + file.string();
        return std::nullopt;
    }
    if (!isOffered(file, m_purpose)) {
        m_message = "The ending says what is saved: .json the scene, .elrec the run, .png a picture.";
    } else if (!fs::is_directory(file.parent_path(), problem)) {
        m_message = "There is no folder " + file.parent_path().string();
    } else if (fs::exists(file, problem) && m_replaced != file.string()) {
        m_message = file.string() + " is there already. Save it again to replace it, or give another name.";
        m_replaced = file.string();
    } else {
        return file;
    }
    return std::nullopt;
}

void FileDialog::drawRecent(std::span<const std::string> recent, const Palette& palette,
                            std::optional<std::string>& chosen) {
    if (recent.empty() || m_purpose != Purpose::Open) return;
    ImGui::PushStyleColor(ImGuiCol_Text, palette.faint);
    ImGui::TextUnformatted("Opened before");
    ImGui::PopStyleColor();
    for (const std::string& file : recent) {
        if (ImGui::Selectable((file + "##recent").c_str())) chosen = file;
    }
    ImGui::Spacing();
}

/// Folders that are seldom far from what is looked for.
void FileDialog::drawPlaces() {
    std::error_code problem;
    const fs::path home = expanded("~");
    const std::pair<const char*, fs::path> places[] = {{"Home", home},
                                                       {"Documents", home / "Documents"},
                                                       {"Working directory", fs::current_path(problem)},
                                                       {"Up", m_listed.parent_path()}};
    const std::string name = m_purpose == Purpose::Save ? lastOf(m_text) : "";
    for (const auto& [text, folder] : places) {
        if (!fs::is_directory(folder, problem)) continue;
        if (ImGui::Button(text)) goTo(withSlash(folder) + name);
        tip(folder.string());
        ImGui::SameLine();
    }
    ImGui::NewLine();
}

void FileDialog::drawEndings(const Palette& palette) {
    if (m_purpose != Purpose::Save) return;
    for (const Saved& one : kSaved) {
        const fs::path path = m_text;
        if (chip((std::string(one.text) + " (" + one.ending + ")").c_str(), path.extension() == one.ending, palette)) {
            goTo(fs::path(path).replace_extension(one.ending));
        }
        ImGui::SameLine();
    }
    ImGui::NewLine();
}

void FileDialog::drawEntries(const Palette& palette, std::optional<std::string>& chosen) {
    const std::string begun = m_purpose == Purpose::Open ? lowered(lastOf(m_text)) : "";
    ImGui::PushStyleColor(ImGuiCol_ChildBg, palette.field);
    ImGui::BeginChild("entries", {0, 14 * ImGui::GetTextLineHeightWithSpacing()}, true, ImGuiWindowFlags_NavFlattened);
    if (!m_problem.empty()) ImGui::TextWrapped("%s", m_problem.c_str());
    // Choosing one changes the list.
    const std::vector<Entry> entries = m_entries;
    for (const Entry& entry : entries) {
        const bool isChosen = lowered(entry.name) == begun;
        if (!isChosen && lowered(entry.name).find(begun) == std::string::npos) continue;
        ImGui::PushStyleColor(ImGuiCol_Text, entry.isFolder ? palette.accent : palette.text);
        if (ImGui::Selectable(entry.name.c_str(), isChosen, ImGuiSelectableFlags_AllowDoubleClick)) {
            goTo((m_listed / entry.name).string());
            if (!entry.isFolder && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) chosen = m_text;
        }
        ImGui::PopStyleColor();
    }
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

std::optional<fs::path> FileDialog::draw(std::span<const std::string> recent, const Palette& palette) {
    if (!m_isOpen) return std::nullopt;
    const float line = ImGui::GetTextLineHeight();
    const bool isOpening = m_purpose == Purpose::Open;
    const ImVec2 size = {std::min(44 * line, 0.94f * ImGui::GetIO().DisplaySize.x), 0};
    const Dialog dialog("file", isOpening ? "Open a scene, a robot or a recording" : "Save as", size, {1.2f, 1},
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_AlwaysAutoResize, palette);
    if (dialog.isClosed()) close();
    list();
    std::optional<std::string> chosen;
    drawRecent(recent, palette, chosen);
    Typing typing{{}, m_isFresh};
    for (const Entry& entry : m_entries) typing.names.push_back(entry.name);
    if (std::exchange(m_wantsFocus, false)) {
        ImGui::ClearActiveID();  // the field would keep the text that it had
        ImGui::SetKeyboardFocusHere();
        typing.isFresh = true;
    }
    const char* action = isOpening ? "Open" : "Save";
    const float button = ImGui::CalcTextSize(action).x + 2 * line;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x);
    const std::string before = m_text;
    constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue |
                                           ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackAlways;
    if (ImGui::InputText("##path", &m_text, kFlags, edit, &typing)) chosen = m_text;
    m_isFresh = typing.isFresh;
    if (m_text != before) m_message.clear();
    tip("Tab completes what is typed.");
    ImGui::SameLine();
    if (ImGui::Button(action, {button, 0})) chosen = m_text;
    drawEndings(palette);
    if (!m_message.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, palette.warning);
        ImGui::TextWrapped("%s", m_message.c_str());
        ImGui::PopStyleColor();
    }
    drawPlaces();
    drawEntries(palette, chosen);
    return chosen ? take(*chosen) : std::nullopt;
}

}  // namespace elasto::panels
