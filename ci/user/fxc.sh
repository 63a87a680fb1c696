#!/bin/sh
# Sets up a compiler for HLSL on Debian or Ubuntu with x86-64: Microsoft's d3dcompiler_47.dll, under
# Wine. It prints the command, for SM5VK_FXC:
#   SM5VK_FXC=$(sh fxc.sh "$HOME/fxc")
#   export SM5VK_FXC
# The folder gets the command `fxc`, the program fxc.exe (of fxc.c, which is next to this script), the
# DLL, and Wine's own files (WINEPREFIX). Nothing else is written, but packages that are missing are
# installed with apt. A second call adds only missing parts: with the folder from a cache, packages
# that only make these parts are not installed.
# The DLL is Microsoft's. It comes out of a Python package that redistributes it. Check that its
# licence allows your use, and do not commit it.
set -eu
package=kivy-deps-angle==0.5.0 # with version 10.0.26100 of the DLL
sum=c8e25abd3d45dfb55966a74613258c39b4a83ea2ac77f2f80903499f4d5c03f0
dll=d3dcompiler_47.dll

say() { printf 'fxc: %s\n' "$*" >&2; }
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

# install_packages NAME...: installs those with apt; its output is in apt.log
install_packages() {
    say "installing $*"
    {
        as_root apt-get update -qq
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
            -o Dpkg::Use-Pty=0 --no-install-recommends "$@"
    } >"$folder/apt.log" 2>&1 || fail "$(tail -n 20 "$folder/apt.log")"
}

# is_compiled: whether fxc.exe is that of fxc.c
is_compiled() { [ -f "$folder/fxc.exe" ] && cmp -s "$here/fxc.c" "$folder/fxc.c"; }

# fetch_dll: downloads the wheel for Windows, and moves the DLL out of it into the folder
fetch_dll() {
    work=$(mktemp -d "$folder/wheel-XXXXXX")
    trap 'rm -rf "$work"' EXIT
    python3 -m pip download -q --no-deps --only-binary=:all: --platform win_amd64 \
        --python-version 3.11 -d "$work" "$package" >&2
    python3 -m zipfile -e "$work"/*.whl "$work"
    found=$(find "$work" -name "$dll")
    printf '%s  %s\n' "$sum" "$found" | sha256sum -c --quiet - >&2 || fail "$package has another $dll"
    mv "$found" "$folder/$dll"
}

case "$#${1:-}" in
1-* | [!1]*) fail 'which folder? sh fxc.sh FOLDER' ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)

missing=
command -v wine >/dev/null 2>&1 || missing='wine wine64'
is_compiled || command -v x86_64-w64-mingw32-gcc >/dev/null 2>&1 ||
    missing="$missing gcc-mingw-w64-x86-64-win32"
[ -f "$folder/$dll" ] || python3 -m pip --version >/dev/null 2>&1 || missing="$missing python3-pip"
# shellcheck disable=SC2086 # several words
[ -z "$missing" ] || install_packages $missing

[ -f "$folder/$dll" ] || fetch_dll
# Without the time in fxc.exe, so that its contents stay the same: they are part of the cache's keys.
if ! is_compiled; then
    x86_64-w64-mingw32-gcc -municode -O2 -Wl,--no-insert-timestamp -o "$folder/fxc.exe" "$here/fxc.c"
    cp "$here/fxc.c" "$folder/fxc.c"
fi

# Wine's first start takes many seconds: better here than in the first test. Its server writes the
# registry when it ends, and without that /Zi is an "internal error".
export WINEPREFIX="$folder/wine" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;winemenubuilder.exe='
unset DISPLAY WAYLAND_DISPLAY
if [ ! -f "$folder/wine/is-ready" ]; then
    say "making $folder/wine"
    wine wineboot -i >"$folder/wine.log" 2>&1 || fail "$(cat "$folder/wine.log")"
    wineserver -w
    : >"$folder/wine/is-ready"
fi

cat >"$folder/fxc" <<END
#!/bin/sh
folder=\$(dirname "\$(realpath "\$0")")
export WINEPREFIX="\$folder/wine" WINEDEBUG=$WINEDEBUG WINEDLLOVERRIDES='$WINEDLLOVERRIDES'
unset DISPLAY WAYLAND_DISPLAY
exec wine "\$folder/fxc.exe" "\$@"
END
chmod +x "$folder/fxc"
printf '%s\n' "$folder/fxc"
