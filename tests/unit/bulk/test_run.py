"""Bulk translation: written files, kept files, and reports."""

import hashlib
import json
import os
import shutil
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import translate
from tests.unit.bulk.shaders import RECIPE, container, contents, make_cache, refused
from translate.bulk import Recipe, Report, Row, find_inputs, translate_files
from translate.bulk.manifest import NAME


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    make_cache(folder, 7)
    return folder


def run(cache: Path, out: Path, recipe: Recipe = RECIPE, *, force: bool = False) -> Report:
    given = [str(cache)]
    return translate_files(find_inputs(given), out, recipe, force=force, whole=given)


def row_of(report: Report, name: str) -> Row:
    return next(row for row in report.rows if row.name == name)


def test_outputs_are_those_of_a_single_translation(cache: Path, out: Path) -> None:
    rows: list[Row] = []
    report = translate_files(find_inputs([str(cache)]), out, RECIPE, progress=rows.append)
    assert (report.translated, report.refused, len(report.rows)) == (7, (), 7)
    assert sorted(rows, key=lambda row: row.name) == list(report.rows)
    files = contents(out)
    for given in find_inputs([str(cache)]):
        module = translate.to_spirv(translate.load(given.path))
        assert files.pop(f"{given.name}.spv") == module.to_bytes()
        assert json.loads(files.pop(f"{given.name}.json")) == module.interface.to_dict()
        assert row_of(report, given.name).words == len(module.words)
    assert list(files) == [NAME]


def test_options_and_text_instead_of_the_binary(cache: Path, out: Path) -> None:
    """The outputs of another recipe are gone then."""
    run(cache, out)
    options = translate.Options(guards="off", target="vulkan1.3")
    run(cache, out, Recipe(options, text=True))
    expected = translate.to_spirv(translate.load(container(0)), options)
    files = contents(out)
    assert files["0/0000.cso.spvasm"].decode() == expected.text()
    assert {Path(name).suffix for name in files} == {".spvasm", ".jsonl"}


def test_a_refused_shader_stops_nothing(cache: Path, out: Path) -> None:
    (cache / "bad.cso").write_bytes(refused())
    report = run(cache, out)
    assert (report.translated, len(report.refused)) == (7, 1)
    with pytest.raises(translate.DecodeError) as caught:
        translate.load(cache / "bad.cso")
    assert report.refused[0].message == str(caught.value)
    assert report.refused[0].reason == caught.value.message
    assert not list(out.glob("bad*"))


def test_a_file_that_cannot_be_read_stops_nothing(cache: Path, out: Path) -> None:
    inputs = find_inputs([str(cache)])
    (cache / "0/0000.cso").unlink()
    report = translate_files(inputs, out, RECIPE)
    assert (report.translated, len(report.refused)) == (6, 1)
    assert report.refused[0].message == f"{cache}/0/0000.cso: error: No such file or directory"


class Faulty(frozenset[str]):
    """Float controls that no translation can use."""

    def __contains__(self, _: object) -> bool:
        raise KeyError("r0")


def test_an_unexpected_error_stops_nothing(cache: Path, out: Path) -> None:
    report = run(cache, out, Recipe(translate.Options(float_controls=Faulty())))
    assert [row.reason for row in report.refused] == ["KeyError: 'r0'"] * 7


def test_equal_shaders_are_translated_once(cache: Path, out: Path) -> None:
    (cache / "copy.cso").write_bytes(container(3))
    report = run(cache, out)
    assert report.translated == 8
    copy, first = row_of(report, "copy.cso"), row_of(report, "0/0003.cso")
    assert (copy.same_as, copy.seconds) == (first.name, None)
    assert first.seconds is not None
    files = contents(out)
    assert files["copy.cso.spv"] == files["0/0003.cso.spv"]
    assert files["copy.cso.json"] == files["0/0003.cso.json"]


