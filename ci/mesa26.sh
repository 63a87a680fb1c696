#!/bin/sh
# Runs a command of the clone on lavapipe of Mesa 26, or only makes that possible:
#   sh ci/mesa26.sh .venv/bin/sm5vk selftest
#   sh ci/mesa26.sh
#   sh ci/mesa26.sh --mount /folder .venv/bin/python -m tools.benchmarks isa --gpus --shaders /folder
# Mesa 26 needs a newer C library than Debian 12 has, so the command runs in a root file system of
# Debian 13 with the Mesa of its backports. It is made once, in .venv/mesa26, and has Python and an
# environment of its own; the clone is mounted in it, and a folder given by its absolute path. Needs
# root, or sudo without a password, and debootstrap, which it installs if that is missing. If the
# machine's own lavapipe is as new, the command runs on it.
set -eu
cd "$(dirname "$0")/.."

say() { printf 'mesa26: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

folder=
if [ "${1:-}" = --mount ]; then
    folder=${2:-}
    case $folder in /*) ;; *) fail '--mount needs the absolute path of a folder' ;; esac
    shift 2
fi
own=$(dpkg-query -W -f '${Version}' mesa-vulkan-drivers 2>/dev/null | head -n 1 || true)
if [ -n "$own" ] && dpkg --compare-versions "$own" ge 26; then
    sh ci/setup.sh test >&2
    exec "$@"
fi

.venv/bin/pip --version >/dev/null 2>&1 || sh ci/setup.sh >&2 # later it would clear .venv
if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || fail 'root is needed to make and enter a root file system'
    exec sudo -n --preserve-env=CI,SM5VK_DEVICE,SM5VK_VALIDATION,SM5VK_DXBC_SPIRV \
        sh ci/mesa26.sh ${folder:+--mount "$folder"} "$@"
fi

root=$PWD/.venv/mesa26
certificates=/etc/ssl/certs/ca-certificates.crt

# inside ROOT COMMAND...: runs it in the root, in the clone, with an environment of its own in .venv;
# mounts and processes end with the command
inside() {
    MOUNTED=$folder unshare --mount --pid --fork --kill-child sh -c '
        set -eu
        root=$1
        shift
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        # First: it may contain the clone
        [ -z "$MOUNTED" ] || { mkdir -p "$root$MOUNTED" && mount --bind "$MOUNTED" "$root$MOUNTED"; }
        mount --bind "$PWD" "$root$PWD"
        mount --bind "$root/environment" "$root$PWD/.venv"
        exec env -u VIRTUAL_ENV -u PYTHONPATH -u VK_DRIVER_FILES -u VK_ICD_FILENAMES HOME=/root \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            chroot "$root" sh -c '\''cd "$0" && exec "$@"'\'' "$PWD" "$@"' sh "$@"
}

# install PACKAGE...: on this machine; updates package lists only if the present ones fail
install() {
    apt-get -qy install --no-install-recommends "$@" >&2 ||
        { apt-get -q update >&2 && apt-get -qy install --no-install-recommends "$@" >&2; }
}

# make_root FOLDER: Debian 13 with Mesa 26 and an empty environment
make_root() {
    debootstrap --variant=minbase --include=ca-certificates,git,python3,python3-venv trixie "$1" >&2 ||
        fail 'debootstrap cannot make a root of Debian 13'
    cp -L /etc/resolv.conf "$1/etc/resolv.conf" # this machine's name resolution and certificates
    [ ! -f $certificates ] || cp $certificates "$1$certificates"
    sed -n 's/ trixie main/ trixie-backports main/p' "$1/etc/apt/sources.list" \
        >"$1/etc/apt/sources.list.d/backports.list"
    mkdir -p "$1/environment" "$1$PWD"
    inside "$1" sh -c 'export DEBIAN_FRONTEND=noninteractive
        apt-get -q update && apt-get -qy install --no-install-recommends -t trixie-backports \
            mesa-vulkan-drivers mesa-drm-shim libvulkan1 procps && python3 -m venv .venv &&
            git config --global --add safe.directory "$PWD"' >&2 ||
        fail 'apt-get cannot install mesa-vulkan-drivers of backports'
}

unshare --mount true 2>/dev/null || fail 'this system lets no process have mounts of its own'
if [ ! -d "$root" ]; then
    command -v debootstrap >/dev/null 2>&1 || install debootstrap debian-archive-keyring ||
        fail 'debootstrap is missing: apt-get install debootstrap'
    say 'making a root of Debian 13 in .venv/mesa26'
    work=$(mktemp -d "$PWD/.venv/mesa26-XXXXXX")
    trap 'rm -rf --one-file-system "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    chmod 755 "$work" # apt downloads as a separate user
    make_root "$work"
    mv "$work" "$root" # last: if it exists, it is complete
fi
inside "$root" sh ci/setup.sh test >&2
[ "$#" = 0 ] || inside "$root" "$@"
