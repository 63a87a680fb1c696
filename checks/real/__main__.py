"""`python -m checks.real FOLDER`: real programs with random inputs on a device and on the machine.

Every container of the folder runs with random inputs on a device and on the reference machine. The
table has the programs whose results differ, with a cause: a race, an order of threads, the
precision of named instructions, or "unexplained". A program that ends the process, or takes too
long, is one line of it; the others go on in a new process.
"""

from __future__ import annotations

import argparse
import json
import select
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any


def main() -> int:
    """0 if everything is explained, else 1."""
    given = _arguments()
    paths = sorted(p for pattern in ("*.dxbc", "*.asm") for p in given.folder.glob(pattern))
    paths = [p for p in paths if p.suffix == ".dxbc" or not p.with_suffix(".dxbc").exists()]
    paths = sorted((p for p in paths if given.match in p.name), key=lambda p: p.stat().st_size)
    verdicts = list[dict[str, Any]]()
    with Workers(given.device, given.seconds) as workers:
        for n, path in enumerate(paths):
            for seed in range(given.seed, given.seed + given.seeds):
                verdict = workers.judge(path, seed)
                verdicts.append(verdict)
                _print(verdict, n, len(paths))
                if given.json:
                    given.json.write_text(json.dumps(verdicts, indent=1), encoding="utf-8")
    counts = Counter(c for v in verdicts for c in v["causes"] or ["equal"])
    for cause, count in counts.most_common():
        print(f"{count:6} {cause}")
    return 1 if any("unexplained" in cause for cause in counts) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m checks.real", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--device", help="as in vkrunner.open_device")
    parser.add_argument("--seed", type=int, default=0, help="odd seeds have infinities and NaNs")
    parser.add_argument("--seeds", type=int, default=1, help="inputs for each program")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each program")
    parser.add_argument("--match", default="", help="a part of the names of the files")
    parser.add_argument("--json", type=Path, help="where all verdicts are written")
    return parser.parse_args()


def _print(verdict: dict[str, Any], number: int, count: int) -> None:
    if not verdict["causes"]:
        return
    name = Path(verdict["file"]).name
    print(f"{number + 1}/{count} {name} seed {verdict['seed']}: {'; '.join(verdict['causes'])}",
          flush=True)  # fmt: skip
    for detail in verdict["details"]:
        print(f"    {detail}", flush=True)


class Workers:
    """One process at a time that judges programs; a program that ends it gets a new one started."""

    def __init__(self, device: str | None, seconds: float):
        self._command = [sys.executable, "-m", "checks.real.worker"]
        self._command += ["--device", device] if device else []
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def kill(self) -> None:
        """End the process as a crash does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def judge(self, path: Path, seed: int) -> dict[str, Any]:
        """The verdict of a program; of one that did not come to an end, that it did not."""
        if self._process is None:
            self._process = self._started()
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps([str(path), seed]) + "\n")
            self._process.stdin.flush()
        line = self._line(self._seconds)
        if line:
            return json.loads(line)
        cause = f"ended the process ({self._process.poll()})" if line == "" else "took too long"
        self._end()
        return {"file": str(path), "seed": seed, "causes": [cause], "details": []}

    def _started(self) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            self._command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        if not self._line(120.0):
            raise RuntimeError("the worker does not start")
        return self._process

    def _line(self, seconds: float) -> str | None:
        """A line of the process, '' at its end, None where it takes too long."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], seconds)
        line = process.stdout.readline() if ready else None
        if line == "":
            process.wait()
        return line

    def _end(self) -> None:
        self.kill()
        self._process = None


if __name__ == "__main__":
    sys.exit(main())
