#pragma once
/// @file first_tour.h
/// Five cards that show a newcomer round.

#include "layout.h"
#include "theme.h"

#include <cstddef>

namespace elasto::panels {

/// One card after the other, all in the same place above the view, so that none covers what it speaks of; that is
/// framed. Cards of parts that are not shown are passed over.
class FirstTour {
public:
    static constexpr std::size_t kCards = 5;

    void start() { m_card = 0; }
    void close() { m_card = kCards; }
    bool isOpen() const { return m_card < kCards; }
    /// Index of the card that is shown; kCards: none.
    std::size_t card() const { return m_card; }
    /// What the longest card needs at this width [pixels].
    static float height(float width);
    /// @param place of all cards
    void draw(const Rect& place, const Layout& layout, const Palette& palette);

private:
    std::size_t m_card = kCards;
};

}  // namespace elasto::panels
