#!/bin/sh
# Puts SwiftShader, a software Vulkan driver with few features, into .venv/swiftshader and prints
# the path of its manifest, for VK_DRIVER_FILES (VK_ICD_FILENAMES for loaders older than 1.3.207).
# It is extracted from Debian's chromium-common, without keeping or installing the rest, and without
# changes outside of the clone. SWIFTSHADER_DEB names a package that was downloaded before.
set -eu
cd "$(dirname "$0")/.."

say() { printf 'swiftshader: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}
. ci/packages.sh

fetch() {
    download "$1" chromium-common ||
        fail 'apt-get cannot download chromium-common, which Debian has and Ubuntu has not'
}
# the environment needs no other driver
.venv/bin/pip --version >/dev/null 2>&1 || VK_DRIVER_FILES=/nonexistent sh ci/setup.sh >&2
driver swiftshader libvk_swiftshader.so vk_swiftshader_icd.json "${SWIFTSHADER_DEB:-}"
