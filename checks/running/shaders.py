"""Small listings for the tests of this folder; a group of one thread for each element."""

from __future__ import annotations

import vkrunner


def listing(lines: str) -> str:
    """A shader of these lines, with three registers and the thread's place, in groups of one."""
    head = "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input vThreadID.xyz\ndcl_temps 3"
    group = "" if "dcl_thread_group" in lines else "\ndcl_thread_group 1, 1, 1"
    return f"{head}{group}{lines}ret\n"


# u0[0] = 1, and a shader test of it
ONE = "cs_5_0\ndcl_uav_raw u0\ndcl_thread_group 1, 1, 1\nstore_raw u0.x, l(0), l(1)\nret\n"
ONE_TEST = f"[shader]\n{ONE}[uav 0]\n0\n[test]\ndispatch 1 1 1\nprobe uav 0 all 1\n"

# u0[i] += cb0[0].x
ADD = listing("""
dcl_constantbuffer CB0[1], immediateIndexed
dcl_uav_structured u0, 4
ld_structured r0.x, vThreadID.x, l(0), u0.xxxx
iadd r0.x, r0.x, cb0[0].x
store_structured u0.x, vThreadID.x, l(0), r0.x
""")

# u0[i] = t0[i] * 3 + 1
NEXT = listing("""
dcl_resource_structured t0, 4
dcl_uav_structured u0, 4
ld_structured r0.x, vThreadID.x, l(0), t0.xxxx
imad r0.x, r0.x, l(3), l(1)
store_structured u0.x, vThreadID.x, l(0), r0.x
""")

# u0.append(i)
APPEND = listing("""
dcl_uav_structured_opc u0, 4
imm_atomic_alloc r0.x, u0
store_structured u0.x, r0.x, l(0), vThreadID.x
""")

# u0[y, x] = t0[y, x] + 1
NEXT_TEXEL = listing("""
dcl_resource_texture2d (uint,uint,uint,uint) t0
dcl_uav_typed_texture2d (uint,uint,uint,uint) u0
mov r0.xy, vThreadID.xyxx
mov r0.zw, l(0,0,0,0)
ld_indexable(texture2d)(uint,uint,uint,uint) r1.xyzw, r0.xyzw, t0.xyzw
iadd r1.xyzw, r1.xyzw, l(1, 1, 1, 1)
store_uav_typed u0.xyzw, r0.xyyy, r1.xyzw
""")

TYPED = listing("""
dcl_uav_typed_buffer (uint,uint,uint,uint) u0
store_uav_typed u0.xyzw, vThreadID.xxxx, l(3, 3, 3, 3)
""")

SAMPLED = listing("""
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_uav_raw u0
sample_l_indexable(texture2d)(float,float,float,float) r0.x, vThreadID.xxxx, t0.xyzw, s0, l(0.0)
store_raw u0.x, l(0), r0.x
""")

# u0[0] = a number that is multiplied cb0[0].x times
SPIN = listing("""
dcl_constantbuffer CB0[1], immediateIndexed
dcl_uav_structured u0, 4
dcl_thread_group 64, 1, 1
mov r0.xy, l(0,1,0,0)
loop
  uge r0.z, r0.x, cb0[0].x
  breakc_nz r0.z
  imad r0.y, r0.y, l(1664525), l(1013904223)
  iadd r0.x, r0.x, l(1)
endloop
store_structured u0.x, l(0), l(0), r0.y
""")


def spun(count: int) -> int:
    """The result of SPIN: each bit of the count applies x -> x * factor + term 2^bit times."""
    state, factor, term = 1, 1664525, 1013904223
    while count:
        if count & 1:
            state = (state * factor + term) % 2**32
        factor, term = factor * factor % 2**32, (factor + 1) * term % 2**32
        count >>= 1
    return state


def slow(device: vkrunner.Device, count: int) -> int:
    """Iterations of SPIN: `count` on a processor, where drivers limit loops; more on a GPU."""
    return count if device.info.type == "cpu" else 1000 * count
