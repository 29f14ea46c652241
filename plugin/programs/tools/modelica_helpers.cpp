#include "modelica_helpers.h"

#include <fmt/format.h>

#include <array>

namespace elasto::tools {

namespace {

/// The words of Modelica's two libraries of one dimension.
struct Words {
    const char *library, *s, *v, *f, *place, *damping, *force;
};
constexpr Words kAlong = {"Translational",
                          "s",
                          "v",
                          "f",
                          "Modelica.Units.SI.Position",
                          "Modelica.Units.SI.TranslationalDampingConstant",
                          "Modelica.Units.SI.Force"};
constexpr Words kAbout = {"Rotational",
                          "phi",
                          "w",
                          "tau",
                          "Modelica.Units.SI.Angle",
                          "Modelica.Units.SI.RotationalDampingConstant",
                          "Modelica.Units.SI.Torque"};

/// How all of our components between two flanges begin: states, flanges, heat port.
std::string beginCompliant(std::string_view name, const char* comment, const Words& words) {
    return fmt::format(
        "  model {0} \"{1}\"\n"
        "    extends Modelica.Mechanics.{2}.Interfaces.PartialCompliantWithRelativeStates;\n"
        "    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;\n",
        name, comment, words.library);
}

/// A gap of another characteristic. @param force in contact, of c*x^n (x: penetration), d and v_rel
std::string gap(std::string_view name, const char* comment, const Words& words, bool isGrowing, const char* force) {
    const std::string inContact = fmt::format(fmt::runtime(force), fmt::arg("v", fmt::format("{}_rel", words.v)));
    return beginCompliant(name, comment, words) +
           fmt::format(
               "    parameter Real c(min = 0) \"Spring constant [N/m^n, N.m/rad^n]\";\n"
               "    parameter {3} d(min = 0) \"Damping constant\";\n"
               "    parameter {2} {0}_rel0 = 0 \"Contact below it\";\n"
               "    parameter Real n(min = 1) = 1 \"Exponent of the spring's force\";\n"
               "{4}"
               "    Boolean contact \"True, if the ends touch\";\n"
               "    {5} {1}_c \"Force of the spring\";\n"
               "  protected\n"
               "    Real x \"Penetration\";\n"
               "  equation\n"
               "    contact = {0}_rel < {0}_rel0;\n"
               "    x = noEvent(max(0, {0}_rel0 - {0}_rel));\n"
               "    {1}_c = -c*x^n;\n"
               "    {1} = if contact then {6} else 0;\n"
               "    lossPower = if contact then ({1} - {1}_c)*{7}_rel else 0;\n"
               "  end {8};\n",
               words.s, words.f, words.place, words.damping,
               isGrowing
                   ? fmt::format("    parameter {} s_ref = 1 \"Penetration at which the damper is d\";\n", words.place)
                   : "",
               words.force, inContact, words.v, name);
}

std::string linearBacklash(std::string_view name) {
    return beginCompliant(name, "Backlash with the unmodified linear characteristic", kAbout) +
           "    parameter Modelica.Units.SI.RotationalSpringConstant c \"Spring constant\";\n"
           "    parameter Modelica.Units.SI.RotationalDampingConstant d \"Damping constant\";\n"
           "    parameter Modelica.Units.SI.Angle b = 0 \"Total backlash\";\n"
           "    parameter Modelica.Units.SI.Angle phi_rel0 = 0 \"Middle of the backlash\";\n"
           "    Boolean contact \"True, if beyond the play\";\n"
           "  equation\n"
           "    contact = phi_rel - phi_rel0 > b/2 or phi_rel - phi_rel0 < -b/2;\n"
           "    tau = if phi_rel - phi_rel0 > b/2 then c*(phi_rel - phi_rel0 - b/2) + d*w_rel\n"
           "      else if phi_rel - phi_rel0 < -b/2 then c*(phi_rel - phi_rel0 + b/2) + d*w_rel else 0;\n"
           "    lossPower = if contact then d*w_rel^2 else 0;\n"
           "  end LinearBacklash;\n";
}

std::string bumpStop(std::string_view name) {
    return beginCompliant(name, "ElastoGap with a table of force over compression", kAlong) +
           "    parameter Real table[:, 2] \"Compression, force\";\n"
           "    parameter Modelica.Units.SI.TranslationalDampingConstant d \"Damping constant\";\n"
           "    parameter Modelica.Units.SI.Position s_rel0 = 0 \"Contact below it\";\n"
           "    Boolean contact \"True, if the ends touch\";\n"
           "    Modelica.Units.SI.Force f_c \"Force of the spring\";\n"
           "    Modelica.Blocks.Tables.CombiTable1Ds spring(table = table,\n"
           "      smoothness = Modelica.Blocks.Types.Smoothness.MonotoneContinuousDerivative1);\n"
           "  equation\n"
           "    contact = s_rel < s_rel0;\n"
           "    spring.u = noEvent(max(0, s_rel0 - s_rel));\n"
           "    f_c = if contact then -spring.y[1] else 0;\n"
           "    f = f_c + (if contact then smooth(0, noEvent(min(max(d*v_rel, f_c), -f_c))) else 0);\n"
           "    lossPower = (f - f_c)*v_rel;\n"
           "  end BumpStop;\n";
}

std::string rotationalElastoGap(std::string_view name) {
    return beginCompliant(name, "ElastoGap about an axis", kAbout) +
           "    parameter Real c(min = 0) \"Spring constant [N.m/rad^n]\";\n"
           "    parameter Modelica.Units.SI.RotationalDampingConstant d(min = 0) \"Damping constant\";\n"
           "    parameter Modelica.Units.SI.Angle phi_rel0 = 0 \"Contact below it\";\n"
           "    parameter Real n(min = 1) = 1 \"Exponent of the spring's torque\";\n"
           "    Boolean contact \"True, if the ends touch\";\n"
           "    Modelica.Units.SI.Torque tau_c \"Torque of the spring\";\n"
           "  equation\n"
           "    contact = phi_rel < phi_rel0;\n"
           "    tau_c = if contact then -c*noEvent(max(0, phi_rel0 - phi_rel))^n else 0;\n"
           "    tau = tau_c + (if contact then smooth(0, noEvent(min(max(d*w_rel, tau_c), -tau_c))) else 0);\n"
           "    lossPower = (tau - tau_c)*w_rel;\n"
           "  end RotationalElastoGap;\n";
}

std::string rope(std::string_view name) {
    return beginCompliant(name, "Pulls only, and runs out at its largest force", kAlong) +
           "    parameter Real c(min = 0) \"Spring constant [N/m^n]\";\n"
           "    parameter Modelica.Units.SI.TranslationalDampingConstant d(min = 0) \"Damping constant\";\n"
           "    parameter Modelica.Units.SI.Position s_unstretched = 0 \"Slack up to it\";\n"
           "    parameter Real n(min = 1) = 1 \"Exponent of the spring's force\";\n"
           "    parameter Modelica.Units.SI.Force f_max \"Largest force\";\n"
           "    Modelica.Units.SI.Length s_slip \"What has run out\";\n"
           "    Boolean contact \"True, if it is taut\";\n"
           "    Boolean slips(start = false, fixed = true) \"True, while it runs out\";\n"
           "    Modelica.Units.SI.Force f_c \"Force of the spring\";\n"
           "  protected\n"
           "    Real x \"Stretch\";\n"
           "  equation\n"
           "    x = s_rel - s_unstretched - s_slip;\n"
           "    contact = x > 0;\n"
           "    slips = v_rel > 0 and (pre(slips) or c*max(0, x)^n >= f_max);\n"
           "    der(s_slip) = if slips then v_rel else 0;\n"
           "    f_c = noEvent(min(c*max(0, x)^n, f_max));\n"
           "    f = f_c + (if contact then smooth(0, noEvent(min(max(d*v_rel, -f_c), min(f_c, f_max - f_c)))) else "
           "0);\n"
           "    lossPower = if slips then f*v_rel else (f - f_c)*v_rel;\n"
           "  end Rope;\n";
}

std::string shockAbsorber(std::string_view name, const Words& words) {
    return beginCompliant(name, "Spring and damper with another damping of rebound", words) +
           fmt::format(
               "    parameter Real c(min = 0) \"Spring constant\";\n"
               "    parameter Real d(min = 0) \"Damping constant where {1}_rel < 0\";\n"
               "    parameter Real d_rebound(min = 0) \"Damping constant where {1}_rel > 0\";\n"
               "    parameter Real {0}_rel0 = 0 \"Unstretched\";\n"
               "    {3} {2}_d \"Force of the damper\";\n"
               "  equation\n"
               "    {2}_d = smooth(0, if {1}_rel > 0 then d_rebound*{1}_rel else d*{1}_rel);\n"
               "    {2} = c*({0}_rel - {0}_rel0) + {2}_d;\n"
               "    lossPower = {2}_d*{1}_rel;\n"
               "  end {4};\n",
               words.s, words.v, words.f, words.force, name);
}

/// Modelica's PartialFriction has the states; its clutch is the same between two flanges.
std::string friction(std::string_view name, const Words& words) {
    const bool turns = &words == &kAbout;
    return beginCompliant(name, "Dry friction between two flanges, with Stribeck's curve", words) +
           fmt::format(
               "    extends Modelica.Mechanics.{0}.Interfaces.PartialFriction;\n"
               "    parameter Real {1}_Coulomb, {1}_prop = 0, {1}_Stribeck = 0 \"Parts of the friction\";\n"
               "    parameter Real {2} = 0 \"How fast {1}_Stribeck decays with the speed\";\n"
               "    parameter Real peak = 1 \"Force at which it gives way, over that of slow sliding\";\n"
               "    input Real f_normalized = 1 \"Share of the force\";\n"
               "  protected\n"
               "    Real share \"f_normalized, not less than 0\";\n"
               "    Real slide \"Force of sliding forward\";\n"
               "  equation\n"
               "    share = noEvent(max(0, f_normalized));\n"
               "    {3}_relfric = {3}_rel;\n"
               "    a_relfric = der({3}_rel);\n"
               "    {4}0 = share*({1}_Coulomb + {1}_Stribeck);\n"
               "    {4}0_max = peak*{4}0;\n"
               "    free = share <= 0;\n"
               "    slide = share*({1}_Coulomb + {1}_prop*abs({3}_rel) + {1}_Stribeck*exp(-{2}*abs({3}_rel)));\n"
               "    {4} = if locked then sa*unit{5} else if free then 0\n"
               "      else if startForward or (pre(mode) == Forward and not startBackward) then slide else -slide;\n"
               "    lossPower = {4}*{3}_relfric;\n"
               "  end {6};\n",
               words.library, turns ? "tau" : "F", turns ? "wexp" : "fexp", words.v, words.f,
               turns ? "Torque" : "Force", name);
}

std::string bushing(std::string_view name, const Words& words) {
    return beginCompliant(name, "Spring and damper with dry friction that first gives and then slips", words) +
           fmt::format(
               "    parameter Real c, d, c_slip, {0}_slip \"Stiffness, damping, and of the friction stiffness and "
               "limit\";\n"
               "    parameter Real {1}_rel0 = 0 \"Unstretched\";\n"
               "    Real {1}_slip \"What the friction has slipped\";\n"
               "    Real h \"Force of the friction\";\n"
               "    Boolean slips \"True, while it slips\";\n"
               "  equation\n"
               "    h = c_slip*({1}_rel - {1}_rel0 - {1}_slip);\n"
               "    slips = (h >= {0}_slip and {2}_rel > 0) or (h <= -{0}_slip and {2}_rel < 0);\n"
               "    der({1}_slip) = if slips then {2}_rel else 0;\n"
               "    {0} = c*({1}_rel - {1}_rel0) + d*{2}_rel + h;\n"
               "    lossPower = d*{2}_rel^2 + (if slips then h*{2}_rel else 0);\n"
               "  end {3};\n",
               words.f, words.s, words.v, name);
}

std::string axisForce() {
    return "  model AxisForce \"Force between two frames along an axis of frame_a, through frame_b's origin\"\n"
           "    import Modelica.Mechanics.MultiBody.Frames;\n"
           "    extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;\n"
           "    parameter Real n[3] = {1, 0, 0} \"Axis, resolved in frame_a\";\n"
           "    Modelica.Mechanics.Translational.Interfaces.Flange_a flange_a \"Of a 1D component between the "
           "frames\";\n"
           "    Modelica.Mechanics.Translational.Interfaces.Flange_b flange_b;\n"
           "    Modelica.Units.SI.Position r_rel_a[3] \"From frame_a to frame_b, resolved in frame_a\";\n"
           "  protected\n"
           "    final parameter Real e[3] = Modelica.Math.Vectors.normalize(n);\n"
           "    Modelica.Units.SI.Force f[3] \"Into frame_b, resolved in frame_a\";\n"
           "  equation\n"
           "    r_rel_a = Frames.resolve2(frame_a.R, frame_b.r_0 - frame_a.r_0);\n"
           "    flange_a.s = 0;\n"
           "    flange_b.s = e*r_rel_a;\n"
           "    f = -flange_b.f*e;\n"
           "    frame_a.f = -f;\n"
           "    frame_a.t = -cross(r_rel_a, f);\n"
           "    frame_b.f = Frames.resolve2(frame_b.R, Frames.resolve1(frame_a.R, f));\n"
           "    frame_b.t = zeros(3);\n"
           "  end AxisForce;\n";
}

std::string axisTorque() {
    return "  model AxisTorque \"Torque between two frames about an axis of frame_a, and the angle, which counts "
           "turns\"\n"
           "    import Modelica.Mechanics.MultiBody.Frames;\n"
           "    extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;\n"
           "    parameter Real n[3] = {0, 0, 1} \"Axis, resolved in frame_a\";\n"
           "    Modelica.Mechanics.Rotational.Interfaces.Flange_a axis \"Turns as frame_b against frame_a\";\n"
           "    Modelica.Mechanics.Rotational.Interfaces.Flange_b support \"Does not turn\";\n"
           "    Modelica.Units.SI.Angle phi \"From frame_a to frame_b\";\n"
           "  protected\n"
           "    final parameter Real e[3] = Modelica.Math.Vectors.normalize(n);\n"
           "    Modelica.Units.SI.Torque t[3] \"On what is connected to frame_b, resolved in the world\";\n"
           "  equation\n"
           "    der(phi) = e*Frames.resolve2(frame_a.R, Frames.angularVelocity1(frame_b.R) - "
           "Frames.angularVelocity1(frame_a.R));\n"
           "    axis.phi = phi;\n"
           "    support.phi = 0;\n"
           "    t = Frames.resolve1(frame_a.R, axis.tau*e);\n"
           "    frame_a.f = zeros(3);\n"
           "    frame_a.t = Frames.resolve2(frame_a.R, t);\n"
           "    frame_b.f = zeros(3);\n"
           "    frame_b.t = -Frames.resolve2(frame_b.R, t);\n"
           "  end AxisTorque;\n";
}

std::string loopConstraint() {
    return "  model LoopConstraint \"What of a joint other joints of its loop do not hold already\"\n"
           "    import Modelica.Mechanics.MultiBody.Frames;\n"
           "    extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;\n"
           "    parameter Real n[:, 3] \"Directions of frame_a in which the origins stay together\";\n"
           "    parameter Real u[:, 3] \"Directions of frame_a that stay at right angles\";\n"
           "    parameter Real v[size(u, 1), 3] \"to these of frame_b\";\n"
           "    Modelica.Units.SI.Position r_rel_a[3] \"From frame_a to frame_b, resolved in frame_a\";\n"
           "    Real v_a[size(u, 1), 3] \"v, resolved in frame_a\";\n"
           "    Modelica.Units.SI.Force f_n[size(n, 1)] \"Forces along n on what is connected to frame_b\";\n"
           "    Modelica.Units.SI.Torque t_uv[size(u, 1)] \"Torques about cross(u, v_a) on it\";\n"
           "  protected\n"
           "    Modelica.Units.SI.Force f[3] \"Sum of the forces, resolved in frame_a\";\n"
           "    Modelica.Units.SI.Torque t[3] \"Sum of the torques, resolved in frame_a\";\n"
           "  equation\n"
           "    r_rel_a = Frames.resolve2(frame_a.R, frame_b.r_0 - frame_a.r_0);\n"
           "    for i in 1:size(u, 1) loop\n"
           "      v_a[i, :] = Frames.resolve2(frame_a.R, Frames.resolve1(frame_b.R, v[i, :]));\n"
           "      u[i, :]*v_a[i, :] = 0;\n"
           "    end for;\n"
           "    n*r_rel_a = zeros(size(n, 1));\n"
           "    f = transpose(n)*f_n;\n"
           "    t = {sum(t_uv[i]*(u[i, 2]*v_a[i, 3] - u[i, 3]*v_a[i, 2]) for i in 1:size(u, 1)),\n"
           "      sum(t_uv[i]*(u[i, 3]*v_a[i, 1] - u[i, 1]*v_a[i, 3]) for i in 1:size(u, 1)),\n"
           "      sum(t_uv[i]*(u[i, 1]*v_a[i, 2] - u[i, 2]*v_a[i, 1]) for i in 1:size(u, 1))};\n"
           "    frame_a.f = f;\n"
           "    frame_a.t = t + cross(r_rel_a, f);\n"
           "    frame_b.f = -Frames.resolve2(frame_b.R, Frames.resolve1(frame_a.R, f));\n"
           "    frame_b.t = -Frames.resolve2(frame_b.R, Frames.resolve1(frame_a.R, t));\n"
           "  end LoopConstraint;\n";
}

constexpr std::array<std::string_view, 20> kHelpers = {"LinearGap",
                                                       "NoPullGap",
                                                       "LankaraniNikraveshGap",
                                                       "HuntCrossleyGap",
                                                       "RotationalLinearGap",
                                                       "RotationalNoPullGap",
                                                       "RotationalLankaraniNikraveshGap",
                                                       "RotationalHuntCrossleyGap",
                                                       "RotationalElastoGap",
                                                       "LinearBacklash",
                                                       "BumpStop",
                                                       "Rope",
                                                       "ShockAbsorber",
                                                       "RotationalShockAbsorber",
                                                       "Friction",
                                                       "RotationalFriction",
                                                       "Bushing",
                                                       "RotationalBushing",
                                                       "AxisForce",
                                                       "AxisTorque"};

}  // namespace

std::vector<std::string_view> modelicaHelperNames() {
    std::vector<std::string_view> names(kHelpers.begin(), kHelpers.end());
    names.emplace_back("LoopConstraint");
    return names;
}

std::string modelicaHelper(std::string_view name) {
    if (name == "RotationalElastoGap") return rotationalElastoGap(name);
    if (name == "LinearBacklash") return linearBacklash(name);
    if (name == "BumpStop") return bumpStop(name);
    if (name == "Rope") return rope(name);
    if (name == "AxisForce") return axisForce();
    if (name == "AxisTorque") return axisTorque();
    if (name == "LoopConstraint") return loopConstraint();
    constexpr std::string_view kPrefix = "Rotational";
    const bool turns = name.starts_with(kPrefix);
    const std::string_view kind = turns ? name.substr(kPrefix.size()) : name;
    const Words& words = turns ? kAbout : kAlong;
    if (kind == "LinearGap")
        return gap(name, "Gap with the unmodified linear characteristic", words, false, "-c*x^n + d*{v}");
    if (kind == "NoPullGap") return gap(name, "Gap that does not pull", words, false, "min(0, -c*x^n + d*{v})");
    if (kind == "LankaraniNikraveshGap")
        return gap(name, "Gap after Lankarani and Nikravesh", words, true, "-c*x^n + d*(x/s_ref)^n*{v}");
    if (kind == "HuntCrossleyGap") {
        return gap(name, "Gap after Hunt and Crossley that does not pull", words, true,
                   "min(0, -c*x^n + d*(x/s_ref)^n*{v})");
    }
    if (kind == "ShockAbsorber") return shockAbsorber(name, words);
    if (kind == "Friction") return friction(name, words);
    return bushing(name, words);
}

}  // namespace elasto::tools
