"""HLSL to containers: the containers, and the compiler's messages."""

import os
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from translate import CompileError, HlslOptions, compile_hlsl
from vkrunner.__main__ import main

from .conftest import DATA, NO_REAL, REAL, program

SCALE = (Path(__file__).parent / "data" / "scale.hlsl").read_text()
BODY = (Path(__file__).parent / "data/compiling.txt").read_text("utf-8")
VALUES = np.arange(8, dtype=np.uint32)


def shader(line: str, name: str = "main") -> str:
    return BODY.format(name=name, line=line)


def run(machine: Any, container: bytes) -> list[int]:
    return machine.kernel(container).dispatch(1, u0=VALUES).u0.tolist()


@pytest.mark.parametrize(
    ("defines", "addend"),
    [({"N": 4}, 4), (["N=5"], 5), ({"N": None}, 1), (["N"], 1), ({"N": True}, 1)],
)
def test_includes_and_macros(
    machine: Any, compiler: str, project: Path, defines: Any, addend: int
) -> None:
    made = compile_hlsl("scale.hlsl", HlslOptions(defines=defines, include="include"))
    assert run(machine, made.container) == (VALUES * 3 + addend).tolist()
    assert made.compiler == compiler
    assert made.warnings == ()


def test_a_file_beside_the_source_comes_first(machine: Any, compiler: str, project: Path) -> None:
    (project / "factor.h").write_text("#define FACTOR 7\n")
    made = compile_hlsl(project / "scale.hlsl", HlslOptions(defines=["N=4"], include=["include"]))
    assert run(machine, made.container) == (VALUES * 7 + 4).tolist()


@pytest.mark.parametrize("as_bytes", [False, True])
def test_a_text_includes_from_the_current_folder(
    machine: Any, compiler: str, project: Path, as_bytes: bool
) -> None:
    text = SCALE.replace("factor.h", "include/factor.h")
    made = compile_hlsl(text.encode() if as_bytes else text, HlslOptions(defines=["N=4"]))
    assert run(machine, made.container) == (VALUES * 3 + 4).tolist()


def test_names_with_blanks_and_other_letters(machine: Any, compiler: str, project: Path) -> None:
    """The compiler gets a copy with a plain name and without a byte order mark."""
    folder = project / "more than 1"
    folder.mkdir()
    (folder / "фактор 3.hlsl").write_bytes(b"\xef\xbb\xbf" + SCALE.encode())
    (folder / "factor.h").write_text("#define FACTOR 7\n")
    made = compile_hlsl(folder / "фактор 3.hlsl", HlslOptions(defines={"N": 5}))
    assert run(machine, made.container) == (VALUES * 7 + 5).tolist()


def test_messages_name_a_folder_as_it_was_given(stand_in: str, project: Path) -> None:
    (project.parent / "link").symlink_to(project)
    (project / "include/factor.h").write_text("#error here\n")
    with pytest.raises(CompileError) as caught:
        compile_hlsl(project.parent / "link/scale.hlsl", HlslOptions(include="include"))
    place = project.parent / "link/include/factor.h"
    assert str(caught.value).startswith(f"{place}:1:2: error: here")


def test_folders_with_letters_of_any_script(machine: Any, stand_in: str, project: Path) -> None:
    """Compilers get paths relative to the source's folder, without the folders above it."""
    folder = project / "größer als 1"
    (project / "include").rename(folder)
    (folder / "scale.hlsl").write_text(SCALE)
    made = compile_hlsl(folder / "scale.hlsl", HlslOptions(defines={"N": 5}))
    assert run(machine, made.container) == (VALUES * 3 + 5).tolist()
    made = compile_hlsl("scale.hlsl", HlslOptions(defines={"N": 5}, include=folder))
    assert run(machine, made.container) == (VALUES * 3 + 5).tolist()


