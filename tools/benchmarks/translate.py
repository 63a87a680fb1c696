"""How much CPU time and memory translation takes.

Times of the corpus and of all shaders are of one warm process; import times and comparisons with
vkd3d-compiler are of fresh processes. All shaders, of this repository or of a folder,
and generated shaders are translated without validation. Memory is the peak that tracemalloc
reports.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import translate
from vkrunner.shader.shader import Shader

from .figures import Row, has
from .shaders import ROOT, Shaders

TITLE = "translation"
CORPUS = ROOT / "tests" / "corpus" / "cs_5_0"
EVERYTHING = "translate, translate.pipeline, translate.dxbc, translate.asm"
_HEADER = """cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 64
dcl_thread_group 16, 1, 1
"""
_FOOTER = "store_raw u0.xyzw, vThreadID.x, r0.xyzw\nret\n"


def straight(count: int) -> list[str]:
    """Arithmetic with a load and a store in every eight instructions."""
    kinds = ("iadd r{a}.xy, r{b}.xyxx, r{c}.yxxx",) * 6
    kinds += ("ld_raw r{a}.xy, r{b}.x, u0.xyxx", "store_raw u0.x, r{a}.x, r{b}.y")
    return [
        kinds[i % 8].format(a=i % 16, b=(i * 5 + 1) % 16, c=(i * 3 + 2) % 16) for i in range(count)
    ]


def branches(count: int) -> list[str]:
    """A sequence of `if`s with two arms; five instructions each."""
    lines: list[str] = []
    for i in range(count // 5):
        a, b = i % 16, (i + 1) % 16
        lines += [f"if_nz r{i % 3}.x", f"xor r{b}.x, r{a}.x, l({i})", "else",
                  f"iadd r{b}.x, r{a}.x, l(3)", "endif"]  # fmt: skip
    return lines


def cases(count: int) -> list[str]:
    """One wide switch; three instructions for each case."""
    lines = ["switch vThreadID.x"]
    for i in range(count // 3):
        lines += [f"case l({i})", f"iadd r{i % 64}.x, r{(i + 1) % 64}.x, l({i})", "break"]
    return [*lines, "endswitch"]


def exits(count: int) -> list[str]:
    """One loop with many exits; two instructions for each."""
    lines = ["loop"]
    for i in range(count // 2):
        lines += [
            f"iadd r{i % 64}.xyzw, r{(i + 1) % 64}.xyzw, l(1,2,3,4)",
            f"breakc_nz r{i % 64}.x",
        ]
    return [*lines, "endloop"]


def nested(count: int) -> list[str]:
    """A sequence of nests: loops with an `if` inside, 32 levels of each."""
    lines: list[str] = []
    for _ in range(count // 192):
        for i in range(32):
            lines += ["loop", f"breakc_nz r{i % 16}.x", f"if_nz r{(i + 3) % 16}.y",
                      f"iadd r{i % 16}.xyzw, r{(i + 1) % 16}.yxwz, l(1,2,3,4)"]  # fmt: skip
        lines += ["endif", "endloop"] * 32
    return lines


SHAPES: tuple[Callable[[int], list[str]], ...] = (straight, branches, cases, exits, nested)
SIZES = (100, 1000, 10_000, 50_000)
_MOST_TRACED = 10_000  # instructions; with tracemalloc, a translation takes several times as long
_MOST_REPEATED = 10_000
_UNLIMITED = translate.Options(validate=False, max_words=1 << 30)


def measure(scale: float, shaders: Shaders) -> list[Row]:
    """Times in milliseconds, and microseconds and bytes for each instruction by size."""
    repeats = max(1, round(9 * scale))
    corpus = corpus_times(repeats)
    rows = [
        all_shaders(shaders.some(8 * scale), repeats),
        Row("corpus shader, median", {"ms": statistics.median(corpus.values())}),
        Row("corpus shader, longest", {"ms": max(corpus.values())}),
        Row("the same shader again, kept", {"ms": cached_time(repeats)}),
        Row("import translate", {"ms": import_time("translate", repeats)}),
        Row("import all that translates", {"ms": import_time(EVERYTHING, repeats)}),
        *_processes(repeats),
    ]
    sizes = [size for size in SIZES if size <= max(SIZES[0], SIZES[-1] * scale)]
    for shape in SHAPES:
        rows.append(Row(f"{shape.__name__}, us an instruction", _by_size(scaling, shape, sizes)))
        traced = [size for size in sizes if size <= _MOST_TRACED]
        rows.append(Row(f"{shape.__name__}, bytes an instruction", _by_size(peak, shape, traced)))
    return rows


def _by_size(
    figure: Callable[[str], float], shape: Callable[[int], list[str]], sizes: Sequence[int]
) -> dict[str, float]:
    """The figure of each size's whole shader, divided by its number of instructions."""
    found: dict[str, float] = {}
    for size in sizes:
        lines = shape(size)
        if lines:
            found[str(size)] = figure(_HEADER + "\n".join(lines) + "\n" + _FOOTER) / len(lines)
    return found


