"""Arrays of resources before cs_5_1: fxc gives each element a register and a name of its own."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner

from ..commands import assert_refused, sm5vk_here

# Texture2D<float> A[4] : register(t0); SamplerState S[2] : register(s0);
# RWStructuredBuffer<float> O[3] : register(u0), of which A[2] and O[1] are not used
RESOURCES = (Path(__file__).parent / "data/arrays_before_51.txt").read_text("utf-8")
SAMPLE = (
    "sample_l_indexable(texture2d)(float,float,float,float) r0.{} l(0.5,0.5,0,0), {}, {}, l(0)\n"
)
BODY = (
    "cs_5_0\ndcl_globalFlags refactoringAllowed\n"
    + "".join(f"dcl_sampler s{n}, mode_default\n" for n in (0, 1))
    + "".join(f"dcl_resource_texture2d (float,float,float,float) t{n}\n" for n in (0, 1, 3))
    + "dcl_uav_structured u0, 4\ndcl_uav_structured u2, 4\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n"
    + SAMPLE.format("x,", "t0.xyzw", "s0")
    + SAMPLE.format("y,", "t1.yxzw", "s1")
    + SAMPLE.format("z,", "t3.yzxw", "s0")
    + "add r0.y, r0.y, r0.z\n"
    + "store_structured u0.x, l(0), l(0), r0.x\nstore_structured u2.x, l(0), l(0), r0.y\nret\n"
)


def image(*numbers: float) -> Any:
    return np.array([numbers], np.float32)


IMAGES = [image(1, 2), image(3, 6), None, image(10, 20)]
ZEROS = [np.zeros(1, np.float32) for _ in range(3)]


def everything(device: Any) -> dict[str, Any]:
    return {"A": IMAGES, "S": [device.sampler("point"), device.sampler("linear")], "O": ZEROS}


def check(result: Any) -> None:
    """Point sampling in the middle takes the right texel, linear the mean."""
    assert result.u0.tolist() == [2]
    assert result.u2.tolist() == [4.5 + 20]


@pytest.mark.parametrize("names", [("A", "S", "O"), ("t0", "s0", "u0")])
@pytest.mark.parametrize("head", [RESOURCES, ""])
def test_lists_by_name_or_first_register(device: Any, names: tuple[str, ...], head: str) -> None:
    kernel = device.kernel(head + BODY)
    given = dict(zip(names, everything(device).values(), strict=True))
    given[names[2]] = ZEROS if head else [ZEROS[0], None, ZEROS[2]]
    if head or "t0" in names:
        for _ in range(2):
            check(kernel.dispatch(1, **given))
            check(kernel.dispatch(1, bindings=given))
            check(kernel.dispatch(1, strict=False, other=None, **given))
        with device.record() as work:
            step = work.dispatch(kernel, 1, **given)
        check(work.submit().result(step))
    else:
        with pytest.raises(vkrunner.UnknownNameError, match="'A'"):
            kernel.dispatch(1, **given)


def test_an_array_whose_first_register_is_unused(device: Any) -> None:
    listing = (RESOURCES + BODY).replace("A[1]", "A[2]").replace("A[0]", "A[1]")
    listing = listing.replace("A[3]", "A[4]")
    for letter, old, new in (("t", 3, 4), ("t", 1, 2), ("t", 0, 1)):
        for end in ("\n", ".", " "):
            listing = listing.replace(f" {letter}{old}{end}", f" {letter}{new}{end}")
    kernel = device.kernel(listing)
    assert [b.name for b in kernel.interface if b.kind == "texture"] == ["A[1]", "A[2]", "A[4]"]
    samplers = everything(device)["S"]
    for name in ("A", "t0"):
        check(kernel.dispatch(1, **{name: [None, *IMAGES]}, s0=samplers, O=ZEROS))


def test_results_by_name(device: Any) -> None:
    result = device.kernel(RESOURCES + BODY).dispatch(1, **everything(device))
    first, unused, third = result["O"]
    assert (first.tolist(), unused, third.tolist()) == ([2], None, [24.5])
    assert result.O[2].tolist() == [24.5]
    assert "O" in result
    assert "A" not in result
    found = {register: array.tolist() for register, array in dict(result).items()}
    assert found == {"u0": [2], "u2": [24.5]}


def test_lists_that_do_not_fit(device: Any) -> None:
    kernel = device.kernel(RESOURCES + BODY)
    given: dict[str, Any] = {"A": IMAGES, "O": ZEROS}
    for wrong, message in (
        ({**given, "A": IMAGES[:2]}, r"missing: t3 \(A\[3\]\), a texture"),
        ({**given, "t1": None}, "t1 is given twice"),
        ({**given, "A": IMAGES[0]}, "'A' is an array of resources: pass a list"),
        ({"A[0]": None, "t1": IMAGES, "t3": None, "O": ZEROS}, r"t1 \(A\[1\]\) takes a NumPy"),
    ):
        with pytest.raises(vkrunner.ArgumentError, match=message):
            kernel.dispatch(1, bindings=wrong)


def test_lists_of_numbers_are_no_arrays(device: Any) -> None:
    """In a shader without names each number of a list might be an array of one number."""
    kernel = device.kernel(
        "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\n"
        "dcl_thread_group 1, 1, 1\nstore_raw u0.x, l(4), l(7)\nret\n"
    )
    numbers = np.arange(3, dtype=np.uint32)
    for values in (list(numbers), tuple(numbers), [numbers, numbers]):
        with pytest.raises(vkrunner.UnknownNameError, match=r"u0.*1"):
            kernel.dispatch(1, u0=values)
    assert kernel.dispatch(1, u0=[numbers, None]).u0.tolist() == [0, 7, 2]


def test_registers_of_a_range(device: Any) -> None:
    """cs_5_1: the UAVs u1 to u4; a thread writes its number into one of them."""
    kernel = device.kernel(
        "cs_5_1\ndcl_globalFlags refactoringAllowed\n"
        "dcl_uav_structured_opc U0[1:4], 4, space=2\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n"
        "imm_atomic_alloc r0.x, U0[3]\nstore_structured U0[3].x, l(0), l(0), l(7)\nret\n"
    )
    zeros = [np.zeros(1, np.uint32) for _ in range(4)]
    result = kernel.dispatch(1, u1_space2=zeros, bindings={"u1_space2.counter": [0, 1, 2, 3]})
    for key in ("u3_space2", ("u", 2, 3)):
        assert result[key].tolist() == [7]
        assert key in result
        assert result.counters[key] == 3
    assert result.u2_space2.tolist() == [0]
    assert result.counters["u", 2, 4] == 3
    assert len(result["u", 2, 1]) == 4, "the first register names the range"
    for key in ("u5_space2", "u3", ("u", 0, 3), ("t", 2, 3)):
        assert key not in result
        with pytest.raises(KeyError, match="no result"):
            result[key]
    assert list(dict(result)) == ["u1_space2"]


def test_registers_of_an_unbounded_range(device: Any) -> None:
    kernel = device.kernel(
        "cs_5_1\ndcl_globalFlags refactoringAllowed\n"
        "dcl_uav_raw U0[1:4294967295], space=0\ndcl_thread_group 1, 1, 1\n"
        "store_raw U0[2].x, l(0), l(7)\nret\n"
    )
    result = kernel.dispatch(1, u1=[np.zeros(1, np.uint32) for _ in range(2)])
    assert result.u2.tolist() == [7]
    assert "u3" not in result


@pytest.mark.parametrize("name", ["keys", "values"])
def test_uavs_called_like_methods(device: Any, name: str) -> None:
    head = RESOURCES.replace("O[0]", f"{name:4}")
    given = {**everything(device), name: ZEROS[0], "u2": ZEROS[2]}
    del given["O"]
    result = device.kernel(head + BODY).dispatch(1, bindings=given)
    assert getattr(result, name).tolist() == [2]


def test_a_buffer_for_a_texture(device: Any) -> None:
    kernel = device.kernel(RESOURCES + BODY)
    given: dict[str, Any] = {"A": IMAGES, "O": ZEROS}
    buffer = device.buffer(np.zeros(4, np.float32))
    for value in (buffer, buffer.view(format="r32_float")):
        fault = r"t0 \(A\[0\]\).*2d.*device.texture\(...\).*B"
        with pytest.raises(vkrunner.WrongTypeError, match=fault):
            kernel.dispatch(1, **{**given, "A": [value, *IMAGES[1:]]})
    texture = device.texture(IMAGES[0])
    for value in (texture, texture.view()):
        with pytest.raises(vkrunner.WrongTypeError, match=r"u0 \(O\[0\]\).*device.buffer"):
            kernel.dispatch(1, **{**given, "O": [value, *ZEROS[1:]]})


def test_command_line(tmp_path: Path) -> None:
    (tmp_path / "a.asm").write_text(RESOURCES + BODY)
    for n, array in enumerate(IMAGES):
        if array is not None:
            np.save(tmp_path / f"{n}.npy", array)
    words = "run a.asm --groups 1 --A '0.npy;1.npy;null;3.npy' --S 'point;linear' --O "
    done = sm5vk_here(f"{words} 'zeros:1:f4;zeros:1;zeros:1:f4' --save u2=out.npy", tmp_path)
    assert done.returncode == 0, done.stderr
    assert np.load(tmp_path / "out.npy").tolist() == [24.5]
    assert_refused(sm5vk_here(f"{words} zeros:1", tmp_path), "missing: u2 (O[2])")
    twice = f"{words} 'zeros:1;zeros:1;zeros:1' --t3 null"
    assert_refused(sm5vk_here(twice, tmp_path), "t3 is given twice")
