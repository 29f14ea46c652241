"""Machines whose loops close in other ways than those of the shipped scenes: name -> (scene, degrees of freedom, what the
export must contain, what it must lose)."""

import math


def body(name, position=(0, 0, 0), angle=0.0, **more):
    """A bar that is turned about z."""
    return {"name": name, "mass": 1, "inertia": [0.1, 0.2, 0.3], "position": list(position),
            "orientation": [0, 0, math.sin(angle / 2), math.cos(angle / 2)], **more}


def joint(name, kind, a, b, at_a=(0, 0, 0), at_b=(0, 0, 0), **more):
    return {"name": name, "type": kind, "frame_a": {"body": a, "position": list(at_a)},
            "frame_b": {"body": b, "position": list(at_b)}, **more}


def spring(a, b):
    return {"name": "spring", "type": "Spring", "frame_a": {"body": a, "position": [0, 5, 0]}, "frame_b": {"body": b}, "c": 1}


def polygon(corners, free):
    """Bars between corners of a plane figure, hinged at them; the first one is the world's unless they are free."""
    count = len(corners)
    names = [f"bar{k}" if free or k > 0 else "world" for k in range(count)]
    lengths, angles = [], []
    for k, (x, y) in enumerate(corners):
        u, v = corners[(k + 1) % count]
        lengths.append(math.hypot(u - x, v - y))
        angles.append(math.atan2(v - y, u - x))
    bodies = [body(names[k], (*corners[k], 0), angles[k]) for k in range(count) if names[k] != "world"]
    joints = []
    for k in range(count):
        u = (k + 1) % count
        end = (*corners[u], 0) if names[k] == "world" else (lengths[k], 0, 0)
        begin = (*corners[u], 0) if names[u] == "world" else (0, 0, 0)
        joints.append(joint(f"pin{u}", "hinge", names[k], names[u], end, begin))
    return bodies, joints


def door():
    return {"bodies": [body("door")], "elements": [spring("world", "door")],
            "joints": [joint("lower", "hinge", "world", "door"),
                       joint("upper", "hinge", "world", "door", (0, 0, 2), (0, 0, 2))]}


def spatial_crank():
    """A crank about z and a rocker about x, with a rod between them on two balls; the rod may spin."""
    a, b = (1, 0, 0), (1, 2, 0.5)
    return {"bodies": [body("crank"), body("rocker", (3, 2, 0.5)), body("rod", a)],
            "elements": [spring("world", "rod")],
            "joints": [joint("crankAxle", "hinge", "world", "crank"),
                       joint("rockerAxle", "hinge", "world", "rocker", (3, 2, 0.5), axis=[0.6, 0, 0.8]),
                       joint("crankBall", "ball", "crank", "rod", a),
                       joint("rockerBall", "ball", "rod", "rocker", (0, 2, 0.5), (b[0] - 3, 0, 0))]}


def sliders():
    """A carriage along x, one along y on it, and a rail along the diagonal for that one."""
    return {"bodies": [body("lower"), body("upper")], "elements": [spring("world", "upper")],
            "joints": [joint("x", "slider", "world", "lower", axis=[1, 0, 0]),
                       joint("y", "slider", "lower", "upper", axis=[0, 1, 0]),
                       joint("diagonal", "slider", "world", "upper", axis=[0.6, 0.8, 0])]}


def plane_ball():
    """A bar on a ball that may move in the plane only."""
    return {"bodies": [body("bar", (0, 0, 0), 0.3, centreOfMass=[0.5, 0, 0], linearFactor=[1, 1, 0],
                            angularFactor=[0, 0, 1])],
            "elements": [spring("world", "bar")], "joints": [joint("ball", "ball", "world", "bar")]}


def seven_hinges():
    """A closed chain of seven bars whose hinges point to all sides: one degree of freedom."""
    corners = [(0, 0, 0), (1, 0, 0.3), (1.7, 0.8, 0), (1.5, 1.7, 0.6), (0.7, 2.2, 0.2), (-0.3, 1.6, 0.5), (-0.6, 0.7, -0.2)]
    axes = [(0, 0, 1), (1, 0, 0), (0, 1, 0), (0.6, 0.8, 0), (0, 0.6, 0.8), (0.8, 0, -0.6), (0.48, 0.64, 0.6)]
    bodies = [body(f"bar{k}", corners[k]) for k in range(1, 7)]
    joints = []
    for k in range(7):
        u = (k + 1) % 7
        a, b = ("world" if i == 0 else f"bar{i}" for i in (k, u))
        at_a = corners[u] if k == 0 else [q - p for p, q in zip(corners[k], corners[u])]
        joints.append(joint(f"pin{u}", "hinge", a, b, at_a, corners[0] if u == 0 else (0, 0, 0), axis=list(axes[u])))
    return {"bodies": bodies, "joints": joints, "elements": [spring("world", "bar3")]}


