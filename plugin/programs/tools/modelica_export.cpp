#include "modelica_export.h"

#include <fmt/format.h>

#include "modelica_classes.h"
#include "modelica_line.h"
#include "modelica_space.h"
#include "modelica_text.h"

namespace elasto::tools {

namespace {

std::string helperOf(const std::string& name) {
    const std::string ofFrames = modelicaFrameHelper(name);
    return ofFrames.empty() ? modelicaHelper(name) : ofFrames;
}

/// What the model cannot have.
void noteLosses(const Scene& scene, ModelicaModel& model) {
    for (const SceneBody& body : scene.bodies) {
        if (body.shape.type == SceneShape::Type::None) continue;
        model.notes.emplace_back("Bodies have shapes there and collide");
        break;
    }
    for (const SceneHeatPort& port : scene.heatPorts) {
        model.notes.push_back(port.name + " is a heat port there (convection, " + modelicaNumber(port.conductance) +
                              " W/K)");
    }
}

}  // namespace

std::string modelicaOf(const Scene& scene, const std::string& package) {
    ModelicaModel model;
    if (const std::optional<int> axis = commonLine(scene)) {
        addLine(scene, *axis, model);
    } else if (const std::optional<int> turn = commonTurn(scene)) {
        addTurn(scene, *turn, model);
    } else {
        addSpace(scene, model);
    }
    noteLosses(scene, model);
    std::string text = fmt::format("package {} {}\n", package, modelicaString(scene.name));
    for (const std::string& helper : model.helpers) text += helperOf(helper) + "\n";
    text += fmt::format("  model Example{}\n    extends Modelica.Icons.Example;\n",
                        scene.description.empty() ? "" : " " + modelicaString(scene.description));
    for (const std::string& note : model.notes) text += "    // " + note + ".\n";
    for (const std::string& declaration : model.declarations) text += declaration + "\n";
    text += "  equation\n";
    for (const std::string& equation : model.equations) text += equation + "\n";
    text +=
        fmt::format("    annotation(experiment(StopTime = {}, Interval = {}, Tolerance = 1e-6));\n  end Example;\n\n",
                    modelicaNumber(scene.duration), modelicaNumber(1 / scene.rate));
    return text + fmt::format("  annotation(uses(Modelica(version = \"4.0.0\")));\nend {};\n", package);
}

}  // namespace elasto::tools
