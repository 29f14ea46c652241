#!/usr/bin/env python3
"""Drives elasto-gallery's window on a virtual display with keys and mouse, as a user does, and reads the outcome.

usage: window_test.py GALLERY ELASTO WORK_FOLDER

Nothing is done after a pause of a guessed length: the window says after each frame what it shows (--state), and each
step waits until it shows what the step before has done.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

GALLERY, ELASTO, WORK = (pathlib.Path(word).absolute() for word in sys.argv[1:4])
PATIENCE = 60  # [s] for one step


class Failure(Exception):
    pass


def require(is_so, message):
    if not is_so:
        raise Failure(message)


def xdotool(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)


class Window:
    """The gallery's window."""

    def __init__(self, *what):
        self.state_file = WORK / "state.json"
        self.state_file.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [GALLERY, *what, "--size", "1280x720", "--no-shadows", "--no-multisampling", "--theme", "dark",
             "--state", str(self.state_file)], cwd=WORK)
        self.wait("the first frames", lambda s: s["frames"] >= 3)
        found = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--pid", str(self.process.pid)],
                               check=True, timeout=PATIENCE, capture_output=True, text=True)
        xdotool("windowfocus", "--sync", found.stdout.split()[0])

    def state(self):
        return json.loads(self.state_file.read_text())

    def wait(self, what, is_so):
        """Waits until the window shows something. Returns what it shows then."""
        end = time.monotonic() + PATIENCE
        state = None
        while time.monotonic() < end:
            require(self.process.poll() is None, f"the gallery ended while waiting for {what}")
            if self.state_file.exists():
                state = self.state()
                if is_so(state):
                    return state
            time.sleep(0.02)
        raise Failure(f"no sign of {what}; the window shows {json.dumps(state)[:1500]}")

    def frames(self, count):
        """Lets some frames pass. Returns what the window shows after them."""
        start = self.state()["frames"]
        return self.wait(f"{count} more frames", lambda s: s["frames"] >= start + count)

    def key(self, name, what, is_so):
        xdotool("key", name)
        return self.wait(what, is_so)

    def press(self, keys):
        """Keys that are down for less than a frame."""
        xdotool("key", "--delay", "0", keys)
        return self.frames(4)

    def to(self, x, y):
        xdotool("mousemove", "--sync", round(x), round(y))

    def save(self, name):
        """Saves the run, and reads the file."""
        file = WORK / name
        require(not file.exists(), f"{name} is there already")
        xdotool("key", "ctrl+s")
        self.wait(name, lambda s: file.exists())
        return json.loads(file.read_text())

    def quit(self):
        xdotool("key", "ctrl+q")
        code = self.process.wait(PATIENCE)
        require(code == 0, f"the gallery ended with code {code}")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def marks_of_body(recording, body):
    """Fingerprints of one body, by tick: 16 digits are the whole state's, then each body has 8."""
    return [mark[16 + 8 * body:24 + 8 * body] for mark in recording["marks"]]


def count_of(state, action):
    return sum(i["action"] == action for i in state["inputs"])


def time_passes_and_stands(window):
    """Returns the recording of a run that nobody touched."""
    window.wait("time to pass", lambda s: s["isPlaying"] and s["tick"] >= 200)
    paused = window.key("space", "a pause", lambda s: not s["isPlaying"])
    later = window.frames(10)
    require(later["tick"] == paused["tick"] and later["shownTime"] == paused["shownTime"],
            f"a pause that does not pause: tick {paused['tick']} became {later['tick']}")
    free = window.save("elasto_gap.elrec")
    require(len(free["marks"]) == paused["tick"] + 1, "a recording that does not end where time stands")
    require(free["inputs"] == [], "inputs of nobody")
    return free


