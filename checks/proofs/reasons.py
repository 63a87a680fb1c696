"""Claims that z3 does not decide in time, with the reason and the other evidence."""

_FMA = "sums and products of all doubles; `tests/rows` has edge values"
_FLUSHES = "sums of products of all floats; the rules are proved one by one (`denormals`, `floats`)"
_ROOTS = (
    "sums of products of roots of all floats; `tests/rows/test_denormal_tests.py` has roots, "
    "products and steps of special floats"
)
_INTEGERS = (
    "products of all integers, as floats; `tests/rows` and `tests/interpret` have edge values"
)
_SMALL_FLOATS = "products of all floats; `tests/formats` has edge values"
_RECORDS = "quotients and products of all sizes of buffers; `tests/messages` runs them"
REASONS = {
    "same after resolve_zeros/fma_with_negative_zero_addend": _FMA,
    "same after resolve_zeros/fma_without_addend": _FMA,
    "same after flush_denormals/numbers_from_integers": _FLUSHES,
    "same after flush_denormals/results_beside_numbers": _FLUSHES,
    "same after flush_denormals/signs_that_no_user_sees": _ROOTS,
    "same after flush_denormals/steps_of_one_instruction": _ROOTS,
    "same after flush_denormals/steps_of_two_instructions": _FLUSHES,
    "same after convert_numbers/integers_just_too_large": _INTEGERS,
    "same after convert_numbers/large_integers": _INTEGERS,
    "same after convert_texels/float_without_a_sign": _SMALL_FLOATS,
    "same after write_messages/record": _RECORDS,
    "random module 1002: same after flush_denormals": _FLUSHES,
    "random module 1002: same after convert_numbers": _INTEGERS,
    "random module 1006: same after convert_numbers": _INTEGERS,
}
