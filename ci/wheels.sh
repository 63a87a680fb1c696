#!/bin/sh
# Builds compiled wheels for this processor, one for each Python that pyproject.toml names, in containers of
# manylinux, and tests each: cibuildwheel reads pyproject.toml. Needs Docker or Podman; takes an hour.
#   sh ci/wheels.sh FOLDER     puts the wheels into FOLDER
set -eu
cd "$(dirname "$0")/.."
[ "$#" -eq 1 ] || {
    echo 'wheels: where to? sh ci/wheels.sh FOLDER' >&2
    exit 1
}
sh ci/setup.sh test
.venv/bin/pip install --quiet -c ci/constraints.txt cibuildwheel
.venv/bin/cibuildwheel --platform linux --output-dir "$1" .
.venv/bin/twine check --strict "$1"/*.whl
