"""A whole Slurm on this machine, for one test: munged, slurmctld and two slurmd in a folder of their own.

Nothing of it touches /etc or a Slurm that is there already. All its processes end with it, also when the test fails:
each daemon is a child of ours that stays in the foreground and dies with us (PR_SET_PDEATHSIG).
"""

import ctypes
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "sinfo"]
NODES = ["n1", "n2"]
PR_SET_PDEATHSIG = 1


def missing_programs():
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return [program for program in PROGRAMS if shutil.which(program, path=path) is None]


def free_ports(count):
    """Ports that nobody uses; all are held at once, so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def die_with_parent():
    os.setsid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class CannotRun(Exception):
    """A daemon refuses this machine: slurmd does without cgroups."""


class Cluster:
    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="elasto-slurm-"))
        self.processes = {}
        self.is_up = False
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))
        self.environment["PATH"] += ":/usr/sbin:/sbin"
        try:
            self.configure()
            self.start("munged", ["munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                                  f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munge.pid",
                                  f"--log-file={self.folder}/munge.log", f"--seed-file={self.folder}/munge.seed"])
            self.wait(lambda: (self.folder / "munge.socket").exists(), "munged")
            self.start("slurmctld", ["slurmctld", "-D", "-c"])
            for node in NODES:
                self.start(node, ["slurmd", "-D", "-N", node])
            self.wait(lambda: self.run("sinfo", "-h", "-o", "%T").stdout.strip() == "idle", "idle nodes")
            self.is_up = True
        except BaseException:
            self.stop()
            raise

    def configure(self):
        user = pwd.getpwuid(os.getuid()).pw_name
        host = socket.gethostname().split(".")[0]
        ports = free_ports(1 + len(NODES))
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o600)
        (self.folder / "state").mkdir()
        nodes = [f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 State=UNKNOWN"
                 for node, port in zip(NODES, ports[1:])]
        (self.folder / "slurm.conf").write_text("\n".join([
            "ClusterName=elasto", f"SlurmctldHost={host}(127.0.0.1)", f"SlurmctldPort={ports[0]}",
            f"SlurmUser={user}", f"SlurmdUser={user}", "AuthType=auth/munge",
            # A task that is started again waits until its old credential has expired: 120 s if this is not said.
            f"AuthInfo=socket={self.folder}/munge.socket,cred_expire=5",
            f"StateSaveLocation={self.folder}/state", f"SlurmdSpoolDir={self.folder}/spool-%n",
            f"SlurmctldPidFile={self.folder}/slurmctld.pid", f"SlurmdPidFile={self.folder}/%n.pid",
            f"SlurmctldLogFile={self.folder}/slurmctld.log", f"SlurmdLogFile={self.folder}/%n.log",
            "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "JobAcctGatherType=jobacct_gather/none",
            "AccountingStorageType=accounting_storage/none", "MpiDefault=none", "MailProg=/bin/true",
            "SelectType=select/cons_tres", "SelectTypeParameters=CR_CPU", "SlurmdParameters=config_overrides",
            "SlurmdTimeout=5", "KillWait=1", "ReturnToService=2", *nodes,
            f"PartitionName=all Nodes={','.join(NODES)} Default=YES MaxTime=INFINITE State=UP", ""]))

    def start(self, name, command):
        log = open(self.folder / f"{name}.out", "wb")
        self.processes[name] = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                                stderr=log, preexec_fn=die_with_parent)

    def run(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=20)

    def wait(self, condition, what, limit=20):
        end = time.monotonic() + limit
        while not condition():
            if not self.is_up:
                self.require_daemons()
            if time.monotonic() > end:
                raise RuntimeError(f"no {what} after {limit} s\n{self.logs()}")
            time.sleep(0.05)

    def require_daemons(self):
        for name, process in self.processes.items():
            if process.poll() is not None:
                last = (self.folder / f"{name}.out").read_text(errors="replace").splitlines()[-3:]
                raise CannotRun(f"{name} ends at once\n" + "\n".join(last))

    def logs(self):
        texts = []
        for file in sorted([*self.folder.glob("*.out"), *self.folder.glob("*.log")]):
            texts.append(f"--- {file.name}\n" + "".join(file.read_text(errors="replace").splitlines(True)[-15:]))
        return "\n".join(texts)

    def signal_tasks(self, node, number):
        """Sends a signal to all that a node works on."""
        for pid in self.tasks(node):
            send(pid, number)

    def kill_node(self, node):
        """As when its power fails: the daemon, its helpers and the tasks on it."""
        self.end(node)
        self.signal_tasks(node, signal.SIGKILL)
        # Slurm finds out by itself, half a minute later; saying it makes the test shorter.
        self.run("scontrol", "update", f"nodename={node}", "state=down", "reason=killed")

    def tasks(self, node=None):
        """Processes that work for us, on one node or on any, and the slurmstepd above them, which have left slurmd's
        session: found by their environment."""
        ours = str(self.folder).encode()
        there = f"SLURMD_NODENAME={node}".encode() if node else b""
        found = set()
        for entry in Path("/proc").iterdir():
            try:
                environment = (entry / "environ").read_bytes() if entry.name.isdigit() else b""
                if ours not in environment or there not in environment:
                    continue
                found.add(int(entry.name))
                parent = parent_of(entry)
                if Path(f"/proc/{parent}/cmdline").read_bytes().startswith(b"slurmstepd"):
                    found.add(parent)
            except OSError:
                continue
        return found

    def end(self, name):
        process = self.processes.pop(name, None)
        if process:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # each daemon leads a session of its own
            except ProcessLookupError:
                pass  # it has ended and left nothing
            process.wait()

    def stop(self):
        for name in [*NODES, "slurmctld", "munged"]:
            self.end(name)
        self.signal_tasks(None, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)


def parent_of(entry):
    return int((entry / "stat").read_text().rpartition(")")[2].split()[1])


def send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass
