"""`Options.push_constants`: constant buffers that the host pushes, with D3D's results.

Source: FS §7.5; Vulkan specification, "Push Constant Interface" (VUID-RuntimeSpirv-None-04745).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from translate.interface import interface_table
from translate.options import GUARDS, TARGETS
from vkrunner.report.explanation import binding_row

from .test_sizes import DECLARED, INDICES, RESULTS, data, expected, outside, shader

HERE = Path(__file__).parent
SHADERS = sorted((HERE.parents[1] / "shaders").glob("*.dxbc"))
BYTES = 16 * DECLARED
CB0 = {"cb0": BYTES}
# cb0[i] + cb1[1].yyyy, with a computed index and a constant one
TWO = shader(declared="CB0[4], dynamicIndexed; CB1[2], immediateIndexed").replace(
    "imad r2.x", "iadd r1.xyzw, r1.xyzw, cb1[1].yyyy\nimad r2.x"
)


def translated(text: str, pushed: Mapping[str, int], **options: Any) -> translate.SpirvModule:
    program = translate.load(text)
    chosen = translate.Options(push_constants=pushed, validate=True, **options)
    return translate.to_spirv(program, chosen)


def has_block(module: translate.SpirvModule) -> bool:
    return " PushConstant" in module.text()


def offsets(module: translate.SpirvModule) -> dict[str, int | None]:
    return {b.register: b.push_offset for b in module.interface if b.kind == "constant_buffer"}


# --- results ------------------------------------------------------------------------------------


@pytest.mark.parametrize("guards", ["d3d", "report"])
@pytest.mark.parametrize("count", [1, 3, 4, 5, 9, 4096])
def test_computed_indices(device: Any, count: int, guards: str) -> None:
    """Those past the end give 0; a larger buffer than fits is bound by its descriptor."""
    kernel = device.kernel(shader(), guards=guards, push_constants={"cb0": 128})
    assert kernel.interface["cb0"].push_offset == 0
    for contents in (data(count), data(count, 1000), data(count).tobytes()):
        found = kernel.dispatch(len(INDICES), t0=INDICES, u0=RESULTS, cb0=contents)
        given = np.frombuffer(contents, np.uint32).reshape(-1, 4)
        assert found.u0.tolist() == expected(given).tolist()
        if guards == "report":
            assert found.violations.total == outside(max(count, DECLARED))


@pytest.mark.parametrize("guards", ["robustness2", "off"])
@pytest.mark.parametrize("read", ["cb0[r0.x + 0]", "cb0[4]"])
def test_past_the_end_unguarded(vulkan_device: vkrunner.Device, read: str, guards: Any) -> None:
    """The choice from the elements gives 0, whatever the guards leave out; so does a constant."""
    made = translated(shader(read), CB0, guards=guards)
    features = vulkan_device.info.features
    if all(getattr(features, name) for name in made.interface.features):
        kernel = vulkan_device.kernel(made)
        found = kernel.dispatch(len(INDICES), t0=INDICES, u0=RESULTS, cb0=data(4)).u0
        wanted = expected(data(4)) if "r0" in read else RESULTS
        assert found.tolist() == wanted.tolist()


@pytest.mark.parametrize(
    "pushed",
    [{}, CB0, {"cb1": 32}, {**CB0, "cb1": 32}, {"cb0": BYTES - 1, "cb1": 31}],
    ids=lambda pushed: "-".join(pushed) or "none",
)
def test_two_buffers(device: Any, pushed: dict[str, int]) -> None:
    """Each dispatch has its own constants, also one that repeats a recorded dispatch."""
    kernel = device.kernel(TWO, push_constants=pushed)
    for first in (1, 50, 900):
        given = {"cb0": data(4, first), "cb1": data(2, first)}
        found = kernel.dispatch(len(INDICES), t0=INDICES, u0=RESULTS, **given).u0
        assert found.tolist() == (expected(given["cb0"]) + first + 5).tolist()
    assert not kernel.dispatch(len(INDICES), t0=INDICES, u0=RESULTS, cb0=None, cb1=None).u0.any()


def test_recordings_and_futures(device: Any) -> None:
    kernel = device.kernel(TWO, push_constants={**CB0, "cb1": 32})
    given = {"cb0": data(4), "cb1": data(2)}
    results, others = device.buffer(RESULTS), device.buffer(RESULTS)
    with device.record() as recording:
        first = recording.dispatch(kernel, len(INDICES), t0=INDICES, u0=results, **given)
        recording.dispatch(kernel, len(INDICES), t0=INDICES, u0=others, **given)
    for start in (1, 7, None, 30):
        changed = {} if start is None else {first: {"cb0": data(4, start)}}
        recording.submit(changed).wait()
        wanted = expected(data(4, start or 1)) + 6
        assert results.read().reshape(-1, 4).tolist() == wanted.tolist()
        assert others.read().reshape(-1, 4).tolist() == (expected(data(4)) + 6).tolist()
    futures = [
        kernel.dispatch_async(len(INDICES), t0=INDICES, u0=RESULTS, **given | {"cb0": data(4, n)})
        for n in range(5)
    ]
    for n, future in enumerate(futures):
        assert future.result().u0.tolist() == (expected(data(4, n)) + 6).tolist()


def test_view_ranges_come_first(vulkan_device: vkrunner.Device) -> None:
    kernel = vulkan_device.kernel(TWO, push_constants={**CB0, "cb1": 32}, windows={"t0", "u0"})
    assert [b.push_offset for b in kernel.interface if b.push_offset is not None] == [16, 80]
    assert kernel.interface.push_bytes == 112
    indices = vulkan_device.buffer(np.concatenate([INDICES[:1], INDICES]))
    view = indices.view(first_element=1)
    found = kernel.dispatch(len(INDICES), t0=view, u0=RESULTS, cb0=data(4), cb1=data(2)).u0
    assert found.tolist() == (expected(data(4)) + 6).tolist()


def test_spaces(device: Any) -> None:
    """A range of several buffers keeps its descriptors; names stand for registers."""
    path = HERE / "buffers_51.dxbc"
    given = {"one": np.arange(20), "several": [np.arange(100, 120), np.arange(200, 220)]}
    values = {
        name: [one.astype(np.uint32) for one in value] if name == "several" else value.astype("u4")
        for name, value in given.items()
    }
    plain, pushed = (
        device.kernel(path, push_constants=chosen) for chosen in ({}, {"one": 256, "several": 512})
    )
    assert pushed.interface["one"].descriptor_type == "push_constants"
    assert pushed.interface["several"].descriptor_type == "uniform_buffer"
    found = [
        k.dispatch(1, written=np.zeros(64, np.uint32), **values).written for k in (plain, pushed)
    ]
    assert found[0].any()
    assert found[0].tolist() == found[1].tolist()


def test_a_buffer_on_the_device(vulkan_device: vkrunner.Device) -> None:
    kernel = vulkan_device.kernel(shader(), push_constants={"cb0": 128})
    for count, fits in ((4, True), (9, False)):
        given = {"t0": INDICES, "u0": RESULTS, "cb0": vulkan_device.buffer(data(count))}
        if fits:
            with pytest.raises(vkrunner.ArgumentError, match=r"cb0 .*Options\.push_constants"):
                kernel.dispatch(len(INDICES), **given)
        else:
            found = kernel.dispatch(len(INDICES), **given).u0
            assert found.tolist() == expected(data(count)).tolist()


def test_more_than_the_device_has(vulkan_device: vkrunner.Device) -> None:
    text = shader("cb0[0]", "CB0[4096], immediateIndexed")
    with pytest.raises(vkrunner.LimitError, match=r"65536 bytes of push constants.*push_constants"):
        vulkan_device.kernel(text, push_constants={"cb0": 1 << 16})


# --- modules ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SHADERS, ids=lambda path: path.stem)
def test_modules_are_valid(path: Path) -> None:
    """Of every target and guard; the interface says which buffers are pushed."""
    program = translate.load(path)
    for target in TARGETS:
        for guards in GUARDS:
            made = translate.to_spirv(
                program,
                translate.Options(
                    push_constants={"cb0": 128, "cb1": 128},
                    target=target,
                    guards=guards,
                    debug_info=True,
                    validate=True,
                ),
            )
            small = [
                b for b in made.interface
                if b.kind == "constant_buffer" and (b.size_bytes or 0) <= 128
            ]  # fmt: skip
            assert all(b.push_offset is not None for b in small)
            assert has_block(made) is bool(small)


def test_the_interface() -> None:
    module = translated(TWO, {"cb1": 32})
    rows = {row["register"]: row for row in json.loads(module.interface.to_json())["bindings"]}
    assert rows["cb1"] == {
        "register": "cb1", "kind": "constant_buffer", "descriptor_type": "push_constants",
        "read": True, "written": False, "atomic": False, "size_bytes": 32, "count": 1,
        "push_offset": 0,
    }  # fmt: skip
    assert rows["cb0"]["set"] == rows["cb0"]["binding"] == 0
    assert module.interface.push_bytes == 32
    assert "cb1 constant buffer 32 bytes (push constants from byte 0)" in str(module.interface)
    assert ">push constants from byte 0</td>" in interface_table(module.interface)
    row = binding_row(module.interface["cb1"])
    assert (row["place"], row["descriptor"]) == ("push constants from byte 0", "")


def test_a_buffer_that_does_not_fit() -> None:
    """It keeps its descriptor, where `bindings` places it; so does one of unknown size."""
    for text, most in ((shader(), BYTES - 1), (shader(declared="CB0[0], dynamicIndexed"), 4096)):
        module = translated(text, {"cb0": most}, bindings={"cb0": (3, 4)})
        assert (module.interface["cb0"].set, module.interface["cb0"].binding) == (3, 4)
        assert not has_block(module)
    assert offsets(translated(shader(), CB0, bindings={"cb0": (3, 4)})) == {"cb0": 0}
    assert offsets(translated(shader(), {"cb0": 128}, constant_lengths={"cb0": 9})) == {"cb0": None}


def test_registers_that_a_shader_lacks_change_nothing() -> None:
    plain = translated(shader(), {})
    for pushed in ({"cb7": 128}, {"cb0": 0}, {"Unknown": 64}):
        assert translated(shader(), pushed).to_bytes() == plain.to_bytes()


def test_only_constant_buffers_are_pushed() -> None:
    with pytest.raises(
        translate.OptionError, match="t0 cannot be push constants: it is no constant"
    ):
        translated(shader(), {"t0": 128})


def test_a_choice_from_too_many_elements() -> None:
    text = shader(declared="CB0[4096], dynamicIndexed")
    with pytest.raises(
        translate.UnsupportedError, match=r"12288 operations.*max_instructions=9000"
    ):
        translated(text, {"cb0": 1 << 16}, max_instructions=9000)
