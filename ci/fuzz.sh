#!/bin/sh
# Searches for faults: sh ci/fuzz.sh MINUTES FOLDER. Random programs are compared with the reference
# machine, damaged inputs must raise errors, and listings in other tools' dialects must give the same
# programs. Failures are kept in the folder; the exit code is 1 if there are any.
set -eu
cd "$(dirname "$0")/.."
minutes=${1:-30}
folder=${2:-failures}
sh ci/setup.sh test
sh ci/setup.sh fuzz
mkdir -p "$folder"
status=0
.venv/bin/python -m checks.fuzz --minutes "$minutes" --seed "$(date +%s)" --into "$folder" || status=1
.venv/bin/python -m checks.bytes --minutes "$minutes" --target all --into "$folder" || status=1
.venv/bin/python -m checks.dialects --minutes "$minutes" --seed "$(date +%s)" --into "$folder" || status=1
exit "$status"
