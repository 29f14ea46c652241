#include "status_bar.h"

#include "axis.h"
#include "widgets.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace elasto::panels {

namespace {

template <class... Arguments>
std::string formatted(const char* format, Arguments... arguments) {
    std::array<char, 160> text;
    std::snprintf(text.data(), text.size(), format, arguments...);
    return text.data();
}

/// One figure; the next one begins at a fixed distance, so that the line does not jitter.
class Line {
public:
    explicit Line(const Palette& palette) : m_palette(palette) {}

    void item(const std::string& text, ImU32 color, float columns, const char* help) {
        const float em = ImGui::GetTextLineHeight() * 0.55f;
        if (m_isFirst) {
            m_isFirst = false;
        } else {
            ImGui::SameLine(m_next);
        }
        const float start = ImGui::GetCursorPosX();
        ImGui::PushStyleColor(ImGuiCol_Text, color);
        ImGui::TextUnformatted(text.c_str());
        ImGui::PopStyleColor();
        if (help) tip(help);
        const float width = std::max(columns * em, ImGui::CalcTextSize(text.c_str()).x);
        m_next = start + width + 1.6f * em;
        const ImVec2 low = ImGui::GetItemRectMin();
        const float x = low.x + width + 0.8f * em;
        ImGui::GetWindowDrawList()->AddLine({x, low.y + 2}, {x, low.y + ImGui::GetTextLineHeight() - 2},
                                            m_palette.border);
    }

private:
    const Palette& m_palette;
    bool m_isFirst = true;
    float m_next = 0;
};

std::string gradeHelp(const TickStatistics& totals) {
    const std::int64_t inexact = totals.approximateTicks + totals.failedTicks;
    std::string text = "How good the last tick was, and by how much it may be off. ";
    if (inexact == 0) return text + "All ticks so far were exact.";
    text += formatted("%d of %d ticks were not exact, the worst at %.4g s.", inexact, totals.ticks, totals.errorTime);
    for (int cause = 1; cause < kGradeCauses; ++cause) {
        const std::int64_t count = totals.networksPerCause[static_cast<std::size_t>(cause)];
        if (count > 0) text += formatted("\n%d: ", count) + textOf(static_cast<GradeCause>(cause));
    }
    return text;
}

}  // namespace

std::string methodsText(const TickStatistics& statistics) {
    std::string text;
    for (int method = 0; method < kFlowMethods; ++method) {
        const std::int64_t count = statistics.elementsPerMethod[static_cast<std::size_t>(method)];
        if (count == 0) continue;
        if (!text.empty()) text += ", ";
        text += std::to_string(count) + " " + methodName(static_cast<FlowMethod>(method));
    }
    return text.empty() ? "asleep" : text;
}

ImU32 gradeColor(const Palette& palette, Grade grade) {
    return grade == Grade::Exact ? palette.good : grade == Grade::Approximate ? palette.warning : palette.bad;
}

std::string gradeText(const TickGrade& grade) {
    if (grade.grade == Grade::Exact) return nameOf(grade.grade);
    return formatted("%s, by %.1g m", nameOf(grade.grade), grade.error);
}

void drawStatusBar(const Context& context, const RunFigures& figures) {
    const Palette& palette = context.palette;
    const play::Session& session = context.session;
    Line line(palette);
    ImGui::AlignTextToFramePadding();
    if (session.trouble()) {
        line.item("Stopped", palette.bad, 9, "The run cannot go on from here. Go back in time.");
    } else if (!context.playback.isPlaying) {
        line.item("Paused", palette.warning, 9, nullptr);
    } else {
        line.item(speedText(context.playback.speed), palette.good, 9, "Speed that is wanted");
    }
    if (figures.realTimeFactor > 0) {
        line.item(formatted("%.3g\u00d7 real time", figures.realTimeFactor), palette.text, 16,
                  "Simulated time per time on the clock, measured");
    }
    const double h = session.tickLength();
    if (figures.tickCost > 0) {
        line.item(formatted("tick %s, takes %s", withUnit(h, "s").c_str(), withUnit(figures.tickCost, "s").c_str()),
                  figures.tickCost > h ? palette.warning : palette.text, 26,
                  "Length of a tick, and the processor time that computing it takes");
    } else {
        line.item(formatted("tick %s", withUnit(h, "s").c_str()), palette.text, 26, "Length of a tick");
    }
    const std::optional<play::RecordingCheck>& check = session.recordingCheck();
    if (check && check->difference) {
        line.item("differs from the recording", palette.bad, 22, ("First at " + check->difference->text()).c_str());
    } else if (!session.bitsAreThoseOfTheFirstPass()) {
        line.item("bits differ from the first pass", palette.bad, 22,
                  "The state is not that of the first pass: please report this scene.");
    } else if (check && session.tick() <= check->ticks) {
        line.item(formatted("bits as recorded, %ld of %ld", check->checked, check->ticks), palette.good, 22,
                  "Ticks of the recording that were run so far; each has the fingerprint that was recorded.");
    } else {
        line.item("bits as in the first pass", palette.good, 22,
                  "The state has the fingerprint that this tick had when it was computed first.");
    }
    const std::string methods = session.elements().empty() ? "no elements"
                                : session.tick() == 0      ? "no tick yet"
                                                           : methodsText(session.world().plugin().statistics());
    line.item(methods, palette.text, 26, "Elements by the way in which the last tick solved them");
    // As it was seen first: a tick that is run again may be audited at another time.
    const bool isKnown = session.history().has(session.tick());
    const TickGrade grade =
        isKnown ? session.history().grade(session.tick()) : session.world().plugin().statistics().grade();
    line.item(gradeText(grade), gradeColor(palette, grade.grade), 20,
              gradeHelp(session.world().plugin().totals()).c_str());
    const play::SnapshotUse snapshots = session.snapshots();
    if (snapshots.refusal.empty()) {
        line.item(formatted("%.0f / %.0f MB", snapshots.megabytes, snapshots.budgetMegabytes), palette.faint, 11,
                  "Snapshots that make going back quick");
    } else {
        line.item("no snapshots", palette.faint, 11, ("Going back runs the scene again: " + snapshots.refusal).c_str());
    }
    if (figures.slowsAtHits) {
        line.item("slow at hits", palette.accent, 12,
                  ("Time slows down where something is hit, to look inside that tick. " + keysOf(Action::LookInside) +
                   " lets it pass.")
                      .c_str());
    }
    if (!figures.followed.empty()) {
        line.item("follows " + figures.followed, palette.accent, 12,
                  ("The view goes along with this body. " + keysOf(Action::FollowBody) + " lets go.").c_str());
    }
    if (figures.frameRate > 0)
        line.item(formatted("%.0f fps", figures.frameRate), palette.faint, 6, figures.renderer.c_str());
}

}  // namespace elasto::panels
