#include <elasto/scene/printable.h>

#include <catch2/catch.hpp>

#include <string>

using elasto::printable;
using elasto::printableLine;

TEST_CASE("text that a terminal shows stays as it is") {
    for (const std::string text : {"", "gap: 1e6 N/m, \"x\" \\ '~'", "Dämpfer, 弾性, 🔧, é", "a\tb\nc"}) {
        CHECK(printable(text) == text);
    }
    CHECK(printableLine("Dämpfer 🔧") == "Dämpfer 🔧");
}

TEST_CASE("what a terminal obeys is written as its bytes") {
    CHECK(printable("a\x1b[31mred\x07\r\b\x7f") == R"(a\x1b[31mred\x07\x0d\x08\x7f)");
    CHECK(printable(std::string("a\0b", 3)) == R"(a\x00b)");
    CHECK(printable("\xc2\x9b"
                    "31m\xc2\x80\xc2\xa0") == "\\xc2\\x9b31m\\xc2\\x80\xc2\xa0");  // controls of 8 bits; a hard space
    CHECK(printableLine("a\tb\nc") == R"(a\x09b\x0ac)");
}

TEST_CASE("bytes that are no UTF-8 are written as their numbers") {
    CHECK(printable("a\xff\x9b") == R"(a\xff\x9b)");
    CHECK(printable("\xc3") == R"(\xc3)");
    CHECK(printable("\xc3"
                    "b") == R"(\xc3b)");
    CHECK(printable("\xc0\xaf") == R"(\xc0\xaf)");                  // / with a byte too many
    CHECK(printable("\xe0\x80\xaf") == R"(\xe0\x80\xaf)");          // and two
    CHECK(printable("\xed\xa0\x80") == R"(\xed\xa0\x80)");          // half of a pair of UTF-16
    CHECK(printable("\xf4\x90\x80\x80") == R"(\xf4\x90\x80\x80)");  // beyond Unicode
    CHECK(printable("\xf0\x9f\x94") == R"(\xf0\x9f\x94)");          // cut off
}
