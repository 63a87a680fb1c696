"""What fxc makes of HLSL without a word: the warnings, where they come, and where they do not."""

import re
from pathlib import Path

import pytest

import translate
from vkrunner.__main__ import main

from .conftest import DATA

SOURCE = DATA / "surprises.hlsl"
ENTRIES = re.findall(r"\[numthreads\(64, 1, 1\)\]\nvoid (\w+)", SOURCE.read_text())
# The functions that others call, by theirs
CALLED = {"in_a_function": "next_one", "waits_in_a_function": "wait_for_all"}
RUN = "run {} --entry {} --groups 1 --given zeros:64:u4 --values zeros:64:u4 --sums zeros:64:u4"


def told(entry: str) -> list[int]:
    """The lines of an entry function with the word told."""
    text = SOURCE.read_text()
    lines: list[int] = []
    for name in (entry, CALLED.get(entry, entry)):
        match = re.search(rf"^\w+ {name}\(.*?^\}}", text, re.DOTALL | re.MULTILINE)
        assert match is not None
        first = text.count("\n", 0, match.start()) + 1
        lines += [first + n for n, line in enumerate(match[0].split("\n")) if "// told" in line]
    return sorted({*lines})


def warned(text: str) -> list[int]:
    return [int(n) for n in re.findall(r"surprises\.hlsl:(\d+): (?:warning: )?fxc ", text)]


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("entry", ENTRIES)
def test_hlsl(entry: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(SOURCE), "--entry", entry]) == 0
    assert warned(capsys.readouterr().err) == told(entry)


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("entry", ENTRIES)
def test_containers_with_debug_information(
    entry: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = translate.HlslOptions(entry=entry, fxc_flags="/Zi")
    container = tmp_path / "a.dxbc"
    container.write_bytes(translate.compile_hlsl(SOURCE, options).container)
    assert main(["inspect", str(container)]) == 0
    assert warned(capsys.readouterr().err) == told(entry)


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("device", ["reference", "auto"])
@pytest.mark.parametrize("entry", ["uav", "kept_barriers"])
def test_verbs(entry: str, device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`run`, `explain` and `test` warn too, with and without the cache and debug information."""
    on = ["--device", device] if device != "auto" else []
    page = str(tmp_path / "page.html")
    test = tmp_path / "a.shader_test"
    test.write_text(
        f"[shader]\nfile surprises.hlsl\nentry {entry}\n[srv 0]\ntype uint\nsize (buffer, 64)\n"
        + "".join(f"[uav {n}]\ntype uint\nsize (buffer, 64)\n" for n in range(2))
        + "[test]\nraces any\ndispatch 1 1 1\n"
    )
    (tmp_path / "surprises.hlsl").write_bytes(SOURCE.read_bytes())
    for _ in range(2):
        assert main([*RUN.format(SOURCE, entry).split(), *on]) == 0
        assert warned(capsys.readouterr().err) == told(entry)
        assert main(["test", str(test), *on]) == 0
        captured = capsys.readouterr()
        assert warned(captured.err) == told(entry), captured.out
    assert main(["explain", str(SOURCE), "--entry", entry, "-o", page]) == 0
    assert warned(capsys.readouterr().err) == told(entry)


@pytest.mark.usefixtures("stand_in")
def test_the_source_is_compiled_again_only_where_it_may_surprise(log: Path) -> None:
    assert main(["inspect", str(SOURCE), "--entry", "kept_barriers"]) == 0
    assert len(log.read_text().splitlines()) == 1
    assert main(["inspect", str(SOURCE), "--entry", "uav"]) == 0
    assert len(log.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    "text",
    ["{" * 100_000, "#if X\n" * 50_000, "switch (a) {" * 20_000,
     "GroupMemoryBarrierWithGroupSync();" * 7_000, "[unroll(3)] for (int i = 0; " * 9_000],
    ids=["braces", "directives", "switches", "barriers", "loops"],
)  # fmt: skip
def test_hostile_text(text: str) -> None:
    """Debug information is somebody else's: text that is no HLSL takes no long time."""
    program = translate.load(SHADER)
    program.hlsl_files = {"a.hlsl": text}
    from translate.surprises import may_surprise, surprises

    assert surprises(program) == []
    may_surprise([text], "main", program)


SHADER = Path(__file__).parents[2] / "shaders" / "saxpy.dxbc"
