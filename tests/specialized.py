"""A shader with every specialization constant, whose module shows which of them are set."""

import re
import subprocess
from dataclasses import replace
from zlib import crc32

from checks.spirv_opt import tool
from translate import SpirvModule

LISTING = """cs_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2darray (float,float,float,float) t0
dcl_resource_texturecube (float,float,float,float) t1
dcl_uav_raw u0
dcl_uav_typed_texture2d (float,float,float,float) u1
dcl_input vThreadID.xy
dcl_temps 4
dcl_thread_group 1, 1, 1
ld_raw r0.xyzw, vThreadID.x, u0.xyzw
sample_l_indexable(texture2darray)(float,float,float,float) r1.xyzw, r0.xyzx, t0.xyzw, s0, r0.w
sample_d_indexable(texture2darray)(float,float,float,float) r2.xyzw, r0.xyzx, t0.xyzw, s0, r0.xyxx, r0.zwzz
sample_l_indexable(texturecube)(float,float,float,float) r3.xyzw, r0.xyzx, t1.xyzw, s0, l(0)
mad r1.xyzw, r1.xyzw, r2.xyzw, r3.xyzw
sincos r0.x, null, r1.w
f32tof16 r0.y, r0.w
exp r1.z, r1.z
utof r0.y, r0.y
mad r1.xy, r0.xyxx, r1.zwzz, r1.xyxx
store_uav_typed u1.xyzw, vThreadID.xyyy, r1.xyzw
store_raw u0.x, vThreadID.x, r1.x
ret
"""  # noqa: E501
# The SpecId of each constant, as docs/porting.md has them
IDS = {
    "robust_buffer_access": 0,
    "robust_buffer_access2": 1,
    "robust_image_access": 2,
    "exact_coordinates": 3,
    "exact_directions": 4,
    "exact_slices": 5,
    "exact_levels_of_detail": 6,
    "exact_gradients": 7,
    "denormals": 8,
    "exact_halves": 9,
    "exact_sines": 10,
    "exact_integers": 11,
    "exact_powers": 12,
}


def showing(module: SpirvModule) -> SpirvModule:
    """The module of `LISTING`, which stores a bit for the SpecId of each constant that is set."""
    lines = module.text().split("\n")
    store = max(number for number, line in enumerate(lines) if "OpStore" in line)
    pointer = lines[store].split()[1]
    main = next(number for number, line in enumerate(lines) if " OpFunction " in line)
    added, value = list[str](), "%shown_none"
    constants = ["%shown_none = OpConstant %uint 0"]
    for name, number in [(one.name, one.id) for one in module.interface.specialization]:
        constants.append(f"%shown_{name} = OpConstant %uint {1 << number}")
        added.append(f"%bit_{name} = OpSelect %uint %{name} %shown_{name} %shown_none")
        added.append(f"%sum_{name} = OpIAdd %uint {value} %bit_{name}")
        value = f"%sum_{name}"
    cast = f"%shown = OpBitcast %float {value}"  # the buffer is one of floats
    lines[store] = "\n".join([*added, cast, f"OpStore {pointer} %shown"])
    lines[main:main] = constants
    text = re.sub(r"^;.*\n", "", "\n".join(lines), flags=re.M)
    command = [str(tool("spirv-as")), "--target-env", "vulkan1.1", "-", "-o", "-"]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
    interface = replace(module.interface, spirv_crc32=crc32(done.stdout))
    return replace(module, data=done.stdout, interface=interface)


def named(bits: int) -> set[str]:
    """The constants of these bits."""
    return {name for name, number in IDS.items() if bits >> number & 1}
