#!/usr/bin/env python3
"""Counts what a compiler of Modelica would count in the exports of all shipped scenes, by the texts and by a table of the
library's classes, and places their bodies by the texts alone.

- Each class of ours has as many equations as unknowns; each connector is connected to its kind, each input once.
- Joints and constants of the text put each body where the scene has it at the start, and loops close there. Where a run of
  the scene is a tenth of a second later the joints can go, too, and elements have the coordinates that they have in it.
- Equations that close loops are independent of one another, and exactly as many coordinates have a fixed start, with a
  fixed rate, as the mechanism has degrees of freedom; the others follow from the loops.
- Inner states (a damper's length, a measured angle) have a fixed start each; nothing else has one.

usage: modelica_structure.py ELASTO WORK_FOLDER
"""

import csv
import json
import pathlib
import re
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    print("skipped: Python's numpy is not installed")
    sys.exit(77)

from modelica_library import B, BASES, FLANGES, HEAT, LIBRARY, OWN_STATES, R, T
from modelica_machines import MACHINES
from modelica_reader import Text

# Degrees of freedom that are known from the machine.
FREEDOMS = {"four_bar_gap": 1, "four_bar_series": 1, "slider_crank": 1, "slider_crank_motor": 1, "slider_crank_stop": 1,
            "gear_train": 3, "heat_losses_translational": 4, "heat_losses_3d": 18, "pinball": 2 + 1 + 5, "robot_arm": 6,
            "pendulum": 1, "suspension": 2}
FLOWS = {"frame": 6, "along": 1, "about": 1, "heat": 1}


def number(text):
    """The value of a constant expression: a number, a vector, a matrix, a truth."""
    if text.startswith("fill"):
        return np.zeros((0, 3))
    if text.startswith("["):
        return np.array([[float(x) for x in row.replace(" ", "").split(",")] for row in text.strip("[] ").split(";")])
    if text.startswith("{"):
        return np.array([float(x) for x in text.strip("{} ").replace(" ", "").split(",")])
    return {"true": 1.0, "false": 0.0}.get(text) if text in ("true", "false") else float(text.replace(" ", ""))


def modifier(component, name, default):
    return number(component.modifiers[name]) if name in component.modifiers else default


def start_of(component, variable):
    """-> (value, whether it is fixed)"""
    given = component.modifiers.get(variable, {})
    return number(given["start"]) if "start" in given else 0.0, given.get("fixed") == "true"


# ---------------------------------------------------------------------------------------------- counting


def size_of(text, sizes):
    """How many numbers a size in an own class is: 3, :, size(u, 1)."""
    text = text.replace(" ", "")
    match = re.fullmatch(r"size\((\w+),1\)", text)
    return sizes[match.group(1)] if match else int(text)


def balance(own, instance):
    """-> (unknowns, equations, connectors) of a component of a class of ours."""
    unknowns, equations, connectors, shapes, sizes = 0, 0, {}, {}, {}
    for base in own.extends:
        more, given, joints = BASES[base]
        unknowns, equations = unknowns + more, equations + given
        connectors.update(joints)
    for one in own.components:
        if ":" in one.size:
            sizes[one.name] = len(number(instance.modifiers[one.name]))
    for one in own.components:
        shape = [sizes[one.name] if size == ":" else size_of(size, sizes) for size in one.size]
        shapes[one.name] = shape
        if one.kind in FLANGES:
            connectors[one.name] = FLANGES[one.kind]
            unknowns += 1
        elif one.kind in BASES:
            unknowns += BASES[one.kind][0]
        elif "parameter" not in one.prefixes and "input" not in one.prefixes:
            unknowns += int(np.prod(shape))

    def width(side):
        """Of the left side of an equation."""
        side = side.replace(" ", "")
        if "*" in side:
            a, b = side.split("*")
            return 1 if "[" in a else shapes[a][0]  # scalar product of two rows; matrix times vector
        side = re.sub(r"^der\((.*)\)$", r"\1", side)
        name, _, index = side.partition("[")
        if name.startswith("frame_"):
            return 3
        if "." in name:
            return 1
        if index:
            return 3 if ":" in index else 1
        return int(np.prod(shapes.get(name, [])))

    for side, times in own.equations:
        equations += width(side) * size_of(times, sizes)
    return unknowns, equations, connectors


