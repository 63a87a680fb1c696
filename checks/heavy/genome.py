"""Random listings as trees of repeated pieces, so that a listing can be scaled."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .listings import listing

DECLARATIONS = """dcl_constantbuffer CB0[64], dynamicIndexed
dcl_constantbuffer CB1[16], dynamicIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_raw t1
dcl_resource_structured t2, 48
dcl_uav_structured u1, 32
dcl_uav_typed_buffer (uint,uint,uint,uint) u2
dcl_tgsm_structured g0, 16, 64
dcl_indexableTemp x0[16], 4
dcl_indexableTemp x1[300], 2
"""
_TEMPS = 64
SUBROUTINES = 12
_TEXTURE = "_indexable(texture2d)(float,float,float,float)"

# {a}, {b}, {c} are registers, {i} counts the repetitions, {k} is a small number
STATEMENTS = (
    "mov r{a}.xyzw, r{b}.wzyx",
    "mov r{a}.x, l({i})",
    "mad r{a}.xyzw, r{b}.xyzw, -|r{c}.yzwx|, r{a}.xxyy",
    "mul_sat r{a}.xy, r{b}.xyxx, r{c}.zwzz",
    "div r{a}.xyzw, r{b}.xyzw, r{c}.xyzw",
    "rsq r{a}.xyzw, r{b}.xyzw",
    "sincos r{a}.xyzw, r{b}.xyzw, r{c}.xyzw",
    "dp4 r{a}.x, r{b}.xyzw, r{c}.wzyx",
    "f16tof32 r{a}.xyzw, r{b}.xyzw",
    "ftou r{a}.xyzw, r{b}.xyzw",
    "imad r{a}.xyzw, r{b}.xyzw, r{c}.yzwx, l(1, 2, 3, 4)",
    "udiv r{a}.xyzw, r{b}.xyzw, r{c}.xyzw, r{a}.wzyx",
    "bfi r{a}.xyzw, r{b}.xyzw, r{c}.xyzw, r{a}.xyzw, r{b}.yzwx",
    "movc r{a}.xyzw, r{b}.xyzw, r{c}.xyzw, r{a}.wzyx",
    "swapc r{a}.xyzw, r{b}.xyzw, r{c}.xyzw, r{a}.wzyx, r{b}.xyzw",
    "dadd r{a}.xyzw, r{b}.xyzw, r{c}.xyzw",
    "dfma r{a}.xyzw, r{b}.xyzw, r{c}.xyzw, r{a}.xyzw",
    "mov x0[r{a}.x + {k}].xyzw, r{b}.xyzw",
    "mov r{a}.xyzw, x0[r{b}.x + {k}].xyzw",
    "mov x1[{i}].xy, r{b}.xyxx",
    "mov r{a}.xy, x1[{i}].xyxx",
    "add r{a}.xyzw, cb0[r{b}.x + {k}].xyzw, cb1[{k}].wzyx",
    "mad r{a}.xyzw, cb[r{b}.x + 0][r{c}.x + {k}].xyzw, r{b}.xyzw, cb0[{k}].xxxx",
    "ld_raw r{a}.xyzw, r{b}.x, t1.xyzw",
    "ld_structured r{a}.xyzw, r{b}.x, r{c}.x, t2.xyzw",
    "ld_structured r{a}.xyzw, r{b}.x, l(16), g0.xyzw",
    "store_structured u1.xyzw, r{a}.x, r{b}.x, r{c}.xyzw",
    "store_structured g0.xy, r{a}.x, l(0), r{c}.xyxx",
    "store_uav_typed u2.xyzw, r{a}.xxxx, r{b}.xyzw",
    "ld_uav_typed_indexable(buffer)(uint,uint,uint,uint) r{a}.xyzw, r{b}.xxxx, u2.xyzw",
    f"sample_l{_TEXTURE} r{{a}}.xyzw, r{{b}}.xyxx, t0.xyzw, s0, r{{c}}.x",
    "gather4_po r{a}.xyzw, r{b}.xyxx, r{c}.xyxx, t0.xyzw, s0.x",
    f"sample_d{_TEXTURE} r{{a}}.xyzw, r{{b}}.xyxx, t0.xyzw, s0, r{{b}}.xyxx, r{{c}}.xyxx",
    f"sample_l{_TEXTURE} r{{a}}.xyzw, r{{b}}.xyxx, t[r{{c}}.x + 0].xyzw, s[r{{a}}.x + 0], l(0)",
    "resinfo r{a}.xyzw, r{b}.x, t0.xyzw",
    "atomic_iadd g0, r{a}.xyxx, r{b}.x",
    "imm_atomic_cmp_exch r{a}.x, u1, r{b}.xyxx, r{c}.x, r{c}.y",
    "sync_g_t",
    "call label{k}",
    "callc_nz r{a}.x, label{k}",
    "breakc_nz r{a}.x",
    "continuec_z r{a}.x",
    "retc_nz r{a}.x",
)  # fmt: skip
CONSTRUCTS = (
    ("if_nz r{a}.x", "endif"),
    ("if_z r{a}.y", "else\nmov r{b}.x, r{c}.x\nendif"),
    ("loop", "breakc_z r{b}.x\nendloop"),
    ("loop\nswitch r{a}.x\ndefault", "break\nendswitch\nbreakc_nz r{c}.y\nendloop"),
    ("switch r{a}.x\ncase l(0)", "break\ncase l(1)\nmov r{b}.x, l(0)\nbreak\nendswitch"),
    ("case l({i})", ""),
    ("case l({i})", "break"),
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Text repeated `count` times; `inside` is between `opener` and `closer`."""

    opener: str
    closer: str = ""
    count: int = 1
    seed: int = 0
    spread: int = 4  # the number of registers that it chooses from
    inside: tuple[Piece, ...] = ()

    def render(self, scale: float) -> list[str]:
        lines: list[str] = []
        for number in range(max(1, round(self.count * scale))):
            start = self.seed + 7 * number
            names = {
                name: (start * step) % self.spread
                for name, step in zip("abc", (1, 3, 5), strict=True)
            }
            names |= {"i": number, "k": self.seed % SUBROUTINES}
            lines.append(self.opener.format(**names))
            for piece in self.inside:
                lines += piece.render(1.0)
            lines += [self.closer.format(**names)] if self.closer else []
        return lines


