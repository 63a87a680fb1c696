"""Modules of shaders that fxc compiled with /Zi: a debugger steps through the HLSL.

The HLSL itself has the expected values: a line that reads or writes a resource names it.
"""

from pathlib import Path
from typing import Any

import pytest

import translate

from . import reader
from .reader import Instruction, Module, Place

HERE = Path(__file__).parent
UNIT = HERE.parent / "unit" / "dxbc" / "data" / "debug"
SOURCES = {path.name: path for path in (*(HERE / "hlsl").iterdir(), *UNIT.glob("*.hlsl*"))}
CONTAINERS = [*sorted(HERE.glob("*.dxbc")), *sorted(UNIT.glob("*.dxbc"))]
ENTRIES = {"groups": "Reduce", "called": "Simulate"}
SHARED = {"g0": "counts", "x0": "state", "x1": "state"}  # reflection does not name these
MADE_FILE, MADE_FIRST, MADE_FROM = "machine.made", 100, 6  # #line 100 stands on line 5 of called
MORE_OPTIONS: list[dict[str, Any]] = [
    *({}, {"target": "vulkan1.2"}, {"target": "vulkan1.3", "guards": "report"}),
    {"guards": "off", "optimize": False},
]
OPTIONS = [
    translate.Options(debug_info=True, debug_lines=True, validate=True, **more)
    for more in MORE_OPTIONS
]
FUNCTION_CALL = 57
IMAGE_READS, IMAGE_WRITES, ATOMICS = (95, 98), (99,), range(227, 243)

every = pytest.mark.parametrize("path", CONTAINERS, ids=lambda path: path.stem)
options = pytest.mark.parametrize("options", OPTIONS, ids=["d3d", "1.2", "report", "off"])


def module_of(path: Path, options: translate.Options) -> Module:
    return reader.read_made(translate.load(path), options)


def line_of(place: Place) -> str:
    """The text of a source line, by the file name that fxc was called with."""
    if place.file == MADE_FILE:
        lines = SOURCES["called.hlsl"].read_text().splitlines()
        return lines[place.line - MADE_FIRST + MADE_FROM - 1]
    name = place.file.replace("/", "\\").rpartition("\\")[2]
    return SOURCES[name].read_text().splitlines()[place.line - 1]


def located(module: Module) -> list[tuple[Instruction, Place]]:
    """The instructions that come from the program, with their places."""
    found = [one for one in module.body if not module.is_artificial(one.function)]
    assert all(one.place is not None for one in found)
    return [(one, one.place) for one in found if one.place is not None]


@every
@options
def test_every_instruction_has_a_line_with_a_source(path: Path, options: translate.Options) -> None:
    module = module_of(path, options)
    assert module.body
    for one in module.body:
        assert one.place is not None
        assert one.scope in module.definitions[one.function]
        if module.is_artificial(one.function):
            assert one.place.line == 0
        elif one.place.file != MADE_FILE:
            assert 1 <= one.place.line <= module.texts[one.place.file].count("\n") + 1
        assert one.op_line == one.place


@every
def test_files_have_their_texts(path: Path) -> None:
    module = module_of(path, OPTIONS[0])
    assert module.texts
    for name, text in module.texts.items():
        assert text == SOURCES[name.rpartition("\\")[2]].read_text()
    (unit,) = module.operands(reader.UNIT)
    version, dwarf, source, language = unit
    assert [module.constants[n] for n in (version, dwarf, language)] == [1, 4, 5]  # 5 is HLSL
    main = module.strings[module.debug[source][1][0]]
    assert main.rpartition("\\")[2].partition(".")[0] == path.name.partition(".")[0][:11]


@every
@options
def test_every_function_has_its_definition(path: Path, options: translate.Options) -> None:
    module = module_of(path, options)
    (main,) = module.entry_points
    assert all(len(scopes) == 1 for scopes in module.definitions.values())
    assert module.function_name(main) == ENTRIES.get(path.name.partition(".")[0], "main")
    ((entry, unit, producer, _),) = module.operands(reader.ENTRY)
    assert [entry] == module.definitions[main]
    assert module.debug[unit][0] == reader.UNIT
    assert module.strings[producer].startswith("sm5vk ")


def test_subroutines_are_functions_with_lines_of_their_own() -> None:
    module = module_of(HERE / "called.O3.dxbc", OPTIONS[0])
    lines = {
        module.function_name(function): {
            place.line for one, place in located(module) if one.function == function
        }
        for function in module.definitions
    }
    assert [lines[f"label{n}"] for n in range(4)] == [{104}, {105}, {106}, {107}]
    calls = {
        module.function_name(one.words[2]): place
        for one, place in located(module)
        if one.op == FUNCTION_CALL and not module.is_artificial(one.words[2])
    }
    assert calls == {f"label{n}": Place(MADE_FILE, 104 + n) for n in range(4)}


