// How Bullet's points share what the flow's bore.

#include "contacts/contact_impulse_share.h"

#include <catch2/catch.hpp>

#include <numeric>
#include <vector>

#include "test_world.h"

using namespace elasto;

namespace {

using Places = std::vector<Eigen::Vector3d>;

BorneTogether together(const std::array<double, kMostSharing>& impulses, const Places& places) {
    BorneTogether borne;
    for (std::size_t i = 0; i < places.size(); ++i) borne.add(impulses[i], places[i]);
    return borne;
}

bool pushOnly(const std::array<double, kMostSharing>& impulses) {
    return std::all_of(impulses.begin(), impulses.end(), [](double impulse) { return impulse >= 0; });
}

}  // namespace

TEST_CASE("other corners of a face share an impulse so that it acts where it did") {
    const Eigen::Vector3d normal = Eigen::Vector3d(0.2, 1, -0.3).normalized();
    const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), normal);
    const auto onFace = [&](double x, double y) -> Eigen::Vector3d { return turn * Eigen::Vector3d(x, y, 0.7); };
    const Places corners = {onFace(-0.5, -0.45), onFace(0.48, -0.5), onFace(0.5, 0.47), onFace(-0.52, 0.5)};
    for (const auto& [x, y] : {std::pair(0.0, 0.0), {0.2, -0.1}, {-0.3, 0.3}, {0.45, -0.4}}) {
        CAPTURE(x, y);
        BorneTogether borne;
        borne.add(3, onFace(x, y) + 0.2 * normal);  // its height does not matter
        const auto shares = shareOf(borne, corners, normal);
        const BorneTogether found = together(shares, corners);
        CHECK(pushOnly(shares));
        CHECK(found.sum == Approx(3));
        CHECK((found.moment - borne.moment).cross(normal).norm() < 1e-12);
    }
}

TEST_CASE("the nearest points bear what acts beside all of them") {
    const Eigen::Vector3d normal = Eigen::Vector3d::UnitY();
    const Places corners = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
    BorneTogether borne;
    borne.add(2, {3, 0, 0});
    const auto shares = shareOf(borne, corners, normal);
    CHECK(shares[0] == 0);
    CHECK(shares[1] == Approx(1));
    CHECK(shares[2] == Approx(1));
    CHECK(shares[3] == 0);
    borne = {};
    borne.add(2, {3, 0, 4});
    CHECK(shareOf(borne, corners, normal)[2] == Approx(2));
}

TEST_CASE("points in a line, one point and none share what they can") {
    const Eigen::Vector3d normal = Eigen::Vector3d::UnitY();
    BorneTogether borne;
    borne.add(1, {0.5, 0, 0.3});
    const Places line = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const auto shares = shareOf(borne, line, normal);
    CHECK(pushOnly(shares));
    CHECK(together(shares, line).sum == Approx(1));
    CHECK(together(shares, line).moment.x() == Approx(0.5));
    CHECK(shareOf(borne, Places{{7, 0, 0}}, normal)[0] == Approx(1));
    CHECK(shareOf(borne, Places{}, normal)[0] == 0);
    CHECK(shareOf({}, line, normal)[0] == 0);
}
