"""What drivers' checks of buffers cost: a table of facts, with their measurement.

Some GPUs check the bounds of buffers in hardware. For others the driver's compiler adds comparisons
to the code, and splits wide accesses, each part with comparisons of its own. Mesa 26.1.6 was
measured without a GPU, by `python -m tools.benchmarks isa --gpus` (docs/performance.md).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from translate import RobustAccess
from translate.dataclass import dataclass

Checks: TypeAlias = Literal["hardware", "code"]
OF_BUFFERS: tuple[RobustAccess, ...] = ("robust_buffer_access", "robust_buffer_access2")


@dataclass(frozen=True, slots=True)
class BufferChecks:
    """The instructions of `d3d` modules, divided by those of dxbc-spirv's modules without checks.

    They are geometric means of 225 programs. `by_device`: the device checks buffers. `by_module`:
    the module does. `with_nulls`: the same on a device with null descriptors, for which some
    compilers check the buffers of every module.
    """

    driver: str
    gpu: str
    by_device: float
    by_module: float
    with_nulls: float


BUFFER_CHECKS = {
    row.driver: row
    for row in (
        BufferChecks("radv", "NAVI21", 1.15, 1.32, 1.32),
        BufferChecks("NVK", "GA102", 1.49, 1.34, 1.63),
        BufferChecks("turnip Mesa driver", "ADRENO740", 1.09, 1.33, 1.33),
        BufferChecks("Honeykrisp", "M1", 1.66, 1.31, 1.31),
    )
}


def checks_of(driver: str) -> Checks | None:
    """Where a driver checks buffers: in code if modules do it with fewer instructions.

    None if it was not measured.
    """
    row = BUFFER_CHECKS.get(driver)
    if row is None:
        return None
    return "code" if row.by_module < row.by_device else "hardware"


def costly_features(driver: str) -> tuple[str, ...]:
    """Fields of DeviceFeatures that the runner leaves disabled: every kernel would be slower."""
    row = BUFFER_CHECKS.get(driver)
    is_costly = row is not None and row.with_nulls > row.by_module and checks_of(driver) == "code"
    return ("null_descriptor",) if is_costly else ()
