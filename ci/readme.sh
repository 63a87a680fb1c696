#!/bin/sh
# Runs the README's two commands as a new user does, and prints how long each took.
# Further arguments go to the second: sh ci/readme.sh --slow
set -eu
cd "$(dirname "$0")/.."

# timed COMMAND...: runs it, and prints its time and exit code
timed() {
    begin=$(date +%s)
    code=0
    "$@" || code=$?
    printf 'readme: %s: exit code %d after %d s\n' "$*" "$code" "$(($(date +%s) - begin))" >&2
    return "$code"
}

timed sh ci/demo.sh
timed sh ci/test.sh "$@"
