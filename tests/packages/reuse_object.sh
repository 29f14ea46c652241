#!/bin/sh
# CMAKE_CXX_COMPILER_LAUNCHER of a second build of the same sources, which links them differently:
#
#   sh reuse_object.sh BUILT COMMANDS COMPILER ARGUMENT...
#
# Copies the object from the build tree BUILT if the same command made it there from the same file, and compiles it
# otherwise. COMMANDS is a file with BUILT's commands (ninja -t commands). A shared library's -fPIC does not count: all
# of our objects have it once already.
set -eu
built=$1
commands=$2
shift 2

# The text without what differs between two build trees. The second one may lie within the first.
comparable() { sed -e "s#$PWD#.#g" -e "s#$built#.#g" -e 's# -fPIC##g' -e 's#  *# #g' "$@"; }

previous=
for argument in "$@"; do
    case $previous in
        -o) object=$argument ;;
        -c) source=$argument ;;
    esac
    previous=$argument
done
theirs=$built/${source#"$PWD/"}
case $source in "$PWD"/*) ;; *) theirs=$source ;; esac

command=$(printf '%s\n' "$*" | comparable)
if comparable "$commands" | grep -qxF -e "$command" && [ "$(comparable "$source")" = "$(comparable "$theirs")" ] &&
    cp -- "$built/$object" "$object"; then
    exit 0
fi
echo "compiled anew: $object"
exec "$@"
