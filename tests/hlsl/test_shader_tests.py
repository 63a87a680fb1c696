"""HLSL in shader tests: its sections, messages with the file's lines, and included files."""

import ctypes
import itertools
import os
import re
import select
import shutil
import socket
import sys
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

import translate
from tests.commands import python
from vkrunner.__main__ import main

from .conftest import DATA, program

BODY = (Path(__file__).parent / "data/shader_tests.hlsl").read_text("utf-8")
INCLUDED = '#include "include/factor.h"\n' + BODY
CHECK = """[uav values]
0 1 2 3 4 5 6 7
[test]
dispatch 1 1 1
probe uav values all iota {} {}
"""
GOOD = f"[compute shader]\ndefine N=4\n{INCLUDED}{CHECK.format(4, 3)}"
Outcome = tuple[int, str, str]
Call = Callable[..., Outcome]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], project: Path) -> Call:
    """Runs the text of a shader test, in the folder of scale.hlsl."""

    def run(text: str, *words: str) -> Outcome:
        Path("a.shader_test").write_text(text)
        code = main(["test", "a.shader_test", "--device", "reference", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def not_compiled(call: Call, log: Path, text: str) -> str:
    """The error of a test that is refused before the compiler runs."""
    code, _, err = call(text)
    assert (code, log.read_text()) == (2, ""), err
    return err


IN_FRONT = {
    "": INCLUDED.replace("N;", "4;"),
    "a comment, and options of both kinds": f"% one\n\nguards d3d\ndefine N=4 # two\n{INCLUDED}",
    "a folder": f"include include\ndefine N=4\n{INCLUDED.replace('include/', '')}",
    "the entry point and the profile": "entry add\nprofile cs_5_0\ndefine N=4\n"
    + INCLUDED.replace("main", "add"),
    "a macro without a value": "define N\n" + INCLUDED.replace("+ N", "+ 4"),
    "macros only": f"define N=4\ndefine FACTOR=3\n{BODY}",
}


@pytest.mark.parametrize("name", IN_FRONT)
def test_sections(call: Call, compiler: str, name: str) -> None:
    code, out, err = call(f"[compute shader]\n{IN_FRONT[name]}{CHECK.format(4, 3)}")
    assert (code, err) == (0, "")
    assert out.startswith("1 passed in ")


@pytest.mark.parametrize("section", ["shader", "compute shader"])
def test_a_file(call: Call, stand_in: str, section: str) -> None:
    front = f"[{section}]\nfile scale.hlsl\nprofile cs_5_0\ninclude include\ndefine N=5\n"
    assert call(front + CHECK.format(5, 3))[0] == 0
    assert call(front + CHECK.format(4, 3))[0] == 1


@pytest.mark.parametrize("section", ["shader", "compute shader"])
def test_options_of_fxc(call: Call, log: Path, section: str) -> None:
    front = f"[{section}]\nfile scale.hlsl\ninclude include\ndefine N=4\n"
    for flags in ("-Zi /Od % a comment", "-O3"):
        assert call(f"{front}fxc_flags {flags}\n{CHECK.format(4, 3)}")[0] == 0
    first, second = log.read_text().splitlines()
    assert "'-Zi', '/Od', '/Fo'" in first
    assert "'-O3', '/Zi', '/Fo'" in second  # added for the reference machine's races


def test_options_of_fxc_with_those_of_require(call: Call, log: Path) -> None:
    text = GOOD.replace("define", "fxc_flags -Zi\ndefine")
    assert call(f"[require]\noptions: row-major\n{text}")[0] == 0
    assert "'-Zpr', '-Zi', '/Fo'" in log.read_text()


def test_a_message_names_the_line_of_the_test(call: Call, compiler: str) -> None:
    code, _, err = call(GOOD.replace("define N=4\n", "\n% none\n"))
    assert code == 2
    assert err.splitlines()[1:4] == [
        "a.shader_test:12:48: error: X3004: undeclared identifier 'N'",
        "  12 |         values[id.x] = values[id.x] * FACTOR + N;",
        "     |                                                ^",
    ]


def test_a_message_is_expected(call: Call, stand_in: str) -> None:
    text = GOOD.replace("define N=4\n", "").partition("[uav")[0]
    assert call(f"{text}[test]\nerror X3004: undeclared identifier 'N'\n")[0] == 0


def test_without_a_compiler(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """This is an error, also where a test expects the shader to be refused."""
    monkeypatch.setenv("SM5VK_FXC", "no-such-program")
    for text in (GOOD, f"{GOOD.partition('[uav')[0]}[test]\nerror this is HLSL\n"):
        code, out, err = call(text)
        assert (code, out.partition(" in ")[0]) == (2, "1 error")
        assert err.splitlines()[1:4] == [
            "a.shader_test:1:1: error: HLSL needs a compiler, but SM5VK_FXC is"
            " 'no-such-program': program 'no-such-program' not found",
            "   1 | [compute shader]",
            "     | ^^^^^^^^^^^^^^^^",
        ]


OUTSIDE = {
    "above": '#include "../secret.h"',
    "by another header": '#include "include/up.h"',
    "through a link": '#include "link/secret.h"',
    "a device": "#include </dev/zero>",
    "in other case": '#include "..\\SECRET.H"',
    "after other line ends": 'int a;\f#include "../secret.h"',
    "in what looks like a comment": "#define A '/*'\n#include \"../secret.h\"",
    "over two lines": '#incl\\\nude "../secret.h"',
    "with a comment within": '#/**/include/**/"../secret.h"',
    "after a splice of a comment": '// \\\nint a;\n#\\\ninclude "../secret.h"',
    "by a name with a backslash": '#include "own\\secret.h"',
    "after a macro without tokens": '#define E\nE /**/ E #include "../secret.h"',
    "after a quoted comment mark": "int a; // it's\n'//' #include \"../secret.h\"",
    "after a comment with marks": '/* " // */ #include "../secret.h"',
}


@pytest.mark.parametrize("parents", [1, 2, 16])
def test_a_header_is_not_looked_for_beside_the_copy(
    call: Call, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parents: int
) -> None:
    """The compiler reads a copy of the source, and would find files around that."""
    temporary = tmp_path / "temporary" / "own"
    temporary.mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    for folder in (temporary, temporary.parent):
        (folder / "outside.h").write_text("#define FACTOR 3\n")
    name = f"{'../' * parents}outside.h"
    code, _, err = call(GOOD.replace("include/factor.h", name))
    assert (code, f"failed to open source file: '{name}'" in err) == (2, True)
    assert log.read_text()


@pytest.fixture
def secret(project: Path) -> Path:
    """A folder that a test may not read; the test's own folder has links to it."""
    folder = project.parent / "other" / "folder"
    folder.mkdir(parents=True)
    for place in (folder, folder.parent, project.parent):
        (place / "secret.h").write_text("#define FACTOR 3\nsecret\n")
    (project / "link").symlink_to(folder)
    (project / "own\\secret.h").symlink_to(folder / "secret.h")
    (project / "include" / "up.h").write_text('#include "../../secret.h"\n')
    return project.parent


@pytest.mark.parametrize("name", OUTSIDE)
def test_files_outside_are_not_included(call: Call, log: Path, secret: Path, name: str) -> None:
    err = not_compiled(call, log, GOOD.replace('#include "include/factor.h"', OUTSIDE[name]))
    assert "a.shader_test:1:1: error: #include may read " in err
    assert "is not below the test's folder; another folder is allowed by --allow-path" in err
    assert "FACTOR" not in err


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(os.path.relpath(path))


KINDS: dict[str, Callable[[Path], object]] = {
    "a file": Path.touch,
    "a pipe": os.mkfifo,
    "a socket": make_socket,
}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is opened")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", ["..", "."])
def test_files_that_may_not_be_read_are_not_opened(
    call: Call, stand_in: str, project: Path, kind: str, place: str
) -> None:
    """Opening alone would end the program that writes to a pipe, or set off a device."""
    KINDS[kind](project / place / "own.h")
    with opened(project / place / "own.h") as is_opened:
        code, _, err = call(GOOD.replace("include/factor.h", f"{place}/own.h"))
        assert code == 2, err
        assert is_opened() == (kind == "a file" and place == ".")


@contextmanager
def opened(path: Path) -> Generator[Callable[[], bool]]:
    """Whether a file is opened within the `with` block, by inotify."""
    library = ctypes.CDLL(None, use_errno=True)
    watching = library.inotify_init1(os.O_NONBLOCK)
    assert library.inotify_add_watch(watching, os.fsencode(path), 0x20) > 0  # IN_OPEN
    try:
        yield lambda: bool(select.select([watching], [], [], 0)[0])
    finally:
        os.close(watching)


def test_a_file_includes_no_files_outside(call: Call, stand_in: str, secret: Path) -> None:
    """An `#include` could show lines of files that are not below the test's folder."""
    text = f'#include "{secret / "secret.h"}"\nint a; [numthreads(1, 1, 1)] void main() {{}}\n'
    Path("a.txt").write_text(text)
    code, out, err = call("[shader]\nfile a.txt\n[test]\ndispatch 1 1 1\n")
    assert code == 2
    assert "a.shader_test:2:6: error: #include may read ../secret.h" in err
    assert "FACTOR" not in out + err


UNKNOWN = {
    '// \\ \n#\\\ninclude "../secret.h"': "a line ends with a backslash and blanks",
    f'#include "{"../" * 17}secret.h"': "a name has more than 16 folders above",
    '#\\\ninclude/**\\\n/"own.h" */ "../secret.h"': "an #include goes on in the next line",
    '// \\\n#include "own.h"': "an #include goes on in the next line",
    "#include NAME": "an #include has no name in quotes",
    f'#include "{"a/" * 2000}x.h"': "a name has more than 64 parts",
    '#include "\\\\?\\unix\\x"': "'//?/unix/x' is a path of Windows",
    "#include <C:/x>": "'C:/x' is a path of Windows",
    '#include "/own.h"': "'/own.h' may be another file on Windows",
    '#include "../secret.h."': "'../secret.h.' may be another file on Windows",
    '#include "own.h."': "'own.h.' may be another file on Windows",
    '#include "own.h "': "'own.h ' may be another file on Windows",
    '#include "own.h::$DATA"': "'own.h::$DATA' may be another file on Windows",
    '#include "include./../OWN~ABCD.H"': "'include./../OWN~ABCD.H' may be another file on Windows",
    '#include "link/../secret.h"': "'link/../secret.h' has a .. after a symbolic link",
    '#include "AUX.h"': "'AUX.h' may be another file on Windows",
    '#include "include/com1"': "'include/com1' may be another file on Windows",
    '#include "\xe9.h"': r"'\xe9.h' is not ASCII: compilers decode it differently",
    '#include "\u017fecret.h"': r"'\u017fecret.h' is not ASCII: compilers decode it differently",
}


@pytest.mark.parametrize("line", UNKNOWN)
def test_an_include_of_an_unknown_file(call: Call, log: Path, project: Path, line: str) -> None:
    """Also if the test's folder has a file of that name: the compiler may read another."""
    for name in ("own.h.", "own.h ", "own.h::$DATA", "AUX.h", "\xe9.h", "include/com1"):
        (project / name).write_text("#define FACTOR 3\n")
    link(project / "link", project.parent)
    err = not_compiled(call, log, GOOD.replace('#include "include/factor.h"', line))
    start = "a.shader_test:1:1: error: what this includes cannot be known beforehand, since "
    assert f"{start}{UNKNOWN[line]}: name the files in quotes" in err


def test_an_include_in_a_file_of_another_encoding(call: Call, log: Path, project: Path) -> None:
    (project / "include/factor.h").write_bytes(b'// \xe9\n#include "\xc3\xa9.h"\n')
    (project / "\xe9.h").write_text("#define FACTOR 3\n")
    assert "is not ASCII: compilers decode it differently" in not_compiled(call, log, GOOD)


def test_an_include_after_a_mark_in_another_encoding(call: Call, log: Path, secret: Path) -> None:
    Path("d.hlsl").write_bytes(b'\xef\xbb\xbf#include "../secret.h"\n// \xff\n' + BODY.encode())
    assert "#include may read ../secret.h" in not_compiled(
        call, log, "[compute shader]\nfile d.hlsl\n[test]\ndispatch 1 1 1\n"
    )


def link(path: Path, target: Path | str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


@pytest.mark.parametrize("form", ["in other case", "from the real folder", "for another folder"])
def test_folders_above_links(call: Call, log: Path, project: Path, form: str) -> None:
    """Wine resolves `..` by the name, from the real folder; other systems follow links first."""
    outside = project.parent / "outside.h"
    outside.write_text("#define FACTOR 3\n")
    (project / "c/d/deep").mkdir(parents=True)
    text = GOOD
    if form == "in other case":
        link(project / "link", "c/d")
        (project / "c" / "File.h").write_text("#define FACTOR 3\n")
        link(project / "FILE.H", outside)
        name = "link/../File.h"
    elif form == "from the real folder":
        link(project / "incl", "c/d")
        (project / "e/f").mkdir(parents=True)
        link(project / "c/d/sub", "../../e/f")
        link(project / "c/x.h", outside)
        name, text = "sub/../../x.h", text.replace("define N=4", "define N=4\ninclude incl")
    else:
        for folder in ("aaa", "AAA", "aAa"):
            link(project / folder / "sub", "../c")
        link(project / "aaa/x.H", outside)
        name = "aaa/sub/../X.h"
    assert "#include may read " in not_compiled(call, log, text.replace("include/factor.h", name))


@pytest.mark.parametrize("entry", [b"\xf3.h", b"s\xae\xe8", b"S.\xc8"])
def test_names_that_wine_makes_ascii(
    call: Call, compiler: str, secret: Path, monkeypatch: pytest.MonkeyPatch, entry: bytes
) -> None:
    """In a locale without an encoding it drops the highest bit of each byte."""
    monkeypatch.setenv("LC_ALL", "C")
    os.symlink(b"../secret.h", entry)
    code, _, err = call(GOOD.replace("include/factor.h", "s.h"))
    assert (code, "failed to open source file: 's.h'" in err) == (2, True), err


@pytest.mark.parametrize("target", ["nothing", "a.h", "d"])
@pytest.mark.parametrize("name", ["a", "b"])
def test_a_link_to_nothing(call: Call, compiler: str, secret: Path, name: str, target: str) -> None:
    """Wine may take a file of the name in other case, perhaps one of another folder."""
    if target == "d":
        link(secret / f"project/{name}", name)
        link(secret / f"project/{name.upper()}", "..")
        included = f"{name}/secret.h"
    else:
        link(secret / f"project/{name}.h", target)
        link(secret / f"project/{name.upper()}.h", "../secret.h")
        included = f"{name}.h"
    code, _, err = call(GOOD.replace("include/factor.h", included))
    assert (code, "not below the test's folder" in err) == (2, True), err


@pytest.mark.parametrize("name", ["own.h", "own/own.h"])
def test_a_link_that_leads_nowhere_beside_a_file_of_the_folder(
    call: Call, log: Path, project: Path, name: str
) -> None:
    """Wine takes one or the other, by their order in the folder."""
    first = name.split("/")[0]
    link(project / first, "nothing")
    other = project / name.replace(first, first.upper(), 1)
    other.parent.mkdir(exist_ok=True)
    other.write_text("#define FACTOR 3\n")
    assert f"'{first}' is a link that leads nowhere" in not_compiled(
        call, log, GOOD.replace("include/factor.h", name)
    )


IN_FOLDERS = """
import os, sys
from vkrunner.__main__ import main
words = ["test", ".", "--device", "reference"]
codes = [os.chdir(folder) or main(words) for folder in sys.argv[1:]]
print("codes", *codes)
"""
OWN = (b"caf\xe9", b"caf\xc3\xa9")
OTHERS = (b"caf\xef\xbf\xbd", b"cafi", b"caf\xe8", b"cafC)")


@pytest.mark.parametrize("locale", [{}, {"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_a_folder_of_tests_that_is_another_under_wine(
    compiler: str, secret: Path, locale: dict[str, str]
) -> None:
    """By U+FFFD for bytes that are not UTF-8, or by their low seven bits."""
    shutil.copy(secret / "secret.h", secret / "s.h")
    folders: list[Path] = []
    for own, others in itertools.product(OWN, OTHERS):
        folders.append(secret / f"project/{len(folders)}" / os.fsdecode(own))
        folders[-1].mkdir(parents=True)
        (folders[-1] / "a.shader_test").write_text(GOOD.replace("include/factor.h", "s.h"))
        link(folders[-1].parent / os.fsdecode(others), secret)
    for is_there, code in ((False, 2), (True, 0)):
        if is_there:
            for folder in folders:
                (folder / "s.h").write_text("#define FACTOR 3\n")
        done = python("-c", IN_FOLDERS, *folders, **locale, PYTHONIOENCODING="utf-8")
        assert done.stdout.splitlines()[-1] == f"codes{f' {code}' * 8}", done
        assert done.stderr.count("failed to open source file: 's.h'") == 8 * (not is_there), done


def test_names_like_the_source_but_for_the_case(call: Call, compiler: str, project: Path) -> None:
    """A copy of the source is not the file that is included."""
    Path("S.HLSL").write_text("#define FACTOR 3\n")
    Path("s.hlsl").write_text(INCLUDED.replace("include/factor.h", "S.HLSL"))
    text = f"[compute shader]\nfile s.hlsl\ndefine N=4\n{CHECK.format(4, 3)}"
    code, _, err = call(text)
    assert code == 0, err
    (project.parent / "_").mkdir()
    (project.parent / "_" / "s.hlsl").write_text("#define FACTOR 3\n")
    Path("s.hlsl").write_text(INCLUDED.replace("include/factor.h", "../_/s.hlsl"))
    assert call(text, "--allow-path", "..")[0] == 0


@pytest.mark.parametrize("name", ["s (1).hlsl", "s.hlsl"])
@pytest.mark.parametrize("is_known", [True, False])
def test_names_that_the_copy_of_the_source_might_have(
    stand_in: str, project: Path, name: str, is_known: bool
) -> None:
    """An unusual name of a source is no name for a copy; any name may be in a folder of -I."""
    included = "shader.hlsl" if name == "s (1).hlsl" else "S.HLSL"
    more = "" if is_known else "\n#if 0\n#include NAME\n#endif"
    text = f'#include "{included}"{more}\n{BODY}'
    Path(name).write_text(text)
    (project / "include" / included).write_text("#define FACTOR 3\n")
    if included == "S.HLSL":
        (project / included).write_text("#define FACTOR 3\n")
    options = translate.HlslOptions(defines={"N": 4}, include="include")
    made = translate.compile_hlsl(name, options)
    assert made.container == (DATA / "scale-3-4.dxbc").read_bytes()
    with pytest.raises(translate.CompileError, match=r"failed to open source file: 'none\.hlsl'"):
        translate.compile_hlsl(text.replace(included, "none.hlsl").encode(), options)


def test_a_source_with_the_name_of_a_folder_in_the_tree(stand_in: str, project: Path) -> None:
    """The folders of the tree have short names, and so has one beside the source's copy."""
    (project / "deep").mkdir()
    options = translate.HlslOptions(defines={"N": 4}, include="deep")
    for number in range(len(project.parts) + 3):
        Path(f"_{number}").write_text(INCLUDED)
        made = translate.compile_hlsl(Path(f"_{number}"), options)
        assert made.container == (DATA / "scale-3-4.dxbc").read_bytes()


def test_folders_without_includes_are_in_the_tree(call: Call, compiler: str, project: Path) -> None:
    """Systems go through them, and Wine would take another one in their place."""
    for folder in ("D", "d", "include/D", "other"):
        (project / folder).mkdir()
    (project / "include/D/a.h").write_text("#define FACTOR 3\n")
    (project / "d/a.h").write_text("#define FACTOR 7\n")
    included = '#if 0\n#include "d/a.h"\n#endif\n#include "D/a.h"\n#include "other/../scale.h"\n'
    (project / "scale.h").touch()
    text = GOOD.replace('#include "include/factor.h"\n', included)
    code, _, err = call(text.replace("define N=4", "define N=4\ninclude include"))
    assert (code, err) == (0, "")


def test_files_in_place_of_folders_are_in_the_tree(compiler: str, project: Path) -> None:
    """And folders in place of files: Wine would take entries that differ by case."""
    for folder in ("d", "E.h", "include/D"):
        (project / folder).mkdir()
    (project / "D").touch()
    (project / "include/D/a.h").write_text("#define FACTOR 3\n")
    (project / "d/a.h").write_text("#define FACTOR 7\n")
    (project / "include/E.h").touch()
    (project / "e.h").write_text("#define FACTOR 7\n")
    included = '#if 0\n#include "d/a.h"\n#include "e.h"\n#endif\n#include "D/a.h"\n'
    text = f'{included}#include "E.h"\n{BODY}'
    options = translate.HlslOptions(defines={"N": 4}, include="include")
    made = translate.compile_hlsl(text.encode(), options)
    assert "l(3)" in translate.disassemble(translate.load(made.container))


def test_the_copys_name_cannot_be_guessed(log: Path, project: Path) -> None:
    """Wine opens other files than a name says: without its last dots, or by a short name."""
    Path("S.HLSL.").touch()
    Path("s.hlsl").write_text(
        f'#include "include/factor.h"\n#if 0\n#include "S.HLSL."\n#endif\n{BODY}'
    )
    for _ in range(2):
        translate.compile_hlsl("s.hlsl", translate.HlslOptions(defines={"N": 4}))
    names = re.findall(r"(\w+)\.hlsl'\]", log.read_text())
    assert len({*names, "s"}) == 3, names


def test_an_include_that_leads_out_of_the_temporary_folder(log: Path, project: Path) -> None:
    with pytest.raises(translate.CompileError, match="a name has more than 16 folders above"):
        translate.compile_hlsl(f'#include "{"../" * 17}tmp/a.h"\n{BODY}'.encode())
    assert log.read_text() == ""


def test_many_names_of_one_large_file(
    call: Call, stand_in: str, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tree has it once, so that small inputs do not fill a disk."""
    script = program(tmp_path, "fxc.sh", f"#!/bin/sh\ndu -sk . | cut -f1 >{tmp_path}/kib\nexit 1\n")
    monkeypatch.setenv("SM5VK_FXC", str(script))
    (project / "large.h").write_bytes(b" " * (2 << 20))
    for number in range(50):
        (project / f"a{number}.h").symlink_to("large.h")
    lines = "".join(f'#include "a{number}.h"\n' for number in range(50))
    call(GOOD.replace('#include "include/factor.h"', f"#if 0\n{lines}#endif"))
    assert 2 << 10 <= int((tmp_path / "kib").read_text()) < 5 << 10


def test_whole_paths_in_messages(
    stand_in: str, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two files of one name are told apart by their folders."""
    lines = [
        "#!/bin/sh",
        "for source; do :; done",
        'echo "$(realpath "$(dirname "$source")/two/a.h")(1,1): error X1: here"',
    ]
    script = program(tmp_path, "fxc.sh", "\n".join([*lines, "exit 1", ""]))
    monkeypatch.setenv("SM5VK_FXC", str(script))
    for folder in ("one", "two"):
        (project / folder).mkdir()
        (project / folder / "a.h").write_text(f"// {folder}\n")
    text = '#include "one/a.h"\n#include "two/a.h"\n'
    with pytest.raises(translate.CompileError) as caught:
        translate.compile_hlsl(text)
    assert str(caught.value).startswith("two/a.h:1:1: error: X1: here\n   1 | // two")


@pytest.mark.timeout(60)
def test_many_names_of_many_parts(call: Call, log: Path, project: Path) -> None:
    """Each is searched in every folder of an included file."""
    (project / "l").symlink_to(".")
    names = [f"{'l/' * 60}n{number}.h" for number in range(390)]
    for number in range(100):
        (project / f"f{number}").mkdir()
        (project / f"f{number}/l").symlink_to(".")
        (project / f"f{number}/a.h").touch()
        names.append(f"f{number}/a.h")
    lines = "".join(f'#include "{name}"\n' for name in names)
    assert "places for #include to search" in not_compiled(
        call, log, GOOD.replace('#include "include/factor.h"\n', lines)
    )


OF_A_PROCESS = {  # the target of a link `sub/LINK.h` or `own`, and the included name
    "a file": ("/proc/self/cwd/include/factor.h", "sub/link.h"),
    "a missing file": ("/proc/self/cwd/../../../secret.h", "sub/link.h"),
    "in other case": ("/proc/self/cwd/../../../secret.h", "SUB/Link.h"),
    "a descriptor": ("/dev/fd/9", "sub/link.h"),
    "a thread": ("/proc/thread-self/cwd/secret.h", "sub/link.h"),
    "a folder": ("/proc/self/cwd", "own/none.h"),
    "a folder in other case": ("/proc/self/cwd/include", "OWN/factor.h"),
    "above a folder": ("/proc/self/cwd", "own/../secret.h"),
    "a link to a link": ("chain", "sub/link.h"),
}


@pytest.mark.skipif(not os.path.exists("/proc/self/cwd"), reason="a file system of processes")
@pytest.mark.parametrize("case", OF_A_PROCESS)
def test_links_into_a_file_system_of_processes(
    call: Call, log: Path, secret: Path, project: Path, case: str
) -> None:
    """The compiler works in another folder, and has other open files: it would read another."""
    target, name = OF_A_PROCESS[case]
    link(project / ("own" if name.lower().startswith("own") else "sub/link.h"), target)
    link(project / "sub/chain", "/proc/self/cwd/include/factor.h")
    code, _, err = call(GOOD.replace("include/factor.h", name))
    if target.endswith("factor.h") or target == "chain":  # below the test's folder
        assert (code, err) == (0, "")
    else:
        refused = ("failed to open source file", "#include may read ", "after a symbolic link")
        assert (code, "secret\n" in err) == (2, False), err
        assert any(reason in err for reason in refused), err


def test_a_name_of_several_files(call: Call, log: Path, project: Path) -> None:
    for name in ("A.h", "a.H"):
        (project / name).write_text("#define FACTOR 3\n")
    assert "'a.h' is the name of several files, but for the case" in not_compiled(
        call, log, GOOD.replace("include/factor.h", "a.h")
    )


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_an_included_file_in_utf_16(call: Call, log: Path, secret: Path, mark: bytes) -> None:
    """Compilers read its bytes, among which may be an `#include`."""
    Path("include/factor.h").write_bytes(mark + b'\n#include "../../secret.h"\n\n')
    err = not_compiled(call, log, GOOD)
    assert "#include may read ../secret.h" in err or "UTF-16" in err


@pytest.mark.parametrize("name", ["z:", "a\\b", "sub.", "sub ", "OTHER~1", "aux"])
@pytest.mark.parametrize("is_own", [True, False])
def test_folders_that_are_others_under_wine(
    call: Call,
    compiler: str,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    is_own: bool,
) -> None:
    """The compiler gets copies in folders with plain names."""
    folder = project / name
    folder.mkdir()
    (folder / "factor.h").write_text("#define FACTOR 3\n")
    text = GOOD.replace("include/factor.h", "factor.h")
    if is_own:
        monkeypatch.chdir(folder)
    else:
        text = text.replace("define N=4", f'define N=4\ninclude "{name}"')
    code, _, err = call(text)
    assert (code, err) == (0, "")


@pytest.mark.parametrize(
    "line", ["// #include", "int a; // '#include", "/* */ // a #include", "// it's // a #include"]
)
def test_an_include_in_a_comment(call: Call, stand_in: str, secret: Path, line: str) -> None:
    text = GOOD.replace("#include", f'{line} "../secret.h"\n#include')
    assert call(text)[0] == 0


def test_links_to_their_own_folder(call: Call, stand_in: str, project: Path) -> None:
    """Each part of a name has two spellings; both are the same folder."""
    for name in "aA":
        (project / name).symlink_to(".")
    code, _, err = call(GOOD.replace("include/factor.h", f"{'a/' * 40}none.h"))
    assert (code, "none.h" in err) == (2, True)


def test_an_allowed_folder(call: Call, stand_in: str, project: Path) -> None:
    (project / "include").rename(project.parent / "more")
    text = GOOD.replace("include/", "../more/")
    assert call(text)[0] == 2
    assert call(text, "--allow-path", "../more")[0] == 0


def test_a_folder_of_includes_is_below_the_test(call: Call, project: Path) -> None:
    code, _, err = call(GOOD.replace("define N=4", "include .."))
    assert code == 2
    assert "a.shader_test:2:9: error: .. is not below the test's folder" in err


def test_a_header_may_name_one_above_it(call: Call, stand_in: str, project: Path) -> None:
    """Relative to the test's folder the name would lead outside, where there is no such file."""
    (project / "include" / "factor.h").write_text('#include "../number.h"\n')
    (project / "number.h").write_text("#define FACTOR 3\n")
    assert call(GOOD)[0] == 0


def test_a_pipe_is_not_read(call: Call, stand_in: str, project: Path) -> None:
    os.mkfifo(project / "pipe.h")
    code, _, err = call(GOOD.replace("include/factor.h", "pipe.h"))
    assert code == 2
    assert "pipe.h: not a regular file" in err


def test_hlsl_in_a_listing_is_not_compiled(call: Call, stand_in: str) -> None:
    """Otherwise its includes would not be checked."""
    text = GOOD.replace("[compute shader]\ndefine N=4\n", "[shader]\n// one\n")
    code, _, err = call(text.replace("\n\n[num", " [num").replace("    [branch]\n", ""))
    assert code == 2
    assert "a.shader_test:1:1: error: HLSL belongs in [compute shader]" in err


@pytest.fixture
def compiled(project: Path) -> None:
    """Two files of a compiled shader in the working folder: x.asm and x.dxbc."""
    listing = "cs_5_0\ndcl_thread_group 1, 1, 1\nret\n"
    Path("x.asm").write_text(f"// by fxc\n{listing}")
    Path("x.dxbc").write_bytes(translate.assemble(listing))


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("name", ["x.dxbc", "x.asm"])
@pytest.mark.parametrize(
    ("section", "options", "remedy"),
    [
        ("shader", "fxc_flags -Zi", "remove fxc_flags"),
        ("shader", "define N=4\ninclude .\nentry main", "remove entry, define, include"),
        ("shader", "profile cs_5_0", "it belongs in [shader], without profile"),
        ("compute shader", "fxc_flags -Zi", "remove fxc_flags"),
        ("compute shader", "", "it belongs in [shader], without profile"),
    ],
)
def test_options_of_hlsl_for_a_compiled_file(
    call: Call, monkeypatch: pytest.MonkeyPatch, name: str, section: str, options: str, remedy: str
) -> None:
    """The error names the options, with or without a compiler."""
    monkeypatch.setenv("SM5VK_FXC", "/nowhere/fxc")
    code, _, err = call(f"[{section}]\nfile {name}\n{options}\n[test]\ndispatch 1 1 1\n")
    kind = "container" if name == "x.dxbc" else "listing"
    assert code == 2
    assert f"a.shader_test:2:6: error: {name} is a {kind}: {remedy}\n" in err


WARNING = "shaders/w.hlsl:6:5: warning: X3206: implicit truncation of vector type"


@pytest.fixture
def warning(project: Path, stand_in: str) -> str:
    """A shader with a warning, and a test in another folder; returns the warning's first line."""
    (project / "shaders").mkdir()
    (project / "tests").mkdir()
    text = BODY.replace("FACTOR + N", "3 + 4").replace(
        "    [branch]\n    if (id.x < 8)\n    ", "    values[id.x] = uint2(1, 2);\n"
    )
    (project / "shaders" / "w.hlsl").write_text(text)
    test = f"[shader]\nfile ../shaders/w.hlsl\n{CHECK.format(4, 3)}[test again]\ndispatch 1 1 1\n"
    (project / "tests" / "w.shader_test").write_text(test)
    return WARNING


PROCESSES = pytest.param(["-j", "2"], marks=pytest.mark.slow(reason="more processes"))


@pytest.mark.parametrize("words", [[], PROCESSES], ids=str)
def test_a_warning_of_the_compiler_is_shown_once(
    warning: str, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """For both tests, with a path without `..`."""
    shutil.copy("tests/w.shader_test", "tests/also.shader_test")
    given = ["test", "tests", "--allow-path", "shaders", "--device", "reference", *words]
    if not words:
        assert main(given) == 0
        err = capsys.readouterr().err
        assert err.count(warning) == 1
        assert ".." not in err
    assert main([*given, "--error-format", "github"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("::warning file=shaders/w.hlsl,line=6,col=5::X3206: implicit")
    assert out.count("::warning") == 1


def test_a_warning_that_is_an_error(warning: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["test", "tests", "--allow-path", "shaders", "--device", "reference"]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        assert main(given) == 2
    assert f"tests/w.shader_test:2:6: error: {warning}" in capsys.readouterr().err


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    ("name", "noun"),
    [
        ("scale.hlsl", "HLSL"),
        ("attribute.hlsl", "HLSL"),
        ("scale.shader_test", "HLSL"),
        ("x.dxbc", "a container"),
        ("x.asm", "a listing"),
    ],
)
def test_a_shader_is_no_test(capsys: pytest.CaptureFixture[str], name: str, noun: str) -> None:
    Path("attribute.hlsl").write_text("[numthreads(1, 1, 1)]\nvoid main() {}\n")
    shutil.copy("scale.hlsl", "scale.shader_test")
    assert main(["test", name, "--device", "reference"]) == 2
    message = f"{name}:1:1: error: this is {noun}; a .shader_test names it with `file`\n"
    assert message in capsys.readouterr().err
