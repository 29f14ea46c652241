// The search for the tick rate at which all ticks are exact.
#include "exact_rate.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace elasto::tools;

namespace {

/// Ticks are exact from `least` on; trying a rate takes as much work as it has ticks per second.
struct Attempts {
    double least;
    std::vector<double> rates = {};

    Exactness operator()(double rate, double& work) {
        rates.push_back(rate);
        work -= rate;
        if (work < 0) return Exactness::Unknown;
        return rate >= least ? Exactness::All : Exactness::NotAll;
    }
};

}  // namespace

TEST_CASE("the lowest rate that makes all ticks exact is named") {
    Attempts attempts{200};
    const ExactRate found = findExactRate(60, 1e9, std::ref(attempts));
    CHECK(attempts.rates == std::vector<double>{120, 240});
    CHECK(found.rate == 240);
    CHECK(textOf(found) == "240 Hz makes them exact");
}

TEST_CASE("where no rate makes all ticks exact that is said, up to the one that was tried") {
    Attempts attempts{1e9};
    const ExactRate none = findExactRate(60, 1e9, std::ref(attempts));
    CHECK(attempts.rates == std::vector<double>{120, 240, 480, 960});
    CHECK(textOf(none) == "no rate up to 960 Hz makes them exact");
    // None above 1e6 Hz is allowed.
    attempts.rates.clear();
    CHECK(textOf(findExactRate(4e5, 1e9, std::ref(attempts))) == "no rate up to 800000 Hz makes them exact");
    CHECK(attempts.rates == std::vector<double>{8e5});
    CHECK(textOf(findExactRate(6e5, 1e9, std::ref(attempts))) == "no rate up to 600000 Hz makes them exact");
    CHECK(attempts.rates.size() == 1);
}

TEST_CASE("what would take too long to try is said to be unknown") {
    Attempts attempts{200};
    const ExactRate cut = findExactRate(60, 300, std::ref(attempts));
    CHECK_FALSE(cut.rate);
    CHECK(textOf(cut) == "120 Hz does not make them exact, and higher rates would take too long to try");
    CHECK(textOf(findExactRate(60, 100, std::ref(attempts))) ==
          "whether more ticks per second make them exact would take too long to try");
}
