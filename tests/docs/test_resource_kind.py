"""The guide to a new kind of resource, followed in a copy of the sources."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/adding-a-resource-kind.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """The page's block in a language."""
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return text


def test_the_rows_are_all_that_the_compiler_needs(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "translate", tmp_path / "translate")
    changes, module = block("diff"), tmp_path / "scratch.ir"
    module.write_text(block("ir"), encoding="utf-8")
    subprocess.run(["git", "apply", "-"], input=changes, text=True, cwd=tmp_path, check=True)
    code = (
        "import sys, translate; from translate.dump import translate_ir\n"
        "for guards in ('d3d', 'off', 'report'):\n"
        "    options = translate.Options(guards=guards, validate='available')\n"
        "    print(len(translate_ir(open(sys.argv[1]).read(), options).words) > 0)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code, module], cwd=tmp_path, env=environment,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout == "True\n" * 3, done.stderr
    assert changes.count("+++ ") <= 8
