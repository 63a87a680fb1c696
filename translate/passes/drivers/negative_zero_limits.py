"""Workaround for `negative_zero_limits`: a constant -0.0 is hidden from minima and maxima.

NIR of Mesa 26 takes it for 0.0 there, which counts if the constant is the result. The pass for
`float_zeros` hides it, and other operands that the driver may find to be a zero.

Probe: vkrunner/probes/trials.py.
Documented in docs/drivers.md, "a minimum or maximum of a constant -0.0 is 0.0".
"""

from __future__ import annotations

from translate.ir.floats import FMAX, FMIN

NEGATIVE_ZERO_LIMITS = "negative_zero_limits"
LIMITS = (FMIN, FMAX)
