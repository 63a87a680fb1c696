"""Every code block of every page runs as it stands, in its page's order.

The output that a page shows has to be printed. `test_hosts.py` runs the programs in C and C++.
"""

import contextlib
import io
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

import translate
from vkrunner.__main__ import main

from .blocks import ADDITIONS, PAGES, Block, Kind, blocks_of, why_not_run

LONG = ("ci", "getting-started", "hlsl", "pytest", "shader-tests")
# The first pages that a user reads run each command in a process. On other pages a command that
# needs no shell is called in this process: most commands run shorter than a process takes to start.
IN_PROCESSES = ("README.md", "docs/getting-started.md", "docs/pytest.md")
_FOR_THE_SHELL = re.compile(r"[][|&;<>()$`*?#~{}!\\]")
_ALONE = re.compile(r"(sm5vk|python) .*[^\\]$")  # a command that leaves nothing to the next line
IN_TEST_USAGE = ("docs/command-line.md", "docs/python.md")
SLOW = pytest.mark.slow(reason="many commands, each a process")


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=SLOW if Path(page).stem in LONG else [])
        for page in PAGES
        if page not in (*IN_TEST_USAGE, *ADDITIONS)
    ],
)
def test_page(page: str, folder: Path) -> None:
    run_page(page, folder)


def run_page(page: str, folder: Path) -> str:
    """Run a page's blocks; returns all that its commands print."""
    all_printed = ""
    names: dict[str, Any] = {"__name__": page}
    printed: str | None = ""
    for block in blocks_of(page):
        match block.kind:
            case Kind.PYTHON:
                printed = run_python(block, names)
            case Kind.SHELL:
                printed = run_shell(block)
                all_printed += printed
            case Kind.HOST:
                printed = None
            case Kind.OUTPUT if printed is not None:
                assert block.text in printed, f"{block.place} is not what is printed:\n{printed}"
            case Kind.FILE:
                (folder / block.title).parent.mkdir(parents=True, exist_ok=True)
                (folder / block.title).write_text(block.text, encoding="utf-8")
            case Kind.LISTING:
                translate.to_spirv(translate.load(block.text))
            case Kind.OUTPUT | Kind.SHOWN:
                pass
    return all_printed


def run_python(block: Block, names: dict[str, Any]) -> str:
    """Run a block; returns its output. All blocks of a page share their names, as in a session."""
    code = compile("\n" * block.line + block.text, block.page, "exec")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(code, names)
    return out.getvalue()


def run_shell(block: Block) -> str:
    """Run the commands; returns their output. Only the last may fail, with the page's exit code."""
    lines = block.commands.strip().splitlines()
    if block.page in IN_PROCESSES or not all(map(_ALONE.match, lines)):
        return in_a_shell(block, block.commands)
    printed = ""
    for line in lines:
        run = in_a_shell if _FOR_THE_SHELL.search(line) or line.startswith("python") else _called
        printed += run(block, line, block.exits if line is lines[-1] else 0)
    return printed


def in_a_shell(block: Block, commands: str, exits: int | None = None) -> str:
    done = subprocess.run(["sh", "-euc", commands], capture_output=True, text=True, timeout=300)
    report = f"{block.place}\n{commands}\n{done.stdout}\n{done.stderr}"
    assert done.returncode == (block.exits if exits is None else exits), report
    return done.stdout


def _called(block: Block, line: str, exits: int) -> str:
    """Call a command in this process; returns its output."""
    printed, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
        code = main(shlex.split(line)[1:])
    assert code == exits, f"{block.place}\n{line}\n{printed.getvalue()}\n{complained.getvalue()}"
    return printed.getvalue()


def test_blocks_are_found() -> None:
    """If a page were read wrongly, nothing would run and all tests would pass."""
    readme = [block.kind for block in blocks_of("README.md")]
    assert readme.count(Kind.SHELL) >= 2
    assert readme.count(Kind.PYTHON) >= 1
    assert readme.count(Kind.OUTPUT) >= 2
    assert [block.kind for block in blocks_of("docs/python.md")].count(Kind.PYTHON) >= 3
    page = blocks_of("docs/command-line.md")
    commands = "".join(block.commands for block in page if block.kind is Kind.SHELL).splitlines()
    words = {line.split()[1] for line in commands if line.startswith("sm5vk ")}
    assert words >= {"devices", "run", "translate", "disasm", "asm", "inspect"}
    drivers = [block.kind for block in blocks_of("docs/drivers.md")]
    assert drivers.count(Kind.LISTING) >= 4


def test_the_readme_fits_95_columns() -> None:
    """A hosting site shows so many of a code block without a scroll bar."""
    lines = [line for block in blocks_of("README.md") for line in block.text.splitlines()]
    assert [line for line in lines if len(line) > 95] == []


def test_commands_that_are_not_run() -> None:
    assert why_not_run("sh ci/test.sh -k saxpy")
    assert why_not_run("    pip install sm5vk")
    assert why_not_run("sm5vk inspect shaders/saxpy.dxbc") is None
    assert why_not_run("python shaders/examples/sort.py") is None
