#!/usr/bin/env python3
"""Exports every shipped scene, and reads each text by the grammar of Modelica (modelica_reader.py). Then it looks up what a
compiler would look up: every name that is connected is a component that is declared, once, and every modifier is a
parameter or variable of its class.

There is no compiler of Modelica in Debian 12: modelica_compile.py asks one where it is installed.

usage: modelica_grammar.py ELASTO WORK_FOLDER
"""

import pathlib
import subprocess
import sys

from modelica_library import LIBRARY
from modelica_reader import KEYWORDS, Text

ELASTO, WORK = sys.argv[1], pathlib.Path(sys.argv[2])


def export(scene, file, *options):
    done = subprocess.run([ELASTO, "export", scene, "-o", file, *options], capture_output=True, text=True)
    assert done.returncode in (0, 4), f"{scene}: {done.stderr}"
    text = Text(file.read_text())
    package = text.a_class()
    assert package.kind == "package" and text.next()[0] == "end"
    return package, done


def check(scene_name):
    """Exports and reads a scene. Returns a line that says what it is."""
    scene = scene_name.rpartition("/")[2]
    package, _ = export(scene_name, WORK / f"{scene}.mo")
    assert package.name == scene
    example = package.classes["Example"]
    names = [one.name for one in example.components]
    assert len(names) == len(set(names)), f"{scene}: a name stands twice"
    assert not set(names) & set(package.classes), f"{scene}: a component has a class's name"
    for one in example.components:
        if one.kind in LIBRARY:
            known = LIBRARY[one.kind].modifiers
        else:
            assert one.kind in package.classes, f"{scene}: {one.name} is a {one.kind}, which is not known"
            known = [part.name for part in package.classes[one.kind].components] + ["useHeatPort"]
        unknown = [m for m in one.modifiers if m not in known]
        assert not unknown, f"{scene}: {one.kind} {one.name} has no {unknown}"
    for connected in [end for a, b, _ in example.connections for end in (a, b)]:
        assert connected.partition(".")[0] in names, f"{scene}: {connected} is connected, but not declared"
    assert "experiment" in example.annotations and "Diagram" in example.annotations
    return f"{scene}: {len(example.components)} components, {len(example.connections)} connections"


def check_package_names():
    """Files whose names no package may have: the name is mended, and that is said."""
    for word in [*sorted(KEYWORDS), "Modelica", "Real", "my-model", "2nd"]:
        package, done = export("elasto_gap", WORK / f"{word}.mo")
        assert package.name not in KEYWORDS and package.name != word, f"a package is called {package.name}"
        assert package.name in done.stderr and word in done.stderr, f"{word}: nothing is said: {done.stderr}"
    package, done = export("elasto_gap", WORK / "ElastoGap.mo")
    assert package.name == "ElastoGap" and done.stderr == ""


WORK.mkdir(parents=True, exist_ok=True)
listed = subprocess.run([ELASTO, "list", "scenes"], check=True, capture_output=True, text=True).stdout
scenes = [line.split()[0] for line in listed.splitlines()[2:] if line.strip()]
assert len(scenes) > 80
print("\n".join([check(scene) for scene in scenes]))
check_package_names()
