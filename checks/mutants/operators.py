"""The changes to a source: one expression or statement at a time; the rest keeps its text.

Annotations, decorators, imports, formatted strings and error messages are not changed.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, pairwise
from random import Random

_COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">="), ast.LtE: ("<", ">"), ast.Gt: (">=", "<="), ast.GtE: (">", "<"),
    ast.Eq: ("!=",), ast.NotEq: ("==",), ast.Is: ("is not",), ast.IsNot: ("is",),
    ast.In: ("not in",), ast.NotIn: ("in",),
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "//",
    ast.LShift: ">>", ast.RShift: "<<", ast.BitAnd: "|", ast.BitOr: "&", ast.BitXor: "|",
    ast.Pow: "*",
}  # fmt: skip
_OPAQUE = (ast.JoinedStr, ast.Raise, ast.Import, ast.ImportFrom)
_SKIPPED = ("annotation", "returns", "decorator_list")
_SIMPLE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_DROPPED = (ast.Raise, ast.Continue, ast.Break, ast.Delete, ast.AugAssign)
_SHOWN = 80  # characters of a long text

Change = tuple[ast.AST, str]  # a node, and its new text


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the bytes from `start` to `end` of a file are replaced."""

    path: str
    kind: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def apply(self, text: str) -> str:
        data = text.encode()
        return (data[: self.start] + self.after.encode() + data[self.end :]).decode()

    def __str__(self) -> str:
        before, after = (" ".join(text.split()) for text in (self.before, self.after))
        if max(len(before), len(after)) > _SHOWN:
            differ = (
                place for place, (a, b) in enumerate(zip(before, after, strict=False)) if a != b
            )
            begin = max(0, next(differ, 0) - _SHOWN // 2)
            before, after = (text[begin : begin + _SHOWN] for text in (before, after))
        return f"{self.path}:{self.line}: {self.kind}: {before} -> {after}"


class Source:
    """A module's text and tree, and the text of each node."""

    def __init__(self, text: str) -> None:
        self.data, self.tree = text.encode(), ast.parse(text)
        self._lines = [0]
        for line in self.data.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        start = self._lines[node.lineno - 1] + node.col_offset
        return start, self._lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.data[start:end].decode()

    def operand(self, node: ast.AST) -> str:
        """The node's text as an operand, in parentheses where needed."""
        return self.text(node) if isinstance(node, _SIMPLE) else f"({self.text(node)})"


def mutants(path: str, text: str) -> list[Mutant]:
    """All changes of a module, in the order of its text."""
    source, found = Source(text), dict[tuple[int, int, str], Mutant]()
    for kind, operator in OPERATORS.items():
        for node, after in operator(source):
            start, end = source.span(node)
            before = source.text(node)
            if before != after:
                mutant = Mutant(path, kind, node.lineno, start, end, before, after)
                found.setdefault((start, end, after), mutant)
    return [found[key] for key in sorted(found)]


def draw(found: list[Mutant], sample: int, seed: int) -> list[Mutant]:
    """At most `sample` mutants: kinds in turn, and each place of a kind once."""
    shuffled = Random(seed).sample(found, len(found))
    places = {(m.path, m.kind, m.start, m.end): m for m in shuffled}
    turns: defaultdict[str, Iterator[int]] = defaultdict(count)
    return sorted(places.values(), key=lambda mutant: next(turns[mutant.kind]))[:sample]


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all nodes within it that may be changed."""
    yield node
    if isinstance(node, _OPAQUE):
        return
    for name, value in ast.iter_fields(node):
        if name not in _SKIPPED:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _walk(child)


def _comparisons(source: Source) -> Iterator[Change]:
    for node in _walk(source.tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = source.operand(node.left), source.operand(node.comparators[0])
            for operator in _COMPARISONS[type(node.ops[0])]:
                yield node, f"({left} {operator} {right})"
        elif isinstance(node, ast.Compare):  # a < b < c without one of its ends
            for position, (a, b) in enumerate(pairwise([node.left, *node.comparators])):
                for operator in _COMPARISONS[type(node.ops[position])]:
                    yield node, f"({source.operand(a)} {operator} {source.operand(b)})"


def _arithmetic(source: Source) -> Iterator[Change]:
    for node in _walk(source.tree):
        if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
            left, right = source.operand(node.left), source.operand(node.right)
            yield node, f"({left} {_ARITHMETIC[type(node.op)]} {right})"
            yield from ((node, text) for text in (left, right))
        elif isinstance(node, ast.AugAssign) and type(node.op) in _ARITHMETIC:
            target, value = source.text(node.target), source.operand(node.value)
            yield node, f"{target} {_ARITHMETIC[type(node.op)]}= {value}"
        elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
            yield node, source.operand(node.operand)


def _logic(source: Source) -> Iterator[Change]:
    """`and` for `or`, and a condition of several without one of them."""
    for node in _walk(source.tree):
        if isinstance(node, ast.BoolOp):
            parts = [source.operand(value) for value in node.values]
            word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield node, f"({f' {other} '.join(parts)})"
            for position in range(len(parts)):
                rest = parts[:position] + parts[position + 1 :]
                yield node, f"({f' {word} '.join(rest)})"


def _conditions(source: Source) -> Iterator[Change]:
    """Conditions replaced by true, by false, and by their negation."""
    for node in _walk(source.tree):
        tests = [node.test] if isinstance(node, ast.If | ast.IfExp | ast.While) else []
        tests += node.ifs if isinstance(node, ast.comprehension) else []
        for test in tests:
            if isinstance(test, ast.Constant) or source.text(test) == "TYPE_CHECKING":
                continue
            yield test, f"(not {source.operand(test)})"
            yield test, "False"
            if not isinstance(node, ast.While):
                yield test, "True"


def _constants(source: Source) -> Iterator[Change]:
    for node in _walk(source.tree):
        match node:
            case ast.Constant(value=bool(value)):
                yield node, str(not value)
            case ast.Constant(value=int(value)):
                yield from ((node, str(n)) for n in (value + 1, value - 1, value // 2) if n >= 0)
            case ast.Constant(value=float(value)):
                yield from ((node, repr(n)) for n in (value + 1, value / 2))
            case _:
                pass


def _calls(source: Source) -> Iterator[Change]:
    """A call replaced by its argument, or by the value whose method it calls."""
    for node in _walk(source.tree):
        if isinstance(node, ast.Call):
            for argument in node.args:
                if not isinstance(argument, ast.Starred):
                    yield node, source.operand(argument)
            if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
                yield node, source.operand(node.func.value)


def _orders(source: Source) -> Iterator[Change]:
    """Neighbours swapped: operands, arguments, elements, the branches of a conditional."""
    for node in _walk(source.tree):
        match node:
            case ast.BinOp(op=ast.Sub() | ast.Div() | ast.FloorDiv() | ast.LShift() | ast.RShift()):
                lists = [[node.left, node.right]]
            case ast.Call():
                lists = [node.args, [keyword.value for keyword in node.keywords]]
            case ast.Tuple() | ast.List():
                lists = [node.elts]
            case ast.Dict():
                lists = [[v for k, v in zip(node.keys, node.values, strict=True) if k]]
            case ast.IfExp():
                lists = [[node.body, node.orelse]]
            case _:
                continue
        for a, b in (pair for several in lists for pair in pairwise(several)):
            yield node, _exchanged(source, node, a, b)


def _exchanged(source: Source, node: ast.AST, a: ast.AST, b: ast.AST) -> str:
    (start, end), (first, first_end), (second, last) = map(source.span, (node, a, b))
    data = source.data
    return (
        data[start:first] + data[second:last] + data[first_end:second] + data[first:first_end]
        + data[last:end]
    ).decode()  # fmt: skip


def _left_out(source: Source) -> Iterator[Change]:
    """A keyword or starred argument of a call left out, or an element of a table or an iterable."""
    for node in _walk(source.tree):
        if isinstance(node, ast.Call):
            given = [*node.args, *node.keywords]
            for left_out in given:
                if isinstance(left_out, ast.keyword | ast.Starred):
                    rest = ", ".join(source.text(part) for part in given if part is not left_out)
                    yield node, f"{source.operand(node.func)}({rest})"
    for table in _tables(source):
        if isinstance(table, ast.Dict):
            pairs = zip(table.keys, table.values, strict=True)
            parts = [f"{f'{source.text(k)}: ' if k else '**'}{source.text(v)}," for k, v in pairs]
        else:
            parts = [f"{source.text(element)}," for element in table.elts]
        start, end = {ast.Dict: "{}", ast.List: "[]", ast.Tuple: "()"}[type(table)]
        for position in range(len(parts)):
            yield table, start + " ".join(parts[:position] + parts[position + 1 :]) + end


def _tables(source: Source) -> Iterator[ast.Dict | ast.List | ast.Tuple]:
    """Displays that are assigned at module level, or that a loop or `in` uses."""
    for node in _walk(source.tree):
        if isinstance(node, ast.For | ast.comprehension):
            found = [node.iter]
        elif isinstance(node, ast.Compare):
            found = node.comparators
        else:
            continue
        yield from (part for part in found if isinstance(part, ast.List | ast.Tuple))
    for statement in source.tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value:
            for node in _walk(statement.value):
                if isinstance(node, ast.Dict | ast.List | ast.Tuple):
                    yield node


def _fields(source: Source) -> Iterator[Change]:
    """A field of a table's row, or a value of a table, replaced by another one of the table."""
    columns = defaultdict[object, list[ast.expr]](list)
    rows = [s for s in source.tree.body if isinstance(s, ast.Assign | ast.AnnAssign | ast.Expr)]
    for node in (node for statement in rows for node in _walk(statement)):
        if isinstance(node, ast.Call):
            name = source.text(node.func)
            for position, argument in enumerate(node.args):
                columns[name, position].append(argument)
            for keyword in node.keywords:
                columns[name, keyword.arg].append(keyword.value)
        elif isinstance(node, ast.Dict):
            columns[node].extend(node.values)
    for column in columns.values():
        simple = [f for f in column if isinstance(f, ast.Constant | ast.Name | ast.Attribute)]
        texts = sorted({source.text(field) for field in simple})
        yield from ((field, text) for field in simple for text in texts)


def _names(source: Source) -> Iterator[Change]:
    """An attribute replaced by another one that the module uses in the same way on that name."""
    used = defaultdict[object, list[ast.Attribute]](list)
    calls = {node.func: node for node in _walk(source.tree) if isinstance(node, ast.Call)}
    for node in _walk(source.tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            call = calls.get(node)
            used[node.value.id, type(node.ctx), call and len(call.args)].append(node)
    for alike in used.values():
        texts = sorted({source.text(node) for node in alike})
        yield from ((node, text) for node in alike for text in texts)


def _variables(source: Source) -> Iterator[Change]:
    """A variable replaced by another one of the same function."""
    for function in _walk(source.tree):
        if not isinstance(function, _FUNCTIONS):
            continue
        given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        body = function.body if isinstance(function.body, list) else [function.body]
        used = [node for part in body for node in _walk(part) if isinstance(node, ast.Name)]
        names = {argument.arg for argument in given} - {"self", "cls"}
        names |= {node.id for node in used if isinstance(node.ctx, ast.Store)}
        for node in used:
            if isinstance(node.ctx, ast.Load) and node.id in names:
                yield from ((node, name) for name in sorted(names))


def _statements(source: Source) -> Iterator[Change]:
    """Statements removed, `with` without its context, loops without rounds."""
    for node in _walk(source.tree):
        match node:
            case ast.Expr(value=value) if not isinstance(value, ast.Constant):
                yield node, "pass"
            case ast.Assign() if _is_update(node):
                yield node, "pass"
            case ast.Return(value=None):
                yield node, "pass"
            case ast.Return(value=value) if source.text(value) != "None":
                yield node, "return None"
            case ast.For():
                yield node.iter, "()"
            case ast.With(items=[ast.withitem(context_expr=context, optional_vars=None)]):
                yield context, "__import__('contextlib').nullcontext()"
            case _ if isinstance(node, _DROPPED):
                yield node, "pass"
            case _:
                pass


def _is_update(node: ast.Assign) -> bool:
    """Whether the assignment changes an existing variable."""
    target = node.targets[0]
    if not isinstance(target, ast.Name):
        return isinstance(target, ast.Attribute | ast.Subscript)
    used = {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
    return target.id == "_" or target.id in used


OPERATORS: dict[str, Callable[[Source], Iterator[Change]]] = {
    "comparison": _comparisons,
    "arithmetic": _arithmetic,
    "logic": _logic,
    "condition": _conditions,
    "constant": _constants,
    "call": _calls,
    "order": _orders,
    "left out": _left_out,
    "field": _fields,
    "name": _names,
    "variable": _variables,
    "statement": _statements,
}