def test_a_second_run_keeps_everything(cache: Path, out: Path) -> None:
    (cache / "bad.cso").write_bytes(refused())
    first = run(cache, out)
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.spv")}
    second = run(cache, out)
    assert all(row.kept and row.seconds is None for row in second.rows)
    assert [(r.name, r.outputs, r.words, r.message) for r in second.rows] == [
        (r.name, r.outputs, r.words, r.message) for r in first.rows
    ]
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*.spv")} == before
    assert not any(row.kept for row in run(cache, out, force=True).rows)


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(translate.Options(guards="off"), interfaces=True),
        Recipe(translate.Options(float_controls=frozenset({"rounding_mode_rte_32"}))),
        Recipe(translate.Options(), text=True),
        Recipe(translate.Options(), interfaces=True, translator="another"),
    ],
)
def test_another_recipe_keeps_nothing(recipe: Recipe) -> None:
    assert recipe.key != RECIPE.key
    assert (
        recipe.key == Recipe(recipe.options, recipe.text, recipe.interfaces, recipe.translator).key
    )


def test_the_order_of_a_set_is_no_other_recipe() -> None:
    names = ["denorm_flush_to_zero_32", "rounding_mode_rte_32", "rounding_mode_rte_64"]
    keys = {
        Recipe(translate.Options(float_controls=frozenset(n))).key for n in (names, names[::-1])
    }
    assert len(keys) == 1


@pytest.mark.parametrize("suffix", [".spv", ".json"])
def test_a_large_output_takes_no_memory(cache: Path, out: Path, suffix: str) -> None:
    """A sparse file costs its author nothing."""
    run(cache, out)
    os.truncate(out / f"1/0001.cso{suffix}", 300 << 20)
    tracemalloc.start()
    report = run(cache, out)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [row.name for row in report.rows if not row.kept] == ["1/0001.cso"]
    assert peak < 100 << 20


def test_changed_inputs_are_translated_again(cache: Path, out: Path) -> None:
    run(cache, out)
    (cache / "0/0003.cso").write_bytes(container(99))
    (out / "1/0001.cso.spv").write_bytes(b"damaged")
    (out / "2/0002.cso.json").unlink()
    report = run(cache, out)
    translated = [row.name for row in report.rows if not row.kept]
    assert translated == ["0/0003.cso", "1/0001.cso", "2/0002.cso"]
    expected = translate.to_spirv(translate.load(container(99)))
    assert contents(out)["0/0003.cso.spv"] == expected.to_bytes()
    run(cache, other := out.with_name("other"))
    assert contents(other) == contents(out)


def test_outputs_of_a_shader_that_is_refused_now_are_gone(cache: Path, out: Path) -> None:
    run(cache, out)
    (cache / "0/0000.cso").write_bytes(refused())
    assert len(run(cache, out).refused) == 1
    assert not list(out.glob("0/0000*"))
    assert len(list(out.rglob("*.spv"))) == 6


def test_the_manifest_has_the_existing_outputs(cache: Path, out: Path) -> None:
    run(cache, out)
    files = contents(out)
    lines = [json.loads(line) for line in files[NAME].splitlines()]
    assert [line["name"] for line in lines] == [given.name for given in find_inputs([str(cache)])]
    for line in lines:
        data = (cache / line["name"]).read_bytes()
        assert line["contents"] == hashlib.sha256(data).hexdigest()
        for suffix, digest in line["files"].items():
            assert hashlib.sha256(files[f"{line['name']}{suffix}"]).hexdigest() == digest


DAMAGED = {"name": ["a"], "contents": "", "recipe": "", "words": 0, "files": {}}
NAMES = ("a\0b", "\ud800x", "n" * 5000, "n/" * 5000 + "n", "\udc80", "a\nb")


@pytest.mark.parametrize(
    "rest",
    [
        *('{"name": "0/00', "[]\n", "{}\n", "null\n", "\0\xff", "[" * 200_000),
        *(json.dumps(DAMAGED | more) for more in ({}, {"name": "a", "files": []})),
        json.dumps(DAMAGED | {"name": "a", "files": {".spv": 3}}),
        *(json.dumps(DAMAGED | {"name": "a", "words": n}) for n in ("3", -1, 1 << 32, 10**4000)),
        json.dumps(DAMAGED | {"name": "a", "reason": 3}),
        json.dumps(DAMAGED | {"name": "a", "recipe": 1}),
        '{"name": "a", "recipe": "", "words": 1, "files": {}, "contents": '
        + f"{'[' * 600}{']' * 600}}}",
        "[" + "1" * 5000 + "]",
    ],
    ids=range(17),
)
def test_a_manifest_that_was_cut_off(cache: Path, out: Path, rest: str) -> None:
    run(cache, out)
    whole = contents(out)
    lines = (out / NAME).read_text().splitlines(keepends=True)
    (out / NAME).write_text("".join(lines[:4]) + rest, encoding="latin-1")
    report = run(cache, out)
    assert sum(row.kept for row in report.rows) == 4
    assert contents(out) == whole


