#!/bin/sh
# Builds the wheel with a part of the translator compiled by mypyc (setup.py, ci/backend.py), checks that it translates
# shaders to the same bytes, and runs the tests with it. Takes minutes, and needs a C
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
# Left out: tests that give compiled code other types or set its attributes, look at classes and calls
# of Python, or need what the source distribution lacks
parser=tests/unit/ir/test_parser.py cached=tests/unit/vkrunner/shader/cache/test_shader.py
compiled -m pytest -q -n auto --dist worksteal -p no:cacheprovider tests \
    --ignore tests/proofs --ignore tests/ir/test_damage.py --ignore tests/unit/ir/test_fit.py \
    --ignore tests/ci --ignore tests/unit/test_compiled.py --ignore tests/unit/test_dataclass.py \
    --deselect "$parser::test_floats_keep_their_bits" \
    --deselect tests/unit/ir/test_verify.py::test_damage_is_found \
    --deselect "$cached::test_options_without_json_are_not_cached" \
    --deselect tests/running/test_way.py::test_an_instruction_passes_few_functions \
    --deselect tests/tools/test_gpu.py::test_refusals \
    --deselect tests/docs/test_site.py::test_links_are_valid
if [ -n "${1:-}" ]; then
    mkdir -p "$1"
    cp "$work"/dist/*.whl "$1"
    say "kept in $1"
fi
