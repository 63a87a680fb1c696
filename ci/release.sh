#!/bin/sh
# Checks that the code and the changelog have the release's version, then builds its files:
#   sh ci/release.sh v1.2.3 FOLDER     puts the wheel and the source archive into FOLDER
set -eu
cd "$(dirname "$0")/.."

fail() {
    printf 'release: %s\n' "$*" >&2
    exit 1
}

[ "$#" -eq 2 ] || fail 'which version, and where to? sh ci/release.sh TAG FOLDER'
version=${1#v}
[ "$1" = "v$version" ] || fail "a tag is v and a version, got '$1'"
named=$(sed -n 's/^VERSION = "\([^"]*\)".*/\1/p' translate/version.py)
[ "$version" = "$named" ] || fail "the tag is $1, and translate/version.py has $named"
grep -Eqx "## $version, [0-9]{4}-[0-9]{2}-[0-9]{2}" CHANGELOG.md ||
    fail "CHANGELOG.md lacks a line '## $version, YYYY-MM-DD'"
if [ -n "${GITHUB_REPOSITORY:-}" ]; then # the address for links; without it they stay relative
    python3 ci/published.py "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" "$1"
fi
sh ci/package.sh "$2"
