#include "timeline_bar.h"

#include "axis.h"
#include "status_bar.h"
#include "widgets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace elasto::panels {

namespace {

constexpr std::array kLengths = {10., 20., 30., 60., 120., 300., 600., 1200., 1800., 3600.};

std::string exactly(double seconds, int decimals) {
    std::array<char, 48> text;
    std::snprintf(text.data(), text.size(), "%.*f s", decimals, seconds);
    return text.data();
}

}  // namespace

double keptSince(const play::Session& session) {
    return static_cast<double>(session.history().firstTick()) * session.tickLength();
}

double trackLength(double seconds, double present) {
    if (seconds <= present && seconds > present / 8) return present;
    for (const double length : kLengths) {
        if (seconds <= length) return length;
    }
    return std::ceil(seconds / kLengths.back()) * kLengths.back();
}

ImU32 inputColor(const play::Action& action, const Palette& palette) {
    if (std::holds_alternative<play::ParameterEdit>(action)) return palette.accent;
    if (std::holds_alternative<play::Throw>(action)) return palette.curves[3];
    const bool isPull =
        std::holds_alternative<play::DragBegin>(action) || std::holds_alternative<play::DragMove>(action) ||
        std::holds_alternative<play::DragEnd>(action) || std::holds_alternative<play::TurnBegin>(action) ||
        std::holds_alternative<play::TurnMove>(action) || std::holds_alternative<play::TurnEnd>(action);
    return isPull ? palette.curves[1] : palette.curves[2];
}

void TimelineBar::draw(const Context& context) {
    drawButtons(context);
    drawTime(context);
    drawSpeed(context);
    drawTrack(context);
}

void TimelineBar::drawButtons(const Context& context) {
    const Palette& palette = context.palette;
    const float side = ImGui::GetFrameHeight();
    const auto button = [&](const char* id, Icon icon, Action action, bool isOn = false) {
        if (iconButton(id, icon, tipOf(action).c_str(), side, palette, isOn))
            context.requests.actions.push_back(action);
        ImGui::SameLine(0, 2 * scaleNow());
    };
    button("restart", Icon::ToStart, Action::Restart);
    button("back", Icon::StepBack, Action::TickBack);
    const bool isPlaying = context.playback.isPlaying;
    button("play", isPlaying ? Icon::Pause : Icon::Play, Action::PlayOrPause, true);
    button("forward", Icon::StepForward, Action::TickForward);
    button("end", Icon::ToEnd, Action::ToEnd);
    button("worst", Icon::Warning, Action::ToWorst);
}

void TimelineBar::drawTime(const Context& context) const {
    const Palette& palette = context.palette;
    const play::Session& session = context.session;
    // Inside a tick there is more to read than ticks can say.
    const bool isInside = context.shownTime < session.time() - 1e-9 * session.tickLength();
    ImGui::SameLine(0, 12 * scaleNow());
    ImGui::AlignTextToFramePadding();
    ImGui::PushFont(numbersFont());
    ImGui::TextUnformatted(exactly(context.shownTime, isInside ? 6 : 3).c_str());
    ImGui::PopFont();
    ImGui::SameLine(0, 10 * scaleNow());
    ImGui::PushStyleColor(ImGuiCol_Text, palette.faint);
    if (isInside) {
        ImGui::Text("inside tick %ld", session.tick());
    } else if (session.isAtEnd()) {
        ImGui::Text("tick %ld", session.tick());
    } else {
        ImGui::Text("tick %ld of %ld", session.tick(), session.lastTick());
    }
    if (context.playback.startsOverAt) {
        ImGui::SameLine(0, 10 * scaleNow());
        ImGui::Text("starts over at %g s", *context.playback.startsOverAt);
        tip("As long as nobody touches this demo: pause it, pull or change something, and it goes on.");
    }
    if (const double kept = keptSince(session); kept > 0) {
        ImGui::SameLine(0, 10 * scaleNow());
        ImGui::Text("plots since %s", exactly(kept, 1).c_str());
        tip("What was plotted before had no room any more in " + withUnit(session.historyBudget(), "MB") +
            " (Settings, History). Going there still works: it is run again.");
    }
    ImGui::PopStyleColor();
}

