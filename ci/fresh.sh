#!/bin/sh
# Runs the README's two commands in a fresh root of a Debian or Ubuntu release, as a new user does:
#   sh ci/fresh.sh SUITE [ARGUMENT...]     bookworm, trixie, noble, ...; arguments go to pytest
# The root file system gets a clone of the last commit, Python, and only the other packages that the
# README names. It is removed at the end, or kept with KEEP=FOLDER. Needs root and debootstrap. At the
# end, prints the versions that differ from this machine's. NEWEST=1 is passed on to ci/setup.sh.
set -eu
cd "$(dirname "$0")/.."

say() { printf 'fresh: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

[ "$#" -ge 1 ] || fail 'which release? sh ci/fresh.sh SUITE [ARGUMENT...]'
suite=$1
shift
[ "$(id -u)" = 0 ] || fail 'root is needed to make a root file system'
command -v debootstrap >/dev/null 2>&1 || fail 'debootstrap is missing: apt-get install debootstrap'
if [ -n "${KEEP:-}" ]; then
    mkdir -p "$KEEP"
    root=$(cd "$KEEP" && pwd)
    [ -z "$(ls -A "$root")" ] || fail "$root is not empty"
else
    root=$(mktemp -d)
    chmod 755 "$root" # apt downloads as a separate user
    trap 'rm -rf --one-file-system "$root"' EXIT
    trap 'exit 1' HUP INT TERM
fi

components=main
grep -qs ubuntu "/usr/share/debootstrap/scripts/$suite" && components=main,universe
say "making $suite in $root"
debootstrap --variant=minbase --components="$components" --include=ca-certificates,python3 \
    "$suite" "$root" >"$root.log" 2>&1 || {
    tail "$root.log" >&2
    exit 1
}
rm "$root.log"
git clone --quiet --no-hardlinks . "$root/root/sm5vk"

# The new root uses this machine's name resolution and trusted certificates.
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
[ ! -f /etc/ssl/certs/ca-certificates.crt ] ||
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"

# inside COMMAND...: runs it in the new root; mounts and processes end with the command
inside() {
    unshare --mount --pid --fork --kill-child sh -c '
        set -eu
        root=$1
        shift
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        exec env -u VIRTUAL_ENV -u PYTHONPATH -u VK_DRIVER_FILES -u VK_ICD_FILENAMES \
            HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            chroot "$root" sh -c '\''cd /root/sm5vk && exec "$@"'\'' sh "$@"' sh "$root" "$@"
}

status=0
inside sh ci/readme.sh "$@" || status=$?
say "different versions: on this machine, and on $suite"
sh ci/versions.sh >"$root/here"
inside sh ci/versions.sh >"$root/there"
diff --side-by-side --suppress-common-lines --width=100 "$root/here" "$root/there" || true
rm "$root/here" "$root/there"
exit "$status"