class Model:
    """The model Example of a package: its connectors, and what they are connected to."""

    def __init__(self, name, text):
        package = Text(text).a_class()
        self.name, self.example = name, package.classes["Example"]
        self.components = {one.name: one for one in self.example.components}
        self.kinds, self.sets = {}, {}
        self.own_unknowns = self.own_equations = 0
        for one in self.example.components:
            assert one.placed, f"{name}: {one.name} has no place in the diagram"
            if one.kind in LIBRARY:
                connectors = LIBRARY[one.kind].connectors_of(one)
            else:
                unknowns, equations, connectors = balance(package.classes[one.kind], one)
                assert unknowns == equations, f"{name}: {one.kind} {one.name}: {equations} equations, {unknowns} unknowns"
                self.own_unknowns, self.own_equations = self.own_unknowns + unknowns, self.own_equations + equations
                if one.modifiers.get("useHeatPort") == "true":
                    connectors = {**connectors, **HEAT["useHeatPort"]}
            for connector, kind in connectors.items():
                self.kinds[f"{one.name}.{connector}"] = kind
        self.connect()

    def kind_of(self, connector):
        whole, _, index = connector.partition("[")
        assert whole in self.kinds, f"{self.name}: {connector} is no connector"
        kind = self.kinds[whole]
        return (kind[0], 1) if index else kind

    def connect(self):
        for a, b, drawn in self.example.connections:
            assert drawn, f"{self.name}: connect({a}, {b}) has no line in the diagram"
            kinds = self.kind_of(a), self.kind_of(b)
            if isinstance(kinds[0], tuple):
                assert {kinds[0][0], kinds[1][0]} == {"in", "out"}, f"{self.name}: {a} and {b} are no signal's ends"
                sizes = {kind[1] for kind in kinds} - {None}
                assert len(sizes) == 1, f"{self.name}: {a} and {b} have not one size"
            else:
                assert kinds[0] == kinds[1], f"{self.name}: {a} is {kinds[0]}, {b} is {kinds[1]}"
            joined = self.sets.get(a, {a}) | self.sets.get(b, {b})
            for one in joined:
                self.sets[one] = joined
        self.check_inputs()

    def check_inputs(self):
        for connector, kind in self.kinds.items():
            if not isinstance(kind, tuple) or kind[0] == "out":
                continue
            given = [c for c in self.sets if c.partition("[")[0] == connector]
            width = sum(self.kind_of(c)[1] for c in given)
            assert width == kind[1], f"{self.name}: {connector} has {width} of {kind[1]} signals"
            for c in given:
                assert sum(self.kind_of(d)[0] == "out" for d in self.sets[c]) == 1, f"{self.name}: {c} has not one source"

    def counted(self):
        """-> (unknowns, equations): of the connectors that are none of signals. A set of N connectors says N - 1 times
        that they are at one place, and once what their flows are; the components say as much as they have flows."""
        unknowns = equations = 0
        seen = set()
        for connector, kind in self.kinds.items():
            if isinstance(kind, tuple):
                continue
            flows = FLOWS[kind]
            unknowns += 2 * flows
            equations += flows  # of its component
            if connector not in seen:
                joined = self.sets.get(connector, {connector})
                seen |= joined
                equations += (len(joined) - 1) * flows + flows
        return unknowns + self.own_unknowns, equations + self.own_equations


# ---------------------------------------------------------------------------------------------- placing


