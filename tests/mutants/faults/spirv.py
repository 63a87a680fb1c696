"""Faults in the emission of SPIR-V."""

from __future__ import annotations

from ..fault import Fault

BITS, FLOATS = "translate/ir/bits.py", "translate/ir/floats.py"
ARITHMETIC, CONTROL = "translate/spirv/arithmetic.py", "translate/spirv/control.py"
MEMORY = "translate/spirv/memory.py"
UNIT = "tests/unit/spirv"
CASES = "tests/unit/spirv tests/rows/test_cases.py"

FAULTS = (
    Fault(
        FLOATS,
        "ne is false where a NaN is compared",
        '"OpFUnordNotEqual"',
        '"OpFOrdNotEqual"',
        "tests/rows/test_alu.py -k 'ne'",
    ),
    Fault(
        FLOATS,
        "lt is true where a NaN is compared",
        '"OpFOrdLessThan"',
        '"OpFUnordLessThan"',
        "tests/rows/test_alu.py -k 'lt'",
    ),
    Fault(
        FLOATS,
        "min may give the NaN of its operands",
        '"NMin"',
        '"FMin"',
        "tests/unit/spirv/test_emit.py",
    ),
    Fault(
        BITS,
        "an arithmetic shift is a logical one",
        '"OpShiftRightArithmetic"',
        '"OpShiftRightLogical"',
        "tests/rows/test_alu.py -k ishr",
    ),
    Fault(
        ARITHMETIC,
        "precise arithmetic may be contracted",
        "            code.sections.decorate(number, Decoration.NoContraction)\n",
        "            pass\n",
        "tests/unit/spirv/test_emit.py",
    ),
    Fault(
        ARITHMETIC,
        "a double's halves are exchanged",
        "ops.F64_LOW: _f64_half(0)",
        "ops.F64_LOW: _f64_half(1)",
        "tests/rows/test_doubles.py",
    ),
    Fault(
        CONTROL,
        "a phi's inputs exchanged",
        "pairs = [word for label, ids in exits for word in (ids[position], label)]",
        "pairs = [\n"
        "            word\n"
        "            for (label, _), (_, ids) in zip(exits, exits[::-1], strict=True)\n"
        "            for word in (ids[position], label)\n"
        "        ]",
        CASES,
    ),
    Fault(
        CONTROL,
        "a switch's default is its last case",
        "default = label",
        "default = labels[-1]",
        CASES,
    ),
    Fault(
        CONTROL,
        "a loop's values are handed on from the round before",
        "again = self._phi(param, exits, position) if exits else code.ids[param]",
        "again = code.ids[param]",
        CASES,
    ),
    Fault(
        MEMORY,
        "a barrier of threads is lost",
        "self.code.effect(Op.ControlBarrier, workgroup, scope, self.sections.u32(semantics))",
        "self.code.effect(Op.MemoryBarrier, scope, self.sections.u32(semantics or 0x108))",
        "tests/rows/test_sync.py",
    ),
    Fault(
        MEMORY,
        "a barrier does not order buffers",
        "semantics |= MemorySemantics.UniformMemory | MemorySemantics.ImageMemory",
        "semantics |= MemorySemantics.ImageMemory",
        "tests/rows/test_sync.py",
    ),
    Fault(
        MEMORY,
        "compare-and-exchange has its operands exchanged",
        "arguments = [scope_id, relaxed, relaxed, new, compare]",
        "arguments = [scope_id, relaxed, relaxed, compare, new]",
        CASES,
    ),
    Fault(
        MEMORY,
        "the signed maximum of atomics is the unsigned one",
        '"smax": Op.AtomicSMax',
        '"smax": Op.AtomicUMax',
        CASES,
    ),
    Fault(
        MEMORY,
        "UAVs are not coherent",
        "elif resource in self.coherent:",
        "elif resource.number < 0:",
        UNIT,
    ),
    Fault(
        MEMORY,
        "the atomics of a buffer reach the group only",
        "scope = Scope.Workgroup if shared else Scope.Device",
        "scope = Scope.Workgroup",
        UNIT,
    ),
    Fault(
        MEMORY,
        "indexable temporaries begin with anything",
        "put(self.code.variables, Op.Variable, pointer, number, StorageClass.Function, zero)",
        "put(self.code.variables, Op.Variable, pointer, number, StorageClass.Function)",
        UNIT,
    ),
    Fault(
        MEMORY,
        "group-shared structures take a quarter of their room",
        "dwords = resource.declared_bytes // _DWORD_BYTES",
        "dwords = resource.length * max(resource.stride // 4, 1) // _DWORD_BYTES",
        CASES,
    ),
    Fault(
        "translate/spirv/images.py",
        "UAV textures are not told to be read and written through atomics",
        "if usage.atomic:",
        "if usage.atomic and not usage.read:",
        "tests/textures/test_uavs.py",
    ),
    Fault(
        "translate/spirv/sampling.py",
        "gathering takes the next channel",
        "operands.append(self.sections.u32(sample.component))",
        "operands.append(self.sections.u32(sample.component + 1 & 3))",
        "tests/textures/test_gathering.py",
    ),
    Fault(
        "translate/spirv/sampling.py",
        "the offsets of x and y are exchanged",
        "sections.constant(Op.ConstantComposite, vector, *numbers)",
        "sections.constant(Op.ConstantComposite, vector, *numbers[::-1])",
        "tests/textures/test_sampling.py -k offset",
    ),
    Fault(
        "translate/spirv/flush.py",
        "a flushed denormal loses its sign",
        "put(words, Op.BitwiseAnd, uint, zero, bits, sections.u32(_SIGN))",
        "put(words, Op.BitwiseAnd, uint, zero, bits, sections.u32(0))",
        "tests/rows/test_alu.py -k 'mul or max or add'",
    ),
    Fault(
        "translate/spirv/emit.py",
        "thread inputs x and y exchanged",
        "return self.code.instruct(Op.CompositeExtract, uint, loaded, component)",
        "return self.code.instruct(Op.CompositeExtract, uint, loaded, (1, 0, 2)[component])",
        CASES,
    ),
)
