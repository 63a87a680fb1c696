"""Workarounds of drivers' faults.

A docstring that begins with "Workaround for" names the fault that a device reports
(`vkrunner/info/faults.py`), the probe and the section of docs/drivers.md. A workaround runs if
`TargetDevice.faults` has the fault, or on every device if it costs little. `nesting` also saves a
driver's compile time, which no fault stands for. Workarounds share `hidden`, `known_constants` and
`loop_exits`.

Some faults concern results that Vulkan leaves open. D3D's results are computed elsewhere then, on
every device: for `sample_coordinates` in `floats.sample_operands`; for `half_conversions`,
`fused_half_conversions` and `unsigned_to_float` in `floats.conversions`; for `special_values`
in `translate/isa/float_alu.py`. `TargetDevice.robustness` knows `slices_outside` and
`small_uavs_outside`.
"""
