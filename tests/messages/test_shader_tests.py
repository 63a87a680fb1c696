"""Shader tests whose shaders abort or send messages."""

import json
import struct
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import pytest

from translate import assemble
from vkrunner.__main__ import main
from vkrunner.shadertest.outcome import PASSED, to_json, to_junit

from ..unit.vkrunner.shadertest.cases import outcome, outcomes
from .listings import LOAD, shader

# Each of four threads adds 1 to its dword; one that finds 100 aborts instead.
ADDS = shader(
    "ishl r1.x, vThreadID.x, l(2)",
    f"{LOAD} r0.x, r1.x, u0.xxxx",
    "ieq r0.y, r0.x, l(100)",
    "if_nz r0.y",
    "abort",
    "endif",
    "iadd r0.x, r0.x, l(1)",
    "store_raw u0.x, r1.x, r0.x",
    threads=4,
)
UAV = "[uav 0]\nsize (raw_buffer, 4)\n1 2 100 4\n"
FIRST = "[test one]\ndispatch 1 1 1\n"
EXPECTED = "error the shader aborted in thread (2, 0, 0)\n"


def kept(listing: str, rest: str) -> str:
    """A test in vkd3d's form, in which resources keep their contents, with a container."""
    data = assemble(listing)
    dwords = " ".join(f"{n:08x}" for n in struct.unpack(f"<{len(data) // 4}I", data))
    return f"[compute shader dxbc-tpf-hex]\n{dwords}\n{rest}"


def probe(values: str) -> str:
    return f"probe uav 0 all ({values})\n"


LEFT = {  # the lines of the first test -> what the second finds
    "aborted as expected": (f"{FIRST}{EXPECTED}", "2, 3, 100, 5"),
    "aborted twice": (f"{FIRST}{EXPECTED}dispatch 1 1 1\n", "3, 4, 100, 6"),
    "aborted, so that it failed and ended": (f"{FIRST}dispatch 1 1 1\n", "2, 3, 100, 5"),
    "refused, which ended it": (
        f"{FIRST.replace('dispatch 1', 'dispatch 70000')}error 70000 groups\ndispatch 1 1 1\n",
        "1, 2, 100, 4",
    ),
}


@pytest.mark.parametrize("how", LEFT)
def test_what_later_tests_find(device: Any, how: str) -> None:
    first, values = LEFT[how]
    later = f"[test two]\n{probe(values)}{UAV.replace('100', '3')}[test three]\ndispatch 1 1 1\n"
    text = kept(ADDS, f"{UAV}{first}{later}{probe('2, 3, 4, 5')}")
    one, *others = outcomes(device, text)
    assert (one.status == PASSED) == ("error" in first)
    assert [each.status for each in others] == [PASSED] * 2, [each.text() for each in others]


def test_probes_after_an_abort(device: Any) -> None:
    """The outputs of the other threads are there, for the same test too."""
    text = f"[shader]\n{ADDS}{UAV}{FIRST}{EXPECTED}"
    assert outcome(device, text + probe("2, 3, 100, 5")).status == PASSED
    (failure,) = outcome(device, text + probe("2, 3, 100, 4")).failures
    assert failure.message == "u0: 1 of 4 numbers differ"


def test_a_failure_tells_that_contents_are_kept(machine: Any) -> None:
    """Once, and only if an earlier test of the file has left its results."""
    failing = f"{probe('0, 0, 0, 0')}{probe('1, 1, 1, 1')}"
    rest = f"{UAV.replace('100', '3')}{FIRST}{failing}[test two]\n{failing}"
    note = "in this file resources keep their contents from test to test, by vkd3d's rules"
    first, second = outcomes(machine, kept(ADDS, rest))
    assert (first.text().count(note), second.text().count(note)) == (0, 1)
    for each in outcomes(machine, f"[shader]\n{ADDS}{rest}"):
        assert note not in each.text()


# A message of each thread, which a terminal or a workflow of GitHub would take for a command.
SENDS = shader(
    'printf "::error::\\x1b[1m %u", vThreadID.x',
    'errorf "odd %.1f", l(0.500000)',
    threads=16,
)


@pytest.mark.parametrize("test", ["probe uav 0 all 1 2 3 4\n", ""], ids=["failing", "passing"])
def test_messages_are_shown(device: Any, test: str) -> None:
    found = outcome(device, f"[shader]\n{SENDS}{UAV}{FIRST}{test}")
    assert bool(found.failures) == bool(test)
    at = found.text().splitlines()
    at = at[at.index("messages: 32") + 1 :]
    assert [line.split() for line in at[:3]] == [
        ["thread", "text"],
        ["0,0,0", r"\x3a:error::\x1b[1m", "0"],
        ["0,0,0", "error:", "odd", "0.5"],
    ]
    assert [line.split() for line in at[20:]] == [
        ["9,0,0", "error:", "odd", "0.5"],
        ["and", "12", "more"],
    ]
    shown = json.loads(json.dumps(to_json([found], 1.0)))["tests"][0]["messages"]
    assert (shown["total"], len(shown["records"])) == (32, 20)
    record = {"name": "errorf", "thread": [9, 0, 0], "text": "odd 0.5"}
    assert shown["records"][-1] == record
    (case,) = xml.fromstring(to_junit([found])).iter("testcase")
    assert (case.findtext("system-out") or "").startswith("messages: 32\n")


def test_passing_tests_show_them_with_v(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.shader_test"
    path.write_text(f"[shader]\n{SENDS}{UAV}{FIRST}", "utf-8")
    for words, shows in (([], False), (["-v"], True)):
        assert main(["test", str(path), "--device", "reference", *words]) == 0
        assert ("odd 0.5" in capsys.readouterr().out) == shows