@pytest.mark.parametrize("path", ["gone", "\0", "\ud800", "n" * 5000])
@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_manifest_with_names_of_no_file(cache: Path, out: Path, name: str, path: str) -> None:
    run(cache, out)
    whole = contents(out)
    entry = {"name": name, "path": f"{cache}/{path}", "files": {".json": "0", ".spv": "0"}}
    with (out / NAME).open("a") as manifest:
        manifest.write(f"{json.dumps(DAMAGED | entry)}\n")
    report = run(cache, out)
    assert (sum(row.kept for row in report.rows), report.removed, report.left) == (7, (), ())
    if not {"\0", "\ud800"} & {*name}:  # others may be files' names
        whole.pop(NAME)
    assert whole.items() <= contents(out).items()


@pytest.mark.parametrize("files", [{}, {".json": hashlib.sha256(b"{}").hexdigest()}])
def test_a_manifest_with_other_outputs(cache: Path, out: Path, files: dict[str, str]) -> None:
    """An entry counts only if it has all outputs of the recipe, and no others."""
    run(cache, out)
    whole = contents(out)
    entries = [json.loads(line) for line in (out / NAME).read_text().splitlines()]
    for entry in entries:
        (out / f"{entry['name']}.spv").unlink()
        (out / f"{entry['name']}.json").write_text("{}")
    lines = (f"{json.dumps(entry | {'files': files})}\n" for entry in entries)
    (out / NAME).write_text("".join(lines))
    assert not any(row.kept for row in run(cache, out).rows)
    found = contents(out)
    assert {name: data for name, data in found.items() if name in whole} == whole


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_pipes_in_place_of_outputs_and_manifest(cache: Path, out: Path) -> None:
    run(cache, out)
    output = next(path for path in out.rglob("*.spv"))
    output.unlink()
    os.mkfifo(output)
    assert sum(row.kept for row in run(cache, out).rows) == 6
    (out / NAME).unlink()
    os.mkfifo(out / NAME)
    with pytest.raises(OSError, match="not a regular file"):
        run(cache, out)


@pytest.mark.parametrize("suffix", ["/../../kept", "/../../../kept", ".txt", "/kept"])
def test_a_manifest_never_deletes_other_files(cache: Path, out: Path, suffix: str) -> None:
    run(cache, out)
    name = find_inputs([str(cache)])[0].name
    kept = Path(os.path.normpath(f"{out / name}{suffix}"))
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("kept")
    entries = [json.loads(line) for line in (out / NAME).read_text().splitlines()]
    for entry in entries:
        entry["files"][suffix] = hashlib.sha256(b"kept").hexdigest()
    (out / NAME).write_text("".join(f"{json.dumps(entry)}\n" for entry in entries))
    run(cache, out, force=True)
    assert kept.read_text() == "kept"


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="no opening without links")
@pytest.mark.parametrize(
    ("make", "message"), [(Path.symlink_to, "symbolic link"), (Path.hardlink_to, "another name")]
)
def test_a_link_in_place_of_the_manifest(cache: Path, out: Path, make: Any, message: str) -> None:
    """The second is a file elsewhere that has a name in the folder too."""
    kept = out.with_name("kept")
    kept.write_text("kept")
    out.mkdir()
    make(out / NAME, kept)
    with pytest.raises(OSError, match=message):
        run(cache, out)
    assert kept.read_text() == "kept"


