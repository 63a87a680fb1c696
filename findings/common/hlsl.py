"""Four compilers of HLSL, as `hlsl_compilers` of setup.sh installs them."""

import ctypes
import functools
import glob
import importlib.util
import re
import struct
import subprocess

STRICT = 1 << 13  # D3DCOMPILE_IEEE_STRICTNESS, fxc's /Gis
_PLAIN = ("Function", "Label", "AccessChain", "Load", "Bitcast", "FunctionParameter", "Variable")
GLSL, SPIRV, _HLSL, _COMPUTE = 2, 6, 2, 6  # slang.h


def shader(statements, declared="", threads=1):
    """A shader with numbers that the compilers do not know: x, v, n, m."""
    return f"""
        RWByteAddressBuffer found : register(u0);
        cbuffer Numbers : register(b0) {{ float x; float4 v; uint n; float4x4 m; }};
        {declared}
        [numthreads({threads}, 1, 1)]
        void main(uint3 id : SV_DispatchThreadID, uint i : SV_GroupIndex)
        {{
            {statements}
        }}
    """


def fxc(source, flags=0):
    """The instructions of Microsoft's compiler, with the bits of numbers."""
    with open("source.hlsl", "w") as file:
        file.write(source)
    return _code(["wine", "d3d.exe", "source.hlsl", "main", str(flags)])


def vkd3d(source):
    """The instructions of vkd3d-compiler."""
    with open("source.hlsl", "w") as file:
        file.write(source)
    libraries = "sid/usr/lib/x86_64-linux-gnu"
    words = [f"{libraries}/ld-linux-x86-64.so.2", "--library-path", libraries]
    words += ["sid/usr/bin/vkd3d-compiler", "-x", "hlsl", "-p", "cs_5_0", "-b", "d3d-asm"]
    return _code([*words, "source.hlsl"])


def _code(words):
    done = subprocess.run(words, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise ValueError((done.stdout + done.stderr).strip())
    lines = [line.strip() for line in done.stdout.splitlines()]
    ignored = ("//", "cs_5_0", "dcl_", "ret")
    return [line for line in lines if line and not line.startswith(ignored)]


def dxc(source):
    """The SPIR-V of DXC, disassembled."""
    from compushady.shaders.hlsl import compile

    return _disassembled(compile(source))


def slang(source):
    """The SPIR-V of Slang, disassembled."""
    return _disassembled(slang_code(source, SPIRV))


def slang_code(source, target):
    """What Slang makes of a shader. Its C interface needs no device."""
    library, session = _slang()
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int

    def call(name, result, *rest):
        function = getattr(library, name)
        function.restype = result
        return function(pointer(request), *rest)

    library.spCreateCompileRequest.restype = pointer
    request = library.spCreateCompileRequest(pointer(session))
    call("spAddCodeGenTarget", number, target)
    unit = call("spAddTranslationUnit", number, _HLSL, b"unit")
    call("spAddTranslationUnitSourceString", None, unit, b"source.hlsl", source.encode())
    call("spAddEntryPoint", number, unit, b"main", _COMPUTE)
    if call("spCompile", number):
        raise ValueError(call("spGetDiagnosticOutput", text).decode())
    size = ctypes.c_size_t()
    code = call("spGetEntryPointCode", pointer, 0, ctypes.byref(size))
    return ctypes.string_at(code, size.value)


@functools.cache
def _slang():
    (folder,) = importlib.util.find_spec("slangpy").submodule_search_locations
    (path,) = glob.glob(f"{folder}/libslang-compiler.so.*")
    library = ctypes.CDLL(path)
    library.spCreateSession.restype = ctypes.c_void_p
    return library, library.spCreateSession(None)


def _disassembled(module):
    with open("module.spv", "wb") as file:
        file.write(bytes(module))
    words = ["spirv-dis", "--raw-id", "--no-indent", "module.spv"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def stored(compiler, source):
    """The bits that the code of `found.Store(0, ...)` stores, or its operations, or "refused"."""
    try:
        code = compiler(source)
    except ValueError:
        return "refused"
    return _stored_by_module(code) if isinstance(code, str) else _stored_by_listing(code)


def _stored_by_listing(lines):
    *before, store = lines
    match = re.fullmatch(r"store_raw u0\.x, l\([^)]*\), l\(([^)]*)\)", store)
    if match and not before:
        return f"0x{int(match[1], 0):08x}"
    return " ".join(line.partition(" ")[0].partition("(")[0] for line in before) or "the operand"


def _stored_by_module(text):
    constants = dict(re.findall(r"^(%\d+ = OpConstant) (%\d+ \S+)$", text, re.M))
    floats = re.findall(r"^(%\d+) = OpTypeFloat 32$", text, re.M)
    value = re.findall(r"^OpStore %\d+ (%\d+)$", text, re.M)[-1]
    found = constants.get(f"{value} = OpConstant")
    if found is not None:
        kind, number = found.split()
        if kind in floats:
            read = float.fromhex(number) if "0x" in number else float(number)
            return "0x" + struct.pack(">f", read).hex()
        return f"0x{int(number) & 0xFFFFFFFF:08x}"
    body = text[text.index("OpFunction ") :]
    names = re.findall(r"^%\d+ = Op(?:ExtInst %\d+ %\d+ )?(\w+)", body, re.M)
    return " ".join(name for name in names if name not in _PLAIN) or "the operand"