def turn(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def cardan(angles):
    return turn([1, 0, 0], angles[0]) @ turn([0, 1, 0], angles[1]) @ turn([0, 0, 1], angles[2])


class Mechanism:
    """Frames of a MultiBody model, as its coordinates place them. Orientations turn frames into the world."""

    def __init__(self, model):
        self.model, self.coordinates, self.states = model, [], []
        self.fixed, self.rates, self.fixed_rates = [], [], []
        moved = {}
        for one in model.components.values():
            if not one.kind.endswith("Sources.Move"):
                continue
            flanges = model.sets[one.name + ".flange"]
            table = next(c for c in model.sets[one.name + ".u"] if c.endswith(".y")).partition(".")[0]
            rows = number(model.components[table].modifiers["table"])
            for flange in flanges:
                if flange.endswith(".axis"):
                    moved[flange.partition(".")[0]] = rows
        self.moved = moved
        for one in model.components.values():
            if one.kind in (B + "Joints.Revolute", B + "Joints.Prismatic") and one.name not in moved:
                place, rate = ("phi", "w") if one.kind.endswith("Revolute") else ("s", "v")
                self.add(one, 1, [start_of(one, place)[0]], start_of(one, place)[1], [start_of(one, rate)[0]],
                         start_of(one, rate)[1])
            elif one.kind == B + "Joints.Spherical" and one.modifiers.get("enforceStates") == "true":
                self.add(one, 3, [0, 0, 0], one.modifiers.get("angles_fixed") == "true",
                         modifier(one, "w_rel_a_start", np.zeros(3)), one.modifiers.get("w_rel_a_fixed") == "true")
            elif one.kind == B + "Parts.Body" and "r_0" in one.modifiers:
                self.add(one, 3, [0, 0, 0], start_of(one, "r_0")[1], start_of(one, "v_0")[0], start_of(one, "v_0")[1])
                self.add(one, 3, [0, 0, 0], one.modifiers.get("angles_fixed") == "true",
                         modifier(one, "w_0_start", np.zeros(3)), one.modifiers.get("w_0_fixed") == "true")
        self.size = sum(n for _, n in self.coordinates)
        self.start = np.array([x for one in self.states for x in one], float)

    def add(self, component, count, start, is_fixed, rate, has_fixed_rate):
        self.coordinates.append((component.name, count))
        self.states.append(start)
        self.fixed += count * [is_fixed]
        self.rates += list(rate)
        self.fixed_rates += count * [has_fixed_rate]

    def values(self, q):
        found, place = {}, 0
        for name, count in self.coordinates:
            found.setdefault(name, []).append(q[place:place + count])
            place += count
        return found

    def step(self, one, q, t):
        """What frame_b is in frame_a, or None where the component does not say."""
        kind = one.kind
        if kind in (B + "Parts.FixedTranslation", B + "Parts.FixedRotation"):
            return modifier(one, "r", np.zeros(3)), cardan(np.radians(modifier(one, "angles", np.zeros(3))))
        if kind in (B + "Joints.Revolute", B + "Joints.Prismatic"):
            axis = modifier(one, "n", np.array([0, 0, 1.0]) if kind.endswith("Revolute") else np.array([1.0, 0, 0]))
            if one.name in self.moved:
                value = np.interp(t, self.moved[one.name][:, 0], self.moved[one.name][:, 1])
            else:
                value = q[one.name][0][0]
            return (np.zeros(3), turn(axis, value)) if kind.endswith("Revolute") else (value * axis, np.eye(3))
        if one.name in q:  # a ball with states
            v = q[one.name][0]
            angle = np.linalg.norm(v)
            small = turn(v, angle) if angle > 0 else np.eye(3)
            return np.zeros(3), small @ cardan(modifier(one, "angles_start", np.zeros(3)))
        return None

    def place(self, q, t=0.0):
        """-> (poses by connector, residuals of what closes loops)"""
        q, poses, used = self.values(q), {}, set()

        def give(connector, pose):
            for joined in self.model.sets.get(connector, {connector}):
                poses[joined] = pose

        give("world.frame_b", (np.zeros(3), np.eye(3)))
        for name, values in q.items():
            one = self.model.components[name]
            if one.kind == B + "Parts.Body":
                angle = np.linalg.norm(values[1])
                small = turn(values[1], angle) if angle > 0 else np.eye(3)
                give(name + ".frame_a", (start_of(one, "r_0")[0] + values[0],
                                         small @ cardan(modifier(one, "angles_start", np.zeros(3)))))
        residuals = []
        while True:
            before = len(poses), len(used)
            for one in self.model.components.values():
                a, b = one.name + ".frame_a", one.name + ".frame_b"
                if one.name in used or b not in self.model.kinds or (a not in poses and b not in poses):
                    continue
                step = self.step(one, q, t)
                if step is None:
                    continue
                r, Q = step
                used.add(one.name)
                if a in poses:
                    end = poses[a][0] + poses[a][1] @ r, poses[a][1] @ Q
                    if b in poses:  # a joint of the library closes a loop
                        residuals += list(end[0] - poses[b][0])
                        residuals += [(end[1].T @ poses[b][1])[i] for i in ((0, 1), (0, 2), (1, 2))]
                    else:
                        give(b, end)
                else:
                    Qa = poses[b][1] @ Q.T
                    give(a, (poses[b][0] - Qa @ r, Qa))
            if (len(poses), len(used)) == before:
                break
        for one in self.model.components.values():
            a, b = poses.get(one.name + ".frame_a"), poses.get(one.name + ".frame_b")
            if one.kind == B + "Joints.RevolutePlanarLoopConstraint":
                n = number(one.modifiers["n"])
                x = np.cross(n, [0, 1, 0] if abs(n[0]) > 0.1 else [0, 0, 1] if abs(n[1]) > 0.1 else [1, 0, 0])
                y = np.cross(n, x)
                r = a[1].T @ (b[0] - a[0])
                assert abs(n @ r) < 1e-10 and np.linalg.norm(a[1] @ n - b[1] @ n) < 1e-10, f"{one.name} is not planar"
                residuals += [x @ r, y @ r]
            elif one.kind == B + "Joints.Spherical" and one.name not in q:
                residuals += list(b[0] - a[0])
            elif one.kind == "LoopConstraint":
                residuals += list(number(one.modifiers["n"]) @ (a[1].T @ (b[0] - a[0])))
                for u, v in zip(number(one.modifiers["u"]), number(one.modifiers["v"])):
                    residuals.append((a[1] @ u) @ (b[1] @ v))
        return poses, np.array(residuals)

    def derivative(self):
        J, h = np.zeros((len(self.place(self.start)[1]), self.size)), 1e-6
        for k in range(self.size):
            more, less = self.start.copy(), self.start.copy()
            more[k] += h
            less[k] -= h
            J[:, k] = (self.place(more)[1] - self.place(less)[1]) / (2 * h)
        return J


def check_mechanism(model, machine, places, is_guessed):
    """-> degrees of freedom. What is guessed: the start of some, which is said as a loss."""
    poses, residuals = machine.place(machine.start)
    name = model.name
    assert not len(residuals) or abs(residuals).max() < 1e-9, f"{name}: a loop is open by {abs(residuals).max()}"
    for one in model.components.values():
        if one.kind == B + "Parts.Body":
            assert one.name + ".frame_a" in poses, f"{name}: nothing places {one.name}"
    for body, (place, turned) in places.items():
        if body not in model.components:
            continue  # it has another name there
        is_moved = model.components[body].kind == B + "Parts.Body"
        found = poses[body + (".frame_a" if is_moved else ".frame_b")]
        error = max(np.abs(found[0] - place).max(), np.abs(found[1] - turned).max())
        assert error < 1e-9, f"{name}: {body} is off by {error} m (rad)"
    J = machine.derivative()
    values = np.linalg.svd(J, compute_uv=False) if J.size else np.zeros(0)
    rank = int((values > 1e-6).sum())
    assert rank == len(residuals), f"{name}: {len(residuals)} equations close loops, {rank} of them are independent"
    freedoms = machine.size - rank
    for what, fixed in (("starts", machine.fixed), ("rates", machine.fixed_rates)):
        assert sum(fixed) == freedoms or is_guessed and sum(fixed) < freedoms, f"{name}: {sum(fixed)} {what} are fixed, {freedoms} degrees of freedom"
        free = J[:, [k for k in range(machine.size) if not fixed[k]]]
        told = not free.size or is_guessed or np.linalg.cond(free) < 1e6
        assert told, f"{name}: the loops do not tell the {what} that are not fixed"
    if len(residuals) and not machine.moved:
        error = abs(J @ np.array(machine.rates)).max()
        assert error < 1e-6, f"{name}: rates at the start open a loop with {error}"
    return freedoms


def check_line(model):
    """-> degrees of freedom"""
    masses = [one for one in model.components.values() if one.kind in (
        T + "Components.Mass", T + "Components.MassWithStopAndFriction", R + "Components.Inertia")]
    for one in masses:
        for variable in ("phi", "w") if one.kind.endswith("Inertia") else ("s", "v"):
            assert start_of(one, variable)[1], f"{model.name}: {variable} of {one.name} has no fixed start"
    return len(masses)


def fixed_starts(modifiers):
    return sum(fixed_starts(m) if isinstance(m, dict) else (key == "fixed" and m == "true") for key, m in modifiers.items())


def check_states(model):
    """Inner states: fixed, each of them; and nothing else has a fixed start but masses, joints and bodies."""
    for one in model.components.values():
        states = OWN_STATES.get(one.kind, ())
        if one.kind in LIBRARY:
            states = LIBRARY[one.kind].states
        for state in states:
            assert start_of(one, state)[1], f"{model.name}: {state} of {one.name} has no fixed start"
        places = one.kind in (T + "Components.Mass", T + "Components.MassWithStopAndFriction", R + "Components.Inertia",
                              B + "Parts.Body", B + "Joints.Revolute", B + "Joints.Prismatic")
        in_series = one.kind == T + "Components.Damper" and "s_rel" in one.modifiers
        assert places or fixed_starts(one.modifiers) == len(states) + in_series, \
            f"{model.name}: {one.name} has a start too many"


# ---------------------------------------------------------------------------------------------- scenes


class Run:
    """A tenth of a second of the scene itself: all signals at its begin and end."""

    def __init__(self, elasto, scene, folder, name):
        self.json = json.loads(pathlib.Path(scene).read_text())
        self.json.update(record=["*"], duration=min(0.1, self.json.get("duration", 0.1)))
        file, table = folder / f"{name}.run.json", folder / "run.csv"
        file.write_text(json.dumps(self.json))
        subprocess.run([elasto, "run", file, "--csv", table], capture_output=True, check=True)
        with open(table) as lines:
            rows = list(csv.reader(lines))
        self.start, self.end = ({k: float(v) for k, v in zip(rows[0], row)} for row in (rows[1], rows[-1]))

    @staticmethod
    def places(row):
        """name -> (place, orientation) of all bodies"""
        places = {}
        for body in {column[:-len(".r_0[1]")] for column in row if column.endswith(".r_0[1]")}:
            q = np.array([row[f"{body}.q[{k}]"] for k in (1, 2, 3)])
            angle = 2 * np.arctan2(np.linalg.norm(q), row[f"{body}.q[4]"])
            places[body] = (np.array([row[f"{body}.r_0[{k}]"] for k in (1, 2, 3)]),
                            turn(q, angle) if q.any() else np.eye(3))
        return places


# ---------------------------------------------------------------------------------------------- elements


def at_end(model, machine, run):
    """The coordinates with which the model has its bodies where the run ends."""
    places, time = run.places(run.end), run.end["time"]
    bodies = [(name, *places[name]) for name in places
              if name in model.components and model.components[name].kind == B + "Parts.Body"]

    def error(q):
        poses, residuals = machine.place(q, time)
        parts = [np.concatenate([poses[name + ".frame_a"][0] - r, (poses[name + ".frame_a"][1] - Q).ravel()])
                 for name, r, Q in bodies]
        return np.concatenate(parts + [residuals]) if parts else np.zeros(0)

    q = machine.start.copy()
    for _ in range(12):
        e = error(q)
        if not e.size or not q.size or abs(e).max() < 1e-12:
            break
        J = np.stack([(error(q + h) - error(q - h)) / 2e-6 for h in 1e-6 * np.eye(len(q))], axis=1)
        step = -np.linalg.lstsq(J, e, rcond=None)[0]
        q = q + step
        if abs(step).max() < 1e-12:
            break
    # In single precision of poses a body may be off its guide by that.
    assert not e.size or abs(e).max() < 1e-6, f"{model.name}: the run leaves what the model allows, by {abs(e).max()}"
    return machine.place(q, time)[0], machine.values(q), time


def flange_values(model, run, machine, poses, coordinates, time):
    """Places and angles of 1D flanges where the run ends."""
    values = {}

    def give(connector, value):
        for joined in model.sets.get(connector, {connector}):
            values.setdefault(joined, value)

    line = {body: place for body, (place, _) in run.places(run.end).items()}
    for one in model.components.values():
        name, kind = one.name, one.kind
        if kind.startswith(T + "Components.Mass"):
            s = float(line[name][model.axis])
            give(name + ".flange_a", s - modifier(one, "L", 0.0) / 2)
            give(name + ".flange_b", s + modifier(one, "L", 0.0) / 2)
        elif kind == R + "Components.Inertia":
            turned = run.places(run.end)[name][1] @ run.places(run.start)[name][1].T
            phi = start_of(one, "phi")[0] + angle_about(turned, np.eye(3)[model.axis])
            give(name + ".flange_a", phi)
            give(name + ".flange_b", phi)
        elif kind in (T + "Components.Fixed", R + "Components.Fixed"):
            give(name + ".flange", modifier(one, "s0", 0.0) + modifier(one, "phi0", 0.0))
        elif kind.endswith("Sources.Move"):
            table = next(c for c in model.sets[name + ".u"] if c.endswith(".y")).partition(".")[0]
            rows = number(model.components[table].modifiers["table"])
            give(name + ".flange", np.interp(time, rows[:, 0], rows[:, 1]))
        elif kind in (B + "Joints.Revolute", B + "Joints.Prismatic"):
            if name in coordinates:
                give(name + ".axis", coordinates[name][0][0])
            give(name + ".support", 0.0)
        elif kind in ("AxisForce", B + "Forces.LineForceWithMass"):
            (ra, Qa), (rb, _) = poses[name + ".frame_a"], poses[name + ".frame_b"]
            give(name + ".flange_a", 0.0)
            n = number(one.modifiers["n"]) if kind == "AxisForce" else None
            give(name + ".flange_b", np.linalg.norm(rb - ra) if n is None else Qa @ n @ (rb - ra))
        elif kind == "AxisTorque":
            first, _ = machine.place(machine.start, 0.0)
            relative = [p[name + ".frame_a"][1].T @ p[name + ".frame_b"][1] for p in (first, poses)]
            give(name + ".axis", angle_about(relative[1] @ relative[0].T, number(one.modifiers["n"])))
            give(name + ".support", 0.0)
    for _ in model.components:
        for one in model.components.values():
            a, b = values.get(one.name + ".flange_a"), values.get(one.name + ".flange_b")
            if one.kind == T + "Components.Rod":
                length = modifier(one, "L", 0.0)
                if a is not None:
                    give(one.name + ".flange_b", a + length)
                elif b is not None:
                    give(one.name + ".flange_a", b - length)
            elif one.kind == R + "Components.IdealGear" and a is not None:
                give(one.name + ".flange_b", a / number(one.modifiers["ratio"]))
    return values


def angle_about(Q, axis):
    """Of a turn about an axis."""
    axis = axis / np.linalg.norm(axis)
    u = np.cross(axis, np.eye(3)[np.argmin(abs(axis))])
    u /= np.linalg.norm(u)
    return np.arctan2(np.cross(axis, u) @ Q @ u, u @ Q @ u)


def force_of(one, x, v, damper):
    """What a component of the library pulls with, by its equations; None for other classes."""
    def p(name, default=0.0):
        return modifier(one, name, default)
    kind = one.kind.rpartition(".")[2]
    if not one.kind.startswith("Modelica.") or "Friction" in kind:
        return None
    rest = p("s_rel0") + p("phi_rel0") + p("s_unstretched")
    if kind == "ElastoGap":
        if x >= rest:
            return 0.0
        f_c = -p("c") * (rest - x) ** p("n")
        return f_c + min(max(p("d") * v, f_c), -f_c)
    if kind.startswith("ElastoBacklash") and p("b") > 1e-10:
        side = 1 if x - rest > p("b") / 2 else -1 if x - rest < -p("b") / 2 else 0
        f_c, f_d = p("c") * (x - rest - side * p("b") / 2), p("d") * v
        if side == 0 or side * (f_c + f_d) <= 0:
            return 0.0
        return f_c + (side * min(side * f_c, side * f_d) if kind == "ElastoBacklash" else f_d)
    return p("c") * (x - rest - damper) + (0.0 if kind == "SpringDamperSeries" else p("d") * v)


def check_elements(model, run, poses, values):
    """Coordinates of the elements, from where they are at rest, are those of the run, and so are the forces that the
    library's components have there. -> how many elements"""
    count = 0
    for element in run.json.get("elements", []):
        name = element["name"]
        one = model.components.get(name)
        if one is None:
            continue
        if one.kind.startswith(B + "Forces."):
            found = np.linalg.norm(poses[name + ".frame_b"][0] - poses[name + ".frame_a"][0])
            expected, rest = run.end[name + ".s"], 0.0
        else:
            first = model.components.get(name + "_damper", one).name
            found = values[name + ".flange_b"] - values[first + ".flange_a"]
            if element["type"] == "Rope" and one.kind.endswith("ElastoGap"):
                found = -found
            expected = next(run.end[name + c] for c in (".phi_rel", ".s_rel", ".s") if name + c in run.end)
            turns = name + ".phi_rel" in run.end
            rest = modifier(one, "phi_rel0", 0.0) - element.get("phi_rel0", element.get("s_rel0", 0.0)) if turns else 0.0
        error = found - rest - expected
        assert abs(error) < 1e-6, f"{model.name}: {name} is {found - rest} in the model, {expected} in the run"
        side = -1 if element["type"] == "Rope" else 1  # a rope is a gap the other way round
        rate = next(run.end[name + c] for c in (".w_rel", ".v_rel", ".v") if name + c in run.end)
        pull = next(run.end[name + c] for c in (".tau", ".f") if name + c in run.end)
        force = force_of(one, side * (expected + rest), side * rate, run.end.get(name + ".s_damper", 0.0))
        if force is not None:
            error = abs(side * force - pull) / (abs(pull) + 1)
            assert error < 1e-6, f"{model.name}: {name} pulls with {side * force} in the model, {pull} in the run"
        count += 1
    return count


def check(elasto, scene, name, folder):
    """-> (degrees of freedom, what is lost, a line that says what it is)"""
    file = folder / f"{name}.mo"
    done = subprocess.run([elasto, "export", scene, "-o", file], capture_output=True, text=True)
    lost = [line[len("elasto: "):] for line in done.stderr.splitlines() if line.startswith("elasto: lost: ")]
    assert done.returncode == (4 if lost else 0), f"{scene}: exit code {done.returncode}: {done.stderr}"
    model = Model(name, file.read_text())
    unknowns, equations = model.counted()
    assert unknowns == equations > 0, f"{name}: {equations} equations, {unknowns} unknowns"
    check_states(model)
    run = Run(elasto, scene, folder, name)
    poses, coordinates, time, machine = {}, {}, run.end["time"], None
    if "world" in model.components:
        machine = Mechanism(model)
        freedoms = check_mechanism(model, machine, run.places(run.start), any("it is a guess" in one for one in lost))
        poses, coordinates, time = at_end(model, machine, run)
    else:
        freedoms = check_line(model)
    turns = any(one.kind == R + "Components.Inertia" for one in model.components.values())
    elements = run.json.get("elements") or [{}]
    axis = elements[0].get("axis", [0, 0, 1] if turns else [1, 0, 0])
    model.axis = int(np.argmax(np.abs(axis)))  # of a model in one dimension
    count = check_elements(model, run, poses, flange_values(model, run, machine, poses, coordinates, time))
    assert count > 0 or not run.json.get("elements"), f"{name}: no element is compared"
    return freedoms, lost, "; ".join([f"{name}: {equations} equations, {freedoms} degrees of freedom", *lost])


def main():
    elasto, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    scenes = sorted((pathlib.Path(__file__).parents[2] / "assets" / "scenes").rglob("*.json"))
    assert len(scenes) > 80
    known, lossy = set(FREEDOMS), 0
    for scene in scenes:
        name = scene.stem
        freedoms, lost, line = check(elasto, scene, name, folder)
        assert freedoms == FREEDOMS.get(name, freedoms), f"{name}: {freedoms} degrees of freedom, not {FREEDOMS[name]}"
        known.discard(name)
        lossy += bool(lost)
        print(line)
    assert not known, f"not among the scenes: {known}"
    assert lossy < len(scenes) / 3, f"{lossy} scenes lose physics"
    for name, (scene, freedoms, classes, losses) in MACHINES.items():
        file = folder / f"{name}.json"
        file.write_text(json.dumps({"elasto": 1, "name": name, "duration": 0.02, **scene}))
        found, lost, line = check(elasto, file, name, folder)
        assert found == freedoms and len(lost) == len(losses), f"{line}; it has {freedoms}"
        assert all(text in said for text, said in zip(losses, lost)), line
        for one in classes:
            assert one in (folder / f"{name}.mo").read_text(), f"{name}: no {one}"
        print(line)


main()
