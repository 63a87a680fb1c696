"""`python -m checks.determinism.digests SEED`: digests of what this process makes of shaders.

Reads paths from standard input; writes digests of the outputs by path, as JSON, to standard output.
The seed determines the order of the shaders and the addresses of objects in memory.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator

import translate

OPTIONS = {
    "d3d": translate.Options(validate=False),
    "report": translate.Options(validate=False, guards="report", debug_lines=True, debug_info=True),
    "robustness2": translate.Options(validate=False, guards="robustness2", optimize=False),
}
_BLOCKS = 3000
_LARGEST_BYTES = 400  # Python keeps a pool of memory for each size of object up to 512 bytes


def digests_of(path: str) -> dict[str, str]:
    """A digest of each output for a shader, or the error in its place."""
    try:
        program = translate.load(path)
    except translate.TranslateError as error:
        return {"program": str(error)}
    return {
        "listing": _digest(lambda: translate.disassemble(program)),
        "container": _digest(lambda: translate.assemble(translate.disassemble(program))),
        **{name: _digest(lambda o=o: _module(program, o)) for name, o in OPTIONS.items()},
    }


def _module(program: translate.Program, options: translate.Options) -> bytes:
    module = translate.to_spirv(program, options)
    return module.to_bytes() + module.interface.to_json().encode()


def _digest(make: Callable[[], bytes | str]) -> str:
    """Of an output, or of the message of the error that is raised instead."""
    try:
        made = make()
    except translate.TranslateError as error:
        made = str(error)
    return hashlib.sha256(made.encode() if isinstance(made, str) else made).hexdigest()


def scattered(paths: Iterable[str], rng: random.Random) -> Iterator[str]:
    """The paths; before each, half of many small blocks of memory are freed in any order.

    Objects made after that have other addresses, and another order of addresses.
    """
    kept: list[bytes] = []
    for path in paths:
        blocks = [*kept, *(bytes(rng.randrange(_LARGEST_BYTES)) for _ in range(_BLOCKS))]
        rng.shuffle(blocks)
        kept = blocks[:_BLOCKS]
        del blocks
        yield path


def main() -> None:
    """Translate all."""
    rng = random.Random(int(sys.argv[1]))
    paths = sys.stdin.read().splitlines()
    rng.shuffle(paths)
    json.dump({path: digests_of(path) for path in scattered(paths, rng)}, sys.stdout)


if __name__ == "__main__":
    main()
