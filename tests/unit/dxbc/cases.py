"""Instructions encoded by hand from the token format's specification, and their meaning."""

from __future__ import annotations

from translate.isa.registers import Index, MinPrecision, Modifier, Operand, RegisterFile, Selection

from .build import CS_4_0, CS_5_0, CS_5_1
from .operands import bare, literal, register, selected, swizzled, written

RET = 0x0100003E
R0_X, R0_XY = "00100012 00000000", "00100032 00000000"
R1_SELECT_X, R1_VECTOR = "0010000a 00000001", "00100e46 00000001"
L_0, L_1 = "00004001 00000000", "00004001 00000001"
U0, G0 = bare(RegisterFile.UAV, 0), bare(RegisterFile.GROUP_SHARED, 0)
TEMP, CB = RegisterFile.TEMP, RegisterFile.CONSTANT_BUFFER

# opcode token without length, the dwords after it, mnemonic, operands
OPERANDS = [
    (0x3E, "", "ret", ()),
    (0x2000, f"{R0_XY} 80100e46 00000041 00000001 8010001a 00000081 00000002", "add",
     (written(0, "xy"), swizzled(TEMP, 1, modifier=Modifier.NEG),
      Operand(TEMP, selection=Selection.SELECT, swizzle=(1, 1, 1, 1),
              indices=(Index(2),), modifier=Modifier.ABS))),
    (0x4E, f"0000d000 {R0_X} {R1_SELECT_X} 0010000a 00000002", "udiv",
     (bare(RegisterFile.NULL), written(0, "x"), selected(1, "x"), selected(2, "x"))),
    (0x36, f"{R0_X} 00208006 00000002 00000005", "mov",
     (written(0, "x"), swizzled(CB, 2, 5, swizzle="xxxx"))),
    (0x36, "00100012 00000001 80100006 00004001 00000000", "mov",
     (written(1, "x"), swizzled(TEMP, 0, swizzle="xxxx", min_precision=MinPrecision.FLOAT16))),
    (0xB4, f"{R0_X} 0011e000 00000000 {R1_SELECT_X} {L_1}", "imm_atomic_iadd",
     (written(0, "x"), U0, selected(1, "x"), literal(1))),
    (0xA9, f"0011f000 00000000 {R1_SELECT_X} {L_1}", "atomic_and",
     (G0, selected(1, "x"), literal(1))),
    (0xA8, f"0011e012 00000000 {R1_SELECT_X} {L_0} {L_1}", "store_structured",
     (register(RegisterFile.UAV, 0, mask=1), selected(1, "x"), literal(0), literal(1))),
    (0xB2, f"{R0_X} 0011e000 00000000", "imm_atomic_alloc", (written(0, "x"), U0)),
    (0x2C, "0010a000 00000003", "label", (bare(RegisterFile.LABEL, 3),)),
    (0x06, "00004001 ffffffff", "case", (literal(0xFFFFFFFF),)),
    (0xBF, "001000c2 00000000 00100e46 00000001 00005002 00000000 3ff00000 00000000 40000000",
     "dadd",
     (written(0, "zw"), swizzled(TEMP, 1),
      Operand(RegisterFile.IMMEDIATE64, values=(0, 0x3FF00000, 0, 0x40000000)))),
    (0x29, f"{R0_X} 0002400a {L_1}", "ishl",
     (written(0, "x"),
      Operand(RegisterFile.THREAD_ID_IN_GROUP_FLATTENED, selection=Selection.SELECT,
              swizzle=(0, 0, 0, 0)), literal(1))),
]  # fmt: skip

# as above, then the dwords after the operands, and the model
DECLARATIONS = [
    (0x586A, "", "dcl_globalFlags", None, (), CS_5_0),
    (0x68, "00000003", "dcl_temps", None, (3,), CS_5_0),
    (0x69, "00000001 00000008 00000004", "dcl_indexableTemp", None, (1, 8, 4), CS_5_0),
    (0x9B, "00000008 00000004 00000002", "dcl_thread_group", None, (8, 4, 2), CS_5_0),
    (0x5F, "00020072", "dcl_input", Operand(RegisterFile.THREAD_ID, mask=7), (), CS_5_0),
    (0x5F, "00024000", "dcl_input", bare(RegisterFile.THREAD_ID_IN_GROUP_FLATTENED), (), CS_4_0),
    (0x59, "00208e46 00000001 00000005", "dcl_constantbuffer", swizzled(CB, 1, 5), (), CS_5_0),
    (0x5A, "00106000 00000002", "dcl_sampler", bare(RegisterFile.SAMPLER, 2), (), CS_5_0),
    (0x1858, "00107000 00000003 00005555", "dcl_resource", bare(RegisterFile.RESOURCE, 3),
     (0x5555,), CS_4_0),
    (0xA1, "00107000 00000001", "dcl_resource_raw", bare(RegisterFile.RESOURCE, 1), (), CS_4_0),
    (0xA2, "00107000 00000001 00000010", "dcl_resource_structured",
     bare(RegisterFile.RESOURCE, 1), (16,), CS_5_0),
    (0x89C, "0011e000 00000001 00004444", "dcl_uav_typed", bare(RegisterFile.UAV, 1), (0x4444,),
     CS_5_0),
    (0x9D, "0011e000 00000000", "dcl_uav_raw", U0, (), CS_5_0),
    (0x9E, "0011e000 00000000 0000000c", "dcl_uav_structured", U0, (12,), CS_5_0),
    (0x9F, "0011f000 00000000 00000100", "dcl_tgsm_raw", G0, (256,), CS_5_0),
    (0xA0, "0011f000 00000000 00000010 00000040", "dcl_tgsm_structured", G0, (16, 64), CS_5_0),
    (0x90, "00000002", "dcl_function_body", None, (2,), CS_5_0),
    (0x91, "00000001 00000002 00000004 00000006", "dcl_function_table", None, (1, 4, 6), CS_5_0),
    (0x92, "00000001 00000003 00020002 00000005 00000007", "dcl_interface", None, (1, 3, 2, 5, 7),
     CS_5_0),
    (0x59, "00308e46 00000001 00000004 00000008 00000003 00000002", "dcl_constantbuffer",
     swizzled(CB, 1, 4, 8), (3, 2), CS_5_1),
    (0xA2, "00307e46 00000000 00000002 ffffffff 00000008 00000001", "dcl_resource_structured",
     swizzled(RegisterFile.RESOURCE, 0, 2, 0xFFFFFFFF), (8, 1), CS_5_1),
    (0x9D, "0031ee46 00000000 00000002 00000002 00000001", "dcl_uav_raw",
     swizzled(RegisterFile.UAV, 0, 2, 2), (1,), CS_5_1),
]  # fmt: skip

# token and dwords of instructions with extended tokens, trailing dwords or relative indices
SPECIAL = [
    (
        0x8000002D,
        "800f1e01 800000c2 00155543 001000f2 00000000 00100e46 00000000 00107e46 00000000",
    ),
    (0x800000A7, f"80008302 00199983 {R0_X} {R1_SELECT_X} {L_0} 00107006 00000000"),
    (0x6E, f"{R0_XY} 00107e46 00000000 {R1_SELECT_X} 00000000"),
    (0x78, "00000002 00213000 00000001 00000000"),
    (0x00, f"{R0_X} 06208e46 00000000 00000003 {R1_SELECT_X} 0090900a {R1_SELECT_X}"),
    (0x280038, f"{R0_X} {R1_VECTOR} {R1_VECTOR}"),
    (0x58BE, ""),
]