def drag(window):
    """Pulls mass1 while time passes; returns the recording of that."""
    last = window.state()["lastTick"]
    start = window.key("r", "the start", lambda s: s["tick"] == 0 and not s["isPlaying"])
    require(start["lastTick"] == last, "starting again has lost the run")
    window.key("End", "the end again", lambda s: s["tick"] == last)
    window.key("r", "the start", lambda s: s["tick"] == 0)
    x, y = start["pixels"]["mass1"]
    window.to(x, y)
    window.wait("the mouse over mass1", lambda s: s["hovered"] == "mass1")
    xdotool("mousedown", 1)
    window.wait("a drag", lambda s: count_of(s, "dragBegin") == 1)
    window.key("space", "time to pass", lambda s: s["isPlaying"] and s["tick"] > 5)
    for step in range(1, 6):
        before = window.state()
        window.to(x - 12 * step, y - 8 * step)
        window.wait("the drag to follow", lambda s: count_of(s, "dragMove") > count_of(before, "dragMove"))
    dragged = window.frames(3)
    require(dragged["bodies"]["mass1"][1:] == start["bodies"]["mass1"][1:],
            f"mass1 was pulled off the line on which it can move, to {dragged['bodies']['mass1']}")
    xdotool("mouseup", 1)
    window.wait("the end of the drag", lambda s: count_of(s, "dragEnd") == 1)
    end = window.key("space", "a pause", lambda s: not s["isPlaying"])
    require(end["inputs"][0] == {"tick": 0, "action": "dragBegin", "body": "mass1"}, f"inputs {end['inputs']}")
    require(all(i["action"] in ("dragBegin", "dragMove", "dragEnd") for i in end["inputs"]), f"inputs {end['inputs']}")
    return window.save("elasto_gap_2.elrec")


def moved_one_body_alone(free, pulled):
    names = [body["name"] for body in free["scene"]["bodies"]]
    common = min(len(free["marks"]), len(pulled["marks"]))
    require(common > 20, f"only {common} ticks to compare")
    others = 0
    for body, name in enumerate(names + ["ball"] * free["balls"]):
        a, b = marks_of_body(free, body)[:common], marks_of_body(pulled, body)[:common]
        if name == "mass1":
            require(a[0] == b[0] and a[-1] != b[-1], "the drag did not move mass1")
        else:
            others += 1
            require(a == b, f"dragging mass1 changed {name}")
    require(others >= 1, "no other body")


def rewind(window, pulled):
    """Goes back and forth tick by tick; each has the bits of the first pass."""
    last = len(pulled["marks"]) - 1
    for tick, key in [(last - 1, "Left"), (last - 2, "Left"), (last - 3, "Left"), (last - 2, "Right"),
                      (last - 3, "Left"), (last - 4, "Left"), (last - 5, "Left")]:
        state = window.key(key, f"tick {tick}", lambda s: s["tick"] == tick)
        require(state["mark"] == pulled["marks"][tick][:16], f"tick {tick} has other bits than in the first pass")
        require(state["bitsAreThoseOfTheFirstPass"], f"tick {tick} is said to have other bits")
        require(state["lastTick"] == last, "going back lost what lies ahead")


C_FIELD, D_FIELD = 343, 372  # of an ElastoGap that is selected [pixels]


def type_c(window, text):
    """Types a number into the field of c."""
    window.to(196, C_FIELD)
    window.frames(3)
    xdotool("click", 1)
    window.wait("a text field", lambda s: s["isTextWanted"])
    window.press("ctrl+a")
    xdotool("type", "--delay", "60", text)
    window.press("Return")
    return window.wait("the end of typing", lambda s: not s["isTextWanted"])


def edit(window):
    """Types a value into a slider: that parameter changes, no other one; no key of it does anything else."""
    before = window.state()
    window.to(196, D_FIELD)
    window.frames(3)
    xdotool("click", "--repeat", 2, "--delay", 60, 1)
    window.wait("a text field", lambda s: s["isTextWanted"])
    xdotool("type", "--delay", "60", "2r 5[pg")  # most of these have a meaning elsewhere
    window.press("Return")  # that is no number: the field stays open
    typed = window.wait("the field", lambda s: s["isTextWanted"])
    for name in ("demo", "isPlaying", "speed", "tick", "lastTick", "ghosts", "inputs", "parameters"):
        require(typed[name] == before[name], f"typing changed {name} from {before[name]} to {typed[name]}")
    window.press("ctrl+a")
    xdotool("type", "--delay", "60", "0.025k")
    window.press("BackSpace")
    xdotool("type", "--delay", "60", "kN.s/m")
    window.press("Return")
    edited = window.wait("an edit", lambda s: count_of(s, "parameter") == 1 and not s["isTextWanted"])
    changed = [(element, symbol, value) for element, symbols in edited["parameters"].items()
               for symbol, value in symbols.items() if value != before["parameters"][element][symbol]]
    require(len(changed) == 1, f"one edit changed {changed}")
    made = edited["inputs"][-1]
    require(changed[0] == (made["element"], made["parameter"], 25) and made["value"] == 25,
            f"the edit {made} changed {changed}")
    require(made["tick"] == before["tick"] == edited["tick"], "an edit at another tick than the present one")
    require(made["element"] == edited["selected"] == "elastoGap1", f"edited {made['element']}")
    return edited


