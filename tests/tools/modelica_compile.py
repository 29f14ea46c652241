#!/usr/bin/env python3
"""Has OpenModelica check the exports of all shipped scenes: they translate, with as many equations as variables. Where it
is not installed the test is skipped (exit code 77).

usage: modelica_compile.py ELASTO WORK_FOLDER
"""

import pathlib
import re
import shutil
import subprocess
import sys

elasto, work = sys.argv[1], pathlib.Path(sys.argv[2])
if shutil.which("omc") is None:
    print("skipped: OpenModelica's compiler, omc, is not installed")
    sys.exit(77)

work.mkdir(parents=True, exist_ok=True)
listed = subprocess.run([elasto, "list", "scenes"], check=True, capture_output=True, text=True).stdout
failed = []
for scene in [line.split()[0] for line in listed.splitlines()[2:] if line.strip()]:
    name = scene.rpartition("/")[2]
    subprocess.run([elasto, "export", scene, "-o", work / f"{name}.mo", "--allow-losses"], check=True, capture_output=True)
    script = work / f"{name}.mos"
    script.write_text(f'loadModel(Modelica);\nloadFile("{work / name}.mo");\ncheckModel({name}.Example);\ngetErrorString();\n')
    said = subprocess.run(["omc", script], capture_output=True, text=True).stdout
    counts = re.search(r"has (\d+) equation\(s\) and (\d+) variable\(s\)", said)
    if counts is None or counts.group(1) != counts.group(2):
        failed.append(f"{name}: {said}")
    else:
        print(f"{name}: {counts.group(0)}")
assert not failed, "\n".join(failed)
