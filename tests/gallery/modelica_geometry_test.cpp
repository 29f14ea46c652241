// Modelica's rules for what is drawn where, checked by hand.

#include "gallery/modelica_geometry.h"

#include <catch2/catch.hpp>

using namespace elasto;
using namespace elasto::gallery;

namespace {

SceneElement series(double length_a = 0.1) {
    SceneElement element;
    element.type = ElementType::SpringDamperSeries;
    element.geometry = Geometry::AlongLine;
    element.law = SpringDamperSeriesLaw({.c = 10, .d = 1, .s_unstretched = 0.2});
    element.animation.length_a = length_a;
    return element;
}

}  // namespace

TEST_CASE("of a series element the spring begins where the damper ends") {
    const SpringDamperParts parts = partsOf(series(), 0.7, 0.3);
    REQUIRE(parts.cylinder_a);
    CHECK(parts.cylinder_a->begin == 0);
    CHECK(parts.cylinder_a->end == 0.1);
    REQUIRE(parts.cylinder_b);
    CHECK(parts.cylinder_b->begin == 0.1);
    CHECK(parts.cylinder_b->length() == Approx(0.2));
    REQUIRE(parts.coil);
    CHECK(parts.coil->begin == 0.3);
    CHECK(parts.coil->end == 0.7);
}

TEST_CASE("a damper shorter than its cylinder has no rod") {
    const SpringDamperParts parts = partsOf(series(), 0.7, 0.06);
    REQUIRE(parts.cylinder_a);
    CHECK(parts.cylinder_a->end == 0.06);
    CHECK_FALSE(parts.cylinder_b);
    CHECK(parts.coil->begin == 0.06);
    // A damper that was pushed through its frame is not drawn at all.
    CHECK_FALSE(partsOf(series(), 0.7, -0.01).cylinder_a);
    CHECK_FALSE(partsOf(series(), 0.7, 0).cylinder_a);
}

TEST_CASE("beside each other spring and damper are as long as the element") {
    SceneElement element = series();
    element.type = ElementType::SpringDamperParallel;
    element.law = SpringDamperLaw({.c = 10, .d = 1});
    const SpringDamperParts parts = partsOf(element, 0.4, 0);
    CHECK(parts.cylinder_a->end == 0.1);
    CHECK(parts.cylinder_b->end == 0.4);
    CHECK(parts.coil->begin == 0);
    CHECK(parts.coil->end == 0.4);
}

TEST_CASE("springs have no cylinders and dampers no coil") {
    SceneElement element = series();
    element.law = SpringDamperLaw({.c = 10, .d = 0});
    element.type = ElementType::Spring;
    CHECK(partsOf(element, 0.4, 0).coil);
    CHECK_FALSE(partsOf(element, 0.4, 0).cylinder_a);
    element.type = ElementType::SpringDamper;  // without damping
    CHECK(partsOf(element, 0.4, 0).coil);
    CHECK_FALSE(partsOf(element, 0.4, 0).cylinder_a);
    element.law = SpringDamperLaw({.c = 0, .d = 1});
    CHECK_FALSE(partsOf(element, 0.4, 0).coil);
    CHECK(partsOf(element, 0.4, 0).cylinder_a);
    element.type = ElementType::Damper;
    CHECK_FALSE(partsOf(element, 0.4, 0).coil);
    CHECK(partsOf(element, 0.4, 0).cylinder_b);
}

TEST_CASE("a stop's face meets the other body's surface when contact begins") {
    // frame_b is the centre of a box of half size 0.1, s_rel0 = 1.5: contact begins with its surface at 1.4.
    const StopParts open = stopParts(2.0, 1.5, 0, 0.1);
    CHECK(open.buffer.begin == 0);
    CHECK(open.buffer.end == Approx(1.4));
    CHECK_FALSE(open.isBare);
    // In contact the face is where the surface is.
    CHECK(stopParts(1.2, 1.5, 0, 0.1).buffer.end == Approx(1.1));
    // Never behind the surface that carries it.
    CHECK(stopParts(-3, 1.5, 0.2, 0.1).buffer.length() == 0);
    // Two balls that touch have no buffer between them.
    CHECK(stopParts(0.12, 0.12, 0.06, 0.06).isBare);
}

TEST_CASE("a stop glows with its force") {
    CHECK(glowOf(0, 100) == 0);
    CHECK(glowOf(5, 0) == 0);
    CHECK(glowOf(-100, 100) == 1);
    CHECK(glowOf(-25, 100) == 0.5);
    CHECK(glowOf(1000, 100) == 1);
}

TEST_CASE("the play that is drawn is the backlash") {
    for (const double b : {0.0, 0.01, 0.1, 0.15, 0.26}) {
        INFO(b);
        const PlayParts parts = playParts(b);
        CHECK(parts.isToothed);
        CHECK(parts.count >= 6);
        // A tooth keeps half of its width.
        CHECK(b <= 3.14159 / parts.count / 2 + 1e-9);
    }
    for (const double b : {0.3, 0.7854, 1.5, 3.0}) {
        INFO(b);
        const PlayParts parts = playParts(b);
        CHECK_FALSE(parts.isToothed);
        CHECK(parts.inner > 0);
        CHECK(parts.outer > 0);
        CHECK(parts.inner + parts.outer + b == Approx(2 * 3.14159265358979 / parts.count));
    }
}
