"""`python -m tools.radv`: compile every shader of the project for several families of AMD's GPUs.

With FILEs (containers or listings) it prints statistics of each, in our forms and by other tools.
It needs Mesa's RADV, and no GPU. Exit code 1: a shader was not compiled; 3: this RADV cannot
compile for any of the families.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import translate
import vkrunner
from translate.options import GUARDS
from vkrunner.api.amd_code import FAMILIES

from ..benchmarks.figures import Row, table
from .compiler import compiler_for
from .modules import missing_peers, of_peers, ours
from .process import DriverProcess, MissingDriver, Refused
from .shaders import Source, sources

COLUMNS = {
    "instructions": "Instructions",
    "bytes": "Code size",
    "VGPRs": "VGPRs",
    "SGPRs": "SGPRs",
    "spilled VGPRs": "Spilled VGPRs",
    "spilled SGPRs": "Spilled SGPRs",
    "latency": "Latency",
    "inverse throughput": "Inverse Throughput",
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.radv",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--family", action="append", help=f"of {', '.join(FAMILIES)}; all")
    parser.add_argument("--guards", choices=GUARDS, help="for shaders that choose none")
    parser.add_argument("--only", default="", help="shaders with this in their names")
    given = parser.parse_args(arguments)
    codes = [_family(name, given) for name in given.family or FAMILIES]
    return 3 if all(code == 3 for code in codes) else max(c for c in codes if c != 3)


def _family(name: str, given: argparse.Namespace) -> int:
    try:
        with compiler_for(name) as compiler:
            print(f"{name}: {compiler.info.driver} {compiler.info.driver_version}", flush=True)
            if given.files:
                _figures(name, compiler, given.files)
                return 0
            options = {"guards": given.guards} if given.guards else {}
            return _compile([s for s in sources() if given.only in s.name], compiler, options)
    except MissingDriver as error:
        print(f"{name}: not compiled for: {error}", file=sys.stderr)
        return 3


def _compile(found: Sequence[Source], compiler: DriverProcess, given: Mapping[str, Any]) -> int:
    """A line for each shader that is not compiled; 1 where there is one."""
    failed, refused = 0, 0
    for source in found:
        try:
            chosen = {**given, **source.options}
            options = vkrunner.options_for(compiler.info, source.source, **chosen)
            module = translate.to_spirv(translate.load(source.source), options)
        except vkrunner.RunnerError as error:
            refused += 1
            print(f"  {source.name}: refused: {error}", file=sys.stderr)
            continue
        try:
            compiler.measure(module.words)
        except Refused as error:
            failed += 1
            print(f"  {source.name}: {error}", file=sys.stderr)
    print(f"  {len(found) - failed - refused} compiled, {failed} failed, {refused} refused")
    return int(failed + refused > 0)


def _figures(family: str, compiler: DriverProcess, files: Sequence[Path]) -> None:
    rows: list[Row] = []
    for path in files:
        modules = {**ours(path, compiler.info), **of_peers(path)}
        for form, found in compiler.measure_all(path.stem, modules).items():
            figures = {"words": float(len(modules[form]))}
            figures |= {column: found[theirs] for column, theirs in COLUMNS.items()}
            rows.append(Row(f"{path.stem}, {form}", figures))
    print(table(family, rows))
    for reason in missing_peers():
        print(f"not measured: {reason}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
