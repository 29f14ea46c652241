#include "parameters.h"

#include <elasto/elasto.h>

#include <cmath>
#include <optional>
#include <stdexcept>

namespace elasto::play {

namespace {

/// Place of a parameter in the law's list, by its name there or in any type of element that is made of the law.
std::size_t placeOf(const Law& law, std::string_view symbol) {
    const std::span<const LawParameter> list = parameterList(law);
    std::string names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (symbol == list[i].name) return i;
        names += (i > 0 ? ", " : "") + std::string(list[i].name);
    }
    for (const ElementTypeInfo& info : elementTypes()) {
        const ElementTypeInfo::Field* field = info.law == law.index() ? fieldOf(info, symbol) : nullptr;
        if (field != nullptr) return static_cast<std::size_t>(field->parameter);
    }
    throw std::out_of_range("no parameter '" + std::string(symbol) + "'; there are " + names);
}

/// A size to build sliders around where the value in the scene is 0.
double usualSize(Measured measured, bool isAngle) {
    switch (measured) {
        case Measured::Stiffness:
            return isAngle ? 10 : 1000;
        case Measured::Damping:
            return isAngle ? 0.1 : 10;
        case Measured::Force:
            return isAngle ? 1 : 100;
        case Measured::Length:
            return isAngle ? 0.05 : 0.01;
        case Measured::Place:
        case Measured::Limit:
        case Measured::InnerStart:
            return 0.1;
        case Measured::PerSpeed:
        case Measured::Number:
        case Measured::Choice:
        case Measured::Table:
            break;
    }
    return 1;
}

bool isLogarithmic(Measured measured) {
    return measured == Measured::Stiffness || measured == Measured::Damping || measured == Measured::Force ||
           measured == Measured::Length;
}

}  // namespace

double parameterOf(const Law& law, std::string_view symbol) {
    return valuesOf(law)[placeOf(law, symbol)];
}

Law withParameter(const Law& law, std::string_view symbol, double value, const std::string& owner) {
    LawValues values = valuesOf(law);
    values[placeOf(law, symbol)] = value;
    return withValues(law, values, owner.c_str());
}

std::vector<Parameter> parametersOf(const SceneElement& element) {
    const bool isAngle = element.geometry == Geometry::AboutAxis;
    const ElementTypeInfo& info = infoOf(element.type);
    const LawValues values = valuesOf(element.law);
    std::vector<Parameter> parameters;
    for (const ElementTypeInfo::Field& field : info.fields) {
        const auto k = static_cast<std::size_t>(field.parameter);
        const LawParameter& of = parameterList(info)[k];
        // A start is of no use once the scene has begun, and a table is no slider.
        if (of.measured == Measured::InnerStart || of.measured == Measured::Table) continue;
        const double size = std::abs(values[k]);
        if (size >= kLargestParameter) continue;  // there is none
        const double scale = of.measured != Measured::Choice && size > 0 ? size : usualSize(of.measured, isAngle);
        parameters.push_back({field.name,
                              unitOf(of.measured, isAngle),
                              of.text,
                              of.lowest,
                              of.isLowestAllowed,
                              scale,
                              isLogarithmic(of.measured),
                              {of.choices.begin(), of.choices.end()}});
    }
    return parameters;
}

inline namespace ELASTO_BULLET_NAMESPACE {

void setParameter(ForceElement& element, std::string_view symbol, double value) {
    element.setLaw(withParameter(element.law(), symbol, value, element.label()));
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
