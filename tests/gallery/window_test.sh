#!/bin/sh
# Drives elasto-gallery's window on a virtual display with keys and mouse, as a user does, and reads the outcome.
# usage: window_test.sh GALLERY WORK_FOLDER
set -eu
gallery=$1
work=$2
rm -rf "$work"
mkdir -p "$work"
export XDG_CONFIG_HOME="$work/config" LIBGL_ALWAYS_SOFTWARE=1

fail() {
    echo "window test: $*" >&2
    exit 1
}

# run_window STATE_FILE: starts the gallery; sets pid and window.
run_window() {
    "$gallery" --demo elasto_gap --size 1280x720 --no-shadows --no-multisampling --state "$1" "${2:---theme=dark}" &
    pid=$!
    window=$(timeout 60 xdotool search --sync --onlyvisible --pid "$pid" | head -n 1) || fail "no window appeared"
    xdotool windowfocus --sync "$window"
    sleep 1
}

key() {
    xdotool key --delay 150 "$1"
    sleep 0.4
}

# value FILE EXPRESSION: what a Python expression of the state s says.
value() {
    python3 -c 'import json, sys; s = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}
check() {
    test "$(value "$1" "$2")" = True || fail "$1: not so: $2; $(value "$1" 's["tick"], s["lastTick"], s["isPlaying"], s["inputs"] if "inputs" in s else None, s["pixels"]')"
}

# Pause, back to the start, see where the bodies are in the picture, end.
run_window "$work/start.json"
key space
key r
key ctrl+q
wait "$pid" || fail "the gallery ended with code $?"
check "$work/start.json" 's["demo"] == "elasto_gap" and not s["isPlaying"] and s["tick"] == 0'

# Pick a body at the start, let time pass while it is dragged, let it go, pause, rewind.
read -r x y <<EOF
$(value "$work/start.json" '"%d %d" % tuple(s["pixels"]["mass1"])')
EOF
run_window "$work/driven.json"
key space
key r
xdotool mousemove --sync "$x" "$y"
sleep 0.6
xdotool mousedown 1
sleep 0.4
key space
for step in 1 2 3 4 5; do
    xdotool mousemove --sync $((x - 12 * step)) $((y - 8 * step))
    sleep 0.25
done
xdotool mouseup 1
sleep 0.6
key space
for step in 1 2 3 4 5; do key Left; done
# Type another value into a slider of the selected stop, and go on from here: a new branch.
xdotool keydown Control_L mousemove --sync 196 352 sleep 0.3 mousedown 1 sleep 0.2 mouseup 1 sleep 0.3 keyup Control_L
sleep 0.4
xdotool key --delay 80 ctrl+a
xdotool type --delay 120 25
key Return
key Right
key Right
key ctrl+q
wait "$pid" || fail "the gallery ended with code $?"
driven="$work/driven.json"
check "$driven" 'not s["isPlaying"] and s["bitsAreThoseOfTheFirstPass"] and s["trouble"] == ""'
check "$driven" '[i["action"] for i in s["inputs"]][0] == "dragBegin"'
check "$driven" '"dragMove" in [i["action"] for i in s["inputs"]] and "dragEnd" in [i["action"] for i in s["inputs"]]'
check "$driven" '25 in s["parameters"]["elastoGap1"].values()'
check "$driven" 's["inputs"][-1]["action"] == "parameter" and s["inputs"][-1]["tick"] == s["tick"] - 2'
check "$driven" 's["ghosts"] == 1 and s["tick"] == s["lastTick"]'

# Settings were kept, nothing else was left behind.
test -f "$work/config/elasto/gallery.json" || fail "no settings were kept"
test -z "$(find "$work" -name '*.part*' -o -name '*.tmp*')" || fail "partial files: $(find "$work")"
echo "window test: all is well"
