"""Calls that a driver cannot inline: a loop runs every subroutine from one place.

Drivers replace each call by a copy of the subroutine, so that a chain of subroutines that each call
the next one twice becomes 2^depth copies. If the copies would be too large, bodies call only small
subroutines directly. For other calls a body pushes its place on a stack, selects the body to run,
and returns to a loop, which calls the selected body. Later the loop enters the body again, which
continues after the call:

- code between calls runs only if the body is running, and is skipped on the way to the place;
- a construct that contains the place is entered, and its condition leads to the place;
- values that are computed before a call and used after it are kept in registers;
- a barrier at which threads meet ends the loop too, because threads reach it in different rounds:
  an outer loop has the barrier, and starts the inner loop again.

Calls do not recurse, so every body waits at one place at most.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from translate.errors import UnsupportedError
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Access, Barrier, MemoryKind, Resource
from translate.ir.types import BOOL, U32, VOID
from translate.ir.values import Block, Module, Value, walk

_LARGEST = 0xFFFFFFFF
_ENTRY = "entry"  # the module's main body, which becomes a subroutine with this name


def meets(value: Value) -> bool:
    """Whether a value is a barrier at which the threads of a group meet."""
    return value.op is ops.BARRIER and row.BARRIER.of(value).threads


class CallSizes:
    """The number of operations of each subroutine: its `own`, and `whole` with all calls inlined.

    `depths` has the depth of nested calls, with the call of the subroutine. `meeting` are the
    subroutines in which, or in whose callees, threads meet at a barrier. `calls` is the number of
    calls in the module, `inlined` the number of operations that replace the main body's calls.
    """

    def __init__(self, module: Module):
        self.module = module
        self.own: dict[str, int] = {}
        self.whole: dict[str, int] = {}
        self.depths: dict[str, int] = {}
        self.meeting: set[str] = set()
        self.calls = 0
        self.inlined, self.depth = self._add("", module.body)

    @property
    def copied(self) -> int:
        """The number of operations that inlining adds: those of all but one copy of each body."""
        return self.inlined - sum(self.own.values())

    def within(self, limit: int) -> set[str]:
        """Subroutines that may be inlined: threads do not meet in them, and they are small.

        Even if every call of the module calls one of them, the copies have at most `limit`
        operations together.
        """
        most = limit // self.calls
        return {name for name, size in self.whole.items() if size <= most} - self.meeting

    def _add(self, name: str, body: Block) -> tuple[int, int]:
        """Count a body; returns the operations that replace its calls, and the calls' depth."""
        count = total = deepest = 0
        for value in walk(body):
            count += value.op.size
            if meets(value):
                self.meeting.add(name)
            if value.op is ops.CALL:
                callee = row.SUBROUTINE.of(value)
                self._know(callee)
                self.calls += 1
                total += self.whole[callee]
                deepest = max(deepest, self.depths[callee])
                if callee in self.meeting:
                    self.meeting.add(name)
        if name:
            self.own[name] = count
        return total, deepest

    def _know(self, name: str) -> None:
        if name in self.whole:
            return
        self.own[name] = self.whole[name] = self.depths[name] = 0  # ends a recursion
        total, deepest = self._add(name, self.module.functions[name])
        self.whole[name], self.depths[name] = self.own[name] + total, deepest + 1


class CallPlaces:
    """Numbers the places in `bodies`: their starts, calls of each other, and barriers for threads.

    A place's low bits are the body's number; the bits above are 1 for the body's start, then 2, 3
    and so on for its calls and barriers. `starts` has the starts by the bodies' names, `of` the
    places of calls and barriers. `spans` has the first place in each block, and the one after the
    last.
    """

    def __init__(self, bodies: Mapping[str, Block]):
        self.starts: dict[str, int] = {}
        self.of: dict[Value, int] = {}
        self.spans: dict[Block, tuple[int, int]] = {}
        self._bodies = bodies
        self._bits = (len(bodies) - 1).bit_length()
        for number, (name, body) in enumerate(bodies.items()):
            self.starts[name] = 1 << self._bits | number
            self._number(body, (2 << self._bits) | number)

    @property
    def body_mask(self) -> int:
        """The bits of a place that are the body's number."""
        return (1 << self._bits) - 1

    def are_in(self, block: Block) -> bool:
        """Whether a block or a block in it contains a place."""
        first, end = self.spans[block]
        return first != end

    def are_at(self, value: Value) -> bool:
        """Whether an operation is a place, or has places in its blocks."""
        return value in self.of or any(self.are_in(inner) for inner in value.blocks)

    def _number(self, block: Block, place: int) -> int:
        """Number the calls and barriers of a block from `place` on; returns the next place."""
        first = place
        for value in block.values:
            if place > _LARGEST:
                raise UnsupportedError("the subroutines have too many calls", value.where)
            if self._returns(value):
                self.of[value] = place
                place += 1 << self._bits
            for inner in value.blocks:
                place = self._number(inner, place)
        self.spans[block] = first, place
        return place

    def _returns(self, value: Value) -> bool:
        """Whether a value is a place: a call of one of the bodies, or a barrier for threads."""
        if value.op is ops.CALL:
            return row.SUBROUTINE.of(value) in self._bodies
        return meets(value)


