#!/usr/bin/env python3
"""Which test tells when a tuned number of plugin/flow or plugin/bullet is some factor off.

    tests/tuning/sensitivity.py build  FOLDER          copies the tree, makes its numbers changeable, builds the tests
    tests/tuning/sensitivity.py run    FOLDER [FILTER] runs the fast tests with each number 3 times, and a third, as large
    tests/tuning/sensitivity.py table  FOLDER          prints what was found so far, as Markdown

Numbers are `constexpr double kName = value;`. In the copy they are read from the environment variable ELASTO_TUNED
(`file:kName=factor`) when a test begins. Results are kept in FOLDER/results.json, so that a run goes on where it ended.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROOMS = ["plugin/flow", "plugin/bullet"]
FACTORS = [3.0, 1 / 3]
# By the part of the tree that a number is in: the programs whose fast tests are asked, cheapest first.
TESTS = {
    "plugin/flow": ["flow-rows", "flow-hybrid", "flow-tick", "flow-tree", "flow-laws", "bullet-elements-double",
                    "bullet-contacts-double", "bullet-multibody-double", "bullet-world-double"],
    "plugin/bullet": ["bullet-elements-double", "bullet-contacts-double", "bullet-multibody-double",
                      "bullet-world-double", "bullet-plugin-double"],
}
DEFINITION = re.compile(r"^(?P<lead>\s*)(?P<kind>(?:inline |static )*)constexpr double (?P<list>[^;]*?);", re.M | re.S)
HELPER = """
#include <cstdlib>
#include <cstring>
namespace elasto_tuning {
inline double tuned(const char* name, double value) {
    const char* asked = std::getenv("ELASTO_TUNED");
    const std::size_t length = std::strlen(name);
    if (asked == nullptr || std::strncmp(asked, name, length) != 0 || asked[length] != '=') return value;
    return value * std::atof(asked + length + 1);
}
}
"""


def declarators(text):
    """`kA = 1, kB = f(2, 3)` -> [(kA, 1), (kB, f(2, 3))]; None for what is no such list."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    parts.append(text[begin:])
    result = []
    for part in parts:
        match = re.match(r"\s*(k[A-Z]\w*)\s*=\s*(.*)$", part, re.S)
        if not match:
            return None
        result.append((match.group(1), match.group(2).strip()))
    return result


def sources():
    listed = subprocess.run(["git", "ls-files", *ROOMS], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [f for f in listed.split() if f.endswith((".h", ".cpp"))]


def numbers():
    """All numbers: (file, name, value as it is written, the words before it or beside it)."""
    found = []
    for file in sources():
        text = open(os.path.join(ROOT, file)).read()
        for match in DEFINITION.finditer(text):
            for name, value in declarators(match.group("list")) or []:
                found.append((file, name, value))
    return found


def changeable(file, text):
    def replace(match):
        listed = declarators(match.group("list"))
        if listed is None:
            return match.group(0)
        kind = match.group("kind")
        lines = []
        for name, value in listed:
            lines.append(f'{match.group("lead")}{kind or "static "}const double {name} = '
                         f'elasto_tuning::tuned("{file}:{name}", {value});')
            if kind == "static ":  # of a class
                lines[-1] = lines[-1].replace("static const", "inline static const", 1)
        return "".join(lines)

    return "#include \"elasto_tuned.h\"\n" + DEFINITION.sub(replace, text)


def build(folder):
    tree = os.path.join(folder, "tree")
    os.makedirs(tree, exist_ok=True)
    archive = subprocess.Popen(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", tree], stdin=archive.stdout, check=True)
    open(os.path.join(tree, "plugin/include/core/elasto_tuned.h"), "w").write("#pragma once\n" + HELPER)
    for file in sources():
        path = os.path.join(tree, file)
        text = open(path).read()
        open(path, "w").write(changeable(file, text))
    made = os.path.join(folder, "build")
    subprocess.run(["cmake", "-S", tree, "-B", made, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DELASTO_UNITY=ON",
                    "-DELASTO_BUILD_TESTS=ON", "-DELASTO_BUILD_TOOLS=OFF", "-DELASTO_BUILD_DEMOS=OFF",
                    "-DCMAKE_CXX_FLAGS=-Wno-error"], check=True, stdout=subprocess.DEVNULL)
    targets = sorted({f"elasto-test-{test}" for tests in TESTS.values() for test in tests})
    subprocess.run(["ninja", "-C", made, *targets], check=True)


def program(folder, test):
    for where in ("flow", "bullet"):
        path = os.path.join(folder, "build/tests", where, f"elasto-test-{test}")
        if os.path.exists(path):
            return path
    raise FileNotFoundError(test)


def first_failure(folder, room, setting):
    """The first test that fails with a setting; empty if none does."""
    environment = dict(os.environ, ELASTO_TUNED=setting)
    for test in TESTS[room]:
        try:
            run = subprocess.run([program(folder, test), "~[slow]~[.]", "-a"], env=environment, capture_output=True,
                                 text=True, errors="replace", timeout=300)
        except subprocess.TimeoutExpired:
            return f"{test}: takes five minutes"
        if run.returncode == 0:
            continue
        # The name stands between two lines, above the place.
        name = re.search(r"-{70,}\n(.+?)\n-{70,}", run.stdout, re.S)
        return f"{test}: " + (" ".join(name.group(1).split()) if name else f"ends with {run.returncode}")
    return ""


def results_of(folder):
    path = os.path.join(folder, "results.json")
    return json.load(open(path)) if os.path.exists(path) else {}


def run(folder, wanted=""):
    results = results_of(folder)
    for room in ROOMS:
        failed = first_failure(folder, room, "nothing")
        if failed:
            sys.exit(f"{failed} fails although nothing was changed")
    for file, name, value in numbers():
        key = f"{file}:{name}"
        if wanted not in key or key in results:
            continue
        room = next(room for room in ROOMS if file.startswith(room))
        results[key] = {"value": value, "found": [first_failure(folder, room, f"{key}={f!r}") for f in FACTORS]}
        json.dump(results, open(os.path.join(folder, "results.json"), "w"), indent=1)
        print(key, results[key]["found"], flush=True)


def table(folder):
    results = results_of(folder)
    print("| number | value | 3 times | a third |\n|---|---|---|---|")
    for file, name, value in numbers():
        found = results.get(f"{file}:{name}")
        if found is None:
            continue
        cells = [text or "-" for text in found["found"]]
        short = file.removeprefix("plugin/")
        print(f"| `{short}` `{name}` | {' '.join(value.split())} | {cells[0]} | {cells[1]} |")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("build", "run", "table"):
        sys.exit(__doc__)
    {"build": build, "run": run, "table": table}[sys.argv[1]](*sys.argv[2:])
