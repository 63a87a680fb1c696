"""Claims that z3 does not decide in time, with the reason and the other evidence."""

_FMA = "sums and products of all doubles; `tests/rows` has edge values"
REASONS = {
    "same after resolve_zeros/fma_with_negative_zero_addend": _FMA,
    "same after resolve_zeros/fma_without_addend": _FMA,
}