def test_load_compiles(compiler: str, project: Path) -> None:
    options = HlslOptions(defines={"N": 4}, include="include", fxc_flags="-O3 -nologo")
    program = translate.load("scale.hlsl", hlsl=options)
    assert (program.profile, program.warnings) == ("cs_5_0", [])
    listing = translate.disassemble(program)
    assert "imad" in listing
    assert "l(3)" in listing
    text = translate.load(SCALE.replace("N", "4"), hlsl=HlslOptions(include="include"))
    assert translate.disassemble(text) == listing


@pytest.mark.parametrize(
    ("file", "data", "expected"),
    [
        ("a.hlsl", b"", True),
        ("a.FX", b"", True),
        ("a.txt", b"[ numthreads (1,1,1)]", True),
        (None, b"[numthreads(1,1,1)]", True),
        (None, b"[ /* x */ numthreads(1,1,1)] // cs_5_0", True),
        (None, b"// [numthreads(1,1,1)]\ncs_5_0\nret\n", False),
        (None, b"/* [numthreads(1,1,1)]", False),
        ("a.asm", b"cs_5_0\nret\n", False),
        ("a.hlsl", b"DXBC\0\0[numthreads(1,1,1)]", False),
        (None, b"\xe9 [numthreads(1,1,1)]", True),
    ],
)
def test_recognition_of_hlsl(
    monkeypatch: pytest.MonkeyPatch, file: str | None, data: bytes, expected: bool
) -> None:
    monkeypatch.setenv("SM5VK_FXC", "/nothing/is/here")
    said = ""
    try:
        translate.load(data, file=file)
    except translate.TranslateError as error:
        said = str(error)
    assert ("program '/nothing/is/here' not found" in said) is expected


def test_a_listing_with_the_source_in_comments_is_no_hlsl() -> None:
    listing = "// [numthreads(1, 1, 1)]\n// void main() {}\ncs_5_0\ndcl_thread_group 1, 1, 1\nret\n"
    assert translate.load(listing).profile == "cs_5_0"


def refused(text: str, **options: object) -> CompileError:
    Path("a b.hlsl").write_bytes(text.encode("latin-1"))
    with pytest.raises(CompileError) as caught:
        compile_hlsl("a b.hlsl", HlslOptions(**options))  # pyright: ignore[reportArgumentType]
    return caught.value


def test_an_error_has_file_line_and_caret(compiler: str, project: Path) -> None:
    error = refused(shader("values[id.x] = values[id.x] * FACTOR + 1;"))
    assert str(error).splitlines() == [
        "a b.hlsl:6:35: error: X3004: undeclared identifier 'FACTOR'",
        "   6 |     values[id.x] = values[id.x] * FACTOR + 1;",
        "     |                                   ^^^^^^",
    ]
    where = error.where
    assert (where.file, where.line, where.column, where.length) == ("a b.hlsl", 6, 35, 6)


def test_an_error_in_a_text(compiler: str) -> None:
    with pytest.raises(CompileError, match=r"^shader\.hlsl:6:35: error: X3004"):
        compile_hlsl(shader("values[id.x] = values[id.x] * FACTOR + 1;"))
    with pytest.raises(CompileError, match=r"^elsewhere/x\.hlsl:6:35: error: X3004"):
        compile_hlsl(shader("values[id.x] = values[id.x] * FACTOR + 1;"), file="elsewhere/x.hlsl")


def test_columns_are_characters(compiler: str, project: Path) -> None:
    line = "/* äöü */ values[id.x] = values[id.x] * FACTOR + 1;"
    for encoding in ("utf-8", "latin-1"):
        Path("a.hlsl").write_bytes(shader(line).encode(encoding))
        with pytest.raises(CompileError) as caught:
            compile_hlsl("a.hlsl")
        source, caret = str(caught.value).splitlines()[1:]
        assert source.index("FACTOR") == caret.index("^")
        assert caret.endswith(" ^^^^^^")