def driven_everywhere():
    """A four-bar loop with a motor at each hinge: one of them is where it closes."""
    bodies, joints = polygon([(0, 0), (2, 0), (2.3, 1.5), (0.4, 1.1)], False)
    for one in joints:
        one["motor"] = {"velocity": 1, "maxTorque": 2}
    return {"bodies": bodies, "joints": joints, "elements": [spring("world", "bar2")]}


def floating():
    """A five-bar loop that nothing holds."""
    bodies, joints = polygon([(0, 0), (2, 0), (2.3, 1.5), (1.2, 2.5), (0.4, 1.1)], True)
    return {"bodies": bodies, "joints": joints, "elements": [spring("bar0", "bar2")], "gravity": [0, 0, 0]}


def welded():
    """Two bodies that are welded to each other twice, one of them on a hinge that is turned."""
    return {"bodies": [body("one", (0, 0, 0), 0.5), body("two", (0, 0, 0), 0.5)], "elements": [spring("world", "two")],
            "joints": [joint("hinge", "hinge", "world", "one"), joint("weld", "fixed", "one", "two"),
                       joint("again", "fixed", "two", "one")]}


def gear_on_arm():
    """Two wheels on an arm that turns: a gear pair whose carrier moves, and whose hinges count in ways of their own."""
    spin = {"angularVelocity": [0, 0, 4]}
    return {"bodies": [body("arm", (0, 0, 0), 0.4, angularVelocity=[0, 0, 1]),
                       body("motor", (0, 0, 0), 1.0, **spin),
                       body("wheel", (0.5 * math.cos(0.4), 0.5 * math.sin(0.4), 0), 0.1,
                            velocity=[-0.5 * math.sin(0.4), 0.5 * math.cos(0.4), 0])],
            "joints": [joint("armAxle", "hinge", "arm", "world", axis=[0, 0, -1]),
                       joint("motorAxle", "hinge", "motor", "arm"),
                       joint("wheelAxle", "hinge", "arm", "wheel", (0.5, 0, 0))],
            "elements": [{"name": "mesh", "type": "ElastoBacklash", "frame_a": {"body": "motor"}, "frame_b": {"body": "wheel"},
                          "c": 100, "d": 1, "b": 0.1, "gear": {"ratio": -0.5, "carrier": "arm"}},
                         {"name": "brake", "type": "RotationalSpringDamper", "frame_a": {"body": "world"},
                          "frame_b": {"body": "arm"}, "axis": [0, 0, -1], "c": 3, "d": 1, "phi_rel0": 0.2}]}


def tilted():
    """A body off its centre that its factors let turn about one axis, which is none of its principal ones."""
    x, y = 0.1, (1 - 2 * 0.36) * 0.2 - 2 * 0.6 * 0.8 * 0.3  # its centre, turned about x by the quaternion below
    return {"bodies": [{"name": "rotor", "mass": 1, "inertia": [1, 2, 2.5], "centreOfMass": [0.1, 0.2, 0.3],
                        "position": [1, 0, 0], "orientation": [0.6, 0, 0, 0.8], "linearFactor": [0, 0, 0],
                        "angularFactor": [0, 0, 1], "angularVelocity": [0, 0, 3],
                        "velocity": [3 * y, -3 * x, 0]}],  # of the origin, about a centre that rests
            "elements": [{"name": "torsion", "type": "RotationalSpringDamper", "frame_a": {"body": "world"},
                          "frame_b": {"body": "rotor"}, "c": 3, "d": 1}, spring("world", "rotor")]}


MACHINES = {
    "door": (door(), 1, ["Joints.Revolute lower"], []),
    "spatial_crank": (spatial_crank(), 2, ["Joints.Spherical crankBall", "Joints.Spherical rockerBall"], ["crankBall is of a loop that nothing else tells the start of"]),
    "sliders": (sliders(), 1, ["LoopConstraint diagonal(n = [", "u = fill(0.0, 0, 3)"], []),
    "plane_ball": (plane_ball(), 1, ["LoopConstraint ball(n = ["], []),
    "seven_hinges": (seven_hinges(), 1, ["Joints.Revolute pin0"], []),
    "driven_everywhere": (driven_everywhere(), 1, ["RevolutePlanarLoopConstraint", "AxisTorque", "pin0_motor", "pin1_motor"], []),
    "floating": (floating(), 8, ["RevolutePlanarLoopConstraint", "w_0_fixed = true"], []),
    "gear_on_arm": (gear_on_arm(), 3, ["IdealGear mesh_gear(ratio = "], []),
    "tilted": (tilted(), 1, ["Revolute rotor_turn(n = {0, 0, 1}", "useAxisFlange = true"], []),
    "welded": (welded(), 1, ["again is left out"], []),
}
