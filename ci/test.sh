#!/bin/sh
# Sets up, then runs every check. Further arguments go to pytest: sh ci/test.sh -k saxpy
set -eu
cd "$(dirname "$0")/.."
sh ci/setup.sh test

# With CI set a missing driver fails the tests that need one, instead of skipping them.
CI=1
SM5VK_VALIDATION=1
export CI SM5VK_VALIDATION

.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/pyright
.venv/bin/python -m pytest -n auto "$@"
