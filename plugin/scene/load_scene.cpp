#include <elasto/scene/load_scene.h>

#include "build_scene.h"
#include "check_scene.h"
#include "json_text.h"
#include "names.h"
#include "problems.h"
#include "schema_check.h"

#include <elasto/scene/input_file.h>
#include <elasto/scene/signals.h>

#include <algorithm>

namespace elasto {

namespace {

/// What is recorded when a scene does not say it; only those that the scene has.
constexpr const char* kDefaultRecord[] = {
    "*.r_0[*]",       "*.v_0[*]",  "*.w_a[*]",       "*.s_rel",   "*.v_rel",  "*.s",      "*.v",
    "*.phi_rel",      "*.w_rel",   "*.s_damper",     "*.f",       "*.f_mean", "*.tau",    "*.tau_mean",
    "*.lossPower",    "*.heat",    "*.storedEnergy", "*.contact", "*.power",  "*.energy", "*.T",
    "totalLossPower", "totalHeat", "grade",          "gradeError"};

void fillDefaultRecord(Scene& scene) {
    const std::vector<Signal> signals = availableSignals(scene);
    for (const char* pattern : kDefaultRecord) {
        const auto fits = [&](const Signal& signal) { return matchesPattern(pattern, signal.name); };
        if (std::any_of(signals.begin(), signals.end(), fits)) scene.record.push_back({pattern, ""});
    }
}

}  // namespace

const char* elementTypeName(ElementType type) {
    return infoOf(type).name;
}

const char* geometryName(Geometry geometry) {
    return scene::wordOf(geometry);
}

const char* jointTypeName(SceneJoint::Type type) {
    return scene::wordOf(type);
}

Scene loadScene(const std::filesystem::path& file) {
    return parseScene(readFile(file), file.string());
}

Scene parseScene(std::string_view json, const std::string& source) {
    scene::Problems problems(source);
    const nlohmann::json document = scene::parseJsonText(json, problems);
    problems.throwIfAny();
    scene::checkSchema(document, problems);
    problems.throwIfAny();
    Scene result = scene::buildScene(document, std::filesystem::path(source).parent_path(), problems);
    problems.throwIfAny();
    if (result.record.empty()) fillDefaultRecord(result);
    scene::checkAndResolve(result, problems);
    problems.throwIfAny();
    return result;
}

}  // namespace elasto
