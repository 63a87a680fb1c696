"""Faults in what instructions compute: their lowering, and their evaluation on the CPU."""

from __future__ import annotations

from ..fault import Fault

ALU = "tests/rows/test_alu.py -k"
DOUBLES = "tests/rows/test_doubles.py -k"
CASES = "tests/rows/test_cases.py -k"
EVALUATE = "tests/unit/isa -k"
BITS, INTEGER = "translate/isa/bitfield.py", "translate/isa/integer.py"
CONVERT, FLOAT = "translate/isa/convert.py", "translate/isa/float_alu.py"
ATOMIC, MOVE = "translate/isa/atomic.py", "translate/isa/move.py"

FAULTS = (
    Fault(
        BITS,
        "a bit field may reach beyond bit 31",
        "return offset, b.umin(width, b.isub(b.u32(32), offset))",
        "return offset, width",
        f"{ALU} 'ubfe or ibfe or bfi'",
    ),
    Fault(
        BITS,
        "ibfe does not extend the sign",
        "b.bitfield_sextract(value,",
        "b.bitfield_uextract(value,",
        f"{ALU} ibfe",
    ),
    Fault(
        BITS,
        "bfi's operands swapped",
        "b.bitfield_insert(base, insert,",
        "b.bitfield_insert(insert, base,",
        f"{ALU} bfi",
    ),
    Fault(
        BITS,
        "firstbit of nothing is counted from the other end",
        "return b.select(none, index, b.isub(b.u32(31), index))",
        "return b.isub(b.u32(31), index)",
        f"{ALU} firstbit",
    ),
    Fault(
        BITS,
        "msad leaves out bytes by the wrong operand",
        "b.select(b.nonzero(left), difference",
        "b.select(b.nonzero(right), difference",
        f"{ALU} msad",
    ),
    Fault(
        BITS,
        "the evaluation of firstbit_lo counts from the other end",
        "np.uint32(31) - evaluate_firstbit_hi(lowest)",
        "evaluate_firstbit_hi(lowest)",
        f"{EVALUATE} firstbit",
    ),
    Fault(
        INTEGER,
        "the remainder of a division by 0 is 0",
        "b.select(defined, b.umod(x, divisor), ones)",
        "b.select(defined, b.umod(x, divisor), b.u32(0))",
        f"{ALU} udiv",
    ),
    Fault(
        INTEGER,
        "uaddc's carry by <= instead of <",
        "b.select(b.ult(total, x), b.u32(1), b.u32(0))",
        "b.select(b.uge(x, total), b.u32(1), b.u32(0))",
        f"{ALU} uaddc",
    ),
    Fault(
        INTEGER,
        "usubb's borrow compares the wrong way round",
        "b.isub(x, y), b.select(b.ult(x, y)",
        "b.isub(x, y), b.select(b.ult(y, x)",
        f"{ALU} usubb",
    ),
    Fault(
        INTEGER,
        "a shift's count is not masked",
        "return method(b, x, b.iand(count, b.u32(31)))",
        "return method(b, x, count)",
        "tests/unit/lower/test_undefined.py",
    ),
    Fault(
        INTEGER,
        "imul's high half is the unsigned product's",
        "b.smul_high(x, y)",
        "b.umul_high(x, y)",
        f"{ALU} imul",
    ),
    Fault(
        INTEGER,
        "ilt compares unsigned",
        'comparison("ilt", 0x22, I, Builder.slt',
        'comparison("ilt", 0x22, I, Builder.ult',
        f"{ALU} ilt",
    ),
    Fault(
        INTEGER,
        "the evaluation of usubb borrows for equal numbers",
        "(y > x).astype",
        "(y >= x).astype",
        f"{EVALUATE} usubb",
    ),
    Fault(
        FLOAT,
        "ge is the opposite of lt, which a NaN breaks",
        'comparison("ge", 0x1D, F, Builder.fge,',
        'comparison("ge", 0x1D, F, lambda b, x, y: b.lnot(b.flt(x, y)),',
        f"{ALU} 'ge'",
    ),
    Fault(
        FLOAT,
        "the evaluation of lt is <=",
        'comparison("lt", 0x31, F, Builder.flt, np.less)',
        'comparison("lt", 0x31, F, Builder.flt, np.less_equal)',
        f"{EVALUATE} 'lt'",
    ),
    Fault(
        FLOAT,
        "dp4 leaves out its first term's second factor",
        "total = b.fmul(x[0], y[0])",
        "total = b.fmul(x[0], x[0])",
        f"{ALU} dp",
    ),
    Fault(
        FLOAT,
        "log of 0 is +infinity",
        "b.f32(-np.inf)",
        "b.f32(np.inf)",
        f"{ALU} log",
    ),
    Fault(
        FLOAT,
        "the sine of a zero goes through the driver's Sin",
        "return b.select(zero, b.trunc(angle), b.sin(angle)), b.cos(angle)",
        "return b.sin(angle), b.cos(angle)",
        "tests/unit/lower/test_undefined.py",
    ),
    Fault(
        FLOAT,
        "exp of a NaN is left to the driver",
        "return b.select(b.feq(x, x), b.exp2(x), b.f32(np.nan))",
        "return b.exp2(x)",
        "tests/unit/lower/test_undefined.py",
    ),
    Fault(
        CONVERT,
        "ftoi saturates at the wrong end",
        "return b.select(b.fge(x, limit), b.u32(0x7FFFFFFF), below)",
        "return b.select(b.fge(x, limit), b.u32(0x80000000), below)",
        f"{ALU} ftoi",
    ),
    Fault(
        CONVERT,
        "ftou of what is negative is not clamped",
        "positive = b.fmax(x, zero)",
        "positive = x",
        "tests/unit/lower/test_undefined.py",
    ),
    Fault(
        CONVERT,
        "f32tof16 overflows to infinity instead of 65504",
        "b.u32(0x7BFF)",
        "b.u32(0x7C00)",
        f"{ALU} f32tof16",
    ),
    Fault(
        CONVERT,
        "f16tof32 takes denormal halves for normal ones",
        "b.select(b.ult(size, b.u32(0x400)), small, normal)",
        "b.select(b.ult(size, b.u32(0x400)), normal, normal)",
        f"{ALU} f16tof32",
    ),
    Fault(
        CONVERT,
        "the evaluation of f32tof16 rounds to nearest",
        "stepped = np.where(too_large, np.nextafter(half, np.float16(0)), half)",
        "stepped = half",
        f"{EVALUATE} hal",
    ),
    Fault(
        MOVE,
        "movc chooses the other one",
        "return b.select(b.nonzero(condition), x, y)",
        "return b.select(b.nonzero(condition), y, x)",
        f"{ALU} movc",
    ),
    Fault(
        MOVE,
        "swapc swaps when it should not",
        "return b.select(swap, y, x), b.select(swap, x, y)",
        "return b.select(swap, x, y), b.select(swap, y, x)",
        f"{ALU} swapc",
    ),
    Fault(
        ATOMIC,
        "imm_atomic_alloc returns the counter's new value",
        "return b.counter_add(memory, b.u32(1))",
        "return b.iadd(b.counter_add(memory, b.u32(1)), b.u32(1))",
        f"{CASES} 'alloc or consume'",
    ),
    Fault(
        ATOMIC,
        "imm_atomic_consume returns the counter's old value",
        "left = b.isub(b.counter_add(memory, b.u32(-1)), b.u32(1))",
        "left = b.counter_add(memory, b.u32(-1))",
        f"{CASES} 'alloc or consume'",
    ),
    Fault(
        ATOMIC,
        "the evaluation of compare-and-exchange compares with the new value",
        "np.where(old == compare, value, old)",
        "np.where(old == value, compare, old)",
        f"{EVALUATE} atomic",
    ),
    Fault(
        "translate/isa/sync.py",
        "sync_g does not order shared memory",
        'shared_memory=bool(flags["shared"])',
        "shared_memory=False",
        "tests/rows/test_sync.py",
    ),
    Fault(
        "translate/isa/sync.py",
        "sync_uglobal reaches the group only",
        'device_scope=bool(flags["uav_global"])',
        'device_scope=bool(flags["uav_group"])',
        "tests/rows/test_sync.py",
    ),
    Fault(
        "translate/isa/fused.py",
        "dfma rounds twice",
        "return b.select(b.land(inexact, even), odd, total)",
        "return total",
        f"{DOUBLES} dfma",
    ),
    Fault(
        "translate/isa/memory.py",
        "a load's swizzle is ignored",
        "return [loaded[c] for c in components]",
        "return [loaded[c] for c in sorted(components)]",
        f"{CASES} 'raw or structured'",
    ),
)
