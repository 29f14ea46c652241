#include <panels/curve.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

using namespace elasto::panels;

namespace {

Curve noise(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    Curve curve;
    for (std::size_t i = 0; i < count; ++i) {
        const double y = std::sin(static_cast<double>(i) * 0.01) + static_cast<double>(random() % 1000) * 1e-3;
        curve.append(static_cast<double>(i), random() % 97 == 0 ? std::nan("") : y);
    }
    return curve;
}

/// The slow way.
std::optional<Interval> scanned(const Curve& curve, std::size_t first, std::size_t last) {
    std::optional<Interval> found;
    for (std::size_t i = first; i < std::min(last, curve.size()); ++i) {
        const double y = curve.y(i);
        if (std::isnan(y)) continue;
        found = found ? Interval{std::min(found->low, y), std::max(found->high, y)} : Interval{y, y};
    }
    return found;
}

void checkRanges(const Curve& curve, unsigned seed) {
    std::mt19937 random(seed);
    for (int trial = 0; trial < 400; ++trial) {
        const std::size_t first = random() % (curve.size() + 1);
        const std::size_t last = first + random() % (curve.size() + 2 - first);
        const std::optional<Interval> expected = scanned(curve, first, last);
        const std::optional<Curve::Extremes> found = curve.extremes(first, last);
        INFO("samples " << first << " to " << last << " of " << curve.size());
        REQUIRE(found.has_value() == expected.has_value());
        if (!found) continue;
        CHECK(curve.y(found->lowest) == expected->low);
        CHECK(curve.y(found->highest) == expected->high);
        CHECK((found->lowest >= first && found->lowest < last));
        CHECK((found->highest >= first && found->highest < last));
    }
}

}  // namespace

TEST_CASE("the extremes of any range are found") {
    for (const std::size_t count : {1u, 2u, 31u, 32u, 33u, 1000u, 1024u, 1025u, 40000u}) {
        checkRanges(noise(count, 7), static_cast<unsigned>(count));
    }
}

TEST_CASE("a curve that was cut and went on is like one that never was") {
    for (const std::size_t keep : {0u, 1u, 32u, 1024u, 1030u, 5000u}) {
        Curve curve = noise(9000, 3);
        curve.truncate(keep);
        CHECK(curve.size() == keep);
        const Curve other = noise(9000, 11);
        for (std::size_t i = keep; i < other.size(); ++i) curve.append(other.x(i), other.y(i));
        checkRanges(curve, static_cast<unsigned>(keep));
    }
}

TEST_CASE("a curve refuses time that runs back") {
    Curve curve;
    curve.append(1, 0);
    curve.append(1, 2);  // a jump
    CHECK_THROWS_AS(curve.append(0.5, 0), std::invalid_argument);
    CHECK_THROWS_AS(curve.append(std::nan(""), 0), std::invalid_argument);
    CHECK(curve.size() == 2);
}

TEST_CASE("values between samples lie on straight lines") {
    Curve curve;
    CHECK_FALSE(curve.at(0));
    curve.append(0, 1);
    curve.append(2, 5);
    curve.append(3, std::nan(""));
    curve.append(4, 7);
    CHECK(*curve.at(0) == 1);
    CHECK(*curve.at(0.5) == Approx(2));
    CHECK(*curve.at(2) == 5);
    CHECK_FALSE(curve.at(2.5));
    CHECK_FALSE(curve.at(-0.1));
    CHECK_FALSE(curve.at(4.1));
    CHECK(*curve.at(4) == 7);
    const std::optional<Interval> extent = curve.extent({0.5, 1});
    REQUIRE(extent);
    CHECK(extent->low == Approx(2));
    CHECK(extent->high == Approx(3));
}

TEST_CASE("a million samples are drawn with a few per pixel and no peak is lost") {
    Curve curve;
    constexpr std::size_t kCount = 1'000'000;
    constexpr std::size_t kPeak = 654'321;
    for (std::size_t i = 0; i < kCount; ++i) {
        curve.append(static_cast<double>(i) * 1e-3, i == kPeak ? 50. : std::sin(static_cast<double>(i)));
    }
    std::vector<std::size_t> indices;
    for (const Interval part : {Interval{0, 1000}, Interval{600, 700}, Interval{-500, 1500}}) {
        curve.visible(part, 800, indices);
        CHECK(indices.size() <= 4 * 800 + 2);
        CHECK(std::is_sorted(indices.begin(), indices.end()));
        CHECK(std::adjacent_find(indices.begin(), indices.end()) == indices.end());
        CHECK(std::binary_search(indices.begin(), indices.end(), kPeak));
        // In every pixel column all that the samples reach is reached by what is drawn.
        for (int column = 0; column < 800; column += 37) {
            const std::size_t first = curve.lowerBound(part.low + part.length() * column / 800);
            const std::size_t last = curve.lowerBound(part.low + part.length() * (column + 1) / 800);
            if (first >= last) continue;
            const Interval all = *scanned(curve, first, last);
            Interval drawn{all.high, all.low};
            for (const std::size_t index : indices) {
                if (index < first || index >= last) continue;
                drawn = {std::min(drawn.low, curve.y(index)), std::max(drawn.high, curve.y(index))};
            }
            CHECK(drawn.low == all.low);
            CHECK(drawn.high == all.high);
        }
    }
}

TEST_CASE("what is seen goes on to the borders of the plot") {
    Curve curve;
    for (int i = 0; i <= 10; ++i) curve.append(i, i);
    std::vector<std::size_t> indices;
    curve.visible({3.2, 5.7}, 100, indices);
    CHECK(indices == std::vector<std::size_t>{3, 4, 5, 6});
    curve.visible({20, 30}, 100, indices);
    CHECK(indices == std::vector<std::size_t>{10});
    curve.visible({1, 1}, 100, indices);
    CHECK(indices.empty());
}