@dataclass(frozen=True, slots=True)
class Genome:
    """A shader: pieces of its entry and of subroutines; each subroutine calls only later ones."""

    entry: tuple[Piece, ...]
    bodies: tuple[tuple[Piece, ...], ...] = ()

    def render(self, scale: float = 1.0) -> str:
        """The listing, its outermost pieces repeated `scale` times as often."""
        after = ""
        for number in range(SUBROUTINES):
            pieces = self.bodies[number] if number < len(self.bodies) else ()
            after += f"label label{number}\n{_text(pieces, scale, number + 1)}ret\n"
        return listing(_text(self.entry, scale, 0), DECLARATIONS, _TEMPS, after)


def _text(pieces: Sequence[Piece], scale: float, first: int) -> str:
    """The lines; a call to a body before `first` would be recursive, and is left out."""
    lines = [line for piece in pieces for line in piece.render(scale)]
    backward = {f"label{number}" for number in range(first)}
    kept = [line for line in "\n".join(lines).splitlines() if line.split(" ")[-1] not in backward]
    return "".join(f"{line}\n" for line in kept)


def random_piece(rng: random.Random, depth: int = 2) -> Piece:
    """A statement, or a construct with pieces in it."""
    count, seed = rng.choice((1, 2, 3, 8, 20)), rng.randrange(1 << 16)
    spread = rng.choice((2, 8, _TEMPS))
    if depth == 0 or rng.random() < 0.6:
        return Piece(rng.choice(STATEMENTS), "", count, seed, spread)
    opener, closer = rng.choice(CONSTRUCTS)
    inside = tuple(random_piece(rng, depth - 1) for _ in range(rng.randint(0, 3)))
    piece = Piece(opener, closer, count, seed, spread, inside)
    if opener.startswith("case"):
        return Piece("switch r{a}.x", "endswitch", 1, seed, spread, (piece,))
    return piece


def mutate(genome: Genome, rng: random.Random, other: Genome) -> Genome:
    """Change one of the genome's parts, or take one from `other`."""
    parts = [genome.entry, *genome.bodies]
    number = rng.randrange(len(parts) + (len(parts) <= SUBROUTINES))
    if number == len(parts):
        parts.append(())
    donors = [piece for part in (other.entry, *other.bodies) for piece in part]
    parts[number] = _changed(parts[number], rng, donors)
    return Genome(parts[0], tuple(parts[1:]))


def _changed(
    pieces: tuple[Piece, ...], rng: random.Random, donors: list[Piece]
) -> tuple[Piece, ...]:
    found = list(pieces)
    if not found or rng.random() < 0.3:
        new = rng.choice(donors) if donors and rng.random() < 0.5 else random_piece(rng)
        found.insert(rng.randint(0, len(found)), new)
        return tuple(found)
    at = rng.randrange(len(found))
    piece = found[at]
    change = rng.randrange(5)
    if change == 0:
        del found[at]
    elif change == 1:
        found[at] = replace(
            piece, count=max(1, min(200, round(piece.count * rng.choice((0.5, 2, 4)))))
        )
    elif change == 2:
        found[at] = replace(piece, seed=rng.randrange(1 << 16), spread=rng.choice((2, 8, _TEMPS)))
    elif change == 3 and piece.closer:
        found[at] = replace(piece, inside=_changed(piece.inside, rng, donors))
    else:
        opener, closer = rng.choice(CONSTRUCTS[:5])
        found[at] = Piece(opener, closer, 1, rng.randrange(1 << 16), 8, (piece,))
    return tuple(found)