def go_on(window, edited):
    """From an edit in the past a new branch begins."""
    ghosts = edited["ghosts"]
    for tick in (edited["tick"] + 1, edited["tick"] + 2):
        state = window.key("Right", f"tick {tick}", lambda s: s["tick"] == tick)
        require(state["lastTick"] == tick and state["ghosts"] == ghosts, f"no branch: {state['ghosts']} ghosts")
    require(state["parameters"] == edited["parameters"] and state["trouble"] == "", "another state of the elements")


def search(window):
    """Keys that are typed into the search of the demos, at once after asking for it, do nothing else."""
    before = window.state()
    xdotool("key", "--delay", "1", "ctrl+f", "r", "p", "bracketright", "space", "g", "Left")
    window.wait("the search", lambda s: s["isTextWanted"])
    xdotool("type", "--delay", "60", "gap p r")
    after = window.frames(3)
    for name in ("demo", "isPlaying", "tick", "lastTick", "ghosts", "inputs"):
        require(after[name] == before[name], f"searching changed {name} from {before[name]} to {after[name]}")
    window.press("Escape")
    window.wait("the end of the search", lambda s: not s["isTextWanted"])


def shows_recording(name, pulled):
    """A recording plays up to its end, with its bits, and stops there."""
    with Window(name) as window:
        last = len(pulled["marks"]) - 1
        end = window.wait("the end of the recording", lambda s: s["tick"] == last and not s["isPlaying"])
        require(end["recording"] == {"ticks": last, "checked": last, "difference": ""}, f"{end['recording']}")
        require(end["mark"] == pulled["marks"][last][:16], "a recording that ends with other bits")
        window.quit()


def shows_tour():
    """Who starts without naming anything is shown round once, over the demo that begins."""
    with Window() as window:
        begun = window.wait("the tour", lambda s: s.get("tour") == 0)
        require(begun["demo"] == "stiff_stop", f"begins with {begun['demo']}")
        window.press("Escape")
        window.wait("the end of the tour", lambda s: "tour" not in s)
        window.quit()
    with Window() as window:
        require("tour" not in window.frames(5), "the tour comes again")
        window.quit()


def adds_a_stop():
    """Two clicks and a key: a stop of one's own is in the scene, and the saved scene runs with it."""
    with Window("--demo", "door") as window:
        window.key("space", "a pause", lambda s: not s["isPlaying"])
        start = window.key("r", "the start", lambda s: s["tick"] == 0)
        window.key("Right", "a tick", lambda s: s["tick"] == 1)
        edited = type_c(window, "21000")
        require(edited["parameters"]["wallStop"]["c"] == 21000, "no c of wallStop")
        window.key("a", "the question for a body", lambda s: s["prompt"].startswith("Click the body"))
        window.to(*start["pixels"]["ball"])
        window.wait("the mouse over the ball", lambda s: s["hovered"] == "ball")
        xdotool("click", 1)
        window.wait("the question for a wall", lambda s: "shall stop ball" in s["prompt"])
        require(count_of(window.state(), "drag") == 0, "choosing a body pulled it")
        x, y = start["pixels"]["jamb"]
        window.to(x, y - 40)
        window.wait("the mouse over the jamb", lambda s: s["hovered"] == "jamb")
        xdotool("click", 1)
        added = window.wait("the stop", lambda s: "stop" in s["parameters"] and s["prompt"] == "")
        require(added["selected"] == "stop" and added["tick"] == 1, f"{added['selected']} at tick {added['tick']}")
        file = WORK / "door.json"
        xdotool("key", "ctrl+e")
        window.wait("the scene's file", lambda s: file.exists())
        # Everything is taken back in the order in which it was done, and done again, whatever it was.
        c = added["parameters"]["stop"]["c"]
        require(type_c(window, "4321")["parameters"]["stop"]["c"] == 4321, "no c of the stop")
        window.key("ctrl+z", "the stop's own c", lambda s: s["parameters"]["stop"]["c"] == c)
        back = window.key("ctrl+z", "the scene as it was", lambda s: "stop" not in s["parameters"])
        require((back["tick"], back["selected"]) == (1, "wallStop"), f"{back['selected']} at tick {back['tick']}")
        require(back["parameters"] == edited["parameters"], "another scene than before the stop")
        window.key("ctrl+z", "the first c", lambda s: s["parameters"] == start["parameters"])
        window.key("ctrl+y", "the edited one", lambda s: s["parameters"] == edited["parameters"])
        again = window.key("ctrl+y", "the stop again", lambda s: "stop" in s["parameters"])
        require(again["selected"] == "stop" and again["parameters"]["stop"]["c"] == c, "another stop")
        window.key("ctrl+y", "its edit", lambda s: s["parameters"]["stop"]["c"] == 4321)
        # Another demo and back: nothing is lost.
        window.key("bracketright", "the next demo", lambda s: s["demo"] != "door")
        window.key("bracketleft", "the door as it was left",
                   lambda s: s["demo"] == "door" and s["parameters"].get("stop", {}).get("c") == 4321)
        window.key("Delete", "the stop to go", lambda s: "stop" not in s["parameters"])
        window.quit()
    run = subprocess.run([ELASTO, "run", str(file)], capture_output=True, text=True, timeout=PATIENCE)
    require(run.returncode == 0 and "stop.f" in run.stdout, f"the saved scene does not run: {run.stdout}{run.stderr}")