@every
@options
def test_lines_name_the_accessed_resource(path: Path, options: translate.Options) -> None:
    """Loads, stores and atomics come from lines that name the resource."""
    module = module_of(path, options)
    touched: set[str] = set()
    pointers: dict[int, int] = {}
    for one, place in located(module):
        if one.op == reader.ACCESS_CHAIN:
            pointers[one.words[1]] = one.words[2]
        name = _touched(module, pointers, one)
        if name is not None:
            touched.add(name)
            assert name in line_of(place), f"{name}: {place}, {line_of(place)!r}"
    stem = path.name.partition(".")[0]
    wanted = {"groups": {"counts", "totals", "scale"}, "called": {"steps", "states", "state"},
              "ranges": {"points", "shaded", "lights"}}  # fmt: skip
    assert wanted.get(stem, {"samples", "means"}) <= touched


def _touched(module: Module, pointers: dict[int, int], one: Instruction) -> str | None:
    """The source's name of what an instruction reads or writes; a member without its structure."""
    if one.op == reader.LOAD and one.words[1] in module.names:
        return module.names[one.words[1]].partition("[")[0].partition(".")[0]
    if one.op == reader.STORE or one.op in ATOMICS:
        pointer = one.words[0 if one.op == reader.STORE else 2]
    elif one.op == reader.LOAD:
        pointer = one.words[2]
    else:
        return None
    name = module.names.get(pointers.get(pointer, 0), "")
    name = SHARED.get(name, name)
    return name if name in {*SHARED.values(), "totals", "steps", "states", "points", "shaded",
                            "samples", "means"} else None  # fmt: skip


def test_images_are_read_and_written_where_the_source_does() -> None:
    module = module_of(HERE / "groups.O3.dxbc", OPTIONS[0])
    reads = {line_of(place).strip() for one, place in located(module) if one.op in IMAGE_READS}
    writes = {line_of(place).strip() for one, place in located(module) if one.op in IMAGE_WRITES}
    assert reads == {
        "float4 texel = picture.Load(int3(id.xy, 0));",
        "texel.a = palette[level] / 255.0;",
    }
    assert writes == {"output[id.xy] = texel;"}


def test_barriers_and_branches() -> None:
    module = module_of(HERE / "groups.Od.dxbc", OPTIONS[0])
    barriers = [line_of(place).strip() for one, place in located(module) if one.op == 224]
    assert barriers == ["GroupMemoryBarrierWithGroupSync();"] * 2
    switches = {line_of(place).strip() for one, place in located(module) if one.op == 251}
    assert switches == {"switch (mode)"}


def test_names_are_those_of_the_source() -> None:
    names = {*module_of(HERE / "ranges.O3.dxbc", OPTIONS[0]).names.values()}
    assert {"Scene", "points", "shaded", "chosen", "lights[1].colour.x", "lights[2].power"} <= names
    assert {"world[0][0]", "world[2][3]"} <= names
    assert not {"t0", "u0", "cb0", "t2", "u1"} & names
    plain = module_of(HERE / "ranges.O3.dxbc", translate.Options())
    assert {"Scene", "points"}.isdisjoint(plain.names.values())


def test_resources_are_variables_of_the_source() -> None:
    module = module_of(HERE / "groups.O3.dxbc", OPTIONS[0])
    found = {module.strings[row[0]]: module.names[row[7]] for row in module.operands(reader.GLOBAL)}
    assert {"Settings", "picture", "palette", "totals", "output"} <= {*found}
    assert all(shown == name for shown, name in found.items())


@every
def test_it_costs_nothing_when_it_is_off(path: Path) -> None:
    """The module is that of the container whose debug information cannot be read."""
    words = translate.to_spirv(translate.load(path)).words
    bare = translate.load(path.read_bytes().replace(b"Microsoft C/C++", b"microsoft C/C++"))
    assert not bare.hlsl_files
    assert (words == translate.to_spirv(bare).words).all()
    module = reader.read(words.tolist())
    assert (module.strings, module.extensions) == ({}, set())
    assert {one.op_line for one in module.body} == {None}


@every
def test_damaged_debug_information_is_ignored(path: Path) -> None:
    data = bytearray(path.read_bytes())
    start = data.index(b"Microsoft C/C++")
    data[start + 40] ^= 0xFF  # the directory's size
    damaged = translate.load(bytes(data))
    assert any("debug information (SPDB) is ignored" in text for text in damaged.warnings)
    assert (damaged.hlsl_files, damaged.hlsl_entry) == ({}, None)
    module = reader.read_made(damaged, OPTIONS[0])
    assert module.texts == {"listing": translate.disassemble(damaged)}


@pytest.mark.parametrize(
    ("target", "declared"), [("vulkan1.1", True), ("vulkan1.2", True), ("vulkan1.3", False)]
)
def test_the_extension_is_declared_where_spirv_lacks_it(target: str, declared: bool) -> None:
    module = module_of(CONTAINERS[0], translate.Options(debug_info=True, target=target))
    assert ("SPV_KHR_non_semantic_info" in module.extensions) == declared
    assert reader.SET in module.sets.values()


def test_the_interface_names_required_features() -> None:
    program = translate.load(CONTAINERS[0])
    needed = translate.to_spirv(program, translate.Options(debug_info=True)).interface.features
    usual = translate.to_spirv(program).interface.features
    assert {*needed} - {*usual} == {"non_semantic_info"}
