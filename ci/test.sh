#!/bin/sh
# Sets up, then runs the tests, except those marked slow and those that need large packages
# (tests/extras.py). Arguments go to pytest:
#   sh ci/test.sh -k saxpy
#   sh ci/test.sh --extras                   checks style, types and imports too, and leaves out no test
#                                            for want of a package: it installs all, 1 GB
#   sh ci/test.sh --extras --slow            every check and most tests, as CI does
#   sh ci/test.sh --extras --thorough        every test, as CI does at night
#   SM5VK_DEVICE=reference sh ci/test.sh     without Vulkan: on the reference machine
set -eu
cd "$(dirname "$0")/.."
lint=
case " $* " in
*" --extras "*)
    sh ci/setup.sh extras
    # Some tests run on other drivers too, which only Debian has; the last needs root, and minutes once.
    for driver in swiftshader lavapipe25 mesa26; do
        { sh ci/$driver.sh >/dev/null || printf 'test: no %s: its tests are left out\n' $driver >&2; } &
    done
    wait
    # Style, types and imports are checked in parallel with the tests, because that takes a minute of
    # one core. The output follows the tests'.
    said=$(mktemp)
    trap 'rm -f "$said"' EXIT
    sh ci/lint.sh >"$said" 2>&1 &
    lint=$!
    ;;
*) sh ci/setup.sh test ;;
esac

layer='import sys; from vkrunner.vulkan.loader.instance import *; sys.exit(validation_layer() is None)'

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
# The tests start hundreds of processes; without bytecode files each would compile the packages again,
# and NumPy would start a thread for each core.
unset PYTHONDONTWRITEBYTECODE
OPENBLAS_NUM_THREADS=1
export OPENBLAS_NUM_THREADS
if [ $# = 0 ]; then
    printf 'test: collecting some 21,000 tests, which takes a minute or two; all take 12 minutes on two cores\n' >&2
fi
result=0
.venv/bin/python -m pytest -n auto --dist worksteal "$@" || result=$?
if [ -n "$lint" ]; then
    wait "$lint" || result=1
    cat "$said"
fi
exit "$result"
