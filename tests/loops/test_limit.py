"""Loops of more rounds than lavapipe of Mesa 22.3 runs: right results, or an error."""

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from vkrunner.__main__ import main

HEAD = (Path(__file__).parent / "data/limit_head.asm").read_text("utf-8")
TAIL = "store_raw u0.x, r7.x, r0.x\nret\n"
STEP = "iadd r0.x, r0.x, l(1)"


def leaving(counter: str, limit: str) -> tuple[str, str]:
    """The end of a loop after so many rounds."""
    return f"uge r0.y, {counter}, {limit}", "breakc_nz r0.y"


def loop(*lines: str) -> str:
    return "\n".join(["loop", *lines, "endloop\n"])


def counting(limit: int | str) -> str:
    """A loop of so many rounds."""
    return loop(*leaving("r0.x", limit if isinstance(limit, str) else f"l({limit})"), STEP)


LAST, LAST_OF_300 = leaving("r0.x", "l(100000)"), leaving("r0.x", "l(300)")
INNER = (*leaving("r1.x", "l(300)"), "iadd r1.x, r1.x, l(1)")
CUT = {
    "at the head": counting(100_000),
    "at the end": loop(STEP, *LAST),
    "in one thread": "ieq r1.x, vThreadID.x, l(5)\nmovc r1.x, r1.x, l(100000), l(3)\n"
    + counting("r1.x"),
    "a computed condition": loop(
        *("imul null, r0.y, r0.x, l(3)", "and r0.y, r0.y, l(0x7fffffff)"),
        *("ult r0.y, r0.y, l(300000)", "breakc_z r0.y", STEP),
    ),
    "several exits": loop(*LAST, "ieq r0.y, r0.x, l(90000)", "breakc_nz r0.y", STEP),
    "return": loop(LAST[0], "if_nz r0.y", "store_raw u0.x, r7.x, r0.x", "ret", "endif", STEP),
    "nested": loop(*LAST_OF_300, "mov r1.x, l(0)", loop(*INNER), STEP),
    "return out of two": loop(
        *("mov r1.x, l(0)", loop(*INNER, "uge r0.y, r0.x, l(300)", "retc_nz r0.y"), STEP)
    ),
    "one after another": counting(40_000) + counting(80_000),
    "a switch": loop(
        *(*LAST, "and r0.z, r0.x, l(1)", STEP),
        *("switch r0.z", "case l(0)", "continue", "default", "break", "endswitch"),
    ),
    "no exit": loop("atomic_iadd u0, r7.x, l(1)"),
    "a subroutine": loop(*LAST_OF_300, "call label0", STEP),
}
SUBROUTINE = "label label0\nmov r1.x, l(0)\n" + loop(*INNER).replace("breakc", "retc") + "ret\n"
CASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {"optimize": optimize}) for name in CUT for optimize in (True, False)),
    *(("at the head", {"guards": guards}) for guards in ("report", "robustness2", "off")),
    # Called in a loop of the translation's own, and inlined
    *(("a subroutine", {"max_inlined": most}) for most in (0, 1 << 15)),
]
WORDS = np.zeros(16, np.uint32)


@pytest.fixture
def limited(device: Any) -> Any:
    """The device, if it ends loops."""
    if "loop_limit" not in device.faults:
        pytest.skip(f"{device.name} ends no loops")
    return device


def cut_off(kernel: Any, words: Any = WORDS) -> vkrunner.LoopLimitError:
    """The error of a dispatch."""
    with pytest.raises(vkrunner.LoopLimitError, match="loop_limit") as caught:
        kernel.dispatch(1, u0=words)
    return caught.value


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_a_loop_that_is_cut_off(limited: Any, name: str, options: dict[str, Any]) -> None:
    if "robustness2" in options.values() and not limited.features.robust_buffer_access2:
        pytest.skip(f"{limited.name} has no robustBufferAccess2")
    called = SUBROUTINE if "call" in CUT[name] else ""
    cut_off(limited.kernel(HEAD + CUT[name] + TAIL + called, **options))


def test_accesses_outside_after_a_loop_that_is_cut_off(limited: Any) -> None:
    """The driver also cuts the loops that write records, which then have what was there before."""
    with limited.kernel(HEAD + TAIL) as kernel:  # leaves memory of a report's size
        kernel.dispatch(1, u0=np.full(40_964, 0xFFFFFFFF, np.uint32))
    outside = "store_raw u0.x, l(0x1000), r0.x\n"
    kernel = limited.kernel(f"{HEAD}{CUT['at the head']}{outside}{TAIL}", guards="report")
    cut_off(kernel)


