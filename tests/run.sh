#!/bin/sh
# Installs what is missing, builds everything with warnings as errors, and passes all tests in both precisions.
#
#   sh tests/run.sh [--fast]
#
# --fast leaves out the tests that take more than a quarter of a second.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
label=.
case $* in
    '') ;;
    --fast) label=fast ;;
    *) echo "usage: sh tests/run.sh [--fast]" >&2; exit 2 ;;
esac
cd "$root"
. ./cmake/debian_packages.sh

install_for_tests

build=build/tests
jobs=$(nproc)
echo "Building into $build with $jobs jobs."
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DELASTO_UNITY=ON -DELASTO_BUILD_TESTS=ON -DELASTO_BUILD_TOOLS=ON
cmake --build "$build" --parallel "$jobs"
echo 'Testing.'
exec ctest --test-dir "$build" --parallel "$jobs" --output-on-failure --label-regex "$label"
