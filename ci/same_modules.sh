#!/bin/sh
# Checks that a compiled translator makes the same modules from this clone's shaders as the sources do.
#   sh ci/same_modules.sh [PYTHON]     of the interpreter in which, or in whose PYTHONPATH, it is
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
python=${1:-python}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export SM5VK_CACHE=0
cd "$work"
"$python" -m vkrunner --version | grep -F '(compiled)'
for shaders in shaders tests/corpus tests/textures/data; do
    "$python" -m vkrunner translate "$root/$shaders" --output-dir "made/$shaders" --no-validate
    PYTHONPATH=$root "$python" -m vkrunner translate "$root/$shaders" --output-dir "pure/$shaders" --no-validate
done
diff -r pure made
