#!/bin/sh
# Looks for what breaks Elasto: random worlds, random networks and changed files of every kind, against what must hold
# for any of them; with AddressSanitizer and UndefinedBehaviorSanitizer, and libFuzzer for the readers of files.
#
#   sh tests/fuzz.sh --minutes 60 --seed 1 [--keep FOLDER] [--no-sanitizers]
#
# Each failure is told with the command that repeats it. Exit code 1 if there is any.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

minutes=10
seed=1
mix=all # what worlds may hold
sanitizers=yes
keep=
while [ $# -gt 0 ]; do
    case $1 in
        --minutes | --seed | --keep)
            if [ $# -lt 2 ]; then echo "$1 needs a value" >&2; exit 2; fi
            ;;
    esac
    case $1 in
        --minutes) minutes=$2; shift 2 ;;
        --seed) seed=$2; shift 2 ;;
        --keep) keep=$2; shift 2 ;;
        --no-sanitizers) sanitizers=no; shift ;;
        *)
            echo "usage: sh tests/fuzz.sh [--minutes N] [--seed S] [--keep FOLDER] [--no-sanitizers]" >&2
            exit 2
            ;;
    esac
done
for number in "$minutes" "$seed"; do
    case $number in
        '' | *[!0-9]* | 0?* | ????????????*)
            echo "'$number' is not allowed; it must be a whole number of at most eleven digits" >&2
            exit 2
            ;;
    esac
done
if [ "$minutes" -eq 0 ]; then echo '--minutes 0 is not allowed; it must be at least 1' >&2; exit 2; fi
if [ -n "$keep" ]; then
    mkdir -p -- "$keep"
    keep=$(CDPATH='' cd -- "$keep" && pwd)
fi
cd "$root"
. ./cmake/debian_packages.sh

programs='elasto-fuzz-worlds-double elasto-fuzz-worlds-single elasto-fuzz-networks elasto-fuzz-files'
readers='scene robot_scene robot elements sweep recording table'
if [ "$sanitizers" = yes ]; then
    install_for_fuzzing
    build=build/fuzz
    # Optimised less, and with lines for reports only: half of the time to build, for a campaign nearly as fast.
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++ \
        -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -DNDEBUG -gline-tables-only' \
        -DELASTO_BUILD_FUZZERS=ON -DELASTO_BUILD_GALLERY=OFF -DELASTO_UNITY=ON
    for reader in $readers; do programs="$programs elasto-libfuzzer-$reader"; done
else
    install_for_tests
    build=build/tests
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DELASTO_UNITY=ON
fi
# shellcheck disable=SC2086 # a list
cmake --build "$build" --parallel "$(nproc)" --target $programs
bin=$build/tests/fuzz
keep=${keep:-$root/$build/findings}
mkdir -p "$keep"

# Sanitizers end a program at their first finding. Too much memory is refused as on any machine, by an exception.
ASAN_OPTIONS=allocator_may_return_null=1:hard_rss_limit_mb=4000
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export ASAN_OPTIONS UBSAN_OPTIONS
limit=5
if [ "$sanitizers" = yes ]; then limit=60; fi

summary=$keep/summary.txt
: > "$summary"
failed=0

# ended NAME CODE LOG LINE: what a campaign found, now and at the end.
ended() {
    grep -A 2 '^FAILED' "$3" | head -n 300 || true
    if [ "$2" -ne 0 ]; then
        failed=$((failed + 1))
        # Something else than a finding: the reason is what it said last.
        grep -q '^FAILED' "$3" || tail -n 40 "$3"
    fi
    printf '%s: %s\n' "$1" "$4" | tee -a "$summary"
}

# programs_own NAME PROGRAM OPTION...: one that keeps its own time and summary.
programs_own() {
    name=$1
    log=$keep/$1.log
    shift
    echo "== $*"
    code=0
    "$@" > "$log" 2>&1 || code=$?
    grep ' files, ' "$log" || true
    ended "$name" "$code" "$log" "$(tail -n 1 "$log")"
}

# worlds PRECISION SECONDS: pieces of some seeds until the time is over.
worlds() {
    program=$bin/elasto-fuzz-worlds-$1
    log=$keep/worlds-$1.log
    : > "$log"
    end=$(($(date +%s) + $2))
    next=$seed
    code=0
    echo "== $program from seed $seed on for $2 s"
    while [ "$(date +%s)" -lt "$end" ]; do
        "$program" --seed "$next" --count 5 --mix "$mix" >> "$log" 2>&1 || code=$?
        next=$((next + 5))
    done
    ended "worlds-$1" "$code" "$log" "$(grep -c '^FAILED' "$log" || true) of $((next - seed)) worlds failed"
}

# libfuzzer READER SECONDS: it ends at each finding, and begins again with another seed.
libfuzzer() {
    program=$bin/elasto-libfuzzer-$1
    log=$keep/libfuzzer-$1.log
    : > "$log"
    corpus=$build/corpus/$1
    mkdir -p "$corpus"
    end=$(($(date +%s) + $2))
    round=0
    findings=0
    echo "== $program for $2 s"
    while [ "$(date +%s)" -lt "$end" ] && [ "$findings" -lt 20 ]; do
        if ! "$program" -seed=$((seed + round)) -max_total_time=$((end - $(date +%s))) -timeout="$limit" \
            -rss_limit_mb=4000 -max_len=100000 -mutate_depth=2 -print_final_stats=1 -artifact_prefix="$keep/$1-" \
            "$corpus" "$build/seeds/$(echo "$1" | tr _ -)" > "$log.round" 2>&1; then
            findings=$((findings + 1))
            file=$(sed -n 's/.*Test unit written to //p' "$log.round" | tail -n 1)
            echo "FAILED: $(grep -m 1 -e '^FAILED: ' -e 'runtime error' -e '^SUMMARY' "$log.round" | sed 's/^FAILED: //' |
                cut -c 1-300)" >> "$log"
            echo "  $program $file" >> "$log"
        fi
        cat "$log.round" >> "$log.all"
        grep 'stat::number_of_executed_units' "$log.round" >> "$log" || true
        round=$((round + 1))
    done
    inputs=$(awk '/number_of_executed_units/ { n += $2 } END { print n + 0 }' "$log")
    ended "libfuzzer-$1" "$findings" "$log" "$findings of $inputs inputs failed"
}

# Shares of the time, in hundredths. Without libFuzzer the changed files get its share.
hundredth() { echo $((minutes * 60 * $1 / 100)); }
worlds double "$(hundredth 20)"
worlds single "$(hundredth 20)"
programs_own networks "$bin/elasto-fuzz-networks" --seed "$seed" --seconds "$(hundredth 10)" --limit "$limit"
files=$(hundredth 22)
if [ "$sanitizers" = no ]; then files=$(hundredth 50); fi
programs_own files "$bin/elasto-fuzz-files" --seed "$seed" --seconds "$files" --limit "$limit" --keep "$keep" --shrink
if [ "$sanitizers" = yes ]; then
    "$bin/elasto-fuzz-files" --write-seeds "$build/seeds"
    for reader in $readers; do libfuzzer "$reader" "$(hundredth 4)"; done
fi

echo
echo "Summary ($summary; files that failed lie beside it):"
cat "$summary"
[ "$failed" -eq 0 ]
