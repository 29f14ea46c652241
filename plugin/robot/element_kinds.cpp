#include "element_kinds.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace elasto::robot {

namespace {

/// A type under the name that its law gives it in robot files.
ElementKind kindOf(const ElementTypeInfo& info) {
    ElementKind kind;
    kind.name = info.robotElement;
    kind.info = &info;
    kind.fields = info.fields;
    if (info.type == ElementType::ElastoGap || info.type == ElementType::BumpStop) {
        kind.place = ElementKind::Place::Stop;
    } else if (info.type == ElementType::SpringDamperParallel || info.type == ElementType::Rope) {
        kind.place = ElementKind::Place::Line;
    }
    if (kind.place != ElementKind::Place::Joint) kind.motor = ElementKind::Motor::None;
    return kind;
}

/// Friction of a joint: without the law's hard stops, since a joint has limits.
ElementKind frictionOf(const ElementTypeInfo& info) {
    ElementKind kind;
    kind.name = info.robotElement;
    kind.info = &info;
    kind.motor = ElementKind::Motor::Other;
    kind.joints = info.placing == Placing::Rotation ? ElementKind::Joints::Turning : ElementKind::Joints::Sliding;
    for (const ElementTypeInfo::Field& field : info.fields) {
        if (parameterList(info)[static_cast<std::size_t>(field.parameter)].measured != Measured::Limit) {
            kind.fields.push_back(field);
        }
    }
    return kind;
}

bool isFriction(const ElementTypeInfo& info) {
    return info.type == ElementType::BearingFriction || info.type == ElementType::SupportFriction;
}

/// A series elastic actuator: motor, gear, the play and the spring of an ElastoBacklash, joint.
ElementKind seriesElasticActuator() {
    ElementKind kind;
    kind.name = "sea";
    kind.info = &infoOf(ElementType::ElastoBacklash);
    kind.motor = ElementKind::Motor::Required;
    for (const ElementTypeInfo::Field& field : kind.info->fields) {
        // The way in which spring and damper part matters beside large play only: who needs it has elasto:backlash.
        if (std::string(field.name) != "characteristic") kind.fields.push_back(field);
    }
    return kind;
}

}  // namespace

std::vector<std::string> ElementKind::attributes() const {
    std::vector<std::string> names = {"name"};
    if (place == Place::Line) {
        names.insert(names.end(), {"link_a", "link_b", "xyz_a", "xyz_b"});
    } else {
        names.push_back("joint");
    }
    for (const ElementTypeInfo::Field& field : fields) names.push_back(field.name);
    if (place == Place::Stop || motor != Motor::None) names.push_back("side");
    if (motor == Motor::Optional || motor == Motor::Required) names.insert(names.end(), {"inertia", "ratio"});
    names.push_back("T");
    return names;
}

const std::vector<ElementKind>& elementKinds() {
    static const std::vector<ElementKind> all = [] {
        std::vector<ElementKind> found = {seriesElasticActuator()};
        for (const ElementTypeInfo& info : elementTypes()) {
            if (info.robotElement != nullptr) found.push_back(isFriction(info) ? frictionOf(info) : kindOf(info));
        }
        std::sort(found.begin(), found.end(), [](const ElementKind& a, const ElementKind& b) {
            return std::tie(a.name, a.joints) < std::tie(b.name, b.joints);
        });
        return found;
    }();
    return all;
}

std::vector<std::string> elementNames() {
    std::vector<std::string> names;
    for (const ElementKind& kind : elementKinds()) {
        std::string name = "elasto:" + kind.name;
        if (names.empty() || names.back() != name) names.push_back(std::move(name));
    }
    return names;
}

}  // namespace elasto::robot
