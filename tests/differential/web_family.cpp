// What floats: bricks, panels and clouds on springs in space, drifting, hit by a ball or not.
#include <cmath>

#include "families.h"
#include "laws.h"

namespace elasto::differential {

namespace {

std::string nameOf(int row, int column) {
    return "b" + std::to_string(row) + "_" + std::to_string(column);
}

void addSpring(Machine& machine, Draws& draws, const std::string& name, const std::string& type, const Json& a,
               const Json& b, double mass, double rest) {
    Json& element = machine.addElement(name, type, "line", a, b);
    setParameters(element, draws, {mass, rest, 0.3 * rest, 5 * mass});
}

/// Rows of bricks, each tied to the next ones at two places.
void makePanel(Machine& machine, Draws& draws, const Vector3d& drift, bool isSolid) {
    const int rows = draws.from(1, 4);
    const int columns = draws.from(2, 6);
    const double mass = draws.magnitude(0.2, 20);
    const Vector3d size(0.5, 0.25, 0.25);
    const double play = draws.between(0.02, 0.2);
    const double c = draws.magnitude(1e3, 1e6);
    const double d = draws.chance(0.4) ? 0 : 2 * draws.magnitude(1e-3, 0.3) * std::sqrt(c * mass);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            Json& body = machine.addBody(nameOf(row, column), mass, inertiaOfBox(mass, size),
                                         {column * (size.x() + play), row * (size.y() + play), 0});
            body["velocity"] = listOf(drift);
            if (isSolid) body["shape"] = {{"type", "box"}, {"size", listOf(size)}};
        }
    }
    const auto tie = [&](const std::string& a, const std::string& b, const Vector3d& half, const Vector3d& beside) {
        for (const double side : {-1., 1.}) {
            Json& element =
                machine.addElement("s" + std::to_string(machine.scene()["elements"].size()), "SpringDamperParallel",
                                   "line", endOf(a, half + side * beside), endOf(b, -half + side * beside));
            element["c"] = c;
            element["d"] = d;
            element["s_unstretched"] = play;
        }
    };
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            if (column + 1 < columns) {
                tie(nameOf(row, column), nameOf(row, column + 1), {size.x() / 2, 0, 0}, {0, 0.1, 0});
            }
            if (row + 1 < rows) tie(nameOf(row, column), nameOf(row + 1, column), {0, size.y() / 2, 0}, {0.2, 0, 0});
        }
    }
    if (!isSolid) {
        // Without a ball something must begin.
        machine.scene()["bodies"].back()["velocity"] = listOf(Vector3d(drift + draws.within(2)));
        return;
    }
    const double ball = mass * draws.magnitude(0.3, 10);
    const double radius = 0.2;
    const double aim = draws.between(0, (columns - 1) * (size.x() + play));
    Json& body = machine.addBody("ball", ball, inertiaOfBall(ball, radius), {aim, 0, 0.125 + radius + 0.1});
    body["velocity"] = listOf(Vector3d(drift + Vector3d(0, 0, -draws.magnitude(1, 30))));
    body["shape"] = {{"type", "sphere"}, {"radius", radius}};
    addProbe(machine, "probe", "axis", endOf("world"), endOf("ball"));
}

/// A hub and satellites, or everything tied to everything.
void makeCloud(Machine& machine, Draws& draws, const Vector3d& drift) {
    const int count = draws.from(3, 16);
    const bool isStar = draws.chance(0.5);
    const double mass = draws.magnitude(0.1, 10);
    std::vector<Vector3d> places;
    while (static_cast<int>(places.size()) < count) {
        const Vector3d place = draws.within(1.5);
        bool isFree = place.norm() > 0.3;
        for (const Vector3d& other : places) isFree = isFree && (place - other).norm() > 0.3;
        if (isFree) places.push_back(place);
    }
    places.front() = Vector3d::Zero();
    const std::string type =
        draws.oneOf<std::string>({"Spring", "SpringDamperParallel", "SpringDamperSeries", "ElastoGap", "Bushing"});
    for (int i = 0; i < count; ++i) {
        const double own = i == 0 ? mass * draws.magnitude(1, 100) : mass;
        Json& body =
            machine.addBody("p" + std::to_string(i), own, inertiaOfBall(own, 0.1), places[static_cast<std::size_t>(i)]);
        body["velocity"] = listOf(Vector3d(drift + draws.within(1)));
    }
    for (int i = 0; i < count; ++i) {
        for (int j = i + 1; j < count; ++j) {
            if (isStar ? i > 0 : !(j == i + 1 || draws.chance(3. / count))) continue;
            const Vector3d way = places[static_cast<std::size_t>(j)] - places[static_cast<std::size_t>(i)];
            addSpring(machine, draws, "s" + std::to_string(machine.scene()["elements"].size()), type,
                      endOf("p" + std::to_string(i)), endOf("p" + std::to_string(j)), mass, way.norm());
        }
    }
}

}  // namespace

Machine makeWeb(Draws& draws) {
    Machine machine;
    machine.setGravity(Vector3d::Zero());
    machine.scene()["duration"] = draws.between(0.4, 1);
    const Vector3d drift = draws.chance(0.5) ? Vector3d(draws.direction() * draws.magnitude(1, 100)) : Vector3d::Zero();
    const std::string kind = draws.oneOf<std::string>({"cloud", "panel", "hit"});
    if (kind == "cloud") {
        makeCloud(machine, draws, drift);
    } else {
        makePanel(machine, draws, drift, kind == "hit");
    }
    return machine;
}

}  // namespace elasto::differential