def follows_after_an_edit():
    """What the view follows stays in sight when an element goes and comes back."""
    with Window("--demo", "car_over_kerbs") as window:
        # Frame by frame the window need not keep up.
        far = window.wait("the car to go on", lambda s: s["tick"] > 200)
        for key, what in (("Delete", "an element to go"), ("ctrl+z", "it to come back")):
            count = len(window.state()["parameters"])
            after = window.key(key, what, lambda s: len(s["parameters"]) != count)
            x = window.frames(3)["pixels"]["chassis"][0]
            require(abs(x - far["pixels"]["chassis"][0]) < 60, f"the car is at {x} after {what}")
            require(key != "Delete" or after["tick"] < 100, f"the run began again at {after['tick']}")
        window.quit()


def goes_to_the_worst_tick():
    """W stops at a tick that was seen before, always the same one; where all ticks are exact it does nothing."""
    with Window("--demo", "car_over_kerbs") as window:
        window.wait("the car to meet a kerb", lambda s: s["tick"] > 200)
        worst = window.key("w", "the worst tick", lambda s: not s["isPlaying"])
        require(0 < worst["tick"] < worst["lastTick"], f"tick {worst['tick']} of {worst['lastTick']}")
        window.key("End", "the newest tick", lambda s: s["tick"] == worst["lastTick"])
        window.key("w", "the worst tick again", lambda s: s["tick"] == worst["tick"])
        window.quit()
    with Window("--demo", "elasto_gap") as window:
        stands = window.key("space", "time to stand", lambda s: not s["isPlaying"] and s["tick"] > 5)
        require(window.press("w")["tick"] == stands["tick"], "an exact run has no worst tick")
        window.quit()


def plays_pinball():
    """A key that is held runs a motor, and lets it go."""
    with Window("--demo", "pinball") as window:
        window.wait("time to pass", lambda s: s["tick"] > 5)
        xdotool("keydown", "n")
        window.wait("the motor", lambda s: count_of(s, "motor") == 1)
        xdotool("keyup", "n")
        window.wait("the motor to rest", lambda s: count_of(s, "motor") == 2)
        window.quit()


