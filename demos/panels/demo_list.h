#pragma once
/// @file demo_list.h
/// Panel: the demos, with search, and what there is to see and to do in the present one.

#include "context.h"

namespace elasto::panels {

class DemoList {
public:
    /// @param demos   all of them, in their order
    /// @param current index of the present one; -1: none of them
    /// @param files   of one's own, above the demos; the first is the present one where no demo is
    void draw(const Context& context, std::span<const DemoEntry> demos, int current,
              std::span<const DemoEntry> files = {});
    /// Puts the keyboard into the search field in the next frame.
    void focusSearch() { m_wantsFocus = true; }

private:
    bool drawSearch(const Palette& palette);
    /// @return true where it was clicked
    bool drawEntry(const Context& context, const DemoEntry& demo, bool isCurrent, bool isBest);
    void drawFiles(const Context& context, std::span<const DemoEntry> files, bool isFirstShown);

    std::string m_search;
    bool m_wantsFocus = false;
    int m_shown = -1;   ///< the demo that was scrolled to
    int m_scrolls = 0;  ///< frames in which that is still to be done
};

/// True if every word of the search is somewhere in the demo's texts, whatever the case.
bool matches(const DemoEntry& demo, std::string_view search);
/// Index of the demo that a search means most: its title or name is the search, or begins with it, or has it, or has
/// all its words, or its texts have. Of equal ones the first; -1: none matches.
int bestMatch(std::span<const DemoEntry> demos, std::string_view search);
/// Index of the demo before (-1) or after (+1) the present one, round the ends. Of none: the first one.
int neighbour(int current, int step, std::size_t count);

}  // namespace elasto::panels
