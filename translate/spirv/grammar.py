"""SPIR-V's numbers as data: the opcodes, extended instructions and enumerants that are emitted.

Names are the specification's own. Source: SPIR-V specification, "Binary Form"; GLSL.std.450
extended instruction set.
"""

from __future__ import annotations

from typing import Final

MAGIC: Final = 0x07230203
GENERATOR: Final = 0  # unregistered
VERSIONS: Final = {  # SPIR-V versions by target environment
    "vulkan1.1": 0x00010300,
    "vulkan1.2": 0x00010500,
    "vulkan1.3": 0x00010600,
}


class Op:
    """Opcodes (§3.3)."""

    Name: Final = 5
    MemberName: Final = 6
    String: Final = 7
    Line: Final = 8
    Extension: Final = 10
    ExtInstImport: Final = 11
    ExtInst: Final = 12
    MemoryModel: Final = 14
    EntryPoint: Final = 15
    ExecutionMode: Final = 16
    Capability: Final = 17
    TypeVoid: Final = 19
    TypeBool: Final = 20
    TypeInt: Final = 21
    TypeFloat: Final = 22
    TypeVector: Final = 23
    TypeImage: Final = 25
    TypeSampler: Final = 26
    TypeSampledImage: Final = 27
    TypeArray: Final = 28
    TypeRuntimeArray: Final = 29
    TypeStruct: Final = 30
    TypePointer: Final = 32
    TypeFunction: Final = 33
    ConstantTrue: Final = 41
    ConstantFalse: Final = 42
    Constant: Final = 43
    ConstantComposite: Final = 44
    ConstantNull: Final = 46
    SpecConstantFalse: Final = 49
    Function: Final = 54
    FunctionParameter: Final = 55
    FunctionEnd: Final = 56
    FunctionCall: Final = 57
    Variable: Final = 59
    ImageTexelPointer: Final = 60
    Load: Final = 61
    Store: Final = 62
    AccessChain: Final = 65
    ArrayLength: Final = 68
    Decorate: Final = 71
    MemberDecorate: Final = 72
    VectorShuffle: Final = 79
    CompositeConstruct: Final = 80
    CompositeExtract: Final = 81
    SampledImage: Final = 86
    ImageSampleExplicitLod: Final = 88
    ImageSampleDrefExplicitLod: Final = 90
    ImageFetch: Final = 95
    ImageGather: Final = 96
    ImageDrefGather: Final = 97
    ImageRead: Final = 98
    ImageWrite: Final = 99
    ImageQuerySizeLod: Final = 103
    ImageQuerySize: Final = 104
    ImageQueryLevels: Final = 106
    ImageQuerySamples: Final = 107
    ConvertFToU: Final = 109
    ConvertFToS: Final = 110
    ConvertSToF: Final = 111
    ConvertUToF: Final = 112
    FConvert: Final = 115
    Bitcast: Final = 124
    FNegate: Final = 127
    IAdd: Final = 128
    FAdd: Final = 129
    ISub: Final = 130
    FSub: Final = 131
    IMul: Final = 132
    FMul: Final = 133
    UDiv: Final = 134
    FDiv: Final = 136
    UMod: Final = 137
    UMulExtended: Final = 151
    SMulExtended: Final = 152
    LogicalNotEqual: Final = 165
    LogicalOr: Final = 166
    LogicalAnd: Final = 167
    LogicalNot: Final = 168
    Select: Final = 169
    IEqual: Final = 170
    INotEqual: Final = 171
    UGreaterThanEqual: Final = 174
    SGreaterThanEqual: Final = 175
    ULessThan: Final = 176
    SLessThan: Final = 177
    FOrdEqual: Final = 180
    FUnordNotEqual: Final = 183
    FOrdLessThan: Final = 184
    FOrdGreaterThan: Final = 186
    FOrdGreaterThanEqual: Final = 190
    ShiftRightLogical: Final = 194
    ShiftRightArithmetic: Final = 195
    ShiftLeftLogical: Final = 196
    BitwiseOr: Final = 197
    BitwiseXor: Final = 198
    BitwiseAnd: Final = 199
    Not: Final = 200
    BitFieldInsert: Final = 201
    BitFieldSExtract: Final = 202
    BitFieldUExtract: Final = 203
    BitReverse: Final = 204
    BitCount: Final = 205
    ControlBarrier: Final = 224
    MemoryBarrier: Final = 225
    AtomicExchange: Final = 229
    AtomicCompareExchange: Final = 230
    AtomicIAdd: Final = 234
    AtomicSMin: Final = 236
    AtomicUMin: Final = 237
    AtomicSMax: Final = 238
    AtomicUMax: Final = 239
    AtomicAnd: Final = 240
    AtomicOr: Final = 241
    AtomicXor: Final = 242
    Phi: Final = 245
    LoopMerge: Final = 246
    SelectionMerge: Final = 247
    Label: Final = 248
    Branch: Final = 249
    BranchConditional: Final = 250
    Switch: Final = 251
    Return: Final = 253
    ReturnValue: Final = 254
    Unreachable: Final = 255
    GroupNonUniformBroadcastFirst: Final = 338


