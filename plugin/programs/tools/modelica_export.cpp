#include "modelica_export.h"

#include <fmt/format.h>

#include "modelica_classes.h"
#include "modelica_diagram.h"
#include "modelica_helpers.h"
#include "modelica_line.h"
#include "modelica_space.h"
#include "modelica_text.h"

namespace elasto::tools {

namespace {

template <class Things>
void addNames(std::vector<std::string>& names, const Things& things) {
    for (const auto& thing : things) names.push_back(thing.name);
}

std::string packageText(const Scene& scene, const std::string& package, const ModelicaModel& model) {
    const ModelicaDiagram diagram = diagramOf(model);
    std::string text = fmt::format("package {} {}\n", package, modelicaString(scene.name));
    for (const std::string& helper : model.helpers()) text += modelicaHelper(helper) + "\n";
    text += fmt::format("  model Example{}\n    extends Modelica.Icons.Example;\n",
                        scene.description.empty() ? "" : " " + modelicaString(scene.description));
    for (const std::string& loss : model.losses()) text += "    // Lost: " + loss + ".\n";
    for (const std::string& remark : model.remarks()) text += "    // " + remark + ".\n";
    for (std::size_t i = 0; i < model.components().size(); ++i) {
        text += fmt::format("{}\n      {};\n", model.components()[i].text(), diagram.placements[i]);
    }
    text += "  equation\n";
    for (std::size_t i = 0; i < model.connections().size(); ++i) {
        const auto& [a, b] = model.connections()[i];
        text += fmt::format("    connect({}, {})\n      {};\n", a, b, diagram.lines[i]);
    }
    text += fmt::format(
        "    annotation(experiment(StopTime = {}, Interval = {}, Tolerance = 1e-6),\n      {});\n  end Example;\n\n",
        modelicaNumber(scene.duration), modelicaNumber(1 / scene.rate), diagram.extent);
    return text + fmt::format("  annotation(uses(Modelica(version = \"4.0.0\")));\nend {};\n", package);
}

}  // namespace

ModelicaPackage modelicaOf(const Scene& scene, const std::string& package, const std::string& collision) {
    ModelicaModel model;
    std::vector<std::string> names;
    addNames(names, scene.bodies);
    addNames(names, scene.joints);
    addNames(names, scene.elements);
    addNames(names, scene.loads);
    addNames(names, scene.heatPorts);
    model.reserve(names);
    if (const std::optional<int> axis = commonLine(scene)) {
        addLine(scene, *axis, model);
    } else if (const std::optional<int> turn = commonTurn(scene)) {
        addTurn(scene, *turn, model);
    } else {
        addSpace(scene, model);
    }
    addHeatPorts(model, scene);
    if (!collision.empty()) model.lose(collision);
    return {packageText(scene, package, model), model.losses(), model.remarks()};
}

}  // namespace elasto::tools
