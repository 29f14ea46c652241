#!/bin/sh
# Builds the documentation site: build/site/html/index.html. Installs what is missing; warnings are errors.
#
#   sh plugin/docs/build.sh [--pictures FOLDER]
#
# Pages are run as they stand, which makes their pictures. --pictures takes them from a folder (`pages.py run --pictures`).
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
pictures=
case $#:${1:-} in
    0:) ;;
    2:--pictures) pictures=$(CDPATH='' cd -- "$2" && pwd) ;;
    *) echo "usage: sh plugin/docs/build.sh [--pictures FOLDER]" >&2; exit 2 ;;
esac
cd "$root"
. ./cmake/debian_packages.sh
install_for_docs

site=$root/build/site
rm -rf "$site"
mkdir -p "$site"
if [ -z "$pictures" ]; then
    build=$root/build/docs
    jobs=$(nproc)
    echo "Building the programs into build/docs with $jobs jobs."
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DELASTO_UNITY=ON -DELASTO_BUILD_TESTS=OFF >/dev/null
    cmake --build "$build" --parallel "$jobs"
    cmake --install "$build" --prefix "$build/prefix" >/dev/null
    pictures=$site/pictures
    PATH=$build/prefix/bin:$PATH CMAKE_PREFIX_PATH=$build/prefix \
        PKG_CONFIG_PATH=$(dirname "$(find "$build/prefix" -name elasto.pc)") \
        python3 plugin/docs/pages.py run README.md plugin/docs/*.md plugin/docs/tutorials/*.md --pictures "$pictures" --jobs "$jobs"
fi

# Sphinx reads a copy, to which the pictures are added: the sources stay as they are.
source=$site/source
mkdir -p "$source/plugin" "$source/plugin/docs/_static"
cp -r plugin/docs/. "$source/plugin/docs"
cp -r "$pictures" "$source/plugin/docs/_pictures"
cp -rL /usr/share/javascript/katex "$source/plugin/docs/_static/katex"
# What pages link to lies beside them, as in the sources.
for linked in * plugin/*; do
    case $linked in build* | plugin | plugin/docs) ;; *) ln -s "$root/$linked" "$source/$linked" ;; esac
done

(cat plugin/docs/Doxyfile; echo "OUTPUT_DIRECTORY = $site/doxygen") | doxygen -
ELASTO_SOURCE=$root ELASTO_DOXYGEN_XML=$site/doxygen/xml \
    sphinx-build -W --keep-going -q -b html "$source/plugin/docs" "$site/html"
# Debian's Furo names a style sheet by a path of a web server's, and imports one script into another, which browsers refuse
# where pages are files.
cp /usr/share/javascript/normalize.css/normalize.css "$site/html/_static/styles"
sed -i 's|/javascript/normalize.css/normalize.css|normalize.css|' "$site/html/_static/styles/furo.css"
scripts=$site/html/_static/scripts
{ sed 's/^export default.*//' "$scripts/gumshoe-patched.js"; sed '/^import /d' "$scripts/furo.js"; } > "$scripts/joined.js"
mv "$scripts/joined.js" "$scripts/furo.js"
python3 plugin/docs/pages.py html "$site/html"
echo "Look at build/site/html/index.html."