class Std450:
    """GLSL.std.450."""

    RoundEven: Final = 2
    Trunc: Final = 3
    FAbs: Final = 4
    Floor: Final = 8
    Ceil: Final = 9
    Sin: Final = 13
    Cos: Final = 14
    Exp2: Final = 29
    Log2: Final = 30
    Sqrt: Final = 31
    InverseSqrt: Final = 32
    UMin: Final = 38
    SMin: Final = 39
    UMax: Final = 41
    SMax: Final = 42
    PackHalf2x16: Final = 58
    UnpackHalf2x16: Final = 62
    FindILsb: Final = 73
    FindSMsb: Final = 74
    FindUMsb: Final = 75
    NMin: Final = 79
    NMax: Final = 80


class Debug:
    """NonSemantic.Shader.DebugInfo.100."""

    InfoNone: Final = 0
    CompilationUnit: Final = 1
    TypeFunction: Final = 8
    TypeComposite: Final = 10
    GlobalVariable: Final = 18
    Function: Final = 20
    Scope: Final = 23
    Source: Final = 35
    FunctionDefinition: Final = 101
    SourceContinued: Final = 102
    Line: Final = 103
    EntryPoint: Final = 107


class DebugFlags:
    """Debug Info Flags of NonSemantic.Shader.DebugInfo.100."""

    IsPublic: Final = 3
    IsDefinition: Final = 8
    Artificial: Final = 32


class Capability:
    """Capability (§3.2)."""

    Shader: Final = 1
    Float16: Final = 9
    Float64: Final = 10
    ImageBuffer: Final = 47
    SampledBuffer: Final = 46
    ImageQuery: Final = 50
    StorageImageExtendedFormats: Final = 49
    StorageImageReadWithoutFormat: Final = 55
    StorageImageWriteWithoutFormat: Final = 56
    Sampled1D: Final = 43
    Image1D: Final = 44
    SampledCubeArray: Final = 45
    ImageGatherExtended: Final = 25
    MinLod: Final = 42
    GroupNonUniformBallot: Final = 64
    RuntimeDescriptorArray: Final = 5302
    ShaderNonUniform: Final = 5301
    UniformBufferArrayDynamicIndexing: Final = 28
    SampledImageArrayDynamicIndexing: Final = 29
    StorageBufferArrayDynamicIndexing: Final = 30
    StorageImageArrayDynamicIndexing: Final = 31
    UniformTexelBufferArrayDynamicIndexing: Final = 5304
    StorageTexelBufferArrayDynamicIndexing: Final = 5305
    UniformBufferArrayNonUniformIndexing: Final = 5306
    SampledImageArrayNonUniformIndexing: Final = 5307
    StorageBufferArrayNonUniformIndexing: Final = 5308
    StorageImageArrayNonUniformIndexing: Final = 5309
    UniformTexelBufferArrayNonUniformIndexing: Final = 5311
    StorageTexelBufferArrayNonUniformIndexing: Final = 5312
    DenormPreserve: Final = 4464
    DenormFlushToZero: Final = 4465
    SignedZeroInfNanPreserve: Final = 4466
    RoundingModeRTE: Final = 4467
    RoundingModeRTZ: Final = 4468


