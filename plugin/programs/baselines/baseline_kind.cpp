#include "baseline_kind.h"

#include <algorithm>
#include <array>

namespace elasto {

const char* baselineName(BaselineKind kind, const Scene& scene) {
    static constexpr std::array<const char*, kBaselineKinds> names = {"explicit force", "6-dof limit with ERP and CFM",
                                                                      "6-dof limit with restitution",
                                                                      "contact with c and d", "hard contact"};
    const auto isLimit = [](const SceneElement& element) {
        return std::holds_alternative<ElastoBacklashLaw>(element.law) ||
               reduced(element.law).kind == ReducedLaw::Kind::Contact;
    };
    if (kind == BaselineKind::SoftLimit && std::none_of(scene.elements.begin(), scene.elements.end(), isLimit)) {
        return "6-dof spring";
    }
    return names[static_cast<std::size_t>(kind)];
}

bool isContactKind(BaselineKind kind) {
    return kind == BaselineKind::SoftContact || kind == BaselineKind::HardContact;
}

bool baselineSuits(BaselineKind kind, const Scene& scene) {
    if (!isContactKind(kind)) return true;
    for (std::size_t i = 0; i < scene.elements.size(); ++i) {
        if (contactPointsOf(scene, i) > 0) return true;
    }
    return false;
}

int contactPointsOf(const Scene& scene, std::size_t index) {
    const SceneElement& element = scene.elements[index];
    if (element.type != ElementType::ElastoGap || element.geometry != Geometry::AlongAxis) return 0;
    int points = 0;
    for (const int body : {element.frame_a.body, element.frame_b.body}) {
        if (body < 0) return 0;
        const SceneShape::Type shape = scene.bodies[static_cast<std::size_t>(body)].shape.type;
        if (shape == SceneShape::Type::None) return 0;
        points = shape == SceneShape::Type::Box ? 4 : 1;
    }
    return points;
}

}  // namespace elasto
