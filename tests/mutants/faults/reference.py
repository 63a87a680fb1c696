"""Faults in the reference machine."""

from __future__ import annotations

from ..fault import Fault

WORDS, MACHINE = "translate/reference/words.py", "translate/reference/machine.py"
SAMPLING = "translate/reference/sampling.py"
UNIT = "tests/unit/reference"
FLOW = "tests/unit/reference/test_flow.py"
OUTSIDE = "tests/unit/reference/test_out_of_bounds.py tests/unit/reference/test_findings.py"
SAMPLES = "tests/unit/reference/test_sampling.py tests/unit/reference/test_against_device.py"

FAULTS = (
    Fault(
        WORDS,
        "a structure behind the last one is there",
        "room = np.where(index < space.size // space.stride, space.stride - dword, 0)",
        "room = np.where(index <= space.size // space.stride, space.stride - dword, 0)",
        OUTSIDE,
    ),
    Fault(
        WORDS,
        "what an atomic returns outside is called defined",
        "defined = _write_defined(space) and not returns",
        "defined = _write_defined(space)",
        OUTSIDE,
    ),
    Fault(
        WORDS,
        "unaligned offsets are told by their lowest bit only",
        "place.byte_offset & 3 != 0",
        "place.byte_offset & 1 != 0",
        f"{UNIT} tests/report",
    ),
    Fault(
        MACHINE,
        "_nz and _z exchanged",
        'chosen = value != 0 if statement.control("test") else value == 0',
        'chosen = value == 0 if statement.control("test") else value != 0',
        FLOW,
    ),
    Fault(
        MACHINE,
        "lanes that continue do not come back",
        "inside = self._batch.union(rest, *frame.continued)",
        "inside = self._batch.union(rest)",
        FLOW,
    ),
    Fault(
        MACHINE,
        "no case falls through to the next",
        "falling = self._body(arm, self._batch.union(falling, enter))",
        "falling = self._body(arm, enter)",
        FLOW,
    ),
    Fault(
        MACHINE,
        "lanes that return come out of the subroutine no more",
        "back = self._batch.union(rest, *self._returned.pop())",
        "self._returned.pop()\n        back = rest",
        FLOW,
    ),
    Fault(
        "translate/reference/shared.py",
        "a barrier does not end what stores may race with",
        "for touched in (self._loads, self._stores, self._atomics):\n            touched.forget",
        "for touched in (self._loads, self._atomics):\n            touched.forget",
        "tests/unit/reference/test_findings.py",
    ),
    Fault(
        "translate/reference/shared.py",
        "a store of other bits to a dword that was read is no race",
        '            (self._loads, "load"),\n',
        "",
        "tests/unit/reference/test_findings.py",
    ),
    Fault(
        "translate/reference/atomics.py",
        "lanes find what is there after their own atomic",
        "found = np.where(first, memory, np.concatenate((memory[:1], left[:-1])))",
        "found = left",
        "tests/unit/reference/test_atomics.py",
    ),
    Fault(
        "translate/reference/alu.py",
        "the letters of doubles are those of the first one",
        "registers.read_double(operand, min(element, 1), lanes)",
        "registers.read_double(operand, 0, lanes)",
        "tests/unit/reference/test_operands.py tests/unit/vkrunner/reference/test_cases.py",
    ),
    Fault(
        "translate/reference/numbers.py",
        "denormals are not flushed",
        "return np.where(small, bits & _SIGN, bits) if small.any() else bits",
        "return bits",
        "tests/unit/reference tests/unit/vkrunner/reference/test_cases.py",
    ),
    Fault(
        "translate/reference/numbers.py",
        "-| | is | |",
        "return bits ^ _SIGN if modifier & Modifier.NEG else bits",
        "return bits ^ _SIGN if modifier is Modifier.NEG else bits",
        "tests/unit/reference/test_operands.py",
    ),
    Fault(
        "translate/reference/formats.py",
        "the default alpha is 0",
        "return (0, 0, 0, one)",
        "return (0, 0, 0, 0)",
        "tests/unit/reference/test_formats.py tests/unit/reference/test_out_of_bounds.py",
    ),
    Fault(
        "translate/reference/formats.py",
        "small floats round to what is larger",
        "result = np.where(exponent >= 143, infinity - 1, result)",
        "result = np.where(exponent >= 143, infinity, result)",
        "tests/unit/reference/test_formats.py",
    ),
    Fault(
        "translate/reference/texels.py",
        "a texel behind the row's end is there",
        "inside = (x < width) & (y < height)",
        "inside = (x <= width) & (y < height)",
        OUTSIDE,
    ),
    Fault(
        "translate/reference/addressing.py",
        "mirroring repeats no edge",
        "np.where(turn < size, turn, 2 * size - 1 - turn)",
        "np.where(turn < size, turn, 2 * size - turn)",
        SAMPLES,
    ),
    Fault(
        "translate/reference/addressing.py",
        "mirror_once mirrors at a texel's centre",
        "at = np.where(at < 0, -1 - at, at)",
        "at = np.where(at < 0, -at, at)",
        SAMPLES,
    ),
    Fault(
        SAMPLING,
        "gathered texels come in rows",
        "_GATHERED = ((0, 1), (1, 1), (1, 0), (0, 0))",
        "_GATHERED = ((0, 0), (1, 0), (0, 1), (1, 1))",
        SAMPLES,
    ),
    Fault(
        SAMPLING,
        "the sampler's bias is left out",
        "lod = lod + self.sampler.lod_bias",
        "lod = lod + 0.0",
        SAMPLES,
    ),
    Fault(
        SAMPLING,
        "less passes for equal depths",
        '"less": np.less,',
        '"less": np.less_equal,',
        SAMPLES,
    ),
    Fault(
        SAMPLING,
        "a linear filter begins at the texel's corner",
        'shift = 0.5 if texel_filter == "linear" else 0.0',
        "shift = 0.0",
        SAMPLES,
    ),
)