def poses_a_robot():
    """A robot of one's own: its joint is placed by a slider while time stands, held there, and driven on."""
    (WORK / "arm.urdf").write_text("""<robot name="arm"><link name="stand"/>
<link name="bar"><inertial><origin xyz="0.3 0 0"/><mass value="2"/>
<inertia ixx="0.001" iyy="0.06" izz="0.06" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="yaw" type="revolute"><parent link="stand"/><child link="bar"/><axis xyz="0 1 0"/>
<limit lower="-2" upper="2" effort="100" velocity="10"/></joint></robot>""")
    with Window("--robot", "arm.urdf") as window:
        window.wait("time to pass", lambda s: s["tick"] > 5)
        start = window.key("space", "a pause", lambda s: not s["isPlaying"])
        slider, hold = 302, 253  # heights of the first joint's slider and of the check box [pixels]

        def drag_slider(left, right):
            window.to(left, slider)
            window.frames(3)
            xdotool("mousedown", 1)
            window.frames(3)
            for x in range(left, right, 10):
                window.to(x, slider)
                window.frames(2)
            xdotool("mouseup", 1)
            return window.frames(3)

        posed = drag_slider(145, 186)
        require(count_of(posed, "jointPlacing") == 1, f"inputs {posed['inputs']}")
        q = posed["joints"]["yaw"]["q"]
        require(q > start["joints"]["yaw"]["q"] + 0.2, f"the slider placed yaw at {q}")
        require(posed["tick"] == start["tick"], "placing a joint let time pass")
        window.to(20, hold)
        window.frames(3)
        xdotool("click", 1)
        window.wait("the hold", lambda s: count_of(s, "jointsHold") == 1)
        window.key("space", "time to pass", lambda s: s["isPlaying"])
        held = window.wait("a while", lambda s: s["tick"] > start["tick"] + 200)
        require(abs(held["joints"]["yaw"]["q"] - q) < 0.1, f"held at {held['joints']['yaw']['q']} instead of {q}")
        driven = drag_slider(186, 227)
        require(count_of(driven, "jointTarget") > 0, f"inputs {driven['inputs']}")
        target = driven["joints"]["yaw"]["target"]
        require(target > q + 0.2, f"the slider set the target {target}")
        window.wait("yaw at its target", lambda s: abs(s["joints"]["yaw"]["q"] - target) < 0.1)
        window.quit()


def works_without_a_mouse():
    """Tab goes to the panels, where a number is found and typed; Esc gives the arrow keys back to the ticks."""
    with Window("--demo", "elasto_gap") as window:
        stands = window.key("space", "a pause", lambda s: not s["isPlaying"] and s["tick"] > 5)
        window.key("Tab", "the keyboard in the demos", lambda s: s["isKeyboardInPanels"])
        window.press("Tab")  # in the parameters
        for _ in range(4):  # their head and the element, its switch, the buttons: then c
            window.press("Down")
            window.press("Return")
            if window.state()["isTextWanted"]:
                break
        require(window.state()["isTextWanted"], "no number was reached")
        xdotool("type", "--delay", "60", "2.5")
        window.press("Return")
        edited = window.wait("an edit", lambda s: count_of(s, "parameter") == 1)
        require(edited["inputs"][-1]["value"] == 2.5, f"{edited['inputs']}")
        require(edited["tick"] == stands["tick"], "the keyboard in the panels has moved time")
        window.key("Escape", "the keyboard back", lambda s: not s["isKeyboardInPanels"])
        window.key("Left", "a tick back", lambda s: s["tick"] == stands["tick"] - 1)
        window.quit()


def understands_other_layouts():
    """Keys that type Cyrillic act by their place, and those of a German keyboard by what they type."""
    setxkbmap = shutil.which("setxkbmap")
    if setxkbmap is None:
        print("window test: setxkbmap is not there: no other keyboard layouts are tried")
        return
    control, p, q, y, z = 37, 33, 24, 29, 52  # by their places on a US keyboard

    def with_control(key):
        xdotool("keydown", control, "key", key, "keyup", control)

    def quit(window):
        with_control(q)  # names of keys that the layout does not have would change it
        require(window.process.wait(PATIENCE) == 0, "the gallery ended with an error")
    try:
        # The display must not forget it when this program has ended (-noreset).
        subprocess.run([setxkbmap, "ru"], check=True, timeout=PATIENCE)
        kept = subprocess.run([setxkbmap, "-query"], check=True, timeout=PATIENCE, capture_output=True, text=True)
        require("ru" in kept.stdout, f"the display has another keyboard: {kept.stdout}")
        with Window("--demo", "elasto_gap") as window:
            window.wait("time to pass", lambda s: s["isPlaying"] and s["tick"] > 5)
            window.key(p, "a pause", lambda s: not s["isPlaying"])
            edited = type_c(window, "7")
            with_control(z)
            window.wait("an undo", lambda s: s["parameters"] != edited["parameters"])
            quit(window)
        subprocess.run([setxkbmap, "de"], check=True, timeout=PATIENCE)
        with Window("--demo", "elasto_gap") as window:
            window.key("space", "a pause", lambda s: not s["isPlaying"])
            edited = type_c(window, "7")
            with_control(z)  # it types a y there: nothing to redo
            require(window.frames(5)["parameters"] == edited["parameters"], "Ctrl+Y has undone")
            with_control(y)
            window.wait("an undo", lambda s: s["parameters"] != edited["parameters"])
            quit(window)
    finally:
        subprocess.run([setxkbmap, "us"], check=True, timeout=PATIENCE)


