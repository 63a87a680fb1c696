"""Emit SPIR-V from the IR: a function for each body, blocks in order.

This handles only accesses in bounds, so an unguarded access cannot reach SPIR-V.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from translate.ir import ops, row
from translate.ir.memory import Resource
from translate.ir.types import F32, U32
from translate.ir.values import Block, Module, Value
from translate.spirv import grammar
from translate.spirv.code import Code, Emitters
from translate.spirv.control import Control, store_zeros
from translate.spirv.grammar import BuiltIn, Capability, Decoration, ExecutionMode, Op, StorageClass
from translate.spirv.host_tables import Entries, HostTables
from translate.spirv.images import Images
from translate.spirv.locations import EXTENSION, DebugInfo, Lines, LocatedCode, OpLines, Sources
from translate.spirv.memory import Bind, Memory
from translate.spirv.push_constants import PushConstants
from translate.spirv.sampling import Sampling
from translate.spirv.sections import NO_NAMES, Sections, put, string_words
from translate.target_device import ANY_DEVICE, TargetDevice

_BUILT_INS = {  # thread input -> (built-in, components)
    "vThreadID": (BuiltIn.GlobalInvocationId, 3),
    "vThreadGroupID": (BuiltIn.WorkgroupId, 3),
    "vThreadIDInGroup": (BuiltIn.LocalInvocationId, 3),
    "vThreadIDInGroupFlattened": (BuiltIn.LocalInvocationIndex, 1),
}
_FLOAT_CONTROLS = {  # option -> (capability, execution mode, width)
    f"{name}_{width}": (getattr(Capability, word), getattr(ExecutionMode, word), width)
    for name, word, widths in (
        ("denorm_flush_to_zero", "DenormFlushToZero", (32, 64)),
        ("denorm_preserve", "DenormPreserve", (16, 32, 64)),
        ("signed_zero_inf_nan_preserve", "SignedZeroInfNanPreserve", (16, 32, 64)),
        ("rounding_mode_rte", "RoundingModeRTE", (32, 64)),
        ("rounding_mode_rtz", "RoundingModeRTZ", (16,)),
    )
    for width in widths
}
_FLUSH, _PRESERVE = "denorm_flush_to_zero_32", "denorm_preserve_32"
# The modes that concern UnpackHalf2x16 and PackHalf2x16
_OF_HALVES = {
    "denorm_preserve_16": (ops.HALF_TO_F32, ops.F32_NEAR_HALF),
    "signed_zero_inf_nan_preserve_16": (ops.F32_NEAR_HALF,),
}
_INTERFACE_LISTS_ALL = 0x00010400  # since this version, an entry point lists every variable
_HAS_NON_SEMANTIC = 0x00010600  # this version includes SPV_KHR_non_semantic_info


class Emitted(NamedTuple):
    """A finished module, its declared capabilities, float modes (`Options.float_controls`), and
    specialization constants."""

    data: bytes
    capabilities: frozenset[int]
    float_controls: tuple[str, ...]
    specializations: frozenset[str]


def emit_module(
    module: Module,
    bind: Bind,
    target: str = "vulkan1.1",
    device: TargetDevice = ANY_DEVICE,
    windows: tuple[str, ...] = (),
    entries: Entries = MappingProxyType({}),
    pushed: Mapping[str, int] = MappingProxyType({}),
    lines: Sources | None = None,
    debug: Sources | None = None,
) -> Emitted:
    """Emit a module with the entry point `main`; all its accesses must be in bounds.

    `bind` returns the set and binding of a register. `windows` are the single registers with a view
    range, in the order of their push constants; `entries` are the places of `HostTables`;
    `pushed` has the first byte in the push constants of each constant buffer there. `lines` is the
    source for OpLine, `debug` the source for NonSemantic.Shader.DebugInfo.100; without one, its
    instructions are not emitted.
    """
    version = grammar.VERSIONS[target]
    return _Emitter(module, bind, windows, entries, pushed, lines, debug, device).run(version)


class _Emitter:
    def __init__(
        self,
        module: Module,
        bind: Bind,
        windows: tuple[str, ...],
        entries: Entries,
        pushed: Mapping[str, int],
        lines: Sources | None,
        debug: Sources | None,
        device: TargetDevice,
    ):
        self.module = module
        self.sections = Sections(debug.names if debug else NO_NAMES)
        self.debug = DebugInfo(self.sections, debug) if debug else None
        written: list[Lines] = [OpLines(self.sections, lines)] if lines else []
        written += [self.debug] if self.debug else []
        tables = module.tables
        self.code = (
            LocatedCode(self.sections, tables, device, written)
            if written
            else Code(self.sections, tables, device)
        )
        whole = StorageClass.Private if module.functions else StorageClass.Function
        offsets = {r: pushed[r.register] for r in module.resources if r.register in pushed}
        self.pushes = PushConstants(self.code, windows, offsets)
        self.memory = Memory(self.code, bind, coherent_resources(module), whole, self.pushes)
        self.images = Images(self.code, self.memory)
        self.tables = HostTables(self.code, self.memory, self.images, entries, self.pushes)
        self.sampling = Sampling(self.code, self.memory, self.images)
        self.inputs: dict[str, int] = {}
        self.loaded_inputs: dict[str, int] = {}

    def run(self, version: int) -> Emitted:
        function = self.sections.id()
        self.function_ids = {name: self.sections.id() for name in self.module.functions}
        control = Control(self.code, self._emitters())  # this object does not refer to it: no cycle
        self._function(control, function, "main", self.module.body)
        for name, body in self.module.functions.items():
            self._function(control, self.function_ids[name], name, body)
        self._float_controls(version)
        self._debug_info(version)
        self._entry_point(function, version)
        sections, declared = self.sections, tuple(self.float_modes)
        return Emitted(
            sections.data(version),
            frozenset(sections.capabilities),
            declared,
            frozenset(sections.specializations),
        )

    def _emitters(self) -> Emitters:
        return {
            **self.memory.emitters(),
            **self.images.emitters(),
            **self.sampling.emitters(),
            **self.tables.emitters(),
            ops.INPUT: self._input,
            ops.CALL: self._call,
        }

    # --- around the body -----------------------------------------------------------------------

    def _function(self, control: Control, function: int, name: str, body: Block) -> None:
        """Emit a body as a function, beginning with its variables."""
        sections, label = self.sections, self.sections.id()
        self.code.restart(label)
        self.code.enter(function, name, body)
        self.loaded_inputs.clear()
        if body is self.module.body:
            store_zeros(self.code, self.memory)
        control.block(body)
        sections.name(function, name)
        kind = sections.type(Op.TypeFunction, sections.void)
        put(sections.functions, Op.Function, sections.void, function, 0, kind)
        put(sections.functions, Op.Label, label)
        sections.functions += self.code.variables
        sections.functions += self.code.body
        put(sections.functions, Op.FunctionEnd)

    def _entry_point(self, function: int, version: int) -> None:
        sections = self.sections
        interface = list(self.inputs.values())
        if version >= _INTERFACE_LISTS_ALL:
            interface += self.memory.module_variables() + self.pushes.module_variables()
        model, name = grammar.EXECUTION_MODEL_GLCOMPUTE, string_words("main")
        put(sections.entry, Op.EntryPoint, model, function, *name, *interface)
        size = self.module.thread_group
        put(sections.modes, Op.ExecutionMode, function, ExecutionMode.LocalSize, *size)
        for declared in self.float_modes:
            _, mode, width = _FLOAT_CONTROLS[declared]
            put(sections.modes, Op.ExecutionMode, function, mode, width)

    def _float_controls(self, version: int) -> None:
        """Declare the device's execution modes for the float widths that the module uses.

        Denormals can be either flushed or preserved; D3D flushes them.
        """
        wanted = self.code.device.float_modes
        if _FLUSH in wanted:
            wanted = wanted - {_PRESERVE}
        self.float_modes: list[str] = []
        for name in sorted(wanted):
            capability, _, width = _FLOAT_CONTROLS[name]
            if not self._governs(name, width):
                continue
            self.sections.capabilities.add(capability)
            self.float_modes.append(name)
        if self.float_modes and version < _INTERFACE_LISTS_ALL:
            self.sections.extensions.add("SPV_KHR_float_controls")

    def _governs(self, name: str, width: int) -> bool:
        """Whether a float mode may affect the module: it has floats of this width."""
        if width == F32.bits:
            return True
        if getattr(Capability, f"Float{width}") in self.sections.capabilities:
            return True
        concerned = _OF_HALVES.get(name)
        if concerned is None:
            return False
        return any(value.op in concerned for value in self.module.walk())

    def _debug_info(self, version: int) -> None:
        """Emit debug info about each resource's variable, and declare the extension."""
        if self.debug is None:
            return
        if version < _HAS_NON_SEMANTIC:
            self.sections.extensions.add(EXTENSION)
        for resource in self.module.resources:
            number = self.memory.module_variable(resource)
            if number is not None:
                name = self.sections.name_of(resource.register)
                self.debug.variable(number, name, resource.kind.name.lower())

    def _call(self, value: Value) -> None:
        function = self.function_ids[row.SUBROUTINE.of(value)]
        self.code.instruct(Op.FunctionCall, self.sections.void, function)

    def _input(self, value: Value) -> int:
        """A component of a thread input, which is loaded once per function."""
        name, component = row.INPUT.of(value)
        built_in, components = _BUILT_INS[name]
        uint = self.code.type(U32)
        kind = self.sections.vector(uint, components) if components > 1 else uint
        if name not in self.inputs:
            variable = self.sections.variable(StorageClass.Input, kind)
            self.sections.decorate(variable, Decoration.BuiltIn, built_in)  # needs no OpName
            self.inputs[name] = variable
        if name not in self.loaded_inputs:
            self.loaded_inputs[name] = self.code.instruct(Op.Load, kind, self.inputs[name])
        loaded = self.loaded_inputs[name]
        if components == 1:
            return loaded
        return self.code.instruct(Op.CompositeExtract, uint, loaded, component)


def coherent_resources(module: Module) -> frozenset[Resource]:
    """UAVs that must be Coherent: declared so, or read and written with `sync_u*`.

    In D3D, a group can exchange data through any UAV across `sync_ugroup` (FS §7.14); SPIR-V's
    GLSL450 memory model requires Coherent for that.
    """
    usage, uavs = module.tables.usage, [r for r in module.resources if r.is_uav]
    declared = frozenset(uav for uav in uavs if uav.globally_coherent)
    exchanging = frozenset(uav for uav in uavs if usage[uav].read and usage[uav].written)
    if exchanging <= declared:
        return declared
    synced = any(v.op is ops.BARRIER and row.BARRIER.of(v).uav_memory for v in module.walk())
    return declared | exchanging if synced else declared
