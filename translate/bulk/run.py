"""A run: compare inputs with the manifest, translate changed ones, write outputs, report."""

from __future__ import annotations

import errno
import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import closing, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import Any

from translate.api import attainable
from translate.bulk.inputs import Input
from translate.bulk.jobs import Job, Outcome, Recipe, Refusal, dask_executor, run_jobs
from translate.bulk.manifest import NAME as MANIFEST
from translate.bulk.manifest import Entry, Manifest, identity
from translate.dataclass import dataclass, replace
from translate.errors import OptionError, escaped

# Errors of a file's name, as when it is too long, or a folder has it
_OF_THE_NAME = (errno.ENAMETOOLONG, errno.EISDIR, errno.ENOTDIR, errno.EEXIST)

_TRANSLATED, _REFUSED = "translated", "refused"


@dataclass(frozen=True, slots=True)
class Row:
    """The result for one input.

    Attributes
    ----------
    name : str
        The input's name.
    path : str
        The input's file; a part follows in brackets.
    contents : str or None
        The SHA-256 of its bytes; None if they could not be read.
    status : {"translated", "refused"}
        Whether the input has a module.
    outputs : tuple of str
        The written files, relative to the output folder.
    words : int
        The number of words in the module.
    seconds : float or None
        The time of the translation; None if it was not translated in this run.
    kept : bool
        True if an earlier run translated or refused it, and nothing has changed since.
    same_as : str or None
        The input with the same contents that was translated for both.
    reason : str or None
        The reason if it was refused.
    message : str or None
        The reason with place, line and caret.
    warnings : tuple of str
        The reader's warnings about the input, such as a wrong checksum, with the file and place.
    """

    name: str
    path: str
    contents: str | None
    status: str
    outputs: tuple[str, ...] = ()
    words: int = 0
    seconds: float | None = None
    kept: bool = False
    same_as: str | None = None
    reason: str | None = None
    message: str | None = None
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data for JSON; attributes that are None are omitted.

        Returns
        -------
        dict
            The attributes by name.
        """
        row = {name: getattr(self, name) for name in self.__slots__}
        row |= {"outputs": list(self.outputs), "warnings": list(self.warnings)}
        return {name: value for name, value in row.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a run over many shaders.

    Attributes
    ----------
    rows : tuple of Row
        One for each input, sorted by name.
    seconds : float
        The time of the whole run.
    removed : tuple of str
        The removed outputs of earlier runs, relative to the output folder: of inputs that exist no
        more, are refused now, or have fewer outputs by this recipe.
    left : tuple of str
        Such outputs that were not removed: they were changed since, are inputs, or other users can
        write to the folder or the manifest.
    """

    rows: tuple[Row, ...]
    seconds: float
    removed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def translated(self) -> int:
        """The number of inputs with a module."""
        return sum(row.status == _TRANSLATED for row in self.rows)

    @property
    def refused(self) -> tuple[Row, ...]:
        """The rows of refused inputs."""
        return tuple(row for row in self.rows if row.status == _REFUSED)

    @property
    def words(self) -> int:
        """The number of words in all modules."""
        return sum(row.words for row in self.rows)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The reader's warnings about all inputs."""
        return tuple(warning for row in self.rows for warning in row.warnings)

    def reasons(self) -> list[tuple[str, int]]:
        """Count the reasons for refusals.

        Returns
        -------
        list of (str, int)
            Each reason and the number of inputs that were refused for it, the most frequent first.
        """
        return Counter(row.reason or "" for row in self.refused).most_common()

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data for JSON.

        Returns
        -------
        dict
            Counts, seconds, reasons, and the rows as `shaders`.
        """
        return {
            "translated": self.translated,
            "refused": len(self.refused),
            "kept": sum(row.kept for row in self.rows),
            "duplicates": sum(row.same_as is not None for row in self.rows),
            "warnings": len(self.warnings),
            "words": self.words,
            "seconds": round(self.seconds, 3),
            "reasons": dict(self.reasons()),
            "removed": list(self.removed),
            "left": list(self.left),
            "shaders": [row.to_dict() for row in self.rows],
        }


def translate_files(
    inputs: Iterable[Input],
    folder: Path,
    recipe: Recipe,
    *,
    processes: int = 1,
    executor: Executor | None = None,
    cluster: str | None = None,
    force: bool = False,
    whole: Collection[str] = (),
    progress: Callable[[Row], None] = lambda row: None,
) -> Report:
    """Translate many shaders into a folder. A refused shader does not stop the others.

    Parameters
    ----------
    inputs : iterable of Input
        The shaders, from `find_inputs`.
    folder : Path
        The folder for the outputs; it is created if missing. An output is named like its input,
        with a suffix appended.
    recipe : Recipe
        How to translate, and which files to write.
    processes : int, optional
        The number of processes that are started; 1 for none beside this one.
    executor : concurrent.futures.Executor, optional
        Translates instead of these processes: a pool of threads or processes, or a Dask cluster by
        `distributed.Client(address).get_executor()`. It is not shut down. If it breaks, as a pool
        does when one of its processes dies, `processes` own ones continue.
    cluster : str, optional
        The address of a Dask scheduler, instead of the executor of a Client.
    force : bool, optional
        Translate all inputs, even those that are up to date according to the folder's manifest.
    whole : collection of str, optional
        Folders of which `inputs` has all shaders. Outputs of an input below them that exists no
        more are removed if they are as an earlier run wrote them, and the folder is this user's
        alone.
    progress : callable, optional
        Called with each Row as soon as its result is known.

    Returns
    -------
    Report
        A row for each input.

    Raises
    ------
    TranslateError
        An output would overwrite an input, or SPIRV-Tools are required but missing.
    OSError
        Outputs cannot be written. A name that the folder cannot have refuses only its shader.
    ExecutorError
        The executor or the cluster cannot be used, or has another version of sm5vk.
    """
    start = time.perf_counter()
    if executor is not None and cluster is not None:
        raise OptionError("executor and cluster do not go together")
    if executor is None and cluster is None:  # others may be on machines with other libraries
        recipe = replace(recipe, options=attainable(recipe.options, text=recipe.text))
    inputs = list(inputs)
    _check_apart(inputs, folder, recipe)
    with Manifest(folder) as manifest:
        run = _Run(manifest, recipe, progress, inputs)
        groups = run.sort_out(inputs, force=force)
        shared = dask_executor(cluster) if cluster is not None else nullcontext(executor)
        with (
            shared as used,
            closing(run_jobs(run.jobs(groups), len(groups), recipe, processes, used)) as done,
        ):
            for job, outcome in done:
                run.finish(groups[job.digest], job.digest, outcome)
        run.remove_gone(whole)
    rows = tuple(sorted(run.rows, key=lambda row: row.name))
    seconds = time.perf_counter() - start
    return Report(rows, seconds, tuple(sorted(run.removed)), tuple(sorted(run.left)))


def _check_apart(inputs: list[Input], folder: Path, recipe: Recipe) -> None:
    real_folder = cache(os.path.realpath)

    def real(path: str) -> str:
        """The path without symbolic links; folders are resolved once."""
        if os.path.islink(path):
            return os.path.realpath(path)
        return os.path.join(real_folder(os.path.dirname(path)), os.path.basename(path))

    paths = {real(str(given.path)) for given in inputs}
    names = [f"{given.name}{suffix}" for given in inputs for suffix in recipe.suffixes]
    for name in (MANIFEST, *names):
        output = os.path.abspath(folder / name)
        if real(output) in paths:
            raise OptionError(f"{escaped(output)} is an input: choose another folder for outputs")


class _Run:
    """The rows of a run so far."""

    def __init__(
        self,
        manifest: Manifest,
        recipe: Recipe,
        progress: Callable[[Row], None],
        inputs: list[Input],
    ) -> None:
        self.manifest = manifest
        self.recipe = recipe
        self.progress = progress
        self.rows: list[Row] = []
        self.removed: list[str] = []
        self.left: list[str] = []
        self._spared: set[tuple[int, int]] = set()
        self._spare(given.path for given in inputs)

    def sort_out(self, inputs: list[Input], *, force: bool) -> dict[str, list[Input]]:
        """The inputs to translate, grouped by the digest of their contents."""
        groups: dict[str, list[Input]] = {}
        names: set[str] = set()
        for given in inputs:
            if given.name in names:
                self._refuse(given, "another input has the name of its outputs")
                continue
            names.add(given.name)
            try:
                digest = hashlib.sha256(given.read()).hexdigest()
            except OSError as error:
                self._refuse(given, error.strerror or str(error))
                continue
            entry = self.manifest.done(given.name, digest, self.recipe.key, self.recipe.suffixes)
            if force or entry is None:
                groups.setdefault(digest, []).append(given)
            else:
                self._decide(replace(_row(given, entry), kept=True))
        return groups

    def jobs(self, groups: dict[str, list[Input]]) -> Iterator[Job]:
        """A job for each group; its data are read when the job is requested."""
        for digest, group in groups.items():
            try:
                data = group[0].read()
            except OSError as error:
                for given in group:
                    self._refuse(given, error.strerror or str(error))
                continue
            if hashlib.sha256(data).hexdigest() == digest:
                yield Job(digest, data)
            else:
                changed = Refusal("the file changed during the run", lasting=False)
                self.finish(group, digest, Outcome({}, refusal=changed))

    def finish(self, group: list[Input], digest: str, outcome: Outcome) -> None:
        """Write a job's outputs for all inputs with the same contents."""
        for given in group:
            try:
                row = self._write(given, digest, outcome)
            except OSError as error:
                if error.errno not in _OF_THE_NAME:
                    raise
                self._refuse(given, f"{error.strerror or error}: {escaped(str(error.filename))}")
                continue
            if given is not group[0]:
                row = replace(row, seconds=None, same_as=group[0].name)
            self._decide(row)

    def remove_gone(self, whole: Collection[str]) -> None:
        """Remove the outputs of inputs that exist no more, but none of this run."""
        gone = self.manifest.gone(whole, {row.name for row in self.rows})
        if gone:
            self._spare(self.manifest.folder / name for row in self.rows for name in row.outputs)
        for entry in gone:
            self._replace(entry.name, {})

    def _spare(self, paths: Iterable[Path]) -> None:
        """Never remove these files."""
        for path in paths:
            with suppress(OSError):
                self._spared.add(identity(os.stat(path)))

    def _replace(self, name: str, files: Mapping[str, bytes]) -> None:
        removed, left = self.manifest.replace(name, files, self._spared)
        self.removed += removed
        self.left += left

    def _write(self, given: Input, digest: str, outcome: Outcome) -> Row:
        refusal = outcome.refusal
        self._replace(given.name, outcome.files)
        entry = Entry(
            given.name,
            digest,
            self.recipe.key,
            outcome.words,
            {s: hashlib.sha256(data).hexdigest() for s, data in outcome.files.items()},
            reason=refusal.message if refusal else None,
            detail=refusal.detail() if refusal else None,
            warnings=outcome.warnings,
            path=os.path.abspath(given.path),
        )
        if refusal is None or refusal.lasting:
            self.manifest.add(entry)
        return replace(_row(given, entry), seconds=outcome.seconds)

    def _refuse(self, given: Input, reason: str) -> None:
        message = f"{given}: error: {reason}"
        row = Row(given.name, str(given.path), None, _REFUSED, reason=reason, message=message)
        self._decide(row)

    def _decide(self, row: Row) -> None:
        self.rows.append(row)
        self.progress(row)


def _row(given: Input, entry: Entry) -> Row:
    return Row(
        given.name,
        str(given.path),
        entry.contents,
        _TRANSLATED if entry.reason is None else _REFUSED,
        tuple(f"{given.name}{suffix}" for suffix in entry.files),
        entry.words,
        reason=entry.reason,
        message=f"{given}{entry.detail}" if entry.reason is not None else None,
        warnings=tuple(f"{given}{warning}" for warning in entry.warnings),
    )
