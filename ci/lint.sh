#!/bin/sh
# Style and types: the same checks in CI, before tests and before commits.
set -eu
cd "$(dirname "$0")/.."
sh ci/setup.sh test
.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/pyright
