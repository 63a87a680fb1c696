#!/bin/sh
# Builds the source archive and, from it, the wheel without machine code; installs each into an empty environment, and
# uses the wheel from a folder outside of the clone.
#   sh ci/package.sh [FOLDER]     puts both files into FOLDER
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
sh ci/setup.sh release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export SM5VK_COMPILE=0 # ci/wheels.sh builds those with machine code

say() { printf 'package: %s\n' "$*" >&2; }

say 'building'
.venv/bin/python -m build --outdir "$work/dist" . >"$work/build.log" 2>&1 || {
    cat "$work/build.log" >&2
    exit 1
}
.venv/bin/python ci/check_package.py "$work/dist"
.venv/bin/twine check --strict "$work"/dist/*

say 'installing the source archive'
.venv/bin/python -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet "$work"/dist/*.tar.gz
(cd "$work" && venv/bin/sm5vk --version)
rm -rf "$work/venv"

say 'installing the wheel from a requirements file, as in docs/ci.md'
.venv/bin/python -m venv "$work/venv"
mkdir "$work/use" "$work/use/wheels"
cp "$work"/dist/*.whl "$work/use/wheels"
(cd "$work/use" && for wheel in wheels/*.whl; do echo "./$wheel[pytest]"; done >requirements.txt)
(cd "$work/use" && "$work/venv/bin/pip" install --quiet -r requirements.txt)
cp shaders/saxpy.dxbc shaders/saxpy.asm "$work/use"
mkdir "$work/use/shaders"
cp shaders/saxpy.dxbc "$work/use/shaders"
cd "$work/use"
unset PYTHONPATH
PATH=$work/venv/bin:$PATH
export PATH

say 'using it'
sm5vk --version
sm5vk devices
test -f "$(sm5vk --cmake-dir)/sm5vk-config.cmake"
sm5vk translate saxpy.dxbc -o saxpy.spv --interface saxpy.json
sm5vk asm saxpy.asm -o again.dxbc
sm5vk translate shaders --output-dir spirv --interfaces
cmp saxpy.spv spirv/saxpy.dxbc.spv
for device in ${SM5VK_DEVICE:-lavapipe} reference; do
    sm5vk run again.dxbc --groups 1,1,1 --t0 arange:5:f4 --u0 ones:5:f4 --cb0 a=2,count=4 --device "$device" |
        tee printed
    grep -qF '1.0 3.0 5.0 7.0 1.0' printed # 2 * x + 1 for the first four
done
cat >saxpy.shader_test <<'END'
[shader]
file shaders/saxpy.dxbc
[srv 0]
size (buffer, 8)
iota
[uav 0]
size (buffer, 8)
ones
[cb Params]
a = 2.0
count = 7
[test]
dispatch 1 1 1
probe uav 0 (0:7) iota 1 2
END
sm5vk test saxpy.shader_test --device reference
sm5vk selftest --device "${SM5VK_DEVICE:-lavapipe}"
cp "$root/tests/ci/use.py" test_use.py
pytest -q test_use.py
if [ -n "${1:-}" ]; then
    cd "$root"
    mkdir -p "$1"
    cp "$work"/dist/* "$1"
    say "kept in $1"
fi
