// The main function of every test program, compiled once because Catch2 is large.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
