#include "gallery/held_motors.h"

#include <imgui.h>

namespace elasto::gallery {

namespace {

/// -1: there is none of that name with a motor.
int jointNamed(const Scene& scene, const std::string& name) {
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        if (scene.joints[i].name == name && scene.joints[i].motor) return static_cast<int>(i);
    }
    return -1;
}

}  // namespace

void HeldMotors::draw(const Demo& demo) {
    m_isPressed.resize(demo.motors.size());
    for (std::size_t i = 0; i < demo.motors.size(); ++i) {
        const HeldMotor& motor = demo.motors[i];
        const std::string text = motor.text + "  (" + motor.key + ")";
        const float width = ImGui::CalcTextSize(text.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
        if (i > 0) {
            ImGui::SameLine();
            if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
        }
        ImGui::Button(text.c_str());
        m_isPressed[i] = ImGui::IsItemActive();
    }
}

void HeldMotors::run(Stage& stage) {
    const std::vector<HeldMotor>& motors = stage.demo().motors;
    m_isPressed.resize(motors.size());
    m_isRunning.resize(motors.size());
    const bool takesKeys = !ImGui::GetIO().WantTextInput && !ImGui::GetIO().KeyCtrl;
    for (std::size_t i = 0; i < motors.size(); ++i) {
        // GLFW numbers the keys of letters as the letters.
        const bool isWanted = m_isPressed[i] || (takesKeys && ImGui::IsKeyDown(motors[i].key));
        if (isWanted == m_isRunning[i]) continue;
        const int joint = jointNamed(stage.session().scene(), motors[i].joint);
        if (joint < 0) continue;
        m_isRunning[i] = isWanted;
        const SceneMotor usual = *stage.session().scene().joints[static_cast<std::size_t>(joint)].motor;
        isWanted ? stage.session().setMotor(joint, motors[i].velocity, motors[i].maxForce)
                 : stage.session().setMotor(joint, usual.velocity, usual.maxForce);
    }
}

}  // namespace elasto::gallery
