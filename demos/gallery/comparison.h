#pragma once
/// @file comparison.h
/// The same scene by Bullet's own ways, beside the run: ghosts in the view, curves in the plots, rows in the panel.

#include "gallery/moment.h"
#include "gallery/scene_drawing.h"
#include "panels/context.h"
#include "panels/curve.h"
#include "play/baseline.h"
#include "play/reference_run.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace elasto::gallery {

class Comparison {
public:
    /// @param shown  baselines that are shown at the start; with none of them the comparison is off
    /// @param offset where each baseline stands beside the one before [m]; zero: all of them as ghosts in the run
    /// itself
    explicit Comparison(const std::vector<play::BaselineKind>& shown,
                        const Eigen::Vector3d& offset = Eigen::Vector3d::Zero());

    bool isOn() const { return m_isOn; }
    /// On with no baseline chosen shows all of them.
    void setOn(bool isOn);

    /// Brings the baselines that are shown, and the reference, up to the session's newest tick.
    /// @param waits for the reference, which is computed in the background otherwise
    void follow(const play::Session& session, bool waits);
    /// Whether the reference is still on its way to the session's newest tick.
    bool isBehind(const play::Session& session) const;
    /// The baselines at the session's tick, with their names where they stand beside the run.
    void draw(const play::Session& session, SceneDrawing& drawing, const std::vector<Law>& laws,
              const DrawingOptions& options, view::Picture& picture, std::vector<Label>& labels);
    /// How many baselines stand beside the run now.
    int lanes() const;
    /// The box that the baselines need beside that of the run [m].
    Eigen::AlignedBox3d withBaselines(const Eigen::AlignedBox3d& box) const;
    /// Rows of the panel: Elasto, then the baselines. The switches in them are ours.
    const std::vector<panels::ComparisonRow>& rows(const play::Session& session, const panels::Palette& palette);
    /// What is compared, and up to when.
    std::string explanation(const play::Session& session) const;
    /// Curves of the baselines and of the reference for a plot, the latter up to where it ends to be one
    /// (play::comparableRun). Valid until the next call of follow().
    std::vector<panels::ForeignCurve> curves(const play::Session& session, int element, play::Quantity quantity,
                                             const panels::Palette& palette);
    /// NRMSE of the run, then of the baselines, against the reference; empty where it is not known.
    const std::array<std::optional<double>, 1 + play::kBaselineKinds>& errors() const { return m_errors; }

private:
    struct Entry {
        play::BaselineKind kind = play::BaselineKind::ExplicitForce;
        bool isShown = false;
        std::unique_ptr<play::Baseline> baseline;
        std::map<std::pair<int, play::Quantity>, panels::Curve> curves;
        int run = -1;  ///< of the session that the curves belong to
    };

    void judge(const play::Session& session);

    bool m_isOn = false;
    bool m_hasGuests = false;  ///< of the session, which then has neither baselines nor a reference
    Eigen::Vector3d m_offset;
    std::unique_ptr<play::ReferenceRun> m_reference;
    std::map<std::pair<int, play::Quantity>, panels::Curve> m_referenceCurves;
    std::array<std::optional<double>, 1 + play::kBaselineKinds> m_errors;
    long m_judgedTick = -1;
    int m_judgedRun = -1;
    int m_frames = 0;
    Moment m_moment;
    view::Picture m_scratch;
    std::array<Entry, play::kBaselineKinds> m_baselines;
    std::vector<panels::ComparisonRow> m_rows;
    std::vector<BodyPose> m_poses;
};

/// Colour of a baseline's ghost.
view::Color baselineColor(play::BaselineKind kind);

}  // namespace elasto::gallery
