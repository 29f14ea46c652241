#include "modelica_classes.h"

#include <elasto/law.h>
#include <fmt/format.h>

#include <cmath>

#include "tool_errors.h"

namespace elasto::tools {

namespace {

constexpr const char* kTranslational = "Modelica.Mechanics.Translational.Components.";
constexpr const char* kRotational = "Modelica.Mechanics.Rotational.Components.";
constexpr const char* kLineForces = "Modelica.Mechanics.MultiBody.Forces.";
constexpr const char* kHeat = "Modelica.Thermal.HeatTransfer.";
/// Modelica's, which both of its libraries and our scenes have.
constexpr double kDefaultT = 293.15;
constexpr double kDefaultSmall = 1e-10;

ModelicaElement add(ModelicaModel& model, const ModelicaComponent& component) {
    const std::string name = model.declare(component).name();
    return {name + ".flange_a", name + ".flange_b", name};
}

/// What an element is made of, for the functions below.
struct Part {
    ModelicaModel& model;
    std::string name;
    bool turns = false;
    double offset = 0;

    /// A class of our own, whose name has a prefix where it turns.
    ModelicaComponent own(const std::string& kind) const {
        const std::string type = (turns ? "Rotational" : "") + kind;
        model.use(type);
        return {type, name};
    }
    ModelicaComponent ofLibrary(const char* kind) const {
        return {(turns ? kRotational : kTranslational) + std::string(kind), name};
    }
    const char* rest() const { return turns ? "phi_rel0" : "s_rel0"; }
};

/// Our class for a characteristic that the library does not have.
const char* gapClass(GapCharacteristic characteristic) {
    switch (characteristic) {
        case GapCharacteristic::Linear:
            return "LinearGap";
        case GapCharacteristic::NoPull:
            return "NoPullGap";
        case GapCharacteristic::LankaraniNikravesh:
            return "LankaraniNikraveshGap";
        case GapCharacteristic::HuntCrossley:
            return "HuntCrossleyGap";
        case GapCharacteristic::BoundedDamper:
            break;
    }
    return "";
}

ModelicaElement addGap(const Part& part, const ElastoGapParameters& p) {
    const bool isLibrary = p.characteristic == GapCharacteristic::BoundedDamper && !part.turns;
    const bool isOwn = p.characteristic != GapCharacteristic::BoundedDamper;
    ModelicaComponent component =
        isLibrary ? part.ofLibrary("ElastoGap") : part.own(isOwn ? gapClass(p.characteristic) : "ElastoGap");
    // Up to version 4.0 c multiplies m^n; s_ref is new in 4.1.
    component.set("c", p.c * std::pow(p.s_ref, 1 - p.n))
        .set("d", p.d)
        .set(part.rest(), p.s_rel0 + part.offset)
        .set("n", p.n);
    const bool isGrowing = p.characteristic == GapCharacteristic::LankaraniNikravesh ||
                           p.characteristic == GapCharacteristic::HuntCrossley;
    if (isGrowing) component.set("s_ref", p.s_ref);
    return add(part.model, component);
}

ModelicaElement addBacklash(const Part& part, const ElastoBacklashParameters& p) {
    const bool isLinear = p.characteristic == BacklashCharacteristic::Linear;
    if (isLinear) part.model.use("LinearBacklash");
    ModelicaComponent component =
        isLinear
            ? ModelicaComponent("LinearBacklash", part.name)
            : part.ofLibrary(p.characteristic == BacklashCharacteristic::NoPull ? "ElastoBacklash2" : "ElastoBacklash");
    return add(part.model,
               component.set("c", p.c).set("d", p.d).set("b", p.b).set("phi_rel0", p.phi_rel0 + part.offset));
}

ModelicaElement addSpringDamper(const Part& part, ElementType type, const SpringDamperParameters& p) {
    const double rest = p.s_rel0 + part.offset;
    if (p.d_rebound != kSameDamping) {
        return add(
            part.model,
            part.own("ShockAbsorber").set("c", p.c).set("d", p.d).set("d_rebound", p.d_rebound).set(part.rest(), rest));
    }
    if (type == ElementType::Damper) return add(part.model, part.ofLibrary("Damper").set("d", p.d));
    // The library's Spring allows no negative length at rest.
    if (type == ElementType::Spring && (part.turns || rest >= 0)) {
        ModelicaElement spring = add(part.model, part.ofLibrary("Spring").set("c", p.c).set(part.rest(), rest));
        spring.heat.clear();
        return spring;
    }
    return add(part.model, part.ofLibrary("SpringDamper").set("c", p.c).set("d", p.d).set(part.rest(), rest));
}

/// frame_a - damper - spring - frame_b.
ModelicaElement addSeries(const Part& part, const SpringDamperSeriesParameters& p) {
    const std::string damper = part.model.freshName(part.name + "_damper");
    part.model.declare(ModelicaComponent(std::string(kTranslational) + "Damper", damper, "s_rel is s_damper")
                           .set("d", p.d)
                           .setStart("s_rel", p.s_damper_start));
    const double rest = p.s_unstretched + part.offset;
    ModelicaComponent spring = part.ofLibrary(rest >= 0 ? "Spring" : "SpringDamper").set("c", p.c);
    if (rest < 0) spring.set("d", 0);
    part.model.declare(spring.set("s_rel0", rest));
    part.model.connect(damper + ".flange_b", part.name + ".flange_a");
    return {damper + ".flange_a", part.name + ".flange_b", damper};
}

ModelicaElement addBushing(const Part& part, const BushingParameters& p) {
    return add(part.model, part.own("Bushing")
                               .set("c", p.c)
                               .set("d", p.d)
                               .set("c_slip", p.c_slip)
                               .set(part.turns ? "tau_slip" : "f_slip", p.f_slip)
                               .set(part.rest(), p.s_rel0 + part.offset)
                               .setStart(part.turns ? "phi_slip" : "s_slip", p.s_slip_start));
}

ModelicaElement addBumpStop(const Part& part, const BumpStopParameters& p) {
    std::vector<std::vector<double>> rows;
    for (const ForceTable::Point& point : p.table.points()) rows.push_back({point[0], point[1]});
    return add(
        part.model,
        part.own("BumpStop").setText("table", modelicaTable(rows)).set("d", p.d).set("s_rel0", p.s_rel0 + part.offset));
}

/// Without a limit of its force it is a gap with the flanges exchanged.
ModelicaElement addRope(Part part, const RopeLaw& law) {
    const RopeParameters& p = law.parameters();
    if (law.isLimited()) {
        return add(part.model, part.own("Rope")
                                   .set("c", p.c * std::pow(p.s_ref, 1 - p.n))
                                   .set("d", p.d)
                                   .set("s_unstretched", p.s_unstretched + part.offset)
                                   .set("n", p.n)
                                   .set("f_max", p.f_max)
                                   .setStart("s_slip", p.s_slip_start));
    }
    part.offset = -part.offset;
    ModelicaElement gap = addGap(part, {.c = p.c, .d = p.d, .s_rel0 = -p.s_unstretched, .n = p.n, .s_ref = p.s_ref});
    std::swap(gap.a, gap.b);
    return gap;
}

/// The library's SupportFriction and Brake act on their support, and have a table for the curve.
ModelicaElement addFriction(const Part& part, const FrictionParameters& p, const std::optional<TimeCourse>& strength) {
    const auto field = [&](const char* rest) { return std::string(part.turns ? "tau_" : "F_") + rest; };
    ModelicaComponent component = part.own("Friction");
    component.set(field("Coulomb"), p.F_Coulomb)
        .set(field("prop"), p.F_prop)
        .set(field("Stribeck"), p.F_Stribeck)
        .set(part.turns ? "wexp" : "fexp", p.fexp)
        .set("peak", p.peak);
    if (strength) {
        const std::string name = part.model.freshName(part.name + "_strength");
        component.setText("f_normalized", addCourse(part.model, name, *strength, 1));
    }
    return add(part.model, component);
}

ModelicaElement addLaw(const Part& part, const SceneElement& element) {
    if (const auto* gap = std::get_if<ElastoGapLaw>(&element.law)) return addGap(part, gap->parameters());
    if (const auto* backlash = std::get_if<ElastoBacklashLaw>(&element.law))
        return addBacklash(part, backlash->parameters());
    if (const auto* series = std::get_if<SpringDamperSeriesLaw>(&element.law))
        return addSeries(part, series->parameters());
    if (const auto* bushing = std::get_if<BushingLaw>(&element.law)) return addBushing(part, bushing->parameters());
    if (const auto* stop = std::get_if<BumpStopLaw>(&element.law)) return addBumpStop(part, stop->parameters());
    if (const auto* rope = std::get_if<RopeLaw>(&element.law)) return addRope(part, *rope);
    if (const auto* friction = std::get_if<FrictionLaw>(&element.law))
        return addFriction(part, friction->parameters(), element.f_normalized);
    return addSpringDamper(part, element.type, std::get<SpringDamperLaw>(element.law).parameters());
}

}  // namespace

ModelicaElement addElement(ModelicaModel& model, const Scene& scene, const SceneElement& element, double offset) {
    const Part part{model, model.nameOf(element.name), element.geometry == Geometry::AboutAxis, offset};
    ModelicaElement result = addLaw(part, element);
    if (!result.heat.empty()) addHeat(model, scene, element, result.heat);
    return result;
}

bool addLineElement(ModelicaModel& model, const Scene& scene, const SceneElement& element, const std::string& frameA,
                    const std::string& frameB) {
    const std::string& name = model.nameOf(element.name);
    bool hasHeat = true;
    const auto start = [&](const char* kind) {
        ModelicaComponent component(std::string(kLineForces) + kind, name);
        if (element.s_small != kDefaultSmall) component.set("s_small", element.s_small);
        return component;
    };
    if (const auto* series = std::get_if<SpringDamperSeriesLaw>(&element.law)) {
        const SpringDamperSeriesParameters& p = series->parameters();
        model.declare(start("SpringDamperSeries")
                          .set("c", p.c)
                          .set("d", p.d)
                          .set("s_unstretched", p.s_unstretched)
                          .set("s_damper_start", p.s_damper_start));
    } else if (const auto* law = std::get_if<SpringDamperLaw>(&element.law)) {
        const SpringDamperParameters& p = law->parameters();
        if (p.d_rebound != kSameDamping) return false;
        if (element.type == ElementType::Damper) {
            model.declare(start("Damper").set("d", p.d));
        } else if (element.type == ElementType::Spring) {
            model.declare(start("Spring").set("c", p.c).set("s_unstretched", p.s_rel0));
            hasHeat = false;
        } else {
            model.declare(start("SpringDamperParallel").set("c", p.c).set("s_unstretched", p.s_rel0).set("d", p.d));
        }
    } else {
        return false;
    }
    model.connect(frameA, name + ".frame_a");
    model.connect(name + ".frame_b", frameB);
    if (hasHeat) addHeat(model, scene, element, name);
    return true;
}

void loseHardStops(ModelicaModel& model, const SceneElement& element) {
    const auto* friction = std::get_if<FrictionLaw>(&element.law);
    if (friction == nullptr || !(friction->hasStop(-1) || friction->hasStop(+1))) return;
    model.lose(
        fmt::format("{} has hard stops; Modelica's library has them for a mass on a line that rubs on what is "
                    "fixed, with peak = 1.001 and always the same strength",
                    element.name));
}

void addHeat(ModelicaModel& model, const Scene& scene, const SceneElement& element, const std::string& component) {
    if (element.heatPort >= 0) {
        const SceneHeatPort& port = scene.heatPorts[static_cast<std::size_t>(element.heatPort)];
        model.component(component).setText("useHeatPort", "true");
        model.connect(component + ".heatPort", model.nameOf(port.name) + ".solid");
    } else if (element.T != kDefaultT) {
        // Components between 1D flanges have no T of their own.
        const std::string source = model.freshName(component + "_T");
        model.declare(ModelicaComponent(std::string(kHeat) + "Sources.FixedTemperature", source).set("T", element.T));
        model.component(component).setText("useHeatPort", "true");
        model.connect(component + ".heatPort", source + ".port");
    }
}

void addHeatPorts(ModelicaModel& model, const Scene& scene) {
    for (const SceneHeatPort& port : scene.heatPorts) {
        const std::string& name = model.nameOf(port.name);
        const std::string conductance = model.freshName(name + "_Gc"), ambience = model.freshName(name + "_ambience");
        model.declare(ModelicaComponent(std::string(kHeat) + "Components.Convection", name));
        model.declare(ModelicaComponent("Modelica.Blocks.Sources.Constant", conductance).set("k", port.conductance));
        model.declare(ModelicaComponent(std::string(kHeat) + "Sources.FixedTemperature", ambience)
                          .set("T", port.ambientTemperature));
        model.connect(conductance + ".y", name + ".Gc");
        model.connect(ambience + ".port", name + ".fluid");
    }
}

std::string modelicaTable(const std::vector<std::vector<double>>& rows) {
    std::string text;
    for (const std::vector<double>& row : rows) {
        std::string line;
        for (const double value : row) line += (line.empty() ? "" : ", ") + modelicaNumber(value);
        text += (text.empty() ? "" : "; ") + line;
    }
    return "[" + text + "]";
}

std::string addCourse(ModelicaModel& model, const std::string& name, const TimeCourse& course, double size) {
    switch (course.type) {
        case TimeCourse::Type::Sine:
            model.declare(ModelicaComponent("Modelica.Blocks.Sources.Sine", name)
                              .set("amplitude", size)
                              .set("f", course.frequency)
                              .set("phase", course.phase)
                              .set("offset", size * course.offset)
                              .set("startTime", course.startTime));
            break;
        case TimeCourse::Type::Table: {
            std::vector<std::vector<double>> rows;
            for (const auto& [time, factor] : course.points) rows.push_back({time, size * factor});
            model.declare(ModelicaComponent("Modelica.Blocks.Sources.CombiTimeTable", name)
                              .setText("table", modelicaTable(rows))
                              .setText("smoothness", "Modelica.Blocks.Types.Smoothness.LinearSegments")
                              .setText("extrapolation", "Modelica.Blocks.Types.Extrapolation.HoldLastPoint"));
            return name + ".y[1]";
        }
        case TimeCourse::Type::Constant: {
            std::string condition = fmt::format("time >= {}", modelicaNumber(course.startTime));
            if (std::isfinite(course.endTime))
                condition += fmt::format(" and time < {}", modelicaNumber(course.endTime));
            model.declare(ModelicaComponent("Modelica.Blocks.Sources.RealExpression", name)
                              .setText("y", fmt::format("if {} then {} else 0", condition, modelicaNumber(size))));
            break;
        }
    }
    return name + ".y";
}

}  // namespace elasto::tools
