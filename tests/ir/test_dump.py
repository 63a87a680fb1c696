"""A translation that continues from the IR's text gives the same words."""

from dataclasses import replace

import pytest

import translate
from translate.errors import OptionError
from translate.explanation import dump_ir, translate_ir
from translate.passes.pipeline import LOWERED, passes

from ..debug.reader import STRING, instructions, read, read_made
from .corpus import CORPUS, EVERY, OPTIONS, ROOT, Case, options_of, parameters

CASES = [case for case in EVERY if case[0] in CORPUS]
SAXPY = ROOT / "shaders" / "saxpy.dxbc"


@pytest.mark.parametrize("case", parameters(CASES))
def test_a_translation_continues_from_text(case: Case) -> None:
    """Each shader continues after another pass, so that every pass is tested."""
    program = translate.load(case[0])
    options = replace(options_of(case, program), validate=False, debug_lines=True)
    names = [LOWERED, *(one.name for one in passes(options))]
    last = names[_turn(case) % len(names)]
    text = dump_ir(program, options, last)
    assert text.startswith(f"module {program.profile}")
    assert (f" after {last}\n" in text) == (last != LOWERED)
    found = translate_ir(text, options)
    direct = translate.to_spirv(translate.load(case[0]), options)
    assert _without_file(found) == _without_file(direct)
    assert found.interface.sites == direct.interface.sites
    assert found.interface.windows == direct.interface.windows


def _turn(case: Case) -> int:
    return CORPUS.index(case[0])


def _without_file(module: translate.SpirvModule) -> list[object]:
    """SPIR-V without OpString, which holds the listing's file name."""
    words = module.words.tolist()
    return [*words[:5], *(one for one in instructions(words) if one[0] != STRING)]


def test_all_passes_have_their_turn() -> None:
    for name, options in OPTIONS.items():
        count = len(passes(options)) + 1
        assert {_turn(case) % count for case in CASES if case[1] == name} == {*range(count)}


def test_a_pass_that_does_not_run_is_refused() -> None:
    program = translate.load(SAXPY)
    with pytest.raises(OptionError, match="inline"):
        dump_ir(program, translate.Options(), "inline")
    text = dump_ir(program, translate.Options(), "simplify")
    with pytest.raises(OptionError, match="simplify"):
        translate_ir(text, translate.Options(optimize=False))


def test_an_unsound_module_is_refused() -> None:
    text = dump_ir(translate.load(SAXPY), translate.Options(), "simplify")
    broken = text.replace(" = ult ", " = iadd ", 1)
    with pytest.raises(translate.errors.VerifyError, match="iadd gives a bool, where u32 belongs"):
        translate_ir(broken, translate.Options())


def test_debug_information_without_the_source() -> None:
    """The IR's text has the lines of instructions, but neither the HLSL nor the listing."""
    path = ROOT / "tests/debug/groups.O3.dxbc"
    options = translate.Options(debug_info=True, validate=True)
    text = dump_ir(translate.load(path), options)
    module = read(translate_ir(text, options).words.tolist())
    direct = read_made(translate.load(path), options)
    assert [one.place for one in module.body] == [one.place for one in direct.body]
    assert (module.texts, {*direct.texts}) == ({}, {"Z:\\hlsl\\groups.hlsl"})
