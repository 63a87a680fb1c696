"""Assembling refuses what translation refuses: programs that break D3D's rules."""

import warnings
from pathlib import Path

import pytest

import translate
from translate.linkage import Linkage
from vkrunner.__main__ import main

from ...listings import listing
from .listings import parameters

BUFFERS = ("dcl_constantbuffer cb0[1], immediateIndexed", "dcl_uav_raw u0")
CLASSES = ("dcl_function_body fb0", "dcl_function_table ft0 = {fb0}")
INTERFACE = "dcl_interface fp0[1][1] = {ft0}"
LONGER = INTERFACE.replace("fp0[1][1]", "fp1[1][2]")
UNSUPPORTED = "dcl_resource_texture2d (mixed,mixed,mixed,mixed) t0"
MISTAKES = {
    "an undeclared temporary": (["mov r8.x, l(0)"], "r8 is not declared: dcl_temps 8"),
    "an undeclared resource": (
        ["store_raw u1.x, l(0), r0.x"],
        "u1 is not declared, or cannot stand here",
    ),
    "an undeclared constant": (["mov r0.x, cb1[0].x"], "cb1 is not declared, or cannot stand here"),
    "no endif": (["if_nz r0.x", "mov r0.x, l(0)"], "if is never closed"),
    "no if": (["endif"], "endif without its if (outside of any)"),
    "no loop": (["break"], "break outside of a loop or switch"),
    "no label": (["call label1"], "there is no label label1"),
    "a constant that is stored": (["store_raw cb0[0].x, l(0), r0.x"], "cb is not a buffer"),
    "a constant that is written": (["mov cb0[0].x, l(0)"], "cb cannot be written here"),
    "an undeclared interface": (["fcall fp2[0][0]"], "fp2 is not declared"),
    "an interface of those undeclared": (["fcall fp2[r0.x + 0][0]"], "fp2 is not declared"),
    "an element too many": (["fcall fp0[1][0]"], "fp0 has no element 1, call site 0"),
    "a method that a class lacks": (["fcall fp1[0][1]"], "ft0 does not implement fp1"),
    "a mistake after a call": (["fcall fp0[0][0]", "endif"], "endif without its if"),
}
INPUTS = [
    ((), "vThreadID.x", "vThreadID is not declared by dcl_input"),
    (("vThreadID.xyz",), "vThreadGroupID.x", "vThreadGroupID is not declared by dcl_input"),
    (("vThreadID.y",), "vThreadID.x", "vThreadID.x is not declared: dcl_input vThreadID.y"),
    (("vThreadIDInGroup.xyz",), "vThreadIDInGroup.w", "vThreadIDInGroup has no component w"),
    (("vThreadID.xyzw",), "vThreadID.x", "dcl_input: vThreadID has no component w"),
    (("vThreadID.x", "vThreadID.xy"), "vThreadID.x", "vThreadID is declared twice"),
]


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name: str) -> None:
    """The error is the translation's, also its place; without the check there is none."""
    body, message = MISTAKES[name]
    text = listing([*body, "ret", "label fb0"], [*BUFFERS, *CLASSES, INTERFACE, LONGER])
    with pytest.raises(translate.ProgramError) as caught:
        translate.assemble(text, file="a.asm")
    assert caught.value.message.startswith(message)
    line = caught.value.where.line
    assert line is not None
    assert (
        text.splitlines()[line - 1]
        == caught.value.source_line
        == body[-1 if "endif" in body else 0]
    )
    one = translate.ClassInstance(table=0)
    options = translate.Options(class_instances={"fp0": one, "fp1": one})
    with pytest.raises(translate.ProgramError) as translated:
        translate.to_spirv(translate.load(text, file="a.asm"), options)
    assert str(translated.value) == str(caught.value)
    container = translate.assemble(text, check=False)
    printed = [translate.disassemble(translate.load(source)) for source in (container, text)]
    assert printed[0] == printed[1]


