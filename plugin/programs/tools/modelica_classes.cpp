#include "modelica_classes.h"

#include <elasto/law.h>
#include <fmt/format.h>

#include <cmath>

#include "tool_errors.h"

namespace elasto::tools {

namespace {

constexpr const char* kTranslational = "Modelica.Mechanics.Translational.Components.";
constexpr const char* kRotational = "Modelica.Mechanics.Rotational.Components.";

using Flanges = std::pair<std::string, std::string>;

Flanges flangesOf(const std::string& name) {
    return {name + ".flange_a", name + ".flange_b"};
}

Flanges add(ModelicaModel& model, const ModelicaComponent& component) {
    model.declare(component);
    return flangesOf(component.name());
}

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

Flanges addGap(ModelicaModel& model, const ElastoGapParameters& p, const std::string& name, double offset,
               bool turns = false) {
    // Up to version 4.0 c multiplies m^n; s_ref is new in 4.1.
    const double c = p.c * std::pow(p.s_ref, 1 - p.n);
    if (turns) {
        if (p.characteristic != GapCharacteristic::BoundedDamper) {
            throw InputError(fmt::format("{}: the characteristics of a RotationalElastoGap are not exported", name));
        }
        model.use("RotationalElastoGap");
        return add(model, ModelicaComponent("RotationalElastoGap", name)
                              .set("c", c)
                              .set("d", p.d)
                              .set("phi_rel0", p.s_rel0 + offset)
                              .set("n", p.n));
    }
    if (p.characteristic == GapCharacteristic::BoundedDamper) {
        return add(model, ModelicaComponent(std::string(kTranslational) + "ElastoGap", name)
                              .set("c", c)
                              .set("d", p.d)
                              .set("s_rel0", p.s_rel0 + offset)
                              .set("n", p.n));
    }
    const std::string type = gapClass(p.characteristic);
    model.use(type);
    ModelicaComponent component(type, name);
    component.set("c", c).set("d", p.d).set("s_rel0", p.s_rel0 + offset).set("n", p.n);
    const bool isGrowing = p.characteristic == GapCharacteristic::LankaraniNikravesh ||
                           p.characteristic == GapCharacteristic::HuntCrossley;
    if (isGrowing) component.set("s_ref", p.s_ref);
    return add(model, component);
}

Flanges addBacklash(ModelicaModel& model, const ElastoBacklashParameters& p, const std::string& name, double offset) {
    std::string type = std::string(kRotational) + "ElastoBacklash";
    if (p.characteristic == BacklashCharacteristic::NoPull) type += "2";
    if (p.characteristic == BacklashCharacteristic::Linear) {
        type = "LinearBacklash";
        model.use(type);
    }
    return add(
        model,
        ModelicaComponent(type, name).set("c", p.c).set("d", p.d).set("b", p.b).set("phi_rel0", p.phi_rel0 + offset));
}

Flanges addSpringDamper(ModelicaModel& model, const SceneElement& element, const SpringDamperParameters& p,
                        const std::string& name, double offset) {
    const bool turns = element.geometry == Geometry::AboutAxis;
    const std::string library = turns ? kRotational : kTranslational;
    const char* place = turns ? "phi_rel0" : "s_rel0";
    if (p.d_rebound != kSameDamping) {
        const std::string type = turns ? "RotationalShockAbsorber" : "ShockAbsorber";
        model.use(type);
        return add(model, ModelicaComponent(type, name)
                              .set("c", p.c)
                              .set("d", p.d)
                              .set("d_rebound", p.d_rebound)
                              .set(place, p.s_rel0 + offset));
    }
    switch (element.type) {
        case ElementType::Spring:
            return add(model, ModelicaComponent(library + "Spring", name).set("c", p.c).set(place, p.s_rel0 + offset));
        case ElementType::Damper:
            return add(model, ModelicaComponent(library + "Damper", name).set("d", p.d));
        default:
            return add(model, ModelicaComponent(library + "SpringDamper", name)
                                  .set("c", p.c)
                                  .set("d", p.d)
                                  .set(place, p.s_rel0 + offset));
    }
}

/// frame_a - damper - spring - frame_b.
Flanges addSeries(ModelicaModel& model, const SpringDamperSeriesParameters& p, const std::string& name, double offset) {
    const std::string damper = name + "_damper";
    model.declare(ModelicaComponent(std::string(kTranslational) + "Damper", damper)
                      .set("d", p.d)
                      .setText("s_rel", fmt::format("(start = {}, fixed = true)", modelicaNumber(p.s_damper_start))),
                  "s_rel is s_damper");
    model.declare(ModelicaComponent(std::string(kTranslational) + "Spring", name)
                      .set("c", p.c)
                      .set("s_rel0", p.s_unstretched + offset));
    model.connect(damper + ".flange_b", name + ".flange_a");
    return {damper + ".flange_a", name + ".flange_b"};
}

Flanges addBushing(ModelicaModel& model, const BushingParameters& p, const std::string& name, bool turns,
                   double offset) {
    const std::string type = turns ? "RotationalBushing" : "Bushing";
    model.use(type);
    return add(model, ModelicaComponent(type, name)
                          .set("c", p.c)
                          .set("d", p.d)
                          .set("c_slip", p.c_slip)
                          .set(turns ? "tau_slip" : "f_slip", p.f_slip)
                          .set(turns ? "phi_rel0" : "s_rel0", p.s_rel0 + offset)
                          .setText(turns ? "phi_slip" : "s_slip",
                                   fmt::format("(start = {}, fixed = true)", modelicaNumber(p.s_slip_start))));
}

Flanges addBumpStop(ModelicaModel& model, const BumpStopParameters& p, const std::string& name, double offset) {
    model.use("BumpStop");
    std::string table;
    for (const ForceTable::Point& point : p.table.points()) {
        table += fmt::format("{}{}, {}", table.empty() ? "" : "; ", modelicaNumber(point[0]), modelicaNumber(point[1]));
    }
    return add(model, ModelicaComponent("BumpStop", name)
                          .setText("table", "[" + table + "]")
                          .set("d", p.d)
                          .set("s_rel0", p.s_rel0 + offset));
}

/// Without a limit of its force it is a gap with the flanges exchanged.
Flanges addRope(ModelicaModel& model, const RopeLaw& law, const std::string& name, double offset) {
    const RopeParameters& p = law.parameters();
    if (law.isLimited()) {
        model.use("Rope");
        return add(model,
                   ModelicaComponent("Rope", name)
                       .set("c", p.c * std::pow(p.s_ref, 1 - p.n))
                       .set("d", p.d)
                       .set("s_unstretched", p.s_unstretched + offset)
                       .set("n", p.n)
                       .set("f_max", p.f_max)
                       .setText("s_slip", fmt::format("(start = {}, fixed = true)", modelicaNumber(p.s_slip_start))));
    }
    const ElastoGapParameters gap{.c = p.c, .d = p.d, .s_rel0 = -p.s_unstretched, .n = p.n, .s_ref = p.s_ref};
    const Flanges flanges = addGap(model, gap, name, -offset);
    return {flanges.second, flanges.first};
}

/// The library's SupportFriction and Brake act on their support, and have a table for the curve.
Flanges addFriction(ModelicaModel& model, const FrictionLaw& law, const std::string& name, bool turns,
                    const TimeCourse* strength) {
    const std::string type = turns ? "RotationalFriction" : "Friction";
    model.use(type);
    const FrictionParameters& p = law.parameters();
    const auto field = [turns](const char* rest) { return std::string(turns ? "tau_" : "F_") + rest; };
    ModelicaComponent component(type, name);
    component.set(field("Coulomb"), p.F_Coulomb)
        .set(field("prop"), p.F_prop)
        .set(field("Stribeck"), p.F_Stribeck)
        .set(turns ? "wexp" : "fexp", p.fexp)
        .set("peak", p.peak);
    if (law.hasStop(-1) || law.hasStop(+1)) {
        model.notes.push_back(name + " has hard stops there");
    }
    if (strength != nullptr) {
        component.setText("f_normalized", addCourse(model, name + "_strength", *strength, 1));
    }
    return add(model, component);
}

}  // namespace

Flanges addElement(ModelicaModel& model, const SceneElement& element, const std::string& name, double offset) {
    if (const auto* gap = std::get_if<ElastoGapLaw>(&element.law))
        return addGap(model, gap->parameters(), name, offset, element.geometry == Geometry::AboutAxis);
    if (const auto* backlash = std::get_if<ElastoBacklashLaw>(&element.law))
        return addBacklash(model, backlash->parameters(), name, offset);
    if (const auto* series = std::get_if<SpringDamperSeriesLaw>(&element.law))
        return addSeries(model, series->parameters(), name, offset);
    if (const auto* bushing = std::get_if<BushingLaw>(&element.law))
        return addBushing(model, bushing->parameters(), name, element.geometry == Geometry::AboutAxis, offset);
    if (const auto* stop = std::get_if<BumpStopLaw>(&element.law))
        return addBumpStop(model, stop->parameters(), name, offset);
    if (const auto* rope = std::get_if<RopeLaw>(&element.law)) return addRope(model, *rope, name, offset);
    if (const auto* friction = std::get_if<FrictionLaw>(&element.law)) {
        return addFriction(model, *friction, name, element.geometry == Geometry::AboutAxis,
                           element.f_normalized ? &*element.f_normalized : nullptr);
    }
    return addSpringDamper(model, element, std::get<SpringDamperLaw>(element.law).parameters(), name, offset);
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
            std::string table;
            for (const auto& [time, factor] : course.points) {
                table += fmt::format("{}{}, {}", table.empty() ? "" : "; ", modelicaNumber(time),
                                     modelicaNumber(size * factor));
            }
            model.declare(ModelicaComponent("Modelica.Blocks.Sources.CombiTimeTable", name)
                              .setText("table", "[" + table + "]")
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

std::string modelicaHelper(const std::string& name) {
    // A gap of another characteristic: f = spring + damper in contact.
    const auto gap = [&](const char* text, const char* extra, const char* force) {
        return fmt::format(
            "  model {0} \"{1}\"\n"
            "    extends Modelica.Mechanics.Translational.Interfaces.PartialCompliantWithRelativeStates;\n"
            "    parameter Real c(min = 0) \"Spring constant [N/m^n]\";\n"
            "    parameter Modelica.Units.SI.TranslationalDampingConstant d(min = 0) \"Damping constant\";\n"
            "    parameter Modelica.Units.SI.Position s_rel0 = 0 \"Contact below it\";\n"
            "    parameter Real n(min = 1) = 1 \"Exponent of the spring force\";\n{2}"
            "    Boolean contact \"True, if the ends touch\";\n"
            "  protected\n"
            "    Real x \"Penetration\";\n"
            "  equation\n"
            "    contact = s_rel < s_rel0;\n"
            "    x = noEvent(max(0, s_rel0 - s_rel));\n"
            "    f = if contact then {3} else 0;\n"
            "  end {0};\n",
            name, text, extra, force);
    };
    constexpr const char* kReference =
        "    parameter Modelica.Units.SI.Length s_ref = 1 \"Penetration at which the damper is d\";\n";
    if (name == "LinearGap") return gap("Gap with the unmodified linear characteristic", "", "-c*x^n + d*v_rel");
    if (name == "NoPullGap") return gap("Gap that does not pull", "", "min(0, -c*x^n + d*v_rel)");
    if (name == "LankaraniNikraveshGap")
        return gap("Gap after Lankarani and Nikravesh", kReference, "-c*x^n + d*(x/s_ref)^n*v_rel");
    if (name == "HuntCrossleyGap")
        return gap("Gap after Hunt and Crossley that does not pull", kReference,
                   "min(0, -c*x^n + d*(x/s_ref)^n*v_rel)");
    if (name == "LinearBacklash") {
        return "  model LinearBacklash \"Backlash with the unmodified linear characteristic\"\n"
               "    extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliantWithRelativeStates;\n"
               "    parameter Modelica.Units.SI.RotationalSpringConstant c \"Spring constant\";\n"
               "    parameter Modelica.Units.SI.RotationalDampingConstant d \"Damping constant\";\n"
               "    parameter Modelica.Units.SI.Angle b = 0 \"Total backlash\";\n"
               "    parameter Modelica.Units.SI.Angle phi_rel0 = 0 \"Middle of the backlash\";\n"
               "  equation\n"
               "    tau = if phi_rel - phi_rel0 > b/2 then c*(phi_rel - phi_rel0 - b/2) + d*w_rel\n"
               "      else if phi_rel - phi_rel0 < -b/2 then c*(phi_rel - phi_rel0 + b/2) + d*w_rel else 0;\n"
               "  end LinearBacklash;\n";
    }
    if (name == "BumpStop") {
        return "  model BumpStop \"ElastoGap with a table of force over compression\"\n"
               "    extends Modelica.Mechanics.Translational.Interfaces.PartialCompliantWithRelativeStates;\n"
               "    parameter Real table[:, 2] \"Compression, force\";\n"
               "    parameter Modelica.Units.SI.TranslationalDampingConstant d \"Damping constant\";\n"
               "    parameter Modelica.Units.SI.Position s_rel0 = 0 \"Contact below it\";\n"
               "    Boolean contact \"True, if the ends touch\";\n"
               "    Modelica.Units.SI.Force f_c \"Spring force\";\n"
               "    Modelica.Blocks.Tables.CombiTable1Ds spring(table = table,\n"
               "      smoothness = Modelica.Blocks.Types.Smoothness.MonotoneContinuousDerivative1);\n"
               "  equation\n"
               "    contact = s_rel < s_rel0;\n"
               "    spring.u = noEvent(max(0, s_rel0 - s_rel));\n"
               "    f_c = if contact then -spring.y[1] else 0;\n"
               "    f = f_c + (if contact then smooth(0, noEvent(min(max(d*v_rel, f_c), -f_c))) else 0);\n"
               "  end BumpStop;\n";
    }
    if (name == "RotationalElastoGap") {
        return "  model RotationalElastoGap \"ElastoGap about an axis\"\n"
               "    extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliantWithRelativeStates;\n"
               "    parameter Real c(min = 0) \"Spring constant [N.m/rad^n]\";\n"
               "    parameter Modelica.Units.SI.RotationalDampingConstant d(min = 0) \"Damping constant\";\n"
               "    parameter Modelica.Units.SI.Angle phi_rel0 = 0 \"Contact below it\";\n"
               "    parameter Real n(min = 1) = 1 \"Exponent of the spring torque\";\n"
               "    Boolean contact \"True, if the ends touch\";\n"
               "    Modelica.Units.SI.Torque tau_c \"Spring torque\";\n"
               "  equation\n"
               "    contact = phi_rel < phi_rel0;\n"
               "    tau_c = if contact then -c*noEvent(max(0, phi_rel0 - phi_rel))^n else 0;\n"
               "    tau = tau_c + (if contact then smooth(0, noEvent(min(max(d*w_rel, tau_c), -tau_c))) else 0);\n"
               "  end RotationalElastoGap;\n";
    }
    if (name == "Rope") {
        return "  model Rope \"Pulls only, and runs out at its largest force\"\n"
               "    extends Modelica.Mechanics.Translational.Interfaces.PartialCompliantWithRelativeStates;\n"
               "    parameter Real c(min = 0) \"Spring constant [N/m^n]\";\n"
               "    parameter Modelica.Units.SI.TranslationalDampingConstant d(min = 0) \"Damping constant\";\n"
               "    parameter Modelica.Units.SI.Position s_unstretched = 0 \"Slack up to it\";\n"
               "    parameter Real n(min = 1) = 1 \"Exponent of the spring force\";\n"
               "    parameter Modelica.Units.SI.Force f_max \"Largest force\";\n"
               "    Modelica.Units.SI.Length s_slip \"What has run out\";\n"
               "    Boolean contact \"True, if it is taut\";\n"
               "    Boolean slips(start = false, fixed = true) \"True, while it runs out\";\n"
               "    Modelica.Units.SI.Force f_c \"Spring force\";\n"
               "  protected\n"
               "    Real x \"Stretch\";\n"
               "  equation\n"
               "    x = s_rel - s_unstretched - s_slip;\n"
               "    contact = x > 0;\n"
               "    slips = v_rel > 0 and (pre(slips) or c*max(0, x)^n >= f_max);\n"
               "    der(s_slip) = if slips then v_rel else 0;\n"
               "    f_c = noEvent(min(c*max(0, x)^n, f_max));\n"
               "    f = f_c + (if contact then smooth(0, noEvent(min(max(d*v_rel, -f_c), min(f_c, f_max - f_c)))) "
               "else 0);\n"
               "  end Rope;\n";
    }
    if (name == "ShockAbsorber" || name == "RotationalShockAbsorber") {
        const bool turns = name == "RotationalShockAbsorber";
        return fmt::format(
            "  model {0} \"Spring and damper with another damping of rebound\"\n"
            "    extends Modelica.Mechanics.{1}.Interfaces.PartialCompliantWithRelativeStates;\n"
            "    parameter Real c(min = 0) \"Spring constant\";\n"
            "    parameter Real d(min = 0) \"Damping constant where {3} < 0\";\n"
            "    parameter Real d_rebound(min = 0) \"Damping constant where {3} > 0\";\n"
            "    parameter Real {2}0 = 0 \"Unstretched\";\n"
            "  equation\n"
            "    {4} = c*({2} - {2}0) + smooth(0, if {3} > 0 then d_rebound*{3} else d*{3});\n"
            "  end {0};\n",
            name, turns ? "Rotational" : "Translational", turns ? "phi_rel" : "s_rel", turns ? "w_rel" : "v_rel",
            turns ? "tau" : "f");
    }
    if (name == "Friction" || name == "RotationalFriction") {
        // Modelica's PartialFriction has the states; its clutch is the same between two flanges.
        const bool turns = name == "RotationalFriction";
        return fmt::format(
            "  model {0} \"Dry friction between two flanges, with Stribeck's curve\"\n"
            "    extends Modelica.Mechanics.{1}.Interfaces.PartialCompliantWithRelativeStates;\n"
            "    extends Modelica.Mechanics.{1}.Interfaces.PartialFriction;\n"
            "    parameter Real {2}_Coulomb, {2}_prop = 0, {2}_Stribeck = 0 \"Parts of the friction\";\n"
            "    parameter Real {3} = 0 \"How fast {2}_Stribeck decays with the speed\";\n"
            "    parameter Real peak = 1 \"Force at which it gives way, over that of slow sliding\";\n"
            "    input Real f_normalized = 1 \"Share of the force\";\n"
            "  protected\n"
            "    Real share \"f_normalized, not less than 0\";\n"
            "    Real slide \"Force of sliding forward\";\n"
            "  equation\n"
            "    share = noEvent(max(0, f_normalized));\n"
            "    {4}_relfric = {4}_rel;\n"
            "    a_relfric = der({4}_rel);\n"
            "    {5}0 = share*({2}_Coulomb + {2}_Stribeck);\n"
            "    {5}0_max = peak*{5}0;\n"
            "    free = share <= 0;\n"
            "    slide = share*({2}_Coulomb + {2}_prop*abs({4}_rel) + {2}_Stribeck*exp(-{3}*abs({4}_rel)));\n"
            "    {5} = if locked then sa*unit{6} else if free then 0\n"
            "      else if startForward or (pre(mode) == Forward and not startBackward) then slide else -slide;\n"
            "  end {0};\n",
            name, turns ? "Rotational" : "Translational", turns ? "tau" : "F", turns ? "wexp" : "fexp",
            turns ? "w" : "v", turns ? "tau" : "f", turns ? "Torque" : "Force");
    }
    const bool turns = name == "RotationalBushing";
    const char* s = turns ? "phi" : "s";
    const char* v = turns ? "w" : "v";
    return fmt::format(
        "  model {0} \"Spring and damper with dry friction that first gives and then slips\"\n"
        "    extends Modelica.Mechanics.{1}.Interfaces.PartialCompliantWithRelativeStates;\n"
        "    parameter Real c, d, c_slip, {2}_slip \"Stiffness, damping, and of the friction stiffness and limit\";\n"
        "    parameter Real {3}_rel0 = 0 \"Unstretched\";\n"
        "    Real {3}_slip \"What the friction has slipped\";\n"
        "    Real h \"Force of the friction\";\n"
        "  equation\n"
        "    h = c_slip*({3}_rel - {3}_rel0 - {3}_slip);\n"
        "    der({3}_slip) = if (h >= {2}_slip and {4}_rel > 0) or (h <= -{2}_slip and {4}_rel < 0) then {4}_rel else "
        "0;\n"
        "    {2} = c*({3}_rel - {3}_rel0) + d*{4}_rel + h;\n"
        "  end {0};\n",
        name, turns ? "Rotational" : "Translational", turns ? "tau" : "f", s, v);
}

}  // namespace elasto::tools
