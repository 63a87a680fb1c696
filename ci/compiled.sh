#!/bin/sh
# Builds the wheel with a part of the translator compiled by mypyc (setup.py, ci/backend.py), checks that it translates
# shaders to the same bytes, and runs tests of the translator with it. Takes minutes, and needs a C
# compiler and Python's headers (Debian: gcc, python3-dev).
#   sh ci/compiled.sh [FOLDER]     puts the wheel into FOLDER
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
sh ci/setup.sh test
sh ci/setup.sh release
python=$root/.venv/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export SM5VK_CACHE=0

say() { printf 'compiled: %s\n' "$*" >&2; }

say 'building'
SM5VK_COMPILE=1 "$python" -m build --outdir "$work/dist" . >"$work/build.log" 2>&1 || {
    tail -n 40 "$work/build.log" >&2
    exit 1
}
mkdir "$work/tree"
tar -xzf "$work"/dist/*.tar.gz --strip-components=1 -C "$work/tree"
"$python" -m zipfile -e "$work"/dist/*.whl "$work/tree"

# compiled COMMAND...: runs Python with the wheel's modules
compiled() { (cd "$work/tree" && PYTHONPATH=$work/tree "$python" "$@"); }

say 'comparing the modules that both make'
PYTHONPATH=$work/tree sh ci/same_modules.sh "$python"

say 'testing'
# Compiled code does not allow setting the attributes that tests/ir/test_damage.py changes
compiled -m pytest -q -n auto --dist worksteal -p no:cacheprovider \
    --ignore tests/ir/test_damage.py tests/passes tests/ir tests/golden tests/corpus \
    tests/fuzz tests/unit/passes/test_fold.py tests/unit/lower
if [ -n "${1:-}" ]; then
    mkdir -p "$1"
    cp "$work"/dist/*.whl "$1"
    say "kept in $1"
fi
