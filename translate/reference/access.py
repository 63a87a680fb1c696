"""Execute the instructions that access resources: loads, stores, atomics, queries, samples.

Source: FS §22.4, §22.17; reference "Memory and resource operations".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from translate.dataclass import dataclass
from translate.errors import ProgramError
from translate.interface import RAW_BUFFER, STRUCTURED_BUFFER
from translate.isa.instruction import Lanes, Role, Scalar
from translate.isa.registers import Operand, RegisterFile
from translate.isa.texture import INTEGER_RETURN, RETURN_KIND
from translate.program import Statement
from translate.reference import words
from translate.reference.alu import evaluate_of, written
from translate.reference.findings import OUTSIDE
from translate.reference.layout import Layout, Slots
from translate.reference.races import AccessLog
from translate.reference.registers import Registers
from translate.reference.report import Reporter
from translate.reference.resources import Sampler
from translate.reference.sampling import Request, sample
from translate.reference.storage import Storage
from translate.reference.texels import (
    Question,
    TexelSpace,
    resource_info,
    sample_info,
    sample_position,
)
from translate.reference.words import SharedMemory, WordSpace, count_in_order

_MASKS = (0b0001, 0b0011, 0b0111, 0b1111)  # valid masks of stores (FS §22.4.11, §22.4.13)
_MAPPED = np.uint32(1)  # a status for check_access_fully_mapped: all bound resources are resident
_GATHERS = "gather4"


@dataclass(frozen=True, slots=True)
class Named:
    """A resource operand, and the one register that a set of lanes accesses through it.

    `slots` is the register's declaration; None for g#, or if the register is not declared.
    """

    operand: Operand
    register: str
    slots: Slots | None


class Accesses:
    """Executes all instructions with a resource operand, for the lanes of a batch."""

    def __init__(
        self,
        layout: Layout,
        storage: Storage,
        registers: Registers,
        shared: dict[int, SharedMemory],
        reporter: Reporter,
    ):
        self._layout = layout
        self._storage = storage
        self._registers = registers
        self._shared = shared
        self.reporter = reporter
        self._words: dict[str, WordSpace] = {}
        self._texels: dict[str, TexelSpace] = {}

    def logs(self, *, shared: bool) -> Iterator[AccessLog]:
        """The logs of g#, or of u#, that can race."""
        for space in (*self._words.values(), *self._texels.values()):
            is_shared = isinstance(space, WordSpace) and space.shared is not None
            if space.log is not None and shared == is_shared:
                yield space.log

    def finish(self) -> None:
        """Look for races of which no barrier came."""
        for log in (*self.logs(shared=True), *self.logs(shared=False)):
            log.meet()

    # --- which memory ------------------------------------------------------------------------

    def for_each(
        self, statement: Statement, lanes: Lanes, execute: Callable[[Statement, Named, Lanes], None]
    ) -> None:
        """Call `execute` once for each accessed register, with the lanes that access it.

        Lanes access different registers if the resource operand has a dynamic index.
        """
        operand = _resource_operand(statement)
        if operand.file is RegisterFile.GROUP_SHARED:
            execute(statement, Named(operand, f"g{operand.number}", None), lanes)
            return
        slots = self._layout.slots.get((operand.file, operand.number))
        for number, chosen in self._registers.registers_named(operand, lanes):
            name = self._registers.slot_name(operand, number)
            if len(operand.indices) == operand.file.index_count:
                slots = self._layout.slots.get((operand.file, number))
                if slots is None and operand.indices[0].relative is not None:
                    # An undeclared register acts like a null resource (FS §7.11.2).
                    slots, name = self._any_slots(operand.file), f"{operand.file.prefix}[{number}]"
            part = lanes if chosen is None else lanes[chosen]
            execute(statement, Named(operand, name, slots), part)

    def _any_slots(self, file: RegisterFile) -> Slots | None:
        """Any declaration in `file`, to stand in for that of an undeclared register.

        It shows how instructions address such registers. None if the file has no declaration.
        """
        return next((s for (its, _), s in self._layout.slots.items() if its is file), None)

    def is_typed(self, named: Named) -> bool:
        """Whether a register has texels; otherwise it is raw or structured."""
        operand = named.operand
        if operand.file is RegisterFile.GROUP_SHARED and operand.number in self._layout.shared:
            return False
        if named.slots is None:
            raise ProgramError(f"{named.register} is not declared", self.reporter.where)
        return named.slots.dimension is not None

    def word_space(self, named: Named) -> WordSpace:
        """The memory of a raw or structured register."""
        if named.register not in self._words:
            self._words[named.register] = self._make_word_space(named)
        return self._words[named.register]

    def _make_word_space(self, named: Named) -> WordSpace:
        if named.operand.file is RegisterFile.GROUP_SHARED:
            memory = self._shared[named.operand.number]
            stride = self._layout.shared[named.operand.number].stride // 4
            log = memory.log
            return WordSpace(
                named.register, memory.words, memory.size, stride, shared=memory, log=log
            )
        assert named.slots is not None
        view = self._storage.words(named.register)
        bound = self._storage.bound(named.register)
        stride = named.slots.stride // 4
        log = self._log(named, len(view)) if self._is_changed(named) else None
        return WordSpace(named.register, view, len(view), stride, bound, log=log)

    def _is_changed(self, named: Named) -> bool:
        """Whether the program stores to a register, or changes it by an atomic."""
        return (named.operand.file, named.operand.number) in self._layout.changed

    def _log(self, named: Named, count: int) -> AccessLog:
        assert named.slots is not None
        stride = named.slots.stride

        def place(at: int) -> tuple[int, tuple[int, ...]]:
            byte_offset = 4 * int(at)
            return byte_offset, divmod(byte_offset, stride) if stride else (byte_offset,)

        kind = STRUCTURED_BUFFER if stride else RAW_BUFFER
        return AccessLog(named.register, kind, count, self.reporter, place)

    def texel_space(self, named: Named) -> TexelSpace:
        """The memory of a typed register."""
        if named.register not in self._texels:
            assert named.slots is not None
            typed = self._storage.typed(named.register)
            space = TexelSpace(named.register, named.slots, typed)
            if self._is_changed(named):
                space.search_races(self.reporter)
            self._texels[named.register] = space
        return self._texels[named.register]

    # --- loads and stores --------------------------------------------------------------------

    def load(self, statement: Statement, lanes: Lanes) -> None:
        """Execute a load. Its operands: dst, [status,] address..., resource, [sample]."""
        self.for_each(statement, lanes, self._load)

    def _load(self, statement: Statement, named: Named, lanes: Lanes) -> None:
        components = [named.operand.component(c) for c in written(statement.operands[0])]
        if self.is_typed(named):
            space = self.texel_space(named)
            address = self.texel_address(statement, space, lanes)
            values = dict(enumerate(space.load(address, lanes, self.reporter)))
        else:
            space = self.word_space(named)
            address = self.word_address(statement, space, lanes)
            values = words.load(space, address, components, lanes, self.reporter)
        self._deliver(statement, [values[c] for c in components], lanes)

    def _deliver(self, statement: Statement, values: Sequence[Lanes], lanes: Lanes) -> None:
        """Write the loaded values to the destination's components, and the status."""
        target = statement.operands[0]
        for component, bits in zip(written(target), values, strict=True):
            self._registers.write(target, component, bits, lanes)
        if statement.row.feedback:
            status = statement.operands[1]
            for component in written(status):
                self._registers.write(status, component, np.full_like(lanes, _MAPPED), lanes)

    def store(self, statement: Statement, lanes: Lanes) -> None:
        """Execute a store. Its operands: target, address..., value."""
        self.for_each(statement, lanes, self._store)

    def _store(self, statement: Statement, named: Named, lanes: Lanes) -> None:
        self._require_writable(named)
        typed = self.is_typed(named)
        if named.operand.mask not in (_MASKS[-1:] if typed else _MASKS):
            takes = ".xyzw" if typed else ".x .xy .xyz .xyzw"
            message = f"{statement.row.name} takes the write masks {takes}"
            raise ProgramError(message, statement.where)
        source = statement.operands[-1]
        values = [
            self._registers.read_bits(source, c, Scalar.BITS, lanes)
            for c in named.operand.written()
        ]
        if typed:
            space = self.texel_space(named)
            address = self.texel_address(statement, space, lanes)
            space.store(address, values, lanes, self.reporter)
            return
        space = self.word_space(named)
        address = self.word_address(statement, space, lanes)
        words.store(space, address, values, lanes, self.reporter)

    def _require_writable(self, named: Named) -> None:
        if named.operand.file is RegisterFile.RESOURCE:
            raise ProgramError(f"{named.register} is read-only", self.reporter.where)

    def word_address(self, statement: Statement, space: WordSpace, lanes: Lanes) -> list[Lanes]:
        """The address of each lane: [byte offset], or for structures [index, byte offset]."""
        address: list[Lanes] = []
        for operand, spec in zip(statement.operands, statement.row.operands, strict=True):
            if spec.role is Role.ADDRESS:
                count = spec.slots or (2 if space.stride else 1)
                address += [self._read(operand, slot, lanes) for slot in range(count)]
        if len(address) != (2 if space.stride else 1):
            message = f"{statement.row.name} does not fit {space.register}"
            raise ProgramError(message, statement.where)
        return address

    def texel_address(self, statement: Statement, space: TexelSpace, lanes: Lanes) -> list[Lanes]:
        """The coordinates, then the mip or sample.

        `_aoffimmi` is added to all coordinates except the layer, modulo 2^32.
        """
        (operand,) = _with_role(statement, Role.ADDRESS)
        address = [self._read(operand, slot, lanes) for slot in range(space.coordinates)]
        for axis, offset in enumerate((statement.offsets or ())[: space.shape.axes]):
            address[axis] = address[axis] + np.uint32(offset & 0xFFFFFFFF)
        if space.has_mips:
            address.append(self._read(operand, 3, lanes))
        if space.shape.multisampled:
            address += [self._read(o, 0, lanes) for o in _with_role(statement, Role.SOURCE)]
        return address

    def _read(self, operand: Operand, slot: int, lanes: Lanes) -> Lanes:
        return self._registers.read(operand, slot, Scalar.U32, lanes)

    # --- atomics -----------------------------------------------------------------------------

    def atomic(self, statement: Statement, lanes: Lanes) -> None:
        """Execute an atomic. Its operands: [dst,] target, address, value..."""
        self.for_each(statement, lanes, self._atomic)

    def _atomic(self, statement: Statement, named: Named, lanes: Lanes) -> None:
        self._require_writable(named)
        returns = bool(statement.row.destinations) and bool(written(statement.operands[0]))
        values = [
            self._registers.read(operand, 0, spec.scalar, lanes)
            for operand, spec in zip(statement.operands, statement.row.operands, strict=True)
            if spec.role is Role.SOURCE
        ]
        evaluate = evaluate_of(statement)
        if self.is_typed(named):
            texels = self.texel_space(named)
            place = self.texel_address(statement, texels, lanes)
            old = texels.atomic(place, evaluate, values, lanes, self.reporter, returns=returns)
        else:
            space = self.word_space(named)
            address = self.word_address(statement, space, lanes)
            old = words.atomic(
                space, address, evaluate, values, lanes, self.reporter, returns=returns
            )
        if returns:
            self._write_everywhere(statement, old, lanes)

    def _write_everywhere(self, statement: Statement, bits: Lanes, lanes: Lanes) -> None:
        """Write one value to all written components of the first destination."""
        for component in written(statement.operands[0]):
            self._registers.write(statement.operands[0], component, bits, lanes)

    def counter(self, statement: Statement, lanes: Lanes) -> None:
        """Execute a counter instruction (dst, u#) in lane order; 0 if the u# has no counter."""
        self.for_each(statement, lanes, self._counter)

    def _counter(self, statement: Statement, named: Named, lanes: Lanes) -> None:
        start = self._storage.counter(named.register)
        if start is None or not len(lanes):
            self._report_no_counter(named, lanes)
            self._write_everywhere(statement, np.zeros(len(lanes), np.uint32), lanes)
            return
        given, end = count_in_order(start, len(lanes), evaluate_of(statement))
        self._storage.set_counter(named.register, end)
        self._write_everywhere(statement, given, lanes)

    # --- queries and sampling ----------------------------------------------------------------

    def counter_of(self, named: Named) -> int | None:
        """The current value of a UAV's hidden counter; None if the UAV has no counter."""
        number = self._storage.counter(named.register)
        return None if number is None else int(number)

    def _report_no_counter(self, named: Named, lanes: Lanes) -> None:
        """Report that a UAV has no hidden counter; D3D's documents do not define this case."""
        place = [np.zeros_like(lanes)] * 2
        self.reporter.add(
            named.register,
            STRUCTURED_BUFFER,
            OUTSIDE,
            lanes,
            place,
            defined=False,
            has_byte_offset=True,
        )

    def query(self, statement: Statement, lanes: Lanes) -> None:
        """Execute a query of a size or sample position.

        Its operands: dst, [mip,] resource, [sample].
        """
        self.for_each(statement, lanes, self._query)

    def _query(self, statement: Statement, named: Named, lanes: Lanes) -> None:
        arguments = [
            self._read(operand, 0, lanes)
            for role in (Role.ADDRESS, Role.SOURCE)
            for operand in _with_role(statement, role)
        ]
        controls = statement.row.controls
        kind = controls[0].read(statement.controls) if controls else 0
        if RETURN_KIND in controls:
            question = Question(self.texel_space(named), arguments[0], kind)
            values = resource_info(question)
        elif INTEGER_RETURN in controls:
            question = Question(self.texel_space(named), np.zeros_like(lanes), kind)
            values = sample_info(question)
        elif arguments:
            values = sample_position(Question(self.texel_space(named), arguments[0], kind))
        else:
            values = [np.full(len(lanes), self._extent(named), np.uint32)] * 4
        components = [named.operand.component(c) for c in written(statement.operands[0])]
        self._deliver(statement, [values[c] for c in components], lanes)

    def _extent(self, named: Named) -> int:
        """A buffer view's size: bytes if raw, otherwise structures or elements (FS §22.4.1)."""
        if self.is_typed(named):
            return self.texel_space(named).texel_count
        space = self.word_space(named)
        return space.size // space.stride if space.stride else 4 * space.size

    def sample(self, statement: Statement, lanes: Lanes) -> None:
        """Execute a sample.

        Its operands: dst, [status,] coordinates, [offset,] texture, sampler, then those of the mode
        (lod, gradients, reference value, clamp).
        """
        self.for_each(statement, lanes, self._sample)

    def _sample(self, statement: Statement, named: Named, lanes: Lanes) -> None:
        (operand,) = _with_role(statement, Role.SAMPLER)
        for number, chosen in self._registers.registers_named(operand, lanes):
            part = lanes if chosen is None else lanes[chosen]
            space = self.texel_space(named)
            request = self._request(statement, space, part)
            values = sample(space, self._sampler(operand, number), request)
            components = [named.operand.component(c) for c in written(statement.operands[0])]
            self._deliver(statement, [values[c] for c in components], part)

    def _sampler(self, operand: Operand, number: int) -> Sampler | None:
        """The state of sampler register `number`.

        None if it is not declared; in an unbounded range, also if Resources has no entry for it.
        """
        name = self._registers.slot_name(operand, number)
        slots = self._layout.slots.get((operand.file, operand.number))
        if len(operand.indices) == operand.file.index_count:
            exists = (operand.file, number) in self._layout.slots
        elif slots is not None and slots.is_unbounded:
            exists = self._storage.names(name)
        else:
            exists = slots is not None and slots.first <= number <= slots.last
        return self._storage.sampler(name) if exists else None

    def _request(self, statement: Statement, space: TexelSpace, lanes: Lanes) -> Request:
        """The operands as `sample` takes them: each under its name in the instruction's row."""
        given: dict[str, list[Lanes]] = {}
        for operand, spec in zip(statement.operands, statement.row.operands, strict=True):
            if spec.role is Role.ADDRESS:
                count = space.shape.sampling_coordinates
            elif spec.role is Role.SOURCE:
                axes = space.shape.axes + space.shape.cube
                count = min(spec.slots or 1, axes) if spec.name != "offset" else 2
            else:
                continue
            given[spec.name] = [
                self._registers.read(operand, slot, spec.scalar, lanes) for slot in range(count)
            ]
        (sampler,) = _with_role(statement, Role.SAMPLER)
        return Request(
            given=given,
            offset=statement.offsets or (0, 0, 0),
            gathers=statement.row.name.startswith(_GATHERS),
            channel=sampler.component(0),
            count=len(lanes),
        )


def _with_role(statement: Statement, role: Role) -> list[Operand]:
    return [
        operand
        for operand, spec in zip(statement.operands, statement.row.operands, strict=True)
        if spec.role is role
    ]


def _resource_operand(statement: Statement) -> Operand:
    (operand,) = _with_role(statement, Role.RESOURCE) or _with_role(statement, Role.TARGET)
    return operand
