#include "cases.h"

#include <coupled_oracle.h>
#include <elasto/reference/reference.h>
#include <elasto/scene/load_scene.h>

#include <cmath>

namespace elasto::peers {

namespace {

/// Turn about the z axis [rad].
double turnOf(const BodyState& body) {
    return 2 * std::atan2(body.orientation.z(), body.orientation.w());
}

constexpr double kSlidingFriction = 4.903325;  // 0.5 * 1 kg * 9.80665 m/s2

}  // namespace

const char* caseName(CaseKind kind) {
    constexpr const char* names[] = {"dropped_mass", "backlash", "cradle", "hinge_stop", "sliding_box"};
    return names[static_cast<std::size_t>(kind)];
}

Scene loadCase(const std::filesystem::path& folder, CaseKind kind) {
    return loadScene(folder / "scenes" / (std::string(caseName(kind)) + ".json"));
}

std::vector<double> coordinatesOf(CaseKind kind, std::span<const BodyState> bodies) {
    switch (kind) {
        case CaseKind::DroppedMass:
            return {bodies[0].position.y()};
        case CaseKind::Backlash:
            return {turnOf(bodies[1]) - turnOf(bodies[0]), turnOf(bodies[1])};
        case CaseKind::Cradle: {
            std::vector<double> places;
            for (const BodyState& body : bodies) places.push_back(body.position.x());
            return places;
        }
        case CaseKind::HingeStop:
            return {turnOf(bodies[0])};
        case CaseKind::SlidingBox:
            return {bodies.back().position.x()};
    }
    return {};
}

std::vector<std::vector<double>> solveCase(const std::filesystem::path& folder, CaseKind kind,
                                           std::span<const double> times) {
    std::vector<ReferenceState> states;
    if (kind == CaseKind::SlidingBox) {
        const Scene scene = loadScene(folder / "scenes" / "sliding_box_oracle.json");
        states = tools::solveSlide(scene, "box", kSlidingFriction, times);
    } else {
        states = solveReference(referenceProblem(loadCase(folder, kind)), times).states;
    }
    std::vector<std::vector<double>> rows;
    for (const ReferenceState& state : states) rows.push_back(coordinatesOf(kind, state.bodies));
    return rows;
}

}  // namespace elasto::peers
