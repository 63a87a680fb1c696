"""Small shader tests, run on the reference machine without a file."""

from __future__ import annotations

from pathlib import Path

import vkrunner
from vkrunner.shadertest.cases import ShaderTest
from vkrunner.shadertest.execute import run_case
from vkrunner.shadertest.file_reader import read_text
from vkrunner.shadertest.outcome import Outcome

# One thread copies t0 to u0, dword by dword.
COPY = """[shader]
cs_5_0
dcl_resource_raw t0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 1, 1, 1
ishl r0.x, vThreadID.x, l(2)
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.y, r0.x, t0.xxxx
store_raw u0.x, r0.x, r0.y
ret
"""
# Threads 2 and 3 of 4 store outside of two dwords.
VIOLATES = """[shader]
guards report
cs_5_0
dcl_uav_raw u0
dcl_thread_group 4, 1, 1
dcl_input vThreadID.x
dcl_temps 1
ishl r0.x, vThreadID.x, l(2)
store_raw u0.x, r0.x, l(1)
ret
[uav 0]
0 0
[test]
dispatch 1 1 1
"""
# A structure with names, as in the compiler's comment.
STRUCTURED = """[shader]
//
// Buffer Definitions:
//
// Resource bind info for things
// {
//
//   struct Thing
//   {
//
//       float2 position;               // Offset:    0
//       int3 tags;                     // Offset:    8
//
//   } $Element;                        // Offset:    0 Size:    20
//
// }
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// things                                UAV  struct         r/w             u0      1
//
cs_5_0
dcl_uav_structured u0, 20
dcl_thread_group 1, 1, 1
ret
"""


def read(text: str, name: str = "a.shader_test") -> ShaderTest:
    return read_text(text, Path(name), name)


def outcomes(device: vkrunner.Device, text: str) -> list[Outcome]:
    return [run_case(device, case) for case in read(text).cases]


def outcome(device: vkrunner.Device, text: str) -> Outcome:
    (only,) = outcomes(device, text)
    return only
