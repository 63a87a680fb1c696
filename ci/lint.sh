#!/bin/sh
# Style, types and the order of imports: the same checks in CI, before tests and before commits.
set -eu
cd "$(dirname "$0")/.."
sh ci/setup.sh lint
.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/lint-imports --no-cache --no-logo
# The oldest supported Python; the newest NumPy's stubs need the Python that they are installed for.
version=3.11
[ -z "${NEWEST:-}" ] ||
    version=$(.venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
.venv/bin/pyright --pythonversion "$version"
