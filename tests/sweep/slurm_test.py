#!/usr/bin/env python3
"""A sweep as a job array of a real Slurm, one of whose two nodes dies while it works: the table is the local one.

usage: slurm_test.py ELASTO
"""

import json
import signal
import subprocess
import sys
import time

from slurm_cluster import CannotRun, Cluster, missing_programs

ELASTO = sys.argv[1]
TASKS = 6
RUNS = 36
SWEEP = {
    "elasto": 1, "scene": "drop_c1e6_d5", "rate": 1000, "duration": 20,
    "parameters": [{"set": "gap.c", "from": 1e5, "to": 1e7, "count": RUNS // 4, "scale": "log"},
                   {"set": "gap.d", "values": [0, 1, 10, -1]}],
    "metrics": [{"metric": "peakForce", "of": "gap"}, {"metric": "dissipatedEnergy"}],
}


class Failure(Exception):
    pass


def require(is_so, message):
    if not is_so:
        raise Failure(message)


def rows_in(file):
    return file.read_bytes().count(b"\n") - 1 if file.exists() else 0


class SlurmTest:
    def __init__(self, cluster):
        self.cluster = cluster
        self.folder = cluster.folder / "work"
        self.folder.mkdir()
        (self.folder / "sweep.json").write_text(json.dumps(SWEEP))

    def command(self, csv, *more):
        return [ELASTO, "sweep", "sweep.json", "--csv", csv, "--json", *more]

    def finish(self, process):
        output, errors = process.communicate(timeout=400)
        # A quarter of the runs fails, as it must.
        require(process.returncode == 1, f"elasto ended with {process.returncode}: {errors}")
        return json.loads(output)

    def start(self, *command):
        return subprocess.Popen(command, cwd=self.folder, env=self.cluster.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def stops_in_the_middle(self, node):
        """Stops what a node works on. If that is a task that has done some of its runs, but not all, it stays so."""
        self.cluster.signal_tasks(node, signal.SIGSTOP)
        for line in self.cluster.run("squeue", "-h", "-r", "-o", "%K %N %T").stdout.splitlines():
            task, *rest = line.split()
            rows = rows_in(self.folder / f"slurm.csv.{task}-of-{TASKS}.runs")
            if rest == [node, "RUNNING"] and 1 <= rows < RUNS // TASKS:
                return True
        self.cluster.signal_tasks(node, signal.SIGCONT)
        return False

    def same_bytes_after_the_death_of_a_node(self):
        sweep = self.start(*self.command("slurm.csv", "--slurm", "--tasks", str(TASKS), "--", "--comment=from_the_user"))
        try:
            self.cluster.wait(lambda: sweep.poll() is not None or self.stops_in_the_middle("n2"), "task on n2", 60)
            require(sweep.poll() is None, "it ended before a node could die")
            self.cluster.kill_node("n2")
            summary = self.finish(sweep)
        finally:
            sweep.kill()
        require(summary["runs"] == RUNS and summary["failed"] == RUNS // 4 and not summary["missing"], summary)
        job = self.cluster.run("scontrol", "show", "job", summary["slurmJob"]).stdout
        require("Restarts=1" in job, f"no task was started again: {job}")
        require("Comment=from_the_user" in job, f"the option of sbatch was lost: {job}")
        table = (self.folder / "slurm.csv").read_bytes()
        require(table == self.local, "the table differs from the local one")
        left = sorted(file.name for file in self.folder.iterdir())
        require(left == ["local.csv", "slurm.csv", "sweep.json"], f"left over: {left}")

    def what_sbatch_refuses_is_told(self):
        refused = self.start(*self.command("refused.csv", "--slurm", "--", "--partition=nowhere"))
        errors = refused.communicate(timeout=20)[1]
        require(refused.returncode == 4 and "sbatch failed" in errors and "partition" in errors, errors)

    def run(self):
        self.finish(self.start(*self.command("local.csv", "-j", "2")))
        self.local = (self.folder / "local.csv").read_bytes()
        self.what_sbatch_refuses_is_told()
        self.same_bytes_after_the_death_of_a_node()


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the cluster ends with us
    if missing_programs():
        print(f"skipped: {', '.join(missing_programs())} not installed (Debian: slurm-wlm munge)")
        return 77
    start = time.monotonic()
    try:
        cluster = Cluster()
    except CannotRun as reason:
        print(f"skipped: Slurm does not run on this machine: {reason}")
        return 77
    try:
        SlurmTest(cluster).run()
    except (Failure, RuntimeError, subprocess.TimeoutExpired) as failure:
        print(f"failed: {failure}\n{cluster.logs()}")
        return 1
    finally:
        cluster.stop()
    print(f"ok, {time.monotonic() - start:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
