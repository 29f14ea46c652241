# shellcheck shell=sh
# Sourced by demos/run.sh, tests/run.sh, plugin/docs/build.sh, tests/fuzz.sh and tests/peers/run.sh: installs the Debian
# packages that are missing, and says so.

# What every build needs: compiler, build tools, Bullet in both precisions and the libraries of the elasto command
# and of elasto-gallery.
install_for_demos() {
    install_missing g++ cmake ninja-build pkg-config libbullet-dev libeigen3-dev libtbb-dev \
        nlohmann-json3-dev libvalijson-dev libboost-dev libxxhash-dev \
        libtinyxml2-dev libsundials-dev libcli11-dev libfmt-dev gnuplot-nox libmatio-dev \
        libepoxy-dev libegl-dev libegl1 libgl1 libgl1-mesa-dri libglfw3-dev libimgui-dev libstb-dev zlib1g-dev \
        fonts-dejavu-core
}

install_for_tests() {
    install_for_docs
    install_missing catch2 libbenchmark-dev man-db python3-scipy binutils xvfb xauth xdotool slurm-wlm munge gzip lintian colcon \
        python3-colcon-ros python3-colcon-package-information python3-colcon-package-selection python3-colcon-output
}

# plugin/docs/build.sh: the site, from pages and headers.
install_for_docs() {
    install_for_demos
    install_missing doxygen python3 python3-sphinx python3-myst-parser python3-breathe furo python3-sphinx-copybutton \
        libjs-katex fonts-katex
}

# tests/fuzz.sh with sanitizers: libFuzzer is Clang's, and llvm names the lines of what was found.
install_for_fuzzing() {
    install_for_tests
    install_missing clang libclang-rt-dev llvm
}

# What tests/peers compares with; nothing else needs it.
install_for_peers() {
    install_for_demos
    install_missing libmujoco-dev libsimbody-dev libode-dev
}

# install_missing PACKAGE...
install_missing() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        echo "This is not a Debian system: these packages, or your system's own, must be there: $*"
        return 0
    fi
    missing=
    for package in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true) in
            *' installed') ;;
            *) missing="$missing $package" ;;
        esac
    done
    if [ -z "$missing" ]; then
        return 0
    fi
    echo "Installing Debian packages:$missing"
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            echo "Neither root nor sudo. As root, type: apt-get install$missing" >&2
            return 1
        fi
        as_root=sudo
    fi
    $as_root apt-get update -qq
    # shellcheck disable=SC2086 # the list is meant to be split
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
}
