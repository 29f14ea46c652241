#!/usr/bin/env python3
"""Counts what a compiler of Modelica would count in the exports of all shipped scenes, by the texts and by a table of the
library's classes, and places their bodies by the texts alone.

- Each class of ours has as many equations as unknowns; each connector is connected to its kind, each input once.
- Joints and constants of the text put each body where the scene has it at the start, and loops close there.
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

import numpy as np

from modelica_library import B, BASES, FLANGES, HEAT, LIBRARY, OWN_STATES, R, S, T
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
            row = number(model.components[table].modifiers["table"])[0]
            for flange in flanges:
                if flange.endswith(".axis"):
                    moved[flange.partition(".")[0]] = row
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
                row = self.moved[one.name]
                value = row[1] + row[2] * (t - row[0]) if t >= row[0] else row[1]
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


def check_mechanism(model, places, is_guessed):
    """-> degrees of freedom. What is guessed: the start of some, which is said as a loss."""
    machine = Mechanism(model)
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


def places_of(elasto, scene, folder):
    """Where the scene has its bodies at the start: name -> (place, orientation)."""
    file = folder / "start.csv"
    subprocess.run([elasto, "run", scene, "--duration", "0.02", "--csv", file, "--signals", "*.r_0[*]", "*.q[*]"],
                   capture_output=True, check=True)
    with open(file) as lines:
        header, first = list(csv.reader(lines))[:2]
    numbers = {}
    for column, value in zip(header, first):
        match = re.fullmatch(r"(\w+)\.(r_0|q)\[(\d)\]", column)
        if match:
            numbers.setdefault(match.group(1), {})[match.group(2) + match.group(3)] = float(value)
    places = {}
    for body, of in numbers.items():
        if len(of) < 7:
            continue  # the scene records some of it under another name
        q = np.array([of["q1"], of["q2"], of["q3"]])
        angle = 2 * np.arctan2(np.linalg.norm(q), of["q4"])
        places[body] = np.array([of["r_01"], of["r_02"], of["r_03"]]), turn(q, angle) if q.any() else np.eye(3)
    return places


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
    if "world" in model.components:
        freedoms = check_mechanism(model, places_of(elasto, scene, folder), any("it is a guess" in one for one in lost))
    else:
        freedoms = check_line(model)
    return freedoms, lost, "; ".join([f"{name}: {equations} equations, {freedoms} degrees of freedom", *lost])


def main():
    elasto, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    listed = subprocess.run([elasto, "list", "scenes"], check=True, capture_output=True, text=True).stdout
    scenes = [line.split()[0] for line in listed.splitlines()[2:] if line.strip()]
    assert len(scenes) > 80
    known, lossy = set(FREEDOMS), 0
    for scene in scenes:
        name = scene.rpartition("/")[2]
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
