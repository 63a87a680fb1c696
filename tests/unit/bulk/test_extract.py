"""Extracting containers from files, one by one and for bulk translation."""

import base64
import json
import os
import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import translate
from tests.commands import python
from translate.bulk import Note, Part, Recipe, find_inputs, find_parts, translate_files
from vkrunner.__main__ import main

from .files import COMPUTE, LISTING, OLDER, PIXEL, header_file, name_of, noise
from .shaders import contents

PAK = noise(100) + COMPUTE + noise(10) + OLDER + COMPUTE + noise(9)


def parts_of(path: Path) -> dict[str, bytes]:
    found = [*find_parts(path)]
    assert not [one for one in found if isinstance(one, Note)]
    return {one.name: one.read(path) for one in found if isinstance(one, Part)}


def test_of_source_text(tmp_path: Path) -> None:
    path = tmp_path / "shaders.h"
    text = header_file(COMPUTE) + header_file(OLDER, hexadecimal=True) + header_file(PIXEL)
    path.write_text(text)
    assert parts_of(path) == {
        name_of(COMPUTE): COMPUTE,
        name_of(OLDER, "cs_5_1"): OLDER,
        name_of(PIXEL, "ps_5_0"): PIXEL,
    }


def test_of_an_array_with_several(tmp_path: Path) -> None:
    path = tmp_path / "shaders.h"
    path.write_text(header_file(COMPUTE + bytes(3) + OLDER))
    assert list(parts_of(path).values()) == [COMPUTE, OLDER]


def test_no_input_is_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = name_of(COMPUTE)
    (tmp_path / name).write_bytes(PAK)
    assert main(["extract", str(tmp_path / name), "--output-dir", str(tmp_path)]) == 2
    assert f"{name} is an input: name another --output-dir" in capsys.readouterr().err
    assert (tmp_path / name).read_bytes() == PAK
    assert main(["extract", str(tmp_path / name), "--output-dir", str(tmp_path / "new")]) == 0
    for _ in range(2):  # a container has its own name already
        assert main(["extract", str(tmp_path / "new"), "--output-dir", str(tmp_path / "new")]) == 0


def dwords(data: bytes, form: str = "{}") -> str:
    numbers = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
    return f"const uint32_t main_[] = {{{', '.join(form.format(number) for number in numbers)}}};\n"


def wrapped(text: str, width: int = 76) -> str:
    return "\n".join("    " + text[at : at + width] for at in range(0, len(text), width))


@pytest.mark.parametrize(
    "write",
    [
        dwords,
        lambda data: dwords(data, "0x{:08x}u"),
        lambda data: dwords(data, "0X{:X}UL"),
        lambda data: f"  _typelessdata: {data.hex()}\n  next: 1\n",
        lambda data: f"code:\n{wrapped(data.hex().upper(), 75)}\n\n# end\n",
        lambda data: json.dumps({"code": base64.b64encode(data).decode(), "other": [1, 2]}),
        lambda data: f"<data>\n{wrapped(base64.b64encode(data).decode())}\n</data>",
    ],
    ids=["dwords", "hex_dwords", "long_dwords", "yaml", "wrapped_hex", "json", "wrapped_base64"],
)
def test_of_other_texts(tmp_path: Path, write: Callable[[bytes], str]) -> None:
    path = tmp_path / "some.txt"
    path.write_text(f"// text\n{write(COMPUTE)}{write(OLDER)}")
    assert parts_of(path) == {name_of(COMPUTE): COMPUTE, name_of(OLDER, "cs_5_1"): OLDER}
    given = find_inputs([str(path)])
    assert sorted(one.read() for one in given) == sorted([COMPUTE, OLDER])


@pytest.mark.parametrize(
    "write",
    [dwords, bytes.hex, lambda data: wrapped(data.hex(), 31)],
    ids=["dwords", "hex", "wrapped"],
)
def test_several_in_one_text(tmp_path: Path, write: Callable[[bytes], str]) -> None:
    path = tmp_path / "some.txt"
    path.write_text(write(COMPUTE + bytes(8) + OLDER + COMPUTE))
    assert list(parts_of(path).values()) == [COMPUTE, OLDER]


@pytest.mark.parametrize(
    "text", ["x44584243", "4458424", "44584243 zz", "xRFhCQ", "RFhCQ", "RFhCQ=", "1128421444,", ""]
)
def test_texts_that_only_begin_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "some.txt"
    path.write_text(text)
    assert not [one for one in find_parts(path) if isinstance(one, Part)]


def test_an_array_with_many_takes_linear_time(tmp_path: Path) -> None:
    """Each is read from its own part of the text."""
    path = tmp_path / "shaders.h"
    path.write_text(header_file(COMPUTE * 500))
    parts = [one for one in find_parts(path) if isinstance(one, Part)]
    assert len(parts) == 500
    assert sum(one.end - one.start for one in parts) <= path.stat().st_size
    assert {one.read(path) for one in parts[::100]} == {COMPUTE}


