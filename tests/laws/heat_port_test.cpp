#include <elasto/heat_port.h>

#include <catch2/catch.hpp>

using elasto::HeatPort;

TEST_CASE("a heat port has Modelica's HeatLosses values by default and is at ambient temperature without heat") {
    const HeatPort port;
    CHECK(port.conductance() == 20);
    CHECK(port.ambientTemperature() == 298.15);
    CHECK(port.temperature() == 298.15);
    CHECK(port.power() == 0);
    CHECK(port.meanPower() == 0);
    CHECK(port.energy() == 0);
}

TEST_CASE("convection: the port is power / G above the ambient temperature") {
    HeatPort port(5, 300);
    port.beginTick();
    port.addTick(0.5, 0.125, 3);
    CHECK(port.temperature() == 300.6);
    CHECK(port.power() == 3);
    CHECK(port.meanPower() == 4);
    CHECK(port.energy() == 0.5);
}

TEST_CASE("a heat port adds up its elements, and its energy over the ticks") {
    HeatPort port(10, 300);
    port.beginTick();
    port.addTick(0.5, 0.25, 3);
    port.addTick(0.25, 0.25, 2);
    CHECK(port.power() == 5);
    CHECK(port.meanPower() == 3);
    CHECK(port.energy() == 0.75);
    CHECK(port.temperature() == 300.5);

    port.beginTick();
    CHECK(port.power() == 0);
    CHECK(port.temperature() == 300);
    port.addTick(0.25, 0.25, 7);
    CHECK(port.power() == 7);
    CHECK(port.meanPower() == 1);
    CHECK(port.energy() == 1);
}
