// The schema that editors use says of each element type what its law says.

#include <elasto/law.h>
#include <elasto/scene/load_scene.h>

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <set>
#include <string>

using namespace elasto;
using nlohmann::json;

namespace {

const json& definitions() {
    static const json schema = json::parse(sceneSchema());
    return schema.at("definitions");
}

/// A property, with what it refers to.
json resolved(const json& property) {
    if (!property.contains("$ref")) return property;
    const std::string name = property.at("$ref").get<std::string>().substr(std::string("#/definitions/").size());
    return definitions().at(name);
}

const char* geometryRule(Placing placing) {
    switch (placing) {
        case Placing::AxisOrLine:
            return "axisOrLine";
        case Placing::LineOrAxis:
            return "lineOrAxis";
        case Placing::Axis:
            return "axisOnly";
        case Placing::Rotation:
            break;
    }
    return "rotationOnly";
}

void checkParameter(const json& property, const LawParameter& parameter) {
    CHECK(property.contains("description"));
    if (parameter.measured == Measured::Table) {
        CHECK(property.at("type") == "array");
        return;
    }
    if (parameter.measured == Measured::Choice) {
        const std::vector<std::string> words(parameter.choices.begin(), parameter.choices.end());
        CHECK(property.at("enum").get<std::vector<std::string>>() == words);
        CHECK(property.at("default") == words.at(static_cast<std::size_t>(parameter.otherwise)));
        return;
    }
    CHECK(property.at("type") == "number");
    const bool hasLowest = parameter.lowest != kAnyValue;
    const char* bound = parameter.isLowestAllowed ? "minimum" : "exclusiveMinimum";
    CHECK(property.contains(bound) == hasLowest);
    if (hasLowest) CHECK(property.at(bound) == parameter.lowest);
    const bool isRequired = std::isnan(parameter.otherwise);
    CHECK(property.contains("default") == !isRequired);
    if (!isRequired) CHECK(property.at("default") == parameter.otherwise);
}

}  // namespace

TEST_CASE("the schema has the element types that the laws have, with their parameters, bounds and defaults") {
    std::vector<std::string> names;
    for (const ElementTypeInfo& info : elementTypes()) {
        CAPTURE(info.name);
        names.emplace_back(info.name);
        const json& definition = definitions().at(info.name);
        const json& properties = definition.at("properties");
        CHECK(properties.at("geometry").at("$ref") == "#/definitions/" + std::string(geometryRule(info.placing)));
        const bool isFriction = info.law == Law(FrictionLaw({.F_Coulomb = 1})).index();
        CHECK(properties.contains("gear") == (info.placing == Placing::Rotation && !isFriction));
        CHECK(properties.contains("f_normalized") == isFriction);
        std::set<std::string> known = {"name", "type",  "geometry", "frame_a",   "frame_b", "axis",
                                       "gear", "start", "heatPort", "animation", "T",       "f_normalized"};
        if (info.placing == Placing::AxisOrLine || info.placing == Placing::LineOrAxis) known.insert("s_small");
        std::set<std::string> required;
        for (const auto& field : info.fields) {
            CAPTURE(field.name);
            const LawParameter& parameter = parameterList(info)[static_cast<std::size_t>(field.parameter)];
            checkParameter(resolved(properties.at(field.name)), parameter);
            known.insert(field.name);
            if (std::isnan(parameter.otherwise)) required.insert(field.name);
        }
        CHECK(definition.at("required").get<std::set<std::string>>() == required);
        for (const auto& [name, property] : properties.items()) CHECK(known.contains(name));
        // The inner state can be given at the start.
        const json start = resolved(properties.at("start")).at("properties");
        CHECK(start.size() == (info.innerState == nullptr ? 2 : 3));
        if (info.innerState != nullptr) CHECK(start.contains(info.innerState));
    }
    CHECK(definitions().at("elementType").at("enum").get<std::vector<std::string>>() == names);
    CHECK(definitions().at("element").at("allOf").size() == names.size());
}
