"""`sm5vk cache`: shows the folder and size of the cache of translations, or clears it.

SM5VK_CACHE=0 turns the cache off, SM5VK_CACHE_DIR sets its folder, SM5VK_CACHE_SIZE limits its size
(256M). You can clear the cache, or delete its folder, at any time.
"""

from __future__ import annotations

import argparse

from vkrunner.cli.output import write_json, write_lines
from vkrunner.errors import InvalidValueError
from vkrunner.shader.cache.store import Store, make_private, refusal, size_limit, store_folder


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=("info", "clear"), default="info", help="info is the default"
    )
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def run(arguments: argparse.Namespace) -> int:
    store = Store(store_folder(), size_limit())
    if arguments.action == "clear":
        unusable = make_private(store.folder)
        if unusable is not None:
            raise InvalidValueError(f"nothing was deleted: {unusable}")
        store.clear()
    usage, reason = store.usage(), refusal(store.folder)
    if arguments.json:
        write_json(
            {
                "folder": str(store.folder),
                "entries": usage.entries,
                "size_bytes": usage.size_bytes,
                "limit_bytes": store.limit_bytes,
                "off": reason,
            }
        )
        return 0
    counts = f"{usage.entries} entries, {usage.size_bytes} bytes of {store.limit_bytes} at most"
    write_lines([f"{store.folder}: {counts}", *([f"not used: {reason}"] if reason else [])])
    return 0
