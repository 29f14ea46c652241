#!/usr/bin/env python3
"""Reads a result file of elasto as Modelica tools do, by scipy and by a reader written from the format's description,
and compares it with the CSV file of the same run, number by number.

usage: mat_readers.py ELASTO WORK_FOLDER
"""

import csv
import pathlib
import struct
import subprocess
import sys

ELASTO, WORK = sys.argv[1], pathlib.Path(sys.argv[2])
# MATLAB's Level 4: five integers (type, rows, columns, imaginary, length of the name), the name, the numbers by column.
TYPES = {0: "d", 1: "f", 2: "i", 3: "h", 4: "H", 5: "B"}


def matrices(data):
    """Name -> (rows, columns, numbers by column) of a file."""
    found, place = {}, 0
    while place < len(data):
        kind, rows, columns, imaginary, length = struct.unpack_from("<5i", data, place)
        place += 20
        assert kind // 1000 == 0, "little endian"
        assert imaginary == 0, "real"
        name = data[place:place + length].rstrip(b"\0").decode()
        place += length
        form = TYPES[kind // 10 % 10]
        numbers = struct.unpack_from(f"<{rows * columns}{form}", data, place)
        place += rows * columns * struct.calcsize(form)
        found[name] = (rows, columns, numbers)
    return found


def texts_by_column(matrix):
    rows, columns, numbers = matrix
    return ["".join(map(chr, numbers[rows * k:rows * (k + 1)])).rstrip() for k in range(columns)]


def read(file):
    """Name -> (description, values) by a reader of our own."""
    parts = matrices(file.read_bytes())
    assert list(parts) == ["Aclass", "name", "description", "dataInfo", "data_1", "data_2"], list(parts)
    rows, columns, letters = parts["Aclass"]
    kind = ["".join(chr(letters[r + rows * k]) for k in range(columns)).rstrip() for r in range(rows)]
    assert kind == ["Atrajectory", "1.1", "", "binTrans"], kind
    names, descriptions = texts_by_column(parts["name"]), texts_by_column(parts["description"])
    assert len(names) == len(descriptions) == len(set(names))
    info = parts["dataInfo"][2]
    values = {}
    for k, name in enumerate(names):
        table, row = info[4 * k], info[4 * k + 1]
        height, points, numbers = parts["data_1" if table == 1 else "data_2"]
        sign, row = (-1 if row < 0 else 1), abs(row) - 1
        values[name] = (descriptions[k], [sign * numbers[row + height * p] for p in range(points)])
    return values


def read_by_scipy(file):
    import scipy.io
    parts = scipy.io.loadmat(file, chars_as_strings=False)
    names = ["".join(parts["name"][:, k]).rstrip() for k in range(parts["name"].shape[1])]
    info = parts["dataInfo"]
    return {name: list(parts["data_1" if info[0, k] == 1 else "data_2"][abs(info[1, k]) - 1])
            for k, name in enumerate(names)}


def check(scene, *more):
    table, mat = WORK / f"{scene}.csv", WORK / f"{scene}.mat"
    subprocess.run([ELASTO, "run", scene, "--hz", "60", "--csv", table, "--mat", mat, *more], check=True)
    rows = list(csv.reader(table.open()))
    ours = read(mat)
    assert ours["time"][0] == "Time [s]"
    for column, name in enumerate(rows[0]):
        expected = [float(row[column]) for row in rows[1:]]
        assert ours[name][1] == expected, f"{scene}: {name} differs"
    try:
        others = read_by_scipy(mat)
    except ImportError:
        return f"{scene}: {len(rows[0])} columns as in the CSV file; scipy is not there, so it was not asked"
    for column, name in enumerate(rows[0]):
        assert others[name] == [float(row[column]) for row in rows[1:]], f"{scene}: scipy reads another {name}"
    return f"{scene}: {len(rows[0])} columns as in the CSV file, by scipy too"


WORK.mkdir(parents=True, exist_ok=True)
print(check("elasto_gap", "--events"))
print(check("heat_losses_3d"))
constants = read(WORK / "heat_losses_3d.mat")
for name, value in {"body1.m": 1, "world.g": 9.80665, "springDamper.c": 30, "convection.G": 20}.items():
    assert constants[name][1] == [value, value], f"{name} is {constants[name]}"
assert constants["springDamper.useHeatPort"] == ("= true, if HeatPort is enabled [:#(type=Boolean)]", [1, 1])
print(check("leg"))
