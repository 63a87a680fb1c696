# To be sourced. download FOLDER PACKAGE...: downloads Debian packages as files, without installing
# them; fetches separate package lists if the machine's do not work.
download() {
    into=$1
    shift
    (cd "$into" && apt-get -q download "$@" >&2) && return 0
    say 'fetching fresh package lists'
    mkdir -p "$into/lists/partial" "$into/cache/archives/partial"
    lists="-q -o Dir::State::lists=$into/lists -o Dir::Cache=$into/cache"
    # shellcheck disable=SC2086 # options, each a word
    apt-get $lists update >&2 && (cd "$into" && apt-get $lists download "$@" >&2)
}
