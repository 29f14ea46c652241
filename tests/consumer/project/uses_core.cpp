// The flow without any engine: a mass dropped on a stiff undamped stop comes back to its height.
#include <elasto/flow.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

int main() {
    elasto::FlowNetwork network;
    network.bodies.push_back(elasto::FlowBody::sphere(0.2, 0.05));
    network.bodies[0].position = {0, 0.3, 0};
    network.bodies[0].force.constant = {0, -0.2 * 9.80665, 0};
    elasto::FlowElement stop{elasto::ElastoGapLaw({.c = 1e6, .d = 0})};
    stop.b = 0;
    stop.axis = {0, 1, 0};
    network.elements.push_back(stop);

    double lowest = 1;
    double highestRebound = 0;
    bool touched = false;
    for (int tick = 0; tick < 60; ++tick) {
        const elasto::TickResult result = elasto::solveTick(network, 1.0 / 60);
        touched = touched || !result.events.empty();
        network.adopt(result);
        lowest = std::min(lowest, network.bodies[0].position.y());
        const double height =
            network.bodies[0].position.y() + std::pow(network.bodies[0].velocity.y(), 2) / (2 * 9.80665);
        highestRebound = touched ? std::max(highestRebound, height) : 0;
    }
    if (std::abs(highestRebound - 0.3) > 1e-9 || lowest < -0.01) {
        std::printf("rebound to %.12g m, lowest %g m\n", highestRebound, lowest);
        return 1;
    }
    std::puts("core: ok");
}
