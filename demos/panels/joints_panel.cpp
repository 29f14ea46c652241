#include "joints_panel.h"

#include "refusal.h"
#include "widgets.h"
#include "words.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto::panels {

namespace {

using Mode = RobotServo::Mode;

constexpr std::size_t kFew = 8;      ///< joints that need no search
constexpr double kFreeMetres = 0.5;  ///< either way, of a joint without a range [m]
constexpr double kFastest = 10;      ///< target of a servo of velocity [rad/s, m/s]
constexpr double kStrongest = 100;   ///< of one of effort [N.m, N]

const char* unitOf(const play::PlayedJoint& joint, bool isTarget) {
    const Mode mode = isTarget ? joint.servo.value_or(Mode::Position) : Mode::Position;
    switch (mode) {
        case Mode::Velocity:
            return joint.turns ? "rad/s" : "m/s";
        case Mode::Effort:
            return joint.turns ? "N\u00b7m" : "N";
        case Mode::Position:
            break;
    }
    return joint.turns ? "rad" : "m";
}

/// What a slider does now.
std::string tipOf(const play::PlayedJoint& joint, bool isPlaying, bool canMove) {
    if (!isPlaying) return "Places " + joint.name + ", at rest.";
    if (!canMove)
        return joint.name + " has no servo: pause to place it" + (joint.canBeHeld ? ", or hold the joints." : ".");
    return "What the servo of " + joint.name + " aims at; the mark shows where the joint is.";
}

}  // namespace

Interval sliderRange(const play::PlayedJoint& joint, bool isTarget) {
    const Mode mode = isTarget ? joint.servo.value_or(Mode::Position) : Mode::Position;
    if (mode == Mode::Velocity) return {-kFastest, kFastest};
    if (mode == Mode::Effort) return {-kStrongest, kStrongest};
    constexpr double kMostTurns = 4;  // of a range that can be dragged through
    const double most = joint.turns ? kMostTurns * 2 * std::numbers::pi : 1e3;
    if (joint.upper > joint.lower && joint.upper - joint.lower <= most) return {joint.lower, joint.upper};
    const double half = joint.turns ? std::numbers::pi : kFreeMetres;
    return {std::max(-half, joint.lower), std::min(half, joint.upper)};
}

void JointsPanel::draw(const Context& context) {
    const std::vector<play::PlayedJoint>& joints = context.session.joints();
    drawHead(context);
    drawRefusal(m_message, context.palette);
    beginPart("joints");
    int shown = 0, robot = -1;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        if (!hasWords(joints[i].name, m_search)) continue;
        ++shown;
        if (joints[i].robot != robot && !joints[i].prefix.empty()) drawRobot(context, joints[i]);
        robot = joints[i].robot;
        drawJoint(context, static_cast<int>(i));
    }
    if (shown == 0) {
        ImGui::PushStyleColor(ImGuiCol_Text, context.palette.faint);
        ImGui::TextWrapped("No joint has \"%s\" in its name.", m_search.c_str());
        ImGui::PopStyleColor();
    }
    ImGui::EndChild();
}

void JointsPanel::drawHead(const Context& context) {
    play::Session& session = context.session;
    if (session.canHoldJoints()) {
        const std::vector<play::PlayedJoint>& joints = session.joints();
        const bool areAllHeld = std::all_of(joints.begin(), joints.end(), [&](const play::PlayedJoint& joint) {
            return !joint.canBeHeld || session.areJointsHeld(joint.robot);
        });
        drawHold(joints.front().prefix.empty() ? "Hold" : "Hold all", areAllHeld, session, std::nullopt);
        ImGui::SameLine();
    }
    ImGui::PushStyleColor(ImGuiCol_Text, context.palette.faint);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(context.playback.isPlaying ? "Running: targets" : "Paused: poses");
    ImGui::PopStyleColor();
    if (session.joints().size() > kFew) {
        ImGui::SetNextItemWidth(-1);
        ImGui::InputTextWithHint("##search", "Search the joints", &m_search);
    }
}

