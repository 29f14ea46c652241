#!/usr/bin/env python3
"""Exports every shipped scene, and reads each text by the grammar of Modelica (Language Specification 3.5, appendix A, as
far as the exports use it): classes, components with modifications, equations, expressions, annotations. Then it checks
what a compiler would look up: every name that is connected is a component that is declared, once, and every modifier is a
parameter or variable of its class.

There is no compiler of Modelica in Debian 12, so the texts are read here, but not translated.

usage: modelica_grammar.py ELASTO WORK_FOLDER
"""

import pathlib
import re
import subprocess
import sys

ELASTO, WORK = sys.argv[1], pathlib.Path(sys.argv[2])

TOKEN = re.compile(r"""\s+|//[^\n]*|(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)
                       |(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign><=|>=|<>|==|:=|[-+*/^()\[\]{},;:=<>.])""", re.X)
KEYWORDS = set("""algorithm and annotation block break class connect connector constant der discrete each else elseif
    encapsulated end equation extends false final flow for function if import in initial inner input loop model not or outer
    output package parameter partial protected public record redeclare replaceable return then true type when while
    within""".split())
# Parameters and variables that exports set, by class.
T, R = "Modelica.Mechanics.Translational.", "Modelica.Mechanics.Rotational."
B = "Modelica.Mechanics.MultiBody."
KNOWN = {
    T + "Components.Mass": "m L s v", T + "Components.Fixed": "s0", T + "Components.Rod": "L",
    T + "Components.Spring": "c s_rel0", T + "Components.Damper": "d s_rel", T + "Components.SpringDamper": "c d s_rel0",
    T + "Components.ElastoGap": "c d s_rel0 n", T + "Sources.Force": "",
    R + "Components.Inertia": "J phi w", R + "Components.Fixed": "phi0", R + "Components.Spring": "c phi_rel0",
    R + "Components.Damper": "d", R + "Components.SpringDamper": "c d phi_rel0",
    R + "Components.ElastoBacklash": "c d b phi_rel0", R + "Components.ElastoBacklash2": "c d b phi_rel0",
    R + "Components.IdealGear": "ratio", R + "Sources.Torque": "",
    B + "World": "g n gravityType",
    B + "Parts.Body": "m r_CM I_11 I_22 I_33 r_0 v_0 angles_fixed angles_start w_0_fixed w_0_start",
    B + "Parts.FixedTranslation": "r animation", B + "Parts.FixedRotation": "r rotationType sequence angles animation",
    B + "Joints.Revolute": "n useAxisFlange phi w", B + "Joints.Prismatic": "n useAxisFlange s v", B + "Joints.Spherical": "",
    B + "Forces.LineForceWithMass": "m animateLine animateMass", B + "Forces.WorldForce": "resolveInFrame",
    B + "Forces.WorldTorque": "resolveInFrame",
    "Modelica.Blocks.Sources.Sine": "amplitude f phase offset startTime", "Modelica.Blocks.Sources.Constant": "k",
    "Modelica.Blocks.Sources.RealExpression": "y",
    "Modelica.Blocks.Sources.CombiTimeTable": "table smoothness extrapolation",
}
CONNECTORS = set("""flange_a flange_b flange frame_a frame_b axis support f tau y force torque""".split())


