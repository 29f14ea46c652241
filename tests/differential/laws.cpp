#include "laws.h"

#include <cmath>
#include <numbers>

namespace elasto::differential {

namespace {

/// Stiffness of 1 to 100 Hz.
double stiffness(Draws& draws, const Worked& worked) {
    const double rate = 2 * std::numbers::pi * draws.magnitude(1, 100);
    return worked.inertia * rate * rate;
}

/// None, or 0.1 % to 100 % of the critical one.
double damping(Draws& draws, const Worked& worked, double c) {
    if (draws.chance(0.3)) return 0;
    return 2 * draws.magnitude(1e-3, 1) * std::sqrt(c * worked.inertia);
}

void setGap(Json& element, Draws& draws, const Worked& worked, double c, double d) {
    element["c"] = c;
    element["d"] = d;
    element["s_rel0"] = worked.rest - worked.stroke * draws.between(0, 0.3);
    if (draws.chance(0.4)) {
        element["n"] = draws.oneOf({1.5, 2.0, 1.2});
        element["s_ref"] = 0.1 * worked.stroke;
    }
    if (draws.chance(0.4)) {
        element["characteristic"] =
            draws.oneOf<std::string>({"linear", "noPull", "lankaraniNikravesh", "huntCrossley"});
    }
}

void setBacklash(Json& element, Draws& draws, const Worked& worked, double c, double d) {
    element["c"] = c;
    element["d"] = d;
    element["b"] = worked.stroke * draws.between(0.01, 0.5);
    element["phi_rel0"] = worked.rest;
}

}  // namespace

std::string translationalType(Draws& draws) {
    return draws.oneOf<std::string>({"ElastoGap", "ElastoGap", "ElastoGap", "SpringDamperSeries", "Spring", "Damper",
                                     "SpringDamperParallel", "SpringDamper", "Bushing", "BumpStop", "SupportFriction"});
}

std::string rotationalType(Draws& draws) {
    return draws.oneOf<std::string>({"ElastoBacklash", "ElastoBacklash", "ElastoBacklash2", "RotationalSpringDamper",
                                     "RotationalBushing", "BearingFriction"});
}

std::string geometryFor(Draws& draws, const std::string& type) {
    if (type == "SpringDamper" || type == "SupportFriction") return "axis";
    return draws.chance(0.5) ? "axis" : "line";
}

void setParameters(Json& element, Draws& draws, const Worked& worked) {
    const std::string type = element["type"];
    const double c = stiffness(draws, worked);
    const double d = damping(draws, worked, c);
    const double slip = worked.force * draws.magnitude(0.05, 2);
    if (type == "ElastoGap") {
        setGap(element, draws, worked, c, d);
    } else if (type == "ElastoBacklash" || type == "ElastoBacklash2") {
        setBacklash(element, draws, worked, c, d);
    } else if (type == "SpringDamperSeries") {
        element["c"] = c;
        element["d"] = 2 * draws.magnitude(1e-2, 1) * std::sqrt(c * worked.inertia);
        element["s_unstretched"] = worked.rest;
    } else if (type == "Spring") {
        element["c"] = c;
        element["s_unstretched"] = worked.rest;
    } else if (type == "Damper") {
        element["d"] = 2 * draws.magnitude(1e-2, 1) * std::sqrt(c * worked.inertia);
    } else if (type == "SpringDamperParallel") {
        element["c"] = c;
        element["d"] = d;
        element["s_unstretched"] = worked.rest;
    } else if (type == "SpringDamper") {
        element["c"] = c;
        element["d"] = d;
        element["s_rel0"] = worked.rest;
    } else if (type == "RotationalSpringDamper") {
        element["c"] = c;
        element["d"] = d;
        element["phi_rel0"] = worked.rest;
    } else if (type == "Bushing") {
        element["c"] = c;
        element["d"] = d;
        element["c_slip"] = c * draws.between(0.2, 3);
        element["f_slip"] = slip;
        element["s_rel0"] = worked.rest;
        element["s_slip_start"] = worked.now;  // else it would give way by a jump
    } else if (type == "RotationalBushing") {
        element["c"] = c;
        element["d"] = d;
        element["c_slip"] = c * draws.between(0.2, 3);
        element["tau_slip"] = slip;
        element["phi_rel0"] = worked.rest;
        element["phi_slip_start"] = worked.now;
    } else if (type == "BumpStop") {
        const double end = worked.stroke * draws.between(0.1, 0.5);
        element["table"] = {{0, 0}, {end / 3, c * end / 10}, {end, c * end}};
        element["d"] = d;
        element["s_rel0"] = worked.rest - worked.stroke * draws.between(0, 0.3);
    } else {
        const bool turns = type == "BearingFriction";
        element[turns ? "tau_Coulomb" : "F_Coulomb"] = slip;
        if (draws.chance(0.3)) element[turns ? "tau_prop" : "F_prop"] = slip * draws.between(0.01, 0.5);
        if (draws.chance(0.3)) {
            element[turns ? "tau_Stribeck" : "F_Stribeck"] = slip * draws.between(0.1, 0.5);
            element[turns ? "wexp" : "fexp"] = draws.magnitude(1, 20);
        }
        if (draws.chance(0.2)) element["peak"] = draws.between(1.05, 1.5);
    }
}

Json& addProbe(Machine& machine, const std::string& name, const std::string& geometry, const Json& a, const Json& b) {
    const bool turns = geometry == "rotation";
    Json& probe = machine.addElement(name, turns ? "RotationalSpringDamper" : "SpringDamperParallel", geometry, a, b);
    probe["c"] = 0;
    probe["d"] = 0;
    return probe;
}

void setCourse(Json& load, Draws& draws, double duration) {
    const std::string type = draws.oneOf<std::string>({"constant", "sine", "table", "steps"});
    load["type"] = type == "steps" ? "table" : type;
    if (type == "constant") {
        load["startTime"] = duration * draws.between(0, 0.5);
    } else if (type == "sine") {
        load["frequency"] = draws.magnitude(0.5, 30);
        load["phase"] = draws.between(-3, 3);
    } else {
        Json points = Json::array();
        const int count = draws.from(2, 6);
        double last = draws.between(-1, 1);
        for (int i = 0; i < count; ++i) {
            const double time = duration * i / count + draws.between(0, 0.1) * duration / count;
            if (type == "steps") points.push_back({time, last});
            last = draws.between(-1, 1);
            points.push_back({time, last});
        }
        load["points"] = points;
    }
}

}  // namespace elasto::differential