void JointsPanel::drawHold(const char* label, bool isHeld, play::Session& session, std::optional<int> robot) {
    if (ImGui::Checkbox(label, &isHeld)) m_message = refusalOf([&] { session.holdJoints(isHeld, robot); });
    tip("Gives each joint a servo that holds it where it is now. It is critically damped, and so stiff that the "
        "robot sags by a hundredth of its size under its weight.");
}

/// Heading of a robot's joints, where there are several robots.
void JointsPanel::drawRobot(const Context& context, const play::PlayedJoint& first) {
    const std::string name = first.prefix.substr(0, first.prefix.size() - 1);
    ImGui::PushID(first.prefix.c_str());
    ImGui::Spacing();
    heading(name, context.palette);
    if (first.canBeHeld) drawHold("Hold", context.session.areJointsHeld(first.robot), context.session, first.robot);
    ImGui::PopID();
}

void JointsPanel::drawJoint(const Context& context, int index) {
    play::Session& session = context.session;
    const Palette& palette = context.palette;
    const play::PlayedJoint& joint = session.joints()[static_cast<std::size_t>(index)];
    const play::JointSample now = session.joint(index);
    const bool isTarget = context.playback.isPlaying;
    const bool canMove = !isTarget || std::isfinite(now.target);
    ImGui::PushID(index);

    // Its name, and where it is.
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    if (ImGui::Selectable("##name", index == context.joint, ImGuiSelectableFlags_None,
                          {width, ImGui::GetTextLineHeight()})) {
        context.requests.joint = index;
    }
    tip("Shows the joint in the plots.");
    const std::string value = withUnit(now.q, joint.turns ? "rad" : "m", kNoise);
    ImGui::PushFont(numbersFont());
    const float room = ImGui::CalcTextSize(value.c_str()).x;
    ImGui::GetWindowDrawList()->AddText({low.x + width - room, low.y}, palette.faint, value.c_str());
    ImGui::PopFont();
    ImGui::SetCursorScreenPos(low);
    textWithin(joint.name.substr(joint.prefix.size()), width - room - ImGui::GetTextLineHeight() / 2, palette.text);

    const NumberShape shape{sliderRange(joint, isTarget),
                            "%.4g",
                            false,
                            unitOf(joint, isTarget),
                            width - ImGui::GetFrameHeight() - ImGui::GetStyle().ItemInnerSpacing.x,
                            joint.name};
    double wanted = isTarget && canMove ? now.target : now.q;
    if (std::abs(wanted) < kNoise) wanted = 0;
    ImGui::BeginDisabled(!canMove);
    const bool isTaken = m_field.draw("##value", wanted, shape, palette);
    ImGui::EndDisabled();
    if (m_field.takeOpened()) m_message.clear();
    if (std::string refusal = m_field.takeRefusal(); !refusal.empty()) m_message = std::move(refusal);
    if (isTaken) {
        m_message = refusalOf([&] {
            if (isTarget) {
                session.setTarget(index, wanted);
            } else {
                session.placeJoint(index, wanted);
                context.requests.isPosed = true;
            }
        });
    }
    const ImVec2 corner = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax();
    if (isTarget && canMove && joint.servo.value_or(Mode::Position) == Mode::Position) {
        const float x = placeInField(now.q, shape, corner.x, end.x), side = 5 * scaleNow();
        ImGui::GetWindowDrawList()->AddTriangleFilled({x - side, corner.y}, {x + side, corner.y},
                                                      {x, corner.y + 1.2f * side}, palette.warning);
    }
    if (!ImGui::IsItemActive()) tip(tipOf(joint, isTarget, canMove));
    if (canMove) {
        ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
        const char* help = isTarget ? "Back to what its servo had at first" : "Back to where it started";
        if (iconButton("reset", Icon::Reset, help, ImGui::GetFrameHeight(), palette)) {
            m_message = refusalOf([&] {
                if (isTarget) return session.setTarget(index, std::nullopt);
                session.placeJoint(index, session.startOfJoint(index));
                context.requests.isPosed = true;
            });
        }
    }
    ImGui::PopID();
}

}  // namespace elasto::panels
