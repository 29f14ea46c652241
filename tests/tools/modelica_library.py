"""The classes of Modelica's library that exports of elasto use: what can be set, and what can be connected."""

T, R = "Modelica.Mechanics.Translational.", "Modelica.Mechanics.Rotational."
B, H = "Modelica.Mechanics.MultiBody.", "Modelica.Thermal.HeatTransfer."
S = "Modelica.Blocks.Sources."


class Known:
    """`modifiers`: parameters and variables. `connectors`: name -> kind: frame, along, about (flanges), heat, or in/out with
    the size of a signal. `optional`: parameter -> connectors that it adds where it is true. `states`: variables that begin
    with a value of their own, which is no place of a body, in this class."""

    def __init__(self, modifiers, connectors, optional=None, states=()):
        self.modifiers, self.states = modifiers.split(), states
        self.connectors, self.optional = connectors, optional or {}

    def connectors_of(self, component):
        found = dict(self.connectors)
        for parameter, more in self.optional.items():
            if component.modifiers.get(parameter) == "true":
                found.update(more)
        return found


def between(kind):
    return {"flange_a": kind, "flange_b": kind}


FRAMES = {"frame_a": "frame", "frame_b": "frame"}
HEAT = {"useHeatPort": {"heatPort": "heat"}}

LIBRARY = {
    T + "Components.Mass": Known("m L s v stateSelect", between("along")),
    T + "Components.MassWithStopAndFriction":
        Known("m L F_prop F_Coulomb F_Stribeck fexp smin smax s v useHeatPort", between("along"), HEAT),
    T + "Components.Fixed": Known("s0", {"flange": "along"}),
    T + "Components.Rod": Known("L", between("along")),
    T + "Components.Spring": Known("c s_rel0", between("along")),
    T + "Components.Damper": Known("d s_rel useHeatPort", between("along"), HEAT),
    T + "Components.SpringDamper": Known("c d s_rel0 useHeatPort", between("along"), HEAT),
    T + "Components.ElastoGap": Known("c d s_rel0 n useHeatPort", between("along"), HEAT),
    T + "Sources.Force": Known("", {"flange": "along", "f": ("in", 1)}),
    T + "Sources.Move": Known("", {"flange": "along", "u": ("in", 3)}),
    T + "Sources.ConstantSpeed": Known("v_fixed s", {"flange": "along"}, states=("s",)),
    R + "Components.Inertia": Known("J phi w", between("about")),
    R + "Components.Fixed": Known("phi0", {"flange": "about"}),
    R + "Components.Spring": Known("c phi_rel0", between("about")),
    R + "Components.Damper": Known("d useHeatPort", between("about"), HEAT),
    R + "Components.SpringDamper": Known("c d phi_rel0 useHeatPort", between("about"), HEAT),
    R + "Components.ElastoBacklash": Known("c d b phi_rel0 useHeatPort", between("about"), HEAT),
    R + "Components.ElastoBacklash2": Known("c d b phi_rel0 useHeatPort", between("about"), HEAT),
    R + "Components.IdealGear": Known("ratio", between("about")),
    R + "Sources.Torque": Known("", {"flange": "about", "tau": ("in", 1)}),
    R + "Sources.Move": Known("", {"flange": "about", "u": ("in", 3)}),
    R + "Sources.ConstantSpeed": Known("w_fixed phi", {"flange": "about"}, states=("phi",)),
    B + "World": Known("g n gravityType", {"frame_b": "frame"}),
    B + "Parts.Body": Known("m r_CM I_11 I_22 I_33 r_0 v_0 angles_fixed angles_start w_0_fixed w_0_start enforceStates",
                            {"frame_a": "frame"}),
    B + "Parts.FixedTranslation": Known("r animation", FRAMES),
    B + "Parts.FixedRotation": Known("r rotationType sequence angles animation", FRAMES),
    B + "Joints.Revolute": Known("n useAxisFlange phi w stateSelect", FRAMES,
                                 {"useAxisFlange": {"axis": "about", "support": "about"}}),
    B + "Joints.Prismatic": Known("n useAxisFlange s v stateSelect", FRAMES,
                                  {"useAxisFlange": {"axis": "along", "support": "along"}}),
    B + "Joints.Spherical": Known("enforceStates angles_fixed angles_start w_rel_a_fixed w_rel_a_start", FRAMES),
    B + "Joints.RevolutePlanarLoopConstraint": Known("n", FRAMES),
    B + "Forces.LineForceWithMass": Known("m s_small", {**FRAMES, **between("along")}),
    B + "Forces.Spring": Known("c s_unstretched s_small", FRAMES),
    B + "Forces.Damper": Known("d s_small useHeatPort", FRAMES, HEAT),
    B + "Forces.SpringDamperParallel": Known("c d s_unstretched s_small useHeatPort", FRAMES, HEAT),
    B + "Forces.SpringDamperSeries": Known("c d s_unstretched s_damper_start s_small useHeatPort", FRAMES, HEAT),
    B + "Forces.WorldForce": Known("resolveInFrame", {"frame_b": "frame", "force": ("in", 3)}),
    B + "Forces.WorldTorque": Known("resolveInFrame", {"frame_b": "frame", "torque": ("in", 3)}),
    H + "Components.Convection": Known("", {"solid": "heat", "fluid": "heat", "Gc": ("in", 1)}),
    H + "Sources.FixedTemperature": Known("T", {"port": "heat"}),
    S + "Sine": Known("amplitude f phase offset startTime", {"y": ("out", 1)}),
    S + "Constant": Known("k", {"y": ("out", 1)}),
    S + "RealExpression": Known("y", {"y": ("out", 1)}),
    S + "CombiTimeTable": Known("table smoothness extrapolation", {"y": ("out", None)}),  # as many as its columns
}

# What classes inherit, and contain: unknowns (with the flows of their connectors) and equations, and the connectors.
BASES = {
    T + "Interfaces.PartialCompliantWithRelativeStates": (3 + 2, 4, between("along")),
    R + "Interfaces.PartialCompliantWithRelativeStates": (4 + 2, 5, between("about")),
    T + "Interfaces.PartialFriction": (10, 5, {}),
    R + "Interfaces.PartialFriction": (10, 5, {}),
    H + "Interfaces.PartialElementaryConditionalHeatPortWithoutT": (1, 0, {}),
    B + "Interfaces.PartialTwoFrames": (12, 0, FRAMES),
    "Modelica.Blocks.Tables.CombiTable1Ds": (1, 0, {}),  # its input; the rest is balanced
}
FLANGES = {T + "Interfaces.Flange_a": "along", T + "Interfaces.Flange_b": "along",
           R + "Interfaces.Flange_a": "about", R + "Interfaces.Flange_b": "about"}
# Inner states of our own classes, which begin with a value of their own.
OWN_STATES = {"AxisTorque": ("phi",), "Bushing": ("s_slip",), "RotationalBushing": ("phi_slip",), "Rope": ("s_slip",)}