@pytest.mark.parametrize(("inputs", "read", "message"), INPUTS)
@pytest.mark.parametrize("line", ["mov r0.x, {}", "mov r0.x, x0[{} + 1].x"])
def test_inputs_need_their_declaration(
    inputs: tuple[str, ...], read: str, message: str, line: str
) -> None:
    """FS §22.3.41. The translation needs no declaration, and gives each input its value."""
    text = listing([line.format(read)], ["dcl_indexableTemp x0[64], 4"], inputs=inputs)
    with pytest.raises(translate.ProgramError) as caught:
        translate.assemble(text)
    assert caught.value.message == message
    where = caught.value.where
    assert where.line is not None
    assert where.column is not None
    found = text.splitlines()[where.line - 1][where.column - 1 :][: where.length]
    assert found in (read, f"dcl_input {inputs[-1]}" if inputs else "")
    translate.to_spirv(translate.load(text))
    translate.assemble(text, check=False)


def test_only_components_that_are_read_need_a_declaration() -> None:
    body = ["mov r0.xy, vThreadID.xyzw", "mov r0.x, vThreadIDInGroupFlattened.x"]
    translate.assemble(listing(body, inputs=["vThreadID.xy", "vThreadIDInGroupFlattened"]))


def test_a_missing_thread_group() -> None:
    with pytest.raises(translate.ProgramError, match="no dcl_thread_group"):
        translate.assemble("cs_5_0\nret\n")


def test_unsupported_is_no_mistake() -> None:
    """A warning says up to where the program is checked; `strict` makes it an error."""
    text = listing(["mov r8.x, l(0)"], [UNSUPPORTED])
    message = "the program is not checked from here on: dcl_resource: return type mixed"
    with pytest.warns(translate.ListingWarning, match=message) as found:
        container = translate.assemble(text, file="a.asm")
    assert [warning.filename for warning in found] == [__file__]
    assert str(found[0].message).endswith(f"   2 | {UNSUPPORTED}\n     | {'^' * len(UNSUPPORTED)}")
    with pytest.raises(translate.AssemblyError, match=message):
        translate.assemble(text, strict=True)
    with warnings.catch_warnings(action="error"):
        assert translate.assemble(text, check=False) == container


def test_classes_need_no_choice() -> None:
    """Code after a call is checked too, and no warning tells that no class was chosen."""
    text = listing(["fcall fp0[r0.x + 0][0]", "ret", "label fb0"], [*CLASSES, INTERFACE])
    with warnings.catch_warnings(action="error"):
        translate.assemble(text)


def test_more_interfaces_than_d3d_has() -> None:
    interface = INTERFACE.replace("[1]", "[254]", 1)
    text = listing(["fcall fp0[0][0]", "ret", "label fb0"], [*CLASSES, interface])
    with pytest.warns(translate.ListingWarning, match="not checked"):
        translate.assemble(text)


@pytest.mark.parametrize("path", parameters())
def test_accepts_what_translation_accepts(path: Path) -> None:
    program = translate.load(path)
    options = translate.Options(validate=False, optimize=False)
    refusal: translate.TranslateError | None = None
    try:
        translate.to_spirv(program, options)
    except translate.ProgramError as error:
        refusal = error
    except translate.OptionError:  # no class instance is chosen
        assert program.linkage != Linkage()
    text = translate.disassemble(program, exact=True, header=True)
    if refusal is None:
        translate.assemble(text, strict=True)
        return
    with pytest.raises(translate.ProgramError) as caught:
        translate.assemble(text)
    assert caught.value.message == refusal.message
    assert caught.value.where.instruction == refusal.where.instruction


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, made = tmp_path / "a.asm", tmp_path / "a.dxbc"
    source.write_text(listing(["if_nz r0.x", "mov r0.x, l(0)"]), encoding="utf-8")
    words = ["asm", str(source), "-o", str(made)]
    assert main(words) == 2
    message = f"{source}:5:1: error: if is never closed\n   5 | if_nz r0.x\n"
    assert capsys.readouterr().err.startswith(message)
    assert not made.exists()
    assert main([*words, "--no-check"]) == 0
    assert capsys.readouterr().err == ""
    assert translate.load(made).profile == "cs_5_0"
