#!/bin/sh
# Puts lavapipe of Mesa 25, which Debian 13 has, into .venv/lavapipe25 on Debian 12 and prints the path
# of its manifest, for VK_DRIVER_FILES (VK_ICD_FILENAMES for loaders older than 1.3.207). It is extracted
# from Debian 12's backports, whose build uses the libraries of Debian 12, without keeping or installing
# the rest. If the machine's own lavapipe is as new, prints its manifest.
# LAVAPIPE25_DEB names a package that was downloaded before.
set -eu
cd "$(dirname "$0")/.."

say() { printf 'lavapipe25: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}
. ci/packages.sh

fetch() {
    backport "$1" mesa-vulkan-drivers ||
        fail 'apt-get cannot download mesa-vulkan-drivers of backports, as Debian 12 has them'
}
command -v dpkg >/dev/null 2>&1 || fail 'dpkg is needed, as Debian has it'
own=$(dpkg-query -W -f '${Version}' "mesa-vulkan-drivers:$(dpkg --print-architecture)" 2>/dev/null || true)
if [ -n "$own" ] && dpkg --compare-versions "$own" ge 25; then
    say "the machine's own lavapipe is of Mesa $own"
    find /usr/share/vulkan/icd.d -name 'lvp_icd*.json' -print -quit
else
    sh ci/setup.sh >&2 # installs the machine's own lavapipe, and so the libraries
    driver lavapipe25 libvulkan_lvp.so lvp_icd.json "${LAVAPIPE25_DEB:-}"
fi