def opens_and_saves_as():
    """A scene is opened by its path, has its name in the title, and is saved in another folder."""
    folder = WORK / "elsewhere"
    folder.mkdir()
    shutil.copy(WORK / "door.json", folder / "mine.json")
    with Window("--demo", "elasto_gap") as window:
        window.key("ctrl+o", "the dialog", lambda s: "file" in s and s["isTextWanted"])
        window.press("ctrl+a")
        xdotool("type", "--delay", "60", str(folder / "mi"))
        window.press("Tab")
        window.press("Return")
        opened = window.wait("the scene", lambda s: s["demo"] == "mine")
        require("Elasto gallery - " in opened["title"] and "door" in opened["title"].lower(), opened["title"])
        window.key("ctrl+shift+s", "the dialog", lambda s: "file" in s and s["isTextWanted"])
        window.press("ctrl+a")
        xdotool("type", "--delay", "60", str(folder / "again.elrec"))
        window.press("Return")
        window.wait("the recording", lambda s: (folder / "again.elrec").exists())
        # From now on files go there.
        xdotool("key", "ctrl+e")
        window.wait("the scene's file", lambda s: (folder / "mine_2.json").exists())
        window.quit()


def rests():
    """What nobody sees, and what stands still, costs next to nothing."""
    def used(process):
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    process = subprocess.Popen([GALLERY, "--demo", "elasto_gap", "--size", "640x480", "--no-shadows",
                                "--no-multisampling"], cwd=WORK)
    try:
        found = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--pid", str(process.pid)],
                               check=True, timeout=PATIENCE, capture_output=True, text=True).stdout.split()[0]
        xdotool("windowfocus", "--sync", found)

        def settles(what):
            """Waits for two seconds of the clock with almost no time of the processor; their number does not matter."""
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                before = used(process)
                time.sleep(2)
                if used(process) - before <= 0.05:
                    return
            raise Failure(f"{what}: it goes on working")

        time.sleep(1)
        require(process.poll() is None, "the gallery ended")
        xdotool("windowunmap", "--sync", found)
        settles("hidden")
        xdotool("windowmap", "--sync", found)
        before = used(process)
        end = time.monotonic() + PATIENCE
        while used(process) - before < 0.1:
            require(time.monotonic() < end, "it does not go on when it is seen again")
            time.sleep(0.1)
        xdotool("windowfocus", "--sync", found)
        xdotool("key", "space")
        settles("paused")
        before = used(process)
        xdotool("key", "space")
        end = time.monotonic() + PATIENCE
        while used(process) - before < 0.1:
            require(time.monotonic() < end, "no key wakes it")
            time.sleep(0.1)
        xdotool("key", "ctrl+q")
        require(process.wait(PATIENCE) == 0, "it ended with an error")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def drive():
    shows_tour()
    with Window("--demo", "elasto_gap") as window:
        free = time_passes_and_stands(window)
        pulled = drag(window)
        moved_one_body_alone(free, pulled)
        rewind(window, pulled)
        go_on(window, edit(window))
        search(window)
        window.quit()
    shows_recording("elasto_gap_2.elrec", pulled)
    adds_a_stop()
    follows_after_an_edit()
    goes_to_the_worst_tick()
    plays_pinball()
    poses_a_robot()
    works_without_a_mouse()
    understands_other_layouts()
    opens_and_saves_as()
    rests()
    replay = subprocess.run([ELASTO, "replay", str(WORK / "elasto_gap_2.elrec"), "--check"], capture_output=True,
                            text=True, timeout=PATIENCE)
    require(replay.returncode == 0, f"the recording does not run again: {replay.stdout}{replay.stderr}")
    kept = json.loads((WORK / "config/elasto/gallery.json").read_text())
    for name, usual in (("shadows", True), ("multisampling", True), ("windowWidth", 1600)):
        require(kept[name] == usual, f"an option of one run was kept as a setting: {name} = {kept[name]}")
    partial = [str(p) for p in WORK.rglob("*") if ".part" in p.name or ".tmp" in p.name]
    require(not partial, f"partial files: {partial}")


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    os.environ["XDG_CONFIG_HOME"] = str(WORK / "config")
    os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
    try:
        drive()
    except Failure as failure:
        print(f"window test: {failure}", file=sys.stderr)
        return 1
    print("window test: all is well")
    return 0


sys.exit(main())