void TimelineBar::drawSpeed(const Context& context) const {
    const Palette& palette = context.palette;
    const float side = ImGui::GetFrameHeight();
    const float scale = scaleNow();
    const float comboWidth = 5.4f * ImGui::GetTextLineHeight();
    const std::size_t ghosts = context.session.ghosts().size();
    const std::string ghostText = ghosts == 1 ? "1 ghost" : std::to_string(ghosts) + " ghosts";
    float width = comboWidth + 2 * side + 4 * scale;
    if (ghosts > 0) {
        width += ImGui::CalcTextSize(ghostText.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x + side + 20 * scale;
    }
    ImGui::SameLine(std::max(ImGui::GetCursorPosX(), ImGui::GetContentRegionMax().x - width));
    if (ghosts > 0) {
        ImGui::PushStyleColor(ImGuiCol_Text, palette.curves[5]);
        if (ImGui::Button(ghostText.c_str())) ImGui::OpenPopup("ghosts");
        ImGui::PopStyleColor();
        tip("Branches that were left: pale in the view and in the plots. Click to take one up again.");
        drawGhostList(context);
        ImGui::SameLine(0, 2 * scale);
        if (iconButton("dismiss", Icon::Close, tipOf(Action::DismissGhosts).c_str(), side, palette)) {
            context.requests.actions.push_back(Action::DismissGhosts);
        }
        ImGui::SameLine(0, 18 * scale);
    }
    if (iconButton("slower", Icon::Previous, tipOf(Action::Slower).c_str(), side, palette)) {
        context.requests.actions.push_back(Action::Slower);
    }
    ImGui::SameLine(0, 2 * scale);
    ImGui::SetNextItemWidth(comboWidth);
    if (ImGui::BeginCombo("##speed", speedText(context.playback.speed).c_str(), ImGuiComboFlags_HeightLargest)) {
        const std::span<const double> all = speeds();
        for (auto speed = all.rbegin(); speed != all.rend(); ++speed) {
            if (ImGui::Selectable(speedText(*speed).c_str(), *speed == context.playback.speed))
                context.requests.speed = *speed;
        }
        ImGui::EndCombo();
    }
    tip("Simulated time per time on the clock. Slow motion goes into the tick: between two ticks the element's own "
        "solution is shown.");
    ImGui::SameLine(0, 2 * scale);
    if (iconButton("faster", Icon::Next, tipOf(Action::Faster).c_str(), side, palette)) {
        context.requests.actions.push_back(Action::Faster);
    }
}

void TimelineBar::drawGhostList(const Context& context) const {
    if (!ImGui::BeginPopup("ghosts")) return;
    play::Session& session = context.session;
    const double h = session.tickLength();
    std::optional<int> taken, dismissed;
    for (const play::Ghost& ghost : session.ghosts()) {
        ImGui::PushID(ghost.id);
        const double end = static_cast<double>(ghost.marks.size() - 1) * h;
        ImGui::AlignTextToFramePadding();
        const bool isKept = ghost.history.lastTick() >= ghost.history.firstTick();
        ImGui::Text("Ghost %d: left at %s, went on to %s%s", ghost.id,
                    exactly(static_cast<double>(ghost.fork) * h, 3).c_str(), exactly(end, 3).c_str(),
                    isKept ? "" : " (not drawn: no room in memory)");
        ImGui::SameLine();
        if (ImGui::Button("Continue this one")) taken = ghost.id;
        tip("It becomes the present again; what is the present now becomes a ghost.");
        ImGui::SameLine();
        if (ImGui::Button("Dismiss")) dismissed = ghost.id;
        ImGui::PopID();
    }
    if (taken) {
        session.takeUp(*taken);
        context.requests.pause = true;
        ImGui::CloseCurrentPopup();
    }
    if (dismissed) session.dismissGhost(*dismissed);
    ImGui::EndPopup();
}

void TimelineBar::drawTicks(const Track& track, const Palette& palette) const {
    const float scale = scaleNow();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* numbers = smallFont();
    const float small = numbers->FontSize;
    const Ticks ticks({0, m_shownSeconds}, static_cast<int>(track.width / (70 * scale)));
    for (const double value : ticks.values()) {
        const float x = std::round(track.pixel(value));
        list.AddLine({x, track.bottom - 3 * scale}, {x, track.bottom}, palette.axis);
        std::array<char, 24> label;
        std::snprintf(label.data(), label.size(), "%g s", value);
        const float width = numbers->CalcTextSizeA(small, FLT_MAX, 0, label.data()).x;
        const float left =
            std::clamp(x - width / 2, track.left, std::max(track.left, track.left + track.width - width));
        list.AddText(numbers, small, {left, track.bottom + scale}, palette.faint, label.data());
    }
}

// A band along the lower edge where ticks were not exact, at least two pixels wide; what fails lies on top.
void TimelineBar::drawGrades(const play::Session& session, const Track& track, const Palette& palette) const {
    const float scale = scaleNow();
    const double h = session.tickLength();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const Grade grade : {Grade::Approximate, Grade::Failed}) {
        const ImU32 color = gradeColor(palette, grade);
        float from = 0, to = -1;  // what is not drawn yet; spans that meet on the screen are drawn as one
        const auto flush = [&] {
            if (to >= from) list.AddRectFilled({from, track.bottom - 5 * scale}, {to, track.bottom}, color);
        };
        for (const play::GradeSpan& span : session.history().inexact()) {
            if (span.grade != grade) continue;
            const float left = track.pixel(static_cast<double>(span.first - 1) * h);
            const float right = std::max(track.pixel(static_cast<double>(span.last) * h), left + 2 * scale);
            if (to < from || left > to) {
                flush();
                from = left;
            }
            to = right;
        }
        flush();
    }
}

