"""`sm5vk translate --output-dir`, from command lines to streams and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import translate
from tests.unit.bulk.shaders import container, contents, make_cache, refused

from .conftest import Call, on_a_terminal


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    make_cache(tmp_path / "cache", 5)
    return tmp_path / "cache"


def test_a_folder(call: Call, cache: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    flags = ("-j", 1, "--interfaces", "--guards", "off")
    code, text, messages = call("translate", cache, "--output-dir", out, *flags)
    assert (code, messages) == (0, "")
    options = translate.Options(guards="off")
    module = translate.to_spirv(translate.load(container(4)), options)
    files = contents(out)
    assert files["1/0004.cso.spv"] == module.to_bytes()
    assert json.loads(files["1/0004.cso.json"]) == module.interface.to_dict()
    figures = dict(line.rsplit(maxsplit=1) for line in text.splitlines())
    assert figures["translated"] == "5"
    assert figures["words"] == str(sum(len(f) for n, f in files.items() if n[-4:] == ".spv") // 4)


def test_refused_shaders_are_reported(call: Call, cache: Path, tmp_path: Path) -> None:
    (cache / "bad.cso").write_bytes(refused())
    (cache / "copy.cso").write_bytes(container(1))
    words = ("translate", cache, "--output-dir", tmp_path / "out", "-j", 1)
    code, text, messages = call(*words)
    with pytest.raises(translate.DecodeError) as caught:
        translate.load(cache / "bad.cso")
    assert (code, messages) == (1, f"{caught.value}\n")
    assert f"      1  {caught.value.message}\n" in text
    code, text, _ = call(*words, "--json")
    report = json.loads(text)
    assert (code, report["translated"], report["refused"], report["kept"]) == (1, 6, 1, 7)
    assert report["reasons"] == {caught.value.message: 1}
    assert [row["name"] for row in report["shaders"] if "reason" in row] == ["bad.cso"]
    code, text, _ = call(*words, "--json", "--force")
    report = json.loads(text)
    assert (code, report["kept"], report["duplicates"]) == (1, 0, 1)


def test_one_file_may_go_to_a_folder(call: Call, cache: Path, tmp_path: Path) -> None:
    words = ("translate", cache / "0/0003.cso", "--output-dir", tmp_path / "out")
    code, _, err = call(*words, "--max-words", 9)
    assert (code, "than Options.max_words=9 (--max-words) allows" in err) == (1, True)
    assert call(*words, "-S")[0] == 0
    assert "0003.cso.spvasm" in contents(tmp_path / "out")


def test_progress_is_shown_on_a_terminal(cache: Path, tmp_path: Path) -> None:
    """Without a terminal nothing is shown: the tests above would see it in their messages."""
    words = ("translate", cache, "-j", "1", "--output-dir", tmp_path / "out")
    code, shown = on_a_terminal(*words)
    assert (code, b"0/5" in shown) == (0, True)