def resume_calls(module: Module, most_inlined: int) -> None:
    """Rewrite calls if their copies would have more than `most_inlined` operations together."""
    if not module.functions:
        return
    sizes = CallSizes(module)
    if sizes.copied > most_inlined:
        _Resumption(module, sizes.depth, sizes.within(most_inlined)).run()


class _Resumption:
    """Rewrites a module's bodies, and makes the loop its main body. The state is in registers.

    Register `place` has the place at which a body is to start or continue, 0 while a body is
    running. `depth` has the number of places on the stack, `waiting` the number of the barrier at
    which the threads wait, from 1, else 0.
    """

    def __init__(self, module: Module, depth: int, inlined: set[str]):
        self.module = module
        functions = module.functions.items()
        resumed = {name: body for name, body in functions if name not in inlined}
        self.bodies = {_ENTRY: module.body, **resumed}
        self.places = CallPlaces(self.bodies)
        self.b = Builder(Block())
        self.free = 4 * module.temp_count
        self.place, self.depth, self.waiting = self._fresh(), self._fresh(), self._fresh()
        self.barriers: dict[Barrier, int] = {}
        stack = Resource("calls", MemoryKind.INDEXABLE_TEMP, 0, length=depth, components=1)
        self.stack = Access(stack, 1)
        # for each value, the block of the piece that computes it
        self.pieces: dict[Value, Block] = {}
        self.saved: dict[Value, int] = {}  # registers of values that other pieces use

    def _fresh(self) -> int:
        self.free += 1
        return self.free - 1

    def run(self) -> None:
        module = self.module
        for name, body in self.bodies.items():
            self._body(body, self.places.starts[name])
        module.functions = {**self.bodies, **module.functions}
        module.body = self._loop([*self.bodies])
        module.temp_count = -(-self.free // 4)

    # --- the loop --------------------------------------------------------------------------

    def _loop(self, names: list[str]) -> Block:
        """The new main body: a loop that runs bodies until the old main body has ended."""
        b, entry = self.b, Block()
        b.block = entry
        b.write_register(self.place, b.u32(self.places.starts[_ENTRY]))
        b.write_register(self.depth, b.u32(0))
        if self.barriers:
            b.write_register(self.waiting, b.u32(0))
            with self._endless():
                with self._endless():
                    self._run_one(names)
                self._meet()
        else:
            with self._endless():
                self._run_one(names)
        b.emit(ops.RETURN, VOID, [])
        return entry

    @contextmanager
    def _endless(self) -> Generator[None]:
        """A loop around the code that is built inside; a `break` leaves the loop."""
        b, outer, body = self.b, self.b.block, Block()
        b.block = body
        yield
        b.emit(ops.CONTINUE, VOID, [])
        b.block = outer
        b.emit(ops.LOOP, VOID, []).blocks = (body,)

    def _run_one(self, names: list[str]) -> None:
        """Call the body that `place` selects; if it has ended, select its caller."""
        b = self.b
        number = b.iand(self._read(self.place), b.u32(self.places.body_mask))
        labels = (*((n,) for n in range(len(names) - 1)), (None,))
        choice = Value(ops.SWITCH, VOID, [number], labels, b.where)
        choice.blocks = tuple(self._case(name) for name in names)
        b.block.values.append(choice)
        if self.barriers:
            with b.selection(b.nonzero(self._read(self.waiting))):
                self._leave(ops.BREAK)
        with b.selection(self._is_running()):
            self._pop()

    def _meet(self) -> None:
        """The code that all threads reach: the barrier at which they wait, or the loop's end."""
        b, waiting = self.b, self._read(self.waiting)
        with b.selection(b.ieq(waiting, b.u32(0))):
            self._leave(ops.BREAK)
        for barrier, number in self.barriers.items():
            with b.selection(b.ieq(waiting, b.u32(number))):
                b.barrier(barrier)
        b.write_register(self.waiting, b.u32(0))

    def _case(self, name: str) -> Block:
        block = Block()
        b = Builder(block, self.b.constants)
        b.call(name)
        b.emit(ops.BREAK, VOID, [])
        return block

    def _pop(self) -> None:
        """After a body has ended, select its caller."""
        b = self.b
        depth = self._read(self.depth)
        with b.selection(b.ieq(depth, b.u32(0))):
            self._leave(ops.BREAK)
        top = b.isub(depth, b.u32(1))
        b.write_register(self.depth, top)
        b.write_register(self.place, b.load(self.stack, [top]))

    def _leave(self, op: ops.Op) -> None:
        self.b.emit(op, VOID, [])
        self.b.block = Block()  # code after it is unreachable

    def _read(self, register: int) -> Value:
        return self.b.read_register(register, U32)

    def _is_running(self) -> Value:
        return self.b.ieq(self._read(self.place), self.b.u32(0))

    def _arrive(self, place: int) -> None:
        """Let the body run from here on, if it continues at this place."""
        b, wanted = self.b, self._read(self.place)
        arrived = b.ieq(wanted, b.u32(place))
        b.write_register(self.place, b.select(arrived, b.u32(0), wanted))

    # --- bodies ----------------------------------------------------------------------------

    def _body(self, body: Block, start: int) -> None:
        """Rewrite a body. Thread inputs stay first, in no piece, so all pieces can use them."""
        values = body.values
        first = next(i for i, value in enumerate(values) if value.op is not ops.INPUT)
        body.values = values[:first]
        self.b.block = body
        self._arrive(start)
        self._fill(body, values[first:])

    def _block(self, block: Block) -> None:
        values, block.values = block.values, []
        outer, self.b.block = self.b.block, block
        self._fill(block, values)
        self.b.block = outer

    def _fill(self, block: Block, values: list[Value]) -> None:
        """Put values into a block. The code between its places becomes pieces.

        A piece is an `if` that is entered while the body is running.
        """
        if not self.places.are_in(block):
            for value in values:
                self._keep(value, block)
            return
        piece: list[Value] = []
        *values, end = values
        for value in values:
            if self.places.are_at(value):
                self._piece(piece)
                piece = []
                self.b.where = value.where
                self._return(value) if value in self.places.of else self._construct(value)
            else:
                piece.append(value)
        self._piece(piece)
        block.values.append(end)

    def _piece(self, values: list[Value]) -> None:
        if not values:
            return
        b = self.b
        b.where = values[0].where
        with b.selection(self._is_running()):
            piece = b.block
            for value in values:
                self._keep(value, piece)

    def _keep(self, value: Value, piece: Block) -> None:
        """Append a value to its piece; operands from other pieces are read from registers."""
        b = self.b
        b.where = value.where
        value.args = [self._seen(arg, piece) for arg in value.args]
        for inner in value.blocks:
            values, inner.values = inner.values, []
            outer, b.block = b.block, inner
            for one in values:
                self._keep(one, piece)
            b.block = outer
        b.block.values.append(value)
        for one in (value, *value.results):
            self.pieces[one] = piece

    def _seen(self, value: Value, piece: Block | None) -> Value:
        """A value at its use: itself in its own piece, else a read of its register."""
        b, home = self.b, self.pieces.get(value, piece)
        if home is None or home is piece:
            return value
        if value not in self.saved:
            self.saved[value] = self._fresh()
            end = home.values.pop()
            outer, b.block = b.block, home
            b.write_register(self.saved[value], b.mask(value) if value.type is BOOL else value)
            home.values.append(end)
            b.block = outer
        type_ = U32 if value.type is BOOL else value.type
        found = b.read_register(self.saved[value], type_)
        return b.nonzero(found) if value.type is BOOL else found

    # --- calls, and constructs with calls --------------------------------------------------

    def _return(self, value: Value) -> None:
        """If the body is running, return for a call or barrier, and continue here after it."""
        place = self.places.of[value]
        with self.b.selection(self._is_running()):
            self._call(value, place) if value.op is ops.CALL else self._wait(value, place)
            self._leave(ops.RETURN)
        self._arrive(place)

    def _call(self, value: Value, place: int) -> None:
        b, depth = self.b, self._read(self.depth)
        b.store(self.stack, [depth], [b.u32(place)])
        b.write_register(self.depth, b.iadd(depth, b.u32(1)))
        b.write_register(self.place, b.u32(self.places.starts[row.SUBROUTINE.of(value)]))

    def _wait(self, value: Value, place: int) -> None:
        barrier = row.BARRIER.of(value)
        number = self.barriers.setdefault(barrier, len(self.barriers) + 1)
        self.b.write_register(self.place, self.b.u32(place))
        self.b.write_register(self.waiting, self.b.u32(number))

    def _construct(self, value: Value) -> None:
        b = self.b
        given = [self._seen(arg, None) for arg in value.args]
        if value.op is ops.IF:
            inside = self._is_in(value.blocks[:1])
            given = [b.lor(inside, b.land(self._is_running(), given[0]))]
        elif value.op is ops.SWITCH:
            given = [self._selector(value, given[0])]
        value.args = given
        with b.selection(b.lor(self._is_running(), self._is_in(value.blocks))):
            b.block.values.append(value)
        for inner in value.blocks:
            self._block(inner)

    def _is_in(self, blocks: Sequence[Block]) -> Value:
        """Whether the body continues at a place in these adjacent blocks."""
        b, spans = self.b, self.places.spans
        first, end = spans[blocks[0]][0], spans[blocks[-1]][1]
        return b.ult(b.isub(self._read(self.place), b.u32(first)), b.u32(end - first))

    def _selector(self, switch: Value, selector: Value) -> Value:
        """A label of the case that contains the place, else the shader's own selector."""
        b, cases = self.b, row.CASES.of(switch)
        known = {label for labels in cases for label in labels}
        other = next(n for n in range(len(known) + 1) if n not in known)
        for block, labels in zip(switch.blocks, cases, strict=True):
            if self.places.are_in(block):
                label = labels[0] if labels[0] is not None else other
                selector = b.select(self._is_in([block]), b.u32(label), selector)
        return selector
