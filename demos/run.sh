#!/bin/sh
# Builds Elasto, draws Modelica's own examples, solved by rigid bodies in a Bullet world at 60 Hz, and opens the gallery.
# Installs what is missing. Without a display the pictures are written and that is all.
set -eu
if [ $# -gt 0 ]; then echo "usage: sh demos/run.sh" >&2; exit 2; fi
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
. ./cmake/debian_packages.sh

install_for_demos

build=build/demo
pictures=build/pictures
elasto=$build/bin/elasto
gallery=$build/bin/elasto-gallery
jobs=$(nproc)
mkdir -p "$build" "$pictures"
echo "Building into $build with $jobs jobs."
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DELASTO_UNITY=ON -DELASTO_BUILD_TESTS=OFF -DELASTO_BUILD_TOOLS=ON >"$build.log" 2>&1 ||
    { cat "$build.log" >&2; exit 1; }
# Only what is shown: no single precision.
cmake --build "$build" --parallel "$jobs" --target elasto-command elasto-gallery-program

echo
echo 'Two of Modelica'"'"'s examples against their reference, at 60, 240 and 1000 Hz:'
"$elasto" verify elasto_gap backlash
echo
echo 'Modelica'"'"'s ElastoGap example at 60 Hz, recorded and drawn:'
"$elasto" run elasto_gap --hz 60 --csv "$pictures/elasto_gap.csv"
"$elasto" plot "$pictures/elasto_gap.csv" --signals 'mass*.s' 'elastoGap*.f' \
    --title "Modelica's ElastoGap example in Bullet at 60 Hz" -o "$pictures/elasto_gap.png"
for arm in arm6 arm6_without_backlash; do "$elasto" run "$arm" --csv "$pictures/$arm.csv"; done
"$elasto" plot "$pictures/arm6.csv" "$pictures/arm6_without_backlash.csv" --signals 'tip.r_0[2]' --over yaw.motor.phi \
    --title "Six-axis arm at 240 Hz: its tip over the angle of the yaw's motor" -o "$pictures/arm6_hysteresis.png"
"$elasto" figure elastogap -o "$pictures/elastogap_characteristics.png"
"$elasto" figure elastobacklash -o "$pictures/elastobacklash_characteristics.png"
"$gallery" --demo elasto_gap --screenshot "$pictures/gallery_elasto_gap.png"
"$gallery" --demo stiff_stop --screenshot "$pictures/gallery_comparison.png"
for picture in "$pictures"/*.png; do echo "  $picture"; done

echo
echo "Look at $pictures/elasto_gap.png: mass2 bounces between two stops, whose forces only ever push (f <= 0) and never jump."

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    echo
    echo 'The gallery opens; F1 shows its keys.'
    "$gallery"
else
    echo "Without a display the gallery makes pictures: $gallery --list, then --demo NAME --screenshot FILE."
fi
