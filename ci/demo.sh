#!/bin/sh
# Sets up, then runs the smallest kernel: y = a * x + y over 1000 elements.
set -eu
cd "$(dirname "$0")/.."
sh ci/setup.sh

run() {
    printf '$ sm5vk %s\n' "$*"
    .venv/bin/sm5vk "$@"
    echo
}

run devices
run run shaders/saxpy.dxbc --groups 16,1,1 \
    --x arange:1000:f4 --y ones:1000:f4 --Params a=2,count=1000
cat <<'END'
This is y = 2 * x + 1 for x = 0, 1, ..., 999, computed by an HLSL shader: sm5vk works here.
Next, for a shader of your own: docs/getting-started.md, and before it, in each shell,

    . .venv/bin/activate
    sm5vk inspect shaders/saxpy.dxbc
END
