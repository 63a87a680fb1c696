#!/bin/sh
# Puts SwiftShader, a software Vulkan driver with few features, into .venv/swiftshader and prints
# the path of its manifest, for VK_DRIVER_FILES (VK_ICD_FILENAMES for loaders older than 1.3.207).
# It is extracted from Debian's chromium-common, without keeping or installing the rest, and without
# changes outside of the clone. SWIFTSHADER_DEB names a package that was downloaded before.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
target=$root/.venv/swiftshader
package=chromium-common

say() { printf 'swiftshader: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

. ci/packages.sh

# unpack DEB FOLDER: unpacks in FOLDER, and moves the driver and its manifest to $target
unpack() {
    dpkg-deb -x "$1" "$2/files" || fail "$1 is not a Debian package"
    library=$(find "$2/files" -name libvk_swiftshader.so)
    manifest=$(find "$2/files" -name vk_swiftshader_icd.json)
    [ -f "$library" ] && [ -f "$manifest" ] || fail "$1 has no SwiftShader in it"
    mkdir -p "$target"
    mv "$library" "$target/libvk_swiftshader.so"
    mv "$manifest" "$target/vk_swiftshader_icd.json" # last: if it exists, the driver is complete
}

if [ ! -f "$target/vk_swiftshader_icd.json" ]; then
    command -v dpkg-deb >/dev/null 2>&1 || fail 'dpkg-deb is needed, as Debian and Ubuntu have it'
    # make the environment first, because that would clear .venv; it needs no other driver
    .venv/bin/pip --version >/dev/null 2>&1 ||
        VK_DRIVER_FILES=$target/vk_swiftshader_icd.json sh ci/setup.sh >&2
    work=$(mktemp -d "$root/.venv/swiftshader-XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    if [ -n "${SWIFTSHADER_DEB:-}" ]; then
        unpack "$SWIFTSHADER_DEB" "$work"
    else
        command -v apt-get >/dev/null 2>&1 || fail 'apt-get is needed, or a package in SWIFTSHADER_DEB'
        download "$work" "$package" || fail "apt-get cannot download $package, which Debian has and Ubuntu has not"
        unpack "$(find "$work" -maxdepth 1 -name '*.deb')" "$work"
    fi
fi
printf '%s\n' "$target/vk_swiftshader_icd.json"
