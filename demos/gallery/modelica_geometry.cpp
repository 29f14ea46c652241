#include "gallery/modelica_geometry.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto::gallery {

namespace {

std::optional<Span> spanUnlessEmpty(double begin, double end) {
    if (!(end > begin)) return std::nullopt;
    return Span{begin, end};
}

/// Stops and backlashes are drawn in other ways.
bool isDrawnAsSpring(const SceneElement& element) {
    return !std::holds_alternative<ElastoBacklashLaw>(element.law) &&
           reduced(element.law).kind != ReducedLaw::Kind::Contact;
}

}  // namespace

bool isStop(const SceneElement& element) {
    const ReducedLaw form = reduced(element.law);
    return form.kind == ReducedLaw::Kind::Contact && form.below && !form.above;
}

bool hasCoil(const SceneElement& element) {
    return isDrawnAsSpring(element) && reduced(element.law).c > 0;
}

bool hasDamper(const SceneElement& element) {
    return isDrawnAsSpring(element) && reduced(element.law).d > 0;
}

SpringDamperParts partsOf(const SceneElement& element, double s, double s_damper) {
    SpringDamperParts parts;
    const bool isSeries = element.type == ElementType::SpringDamperSeries;
    const double damperEnd = isSeries ? s_damper : s;
    const double length_a = element.animation.length_a;
    if (hasDamper(element)) {
        parts.cylinder_a = spanUnlessEmpty(0, std::min(length_a, damperEnd));
        parts.cylinder_b = spanUnlessEmpty(length_a, damperEnd);
    }
    if (hasCoil(element)) {
        const double begin = isSeries ? s_damper : 0;
        if (s != begin) parts.coil = Span{begin, s};
    }
    return parts;
}

StopParts stopParts(double s_rel, double s_rel0, double surface_a, double surface_b) {
    const double whole = s_rel0 - surface_a - surface_b;
    const double face = std::min(s_rel, s_rel0) - surface_b;
    return {.buffer = {surface_a, std::max(face, surface_a)}, .isBare = whole <= 1e-3 * std::abs(s_rel0)};
}

double glowOf(double force, double largest) {
    if (!(largest > 0) || force == 0) return 0;
    // The square root lifts small forces into what the eye sees.
    return std::min(1.0, std::sqrt(std::abs(force) / largest));
}

PlayParts playParts(double b, bool isBeside) {
    constexpr double kTurn = 2 * std::numbers::pi;
    // A tooth keeps at least half of its width.
    if (b <= 0.26 && !isBeside)
        return {.count = std::clamp(static_cast<int>(std::numbers::pi / (2 * std::max(b, 1e-3))), 6, 16)};
    PlayParts parts{.count = b < 0.5 ? 4 : b < 1.2 ? 3 : 1, .isToothed = false};
    const double both = std::max(kTurn / parts.count - b, 0.1);
    parts.inner = (isBeside ? 0.5 : 0.3) * both;
    parts.outer = both - parts.inner;
    return parts;
}

}  // namespace elasto::gallery