@pytest.mark.parametrize("system", ["this one", "Windows"])
def test_a_link_in_place_of_a_folder(
    cache: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    """Windows has no paths from open folders."""
    if system == "Windows":
        monkeypatch.setattr(os, "supports_dir_fd", set[Any]())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    out.mkdir()
    (out / "0").symlink_to(elsewhere)
    with pytest.raises(OSError, match="symbolic link"):
        run(cache, out)
    assert list(elsewhere.iterdir()) == []
    (out / "0").unlink()
    assert run(cache, out).translated == 7
    assert {path.name for path in out.iterdir()} == {"0", "1", "2", NAME}


@pytest.mark.skipif(os.open not in os.supports_dir_fd, reason="no paths from open folders")
@pytest.mark.parametrize("place", ["around", "around/out", "around/out/0"])
def test_a_folder_that_becomes_a_link_meanwhile(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """After it was found to be none: nothing is written, and no old output removed, elsewhere."""
    out, folder, real = tmp_path / "around/out", tmp_path / place, tmp_path / "real"
    run(cache, out)
    elsewhere = shutil.copytree(folder, tmp_path / "elsewhere")
    before, urandom = contents(elsewhere), os.urandom

    def exchange(count: int) -> bytes:
        """For the name of the temporary file, when the folder is known."""
        if not folder.is_symlink():
            folder.rename(real)
            folder.symlink_to(elsewhere)
        return urandom(count)

    monkeypatch.setattr(os, "urandom", exchange)
    with pytest.raises(OSError, match="symbolic link") as caught:
        run(cache, out, Recipe(translate.Options(), text=True))
    assert caught.value.filename == str(folder)
    assert contents(elsewhere) == before
    written = real / os.path.relpath(out / "0/0000.cso.spvasm", tmp_path / place)
    assert written.exists()
    assert not written.with_suffix(".spv").exists()


def test_links_in_place_of_outputs_are_replaced(cache: Path, out: Path, tmp_path: Path) -> None:
    run(cache, out)
    whole = contents(out)
    output = next(path for path in out.rglob("*.spv"))
    kept = tmp_path / "kept"
    kept.write_bytes(output.read_bytes())
    output.unlink()
    output.symlink_to(kept)
    assert sum(row.kept for row in run(cache, out).rows) == 6
    assert not output.is_symlink()
    assert contents(out) == whole


def test_other_inputs_stay_in_the_manifest(cache: Path, out: Path) -> None:
    run(cache / "0", out)
    run(cache / "1", out)
    assert all(row.kept for row in run(cache / "0", out).rows)


def test_an_output_never_replaces_an_input(cache: Path) -> None:
    (cache / "a").write_bytes(container(0))
    (cache / "a.spv").write_bytes(container(1))
    before = contents(cache)
    with pytest.raises(translate.OptionError, match=r"a\.spv"):
        run(cache, cache)
    assert contents(cache) == before


def test_an_output_never_replaces_an_input_by_a_link(cache: Path, tmp_path: Path) -> None:
    """The folder of the outputs, or an input, is named by a symbolic link."""
    (cache / "a").write_bytes(container(0))
    (cache / "a.spv").write_bytes(container(1))
    (tmp_path / "link").symlink_to(cache)
    other = tmp_path / "other"
    other.mkdir()
    (other / "b").write_bytes(container(0))
    (other / "c").symlink_to("out/b.spv")
    (other / "out").mkdir()
    (other / "out/b.spv").write_bytes(container(1))
    before = contents(cache), contents(other)
    with pytest.raises(translate.OptionError, match=r"a\.spv is an input"):
        run(cache, tmp_path / "link")
    with pytest.raises(translate.OptionError, match=r"b\.spv is an input"):
        translate_files(find_inputs([str(other / "b"), str(other / "c")]), other / "out", RECIPE)
    (other / NAME).write_bytes(container(2))
    before = contents(cache), contents(other)
    with pytest.raises(translate.OptionError, match=r"manifest\.jsonl is an input"):
        translate_files(find_inputs([str(other / "b"), str(other / NAME)]), other, RECIPE)
    assert (contents(cache), contents(other)) == before


def test_beside_the_inputs(cache: Path) -> None:
    before = contents(cache)
    run(cache, cache)
    assert all(row.kept for row in run(cache, cache).rows)
    assert before.items() <= contents(cache).items()


def test_outputs_with_names_that_a_folder_cannot_have(cache: Path, out: Path) -> None:
    """A folder has the name of one output, and another is too long; the rest is written."""
    (out / "0" / "0000.cso.spv").mkdir(parents=True)
    (cache / f"{'n' * 250}.cso").write_bytes(container(9))
    report = run(cache, out)
    assert len(report.rows) == 8
    reasons = {row.name[:6]: row.reason or "" for row in report.refused}
    assert reasons.keys() == {"0/0000", "n" * 6}
    assert "0000.cso.spv" in reasons["0/0000"]
    assert "too long" in reasons["n" * 6]
    assert report.translated == 6
    assert not [name for name in contents(out) if name.startswith(".sm5vk")]


def test_an_output_with_the_longest_name(cache: Path, out: Path) -> None:
    name = f"{'n' * 245}.dxbc"
    (cache / name).write_bytes(container(9))
    assert not run(cache, out).refused
    assert (out / f"{name}.json").is_file()


def test_two_inputs_with_one_name(cache: Path, out: Path) -> None:
    """A file with a container inside, and a file with the name of that part."""
    (cache / "archive").write_bytes(b"junk" + container(9))
    (part,) = [given for given in find_inputs([f"{cache}/*"]) if given.part is not None]
    (cache / part.name).write_bytes(container(10))
    report = translate_files(find_inputs([f"{cache}/*"]), out, RECIPE)
    assert (len(report.rows), report.translated) == (2, 1)
    assert [row.reason for row in report.refused] == ["another input has the name of its outputs"]


def test_outputs_of_an_input_that_is_gone(cache: Path, out: Path) -> None:
    """Only those below a folder that is translated again whole, and only unchanged ones."""
    run(cache, out)
    before = contents(out)
    for name in ("0/0000.cso", "0/0003.cso", "1/0001.cso"):
        (cache / name).unlink()
    (out / "0/0003.cso.json").write_text("mine")
    translate_files(find_inputs([str(cache)]), out, RECIPE)  # not said to be whole
    run(cache / "2", out)
    assert before.keys() <= contents(out).keys()
    report = run(cache, out)
    gone = ["0/0000.cso.json", "0/0000.cso.spv", "0/0003.cso.spv"]
    gone += ["1/0001.cso.json", "1/0001.cso.spv"]
    before = {name: data for name, data in before.items() if name != NAME}
    assert list(report.removed) == report.to_dict()["removed"] == gone
    found = contents(out)
    assert found["0/0003.cso.json"] == b"mine"
    assert not found.keys() & set(gone)
    assert before.keys() - found.keys() == set(gone)
    assert NAME in found
    assert run(cache, out).removed == ()


def test_no_output_that_a_link_leads_to_is_removed(cache: Path, out: Path, tmp_path: Path) -> None:
    run(cache, out)
    kept = (out / "0").rename(tmp_path / "elsewhere")
    (out / "0").symlink_to(kept)
    shutil.rmtree(cache / "0")
    before = contents(kept)
    with pytest.raises(OSError, match="symbolic link"):
        run(cache, out)
    assert contents(kept) == before
    (out / "0").unlink()
    (out / "0").mkdir()
    (out / "0/0000.cso.spv").symlink_to(kept / "0000.cso.spv")
    assert run(cache, out).removed == ()
    assert (contents(kept), (out / "0/0000.cso.spv").is_symlink()) == (before, True)


@pytest.mark.parametrize("change", [{"path": ""}, {"path": 3}, {"name": "../x"}])
def test_a_manifest_with_others_as_gone(cache: Path, out: Path, change: dict[str, object]) -> None:
    run(cache, out)
    (cache / "0/0000.cso").unlink()
    kept = out.parent / "x.spv"
    kept.write_bytes((out / "0/0000.cso.spv").read_bytes())
    entries = [json.loads(line) | change for line in (out / NAME).read_text().splitlines()]
    (out / NAME).write_text("".join(f"{json.dumps(entry)}\n" for entry in entries[:1]))
    assert run(cache, out).removed == ()
    assert kept.exists()
    assert (out / "0/0000.cso.spv").exists()
