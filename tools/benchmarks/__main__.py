"""`python -m tools.benchmarks [PART...]`: tables on stdout, and everything as JSON by --json.

With --shaders, the parts of `OF_SHADERS` measure a folder's containers, not this repository's.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vkrunner.api.gpu_code import GPUS

from ..gpus.compilers import ONE_OF_EACH
from .figures import Row, machine, table
from .shaders import Shaders, of_folder, of_repository

OF_SHADERS = ("translate", "words", "isa", "readiness", "peers")
PARTS = (*OF_SHADERS, "corpus", "heavy", "code", "dispatch", "transfer", "chunks")
_DRAWN, _SEED = 60, 39


def measure(
    part: str, scale: float, shaders: Shaders, gpus: Sequence[str] = ()
) -> tuple[str, list[Row]]:
    """A part's title and rows; `gpus` are those of `isa`, without one the families of AMD's."""
    module = importlib.import_module(f"{__package__}.{part}")
    given: list[Any] = [shaders] if part in OF_SHADERS else []
    if part == "isa":
        given.append(gpus or [name for name, gpu in GPUS.items() if gpu.maker == "AMD"])
    return module.TITLE, module.measure(scale, *given)


def main() -> None:
    """Print a table for each part, and write them all if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all")
    parser.add_argument("--scale", type=float, default=1.0, help="1 for figures, less to try")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    parser.add_argument("--shaders", type=Path, help="a folder of containers to measure")
    parser.add_argument("--draw", type=int, default=_DRAWN, help="how many of them at random")
    parser.add_argument(
        "--gpus",
        nargs="*",
        choices=GPUS,
        metavar="GPU",
        help=f"for `isa`, instead of AMD's: {', '.join(GPUS)}; without names, one of each maker",
    )
    parser.add_argument("--seed", type=int, default=_SEED, help="of the draw")
    given = parser.parse_args()
    unknown = [part for part in given.parts if part not in PARTS]
    if unknown:
        parser.error(f"no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    try:
        folder = given.shaders
        shaders = of_folder(folder, given.draw, given.seed) if folder else of_repository()
    except ValueError as error:
        parser.error(str(error))
    gpus = given.gpus if given.gpus or given.gpus is None else ONE_OF_EACH
    about = machine()
    print("\n".join(f"{name}: {value}" for name, value in about.items()))
    found: dict[str, list[dict[str, object]]] = {}
    for part in given.parts or PARTS:
        title, rows = measure(part, given.scale, shaders, gpus or ())
        print(f"\n{table(title, rows)}", flush=True)
        found[part] = [dataclasses.asdict(row) for row in rows]
    if given.json:
        text = json.dumps({"machine": about, "parts": found}, indent=2)
        given.json.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
