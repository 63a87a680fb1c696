"""The builds of the manifest: containers and listings agree, print, translate and validate."""

from pathlib import Path

import pytest

import translate
from translate.dxbc import decode_container
from translate.program import Program

from .builds import BUILDS, HERE, LISTINGS, Build, options

PLAIN = {"O3", "Od"}


def code_of(listing: str) -> list[str]:
    return [line for line in listing.split("\n") if line and not line.startswith("//")]


def linked(program: Program) -> tuple[object, str]:
    """Classes and types; in a listing an array of one element looks like the element."""
    assert program.reflection is not None
    return program.linkage, repr(program.reflection.buffers).replace("elements=1,", "elements=0,")


def test_the_manifest_names_all_files() -> None:
    held = {*(HERE / "compiled").iterdir()}
    assert held == {path for build in BUILDS for path in (build.container, build.listing)}
    assert {build.source for build in BUILDS} == {*(HERE / "hlsl").iterdir()}


def test_every_shader_is_built_with_and_without_optimisation() -> None:
    for build in BUILDS:
        same = [b for b in BUILDS if b.shader == build.shader]
        assert {b.flags for b in same} >= PLAIN
        same = [b for b in same if b.profile == build.profile]
        assert len({(b.source, b.defines, b.entry) for b in same}) == 1


def test_no_container_has_the_path_of_its_source() -> None:
    """Debug information would have it."""
    for build in BUILDS:
        chunks = {chunk.fourcc for chunk in translate.load(build.container).chunks}
        assert not chunks & {b"SPDB", b"SDBG", b"ILDB"}


@pytest.mark.parametrize("build", BUILDS, ids=str)
def test_container_agrees_with_the_manifest(build: Build) -> None:
    program = translate.load(build.container)
    assert program.profile == build.profile
    assert ("skipOptimization" in printed_flags(program)) == ("Od" in build.flags.split("+"))


def printed_flags(program: Program) -> str:
    lines = translate.disassemble(program).split("\n")
    return next(line for line in lines if line.startswith("dcl_globalFlags"))


@pytest.mark.parametrize("build", BUILDS, ids=str)
def test_listing_is_the_container_to_the_bit(build: Build) -> None:
    """Immediates are hexadecimal in these listings, so that nothing is lost.

    SFI0 and IFCE, which come from the listing's header, are equal byte for byte, or absent.
    """
    container = translate.load(build.container)
    listing = translate.load(build.listing)
    assert translate.disassemble(listing) == translate.disassemble(container)
    assert linked(listing) == linked(container)
    again = decode_container(translate.assemble(build.listing.read_text(encoding="utf-8")))
    assert linked(again) == linked(container)
    for read in (listing, again):
        assert immediates(read) == immediates(container)
    assert chunks(again) == chunks(container)


def chunks(program: Program) -> dict[bytes, bytes]:
    return {c.fourcc: c.payload for c in program.chunks if c.fourcc in (b"SFI0", b"IFCE")}


def immediates(program: Program) -> list[tuple[object, ...]]:
    """Every dword that a listing may round."""
    return [
        (statement.data, *(operand.values for operand in statement.operands))
        for statement in program.statements
    ]


@pytest.mark.parametrize("path", LISTINGS, ids=lambda path: path.stem)
def test_hand_written_listing_prints_as_it_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    printed = translate.disassemble(decode_container(translate.assemble(text)))
    same = printed.removesuffix("\n").split("\n") == code_of(text)
    assert same, f"{path.name} is not written as by sm5vk disasm --as-fxc"


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("build", BUILDS, ids=str)
def test_translates_and_validates(build: Build, optimize: bool) -> None:
    """`to_spirv` runs SPIRV-Tools' validator and raises where it finds anything."""
    chosen = translate.Options(optimize=optimize, **options(build.shader))
    module = translate.to_spirv(translate.load(build.container), chosen)
    assert module.interface.profile == build.profile
