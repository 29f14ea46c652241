#!/usr/bin/env python3
"""Writes what `elasto verify` prints into plugin/docs/accuracy.md and README.md.

usage: python3 tests/accuracy_tables.py build/tests/bin [--keep FOLDER]

Runs `verify`, `verify coupled` and `verify robots` of elasto and elasto-single (some 12 minutes on two cores). With
--keep the outputs are kept in a folder, and those that are there already are not computed again.
"""
import argparse
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITES = [(), ("coupled",), ("robots",)]
PROGRAMS = ["elasto", "elasto-single"]
# Of these the README has the positions.
README_CASES = ["elasto_gap", "backlash", "drop_c1e6_d5", "drop_hertz_d5", "preload", "heat_losses_translational",
                "swing_c1e7", "load_thruster"]


def output_of(bin_folder, program, suite, keep):
    """What a suite prints, without its messages."""
    kept = keep / ("_".join((program, "verify") + suite) + ".txt") if keep else None
    if kept and kept.exists():
        return kept.read_text()
    command = [str(bin_folder / program), "verify", *suite]
    try:
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=False)
    except OSError as error:
        raise SystemExit(f"bin: {command[0]} cannot be run: {error.strerror}; give the folder with {', '.join(PROGRAMS)}")
    if not done.stdout:
        raise SystemExit(f"{' '.join(command)} printed nothing")
    if kept:
        kept.write_text(done.stdout)
    return done.stdout


def replace_block(text, heading, after, output):
    """Puts an output into the first fenced block below a heading that stands after a place."""
    start = text.index("\n" + heading + "\n", after)
    begin = text.index("```\n", start) + 4
    end = text.index("```", begin)
    return text[:begin] + output.rstrip() + "\n" + text[end:], start + 1


def columns_of(output):
    """The cells of each row of the table, by the spans of the dashes below its head."""
    rows = output.split("\n\n", maxsplit=1)[0].splitlines()
    spans = [match.span() for match in re.finditer(r"-+", rows[1])]
    spans[-1] = (spans[-1][0], None)
    return [[row[a:b].strip() for a, b in spans] for row in rows[2:]]


def number(text):
    value = float(text)
    return "0" if value <= 0 else f"{value:.1e}"


def replace_table(text, head, rows):
    """Puts rows below the head of a table."""
    head = "| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|\n"
    begin = text.index(head) + len(head)
    end = text.index("\n\n", begin)
    return text[:begin] + "\n".join("| " + " | ".join(row) + " |" for row in rows) + text[end:]


def short_rows(output):
    """One line per case and group: the errors at each rate, the target, the methods."""
    groups = {}
    methods = {}
    for case, rate, group, _, error, _, target, _, _, solved in columns_of(output):
        groups.setdefault(case, {}).setdefault(group, {})[rate] = (number(error), target)
        for method in re.findall(r"([A-Za-z][A-Za-z0-9 -]*?) \d+", solved):
            if method not in methods.setdefault(case, []):
                methods[case].append(method)
    lines = []
    for case, of_case in groups.items():
        for i, (group, by_rate) in enumerate(of_case.items()):
            errors = [by_rate[rate][0] if rate in by_rate else "" for rate in ("60", "240", "1000")]
            targets = [target for _, target in by_rate.values()]
            targets = targets[:1] if len(set(targets)) == 1 else targets
            cells = [case if i == 0 else "", group, *errors, " / ".join(targets),
                     ", ".join(methods[case]) if i == 0 else ""]
            lines.append(cells)
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=lambda text: pathlib.Path(text).resolve(), help="folder of the programs elasto and elasto-single")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the outputs")
    options = parser.parse_args()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    outputs = {(program, suite): output_of(options.bin, program, suite, options.keep)
               for suite in SUITES for program in PROGRAMS}

    accuracy = ROOT / "plugin" / "docs" / "accuracy.md"
    text = accuracy.read_text()
    for suite, section in zip(SUITES, ["", "## Networks with joints and contacts", "## Elements on multibodies"]):
        after = text.index(section) if section else 0
        level = "##" if not suite else "###"
        for program, precision in zip(PROGRAMS, ["double", "single"]):
            text, after = replace_block(text, f"{level} Bullet in {precision} precision", after,
                                        outputs[program, suite])
    rows = short_rows(outputs["elasto", ()])
    accuracy.write_text(replace_table(text, ["case", "what", "60 Hz", "240 Hz", "1000 Hz", "target", "solved by"], rows))

    readme = ROOT / "README.md"
    chosen = [[*row[:1], *row[2:6]] for row in rows if row[0] in README_CASES and row[1] == "positions"]
    missing = set(README_CASES) - {row[0] for row in chosen}
    if missing:
        raise SystemExit(f"verify printed no positions of {', '.join(sorted(missing))}, which the README shows")
    readme.write_text(replace_table(readme.read_text(), ["case", "60 Hz", "240 Hz", "1000 Hz", "target"], chosen))


if __name__ == "__main__":
    main()
