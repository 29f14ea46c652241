#pragma once
/// @file file_dialog.h
/// Dialog: which file to open, or where to save what.

#include "theme.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace elasto::panels {

/// A path that is typed (Tab completes it, ~ is the home folder) above the list of what is there. What is saved follows
/// from the ending: a scene (.json), a recording (.elrec), a picture (.png).
class FileDialog {
public:
    enum class Purpose { Open, Save };
    /// @param start   path that it begins with; a folder ends with a slash
    /// @param message why it is shown, where nobody has asked for it
    void open(Purpose purpose, const std::filesystem::path& start, std::string message = "");
    void close() { m_isOpen = false; }
    bool isOpen() const { return m_isOpen; }
    Purpose purpose() const { return m_purpose; }
    const std::string& text() const { return m_text; }  ///< the path as it stands in the field

    /// @param recent files that were opened before, offered for opening
    /// @return the file that was chosen: one that is there, or a name in a folder that is there
    std::optional<std::filesystem::path> draw(std::span<const std::string> recent, const Palette& palette);

private:
    struct Entry {
        std::string name;  ///< a folder's with a slash
        bool isFolder = false;
    };

    void list();
    void drawRecent(std::span<const std::string> recent, const Palette& palette, std::optional<std::string>& chosen);
    void drawPlaces();
    void drawEndings(const Palette& palette);
    void drawEntries(const Palette& palette, std::optional<std::string>& chosen);
    void goTo(const std::filesystem::path& path);
    std::optional<std::filesystem::path> take(const std::string& text);

    Purpose m_purpose = Purpose::Open;
    bool m_isOpen = false;
    bool m_wantsFocus = false;
    bool m_isFresh = false;  ///< the cursor is still to go to the end of the text
    std::string m_text;
    std::string m_message;
    std::string m_replaced;          ///< is there already: the next press replaces it
    std::filesystem::path m_listed;  ///< folder of the entries
    std::string m_problem;           ///< why it cannot be listed
    std::vector<Entry> m_entries;
};

/// What a typed path can be completed to: the longest beginning that all names have that begin with it; the text itself
/// where none does.
/// @param names in the text's folder, folders with a slash
std::string completed(const std::string& text, std::span<const std::string> names);

/// A path with its ~ at the beginning replaced by the home folder.
std::filesystem::path expanded(const std::string& text);

}  // namespace elasto::panels
