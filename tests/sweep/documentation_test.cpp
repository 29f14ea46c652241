// The documentation of sweep files names every field and every word, and its example can be used.
#include "study_file.h"

#include <catch2/catch.hpp>

#include "../documentation.h"

using namespace elasto::test;

TEST_CASE("the documentation of sweeps names every field and word of the schema") {
    checkNamesAll(documentation("sweeps.md"), elasto::sweep::sweepSchema(), 35);
}

TEST_CASE("the documentation's example is a valid sweep") {
    CHECK(elasto::sweep::parseStudy(exampleOf(documentation("sweeps.md"))).sample.runs == 100);
}
