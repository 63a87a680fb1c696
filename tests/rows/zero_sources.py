"""Zeros that only a driver may know, for `test_zero_sources`: each a few lines that compute r2.x.

A driver knows them since it forwards stores to loads, compiles sizes or constants into the code,
knows the condition in its branch, or follows bits and signs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Source:
    """Lines that compute a zero of the sign of `number` in r2.x; `after` ends their branches.

    r0.x is any float, r4.x the byte offset of the thread's dword.
    """

    lines: str
    declarations: str = ""
    after: str = ""
    number: float = 0.0
    resources: dict[str, Any] = field(default_factory=dict[str, Any])


ZEROS = np.zeros(64, np.float32)
ONES = np.ones(16, np.uint32)
ROWS = np.zeros((16, 4), np.float32)
TEXTURE = np.zeros((4, 4), np.float32)
NUMBERS = np.arange(3, 67, dtype=np.uint32)
FLOATS = NUMBERS.astype(np.float32)

SOURCES = {
    "stored to g#": Source(
        "store_raw g0.x, l(4), l(0)\nld_raw r2.x, l(4), g0.x", "dcl_tgsm_raw g0, 256"
    ),
    "stored to each thread's dword of g#": Source(
        "store_raw g0.x, r4.x, l(0)\nld_raw r2.x, r4.x, g0.x", "dcl_tgsm_raw g0, 256"
    ),
    "stored to g# in a branch": Source(
        "ult r6.x, vThreadID.x, l(20)\nif_nz r6.x\nstore_raw g0.x, r4.x, l(0)\n"
        "ld_raw r2.x, r4.x, g0.x",
        "dcl_tgsm_raw g0, 256",
        after="endif",
    ),
    "a component of a vector in g#": Source(
        "mov r6.xyzw, r0.xxxx\nmov r6.z, l(0)\n"
        "store_structured g0.xyzw, vThreadID.x, l(0), r6.xyzw\n"
        "ld_structured r6.xyzw, vThreadID.x, l(0), g0.xyzw\nmov r2.x, r6.z",
        "dcl_tgsm_structured g0, 16, 16",
    ),
    "copied in g#": Source(
        "store_raw g0.x, r4.x, l(0)\nld_raw r6.x, r4.x, g0.x\nstore_raw g1.x, r4.x, r6.x\n"
        "ld_raw r2.x, r4.x, g1.x",
        "dcl_tgsm_raw g0, 256\ndcl_tgsm_raw g1, 256",
    ),
    "an integer from g#": Source(
        "store_raw g0.x, r4.x, l(0)\nld_raw r6.x, r4.x, g0.x\nutof r2.x, r6.x",
        "dcl_tgsm_raw g0, 256",
    ),
    "one from g#, less one": Source(
        "store_raw g0.x, r4.x, l(1.0)\nld_raw r6.x, r4.x, g0.x\nadd r2.x, r6.x, l(-1.0)",
        "dcl_tgsm_raw g0, 256",
    ),
    "one of two numbers in g#": Source(
        "store_raw g0.x, l(4), l(0)\nstore_raw g0.x, l(8), l(1.0)\nld_raw r2.x, l(4), g0.x",
        "dcl_tgsm_raw g0, 256",
    ),
    "exchanged in g#": Source(
        "store_raw g0.x, r4.x, l(0)\nimm_atomic_exch r2.x, g0, r4.x, l(0x3f800000)",
        "dcl_tgsm_raw g0, 256",
    ),
    "stored to u#": Source(
        "store_raw u1.x, l(4), l(0)\nld_raw r2.x, l(4), u1.x",
        "dcl_uav_raw u1",
        resources={"u1": ZEROS},
    ),
    "stored to each thread's dword of u#": Source(
        "store_raw u1.x, r4.x, l(0)\nld_raw r2.x, r4.x, u1.x",
        "dcl_uav_raw u1",
        resources={"u1": ZEROS},
    ),
    "stored to a coherent u#": Source(
        "store_raw u1.x, r4.x, l(0)\nld_raw r2.x, r4.x, u1.x",
        "dcl_uav_raw_glc u1",
        resources={"u1": ZEROS},
    ),
    "stored to structures of u#": Source(
        "store_structured u1.xyzw, vThreadID.x, l(0), l(0,0,0,0)\n"
        "ld_structured r2.x, vThreadID.x, l(8), u1.x",
        "dcl_uav_structured u1, 16",
        resources={"u1": ROWS},
    ),
    "stored to a texture": Source(
        "store_uav_typed u1.xyzw, l(0,0,0,0), l(0,0,0,0)\n"
        "ld_uav_typed_indexable(texture2d)(float,float,float,float) r2.x, l(0,0,0,0), u1.xyzw",
        "dcl_uav_typed_texture2d (float,float,float,float) u1",
        resources={"u1": TEXTURE},
    ),
    "a component of a vector in u#": Source(
        "mov r6.xyzw, r0.xxxx\nmov r6.z, l(0)\n"
        "store_structured u1.xyzw, vThreadID.x, l(0), r6.xyzw\n"
        "ld_structured r6.xyzw, vThreadID.x, l(0), u1.xyzw\nmov r2.x, r6.z",
        "dcl_uav_structured u1, 16",
        resources={"u1": ROWS},
    ),
    "copied from u# to g#": Source(
        "store_raw u1.x, l(0), l(0)\nld_raw r6.x, l(0), u1.x\nstore_raw g0.x, l(0), r6.x\n"
        "ld_raw r2.x, l(0), g0.x",
        "dcl_uav_raw u1\ndcl_tgsm_raw g0, 256",
        resources={"u1": ZEROS},
    ),
    "a counter stored to u#": Source(
        "mov r7.x, l(0)\nloop\nuge r7.y, r7.x, l(1)\nbreakc_nz r7.y\nutof r7.z, r7.x\n"
        "store_raw u1.x, l(0), r7.z\nld_raw r2.x, l(0), u1.x",
        "dcl_uav_raw u1",
        after="iadd r7.x, r7.x, l(1)\nendloop",
        resources={"u1": ZEROS},
    ),
    "a double from u#": Source(
        "mov r6.xy, l(0,0,0,0)\nstore_raw u1.xy, l(0), r6.xy\nld_raw r6.xy, l(0), u1.xy\n"
        "dtof r2.x, r6.xy",
        "dcl_uav_raw u1",
        resources={"u1": ZEROS},
    ),
    "bits of a number in u#": Source(
        "store_raw u1.x, l(0), l(3)\nld_raw r6.x, l(0), u1.x\nand r6.x, r6.x, l(4)\n"
        "utof r2.x, r6.x",
        "dcl_uav_raw u1",
        resources={"u1": ZEROS},
    ),
    "stored to x#": Source(
        "mov x0[vThreadID.x+0].x, l(0)\nmov r2.x, x0[vThreadID.x+0].x",
        "dcl_indexableTemp x0[16], 4",
    ),
    "the mips but one": Source(
        "resinfo_indexable(texture2d)(float,float,float,float)_uint r6.x, l(0), t1.w\n"
        "iadd r6.x, r6.x, l(-1)\nutof r2.x, r6.x",
        "dcl_resource_texture2d (float,float,float,float) t1",
        resources={"t1": TEXTURE},
    ),
    "the mips but one, as floats": Source(
        "resinfo_indexable(texture2d)(float,float,float,float) r6.x, l(0), t1.w\n"
        "add r2.x, r6.x, l(-1.0)",
        "dcl_resource_texture2d (float,float,float,float) t1",
        resources={"t1": TEXTURE},
    ),
    "the lacking extent of a texture": Source(
        "resinfo_indexable(texture2d)(float,float,float,float) r2.x, l(0), t1.z",
        "dcl_resource_texture2d (float,float,float,float) t1",
        resources={"t1": TEXTURE},
    ),
    "the lacking extent of a 1D texture": Source(
        "resinfo_indexable(texture1d)(float,float,float,float) r2.x, l(0), t1.y",
        "dcl_resource_texture1d (float,float,float,float) t1",
        resources={"t1": TEXTURE[0]},
    ),
    "the extent of a lacking mip": Source(
        "resinfo_indexable(texture2d)(float,float,float,float) r2.x, l(5), t1.x",
        "dcl_resource_texture2d (float,float,float,float) t1",
        resources={"t1": TEXTURE},
    ),
    "the extent of a null texture": Source(
        "resinfo_indexable(texture2d)(float,float,float,float) r2.x, l(0), t1.x",
        "dcl_resource_texture2d (float,float,float,float) t1",
        resources={"t1": None},
    ),
    "the mips of a null texture": Source(
        "resinfo_indexable(texture2d)(float,float,float,float) r2.x, l(0), t1.w",
        "dcl_resource_texture2d (float,float,float,float) t1",
        resources={"t1": None},
    ),
    "the slices of a null texture": Source(
        "resinfo_indexable(texture2darray)(float,float,float,float) r2.x, l(0), t1.z",
        "dcl_resource_texture2darray (float,float,float,float) t1",
        resources={"t1": None},
    ),
    "the lacking extent of a UAV": Source(
        "resinfo_indexable(texture2d)(float,float,float,float) r2.x, l(0), u1.z",
        "dcl_uav_typed_texture2d (float,float,float,float) u1",
        resources={"u1": TEXTURE},
    ),
    "the extent of a null UAV": Source(
        "resinfo_indexable(texture2d)(float,float,float,float) r2.x, l(0), u1.x",
        "dcl_uav_typed_texture2d (float,float,float,float) u1",
        resources={"u1": None},
    ),
    "the slices of a null UAV": Source(
        "resinfo_indexable(texture2darray)(float,float,float,float) r2.x, l(0), u1.z",
        "dcl_uav_typed_texture2darray (float,float,float,float) u1",
        resources={"u1": None},
    ),
    "the samples of a null texture": Source(
        "sampleinfo r2.x, t1.x",
        "dcl_resource_texture2dms(4) (float,float,float,float) t1",
        resources={"t1": None},
    ),
    "the size of a null buffer": Source(
        "bufinfo_indexable(buffer)(float,float,float,float) r6.x, t1.x\nutof r2.x, r6.x",
        "dcl_resource_buffer (float,float,float,float) t1",
        resources={"t1": None},
    ),
    "the size of a null typed UAV": Source(
        "bufinfo_indexable(buffer)(float,float,float,float) r6.x, u1.x\nutof r2.x, r6.x",
        "dcl_uav_typed_buffer (float,float,float,float) u1",
        resources={"u1": None},
    ),
    "the structures but one": Source(
        "bufinfo_indexable(structured_buffer,stride=16)(mixed,mixed,mixed,mixed) r6.x, t1.x\n"
        "iadd r6.x, r6.x, l(-1)\nutof r2.x, r6.x",
        "dcl_resource_structured t1, 16",
        resources={"t1": ROWS[:1]},
    ),
    "the size of a null raw buffer, in a branch": Source(
        "bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r6.x, t1.x\n"
        "ult r6.y, r6.x, l(4)\nutof r2.x, r6.x\nif_nz r6.y",
        "dcl_resource_raw t1",
        after="endif",
        resources={"t1": None},
    ),
    "a texel of a null texture": Source(
        "ld_indexable(texture2d)(float,float,float,float) r2.x, l(0,0,0,0), t1.x",
        "dcl_resource_texture2d (float,float,float,float) t1",
        resources={"t1": None},
    ),
    "a sample of a null texture": Source(
        "ldms_indexable(texture2dms)(float,float,float,float) r2.x, l(0,0,0,0), t1.x, l(0)",
        "dcl_resource_texture2dms(4) (float,float,float,float) t1",
        resources={"t1": None},
    ),
    "a component that the format lacks": Source(
        "ld_indexable(texture2d)(float,float,float,float) r2.x, l(0,0,0,0), t1.y",
        "dcl_resource_texture2d (float,float,float,float) t1",
        resources={"t1": TEXTURE},
    ),
    "an integer of a null UAV": Source(
        "ld_uav_typed_indexable(texture2d)(uint,uint,uint,uint) r6.x, l(0,0,0,0), u1.x\n"
        "utof r2.x, r6.x",
        "dcl_uav_typed_texture2d (uint,uint,uint,uint) u1",
        resources={"u1": None},
    ),
    "a texel of a null UAV": Source(
        "ld_uav_typed_indexable(texture2d)(float,float,float,float) r2.x, l(0,0,0,0), u1.x",
        "dcl_uav_typed_texture2d (float,float,float,float) u1",
        resources={"u1": None},
    ),
    "an element of a null UAV": Source(
        "ld_uav_typed_indexable(buffer)(float,float,float,float) r2.x, l(0,0,0,0), u1.x",
        "dcl_uav_typed_buffer (float,float,float,float) u1",
        resources={"u1": None},
    ),
    "a dword of a null buffer": Source(
        "bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r6.x, t1.x\n"
        "ult r6.y, r6.x, l(4)\nld_raw r2.x, l(0), t1.x\nif_nz r6.y",
        "dcl_resource_raw t1",
        after="endif",
        resources={"t1": None},
    ),
    "a structure of a null buffer": Source(
        "ld_structured r2.x, l(0), l(0), t1.x",
        "dcl_resource_structured t1, 16",
        resources={"t1": None},
    ),
    "a constant buffer's integer in a branch": Source(
        "utof r2.x, cb0[0].x\nult r6.x, cb0[0].x, l(3)\nif_nz r6.x",
        "dcl_constantbuffer cb0[4], immediateIndexed",
        after="endif",
        resources={"cb0": ZEROS},
    ),
    "a loop's limit but one": Source(
        "iadd r6.z, cb0[0].x, l(-1)\nutof r2.x, r6.z\nmov r6.x, l(0)\nloop\n"
        "uge r6.y, r6.x, cb0[0].x\nbreakc_nz r6.y",
        "dcl_constantbuffer cb0[4], immediateIndexed",
        after="iadd r6.x, r6.x, l(1)\nendloop",
        resources={"cb0": ONES},
    ),
    "two masks": Source(
        "ld_raw r6.x, r4.x, t1.x\nand r6.x, r6.x, l(1)\nand r6.x, r6.x, l(2)\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "two right shifts": Source(
        "ld_raw r6.x, r4.x, t1.x\nushr r6.x, r6.x, l(16)\nushr r6.x, r6.x, l(16)\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "two left shifts": Source(
        "ld_raw r6.x, r4.x, t1.x\nishl r6.x, r6.x, l(20)\nishl r6.x, r6.x, l(12)\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a number and its complement": Source(
        "ld_raw r6.x, r4.x, t1.x\nnot r6.y, r6.x\nand r6.x, r6.x, r6.y\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a sum less its terms": Source(
        "ld_raw r6.x, r4.x, t1.x\niadd r6.y, r6.x, r6.x\niadd r6.y, r6.y, -r6.x\n"
        "iadd r6.x, r6.y, -r6.x\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a successor less its parts": Source(
        "ld_raw r6.x, r4.x, t1.x\niadd r6.y, r6.x, l(1)\niadd r6.y, r6.y, -r6.x\n"
        "iadd r6.x, r6.y, l(-1)\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a product by minus one and the number": Source(
        "ld_raw r6.x, r4.x, t1.x\nimul null, r6.y, r6.x, l(-1)\niadd r6.x, r6.x, r6.y\n"
        "utof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a magnitude below 0": Source(
        "ld_raw r6.x, r4.x, t1.x\nutof r6.x, r6.x\nlt r6.x, |r6.x|, l(0)\n"
        "and r6.x, r6.x, l(1)\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "an unsigned number below 0": Source(
        "ld_raw r6.x, r4.x, t1.x\nutof r6.x, r6.x\nlt r6.x, r6.x, l(0)\n"
        "and r6.x, r6.x, l(1)\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a square below 0": Source(
        "ld_raw r6.x, r4.x, t1.x\nmul r6.x, r0.x, r0.x\nlt r6.x, r6.x, l(0)\n"
        "and r6.x, r6.x, l(1)\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a saturated number above 1": Source(
        "ld_raw r6.x, r4.x, t1.x\nmov_sat r6.x, r0.x\nlt r6.x, l(1.0), r6.x\n"
        "and r6.x, r6.x, l(1)\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "the count of no bits": Source(
        "ld_raw r6.x, r4.x, t1.x\nushr r6.x, r6.x, l(31)\nushr r6.x, r6.x, l(1)\n"
        "countbits r6.x, r6.x\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a minimum with 0": Source(
        "ld_raw r6.x, r4.x, t1.x\nushr r6.y, r6.x, l(31)\nushr r6.y, r6.y, l(1)\n"
        "umin r6.x, r6.x, r6.y\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a product by 0": Source(
        "ld_raw r6.x, r4.x, t1.x\nand r6.y, r6.x, l(1)\nand r6.y, r6.y, l(2)\n"
        "imad r6.x, r6.x, r6.y, r6.y\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a maximum below 0": Source(
        "ld_raw r6.x, r4.x, t1.x\nimax r6.x, r6.x, l(0)\nilt r6.x, r6.x, l(0)\n"
        "and r6.x, r6.x, l(1)\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "an insertion of no bits": Source(
        "ld_raw r6.x, r4.x, t1.x\nand r6.x, r6.x, l(15)\nbfi r6.x, l(4), l(0), l(0), r6.x\n"
        "utof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a number and its copy": Source(
        "ld_raw r6.x, r4.x, t1.x\nstore_raw g0.x, r4.x, r6.x\nld_raw r6.y, r4.x, g0.x\n"
        "xor r6.x, r6.x, r6.y\nutof r2.x, r6.x",
        "dcl_resource_raw t1\ndcl_tgsm_raw g0, 256",
        resources={"t1": NUMBERS},
    ),
    "a number that differs from its copy": Source(
        "ld_raw r6.x, r4.x, t1.x\nstore_raw g0.x, r4.x, r6.x\nld_raw r6.y, r4.x, g0.x\n"
        "ine r6.x, r6.x, r6.y\nand r6.x, r6.x, l(1)\nutof r2.x, r6.x",
        "dcl_resource_raw t1\ndcl_tgsm_raw g0, 256",
        resources={"t1": NUMBERS},
    ),
    "a masked number above its mask": Source(
        "ld_raw r6.x, r4.x, t1.x\nand r6.x, r6.x, l(7)\nult r6.x, l(8), r6.x\n"
        "and r6.x, r6.x, l(1)\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "the upper bits of a thread's number": Source(
        "ld_raw r6.x, r4.x, t1.x\nushr r6.x, vThreadIDInGroup.x, l(4)\nutof r2.x, r6.x",
        "dcl_input vThreadIDInGroup.x\ndcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a mask of a magnitude below 0": Source(
        "ld_raw r6.x, r4.x, t1.x\nutof r6.x, r6.x\nlt r6.x, |r6.x|, l(0)\n"
        "and r2.x, r6.x, l(0x3f800000)",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "the sign of a masked number": Source(
        "ld_raw r6.x, r4.x, t1.x\nand r6.x, r6.x, l(0xff)\nand r2.x, r6.x, l(0x80000000)",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a negative number, saturated": Source(
        "ld_raw r6.x, r4.x, t1.x\nmov_sat r2.x, -|r0.x|",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "the fraction of an integer": Source(
        "ld_raw r6.x, r4.x, t1.x\nutof r6.x, r6.x\nfrc r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a half of no bits": Source(
        "ld_raw r6.x, r4.x, t1.x\nushr r6.x, r6.x, l(16)\nushr r6.x, r6.x, l(16)\n"
        "f16tof32 r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "no bits but the sign": Source(
        "ld_raw r6.x, r4.x, t1.x\nushr r6.x, r6.x, l(16)\nushr r6.x, r6.x, l(16)\n"
        "or r2.x, r6.x, l(0x80000000)",
        "dcl_resource_raw t1",
        number=-0.0,
        resources={"t1": NUMBERS},
    ),
    "set bits less their value": Source(
        "ld_raw r6.x, r4.x, t1.x\nor r6.x, r6.x, l(255)\nand r6.x, r6.x, l(255)\n"
        "iadd r6.x, r6.x, l(-255)\nutof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a double's magnitude below 0": Source(
        "ld_raw r6.x, r4.x, t1.x\nftod r6.zw, r6.x\ndlt r6.y, |r6.zwzw|, d(0.0l, 0.0l)\n"
        "and r2.x, r6.y, l(0x3f800000)",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a quotient by a larger number": Source(
        "ld_raw r6.x, r4.x, t1.x\nushr r6.x, r6.x, l(16)\nudiv r6.x, null, r6.x, l(0x10000)\n"
        "utof r2.x, r6.x",
        "dcl_resource_raw t1",
        resources={"t1": NUMBERS},
    ),
    "a choice by the branch's condition": Source(
        "ld_raw r6.x, r4.x, t1.x\nlt r6.y, r6.x, l(1000.0)\nmovc r2.x, r6.y, l(0), r6.x\n"
        "if_nz r6.y",
        "dcl_resource_raw t1",
        after="endif",
        resources={"t1": FLOATS},
    ),
    "a mask of the condition that failed": Source(
        "ld_raw r6.x, r4.x, t1.x\nlt r6.y, l(1000.0), r6.x\nand r2.x, r6.y, l(0x3f800000)\n"
        "if_z r6.y",
        "dcl_resource_raw t1",
        after="endif",
        resources={"t1": FLOATS},
    ),
    "a mask of the condition that did not return": Source(
        "ld_raw r6.x, r4.x, t1.x\nlt r6.y, l(1000.0), r6.x\nand r2.x, r6.y, l(0x3f800000)\n"
        "retc_nz r6.y",
        "dcl_resource_raw t1",
        resources={"t1": FLOATS},
    ),
    "a mask of the condition that did not break": Source(
        "ld_raw r6.x, l(0), t1.x\nmov r6.w, l(0)\nloop\nuge r6.y, r6.w, r6.x\n"
        "and r2.x, r6.y, l(0x3f800000)\nbreakc_nz r6.y",
        "dcl_resource_raw t1",
        after="iadd r6.w, r6.w, r6.x\nendloop",
        resources={"t1": NUMBERS},
    ),
    "a difference in the first round": Source(
        "ld_raw r6.x, r4.x, t1.x\nmov r6.y, r6.x\nmov r7.x, l(0)\nloop\n"
        "uge r7.y, r7.x, l(1)\nbreakc_nz r7.y\nxor r6.w, r6.x, r6.y\nutof r2.x, r6.w",
        "dcl_resource_raw t1",
        after="iadd r6.y, r6.y, l(5)\niadd r7.x, r7.x, l(1)\nendloop",
        resources={"t1": NUMBERS},
    ),
    "a difference of equal numbers": Source(
        "ld_raw r6.x, l(0), t1.x\nld_raw r6.z, l(4), t1.x\nieq r6.y, r6.x, r6.z\n"
        "iadd r6.w, r6.x, -r6.z\nutof r2.x, r6.w\nif_nz r6.y",
        "dcl_resource_raw t1",
        after="endif",
        resources={"t1": ZEROS},
    ),
    "a thread's number less its parts": Source(
        "imad r6.x, vThreadGroupID.x, l(10), vThreadIDInGroup.x\n"
        "iadd r6.x, vThreadID.x, -r6.x\nutof r2.x, r6.x",
        "dcl_input vThreadIDInGroup.x\ndcl_input vThreadGroupID.x",
    ),
}