def milliseconds(action: Callable[[], object], repeats: int) -> float:
    """The median of several runs, after one that is not counted."""
    action()
    times: list[float] = []
    for _ in range(repeats):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return 1e3 * statistics.median(times)


def corpus_times(repeats: int) -> dict[str, float]:
    """Bytes to validated SPIR-V, by shader."""

    def run(data: bytes) -> Callable[[], object]:
        return lambda: translate.to_spirv(translate.load(data))

    paths = sorted(CORPUS.glob("*.dxbc"))
    return {path.stem: milliseconds(run(path.read_bytes()), repeats) for path in paths}


def all_shaders(paths: Sequence[Path], repeats: int) -> Row:
    """Loaded containers to SPIR-V: each shader's median, and microseconds an instruction of all."""

    def run(program: translate.Program) -> Callable[[], object]:
        return lambda: translate.to_spirv(program, _UNLIMITED)

    programs = [translate.load(path) for path in paths]
    times = [milliseconds(run(program), repeats) for program in programs]
    count = sum(len(program.statements) for program in programs)
    figures = {"median, ms": statistics.median(times), "longest, ms": max(times)}
    return Row("all shaders", figures | {"us an instruction": 1e3 * sum(times) / count})


def import_time(modules: str, repeats: int) -> float:
    """Milliseconds of CPU time that importing takes in a fresh process."""
    code = f"import time; t = time.process_time(); import {modules}; print(time.process_time() - t)"
    command = [sys.executable, "-c", code]
    with TemporaryDirectory() as folder:
        runs = [
            subprocess.run(command, check=True, capture_output=True, env=_installed(folder))
            for _ in range(1 + repeats)
        ]
    return 1e3 * statistics.median(float(run.stdout) for run in runs[1:])


def cached_time(repeats: int) -> float:
    """Milliseconds from the bytes of a container that the process has translated before."""
    data = (CORPUS / "philox.dxbc").read_bytes()
    with TemporaryDirectory() as folder, mock.patch.dict(os.environ, SM5VK_CACHE_DIR=folder):
        return milliseconds(lambda: Shader(data).module(translate.Options()), repeats)


def _processes(repeats: int) -> list[Row]:
    """The commands as whole processes, on one shader."""
    shader = str(CORPUS / "philox.dxbc")
    with TemporaryDirectory() as folder:
        output = str(Path(folder, "out.spv"))
        own = [sys.executable, "-m", "vkrunner", "translate", shader, "-o", output]
        peer = ["vkd3d-compiler", "-x", "dxbc-tpf", "-b", "spirv-binary", "-o", output, shader]
        runs = [
            ("sm5vk translate, process", own, "0"),
            ("sm5vk translate, process, cached", own, "1"),
            ("vkd3d-compiler, process", peer, "0"),
        ]
        rows: list[Row] = []
        for name, command, cache in runs:
            if has(command[0]):
                environment = _installed(folder) | {"SM5VK_CACHE": cache}
                _process_time(command, environment)
                times = [_process_time(command, environment) for _ in range(repeats)]
                rows.append(Row(name, {"ms": statistics.median(times)}))
        return rows


def _installed(folder: str) -> dict[str, str]:
    """An environment that keeps byte code in a folder, as for an installed package."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    kept = {"PYTHONPYCACHEPREFIX": f"{folder}/code", "SM5VK_CACHE_DIR": f"{folder}/cache"}
    return environment | kept


def _process_time(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Milliseconds of CPU time that a child process takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def scaling(text: str) -> float:
    """Microseconds for a listing: the best of three runs, or the only one of a large listing."""
    times: list[float] = []
    for _ in range(1 if text.count("\n") > _MOST_REPEATED else 3):
        start = time.process_time()
        translate.to_spirv(translate.load(text), _UNLIMITED)
        times.append(time.process_time() - start)
    return 1e6 * min(times)


def peak(text: str) -> float:
    """The peak of bytes in use, beyond those in use before."""
    tracemalloc.start()
    try:
        translate.to_spirv(translate.load(text), _UNLIMITED)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
