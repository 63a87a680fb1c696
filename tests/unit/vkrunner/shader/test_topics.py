"""The parts of shaders that faults of drivers may concern."""

from pathlib import Path

import pytest

import translate
from vkrunner.shader.shader import Shader, topics_of

SHADERS = Path(__file__).parents[4] / "shaders"
ALWAYS = {"buffers", "floats"}
HEAD = {
    "cs_5_0": "dcl_uav_raw u0\ndcl_temps 2\ndcl_thread_group 4, 1, 1\n",
    "cs_5_1": "dcl_uav_raw U0[0:3], space=0\ndcl_uav_raw U9[9:9], space=0\ndcl_input vThreadID.x\n"
    "dcl_temps 2\ndcl_thread_group 4, 1, 1\n",
}
UINT = "(uint,uint,uint,uint)"
CASES: dict[str, tuple[str, str, set[str]]] = {
    "none": ("cs_5_0", "store_raw u0.x, l(0), l(1)\n", set()),
    "a loop": ("cs_5_0", "loop\nbreak\nendloop\n", {"loops"}),
    "a maximum": ("cs_5_0", "max r0.x, r0.y, l(1.0)\n", {"minima"}),
    "a conversion to a half": ("cs_5_0", "f32tof16 r0.x, r0.y\n", {"halves"}),
    "a conversion from a half": ("cs_5_0", "f16tof32 r0.x, r0.y\n", {"halves"}),
    "a conversion of an integer": ("cs_5_0", "utof r0.x, r0.y\n", {"integers"}),
    "a power": ("cs_5_0", "exp r0.x, r0.y\n", {"powers"}),
    "a logarithm": ("cs_5_0", "log r0.x, r0.y\n", {"powers"}),
    "a sine": ("cs_5_0", "sincos r0.x, null, r0.y\n", {"sines"}),
    "a minimum of doubles": ("cs_5_0", "dmin r0.xy, r1.xyxy, r1.zwzw\n", {"minima"}),
    "minima of integers": ("cs_5_0", "imin r0.x, r0.y, l(1)\numax r0.x, r0.y, l(1)\n", set()),
    "a barrier": ("cs_5_0", "sync_g_t\n", {"barriers"}),
    "a fence": ("cs_5_0", "sync_uglobal\n", {"barriers"}),
    "a texture": ("cs_5_0", f"dcl_resource_texture2d {UINT} t0\n", {"textures"}),
    "a texture UAV": ("cs_5_0", f"dcl_uav_typed_texture3d {UINT} u1\n", {"textures"}),
    "a multisampled texture": ("cs_5_0", f"dcl_resource_texture2dms(4) {UINT} t0\n", {"textures"}),
    "a typed buffer": (
        "cs_5_0",
        f"dcl_resource_buffer {UINT} t0\ndcl_uav_typed_buffer {UINT} u1\n",
        set(),
    ),
    "a range": ("cs_5_1", "store_raw U0[2].x, l(0), l(1)\n", set()),
    "an indexed range": ("cs_5_1", "store_raw U0[vThreadID.x + 0].x, l(0), l(1)\n", {"ranges"}),
    "an index in a register": ("cs_5_0", "mov r0.x, l(0)\nstore_raw u0.x, r0.x, l(1)\n", set()),
}


@pytest.mark.parametrize("name", CASES)
def test_topics(name: str) -> None:
    profile, text, expected = CASES[name]
    declared = text if text.startswith("dcl_") else ""
    body = "" if declared else text
    program = translate.load(f"{profile}\n{declared}{HEAD[profile]}{body}ret\n")
    assert topics_of(program) == ALWAYS | expected


def test_interfaces_select_resources() -> None:
    """Calls of an interface's functions read the constant buffers and textures of its instance."""
    path = Path(__file__).parents[3] / "unit/asm/data/interfaces.asm"
    assert "ranges" in topics_of(translate.load(path))


def test_the_cache_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SM5VK_CACHE", "1")
    monkeypatch.setenv("SM5VK_CACHE_DIR", str(tmp_path))
    path = SHADERS / "saxpy.dxbc"
    first, second = (Shader(path).topics(strict=False) for _ in range(2))
    assert first == second == topics_of(translate.load(path))
