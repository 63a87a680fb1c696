#!/bin/sh
# Reports the lines and the modules that differ from BASE, in the summary of CI's job if there is one.
#   sh ci/changes.sh BASE [HEAD]     revisions of git; without HEAD, the working tree
set -eu
cd "$(dirname "$0")/.."
SM5VK_DEVICE=reference sh ci/setup.sh
.venv/bin/python -m tools.changes "$@" >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"
