#!/bin/sh
# Makes .venv in this clone, installs the package in it, and installs a Vulkan driver if none is found.
#   sh ci/setup.sh         to run shaders
#   sh ci/setup.sh test    to run the tests too; other extras of pyproject.toml work in the same way,
#                          and `extras` installs all
# Outside of the clone it installs only the Debian packages named below, if they are missing.
# Extras are installed in the versions of ci/constraints.txt, or with NEWEST=1 in the newest versions.
# PYTHON selects the interpreter (3.11 or newer). SM5VK_DEVICE=reference needs no driver.
set -eu
cd "$(dirname "$0")/.."
extra=${1:-}

say() { printf 'setup: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

# as_root COMMAND...: runs it as root, or fails
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >&2
}

# install_packages NAME...: installs with apt; updates package lists only if the present ones fail
install_packages() {
    command -v apt-get >/dev/null 2>&1 || return 1
    as_root true 2>/dev/null || return 1
    say "installing $*"
    apt_install "$@" && return 0
    as_root apt-get update >&2 && apt_install "$@"
}

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    for python in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        if command -v "$python" >/dev/null 2>&1 && new_enough "$python"; then
            command -v "$python"
            return 0
        fi
    done
    fail 'Python 3.11 or newer is needed (Debian: python3), or name one in PYTHON'
}

make_environment() {
    # the pip script, unlike python -m pip, fails if the clone and its .venv were moved
    .venv/bin/pip --version >/dev/null 2>&1 && return 0
    python=$(find_python)
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        install_packages "python$version-venv" || install_packages python3-venv ||
            fail "python3-venv is missing: sudo apt-get install python3-venv"
    fi
    say 'making .venv'
    rm -rf .venv
    "$python" -m venv .venv
}

# Users get the versions that pip chooses; the tools that check the project are pinned.
pip_constraints() {
    [ -z "$extra" ] || [ -n "${NEWEST:-}" ] || printf '%s' '--constraint=ci/constraints.txt'
}

# The stamp has a checksum of the requirements, then a line for each installed extra.
is_installed() {
    [ "$(head -n 1 "$stamp" 2>/dev/null)" = "$wanted" ] || return 1
    [ -z "$extra" ] && return 0
    grep -qxF "$extra" "$stamp" && return 0
    [ "$extra" != fuzz ] && grep -qxF extras "$stamp" # `extras` has all others
}

install_project() {
    wanted="$(cat pyproject.toml ci/constraints.txt | cksum)${NEWEST:+ newest}"
    stamp=.venv/sm5vk-stamp
    is_installed && return 0
    say "installing the package into .venv${extra:+, with the extra '$extra' of pyproject.toml}"
    # shellcheck disable=SC2046 # the substitution may be empty
    .venv/bin/python -m pip install --disable-pip-version-check \
        ${NEWEST:+--upgrade --upgrade-strategy eager} $(pip_constraints) -e ".[${extra:-explain,images}]" >&2
    [ "$(head -n 1 "$stamp" 2>/dev/null)" = "$wanted" ] || printf '%s\n' "$wanted" >"$stamp"
    printf '%s\n' "$extra" >>"$stamp"
}

# any_file PATTERN...: whether one of the patterns matches
any_file() {
    for file in "$@"; do
        [ -e "$file" ] && return 0
    done
    return 1
}

has_driver() {
    .venv/bin/python -c 'import ctypes; ctypes.CDLL("libvulkan.so.1")' 2>/dev/null || return 1
    [ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] ||
        any_file /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json \
            /usr/local/share/vulkan/icd.d/*.json "${HOME:-/}"/.local/share/vulkan/icd.d/*.json
}

has_validation() {
    any_file /usr/share/vulkan/explicit_layer.d/*validation*.json \
        /etc/vulkan/explicit_layer.d/*validation*.json \
        "${VK_LAYER_PATH:-/nowhere}"/*validation*.json
}

has_host_headers() {
    printf '#include <vulkan/vulkan.h>\n#include <cjson/cJSON.h>\n' |
        cc -fsyntax-only -x c - 2>/dev/null &&
        printf '#if !__has_include(<vulkan/vulkan_raii.hpp>)\n#error\n#endif\n' |
        c++ -fsyntax-only -x c++ - 2>/dev/null
}

make_environment
install_project
[ "${SM5VK_DEVICE:-}" != reference ] || exit 0
has_driver || install_packages libvulkan1 mesa-vulkan-drivers || true
has_driver || fail 'no Vulkan driver; a software one: sudo apt-get install libvulkan1 mesa-vulkan-drivers'
case $extra in test | extras) ;; *) exit 0 ;; esac
has_validation || install_packages vulkan-validationlayers ||
    say 'vulkan-validationlayers is missing: the tests run without the validation layer'
[ "$extra" = extras ] || exit 0
command -v make >/dev/null 2>&1 || install_packages make || say 'make is missing: some builds cannot be tried'
has_host_headers || install_packages gcc g++ libc6-dev libvulkan-dev libcjson-dev ||
    say 'a compiler, libvulkan-dev or libcjson-dev is missing: the hosts cannot be compiled'
