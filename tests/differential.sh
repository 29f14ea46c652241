#!/bin/sh
# Looks for machines that Elasto moves wrongly: random ones, each at a random rate, against CVODE where it solves them,
# against themselves at 4000 Hz elsewhere, and against what must hold for all (momentum, energy, heat, joints).
#
#   sh tests/differential.sh --minutes 60 --seed 1 [--precision double|single] [OPTION...]
#
# Further options are the program's: --scenes N, --hz 60,240, --family chain,crank, --jobs N, --shrink, --keep FOLDER,
# --repeat chain:1:17, --allowed N, --silent-only; --help says them all. Each failure is told with the command that repeats it.
# Exit code: 0 if nothing is wrong in silence, 1 if something is, 2 for a wrong command, 3 if a file cannot be written.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

precision=double
jobs=$(nproc)
count=$#
while [ "$count" -gt 0 ]; do
    option=$1
    shift
    count=$((count - 1))
    case $option in
        --precision | --jobs | --keep)
            if [ "$count" -eq 0 ]; then echo "$option needs a value" >&2; exit 2; fi
            value=$1
            shift
            count=$((count - 1))
            case $option in
                --precision) precision=$value ;;
                --jobs) jobs=$value ;;
                --keep)
                    mkdir -p -- "$value" || exit 3
                    set -- "$@" --keep "$(CDPATH='' cd -- "$value" && pwd)"
                    ;;
            esac
            ;;
        *) set -- "$@" "$option" ;;
    esac
done
case $precision in
    double | single) ;;
    *) echo "--precision '$precision' is not allowed; it must be double or single" >&2; exit 2 ;;
esac
cd "$root"
. ./cmake/debian_packages.sh
install_for_tests

build=build/tests
program=elasto-differential-$precision
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DELASTO_UNITY=ON
cmake --build "$build" --parallel "$(nproc)" --target "$program"
exec "$build/tests/differential/$program" --jobs "$jobs" "$@"
