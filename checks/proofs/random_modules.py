"""Random small modules, as lowering gives them, and claims that passes leave their memory alone.

A module has sums of numbers, conversions, memory of most kinds, registers, a subroutine, branches,
a switch and loops of a few rounds. Products, quotients and sums of floats are few, because z3 takes
long for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random

from translate.errors import Where
from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.memory import Access, Resource
from translate.ir.ops import Op
from translate.ir.parser import parse_module
from translate.ir.printer import print_module
from translate.ir.row import Stage
from translate.ir.types import BOOL, F32, U32, VOID, Type
from translate.ir.values import Block, Module, Value
from translate.ir.verify import verify
from translate.options import WORKAROUNDS, Options
from translate.passes.pipeline import Pass, passes

from .meaning import Term
from .proving import Claim
from .rewrites import rules_of
from .same import differences

_HEAD = """module cs_5_0
thread_group 4 1 1
temps 2
resource t0 raw 0 read
resource t1 structured 1 stride=8 read
resource t3 structured 3 stride=8 read
resource u0 raw 0 is_uav read written
resource u1 raw 1 is_uav written
resource g0 shared_raw 0 length=32 read written
resource x0 indexable_temp 0 length=LENGTH
resource cb0 constants 0 length=3
resource cb2 constants 2 length=3
internal any_cb0 constants 0 length=3 count=0 members=[cb0, cb2]
internal any_t1 structured 0 stride=8 count=4 members=[t1, t3]
function main {
  return
}
function label0 {
  return
}
"""
_LENGTHS = (5, 1500)  # of x0; the longer one is split
_NUMBERS = (0, 1, 2, 3, 4, 31, 32, 255, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF)
_FLOATS = (0, 0x80000000, 0x3F800000, 0xBF800000, 0x00800000, 0x00000001, 0x7F800000, 0x7FC00000)
_U32, _F32 = (U32, U32), (F32, F32)
_OPERATIONS: dict[Op, tuple[Type, ...]] = {
    **dict.fromkeys((ops.IADD, ops.ISUB, ops.IAND, ops.IOR, ops.IXOR), _U32),
    **dict.fromkeys((ops.UMIN, ops.UMAX, ops.SMIN, ops.SMAX), _U32),
    **dict.fromkeys((ops.INOT, ops.BIT_REVERSE, ops.FIND_LSB), (U32,)),
    **dict.fromkeys((ops.MASK, ops.LNOT), (BOOL,)),
    **dict.fromkeys((ops.LAND, ops.LOR, ops.LXOR), (BOOL, BOOL)),
    **dict.fromkeys((ops.IEQ, ops.INE, ops.ULT, ops.UGE, ops.SLT, ops.SGE), _U32),
    **dict.fromkeys((ops.FEQ, ops.FNE, ops.FLT, ops.FGE, ops.FMIN, ops.FMAX), _F32),
    **dict.fromkeys((ops.FNEG, ops.FABS, ops.FLOOR, ops.TRUNC, ops.SQRT), (F32,)),
    **dict.fromkeys((ops.SIN, ops.EXP2), (F32,)),
}
_CONVERSIONS = {
    ops.F32_TO_HALF_RTZ: (F32,),
    ops.HALF_TO_F32: (U32,),
    ops.U32_TO_F: (U32,),
    ops.S32_TO_F: (U32,),
}
_SHIFTS = (ops.ISHL, ops.USHR, ops.SSHR)
_COSTLY = (ops.FADD, ops.FSUB, ops.FMUL)
_READABLE = ("t0", "u0", "g0", "x0", "any_t1", "any_cb0")
_DEEPEST = 2
_COUNTERS = 6  # the first register of those that count rounds


class _Writer:
    """Writes the body of a random module; `known` are the values that may be used."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        length = self.random.choice(_LENGTHS)
        self.module = parse_module(_HEAD.replace("LENGTH", str(length)))
        self.resources = {r.register: r for r in self._resources()}
        self.known: list[Value] = []
        self.costly = 0
        self.constant_places = self.random.random() < 0.5
        self.in_main = False
        self.depth = 0
        self.line = 0

    def _resources(self) -> list[Resource]:
        return [*self.module.resources, *self.module.tables.members]

    def module_of(self, statements: int) -> Module:
        for body in (self.module.functions["label0"], self.module.body):
            body.values.clear()
            self.b = Builder(body)
            self.in_main = body is self.module.body
            self.known = [self.b.input("vThreadID", 0)]
            self._statements(statements if self.in_main else 2)
            if self.in_main:
                self._results()
            self.b.emit(ops.RETURN, VOID, [])
        verify(self.module, Stage.LOWERED)
        return self.module

    def _results(self) -> None:
        values = [value for value in self.known if value.type is not BOOL][-4:]
        registers = [self.b.read_register(number, U32) for number in (0, 1, 4)]
        words = [self.b.bitcast(U32, value) for value in (*values, *registers)]
        for place, dword in enumerate(words):
            self.b.store(Access(self.resources["u1"], 1), [self.b.u32(4 * place)], [dword])

    # --- values ------------------------------------------------------------------------------

    def _value(self, type_: Type) -> Value:
        fitting = [value for value in self.known if value.type is type_]
        if fitting and self.random.random() < 0.8:
            return self.random.choice(fitting)
        if type_ is BOOL:
            return self.b.ine(self._value(U32), self.b.u32(self.random.choice(_NUMBERS)))
        if type_ is F32 and self.random.random() < 0.5:
            return self.b.bitcast(F32, self._value(U32))
        bits = self.random.choice(_NUMBERS if type_ is U32 else _FLOATS)
        return self.b.constant(type_, bits)

    def _pure(self) -> None:
        kind = self.random.random()
        if kind < 0.1:
            amount = self.b.iand(self._value(U32), self.b.u32(31))
            self._add(self.random.choice(_SHIFTS), U32, [self._value(U32), amount])
        elif kind < 0.2:
            type_ = self.random.choice((U32, F32))
            args = [self._value(BOOL), self._value(type_), self._value(type_)]
            self._add(ops.SELECT, type_, args)
        elif kind < 0.25 and self.costly < 2:
            self.costly += 1
            args = [self._value(F32), self._value(F32)]
            self._add(self.random.choice(_COSTLY), F32, args, data=False)
        else:
            rows = _CONVERSIONS if kind < 0.3 else _OPERATIONS
            op, types = self.random.choice([*rows.items()])
            args = [self._value(type_) for type_ in types]
            self._add(op, op.result if isinstance(op.result, Type) else F32, args)

    def _add(self, op: Op, type_: Type, args: list[Value], data: object = None) -> None:
        self.known.append(self.b.emit(op, type_, args, data))

    # --- memory ------------------------------------------------------------------------------

    def _load(self) -> None:
        resource = self.resources[self.random.choice(_READABLE)]
        access = Access(resource, resource.address_count, self.random.randrange(2))
        address = [self._place(resource) for _ in range(resource.address_count)]
        index = [self._value(U32)] if resource.is_array else []
        self.known.append(self.b.load(access, [*address, *index]))

    def _store(self) -> None:
        resource = self.resources[self.random.choice(("u0", "g0", "x0"))]
        component = self.random.randrange(2) if resource.register == "x0" else 0
        access = Access(resource, 1, component)
        self.b.store(access, [self._place(resource)], [self._value(U32)])

    def _place(self, resource: Resource) -> Value:
        """Any place; in half of the modules x0 has constant ones."""
        if resource.register == "x0" and self.constant_places:
            return self.b.u32(self.random.choice((0, 1, 6)))
        return self._value(U32)

    def _register(self) -> None:
        number = self.random.choice((0, 1, 4))
        if self.random.random() < 0.6:
            self.b.write_register(number, self._value(self.random.choice((U32, F32))))
        else:
            self.known.append(self.b.read_register(number, self.random.choice((U32, F32))))

    # --- control flow ------------------------------------------------------------------------

    @contextmanager
    def _inside(self, block: Block) -> Iterator[None]:
        outer, known = self.b.block, [*self.known]
        self.b.block, self.depth = block, self.depth + 1
        yield
        self.b.block, self.known, self.depth = outer, known, self.depth - 1

    def _construct(self, op: Op, args: list[Value], count: int, data: object = None) -> Value:
        construct = Value(op, VOID, args, data, self.b.where)
        construct.blocks = tuple(Block() for _ in range(count))
        return construct

    def _branch(self) -> None:
        construct = self._construct(ops.IF, [self._value(BOOL)], 2)
        for block in construct.blocks:
            with self._inside(block):
                self._statements(2)
                self.b.emit(ops.YIELD, VOID, [])
        self.b.block.values.append(construct)

    def _switch(self) -> None:
        selector = self.b.iand(self._value(U32), self.b.u32(3))
        construct = self._construct(ops.SWITCH, [selector], 3, ((0,), (1, 3), (None,)))
        for number, block in enumerate(construct.blocks):
            with self._inside(block):
                self._statements(1)
                falls = number == 0 and self.random.random() < 0.5
                self.b.emit(ops.FALL_THROUGH if falls else ops.BREAK, VOID, [])
        self.b.block.values.append(construct)

    def _loop(self) -> None:
        """One or two rounds, counted in a register."""
        register, last = _COUNTERS + self.depth, self.b.u32(self.random.choice((0, 1)))
        self.b.write_register(register, self.b.u32(0))
        construct = self._construct(ops.LOOP, [], 1)
        with self._inside(construct.blocks[0]):
            counter = self.b.read_register(register, U32)
            self.known.append(counter)
            self._statements(2)
            inner = self._construct(ops.IF, [self.b.uge(counter, last)], 2)
            for block, end in zip(inner.blocks, (ops.BREAK, ops.YIELD), strict=True):
                with self._inside(block):
                    self.b.emit(end, VOID, [])
            self.b.block.values.append(inner)
            self._statements(1)
            self.b.write_register(register, self.b.iadd(counter, self.b.u32(1)))
            self.b.emit(ops.CONTINUE, VOID, [])
        self.b.block.values.append(construct)

    def _statements(self, count: int) -> None:
        simple = (*[self._pure] * 5, self._load, self._load, self._store, self._register)
        nested: tuple[Callable[[], None], ...] = (self._branch, self._switch, self._loop)
        for _ in range(count):
            self.line += 1
            self.b.where = Where(line=self.line, instruction=self.line // 2)
            if self.random.random() < 0.1:
                self._call()
            elif self.depth < _DEEPEST and self.random.random() < 0.2:
                self.random.choice(nested)()
            else:
                self.random.choice(simple)()

    def _call(self) -> None:
        if self.in_main:
            self.b.call("label0")


def random_module(seed: int, statements: int = 8) -> Module:
    return _Writer(seed).module_of(statements)


def options_of(seed: int) -> Options:
    """Most options turn a pass on, or change the one that runs."""
    random = Random(seed)
    modes: tuple[frozenset[str], ...] = (
        frozenset(),
        frozenset({"denorm_flush_to_zero_32"}),
        frozenset({"rounding_mode_rte_32"}),
    )
    return Options(
        workarounds=frozenset(name for name in sorted(WORKAROUNDS) if random.random() < 0.5),
        float_controls=random.choice(modes),  # type: ignore[arg-type]
        max_inlined=random.choice((0, 1000)),
    )


def _same(text: str, one: Pass, options: Options, stage: str) -> Iterator[Term]:
    before, after = parse_module(text), parse_module(text)
    before.after = after.after = stage
    one.run(after)
    yield from differences(before, after, rules_of(one.name, options))


def of_modules(count: int, first_seed: int = 0, statements: int = 8) -> Iterator[Claim]:
    """A claim for each pass that changes a random module."""
    for seed in range(first_seed, first_seed + count):
        module, options = random_module(seed, statements), options_of(seed)
        for one in passes(options):
            text, stage = print_module(module, locations=True), module.after
            one.run(module)
            module.after = one.name
            if print_module(module, locations=True).partition("\n")[2] != text.partition("\n")[2]:
                claim = partial(_same, text, one, options, stage)
                yield Claim(f"random module {seed}: same after {one.name}", claim)
