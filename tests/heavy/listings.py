"""Listings whose cost could grow faster than their size, each made with a size of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

_HEAD = "cs_5_0\ndcl_globalFlags refactoringAllowed\n"
_THREADS = "dcl_input vThreadID.xyz\ndcl_temps {}\ndcl_thread_group 1, 1, 1\n"
Family = Callable[[int], str]


def listing(body: str, declarations: str = "", temps: int = 4, after: str = "") -> str:
    """A shader that writes r0.x; `after` are its subroutines."""
    head = _HEAD + declarations + "dcl_uav_raw u0\n" + _THREADS.format(temps)
    return f"{head}{body}store_raw u0.x, l(0), r0.x\nret\n{after}"


def calls(depth: int, fanout: int = 2) -> str:
    """Subroutines that each call the next one several times."""
    bodies = [f"call label{i + 1}\n" * fanout for i in range(depth - 1)]
    bodies.append("imad r0.x, r0.x, l(3), l(1)\n")
    after = "".join(f"label label{i}\n{body}ret\n" for i, body in enumerate(bodies))
    return listing("call label0\n", after=after)


def falling_cases(count: int, registers: int = 100) -> str:
    """Cases of which two in three fall through, each changing one of many registers."""
    cases = (
        f"case l({i})\nimad r{i % registers + 1}.xyzw, r{(i + 1) % registers + 1}.xyzw, "
        f"vThreadID.xyzx, r0.xxxx\n" + "break\n" * (i % 3 == 0)
        for i in range(count)
    )
    reads = "".join(f"store_raw u0.xyzw, l(0), r{i + 1}.xyzw\n" for i in range(registers))
    body = f"switch vThreadID.x\n{''.join(cases)}break\nendswitch\n{reads}"
    return listing(body, temps=registers + 1)


def exits(count: int, registers: int = 50) -> str:
    """A loop that is left in many places, each with all the registers that it changes."""
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


FAMILIES: Mapping[str, Family] = {
    "calls": calls,
    "falling_cases": falling_cases,
    "exits": exits,
}