class LoopControl:
    """How a loop is to be compiled (§3.23)."""

    DontUnroll: Final = 2


class StorageClass:
    """Storage Class."""

    UniformConstant: Final = 0
    Input: Final = 1
    Uniform: Final = 2
    Workgroup: Final = 4
    Private: Final = 6
    Function: Final = 7
    PushConstant: Final = 9
    Image: Final = 11
    StorageBuffer: Final = 12


class Decoration:
    """Decoration."""

    SpecId: Final = 1
    Block: Final = 2
    ArrayStride: Final = 6
    BuiltIn: Final = 11
    Coherent: Final = 23
    NonWritable: Final = 24
    Binding: Final = 33
    DescriptorSet: Final = 34
    Offset: Final = 35
    NoContraction: Final = 42
    NonUniform: Final = 5300


class BuiltIn:
    """BuiltIn."""

    WorkgroupId: Final = 26
    LocalInvocationId: Final = 27
    GlobalInvocationId: Final = 28
    LocalInvocationIndex: Final = 29


class Dim:
    """Dim."""

    Dim1D: Final = 0
    Dim2D: Final = 1
    Dim3D: Final = 2
    Cube: Final = 3
    Buffer: Final = 5


class Scope:
    """Scope <id>."""

    Device: Final = 1
    Workgroup: Final = 2
    Subgroup: Final = 3


class MemorySemantics:
    """Memory Semantics <id>."""

    AcquireRelease: Final = 8
    UniformMemory: Final = 64
    WorkgroupMemory: Final = 256
    ImageMemory: Final = 2048


class ExecutionMode:
    """Execution Mode."""

    LocalSize: Final = 17
    DenormPreserve: Final = 4459
    DenormFlushToZero: Final = 4460
    SignedZeroInfNanPreserve: Final = 4461
    RoundingModeRTE: Final = 4462
    RoundingModeRTZ: Final = 4463


class ImageOperands:
    """Image Operands."""

    Lod: Final = 2
    Grad: Final = 4
    ConstOffset: Final = 8
    Offset: Final = 16
    Sample: Final = 64
    MinLod: Final = 128


class ImageFormat:
    """Image Format."""

    Unknown: Final = 0
    Rgba32f: Final = 1
    Rgba16f: Final = 2
    R32f: Final = 3
    Rgba8: Final = 4
    Rgba8Snorm: Final = 5
    Rg32f: Final = 6
    Rg16f: Final = 7
    R11fG11fB10f: Final = 8
    R16f: Final = 9
    Rgba16: Final = 10
    Rgb10A2: Final = 11
    Rg16: Final = 12
    Rg8: Final = 13
    R16: Final = 14
    R8: Final = 15
    Rgba16Snorm: Final = 16
    Rg16Snorm: Final = 17
    Rg8Snorm: Final = 18
    R16Snorm: Final = 19
    R8Snorm: Final = 20
    Rgba32i: Final = 21
    Rgba16i: Final = 22
    Rgba8i: Final = 23
    R32i: Final = 24
    Rg32i: Final = 25
    Rg16i: Final = 26
    Rg8i: Final = 27
    R16i: Final = 28
    R8i: Final = 29
    Rgba32ui: Final = 30
    Rgba16ui: Final = 31
    Rgba8ui: Final = 32
    R32ui: Final = 33
    Rgb10a2ui: Final = 34
    Rg32ui: Final = 35
    Rg16ui: Final = 36
    Rg8ui: Final = 37
    R16ui: Final = 38
    R8ui: Final = 39


class SourceLanguage:
    """Source Language."""

    Unknown: Final = 0
    HLSL: Final = 5


EXECUTION_MODEL_GLCOMPUTE: Final = 5
ADDRESSING_MODEL_LOGICAL: Final = 0
MEMORY_MODEL_GLSL450: Final = 1
