"""`python -m tools.gpus`: compile every shader of the project for GPUs, without one.

With FILEs (containers or listings) it prints statistics of each, in our forms and by other tools.
It needs Mesa's drivers, and no GPU. Exit code 1: a shader was not compiled; 3: this Mesa cannot
compile for any of the GPUs.
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
from vkrunner.api.gpu_code import GPUS
from vkrunner.shader.device_options import check_device

from ..benchmarks.figures import Row, table
from .compilers import compiler_for
from .modules import missing_peers, of_peers, ours
from .process import DriverProcess, MissingDriver, Refused
from .shaders import Source, sources


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.gpus",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--gpu", action="append", help=f"of {', '.join(GPUS)}; all")
    parser.add_argument("--guards", choices=GUARDS, help="for shaders that choose none")
    parser.add_argument("--only", default="", help="shaders with this in their names")
    given = parser.parse_args(arguments)
    codes = [_gpu(name, given) for name in given.gpu or GPUS]
    return 3 if all(code == 3 for code in codes) else max(c for c in codes if c != 3)


def _gpu(name: str, given: argparse.Namespace) -> int:
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
    """A line for each shader that is not compiled but could be; 1 where there is one."""
    failed, refused, beyond = 0, 0, 0
    for source in found:
        try:
            chosen = {**given, **source.options}
            options = vkrunner.options_for(compiler.info, source.source, **chosen)
            module = translate.to_spirv(translate.load(source.source), options)
            check_device(compiler.info, module.interface)
        except vkrunner.FeatureError:
            beyond += 1
            continue
        except vkrunner.RunnerError as error:
            refused += 1
            print(f"  {source.name}: refused: {error}", file=sys.stderr)
            continue
        try:
            compiler.measure(module.words, module.interface.features)
        except Refused as error:
            failed += 1
            print(f"  {source.name}: {error}", file=sys.stderr)
    compiled = len(found) - failed - refused - beyond
    print(f"  {compiled} compiled, {failed} failed, {refused} refused, {beyond} for other GPUs")
    return int(failed + refused > 0)


def _figures(gpu: str, compiler: DriverProcess, files: Sequence[Path]) -> None:
    rows: list[Row] = []
    for path in files:
        modules = {**ours(path, compiler.info), **of_peers(path)}
        for form, found in compiler.measure_all(path.stem, modules).items():
            module = modules[form]
            words = float(len(module[0] if isinstance(module, tuple) else module.words))
            rows.append(Row(f"{path.stem}, {form}", {"words": words, **found}))
    print(table(gpu, rows))
    for reason in missing_peers():
        print(f"not measured: {reason}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
