"""How long translation takes: `python -m tests.benchmarks.translate`.

Processor time, not the clock's. Corpus times are of one warm process; import times of fresh ones.
Figures are medians, to be compared with others of the same machine only; nothing here passes or
fails.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import translate

CORPUS = Path(__file__).parents[1] / "corpus" / "cs_5_0"
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
    """One `if` with two arms behind the other; five instructions each."""
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
    """Loops with an `if` inside, 32 levels of each, one such nest behind the other."""
    lines: list[str] = []
    for _ in range(count // 192):
        for i in range(32):
            lines += ["loop", f"breakc_nz r{i % 16}.x", f"if_nz r{(i + 3) % 16}.y",
                      f"iadd r{i % 16}.xyzw, r{(i + 1) % 16}.yxwz, l(1,2,3,4)"]  # fmt: skip
        lines += ["endif", "endloop"] * 32
    return lines


SHAPES: tuple[Callable[[int], list[str]], ...] = (straight, branches, cases, exits, nested)
SIZES = (1000, 10_000, 50_000)


def milliseconds(action: Callable[[], object], repeats: int) -> float:
    """The median of several runs, behind one that is not counted."""
    action()
    times: list[float] = []
    for _ in range(repeats):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return 1e3 * statistics.median(times)


def corpus_times() -> dict[str, float]:
    """Bytes to validated SPIR-V, by shader."""

    def run(data: bytes) -> Callable[[], object]:
        return lambda: translate.to_spirv(translate.load(data))

    return {p.stem: milliseconds(run(p.read_bytes()), 9) for p in sorted(CORPUS.glob("*.dxbc"))}


def import_time(modules: str) -> float:
    """Milliseconds of a fresh process's own time that importing takes."""
    code = f"import time; t = time.process_time(); import {modules}; print(time.process_time() - t)"
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True) for _ in range(9)]
    return 1e3 * statistics.median(float(run.stdout) for run in runs)


def scaling(shape: Callable[[int], list[str]], count: int) -> float:
    """Microseconds an instruction, from listing to SPIR-V that is not validated."""
    text = _HEADER + "\n".join(shape(count)) + "\n" + _FOOTER
    start = time.process_time()
    translate.to_spirv(translate.load(text), translate.Options(validate=False))
    return 1e6 * (time.process_time() - start) / count


def main() -> None:
    """Print all figures."""
    print(f"import translate            {import_time('translate'):8.2f} ms")
    print(f"  and what translates       {import_time(EVERYTHING):8.2f} ms")
    times = corpus_times()
    for name, value in times.items():
        print(f"  {name:24}  {value:8.2f} ms")
    print(f"corpus, median              {statistics.median(times.values()):8.2f} ms")
    print("us an instruction   " + "".join(f"{size:>10}" for size in SIZES))
    for shape in SHAPES:
        print(f"  {shape.__name__:18}" + "".join(f"{scaling(shape, n):10.0f}" for n in SIZES))


if __name__ == "__main__":
    main()
