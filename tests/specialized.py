"""A shader with every specialization constant, whose module shows which of them are set."""

import re
import subprocess
from dataclasses import replace
from pathlib import Path
from zlib import crc32

from checks.spirv_opt import tool
from translate import SpirvModule

LISTING = Path(__file__).with_suffix(".asm").read_text("utf-8")
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
