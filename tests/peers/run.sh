#!/bin/sh
# Compares Elasto with plain Bullet, MuJoCo, Simbody and ODE: installs what is missing, builds, measures, draws.
# Arguments are those of elasto-peers, e.g. --only random-drops --drops 50.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
cd "$root"
. ./cmake/debian_packages.sh

install_for_peers

build=build/peers
output=out/peers
jobs=$(nproc)
mkdir -p "$build"
echo "Building into $build with $jobs jobs."
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DELASTO_BUILD_TESTS=OFF -DELASTO_BUILD_GALLERY=OFF \
    -DELASTO_BUILD_PEERS=ON >"$build.log" 2>&1 || { cat "$build.log" >&2; exit 1; }
grep 'peers:' "$build.log"
cmake --build "$build" --parallel "$jobs" --target elasto-peers

dpkg-query -W -f '${Package} ${Version}\n' libbullet-dev libmujoco-dev libsimbody-dev libode-dev 2>/dev/null || true
# What engines say of runs that explode goes into a file of its own.
mkdir -p "$output"
status=0
"$build/tests/peers/elasto-peers" --output "$output" "$@" 2>"$output/messages.txt" || status=$?
if [ "$status" -gt 1 ]; then tail -n 5 "$output/messages.txt" >&2; fi
exit "$status"