def test_damage_is_noted_at_its_place(tmp_path: Path) -> None:
    pak, header = tmp_path / "game.pak", tmp_path / "shaders.h"
    pak.write_bytes(noise(16) + COMPUTE[:-5])
    header.write_text(header_file(COMPUTE[:-5]))
    (in_pak,), (in_header,) = find_parts(pak), find_parts(header)
    line = 1 + header.read_text().splitlines().index("const BYTE g_main[] =") + 2
    assert str(in_pak).startswith(f"{pak}: byte 0x10: warning: skipping a damaged container: ")
    assert str(in_header).startswith(f"{header}:{line}: warning: ")
    assert isinstance(in_pak, Note)
    assert (
        in_pak.reason
        == f"the container has {len(COMPUTE)} bytes, but only {len(COMPUTE) - 5} are left"
    )


def test_a_large_file_is_not_read_into_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.pak"
    with path.open("wb") as file:
        file.seek(400 << 20)
        file.write(COMPUTE)
        file.truncate(500 << 20)
    tracemalloc.start()
    try:
        assert parts_of(path) == {name_of(COMPUTE): COMPUTE}
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


def numbers(data: bytes) -> str:
    return "{" + ", ".join(map(str, data)) + "}"


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


ALIGNED = COMPUTE + bytes(-len(COMPUTE) % 12)  # whole dwords, and groups of base64


@pytest.mark.parametrize("write", [dwords, bytes.hex, encoded])
def test_a_large_array_is_read_in_pieces(tmp_path: Path, write: Callable[[bytes], str]) -> None:
    """The container that it begins with is small."""
    path = tmp_path / "some.txt"
    path.write_text(write(ALIGNED + bytes(12 << 15) + OLDER + bytes(-len(OLDER) % 4)))
    tracemalloc.start()
    try:
        found = [*parts_of(path).values()]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == [COMPUTE, OLDER]
    assert peak < 14 << 20


@pytest.mark.parametrize("blanks", [1, 1 << 18])
@pytest.mark.parametrize("write", [numbers, bytes.hex, encoded])
def test_blanks_in_an_array(tmp_path: Path, write: Callable[[bytes], str], blanks: int) -> None:
    """At the place where another piece begins, and around it."""
    path = tmp_path / "some.txt"
    text = write(ALIGNED + bytes(12 << 13) + OLDER)
    for at in ((1 << 17) - 2, 1 << 17, (1 << 17) + 1):
        place = text.index(",", at) + 1 if write is numbers else at
        path.write_text(f"{text[:place]}{' ' * blanks}{text[place:]}")
        assert [*parts_of(path).values()] == [COMPUTE, OLDER]


@pytest.mark.parametrize("cut", [1, 3, 20, 100, len(COMPUTE) - 1])
def test_a_container_at_the_end_of_a_piece(tmp_path: Path, cut: int) -> None:
    """Files are read in pieces of 1 MiB."""
    path = tmp_path / "game.pak"
    path.write_bytes(bytes((2 << 20) - cut) + COMPUTE + OLDER)
    assert [*parts_of(path).values()] == [COMPUTE, OLDER]


@pytest.mark.parametrize("cut", [1, 3, 12, 100])
@pytest.mark.parametrize("write", [header_file, bytes.hex])
def test_text_where_a_piece_ends(tmp_path: Path, write: Callable[[bytes], str], cut: int) -> None:
    path = tmp_path / "shaders.h"
    before, array, damaged = write(COMPUTE), write(OLDER), write(COMPUTE[:-1])
    starts = re.compile(r"68,\s+88,|4458")
    start, last = starts.search(array), starts.search(damaged)
    assert start is not None
    assert last is not None
    blanks = "\n" * ((1 << 20) - len(before) - start.start() - cut)
    above = f"{before}{blanks}{array};{'x' * (1 << 20)}\n"
    path.write_text(above + damaged)
    *parts, note = find_parts(path)
    assert [part.read(path) for part in parts if isinstance(part, Part)] == [COMPUTE, OLDER]
    line = (above + damaged[: last.start()]).count("\n") + 1
    assert str(note).startswith(f"{path}:{line}: warning: ")


CUT = """
import os, sys
from vkrunner.__main__ import main
replace = os.replace
def cut_and_replace(*paths, **folders):
    os.truncate(sys.argv[1], 100)
    replace(*paths, **folders)
os.replace = cut_and_replace
sys.exit(main(["extract", *sys.argv[1:]]))
"""


def test_a_file_that_is_cut_off_meanwhile(tmp_path: Path) -> None:
    """A mapped file would end the process by a signal."""
    path = tmp_path / "game.pak"
    path.write_bytes(COMPUTE + bytes(4 << 20) + OLDER)
    done = python("-c", CUT, path, "--output-dir", tmp_path / "out")
    assert done.returncode == 2
    assert done.stdout == f"{name_of(COMPUTE)}  {path}: byte 0x0\n"
    (line,) = done.stderr.splitlines()
    assert f"{path}: the file changed" in line


