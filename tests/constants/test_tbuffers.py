"""`tbuffer` and `TextureBuffer<T>`: variables in typed buffers, whose texels fxc loads as bits."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from vkrunner.__main__ import main

DATA = Path(__file__).parents[1] / "unit" / "vkrunner" / "data"
TBUFFERS = DATA / "tbuffers.dxbc"
VALUES = np.arange(8, dtype=np.float32).reshape(2, 4) - 3.5
NAN = 0x7FC12345
TABLE = {"values": VALUES, "shift": -3, "bits": 0x3F800000, "last": 2.5}


def step(count: int) -> dict[str, Any]:
    """The variables of a `Step`."""
    way, marks = [1, 2, count + 0.5], [abs(count) + 7, 2**32 - 128]
    return {"count": count, "way": way, "marks": marks, "turn": [[1, 2, 3], [4, 5, count / 8]]}


def seen(device: Any, table: Any, steps: Any) -> Any:
    kernel = device.kernel(TBUFFERS)
    return kernel.dispatch(1, Table=table, steps=steps, o=np.zeros((8, 4), np.float32)).o


def expected(table: dict[str, Any], steps: list[dict[str, Any]]) -> Any:
    bits = np.array([table["bits"]], np.uint32).view(np.float32)[0]
    first = [table["values"][i & 1] + np.float32([table["shift"], bits, table["last"], 0])
             for i in range(4)]  # fmt: skip
    chosen = [steps[i & 1] for i in range(4)]
    then = [[s["count"], s["way"][2], s["marks"][i >> 1], s["turn"][1][2]]
            for i, s in enumerate(chosen)]  # fmt: skip
    return np.array([*first, *then], np.float32)


def packed(table: dict[str, Any]) -> Any:
    """The table's dwords by HLSL's rules."""
    made = np.zeros(12, np.uint32)
    made[:8] = table["values"].view(np.uint32).ravel()
    made[8:10] = table["shift"] & 0xFFFFFFFF, table["bits"]
    made[10:11] = np.array([table["last"]], np.float32).view(np.uint32)
    return made


def test_variables_by_name(device: Any) -> None:
    steps = [step(10), step(-20)]
    np.testing.assert_array_equal(seen(device, TABLE, steps), expected(TABLE, steps))


@pytest.mark.parametrize("form", ["bytes", "array", "structure", "buffer", "view"])
def test_other_forms(device: Any, form: str) -> None:
    steps, data = [step(3), step(4)], packed(TABLE)
    forms: dict[str, Any] = {
        "bytes": lambda: data.tobytes(),
        "array": lambda: data,
        "structure": lambda: data.view(device.kernel(TBUFFERS).interface["t0"].dtype),
        "buffer": lambda: device.buffer(data),
        "view": lambda: device.buffer(data).view(format="r32g32b32a32_uint"),
    }
    np.testing.assert_array_equal(seen(device, forms[form](), steps), expected(TABLE, steps))


def test_past_the_end_and_null(device: Any) -> None:
    """Loads give 0; a buffer may be shorter than the variables."""
    found = seen(device, VALUES[:1].tobytes(), [None, step(-20)])
    wanted = expected({**TABLE, "values": np.vstack([VALUES[0], VALUES[0] * 0]), "shift": 0,
                       "bits": 0, "last": 0}, [step(0), step(-20)])  # fmt: skip
    wanted[[4, 6]] = 0
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    ("value", "mention"),
    [
        (np.zeros((3, 4)), "a dict of values, shift, bits, last"),
        ({"nope": 1}, "no variable 'nope'"),
        (object(), "a dict of values"),
    ],
)
def test_what_does_not_fit(device: Any, value: Any, mention: str) -> None:
    with pytest.raises(vkrunner.ArgumentError, match=mention):
        seen(device, value, [step(0), step(0)])


def test_another_format(device: Any) -> None:
    buffer = device.buffer(np.zeros(16, np.float32))
    with pytest.raises(vkrunner.FormatError, match="is read as uint"):
        seen(device, buffer.view(format="r32g32b32a32_float"), [step(0), step(0)])


def test_the_interface(device: Any) -> None:
    table, steps = (device.kernel(TBUFFERS).interface[name] for name in ("Table", "steps"))
    assert [c.name for c in table.constants] == ["values", "shift", "bits", "last"]
    assert [c.name for c in steps.constants] == ["count", "way", "marks", "turn"]
    for binding in (table, steps):
        assert (binding.kind, binding.format) == ("typed_buffer", "r32g32b32a32_uint")
        assert binding.vk_format == "VK_FORMAT_R32G32B32A32_UINT"


def test_on_the_command_line(device: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(TBUFFERS)]) == 0
    assert "--Table values=0:0:0:0:0:0:0:0,shift=0,bits=0,last=0" in capsys.readouterr().out
    words = ["--Table", "values=1:2:3:4:0:0:0:0,shift=1,bits=0,last=0.5", "--steps", "zeros;null"]
    words += ["--o", "zeros:8", "--groups", "1", "--device", device.name]
    assert main(["run", str(TBUFFERS), *words]) == 0
    assert "2.0 2.0 3.5 4.0 1.0 0.0 0.5 0.0" in capsys.readouterr().out


def test_mixed_is_only_for_tbuffers() -> None:
    head = "cs_5_0\ndcl_resource_texture2d (mixed,mixed,mixed,mixed) t0\n"
    text = f"{head}dcl_uav_raw u0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\nret\n"
    with pytest.raises(translate.UnsupportedError, match="mixed"):
        translate.to_spirv(translate.load(text))
