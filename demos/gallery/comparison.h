#pragma once
/// @file comparison.h
/// The same scene by Bullet's own ways, beside the run: ghosts in the view, curves in the plots, rows in the panel.

#include "gallery/moment.h"
#include "gallery/scene_drawing.h"
#include "panels/context.h"
#include "panels/curve.h"
#include "play/rival.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace elasto::gallery {

class Comparison {
public:
    /// @param shown rivals whose ghosts are shown at the start; with none of them the comparison is off
    explicit Comparison(const std::vector<play::RivalKind>& shown);

    bool isOn() const { return m_isOn; }
    /// On with no rival chosen shows all of them.
    void setOn(bool isOn);

    /// Brings the rivals that are shown up to the session's newest tick.
    void follow(const play::Session& session);
    /// Ghosts of the rivals at the session's tick.
    void draw(const play::Session& session, const SceneDrawing& drawing, view::Picture& picture);
    /// Rows of the panel: Elasto, then the rivals. The switches in them are ours.
    const std::vector<panels::ComparisonRow>& rows(const play::Session& session, const panels::Palette& palette);
    /// What is compared, a line.
    std::string explanation() const;
    /// Curves of the rivals for a plot. Valid until the next call of follow().
    std::vector<panels::ForeignCurve> curves(const play::Session& session, int element, play::Quantity quantity,
                                             const panels::Palette& palette);
    /// Largest distance between a rival's body and the run's now [m]; infinite where it broke off.
    double distance(std::size_t rival, const play::Session& session) const;
    static constexpr std::size_t size() { return play::kRivalKinds; }
    const play::Rival* rival(std::size_t index) const { return m_rivals[index].rival.get(); }

private:
    struct Entry {
        play::RivalKind kind = play::RivalKind::ExplicitForce;
        bool isShown = false;
        std::unique_ptr<play::Rival> rival;
        std::map<std::pair<int, play::Quantity>, panels::Curve> curves;
        int run = -1;  ///< of the session that the curves belong to
    };

    bool m_isOn = false;
    std::array<Entry, play::kRivalKinds> m_rivals;
    std::vector<panels::ComparisonRow> m_rows;
    std::vector<BodyPose> m_poses;
};

/// Colour of a rival's ghost.
view::Color rivalColor(play::RivalKind kind);

}  // namespace elasto::gallery
