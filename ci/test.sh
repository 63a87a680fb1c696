#!/bin/sh
# Sets up, then runs every check but the tests marked slow. Further arguments go to pytest:
#   sh ci/test.sh --slow                     the slow tests too, as CI does
#   sh ci/test.sh -k saxpy
#   SM5VK_DEVICE=reference sh ci/test.sh     without Vulkan: on the reference machine
set -eu
cd "$(dirname "$0")/.."
sh ci/setup.sh test
# Style and types are checked in parallel with the tests, because that takes a minute of one core. The
# output follows the tests'.
said=$(mktemp)
trap 'rm -f "$said"' EXIT
sh ci/lint.sh >"$said" 2>&1 &
lint=$!

layer='import sys; from vkrunner.vulkan.loader.validation import *; sys.exit(validation_layer() is None)'

# If CI is set, a missing driver fails the tests that need one, instead of skipping them.
CI=1
SM5VK_VALIDATION=1
export CI SM5VK_VALIDATION
if [ "${SM5VK_DEVICE:-}" = reference ]; then # hide installed drivers
    VK_DRIVER_FILES=/nonexistent
    VK_ICD_FILENAMES=/nonexistent
    SM5VK_VALIDATION=
    export VK_DRIVER_FILES VK_ICD_FILENAMES
elif ! .venv/bin/python -c "$layer"; then
    printf 'test: the validation layer is not installed: the tests run without it\n' >&2
    SM5VK_VALIDATION= # otherwise every command would print a warning, which tests do not expect
fi
# The tests start hundreds of processes; without bytecode files each would compile the packages again.
unset PYTHONDONTWRITEBYTECODE
result=0
.venv/bin/python -m pytest -n auto --dist worksteal "$@" || result=$?
wait "$lint" || result=1
cat "$said"
exit "$result"