def test_an_error_in_an_included_file(compiler: str, project: Path) -> None:
    (project / "include" / "factor.h").write_text('// a header\n#error "no factor"\n')
    with pytest.raises(CompileError) as caught:
        compile_hlsl("scale.hlsl", HlslOptions(include="include"))
    first, source, caret = str(caught.value).splitlines()
    assert first.startswith(f"{Path('include') / 'factor.h'}:2:2: error: ")
    assert "no factor" in first
    assert (source, caret) == ('   2 | #error "no factor"', "     |  ^^^^^")


def test_an_included_file_with_a_byte_order_mark(compiler: str, project: Path) -> None:
    """The compiler refuses it, and names only a character."""
    data = (project / "include" / "factor.h").read_bytes()
    (project / "include" / "factor.h").write_bytes(b"\xef\xbb\xbf" + data)
    error = refused(SCALE.replace("factor.h", "include/factor.h"), defines=["N=4"])
    assert (error.where.line, error.where.column) == (1, 1)
    assert "include/factor.h begins with a byte-order mark: save it as UTF-8 without" in str(error)


def test_a_header_that_is_missing(compiler: str, project: Path) -> None:
    (project / "other").mkdir()
    with pytest.raises(CompileError) as caught:
        compile_hlsl("scale.hlsl", HlslOptions(defines=["N"], include=["other", "."]))
    assert str(caught.value).splitlines() == [
        "scale.hlsl:2:10: error: X1507: failed to open source file: 'factor.h'; #include searched"
        " ., other: include= adds a folder, -I on the command line",
        '   2 | #include "factor.h"',
        "     |          ^^^^^^^^^^",
    ]


def test_warnings_come_with_the_container(compiler: str, project: Path) -> None:
    line = "values[id.x] = uint2(1, 2); values[id.x] = values[id.x] * 3 + 4;"
    Path("a.hlsl").write_text(shader(line))
    expected = (
        "a.hlsl:6:5: warning: X3206: implicit truncation of vector type\n"
        f"   6 |     {line}\n"
        "     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^"
    )
    assert compile_hlsl("a.hlsl").warnings == (expected,)
    assert translate.load("a.hlsl").warnings == [expected]


TWO = shader("values[id.x] = values[id.x] * 3 + 4;", "blur_x") + shader(
    "values[id.x] = values[id.x] * 7 + 5;", "blur_y"
).replace("RWStructuredBuffer<uint> values : register(u0);", "")


@pytest.mark.parametrize(("entry", "factor", "addend"), [("blur_x", 3, 4), ("blur_y", 7, 5)])
def test_entry_points(machine: Any, compiler: str, entry: str, factor: int, addend: int) -> None:
    made = compile_hlsl(TWO, HlslOptions(entry=entry))
    assert run(machine, made.container) == (VALUES * factor + addend).tolist()


@pytest.mark.parametrize("entry", [None, "main", "blur"])
def test_an_entry_point_that_is_missing(compiler: str, project: Path, entry: str | None) -> None:
    error = refused(TWO, entry=entry)
    assert error.where.file == "a b.hlsl"
    assert f"X3501: '{entry or 'main'}': entrypoint not found" in str(error)
    assert "choose the entry point: blur_x, blur_y" in str(error)
    assert "entry='blur_x'" in str(error)
    assert "--entry blur_x" in str(error)


def test_an_entry_point_that_a_condition_leaves_out(compiler: str, project: Path) -> None:
    error = refused(f"#if 0\n{TWO}\n#endif\n", entry="blur_x")
    assert str(error).endswith("is blur_x within an #if? -D NAME defines a macro")


