"""HLSL in the cache: compiled once, and again when anything that matters has changed."""

import os
import shutil
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from translate import CompileError, HlslOptions
from vkrunner.shader.shader import Shader

from .conftest import DATA, STAND_IN, edit, program

Compile = Callable[..., tuple[str, bool]]


@pytest.fixture
def compiled(project: Path, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Compile:
    """Compiles scale.hlsl: returns the name of the container, and whether the compiler ran."""
    monkeypatch.setenv("SM5VK_CACHE", "1")
    monkeypatch.setenv("SM5VK_CACHE_DIR", str(tmp_path / "cache"))
    names = {path.read_bytes(): path.stem for path in DATA.glob("*.dxbc")}

    def run(path: str = "scale.hlsl", **options: Any) -> tuple[str, bool]:
        before = log.read_text()
        chosen = {"defines": {"N": 4}, "include": "include", **options}
        shader = Shader(path, hlsl=HlslOptions(**chosen))
        name = names[shader.data]
        was_run = log.read_text() != before
        assert shader.is_compiled_anew is was_run
        return name, was_run

    return run


def test_the_compiler_runs_once(compiled: Compile) -> None:
    assert compiled() == ("scale-3-4", True)
    assert compiled() == ("scale-3-4", False)
    assert compiled(compile_timeout=5) == ("scale-3-4", False)


def test_a_name_that_compilers_decode_differently(compiled: Compile, project: Path) -> None:
    """The stand-in decodes UTF-8 by a code page, as fxc does, and opens another file."""
    edit(project / "scale.hlsl", "factor.h", "\xe9.h")
    for name in ("\xe9.h", "\xc3\xa9.h"):
        (project / name).write_text("#define FACTOR 3\n")
    assert compiled() == ("scale-3-4", True)
    (project / "\xc3\xa9.h").write_text("#define FACTOR 7\n")
    assert compiled() == ("scale-7-4", True)


def test_an_empty_header(compiled: Compile, project: Path) -> None:
    edit(project / "include/factor.h", "#define", '#include "empty.h"\n#define')
    (project / "include/empty.h").touch()
    compiled_again(compiled, "scale-3-4")


def test_many_names_of_a_large_file_take_its_memory_once(compiled: Compile, project: Path) -> None:
    large = project / "large.h"
    with open(large, "wb") as file:
        file.truncate(2 << 20)
    names = [f"link{n}.h" for n in range(40)]
    for name in names:
        (project / name).symlink_to(large)
    lines = "".join(f'#include "{name}"\n' for name in names)
    (project / "scale.hlsl").write_text(
        f"#if 0\n{lines}#endif\n{(DATA / 'scale.hlsl').read_text()}"
    )
    tracemalloc.start()
    compiled()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 25 << 20


def test_files_of_64_mib_are_not_compared(compiled: Compile, project: Path) -> None:
    for name in ("a.h", "b.h"):
        with open(project / name, "wb") as file:
            file.truncate(40 << 20)
    edit(
        project / "include/factor.h",
        "#define",
        '#if 0\n#include "a.h"\n#include "b.h"\n#endif\n#define',
    )
    assert [compiled(), compiled()] == [("scale-3-4", True)] * 2


def test_without_a_cache_it_runs_anew(compiled: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SM5VK_CACHE", "0")
    assert [compiled(), compiled()] == [("scale-3-4", True)] * 2


def test_a_refused_shader_is_compiled_once(compiled: Compile, log: Path) -> None:
    """Within the process, until something changes: tests use one shader often."""
    messages: list[str] = []
    for _ in range(2):
        with pytest.raises(CompileError) as caught:
            compiled(defines={"N": "x"})
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert messages[0].startswith("scale.hlsl:9:44: error: X3004: undeclared identifier 'N'")
    assert len(log.read_text().splitlines()) == 1
    with pytest.raises(CompileError):
        compiled(defines={"N": "y"})
    assert len(log.read_text().splitlines()) == 2
    compiled_again(compiled, "scale-3-4")


def test_a_compiler_that_fails_runs_again(compiled: Compile, project: Path, log: Path) -> None:
    (project / "scale.hlsl").write_text("// stand-in: say something\n[numthreads(1, 1, 1)]\n")
    for _ in range(2):
        with pytest.raises(CompileError, match="its exit code is 7"):
            compiled()
    assert len(log.read_text().splitlines()) == 2


def compiled_again(compiled: Compile, name: str, **options: Any) -> None:
    """It is compiled, and cached from then on."""
    assert compiled(**options) == (name, True)
    assert compiled(**options) == (name, False)


def test_other_options_and_sources(compiled: Compile, project: Path) -> None:
    compiled_again(compiled, "scale-3-4")
    compiled_again(compiled, "scale-3-5", defines={"N": 5})
    compiled_again(compiled, "scale-3-4", fxc_flags="-Od")
    compiled_again(compiled, "scale-3-4", profile="cs_5_1")
    edit(project / "scale.hlsl", "+ N", "+ 5")
    compiled_again(compiled, "scale-3-5")
    edit(project / "scale.hlsl", "+ 5", "+ N")
    assert compiled() == ("scale-3-4", False)


def check_header(compiled: Compile, path: Path) -> None:
    """The shader is compiled again for each text of a header."""
    for text in ("// 1\n", "// 2\n"):
        path.write_text(text)
        compiled_again(compiled, "scale-3-4")


def test_headers(compiled: Compile, project: Path) -> None:
    compiled_again(compiled, "scale-3-4")
    (project / "include" / "factor.h").write_text("#define FACTOR 7\n")
    compiled_again(compiled, "scale-7-4")
    (project / "factor.h").write_text("#define FACTOR 3\n")  # found before the other one
    compiled_again(compiled, "scale-3-4")
    (project / "factor.h").unlink()
    assert compiled() == ("scale-7-4", False)
    (project / "other").mkdir()
    (project / "other" / "factor.h").write_text("#define FACTOR 3\n")
    compiled_again(compiled, "scale-3-4", include=["other", "include"])
    compiled_again(compiled, "scale-7-4", include=["include", "other"])


def test_headers_of_headers(compiled: Compile, project: Path) -> None:
    (project / "include" / "factor.h").write_text("/* */ # include <deep/number.h>\n")
    edit(project / "scale.hlsl", "FACTOR", "3")
    deep = project / "include" / "deep"
    deep.mkdir()
    check_header(compiled, deep / "number.h")
    (deep / "number.h").unlink()
    compiled_again(compiled, "scale-3-4")
    os.mkdir(project / "deep")
    (project / "deep" / "number.h").write_text("// 2\n")
    compiled_again(compiled, "scale-3-4")


def test_a_header_that_windows_finds(compiled: Compile, project: Path) -> None:
    """By letters of another case, and by a backslash, as a compiler under Wine finds it too."""
    text = (project / "scale.hlsl").read_text()
    (project / "scale.hlsl").write_text(text + '#if 0\n  #include "LIB\\Other.H"\n#endif\n')
    (project / "LIB\\Other.H").write_text("")  # for the stand-in
    (project / "lib").mkdir()
    check_header(compiled, project / "lib" / "other.h")


@pytest.mark.parametrize("line", ["#include NAME", '#include "C:\\lib\\other.h"'])
def test_unresolved_includes_are_not_cached(compiled: Compile, project: Path, line: str) -> None:
    text = (project / "scale.hlsl").read_text()
    (project / "C:\\lib\\other.h").write_text("")
    (project / "scale.hlsl").write_text(f"{text}{line}\n")
    assert [compiled(), compiled()] == [("scale-3-4", True)] * 2
    (project / "scale.hlsl").write_text(f"{text}// {line}\n")
    compiled_again(compiled, "scale-3-4")


@pytest.mark.parametrize("before", ["E #include", "\ufeff#include"])
def test_a_header_of_any_include(compiled: Compile, project: Path, before: str) -> None:
    text = (project / "scale.hlsl").read_text()
    whole = f'{before} "n.h"\n#define E\n{text}// '
    (project / "scale.hlsl").write_bytes(whole.encode() + b"\xff\n")
    check_header(compiled, project / "n.h")


@pytest.mark.parametrize("name", ["z:", "a\\b", "sub.", "aux", b"caf\xe9", "caf\xe9"])
def test_folders_wine_reads_otherwise(compiled: Compile, project: Path, name: str | bytes) -> None:
    folder = os.fsdecode(name)
    (project / "include").rename(project / folder)
    other = project / os.fsdecode(b"caf\xef\xbf\xbd")  # U+FFFD, as which Wine reads other bytes
    other.mkdir()
    (other / "factor.h").write_text("#define FACTOR 7\n")
    assert [compiled(include=[folder]) for _ in range(2)] == [
        ("scale-3-4", True),
        ("scale-3-4", False),
    ]
    (project / folder / "factor.h").write_text("#define FACTOR 7\n")
    assert compiled(include=[folder]) == ("scale-7-4", True)


@pytest.mark.skipif(not os.path.exists("/proc/self/cwd"), reason="a file system of processes")
def test_a_link_into_a_file_system_of_processes(compiled: Compile, project: Path) -> None:
    """The compiler gets the file that this process finds."""
    (project / "include" / "factor.h").unlink()
    (project / "include" / "factor.h").symlink_to("/proc/self/cwd/factor_of_cwd.h")
    (project / "factor_of_cwd.h").write_text("#define FACTOR 3\n")
    compiled_again(compiled, "scale-3-4")
    (project / "factor_of_cwd.h").write_text("#define FACTOR 7\n")
    compiled_again(compiled, "scale-7-4")


def test_new_compiler(compiled: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled_again(compiled, "scale-3-4")
    script = program(tmp_path, "fxc.sh", f'#!/bin/sh\nexec {STAND_IN} "$@"\n')
    monkeypatch.setenv("SM5VK_FXC", str(script))
    compiled_again(compiled, "scale-3-4")
    script.write_text(f'#!/bin/sh\n# a newer one\nexec {STAND_IN} "$@"\n')
    compiled_again(compiled, "scale-3-4")
    for name in ("d3dcompiler_47.dll", "fxc.exe"):
        (tmp_path / name).write_text("beside it")
        compiled_again(compiled, "scale-3-4")


@pytest.mark.parametrize(
    "change",
    [
        "echo '#define FACTOR 7' > include/factor.h",
        "echo '#define FACTOR 7' > factor.h",
        "mv include kept; mkdir include; echo '#define FACTOR 7' > include/factor.h",
    ],
)
def test_a_change_during_the_compilation(
    compiled: Compile, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """The compiler has copies of the files of the key; the next compilation has the new ones."""
    (tmp_path / "once").touch()
    once = tmp_path / "once"
    lines = [f"test ! -e {once} || (rm {once}; cd {project}; {change})", f'exec {STAND_IN} "$@"']
    script = program(tmp_path, "fxc.sh", "\n".join(["#!/bin/sh", *lines, ""]))
    monkeypatch.setenv("SM5VK_FXC", str(script))
    assert compiled() == ("scale-3-4", True)
    compiled_again(compiled, "scale-7-4")


def test_the_same_compiler_set_up_anew(
    compiled: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a new machine of CI, with the cache of an earlier one: only times differ."""
    folder = tmp_path / "fxc"
    files = {
        "fxc": f'#!/bin/sh\nexec {STAND_IN} "$@"\n',
        "fxc.exe": "made anew",
        "d3dcompiler_47.dll": "fetched anew",
    }
    for time in (1_000_000_000, 1_700_000_000):
        for name, text in files.items():
            os.utime(program(folder, name, text), (time, time))
        monkeypatch.setenv("SM5VK_FXC", str(folder / "fxc"))
        assert compiled() == ("scale-3-4", time == 1_000_000_000)
        shutil.rmtree(folder)


def test_warnings_are_kept_with_the_container(compiled: Compile, project: Path) -> None:
    edit(project / "scale.hlsl", "{", "{\n  values[id.x] = uint2(1, 2);")
    options = HlslOptions(defines={"N": 4}, include="include")
    found: list[Sequence[str]] = []
    for _ in range(2):
        shader = Shader("scale.hlsl", hlsl=options)
        assert shader.program.profile == "cs_5_0"
        found.append(shader.compiler_warnings)
    assert found[0] == found[1]
    assert "X3206" in found[0][0]


def test_warnings_name_files_from_the_current_folder(
    compiled: Compile, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A source by its whole path is the same from everywhere; the names in messages are not."""
    edit(project / "scale.hlsl", "{", '{\n#include "line.h"\n')
    (project / "line.h").write_text("values[id.x] = uint2(1, 2);")
    for folder, name in ((project, "line.h"), (project / "include", str(project / "line.h"))):
        monkeypatch.chdir(folder)
        for _ in range(2):
            options = HlslOptions(defines={"N": 4}, include=project / "include")
            shader = Shader(project / "scale.hlsl", hlsl=options)
            assert shader.data
            (warning,) = shader.compiler_warnings
            assert warning.startswith(f"{name}:1:"), warning
        assert not shader.is_compiled_anew
