# To be sourced. Debian packages as files, and drivers from them: nothing is installed, and nothing
# outside of the clone changes. Scripts define `say` and `fail`.

# own_lists FOLDER ARGUMENT...: apt-get in the folder, with package lists of its own
own_lists() {
    (
        cd "$1" && shift && mkdir -p lists/partial cache/archives/partial &&
            apt-get -q -o Dir::State::lists="$PWD/lists" -o Dir::Cache="$PWD/cache" "$@" >&2
    )
}

# download FOLDER PACKAGE...: downloads packages; fetches separate package lists if the machine's do
# not work
download() {
    into=$1
    shift
    (cd "$into" && apt-get -q download "$@" >&2) && return 0
    say 'fetching fresh package lists'
    own_lists "$into" update && own_lists "$into" download "$@"
}

# backport FOLDER PACKAGE: downloads a package of the Debian release's backports, from the mirror that
# the machine uses
backport() {
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    mirror=$(apt-get update --print-uris 2>/dev/null |
        sed -n "s|^'\(.*\)/dists/$release/InRelease'.*|\1|p" | head -n 1)
    [ -n "$mirror" ] || return 1
    echo "deb $mirror $release-backports main" >"$1/sources.list"
    only="-o Dir::Etc::sourcelist=./sources.list -o Dir::Etc::sourceparts=- -o Acquire::Languages=none"
    # shellcheck disable=SC2086 # options, each a word
    own_lists "$1" $only update && own_lists "$1" $only download "$2/$release-backports"
}

# unpack DEB FOLDER TARGET LIBRARY MANIFEST: unpacks in FOLDER, and moves the driver and its manifest
# to TARGET
unpack() {
    dpkg-deb -x "$1" "$2/files" || fail "$1 is not a Debian package"
    library=$(find "$2/files" -name "$4")
    manifest=$(find "$2/files" -name "${5%.json}*.json") # some have the processor in their name
    [ -f "$library" ] && [ -f "$manifest" ] || fail "$1 has no $4 in it"
    lacking=$(ldd "$library" | sed -n 's/ => not found//p' | xargs)
    [ -z "$lacking" ] || fail "$4 needs libraries that are missing: $lacking"
    mkdir -p "$3"
    mv "$library" "$3/$4"
    sed 's|\("library_path": *\)"[^"]*"|\1"./'"$4"'"|' "$manifest" >"$2/manifest"
    mv "$2/manifest" "$3/$5" # last: if it exists, the driver is complete
}

# driver NAME LIBRARY MANIFEST DEB: puts a driver into .venv/NAME, unless it is there, and prints the
# path of its manifest. Takes it from the package DEB; if that is empty, from the one that the function
# `fetch FOLDER` downloads. The environment must exist, because making it would clear .venv.
driver() {
    target=$PWD/.venv/$1
    if [ ! -f "$target/$3" ]; then
        command -v dpkg-deb >/dev/null 2>&1 || fail 'dpkg-deb is needed, as Debian and Ubuntu have it'
        work=$(mktemp -d "$PWD/.venv/$1-XXXXXX")
        trap 'rm -rf "$work"' EXIT
        trap 'exit 1' HUP INT TERM
        deb=$4
        if [ -z "$deb" ]; then
            command -v apt-get >/dev/null 2>&1 || fail 'apt-get is needed, or a package that was downloaded'
            fetch "$work"
            deb=$(find "$work" -maxdepth 1 -name '*.deb')
        fi
        unpack "$deb" "$work" "$target" "$2" "$3"
    fi
    printf '%s\n' "$target/$3"
}