// Lanes from their forks on.
void TimelineBar::drawGhosts(const play::Session& session, const Track& track, const Palette& palette) const {
    const float scale = scaleNow();
    const double h = session.tickLength();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float lane = track.bottom - 3 * scale;
    for (const play::Ghost& ghost : session.ghosts()) {
        if (lane < track.top + 3 * scale) break;
        const float from = track.pixel(static_cast<double>(ghost.fork) * h);
        const float to = track.pixel(static_cast<double>(ghost.history.lastTick()) * h);
        list.AddLine({from, lane}, {std::max(to, from + 2), lane}, faded(palette.curves[5], 0.8f), 2 * scale);
        list.AddCircleFilled({from, lane}, 2.5f * scale, palette.curves[5]);
        lane -= 5 * scale;
    }
}

// Where the run stopped, and the time that is shown.
void TimelineBar::drawMarks(const Context& context, const Track& track) const {
    const Palette& palette = context.palette;
    const play::Session& session = context.session;
    const float scale = scaleNow();
    const double h = session.tickLength();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (session.trouble()) {
        const float x = track.pixel(static_cast<double>(session.trouble()->tick) * h);
        list.AddLine({x, track.top}, {x, track.bottom}, palette.bad, 3 * scale);
    }
    const float head = std::round(track.pixel(context.shownTime));
    list.AddLine({head, track.top - scale}, {head, track.bottom + scale}, palette.cursor, 2 * scale);
    list.AddTriangleFilled({head - 5 * scale, track.top - 2 * scale}, {head + 5 * scale, track.top - 2 * scale},
                           {head, track.top + 5 * scale}, palette.cursor);
}

void TimelineBar::drawTrack(const Context& context) {
    const Palette& palette = context.palette;
    play::Session& session = context.session;
    const float scale = scaleNow();
    const double h = session.tickLength();
    const double recorded = static_cast<double>(session.lastTick()) * h;
    double longest = recorded;
    for (const play::Ghost& ghost : session.ghosts()) {
        longest = std::max(longest, static_cast<double>(ghost.history.lastTick()) * h);
    }
    m_shownSeconds = trackLength(longest, m_shownSeconds);

    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 size = {std::max(1.f, ImGui::GetContentRegionAvail().x),
                         std::max(20 * scale, ImGui::GetContentRegionAvail().y)};
    ImGui::InvisibleButton("track", size);
    const bool isHovered = ImGui::IsItemHovered();
    showFocus();
    const bool isHeld = ImGui::IsItemActive() && ImGui::GetIO().MouseDown[0];  // not by the keyboard
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Track track{low.x, size.x, low.y + 2 * scale, low.y + size.y - smallFont()->FontSize - 2 * scale,
                      m_shownSeconds};
    const float top = track.top, bottom = track.bottom;
    list.AddRectFilled({low.x, top}, {low.x + size.x, bottom}, palette.field, 3 * scale);
    list.AddRectFilled({low.x, top}, {track.pixel(recorded), bottom}, mixed(palette.field, palette.accent, 0.28f),
                       3 * scale);
    list.AddRectFilled({low.x, top}, {track.pixel(context.shownTime), bottom},
                       mixed(palette.field, palette.accent, 0.5f), 3 * scale);

    // What is not kept any more.
    const float kept = track.pixel(keptSince(session));
    if (kept > low.x) list.AddRectFilled({low.x, top}, {kept, bottom}, faded(palette.field, 0.75f), 3 * scale);
    drawGrades(session, track, palette);
    drawTicks(track, palette);
    drawGhosts(session, track, palette);
    // What was done, where it was done; what falls on the same pixel once.
    const play::Input* nearest = nullptr;
    float nearestDistance = 6 * scale;
    float last = -1;
    for (const play::Input& input : session.inputs()) {
        const float x = std::round(track.pixel(static_cast<double>(input.tick) * h));
        if (isHovered && std::abs(ImGui::GetIO().MousePos.x - x) < nearestDistance) {
            nearest = &input;
            nearestDistance = std::abs(ImGui::GetIO().MousePos.x - x);
        }
        if (x == last) continue;
        last = x;
        list.AddLine({x, top + scale}, {x, top + 6 * scale}, inputColor(input.action, palette), 2 * scale);
    }
    drawMarks(context, track);

    const double under =
        std::clamp(static_cast<double>((ImGui::GetIO().MousePos.x - low.x) / size.x), 0., 1.) * m_shownSeconds;
    const double tick = std::min(std::round(under / h), static_cast<double>(session.lastTick()));
    if (isHeld) context.requests.time = tick * h;
    if (isHovered && !isHeld) {
        const float x = ImGui::GetIO().MousePos.x;
        list.AddLine({x, top}, {x, bottom}, palette.axis);
        std::string text = exactly(tick * h, 3) + ", tick " + std::to_string(static_cast<long>(tick));
        if (session.history().has(static_cast<long>(tick))) {
            const TickGrade& grade = session.history().grade(static_cast<long>(tick));
            if (grade.grade != Grade::Exact) text += "\n" + gradeText(grade) + ": " + textOf(grade.cause);
        }
        if (nearest) text += std::string("\n") + play::actionName(nearest->action);
        ImGui::SetTooltip("%s", text.c_str());
    }
}

}  // namespace elasto::panels
