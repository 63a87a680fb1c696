"""The kernels that read sizes from tables, depending on a device's known faults."""

import dataclasses
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from checks.driver import Driver, has_another_name, renaming
from tests.conftest import needs
from translate.spirv.grammar import Decoration, Op
from vkrunner.vulkan.loader import vk

from ....corpus.spirv_words import instructions

COPY_OBJECT = 83  # OpCopyObject
FAULTS = {
    "array_length_non_uniform": "storage_buffer_non_uniform_indexing",
    "array_length_in_branch": "storage_buffer_dynamic_indexing",
}

# Thread 2 and later ones name the last buffer; earlier ones name the first, or none.
LISTING = (Path(__file__).parent / "data/size_tables.asm").read_text("utf-8")
SHADERS = {
    "array_length_non_uniform": LISTING.format(before="", after=" { nonuniform }", end=""),
    "array_length_in_branch": LISTING.format(before="if_nz r0.x", after="", end="endif"),
}
SIZES_RIGHT = {
    "array_length_non_uniform": [3] * 2 + [5] * 6,
    "array_length_in_branch": [7] * 2 + [5] * 6,
}


def sizes_seen(kernel: Any) -> list[int]:
    buffers = [np.zeros(n, np.uint32) for n in (3, 9, 5)]
    return kernel.dispatch(1, t0=buffers, u0=np.zeros(8, np.uint32))["u0"].tolist()


def has_tables(translated: Any) -> bool:
    """Whether a kernel or a module has tables of sizes."""
    return any(table.kind == "sizes" for table in translated.interface.tables)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_device_has_the_faults_that_shaders_show(device: Any, fault: str) -> None:
    """Its own kernels get the sizes right all the same.

    A module that asks a NonUniform pointer for a size ends the process on SwiftShader: none is run.
    """
    kernel = device.kernel(SHADERS[fault], optimize=False)
    assert sizes_seen(kernel) == SIZES_RIGHT[fault]
    has_feature = getattr(device.features, FAULTS[fault])
    has_fault = fault in device.faults or "array_length_in_branch" in device.faults
    assert has_tables(kernel) == (has_feature and has_fault)
    if fault == "array_length_in_branch":
        bare: Any = {"size_tables": "none", "workarounds": ()}
        kernel = device.kernel(SHADERS[fault], optimize=False, **bare)
        assert (sizes_seen(kernel) != SIZES_RIGHT[fault]) == (fault in device.faults)


def with_sizes(words: list[int], size: int) -> list[int]:
    """A module in which every OpArrayLength gives this number."""
    rows, constant = instructions(words), words[3]  # the first unused id
    kind = next(row[1] for row in rows if row[0] == Op.ArrayLength)
    first_function = next(at for at, row in enumerate(rows) if row[0] == Op.Function)
    rows.insert(first_function, (Op.Constant, kind, constant, size))
    made = [*words[:3], constant + 1, words[4]]
    for row in rows:
        if row[0] == Op.ArrayLength:
            row = (COPY_OBJECT, *row[1:3], constant)
        made += [len(row) << 16 | row[0], *row[1:]]
    return made


def play_faults(driver: Driver, *names: str) -> None:
    """A driver whose OpArrayLength is right or wrong, with and without NonUniform."""

    def create(function: Callable[..., int], handle: Any, info: Any, *rest: Any) -> int:
        words = [*info.pCode[0 : info.codeSize // 4]]
        rows = instructions(words)
        if any(row[0] == Op.ArrayLength for row in rows):
            decorations = [row[2] for row in rows if row[0] == Op.Decorate]
            fault = [*FAULTS][Decoration.NonUniform not in decorations]
            # The probes get 2 for their buffer where the driver is right
            code = vk.ffi().new("uint32_t[]", with_sizes(words, 1 if fault in names else 2))
            info.pCode, info.codeSize = code, 4 * len(code)
        return function(handle, info, *rest)

    driver.replace("vkCreateShaderModule", create)


@pytest.fixture
def pretend(device: Any, driver: Driver, play_in_children: Any) -> Iterator[Callable[..., Any]]:
    """Opens a device that shows these faults to the probes, and none afterwards."""
    with ExitStack() as opened:

        def faults(*names: str) -> Any:
            driver.replace("vkGetPhysicalDeviceProperties", has_another_name)
            driver.replace("vkGetPhysicalDeviceProperties2", renaming(b"new"))
            play_in_children(play_faults, *names)
            own = opened.enter_context(vkrunner.open_device(device.info.index))
            expected = [n for n in FAULTS if n in names and getattr(own.features, FAULTS[n])]
            assert [name for name in own.faults if name in FAULTS] == expected
            driver.restore()
            return own

        yield faults


@pytest.mark.parametrize("shader", FAULTS)
@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        ((), []),
        (("array_length_non_uniform",), ["array_length_non_uniform"]),
        (("array_length_in_branch",), list(FAULTS)),
        (tuple(FAULTS), list(FAULTS)),
    ],
)
def test_tables_are_used_where_a_fault_is_met(
    device: Any, pretend: Any, shader: str, faults: tuple[str, ...], expected: list[str]
) -> None:
    own, text = pretend(*faults), SHADERS[shader]
    module = translate.to_spirv(translate.load(text), vkrunner.options_for(own, text))
    has_feature = getattr(device.features, FAULTS[shader])
    assert has_tables(module) == (has_feature and shader in expected)
    if shader in expected:
        assert has_tables(own.kernel(text)) == has_feature


@pytest.mark.parametrize("size_tables", ["none", "dynamic"])
def test_an_explicit_choice_is_used(device: Any, pretend: Any, size_tables: str) -> None:
    own = pretend(*FAULTS)
    kernel = own.kernel(SHADERS["array_length_in_branch"], size_tables=size_tables)
    has_feature = getattr(device.features, FAULTS["array_length_in_branch"])
    assert has_tables(kernel) == (has_feature and size_tables == "dynamic")


@pytest.mark.parametrize("shader", FAULTS)
def test_finished_modules(device: Any, pretend: Any, shader: str) -> None:
    """A module without tables is refused if the device computes wrong sizes.

    The one that is accepted loads only in bounds, and asks for no size.
    """
    program = translate.load(SHADERS[shader])
    cured = translate.Options(workarounds=frozenset({"range_index_in_branch"}))
    plain = translate.to_spirv(program, cured)
    tabled = translate.to_spirv(program, dataclasses.replace(cured, size_tables="dynamic"))
    own = pretend(*FAULTS)
    with pytest.raises(vkrunner.FeatureError, match=r"Options\(size_tables='dynamic'\)"):
        own.kernel(plain)
    with needs(device, FAULTS[shader]):
        kernel = own.kernel(tabled)
        assert sizes_seen(kernel) == SIZES_RIGHT[shader]
        with pytest.raises(vkrunner.UnknownNameError, match=r"has t0, u0; it"):  # no tables
            kernel.dispatch(1, bindings={"tables": np.zeros(3, np.uint32)})
    without_sizes = re.sub("bufinfo .*", "mov r0.y, l(0)", SHADERS[shader])
    unchecked = dataclasses.replace(cured, guards="off")
    loads = translate.to_spirv(translate.load(without_sizes), unchecked)
    with pytest.raises(vkrunner.FeatureError, match=r"Options\(size_tables='dynamic'\)"):
        own.kernel(loads)
    with needs(device, FAULTS[shader]):
        assert not has_tables(pretend().kernel(loads))
