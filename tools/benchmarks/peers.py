"""Translation beside dxbc-spirv: time from a container's bytes to SPIR-V without validation.

Our time is the CPU's in one process for all programs, interpreted and, where SM5VK_COMPILED names
the folder of an unpacked wheel that mypyc compiled (`ci/compiled.sh`), compiled. dxbc-spirv's is
its own timer's (`--benchmark`). Of each program each tool's least time of all rounds counts; the
tools take turns. Memory is the peak of a process that translates the program with most
instructions.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import geometric_mean, median
from tempfile import TemporaryDirectory

import translate

from ..gpus.modules import DXBC_SPIRV, command_of, missing_peers
from .figures import Row
from .shaders import ROOT, Shaders

TITLE = "translation, ours / dxbc-spirv"
COMPILED = "SM5VK_COMPILED"
_ROUNDS = 5
_OURS = [sys.executable, "-P", str(Path(__file__).with_name("timed.py"))]
_TOTAL = re.compile(r"^total: ([\d.e+-]+) ms$", re.MULTILINE)
_PARENT = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
Times = dict[Path, float]  # the least seconds of each program


def measure(scale: float, shaders: Shaders) -> list[Row]:
    """Rows by set and tool. Says on stderr what is missing."""
    missing = missing_peers([DXBC_SPIRV])
    if COMPILED not in os.environ:
        missing.append(f"compiled: {COMPILED} does not name a folder")
    for reason in missing:
        print(f"not measured: {reason}", file=sys.stderr)
    if command_of(DXBC_SPIRV) is None:
        return []
    paths = shaders.in_sets(scale)
    least: dict[str, Times] = {name: {} for name in (DXBC_SPIRV, *_trees())}
    for _ in range(max(1, round(_ROUNDS * scale))):
        _keep(least[DXBC_SPIRV], {path: _of_peer(path) for path in paths})
        for name, tree in _trees().items():
            _keep(least[name], _of_ours(tree, paths))
    rows = [row for name in _trees() for row in _compared(shaders, name, least)]
    return [*rows, *_memory([path for path in paths if path in least[DXBC_SPIRV]])]


def _trees() -> dict[str, str]:
    """Where to import `translate` from."""
    compiled = os.environ.get(COMPILED)
    return {"interpreted": str(ROOT)} | ({"compiled": compiled} if compiled else {})


def _keep(least: Times, times: Mapping[Path, float | None]) -> None:
    for path, took in times.items():
        if took is not None:
            least[path] = min(took, least.get(path, took))


def _of_peer(path: Path) -> float | None:
    """The peer's time; None if it refuses the program."""
    with TemporaryDirectory() as folder:
        run = subprocess.run(_peer(path, folder), capture_output=True, text=True, check=False)
    found = _TOTAL.search(run.stdout)
    return float(found[1]) / 1e3 if found and run.returncode == 0 else None


def _peer(path: Path, folder: str) -> list[str]:
    command = command_of(DXBC_SPIRV)
    assert command is not None, "measured only where it is installed"
    return [command, "--no-debug", "--benchmark", "--spv", f"{folder}/out.spv", str(path)]


def _of_ours(tree: str, paths: Sequence[Path]) -> dict[Path, float]:
    run = subprocess.run(
        _OURS,
        input=json.dumps([*map(str, paths)]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": tree},
    )
    return {Path(path): took for path, took in json.loads(run.stdout).items()}


def _compared(shaders: Shaders, name: str, least: Mapping[str, Times]) -> Iterator[Row]:
    """The programs that both tools translate, by set."""
    ours, theirs = least[name], least[DXBC_SPIRV]
    both = {path: path for path in ours if path in theirs}
    for group, found in shaders.by_set(both).items():
        if not found:
            continue
        count = sum(translate.load(path).instruction_count for path in found)
        own, peer = (sum(times[path] for path in found) for times in (ours, theirs))
        ratios = [ours[path] / theirs[path] for path in found]
        figures = {"programs": len(found), "total": own / peer, "median": median(ratios)}
        figures["geometric"] = geometric_mean(ratios)
        figures |= {"us an instruction": 1e6 * own / count, "theirs": 1e6 * peer / count}
        yield Row(f"{group}, {name}", figures)


def _memory(paths: Sequence[Path]) -> Iterator[Row]:
    largest = max(paths, key=lambda path: translate.load(path).instruction_count)
    with TemporaryDirectory() as folder:
        theirs = _peak(_peer(largest, folder))
    for name, tree in _trees().items():
        own = _peak(_OURS, json.dumps([str(largest)]), tree)
        yield Row(f"largest, {name}", {"MB": own, "MB, theirs": theirs, "MB, ratio": own / theirs})


def _peak(command: Sequence[str], given: str = "", tree: str = "") -> float:
    """MB of memory that a process has at most. Its parent is small: a fork begins at its size."""
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _PARENT, *command],
        input=given,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": tree},
    )
    return int(run.stdout) * 1024 / 1e6
