#!/bin/sh
# What Microsoft's fxc 10.0.26100 drops or replaces without a message: barriers at which threads wait
# for memory that the barrier does not name, the comparison of a switch with one case, and the rounds
# of a loop after the number in [unroll(n)]. A table of two integers becomes arithmetic, whose result
# is neither of them for an index outside; a dynamic component of a vector, or row of a column-major
# matrix, becomes a product with a table of 0 and 1, where one infinity makes all others NaNs.
#
# Expected: what the statements say. Microsoft's reference of HLSL promises for a barrier
# WithGroupSync that all threads of the group have reached it, and for unroll(n) that a loop runs at
# most n times. It leaves an index outside undefined.
set -eu
. "$(dirname "$0")/common/setup.sh"
hlsl_compilers

python - <<'PYTHON'
from finding import check
from hlsl import fxc, shader


def names(statements, declared="", threads=1):
    """The instructions' names, without their form in parentheses."""
    try:
        code = fxc(shader(statements, declared, threads))
    except ValueError as error:
        return next(word for word in str(error).replace(":", " ").split() if word[0] == "X")
    lines = [line for line in code if line[0] != "{"]
    return " ".join(line.partition(" ")[0].partition("(")[0] for line in lines)


OWN = "groupshared uint own[64];"
UAV = "RWStructuredBuffer<uint> own : register(u1);"
for barrier, memory, stated, right in (
    ("DeviceMemoryBarrierWithGroupSync", OWN, "", "a wait"),
    ("GroupMemoryBarrierWithGroupSync", OWN, "sync_g_t", "sync_g_t"),
    ("GroupMemoryBarrierWithGroupSync", UAV, "", "a wait"),
    ("AllMemoryBarrierWithGroupSync", UAV, "sync_uglobal_g_t", "sync_uglobal_g_t"),
):
    code = names(f"own[i] = i; {barrier}(); found.Store(4 * i, own[i ^ 1]);", memory, 64)
    seen = " ".join(word for word in code.split() if word.startswith("sync"))
    kind = memory.partition(" ")[0].partition("<")[0]
    check(f"a store, {barrier}(), and a load of {kind}", seen, stated, right)
for selector, stated, right in (
    ("id.x", "store_raw", "a comparison"),
    ("i & 3", "store_raw", "a comparison"),
    ("n", "ieq if_nz store_raw endif", "a comparison"),
):
    code = names(f"switch ({selector}) {{ case 3: found.Store(4 * id.x, 1); break; }}", "", 64)
    seen = " ".join(word for word in code.split() if word not in ("ishl", "and"))
    check(f"switch ({selector}) with one case", seen, stated, right)
for attribute, rounds, stated, right in (
    ("[unroll(3)]", 4, "3 adds", "4 adds"),
    ("[unroll(3)]", 3, "3 adds", "3 adds"),
    ("[unroll]", 1023, "1023 adds", "1023 adds"),
    ("[unroll]", 1024, "X3511", "1024 adds"),
):
    loop = f"{attribute} for (uint k = 0; k < {rounds}; ++k) found.InterlockedAdd(4 * k, n);"
    code = names(loop).split()
    seen = next((w for w in code if w in ("loop", "X3511")), f"{code.count('atomic_iadd')} adds")
    check(f"{attribute} for {rounds} rounds", seen, stated, right)
for rounds, stated in ((253, False), (254, True)):
    loop = f"float sum = 0; for (uint k = 0; k < {rounds}; ++k) sum = sum * x + k;"
    code = names(f"{loop} found.Store(0, asuint(sum));").split()
    check(f"a loop of {rounds} rounds stays", "loop" in code, stated, "either")
for table, stated, right in (
    ("uint two[2] = {3, 4}", "iadd", "one of both"),
    ("uint two[2] = {0, 1}", "", "one of both"),
    ("int two[2] = {-1, 1}", "ult movc", "one of both"),
    ("uint three[3] = {3, 4, 6}", "iadd ult movc", "one of three"),
):
    name = table.split("[")[0].split()[1]
    code = names(f"found.Store(0, {name}[n]);", f"static const {table};")
    check(f"{table}, then {name}[n]", code.replace("store_raw", "").strip(), stated, right)
for value, stated, right in (
    ("v[n]", "mov dp4", "a choice"),
    ("m[n].x", "mov dp4", "a choice"),
):
    code = names(f"found.Store(0, asuint({value}));")
    check(value, code.replace("store_raw", "").strip(), stated, right)
BOOLS = "StructuredBuffer<bool> flags : register(t0);"
for value, stated in (("uint(flags[n])", "and"), ("flags[n] ? 5 : 6", "movc")):
    code = names(f"found.Store(0, {value});", BOOLS).replace("ld_structured_indexable", "")
    seen = code.replace("store_raw", "").replace("mov ", "").strip()
    check(f"{value} of a StructuredBuffer<bool>", seen, stated, "one meaning of a bool")
PYTHON