class Text:
    """Tokens of a text, and the rules of the grammar."""

    def __init__(self, text):
        self.tokens, place = [], 0
        while place < len(text):
            match = TOKEN.match(text, place)
            assert match, f"no token: {text[place:place + 40]!r}"
            if match.lastgroup:
                kind = "keyword" if match.lastgroup == "name" and match.group() in KEYWORDS else match.lastgroup
                self.tokens.append((kind, match.group()))
            place = match.end()
        self.at = 0

    def next(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self, word=None, kind=None):
        found = self.next()
        around = " ".join(t for _, t in self.tokens[max(0, self.at - 8):self.at + 3])
        assert word is None or found[1] == word, f"expected {word!r}, found {found[1]!r} in: {around}"
        assert kind is None or found[0] == kind, f"expected a {kind}, found {found[1]!r} in: {around}"
        self.at += 1
        return found[1]

    def has(self, *words):
        if self.next()[1] in words:
            self.at += 1
            return True
        return False

    def comment(self):
        if self.next()[0] == "string":
            self.take()

    def dotted(self):
        name = self.take(kind="name")
        while self.has("."):
            name += "." + self.take(kind="name")
        return name

    def a_class(self):
        """-> (name, kind, classes, components, connections)"""
        kind = self.take()
        assert kind in ("package", "model"), kind
        name = self.take(kind="name")
        self.comment()
        classes, components, connections = {}, [], []
        while self.next()[1] != "end":
            word = self.next()[1]
            if word in ("package", "model"):
                inner = self.a_class()
                assert inner[0] not in classes
                classes[inner[0]] = inner
            elif word == "extends":
                self.take()
                self.dotted()
                self.take(";")
            elif word == "import":
                self.take()
                self.dotted()
                self.take(";")
            elif word in ("protected", "public"):
                self.take()
            elif word == "annotation":
                self.annotation()
            elif word == "equation":
                self.take()
                while self.next()[1] not in ("end", "annotation"):
                    self.equation(connections)
            else:
                components += self.declaration()
        self.take("end")
        assert self.take(kind="name") == name
        self.take(";")
        return name, kind, classes, components, connections

    def annotation(self):
        self.take("annotation")
        self.modification()
        self.take(";")

    def declaration(self):
        """-> [(type, name, modifiers)]"""
        while self.has("parameter", "final", "inner", "constant", "discrete", "input"):
            pass
        kind, found = self.dotted(), []
        while True:
            name, modifiers = self.take(kind="name"), []
            if self.has("["):
                self.subscripts()
            if self.next()[1] == "(":
                modifiers = self.modification()
            if self.has("="):
                self.expression()
            found.append((kind, name, modifiers))
            if not self.has(","):
                break
        self.comment()
        self.take(";")
        return found

    def subscripts(self):
        while True:
            if not self.has(":"):
                self.expression()
            if not self.has(","):
                break
        self.take("]")

    def modification(self):
        names = []
        self.take("(")
        while True:
            while self.has("each", "final"):
                pass
            names.append(self.dotted())
            if self.next()[1] == "(":
                self.modification()
            if self.has("="):
                self.expression()
            self.comment()
            if not self.has(","):
                break
        self.take(")")
        return names

    def equation(self, connections):
        if self.has("connect"):
            self.take("(")
            a = self.reference()
            self.take(",")
            b = self.reference()
            self.take(")")
            connections += [a, b]
        else:
            self.simple()
            self.take("=")
            self.expression()
        self.comment()
        self.take(";")

    def reference(self):
        name = self.take(kind="name")
        while True:
            if self.has("."):
                name += "." + self.take(kind="name")
            elif self.has("["):
                self.subscripts()
            else:
                return name

    def expression(self):
        if self.has("if"):
            self.expression()
            self.take("then")
            self.expression()
            while self.has("elseif"):
                self.expression()
                self.take("then")
                self.expression()
            self.take("else")
            self.expression()
        else:
            self.simple()

    def simple(self):
        self.conjunction()
        while self.has("or"):
            self.conjunction()

    def conjunction(self):
        self.relation()
        while self.has("and"):
            self.relation()

    def relation(self):
        self.has("not")
        self.arithmetic()
        if self.has("<", ">", "<=", ">=", "==", "<>"):
            self.arithmetic()

    def arithmetic(self):
        self.has("+", "-")
        self.term()
        while self.has("+", "-"):
            self.term()

    def term(self):
        self.factor()
        while self.has("*", "/"):
            self.factor()

    def factor(self):
        self.primary()
        if self.has("^"):
            self.primary()

    def primary(self):
        kind, word = self.next()
        if kind in ("number", "string") or word in ("true", "false"):
            self.take()
        elif word == "(":
            self.take()
            self.expression()
            self.take(")")
        elif word == "{":
            self.list("}")
        elif word == "[":
            self.take()
            while True:
                self.expression()
                if not self.has(",", ";"):
                    break
            self.take("]")
        else:
            if word in ("der", "initial"):
                self.take()
            else:
                self.reference()
            if self.next()[1] == "(":
                self.list(")")

    def list(self, end):
        self.take()
        while self.next()[1] != end:
            self.expression()
            if not self.has(","):
                break
        self.take(end)


def check(scene):
    """Exports and reads a scene. Returns a line that says what it is."""
    scene_name, scene = scene, scene.rpartition("/")[2]
    file = WORK / f"{scene}.mo"
    done = subprocess.run([ELASTO, "export", scene_name, "-o", file], capture_output=True, text=True)
    if done.returncode != 0:
        assert done.returncode == 2 and "not exported" in done.stderr, f"{scene}: {done.stderr}"
        return f"{scene}: refused, {done.stderr.strip()}"
    text = Text(file.read_text())
    package, kind, classes, _, _ = text.a_class()
    assert (package, kind, text.next()[0]) == (scene, "package", "end")
    _, _, _, components, connections = classes["Example"]
    names = [name for _, name, _ in components]
    assert len(names) == len(set(names)), f"{scene}: a name stands twice"
    for a_type, name, modifiers in components:
        if a_type in KNOWN:
            known = KNOWN[a_type].split()
        else:
            assert a_type in classes, f"{scene}: {name} is a {a_type}, which is not known"
            known = [n for _, n, _ in classes[a_type][3]]
        unknown = [m for m in modifiers if m not in known]
        assert not unknown, f"{scene}: {a_type} {name} has no {unknown}"
    for connected in connections:
        head, _, tail = connected.partition(".")
        assert head in names, f"{scene}: {connected} is connected, but not declared"
        assert tail.split("[")[0] in CONNECTORS, f"{scene}: {connected} is no connector"
    assert len(connections) >= 2
    return f"{scene}: {len(components)} components, {len(connections) // 2} connections"


WORK.mkdir(parents=True, exist_ok=True)
listed = subprocess.run([ELASTO, "list", "scenes"], check=True, capture_output=True, text=True).stdout
scenes = [line.split()[0] for line in listed.splitlines()[2:] if line.strip()]
results = [check(scene) for scene in scenes]
print("\n".join(results))
refused = [line for line in results if "refused" in line]
assert len(results) > 30 and len(refused) <= len(results) / 4, f"{len(refused)} of {len(results)} scenes are refused"