def test_a_function_without_a_number_of_threads(compiler: str, project: Path) -> None:
    for name in ("f", "main"):
        error = refused(f"// [numthreads(1, 1, 1)]\nvoid {name}() {{}}\n")
        assert str(error).endswith(
            "no function has [numthreads(X, Y, Z)], and only compute shaders are run"
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "cs_6_0"}, "profile must be one of cs_4_0, cs_4_1, cs_5_0, cs_5_1, not"),
        ({"profile": "cs_6_0"}, "'cs_6_0': DXIL of Shader Model 6 is not read"),
        ({"profile": "ps_5_0"}, "'ps_5_0': only compute shaders are run"),
        ({"entry": "a b"}, "entry must be the name of a function, not 'a b'"),
        ({"defines": {"a b": 1}}, "defines must be names"),
        ({"defines": ["1A=2"]}, "not '1A'"),
        ({"fxc_flags": "-DN=4"}, "fxc_flags cannot have '-DN=4': use defines"),
        ({"fxc_flags": ["/I", "x"]}, "use include"),
        ({"fxc_flags": "/Fc a.asm"}, "only the container is written"),
        ({"fxc_flags": "Od"}, "fxc_flags must be options such as -Od, not 'Od'"),
        ({"fxc_flags": "'-Od"}, "No closing quotation"),
        ({"defines": {"N": "a\0"}}, "the compiler takes no NUL"),
        ({"fxc_flags": "-Zi\0"}, "the compiler takes no NUL"),
        ({"include": "a\0b"}, "the compiler takes no NUL"),
        ({"defines": {"N": "\ud800"}}, "takes no NUL and no lone surrogate: '\\ud800'"),
        ({"compile_timeout": 0}, "compile_timeout must be more than 0, not 0"),
    ],
)
def test_options_that_mean_nothing(options: dict[str, object], message: str) -> None:
    with pytest.raises(translate.OptionError) as caught:
        HlslOptions(**options)  # pyright: ignore[reportArgumentType]
    assert message in str(caught.value)


