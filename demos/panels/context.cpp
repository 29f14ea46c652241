#include "context.h"

#include "axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace elasto::panels {

namespace {

constexpr std::array kSpeeds = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1., 2., 4.};

}  // namespace

std::span<const double> speeds() {
    return kSpeeds;
}

double slower(double speed) {
    double found = kSpeeds.front();
    for (const double candidate : kSpeeds) {
        if (candidate < speed * (1 - 1e-6)) found = candidate;
    }
    return found;
}

double faster(double speed) {
    for (const double candidate : kSpeeds) {
        if (candidate > speed * (1 + 1e-6)) return candidate;
    }
    return kSpeeds.back();
}

std::string speedText(double speed) {
    std::array<char, 32> text;
    if (speed < 1) {
        std::snprintf(text.data(), text.size(), "1/%.0f\u00d7", 1 / speed);
    } else {
        std::snprintf(text.data(), text.size(), "%g\u00d7", speed);
    }
    return text.data();
}

std::string readingOf(play::Quantity quantity, Geometry geometry, double value) {
    return withUnit(value, shownUnit(play::quantityUnit(quantity, geometry)), kNoise);
}

std::string shownUnit(std::string_view unit) {
    std::string text;
    for (const char letter : unit) {
        if (letter == '.') {
            text += "\u00b7";
        } else {
            text += letter;
        }
    }
    return text;
}

const play::PlayedElement* selectedElement(const Context& context) {
    const std::vector<play::PlayedElement>& elements = context.session.elements();
    if (context.element < 0 || static_cast<std::size_t>(context.element) >= elements.size()) return nullptr;
    return &elements[static_cast<std::size_t>(context.element)];
}

}  // namespace elasto::panels
