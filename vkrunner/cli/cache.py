"""`sm5vk cache`: where translations and pipelines are kept, how many there are, and their end.

SM5VK_CACHE=0 turns the cache off, SM5VK_CACHE_DIR puts it elsewhere, SM5VK_CACHE_SIZE bounds it
(256M). It can be cleared at any time, and its folder be deleted.
"""

from __future__ import annotations

import argparse
import json

from vkrunner.cache.folder import SIZE, SWITCH, is_on, make_private, size_limit
from vkrunner.cache.store import Store, store_folder
from vkrunner.cli.output import write_text


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=("info", "clear"), default="info", help="info without"
    )
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def run(arguments: argparse.Namespace) -> int:
    store = Store(store_folder(), size_limit())
    if arguments.action == "clear":
        store.clear()
    usage, refusal = store.usage(), _refusal()
    if arguments.json:
        facts = {
            "folder": str(store.folder),
            "entries": usage.entries,
            "size_bytes": usage.size_bytes,
            "limit_bytes": store.limit_bytes,
            "off": refusal,
        }
        write_text(json.dumps(facts, indent=2) + "\n", None)
        return 0
    lines = [
        f"{store.folder}: {usage.entries} entries, {usage.size_bytes} bytes of"
        f" {store.limit_bytes} at most",
        *([f"not used: {refusal}"] if refusal else []),
    ]
    write_text("".join(f"{line}\n" for line in lines), None)
    return 0


def _refusal() -> str | None:
    """Why nothing is cached, None where it is."""
    if not is_on():
        return f"{SIZE} is 0" if size_limit() == 0 else f"{SWITCH} turns it off"
    return make_private(store_folder())