@pytest.mark.parametrize("write", [bytes, lambda data: data.hex().encode()], ids=["bytes", "hex"])
@pytest.mark.parametrize("change", [lambda data: data[:-9], lambda data: data[:-9] + b"changed.."])
def test_a_part_that_is_gone(
    tmp_path: Path, write: Callable[[bytes], bytes], change: Callable[[bytes], bytes]
) -> None:
    """Its name tells its contents."""
    path = tmp_path / "some.bin"
    path.write_bytes(write(COMPUTE))
    (part,) = find_parts(path)
    assert isinstance(part, Part)
    path.write_bytes(change(write(COMPUTE)))
    with pytest.raises(OSError, match="the file changed"):
        part.read(path)


def test_files_without_containers(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.write_bytes(b"")
    assert [*find_parts(path)] == []
    with pytest.raises(FileNotFoundError):
        [*find_parts(tmp_path / "missing")]
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        [*find_parts(tmp_path / "pipe")]


def test_files_with_shaders_are_translated(tmp_path: Path) -> None:
    cache, out = tmp_path / "cache", tmp_path / "out"
    cache.mkdir()
    (cache / "game.pak").write_bytes(PAK)
    (cache / "saxpy.h").write_text(header_file(COMPUTE))
    (cache / "loose.dxbc").write_bytes(OLDER)
    inputs = find_inputs([str(cache / name) for name in ("game.pak", "saxpy.h", "loose.dxbc")])
    names = [f"game.pak.{name_of(COMPUTE)}", f"game.pak.{name_of(OLDER, 'cs_5_1')}"]
    names += ["loose.dxbc", f"saxpy.h.{name_of(COMPUTE)}"]
    assert {given.name for given in inputs} == {*names}
    report = translate_files(inputs, out, Recipe(translate.Options()))
    assert (report.translated, report.refused) == (4, ())
    files = contents(out)
    for name, data in zip(names, (COMPUTE, OLDER, OLDER, COMPUTE), strict=True):
        assert files[f"{name}.spv"] == translate.to_spirv(translate.load(data)).to_bytes()
    again = translate_files(inputs, out, Recipe(translate.Options()))
    assert all(row.kept for row in again.rows)


def test_a_part_that_is_refused_is_named(tmp_path: Path) -> None:
    pak = tmp_path / "game.pak"
    pak.write_bytes(b"...." + PIXEL)
    report = translate_files(find_inputs([str(pak)]), tmp_path / "out", Recipe(translate.Options()))
    (row,) = report.refused
    assert str(row.message).startswith(f"{pak}[{name_of(PIXEL, 'ps_5_0')}]")


def test_damage_in_a_file_that_is_named(tmp_path: Path) -> None:
    pak = tmp_path / "game.pak"
    pak.write_bytes(b"...." + COMPUTE + OLDER[:-1])
    notes: list[Note] = []
    inputs = find_inputs([str(pak)], notes.append)
    assert [given.name for given in inputs] == [f"game.pak.{name_of(COMPUTE)}"]
    assert [note.place for note in notes] == [f"{pak}: byte {4 + len(COMPUTE):#x}"]


def test_a_folder_of_listings(tmp_path: Path) -> None:
    """A listing next to its container is not translated again; other text is ignored."""
    cache, out = tmp_path / "cache", tmp_path / "out"
    for name, text in {
        "a/one.asm": LISTING,
        "a/two.txt": f"\ufeff// a comment\n\n{LISTING}",
        "a/both.asm": LISTING,
        "a/notes.txt": "cs_5_0 is a profile of Direct3D 11, cs_5_1 of 12\n".replace("cs", "The", 1),
        "a/empty": "",
    }.items():
        (cache / name).parent.mkdir(parents=True, exist_ok=True)
        (cache / name).write_text(text, encoding="utf-8")
    (cache / "a/both.dxbc").write_bytes(OLDER)
    (cache / "a/data").write_bytes(noise(5000))
    inputs = find_inputs([str(cache)])
    assert [given.name for given in inputs] == ["a/both.dxbc", "a/one.asm", "a/two.txt"]
    report = translate_files(inputs, out, Recipe(translate.Options()))
    assert (report.translated, report.refused) == (3, ())
    expected = translate.to_spirv(translate.load(LISTING)).to_bytes()
    assert contents(out)["a/one.asm.spv"] == contents(out)["a/two.txt.spv"] == expected


def test_a_link_in_place_of_an_output_is_replaced(tmp_path: Path) -> None:
    """The names are known beforehand: a link that waits in the folder leads nowhere."""
    saxpy = Path(__file__).parents[3] / "shaders/saxpy.dxbc"
    first, second, kept = tmp_path / "first", tmp_path / "second", tmp_path / "kept"
    kept.write_text("kept")
    assert main(["extract", str(saxpy), "--output-dir", str(first)]) == 0
    (made,) = first.iterdir()
    second.mkdir()
    (second / made.name).symlink_to(kept)
    assert main(["extract", str(saxpy), "--output-dir", str(second)]) == 0
    assert kept.read_text() == "kept"
    assert (second / made.name).read_bytes() == made.read_bytes()