def test_nothing_is_left(compiler: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = project.parent / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", None)
    before = sorted(os.listdir(project))
    compile_hlsl("scale.hlsl", HlslOptions(defines=["N=4"], include="include"))
    with pytest.raises(CompileError):
        compile_hlsl("scale.hlsl", HlslOptions(defines=["N=4"]))
    assert sorted(os.listdir(project)) == before
    assert not [name for name in os.listdir(place) if name.startswith("sm5vk")]


UNUSED = "StructuredBuffer<float4> before, later[2] : register(t3);\ncbuffer Old { float old; };\n"


def test_resources_that_the_compiler_removed(machine: Any, compiler: str) -> None:
    """The error tells a resource that nothing uses from a misspelt one, and from a comment."""
    kernel = machine.kernel(
        UNUSED + "// Texture2D gone;\n" + shader("values[id.x] = values[id.x] * 3 + 1;")
    )
    for name in ("before", "later", "Old"):
        with pytest.raises(vkrunner.UnknownNameError) as caught:
            kernel.dispatch(1, values=VALUES, **{name: VALUES})
        said = f"no resource {name!r}; the shader has u0 (values)"
        reason = f"the compiler removed {name}, because nothing uses it"
        assert str(caught.value) == f"{said}; {reason}"
    for name in ("gone", "other", "main", "register"):
        with pytest.raises(vkrunner.UnknownNameError) as caught:
            kernel.dispatch(1, values=VALUES, **{name: VALUES})
        assert "removed" not in str(caught.value)


@pytest.mark.parametrize(
    ("guards", "flags", "given"),
    [
        ("report", "", "'/Zi', '/Fo'"),
        ("report", "-Gis", "'-Gis', '/Zi', '/Fo'"),
        ("report", "-Od", "'-Od', '/Fo'"),  # its code with -Zi is another
        ("report", "/Zi", "'/Zi', '/Fo'"),
        ("d3d", "", "'/Zi', '/Fo'"),  # the reference machine finds races too
    ],
)
def test_reports_need_lines(machine: Any, log: Path, guards: Any, flags: str, given: str) -> None:
    machine.kernel(shader("values[id.x] = values[id.x] * 3 + 1;"), guards=guards, fxc_flags=flags)
    assert re.search(rf"'/I', '[^']*', {given}", log.read_text())


def test_pages_ask_for_lines(log: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.hlsl"
    file.write_text(shader("values[id.x] = values[id.x] * 3 + 1;"))
    assert main(["explain", str(file), "-o", str(tmp_path / "a.html")]) == 0
    assert "'/Zi', '/Fo'" in log.read_text()


def test_others_ask_for_no_lines(device: vkrunner.Device, log: Path) -> None:
    device.kernel(shader("values[id.x] = values[id.x] * 3 + 1;"))
    assert ("/Zi" in log.read_text()) == (device.info.type == "reference")


@pytest.mark.skipif(REAL is None, reason=NO_REAL)
def test_reports_have_the_lines_of_the_hlsl(machine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SM5VK_FXC", REAL or "")
    kernel = machine.kernel(shader("values[id.x] = values[id.x] * 3 + 1;"), guards="report")
    found = kernel.dispatch(1, values=VALUES[:5]).violations
    assert {one.hlsl_line for one in found} == {6}
    assert "6 |     values[id.x] = values[id.x] * 3 + 1;" in found.summary()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", ["a pipe", "a device"])
def test_an_included_file_that_may_never_end(stand_in: str, project: Path, kind: str) -> None:
    """A pipe or a device, whose contents no size tells."""
    path = project / "include" / "factor.h"
    path.unlink()
    if kind == "a pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/null")
    with pytest.raises(CompileError, match=r"include/factor\.h, which is not a regular file"):
        compile_hlsl("scale.hlsl", HlslOptions(defines={"N": 4}, include="include"))


@pytest.mark.parametrize("name", ["sub.", "sub ", "sub\\deep", "sub. /deep"])
@pytest.mark.parametrize("is_own", [True, False])
def test_folders_wine_reads_otherwise(log: Path, project: Path, name: str, is_own: bool) -> None:
    """If the files are unknown, no copies of them are made in folders with plain names."""
    folder = project / name
    folder.mkdir(parents=True)
    (folder / "factor.h").write_text("#define FACTOR 3\n")
    text = (project / "scale.hlsl").read_text()
    options = HlslOptions(defines={"N": 4}, include="." if is_own else folder)
    source = folder / "a.hlsl" if is_own else project / "a.hlsl"
    source.write_text(text)
    assert compile_hlsl(source, options).container == (DATA / "scale-3-4.dxbc").read_bytes()
    log.write_text("")
    source.write_text(f"#if 0\n#include NAME\n#endif\n{text}")
    with pytest.raises(CompileError, match="may be another folder for the compiler") as caught:
        compile_hlsl(source, options)
    assert "an #include has no name in quotes" in str(caught.value)
    assert log.read_text() == ""


@pytest.mark.timeout(60)
def test_messages_in_files(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their time grows with the files and the messages, not with the product."""
    count = 8000
    lines = "".join(f"a{number}.h(1,1): warning X3206: here\n" for number in range(count))
    (tmp_path / "messages").write_text(f"{lines}a7.h(1,1): error X1: there\n")
    script = program(tmp_path, "fxc.sh", f"#!/bin/sh\ncat {tmp_path}/messages\nexit 1\n")
    monkeypatch.setenv("SM5VK_FXC", str(script))
    for number in range(count):
        (project / f"a{number}.h").write_text(f"// {number}\n")
    text = "".join(f'#include "a{number}.h"\n' for number in range(count))
    with pytest.raises(CompileError) as caught:
        compile_hlsl(text)
    assert str(caught.value).startswith("a7.h:1:1: error: X1: there\n   1 | // 7\n")


@pytest.mark.timeout(60)
def test_many_nested_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of which vkd3d-compiler's users are warned."""
    script = program(tmp_path, "vkd3d-compiler", "#!/bin/sh\nexit 1\n")
    monkeypatch.setenv("SM5VK_FXC", str(script))
    structures = "".join(f"struct S{number}{{int a[2];}};\n" for number in range(64_000))
    arrays = "groupshared int q[1];\n" * 64_000
    with pytest.raises(CompileError):
        compile_hlsl(f"{structures}#if 0\n{arrays}#endif\n")
