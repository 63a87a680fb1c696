#!/bin/sh
# Prints the versions of all packages that results may depend on, one per line: the Debian packages of
# ci/setup.sh, and the Python packages in .venv.
set -eu
cd "$(dirname "$0")/.."
dpkg-query -W -f '${Package} ${Version}\n' python3 gcc libc6 libvulkan1 \
    mesa-vulkan-drivers vulkan-validationlayers 2>/dev/null || true
[ ! -x .venv/bin/python ] || .venv/bin/python - <<'END'
import platform
from importlib.metadata import distributions

print("Python", platform.python_version())
for line in sorted({f"{d.name} {d.version}" for d in distributions()}, key=str.lower):
    print(line)
END
