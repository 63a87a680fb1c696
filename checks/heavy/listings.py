"""Listings whose cost could grow faster than their size; each function takes a size."""

from __future__ import annotations

from collections.abc import Callable

_HEAD = "cs_5_0\ndcl_globalFlags refactoringAllowed\n"
_THREADS = "dcl_input vThreadID.xyz\ndcl_temps {}\ndcl_thread_group 1, 1, 1\n"
_LAST = "imad r0.x, r0.x, l(3), l(1)\n"  # of the subroutine that calls no other
Family = Callable[[int], str]


def listing(body: str, declarations: str = "", temps: int = 4, after: str = "") -> str:
    """A shader that writes r0.x; `after` are its subroutines."""
    head = _HEAD + declarations + "dcl_uav_raw u0\n" + _THREADS.format(temps)
    return f"{head}{body}store_raw u0.x, l(0), r0.x\nret\n{after}"


def subroutines(levels: list[str]) -> str:
    """A subroutine for each level, whose text names the next one as {0}."""
    bodies = (level.format(f"label{i + 1}") for i, level in enumerate(levels))
    return "".join(f"label label{i}\n{body}ret\n" for i, body in enumerate(bodies))


def calls(depth: int, fanout: int = 2) -> str:
    """Subroutines that each call the next one several times."""
    levels = ["call {0}\n" * fanout] * (depth - 1) + [_LAST]
    return listing("call label0\n", after=subroutines(levels))


def falling_cases(count: int, registers: int = 100) -> str:
    """Two in three cases fall through, and each changes one of many registers."""
    cases = (
        f"case l({i})\nimad r{i % registers + 1}.xyzw, r{(i + 1) % registers + 1}.xyzw, "
        f"vThreadID.xyzx, r0.xxxx\n" + "break\n" * (i % 3 == 0)
        for i in range(count)
    )
    reads = "".join(f"store_raw u0.xyzw, l(0), r{i + 1}.xyzw\n" for i in range(registers))
    body = f"switch vThreadID.x\n{''.join(cases)}break\nendswitch\n{reads}"
    return listing(body, temps=registers + 1)


def exits(count: int, registers: int = 50) -> str:
    """A loop with many exits, each with all the registers that the loop changes."""
    writes = "".join(f"iadd r{i}.xyzw, r{i}.wxyz, vThreadID.xyzx\n" for i in range(registers))
    leaves = "".join(f"breakc_nz r{i % registers}.x\n" for i in range(count))
    reads = "".join(f"store_raw u0.xyzw, l(0), r{i}.xyzw\n" for i in range(registers))
    return listing(f"loop\n{writes}{leaves}endloop\n{reads}", temps=registers)


def interface_calls(count: int, instances: int = 64) -> str:
    """Calls through an index into an array of interfaces: each calls every instance's body."""
    declarations = "dcl_function_body fb0\ndcl_function_table ft0 = {fb0}\n"
    declarations += f"dcl_interface fp0[{instances}][1] = {{ft0}}\n"
    body = "fcall fp0[r0.x + 0][0]\n" * count
    return listing(body, declarations, after="label fb0\niadd r0.x, r0.x, l(1)\nret\n")


def conditional_calls(depth: int, fanout: int = 3) -> str:
    """Calls in constructs, each under a condition, with a barrier in the entry."""
    inner = "if_nz r0.x\n  call {0}\nelse\n  iadd r0.y, r0.y, l(1)\nendif\n"
    inner += "loop\n  breakc_z r0.y\n  ushr r0.y, r0.y, l(1)\n  call {0}\nendloop\n"
    levels = [inner * fanout] * (depth - 1) + [_LAST]
    entry = "mov r0.xy, vThreadID.xyxx\ncall label0\nsync_g_t\ncall label0\n"
    return listing(entry, after=subroutines(levels))


def breaking_cases(count: int, registers: int = 100) -> str:
    """Cases that all end with a break, with many registers that some of them change."""
    cases = "".join(
        f"case l({i})\nmov r{i % registers + 1}.x, l({i})\nbreak\n" for i in range(count)
    )
    reads = "".join(f"store_raw u0.x, l({4 * i}), r{i + 1}.x\n" for i in range(registers))
    return listing(f"switch vThreadID.x\n{cases}endswitch\n{reads}", temps=registers + 1)


def nested_loops(count: int) -> str:
    """Nested loops that carry many registers through every level."""
    head = "".join(f"loop\nbreakc_nz r{i}.x\niadd r{i}.xyzw, r{i}.yzwx, r0.x\n" for i in range(16))
    return listing((head + "endloop\n" * 16) * count, temps=16)


def _array(count: int, body: str) -> str:
    """A shader that reads and writes u0.xyzw as r0, with an x# of so many vectors."""
    declarations = f"dcl_indexableTemp x0[{count}], 4\n"
    end = "store_raw u0.xyzw, l(0), r1.xyzw\nmov r0.x, r1.x\n"
    return listing("ld_raw r0.xyzw, l(0), u0.xyzw\n" + body + end, declarations)


def array_stores(count: int) -> str:
    """One store to each element of an x#, and a load by an index at run time."""
    stores = "".join(
        f"iadd r1.xyzw, r0.xyzw, l({i})\nmov x0[{i}].xyzw, r1.xyzw\n" for i in range(count)
    )
    return _array(count, stores + "mov r1.xyzw, x0[r0.x + 0].xyzw\n")


def array_loads(count: int) -> str:
    """Loads from an x#, each indexed by the result of the one before."""
    loads = "".join(f"iadd r1.xyzw, r1.wxyz, x0[r1.x + {i}].xyzw\n" for i in range(count))
    return _array(count, "mov x0[r0.x + 0].xyzw, r0.yzwx\nmov r1.xyzw, r0.xyzw\n" + loads)


def loops_in_a_row(count: int) -> str:
    """Loops after each other; the first leaves r0.x at 3 or more, each later one at 3 higher."""
    once = "loop\nuge r0.y, r0.x, l({})\nbreakc_nz r0.y\niadd r0.x, r0.x, l(2)\nendloop\n"
    body = "".join(once.format(3 * number + 3) for number in range(count))
    return listing(f"ld_raw r0.x, l(0), u0.xxxx\n{body}")


def returns_in_a_row(count: int) -> str:
    """Places where a thread returns if u0.x has the place's number; u0.y counts the others."""
    once = "ieq r0.y, r0.x, l({})\nretc_nz r0.y\nstore_raw u0.x, l(4), l({})\n"
    body = "".join(once.format(number, number + 1) for number in range(count))
    return listing(f"ld_raw r0.x, l(0), u0.xxxx\n{body}")
