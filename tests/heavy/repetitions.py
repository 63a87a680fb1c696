"""Listings that repeat one kind of instruction or construct, each with operands of its own.

Values depend on each other, so that no compiler drops them or computes two at once.
"""

from __future__ import annotations

from collections.abc import Mapping

from .listings import (
    Family,
    exits,
    falling_cases,
    listing,
    loops_in_a_row,
    nested_loops,
    returns_in_a_row,
)

_TEMPS = 8
_TYPED = "dcl_resource_buffer (float,float,float,float) t0\n"
_TEXTURE = "dcl_resource_texture2d (float,float,float,float) t0\n"
_SAMPLED = _TEXTURE + "dcl_sampler s0, mode_default\n"
CONSTANTS = "dcl_constantbuffer CB0[4096], dynamicIndexed\n"
_SHARED, _ARRAY = "dcl_tgsm_structured g0, 16, 512\n", "dcl_indexableTemp x0[64], 4\n"
_SHARED_BYTES = "dcl_tgsm_raw g0, 8192\n"
_ICB = "dcl_immediateConstantBuffer { {1, 2, 3, 4}, {5, 6, 7, 8}, {9, 1, 2, 3} }\n"


def repeated(statement: str, declarations: str = "", end: str = "") -> Family:
    """A statement many times, with its number in the place of N, and all of r0.xyzw used.

    u0 gives the first values; `end` is what uses those that are not in r0.
    """
    loads = "".join(f"ld_raw r{i}.xyzw, l({16 * i}), u0.xyzw\n" for i in range(_TEMPS))
    end += "xor r0.xy, r0.xyxx, r0.zwzz\nxor r0.x, r0.x, r0.y\n"

    def family(count: int) -> str:
        body = "".join(statement.replace("N", str(number)) + "\n" for number in range(count))
        return listing(loads + body + end, declarations, _TEMPS)

    return family


REPETITIONS: Mapping[str, Family] = {
    "integers": repeated("imad r0.xyzw, r0.yzwx, r1.xyzw, r0.wxyz"),
    "floats": repeated("mad r0.xyzw, r0.yzwx, r1.xyzw, r0.wxyz"),
    "quotients": repeated("udiv r0.xyzw, r1.xyzw, r0.zwxy, r1.yxyx"),
    "sines": repeated("sincos r0.xyzw, r1.xyzw, r0.zwxy"),
    "halves": repeated("f32tof16 r0.xyzw, r0.yzwx"),
    "doubles": repeated("dadd r0.xyzw, r0.xyzw, r0.zwxy"),
    "quotients of doubles": repeated("ddiv r0.xyzw, r0.xyzw, r0.zwxy"),
    "exact doubles": repeated("dfma r0.xyzw, r0.xyzw, r1.xyzw, r0.zwxy"),
    "constants": repeated("iadd r0.xyzw, r0.yzwx, cb0[r0.x + N].xyzw", CONSTANTS),
    "three constants": repeated(
        "mad r0.xyzw, cb0[r0.x + N].xyzw, cb0[r0.y + 3].xyzw, cb0[r0.z + N].xyzw", CONSTANTS
    ),
    "elements of an icb": repeated("iadd r0.xyzw, r0.yzwx, icb[r0.x + 0].xyzw", _ICB),
    "loads of an array": repeated("iadd r0.xyzw, r0.yzwx, x0[r0.x + 0].xyzw", _ARRAY),
    "stores to an array": repeated(
        "mov x0[r0.x + 0].xyzw, r0.yzwx\nmov r0.x, x0[r0.y + 0].x", _ARRAY
    ),
    "loads of shared memory": repeated(
        "ld_structured r2.xyzw, r0.x, l(0), g0.xyzw\niadd r0.xyzw, r0.yzwx, r2.xyzw", _SHARED
    ),
    "stores to shared memory": repeated(
        "store_structured g0.xyzw, r0.x, l(0), r1.xyzw\niadd r0.x, r0.x, r0.y",
        _SHARED,
        "ld_structured r0.x, r0.y, l(0), g0.xxxx\n",
    ),
    "shared memory": repeated(
        "store_structured g0.x, r0.x, r0.y, r1.x\nld_structured r0.x, r0.y, r0.z, g0.x", _SHARED
    ),
    "atomics of shared memory": repeated("imm_atomic_iadd r0.x, g0, r0.x, r0.y", _SHARED_BYTES),
    "loads of a buffer": repeated("ld_raw r0.xyzw, r0.x, u0.xyzw"),
    "stores to a buffer": repeated("store_raw u0.xyzw, r0.x, r1.xyzw\niadd r0.x, r0.y, r0.x"),
    "atomics": repeated("imm_atomic_iadd r0.x, u0, r0.x, r0.y"),
    "typed loads": repeated("ld r0.xyzw, r0.xyzw, t0.xyzw", _TYPED),
    "texel fetches": repeated("ld r0.xyzw, r0.xyzw, t0.xyzw", _TEXTURE),
    "samples": repeated("sample_l r0.xyzw, r0.xyxx, t0.xyzw, s0, r0.z", _SAMPLED),
    "gathers": repeated("gather4 r0.xyzw, r0.xyxx, t0.xyzw, s0.x", _SAMPLED),
    "barriers": repeated("sync_g_t"),
    "conditions": repeated("if_nz r0.x\nadd r0.xyzw, r0.yzwx, r1.xyzw\nendif"),
    "loops": loops_in_a_row,
    "nested loops": nested_loops,
    "returns": returns_in_a_row,
    "exits of a loop": lambda count: exits(count, 20),
    "cases": lambda count: falling_cases(count, 20),
}
