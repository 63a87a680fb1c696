"""Faults in lowering: operands, control flow, declarations to resources."""

from __future__ import annotations

from ..fault import Fault

OPERANDS, FLOW = "translate/lower/operands.py", "translate/lower/flow.py"
MEMORY, TEXTURE = "translate/lower/memory.py", "translate/lower/texture.py"
UNIT = "tests/unit/lower tests/rows/test_cases.py"

FAULTS = (
    Fault(
        OPERANDS,
        "the absolute value of a float operand is not taken",
        "            value = b.fabs(value) if modifier & Modifier.ABS else value\n",
        "",
        UNIT,
    ),
    Fault(
        OPERANDS,
        "a moved operand loses its sign instead of changing it",
        "b.ixor(value, b.u32(_SIGN))",
        "b.iand(value, b.u32(~_SIGN))",
        UNIT,
    ),
    Fault(
        OPERANDS,
        "saturation gives 1 for a NaN",
        "return b.fmin(b.fmax(number, b.f32(0.0)), b.f32(1.0))",
        "return b.fmax(b.fmin(number, b.f32(1.0)), b.f32(0.0))",
        "tests/rows/test_alu.py -k 'add or mul'",
    ),
    Fault(
        OPERANDS,
        "the constant part of an index is lost",
        "return self.b.iadd(register, self.b.u32(index.base)) if index.base else register",
        "return register",
        UNIT,
    ),
    Fault(
        OPERANDS,
        "a double's halves are exchanged as it is written",
        "self.write(operand, 2 * pair, self.b.f64_low(value))",
        "self.write(operand, 2 * pair, self.b.f64_high(value))",
        "tests/rows/test_doubles.py",
    ),
    Fault(
        OPERANDS,
        "an index into a range counts from register 0",
        "return [self.b.isub(self.index(index), self.b.u32(resource.number))]",
        "return [self.index(index)]",
        "tests/textures/test_ranges.py",
    ),
    Fault(
        "translate/lower/program.py",
        "without refactoringAllowed code is not precise",
        'all_precise = "refactoringAllowed" not in self.module.flags',
        "all_precise = False",
        "tests/unit/lower/test_precise.py",
    ),
    Fault(
        "translate/lower/program.py",
        "the double of .zw is written to .xy",
        "0b1100: (1,)",
        "0b1100: (0,)",
        "tests/rows/test_doubles.py",
    ),
    Fault(
        FLOW,
        "if_z and if_nz exchanged",
        'test = self.b.ine if statement.control("test") else self.b.ieq',
        'test = self.b.ieq if statement.control("test") else self.b.ine',
        UNIT,
    ),
    Fault(
        FLOW,
        "continue leaves the loop",
        "self._terminate_if(statement, ops.CONTINUE)",
        "self._terminate_if(statement, ops.BREAK)",
        UNIT,
    ),
    Fault(
        FLOW,
        "a case falls through where it should end",
        "        self.b.emit(ops.FALL_THROUGH, VOID, [])\n        self.b.block = Block()\n",
        "        self.b.emit(ops.BREAK, VOID, [])\n        self.b.block = Block()\n",
        UNIT,
    ),
    Fault(
        FLOW,
        "an element past the end of an array of interfaces calls the last one",
        "with self.b.selection(self.b.ieq(index, self.b.u32(position))):",
        "with self.b.selection(self.b.uge(index, self.b.u32(position))):",
        "tests/coverage/test_results.py tests/unit/lower -k 'interface or class'",
    ),
    Fault(
        MEMORY,
        "a tiled-resource load says that nothing is mapped",
        "self._write_scalar(statement.operands[1], self.b.u32(1))",
        "self._write_scalar(statement.operands[1], self.b.u32(0))",
        "tests/textures/test_feedback.py",
    ),
    Fault(
        MEMORY,
        "texel offsets are left out of loads",
        "self.b.iadd(coordinate, self.b.u32(offset)) if offset else coordinate",
        "coordinate",
        "tests/textures/test_loads.py",
    ),
    Fault(
        TEXTURE,
        "gathering takes the first channel",
        "component=selected.component(0)",
        "component=0",
        "tests/textures/test_gathering.py",
    ),
    Fault(
        TEXTURE,
        "texel offsets are left out of sampling",
        "offset=offset if any(offset) else ()",
        "offset=()",
        "tests/textures/test_sampling.py -k offset",
    ),
    Fault(
        "translate/lower/resources.py",
        "ranges that meet in one register pass",
        "(at < len(ranges) and ranges[at][0] < end)",
        "(at < len(ranges) and ranges[at][0] < end - 1)",
        "tests/unit/lower",
    ),
    Fault(
        "translate/isa/declare.py",
        "a thread group may have 1025 threads",
        "x * y * z <= MAX_THREADS",
        "x * y * z <= MAX_THREADS + 1",
        "tests/unit/lower",
    ),
)
