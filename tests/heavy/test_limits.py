"""Limits of a translation's size: the error names the instruction that became most of it."""

import re
from typing import Any

import pytest

import translate
from checks.heavy.listings import exits, interface_calls, listing
from checks.heavy.variants import CONSTANTS, REPETITIONS, SAMPLED, repeated
from translate.explanation import dump_ir

SAMPLE = "sample_l r0.xyzw, r0.xyxx, t0.xyzw, s0, l(0)\n"


def refusal(text: str, **options: Any) -> translate.UnsupportedError:
    with pytest.raises(translate.UnsupportedError) as caught:
        translate.to_spirv(translate.load(text), translate.Options(**options))
    return caught.value


def test_an_instruction_that_becomes_many() -> None:
    """An index into an array of interfaces calls the method of each."""
    chosen = {"fp0": [translate.ClassInstance(table=0)] * 64}
    text = interface_calls(10).replace("fcall", "iadd r0.x, r0.x, l(1)\nfcall", 1)
    error = refusal(text, max_instructions=400, class_instances=chosen)
    assert "Options.max_instructions=400 (--max-instructions)" in error.message
    assert error.message.endswith("operations are of this fcall")
    assert "fcall" in text.splitlines()[(error.where.line or 0) - 1]


def test_operations_made_by_a_pass() -> None:
    text = listing(f"mov r0.xyzw, vThreadID.xyzx\n{SAMPLE}", SAMPLED)
    options = translate.Options(max_instructions=30)
    assert "sample" in dump_ir(translate.load(text), options, "lowering")
    error = refusal(text, max_instructions=30)
    assert "max_instructions=30" in error.message
    assert error.where.mnemonic == "sample_l"


def test_longer_shaders_may_become_more() -> None:
    """By default a shader may have 64 more operations for each instruction."""
    chosen = {"fp0": [translate.ClassInstance(table=0)] * 60_000}
    text = interface_calls(1, 60_000)
    longer = text.replace("fcall", "mov r1.x, r0.x\n" * 10 + "fcall", 1)
    short, long = (refusal(one, class_instances=chosen) for one in (text, longer))
    assert short.where.mnemonic == long.where.mnemonic == "fcall"
    assert limit_in(long) - limit_in(short) == 10 * 64
    assert limit_in(short) > 1 << 17


def limit_in(error: translate.UnsupportedError) -> int:
    """The limit that a message names."""
    found = re.search(r"max_instructions=(\d+)", error.message)
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize(
    ("kind", "most", "too_many", "mnemonic"),
    [
        ("exact doubles", 100, 200, "dfma"),
        ("shared memory", 400, 600, "ld_structured"),
        ("atomics of shared memory", 800, 1200, "imm_atomic_iadd"),
        ("three constants", 200, 300, "mad"),
    ],
)
def test_what_drivers_expand_counts(kind: str, most: int, too_many: int, mnemonic: str) -> None:
    """What is refused took lavapipe's compiler 5 to 14 s."""
    family = REPETITIONS[kind]
    translate.to_spirv(translate.load(family(most)), translate.Options(validate=False))
    error = refusal(family(too_many))
    assert error.where.mnemonic == mnemonic
    assert re.search(rf"; \d+ operations are of this {mnemonic}$", error.message)
    options = translate.Options(validate=False, max_instructions=400_000)
    translate.to_spirv(translate.load(family(too_many)), options)


def test_reports_count_little() -> None:
    """The bits that reports keep of g# add an access to each of the shader's."""
    family = REPETITIONS["shared memory"]
    translate.to_spirv(translate.load(family(300)), translate.Options(guards="report"))
    assert refusal(family(600), guards="report").where.mnemonic == "ld_structured"


@pytest.mark.slow(reason="shaders as long as the limits permit")
def test_constants_at_constant_indices_count_as_one() -> None:
    mad = repeated("mad r0.xyzw, cb0[1].xyzw, cb0[N].xyzw, r0.yzwx", CONSTANTS)
    translate.to_spirv(translate.load(mad(1500)), translate.Options(validate=False))


def test_words() -> None:
    text = listing("imad r0.x, vThreadID.x, l(3), l(1)\n")
    words = len(translate.to_spirv(translate.load(text)).words)
    translate.to_spirv(translate.load(text), translate.Options(max_words=words))
    error = refusal(text, max_words=words - 1)
    limit = f"Options.max_words={words - 1} (--max-words)"
    assert f"{words} words of SPIR-V, more than {limit}" in error.message


def test_merged_registers() -> None:
    error = refusal(exits(100, 10), max_instructions=3000)
    assert "too many places" in error.message
    assert error.message.endswith("Options.max_instructions=3000 (--max-instructions) allows fewer")
    assert error.where.mnemonic == "breakc"


@pytest.mark.parametrize("name", ["max_inlined", "max_instructions", "max_words"])
def test_limits_are_not_negative(name: str) -> None:
    values: dict[str, Any] = {name: -1}
    with pytest.raises(translate.OptionError, match=f"{name} must not be negative, not -1"):
        translate.Options(**values)