def test_the_error_says_which_loop_and_what_to_do(limited: Any) -> None:
    error = cut_off(limited.kernel(HEAD + counting(10) + counting(100_000) + TAIL))
    assert (error.line, error.instruction, error.hlsl_file, error.hlsl_line) == (13, 7, None, None)
    assert error.exit_code == 3
    assert "a loop that threads had not left, line 13 (instruction 7)" in str(error)
    for way in ("newer Mesa", "backports", "SwiftShader", "reference machine"):
        assert way in str(error)


def test_a_container_has_no_lines(limited: Any) -> None:
    error = cut_off(limited.kernel(translate.assemble(HEAD + CUT["at the head"] + TAIL)))
    assert (error.line, error.instruction) == (None, 2)
    assert "left, instruction 2:" in str(error)


def test_long_loops_are_right_or_an_error(device: Any) -> None:
    kernel = device.kernel(HEAD + counting(66_000) + TAIL)
    try:
        found = kernel.dispatch(1, u0=WORDS).u0
    except vkrunner.LoopLimitError:
        assert "loop_limit" in device.faults
    else:
        np.testing.assert_array_equal(found, [66000] * 16)


def test_loops_within_the_limit(limited: Any) -> None:
    """The last threads of both groups of eight take more rounds than the others."""
    body = "imul null, r1.x, vThreadID.x, l(4368)\n" + counting("r1.x")
    found = limited.kernel(HEAD + body + TAIL).dispatch(1, u0=WORDS).u0
    np.testing.assert_array_equal(found, np.arange(16) * 4368)


def test_a_kernel_is_usable_afterwards(limited: Any) -> None:
    load = "ld_raw r1.x, l(64), u0.xxxx\n"
    kernel = limited.kernel(HEAD + load + counting("r1.x") + TAIL)
    for rounds in (10, 100_000, 20):
        words = np.array([0] * 16 + [rounds], np.uint32)
        if rounds > 65535:
            cut_off(kernel, words)
        else:
            assert kernel.dispatch(1, u0=words).u0[:16].tolist() == [rounds] * 16


def test_futures(limited: Any) -> None:
    kernel = limited.kernel(HEAD + CUT["at the head"] + TAIL)
    buffer = limited.buffer(WORDS)
    for ask in (lambda f: f.result(), lambda f: f.wait()):
        with pytest.raises(vkrunner.LoopLimitError):
            ask(kernel.dispatch_async(1, u0=buffer))
    future = kernel.dispatch_async(1, u0=buffer)
    assert isinstance(future.exception(), vkrunner.LoopLimitError)

    async def awaited() -> None:
        await kernel.dispatch_async(1, u0=buffer)

    with pytest.raises(vkrunner.LoopLimitError):
        asyncio.run(awaited())


def test_recordings(limited: Any) -> None:
    """Also if nobody asks for results, since buffers may be read instead."""
    kernel = limited.kernel(HEAD + CUT["at the head"] + TAIL)
    buffer = limited.buffer(WORDS)
    with limited.record() as work:
        step = work.dispatch(kernel, 1, u0=buffer)
    for _ in range(2):
        future = work.submit()
        with pytest.raises(vkrunner.LoopLimitError):
            future.wait()
        with pytest.raises(vkrunner.LoopLimitError):
            future.result(step)
        assert isinstance(future.exception(), vkrunner.LoopLimitError)


def test_the_command_line(limited: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long.asm"
    path.write_text(HEAD + CUT["at the head"] + TAIL)
    assert main(["run", str(path), "--groups", "1,1,1", "--u0", "zeros:16:u4"]) == 3
    assert "line 8 (instruction 2)" in capsys.readouterr().err


def test_messages_beside_loops(limited: Any) -> None:
    """A shader's own messages are numbered and counted as before."""
    listing = HEAD + 'printf "thread %u", vThreadID.x\n' + counting(9) + TAIL
    kernel = limited.kernel(listing)
    result = kernel.dispatch(1, u0=WORDS)
    assert [message.text for message in result.messages] == [f"thread {n}" for n in range(16)]
    assert kernel.interface.messages[0].name == "printf"
    assert {site.name for site in kernel.interface.messages[1:]} == {"loop_limit"}


def test_a_shader_without_loops_has_no_messages(limited: Any) -> None:
    assert not limited.kernel(HEAD + TAIL).interface.messages
