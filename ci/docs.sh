#!/bin/sh
# Builds the documentation into site/; what is unclear about it, as a dead link, is an error.
#   sh ci/docs.sh           once
#   sh ci/docs.sh serve     and again after each change, on a port of this machine
set -eu
cd "$(dirname "$0")/.."
sh ci/setup.sh docs
.venv/bin/mkdocs "${1:-build}" --strict
