#!/bin/sh
# Builds the documentation into site/; warnings, such as dead links, are errors.
#   sh ci/docs.sh           builds it once
#   sh ci/docs.sh serve     serves it on a local port, and rebuilds it after each change
set -eu
cd "$(dirname "$0")/.."
sh ci/setup.sh docs
.venv/bin/python -m mkdocs "${1:-build}" --strict
