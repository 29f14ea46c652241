#include <panels/law_map.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>

using namespace elasto;
using namespace elasto::panels;

namespace {

double areaOf(const LawPiece& piece) {
    double twice = 0;
    for (int i = 0; i < piece.count; ++i) {
        const LawPoint& a = piece.corners.at(static_cast<std::size_t>(i));
        const LawPoint& b = piece.corners.at(static_cast<std::size_t>((i + 1) % piece.count));
        twice += a.s * b.v - b.s * a.v;
    }
    return twice / 2;
}

std::array<double, kLawBranches> areasOf(const LawMap& map) {
    std::array<double, kLawBranches> areas{};
    for (const LawPiece& piece : map.pieces()) {
        CHECK(areaOf(piece) > -1e-12);
        areas.at(static_cast<std::size_t>(piece.branch)) += areaOf(piece);
    }
    return areas;
}

double areaIn(const LawMap& map, LawBranch branch) {
    return areasOf(map).at(static_cast<std::size_t>(branch));
}

}  // namespace

TEST_CASE("the borders of a gap's branches are where its law has them") {
    constexpr double c = 100, d = 7, start = 0.213;
    const LawMap map(ElastoGapLaw({.c = c, .d = d, .s_rel0 = start}), {-0.4, 0.7}, {-12, 12});
    REQUIRE(map.borders().size() > 100);
    for (const LawBorder& border : map.borders()) {
        for (const LawPoint& p : {border.a, border.b}) {
            const double toStart = std::abs(p.s - start);
            const double toLimit = std::abs(d * std::abs(p.v) - c * (start - p.s));
            // Where three borders meet, the middle of a cell's borders stands for that point.
            const bool isApex = toStart < 1.1 / LawMap::kColumns && std::abs(p.v) < 24. / LawMap::kRows;
            INFO(p.s << ' ' << p.v);
            CHECK((isApex || toStart < 1e-9 || toLimit < 1e-7));
        }
    }
    // The wedge |v| < c (start - s) / d, up to |v| = 12, within s < start.
    const double corner = start - 12 * d / c;  // there the wedge reaches the map's edge
    REQUIRE(corner < -0.4);
    const double depth = start + 0.4;
    const double wedge = depth * depth * c / d;
    const double rest = depth * 24 - wedge;
    constexpr double cell = 1.1 * 24 / (LawMap::kColumns * LawMap::kRows);  // where the apex is
    CHECK(areaIn(map, LawBranch::Linear) == Approx(wedge).margin(cell));
    CHECK(areaIn(map, LawBranch::DamperAtLimit) == Approx(rest / 2).margin(cell));
    CHECK(areaIn(map, LawBranch::Released) == Approx(rest / 2).margin(cell));
    CHECK(areaIn(map, LawBranch::Free) == Approx((0.7 - start) * 24).margin(cell));
}

TEST_CASE("a law's map has no holes and no overlaps") {
    const Law laws[] = {ElastoGapLaw({.c = 100, .d = 7, .n = 1.5}), ElastoBacklashLaw({.c = 50, .d = 3, .b = 0.4}),
                        ElastoGapLaw({.c = 100, .d = 7, .characteristic = GapCharacteristic::NoPull}),
                        SpringDamperLaw({.c = 50, .d = 3})};
    for (const Law& law : laws) {
        const LawMap map(law, {-0.7, 0.9}, {-5, 5});
        double sum = 0;
        for (const double area : areasOf(map)) sum += area;
        CHECK(sum == Approx(16).epsilon(1e-12));
        // What a piece says holds in its middle, but for slivers between a border that bends and the line drawn for it,
        // and in the cells around the point where borders meet.
        const double cell = 16. / (LawMap::kColumns * LawMap::kRows);
        const auto isApex = [](const LawPoint& p) {
            const auto isNear = [&](double start) { return std::abs(p.s - start) < 1.6 / LawMap::kColumns; };
            return std::abs(p.v) < 20. / LawMap::kRows && (isNear(0) || isNear(0.2) || isNear(-0.2));
        };
        for (const LawPiece& piece : map.pieces()) {
            const LawPoint p = piece.middle();
            INFO(p.s << ' ' << p.v << " share " << areaOf(piece) / cell);
            CHECK((branchOf(law, p.s, p.v) == piece.branch || areaOf(piece) < 0.05 * cell || isApex(p)));
        }
    }
    CHECK(LawMap(laws[3], {-1, 1}, {-1, 1}).borders().empty());
    CHECK(LawMap(laws[1], {-1, 1}, {-5, 5}).borders().size() > 200);
}
